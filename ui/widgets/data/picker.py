"""The choice of data: shapes drawn on demand, sample files, a file of one's own."""

import dataclasses
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from treecore.data import GENERATORS, Dataset, complete, generate, read_csv, split, subsample
from treecore.viewer import principal_plane
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import remembered
from ui.language.translate import N_, _, said
from ui.live.component import gallery
from ui.shell.safe_text import plain
from ui.widgets.data.canvas import DRAWN, SHAPES, draw_control, edit_control
from ui.widgets.data.own_file import UPLOAD, own_file
from ui.widgets.data.points import is_drawing
from ui.widgets.owned import owned

SAMPLES = Path(__file__).parents[3] / "sample_data"

FILES = {
    "iris": (
        N_("Iris"),
        N_("Three species of iris, described by the length and width of sepals and petals."),
    ),
    "wine": (N_("Wine"), N_("Wines from three growers, described by 13 chemical measurements.")),
    "breast_cancer": (
        N_("Tumours"),
        N_("Benign and malignant tumours, described by 30 measurements of cell nuclei."),
    ),
    "digits": (N_("Digits"), N_("Handwritten digits, 8 × 8 pixels each.")),
    "diabetes": (
        N_("Diabetes"),
        N_("Disease progression after one year, from ten measurements per patient."),
    ),
}
"""Sample files by name: title and one sentence."""

TITLES = {
    "checkerboard": N_("Checks"),
    "xor": "XOR",
    "step": N_("Plateaus"),
    "quickening": N_("1-D wave"),
}
"""Titles that fit under a small picture, where the name itself does not do."""

LARGEST_DRAWN = 5000
"""Most points that a generator is asked for."""

USUAL_SIZE = 500
"""How many it is asked for until somebody wants more or fewer."""

USUAL_DATA = "spirals"
"""What is shown to whoever has chosen nothing yet."""


def title_of(name: str) -> str:
    return _(FILES[name][0]) if name in FILES else _(TITLES.get(name, name.capitalize()))


@st.cache_resource(show_spinner=False, max_entries=32)
def drawn(name: str, n_samples: int, noise: float, seed: int) -> Dataset:
    """Points of a generator; shared by all sessions and never changed."""
    return generate(name, n_samples, noise, seed)


@cache
def sample(name: str) -> Dataset:
    """A sample file; shared by all sessions and never changed. Its caption says what it is."""
    return dataclasses.replace(read_csv(SAMPLES / f"{name}.csv"), notes=())


@st.cache_resource(show_spinner=False, max_entries=16)
def chosen(key: tuple, _dataset: Dataset) -> ChosenData:
    """As :func:`divided`, kept for all sessions."""
    return divided(key, _dataset)


def parts(key: tuple, dataset: Dataset) -> ChosenData:
    """As :func:`divided`, kept: what all can choose for all, and one's own rows for the session."""
    if key[0] in GENERATORS or key[0] in FILES:
        return chosen(key, dataset)
    return remembered("own_rows", key, lambda: divided(key, dataset))


def gallery_data(
    name: str, size: int | None = None, noise: float | None = None, seed: int = 0, share: float = 25
) -> ChosenData:
    """Generator's points or a sample file without a page; share: of a hundred held out."""
    if name in FILES:
        dataset = sample(name)
        return chosen((name, size or dataset.n_samples, share, seed), dataset)
    size = size or USUAL_SIZE
    noise = GENERATORS[name].noise if noise is None else noise
    return chosen((name, noise, size, share, seed), drawn(name, size, noise, seed))


def divided(key: tuple, dataset: Dataset) -> ChosenData:
    """Training and held-out rows of a dataset; ``key`` names it and ends in size, share, seed."""
    *_, size, share, seed = key
    train, held = complete(*split(subsample(dataset, size, seed), share / 100, seed))
    return ChosenData(train, held, key)


@cache
def pictures() -> list[dict]:
    """A small picture of every dataset, classes first; made when the server starts."""
    items = []
    of_numbers = set()
    for generator in GENERATORS.values():
        points = generate(generator.name, 140, seed=1)
        title = TITLES.get(generator.name, generator.name.capitalize())
        items.append(_picture(generator.name, title, generator.sentence, points))
        of_numbers |= set() if generator.n_classes else {generator.name}
    for name, (title, sentence) in FILES.items():
        dataset = sample(name)
        of_numbers |= set() if dataset.n_classes else {name}
        if dataset.image_shape:
            image = dataset.X[0] / dataset.X[0].max()
            items.append({"name": name, "title": title, "hint": sentence, "image": image.tolist()})
            continue
        items.append(_picture(name, title, sentence, subsample(dataset, 140, seed=1)))
    items.sort(key=lambda item: item["name"] in of_numbers)
    upload_hint = N_("A file with a table of numbers, words or dates, such as CSV or Excel.")
    items.append({"name": UPLOAD, "title": N_("Your own"), "hint": upload_hint})
    hint = N_("Points of your own, drawn with the pointer or with keys.")
    items.append({"name": DRAWN, "title": N_("Draw"), "hint": hint, "pencil": True})
    return items


def _picture(name: str, title: str, sentence: str, dataset: Dataset) -> dict:
    points = dataset.X
    if dataset.n_features > 2:
        points = principal_plane(dataset).points(dataset.X)
    y = dataset.y
    if dataset.n_features == 1:  # a curve; where there are classes, as many lines
        points = np.column_stack([points, y])
    item: dict[str, Any] = {"name": name, "title": title, "hint": sentence}
    if dataset.task == "regression":
        y = (y - y.min()) / np.ptp(y)
        item["numbers"] = True  # shades in place of classes
    return item | {"points": np.column_stack([points, y]).round(3).tolist()}


def data_control(
    strip: DeltaGenerator | None = None, own: DeltaGenerator | None = None
) -> ChosenData | None:
    """The choice of data, or None; strip, own: places for the pictures and for one's own rows."""
    st.session_state.setdefault("dataset", USUAL_DATA)
    name = st.session_state.dataset
    with st.container() if strip is None else strip:
        said_of = ("title", "hint")
        items = [one | {word: _(one[word]) for word in said_of} for one in pictures()]
        gallery(items, name, "gallery", strip is not None, _choose)
    drawing = name in GENERATORS
    table: tuple[Dataset, tuple] | None = None
    place = st.container() if own is None else own  # for what needs the seed, asked for below
    if drawing:
        st.caption(_(GENERATORS[name].sentence))
        left, right = st.columns(2)
        help = _(
            "The number of examples, test examples included. Raise it for more reliable results; "
            "lower it to see overfitting."
        )
        points = owned(f"size_{name}", USUAL_SIZE)
        size = left.slider(
            _("Size"), 50, LARGEST_DRAWN, points.value, 50, help=help, **points.widget()
        )
        noise = _noise(name, right)
    elif name != DRAWN:
        with place if name == UPLOAD else st.container():
            table = own_file() if name == UPLOAD else _sample_file(name)
        size = _size(*table) if table else 0
    with st.expander(_("Seed, test share, editing")):
        first, held = owned("seed", 0), owned("test_share", 25)
        seed = st.number_input(
            _("Seed"), 0, 2**32 - 1, first.value, help=_(_SEED), **first.widget()
        )
        share = st.slider(
            _("Test share"),
            0,
            60,
            held.value,
            5,
            format="%d %%",
            help=_(_SHARE),
            **held.widget(),  # as all choices of data it stays: every page shows the same ones
        )
        if drawing:
            table = drawn(name, size, noise, seed), (name, noise)
        if table and (name in SHAPES or (name == UPLOAD and is_drawing(table[0]))):
            edit_control(table[0])
    if name == DRAWN:
        with place:
            table = draw_control(seed)
        size = len(table[0].y) if table else 0
    if table is None:
        return None
    dataset, origin = table
    for note in dataset.notes if name != UPLOAD else ():  # a file of one's own has said it above
        st.caption(plain(said(note)))

    def seeded(other: int) -> ChosenData:
        rows = generate(name, size, noise, other) if drawing else dataset
        return divided((*origin, size, share, other), rows)

    try:
        return dataclasses.replace(parts((*origin, size, share, seed), dataset), seeded=seeded)
    except ValueError as error:
        st.error(
            plain(_("These rows cannot be divided into training and test: {error}.", error=error)),
            icon=":material/error:",
        )
        return None


_SHARE = N_(
    "The share of examples kept for the test; the tree does not learn from them. Raise it for a "
    "more reliable test accuracy."
)
_SEED = N_(
    "Sets every random choice: the points, the test examples and the order of learning. Equal "
    "settings and seeds give equal trees. Change it to see how much is luck."
)


def _choose(name: str) -> None:
    st.session_state.dataset = name


def min_size(dataset: Dataset) -> int:
    return min(dataset.n_samples, max(20, 2 * dataset.n_classes))


def _size(dataset: Dataset, key: tuple) -> int:
    n_rows = dataset.n_samples
    smallest = min_size(dataset)
    if smallest == n_rows:
        return n_rows
    # A key of its own for every file: a size that fits one may not fit the next.
    return st.slider(
        _("Size"),
        smallest,
        n_rows,
        n_rows,
        key="size_" + "_".join(map(str, key)),
        help=_(
            "How many examples of the file are used, test examples included. Lower it for a "
            "quicker first try."
        ),
        persist_state="session",
    )


def _noise(name: str, place) -> float:
    usual = GENERATORS[name].noise
    help = _(
        "How far points stray from the shape; 100 % hides it. Raise it to see which method "
        "overfits."
    )
    if not GENERATORS[name].n_classes:
        help = _(
            "How far the numbers stray from the surface. At 100 % they vary as much as the "
            "surface, and a tree can explain half. Raise it to see which method overfits."
        )
    strayed = owned(f"noise_{name}", round(100 * usual))
    percent = place.slider(
        _("Noise"), 0, 100, strayed.value, 5, format="%d %%", help=help, **strayed.widget()
    )
    return percent / 100


def _sample_file(name: str) -> tuple[Dataset, tuple]:
    st.caption(_(FILES[name][1]))
    return sample(name), (name,)

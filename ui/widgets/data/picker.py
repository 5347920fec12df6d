"""The choice of data: shapes drawn on demand, sample files, a file of one's own."""

import dataclasses

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from treecore.data import GENERATORS, Dataset, generate
from ui.drawing.theme import paint
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import remembered
from ui.language.translate import N_, _, said
from ui.live.component import gallery
from ui.shell.safe_text import plain
from ui.widgets.data.canvas import SHAPES, draw_control, edit_control
from ui.widgets.data.gallery import (
    DRAWN,
    FILES,
    LARGEST_DRAWN,
    UPLOAD,
    USUAL_DATA,
    USUAL_SIZE,
    chosen,
    divided,
    drawn,
    min_size,
    sample,
)
from ui.widgets.data.own_file import own_file
from ui.widgets.data.points import is_drawing
from ui.widgets.data.tiles import tiles
from ui.widgets.owned import owned


def parts(key: tuple, dataset: Dataset) -> ChosenData:
    """As :func:`divided`, kept: what all can choose for all, and one's own rows for the session."""
    if key[0] in GENERATORS or key[0] in FILES:
        return chosen(key, dataset)
    return remembered("own_rows", key, lambda: divided(key, dataset))


def data_control(
    strip: DeltaGenerator | None = None, own: DeltaGenerator | None = None
) -> ChosenData | None:
    """The choice of data, or None; strip, own: places for the pictures and for one's own rows."""
    st.session_state.setdefault("dataset", USUAL_DATA)
    name = st.session_state.dataset
    with st.container() if strip is None else strip:
        gallery(tiles(paint()), name, "gallery", strip is not None, _choose)
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
            plain(_("There is no way to divide these examples: {error}.", error=error)),
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

"""What there is to learn from: shapes drawn on demand and sample files, without a page."""

import dataclasses
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from treecore.data import GENERATORS, Dataset, complete, generate, read_csv, split, subsample
from treecore.viewer import principal_plane
from ui.jobs.chosen_data import ChosenData
from ui.language.translate import N_, _

UPLOAD, DRAWN = "upload", "drawn"
"""What a file of one's own and drawn points are called among the datasets."""

FILE = "csv"
"""The key of the control that takes the file."""

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


def min_size(dataset: Dataset) -> int:
    return min(dataset.n_samples, max(20, 2 * dataset.n_classes))

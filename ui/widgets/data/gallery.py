"""What there is to learn from: shapes drawn on demand and sample files, without a page."""

import dataclasses
from functools import cache
from pathlib import Path

import streamlit as st

from treecore.data import GENERATORS, Dataset, complete, generate, read_csv, split, subsample
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


def min_size(dataset: Dataset) -> int:
    return min(dataset.n_samples, max(20, 2 * dataset.n_classes))

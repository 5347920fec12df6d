"""The protocol that all comparisons share: settings are chosen on held-out training rows only.

1. A part of the training rows, drawn by class with seed 0, is held out.
2. Every candidate is trained on the rest with seed 0; the best accuracy on the held-out rows wins.
3. The winner is trained on all training rows, once a seed; only these trees see the test rows.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from treecore import RunConfig, Trainer, Tree
from treecore.datasets import split_rows

DATA = Path(os.environ.get("TREECORE_DATA", Path(__file__).parents[2] / "shared" / "data"))
"""Where the archives of the papers' datasets are looked for."""

HELD_OUT = 0.2


class Part(NamedTuple):
    """Rows and their classes."""

    X: np.ndarray
    y: np.ndarray


class Outcome(NamedTuple):
    """One trained tree: accuracies in percent, seconds of training, size."""

    accuracy: float
    training_accuracy: float
    seconds: float
    active_leaves: int
    n_splits: int
    n_weights: int


def load(name: str, folder: Path = DATA) -> tuple[Part, Part] | None:
    """Training and test rows, or None where the archive is absent."""
    if name == "digits":
        X, y = load_digits(return_X_y=True)
        X, X_test, y, y_test = train_test_split(X, y, test_size=0.25, random_state=0)
        return Part(X, y), Part(X_test, y_test)
    path = folder / f"{name}.npz"
    if not path.exists():
        return None
    with np.load(path) as archive:
        data = {key: archive[key] for key in archive.files}
    if "X" in data:  # no official split: four fifths, one fifth
        X, y = data["X"], data["y"].astype(int)
        train, test = split_rows(y, 0.2, 0)
        return Part(X[train], y[train]), Part(X[test], y[test])
    return tuple(
        Part(data[f"X_{part}"].reshape(len(data[f"y_{part}"]), -1), data[f"y_{part}"].astype(int))
        for part in ("train", "test")
    )


def train(config: RunConfig, part: Part, held: Part) -> tuple[Outcome, Tree]:
    """Train one tree on ``part`` and measure it on ``held``."""
    trainer = Trainer(config, *part, validation=held)
    *_, event = trainer.events()
    tree = trainer.tree
    n_weights = np.count_nonzero(tree.weights) + np.count_nonzero(tree.feature >= 0)
    return Outcome(
        100 * event.validation_accuracy,
        100 * event.accuracy,
        event.seconds,
        event.active_leaves,
        tree.n_splits,
        int(n_weights),
    ), tree


def search(candidates: Iterable[dict], part: Part) -> Iterator[tuple[Outcome, dict]]:
    """Train every candidate (the arguments of a RunConfig) and measure it on held-out rows."""
    kept, held = split_rows(part.y, HELD_OUT, 0)
    inner, outer = Part(part.X[kept], part.y[kept]), Part(part.X[held], part.y[held])
    for candidate in candidates:
        yield train(RunConfig(**candidate, seed=0), inner, outer)[0], candidate


def choose(candidates: Iterable[dict], part: Part) -> dict:
    """The candidate of greatest held-out accuracy; the first one of equals."""
    return max(search(candidates, part), key=lambda found: found[0].accuracy)[1]

"""Errors of forests of every kind."""

from __future__ import annotations

import numpy as np

from treecore.ensembles import Forest
from treecore.learners.hinge import HingeForest
from ui.jobs.chosen_data import ChosenData


def held_error(
    forest: Forest | HingeForest, data: ChosenData, most: int | None = None
) -> float | None:
    """Error of a forest on the held-out rows, or the first of them; None where there are none.

    The share classified wrongly, or the mean squared error of numbers.
    """
    if data.held is None:
        return None
    return error_of(forest, data.held.given[:most], data.held.y[:most])


def r2_of(error: float | None, data: ChosenData) -> float | None:
    """The share of the held-out variance that a squared error on these rows leaves no more."""
    if error is None or data.held is None or not (variance := float(data.held.y.var())):
        return None
    return 1.0 - error / variance


def error_of(forest: Forest | HingeForest, X: np.ndarray, y: np.ndarray) -> float:
    """As :func:`held_error`, on any rows."""
    guess = forest.predict(X)
    if guess.ndim == 2:
        return float(((guess[:, 0].astype(np.float64) - y) ** 2).mean())
    return float((guess != y).mean())

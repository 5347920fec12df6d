"""Errors of forests of every kind, and compiling hinge forests beforehand."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np

from treecore.ensembles import Forest
from treecore.hinge import HingeForest, HingeTrainer
from ui.data import ChosenData
from ui.forest_plans import Plan

_warm = threading.Lock()
_warmed: set[tuple] = set()


def warm_up_hinge(plan: Plan) -> None:
    """Compile what a hinge forest needs, so that its seconds are those of learning alone."""
    own = plan.hinge
    with _warm:
        name = own.loss, own.kind, own.features == "raw"
        if name in _warmed:
            return
        small = replace(
            own,
            trees=2,
            depth=2,
            n_features=2,
            filter_size=1,
            stride=1,
            width=0,
            batch=4,
            batches=2,
        )
        X = np.random.default_rng(0).standard_normal((40, 4))
        y = (X[:, 0] > 0).astype(int) if own.loss == "log" else X[:, 0]
        forest = HingeTrainer(small, X, y).run()
        forest.predict(X)
        _warmed.add(name)


def held_error(
    forest: Forest | HingeForest, data: ChosenData, most: int | None = None
) -> float | None:
    """Error of a forest on the held-out rows, or the first of them; None where there are none.

    The share classified wrongly, or the mean squared error of numbers.
    """
    if data.held is None:
        return None
    return error_of(forest, data.held.X[:most], data.held.y[:most])


def error_of(forest: Forest | HingeForest, X: np.ndarray, y: np.ndarray) -> float:
    """As :func:`held_error`, on any rows."""
    guess = forest.predict(X)
    if guess.ndim == 2:
        return float(((guess[:, 0].astype(np.float64) - y) ** 2).mean())
    return float((guess != y).mean())

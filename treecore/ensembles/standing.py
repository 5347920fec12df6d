"""Where a growing forest stands on some rows: what its trees have said so far, error and loss."""

from __future__ import annotations

import numpy as np

from treecore.ensembles.boosting import Boosting
from treecore.inputs import Units
from treecore.rows import TrainingRows


class Standing:
    """Sums over the trees so far, row by row.

    Parameters
    ----------
    rows : TrainingRows
    units : Units
        Of the rows' targets.
    boosting : Boosting or None
        What boosts the trees, of whose votes the loss is made.
    """

    def __init__(self, rows: TrainingRows, units: Units, boosting: Boosting | None):
        self.rows, self._units, self._boosting = rows, units, boosting
        self._sums = np.zeros((len(rows.y), rows.n_outputs))
        self._exponents = np.zeros(len(rows.y))
        self._total = 0.0

    def add(self, votes: np.ndarray, vote: float, wrong: np.ndarray | None) -> None:
        """Take in a tree.

        Parameters
        ----------
        votes : float64 array, shape (n_samples, n_outputs)
            What it adds to the sums of every row.
        vote : float
            What it counts.
        wrong : bool array, shape (n_samples,), or None
            Rows that it gets wrong; only needed where trees are boosted.
        """
        self._sums += votes
        self._total += vote
        if self._boosting is not None:
            self._boosting.add_exponents(self._exponents, wrong, vote)

    def figures(self, instead: np.ndarray | None = None) -> tuple[float | None, float | None]:
        """Error and loss of the forest so far; None where there are no rows, or no loss.

        ``instead`` is what it says of every row, float64 (n_outputs,), where it has no tree yet.
        """
        rows = self.rows
        if not len(rows.y):
            return None, None
        scores = self._sums / self._total if self._total else np.tile(instead, (len(rows.y), 1))
        error = error_of(rows, scores, self._units)
        if rows.loss.task != "classification":
            return error, None
        if self._boosting is not None:
            losses = np.exp(np.minimum(self._exponents, 700))
        else:
            own = scores[np.arange(len(rows.y)), rows.y]
            losses = -np.log(np.maximum(own, np.finfo(np.float64).tiny))
        return error, float(np.average(losses, weights=rows.weight))


def error_of(rows: TrainingRows, scores: np.ndarray, units: Units) -> float:
    """Weighted share of rows classified wrongly, or mean squared error in the targets' units.

    ``scores``, float64 (n_samples, n_outputs), are shares of classes, or numbers.
    """
    if rows.loss.task == "classification":
        costs = scores.argmax(axis=1) != rows.y
    else:
        costs = ((scores - _in_units(rows, units)) ** 2).mean(axis=1)
    return float(np.average(costs, weights=rows.weight))


def score_of(rows: TrainingRows, scores: np.ndarray, units: Units) -> float:
    """Share of the rows classified rightly, or of the variance explained; weighted."""
    error = error_of(rows, scores, units)
    if rows.loss.task == "classification":
        return 1.0 - error
    told = _in_units(rows, units)
    middle = np.average(told, axis=0, weights=rows.weight)
    spread = float(np.average(((told - middle) ** 2).mean(axis=1), weights=rows.weight))
    return 1.0 - error / spread if spread > 0 else float(error == 0)


def _in_units(rows: TrainingRows, units: Units) -> np.ndarray:
    return rows.y * units.spread + units.centre

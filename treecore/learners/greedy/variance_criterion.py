"""Variance as a criterion: how far apart the means of the sides lie.

What lowers the squared error of constants is the distance of the means ::

    n * fall of variance = n_left n_right / n * sum_q (mean_left - mean_right)^2     n: units

and the score is that, negative: it needs no sum of squares, and loses no digits to large means.
See :mod:`treecore.learners.greedy.criteria` for what a criterion is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.dispatch import implements
from treecore.compiling.kernels import kernel
from treecore.learners.greedy.criteria import (
    count,
    move,
    score,
    start_totals,
)


class VarianceCriterion(NamedTuple):
    """Variance of numbers, the squared error of constants.

    Attributes
    ----------
    targets : int64 array, shape (n_samples, n_outputs)
        In fixed point, so small that the sum over all units fits int64.
    units : int64 array, shape (n_samples,)
    """

    targets: np.ndarray
    units: np.ndarray

    def take(self, rows: np.ndarray) -> VarianceCriterion:
        """That of some rows, in their order: an int array."""
        return VarianceCriterion(self.targets[rows], self.units[rows])


@implements(count, VarianceCriterion)
def _count_numbers(criterion, tally, row, sign):
    step = sign * criterion.units[row]
    n_outputs = criterion.targets.shape[1]
    for q in range(n_outputs):
        tally[q] += step * criterion.targets[row, q]
    tally[n_outputs] += step


@implements(start_totals, VarianceCriterion)
def _start_number_totals(criterion, tally, right):
    n_outputs = criterion.targets.shape[1]
    return tally[n_outputs] - right[n_outputs], right[n_outputs], 0, 0


@implements(move, VarianceCriterion)
def _move_numbers(criterion, tally, right, row, sign, totals):
    count(criterion, right, row, sign)
    step = sign * criterion.units[row]
    return totals[0] - step, totals[1] + step, 0, 0


@implements(score, VarianceCriterion)
def _score_numbers(criterion, tally, right, totals):
    n_left, n_right = np.float64(totals[0]), np.float64(totals[1])
    square = 0.0
    for q in range(criterion.targets.shape[1]):
        gap = (tally[q] - right[q]) / n_left - right[q] / n_right
        square += gap * gap
    return -(n_left * n_right / (n_left + n_right)) * square


@kernel
def squared_error(targets, units, rows, tally):
    """Mean square of the distance of rows from their mean; exactly 0 where all are equal.

    Parameters
    ----------
    targets, units
        Of a :class:`VarianceCriterion`. Both means are over units.
    rows : int32 array, shape (n,)
        At least one.
    tally : int64 array, shape (n_outputs + 1,)
        Of these rows.

    Returns
    -------
    float64
        In the fixed point of the targets, squared; summed over the outputs.
    """
    n_outputs = targets.shape[1]
    n = np.float64(tally[n_outputs])
    differ = False
    total = 0.0
    for row in rows:
        for q in range(n_outputs):
            differ |= targets[row, q] != targets[rows[0], q]
            gap = targets[row, q] - tally[q] / n
            total += units[row] * (gap * gap)
    return total / n if differ else 0.0

"""Variance as a criterion: how far apart the means of the sides lie.

What lowers the squared error of constants is the distance of the means ::

    n * fall of variance = n_left n_right / n * sum_q (mean_left - mean_right)^2    n: weights

and the score is that, negative: it needs no sum of squares, and loses no digits to large means.
See :mod:`treecore.learners.greedy.criteria` for what a criterion is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.dispatch import implements
from treecore.compiling.kernels import kernel
from treecore.core.terms import SUM_BITS, summable_weights
from treecore.learners.greedy.criteria import (
    count,
    gain_of,
    impurity_of_node,
    move,
    profile_size,
    score,
    side_values,
    start_totals,
    weight_of,
)
from treecore.learners.greedy.significance import f_test
from treecore.rows.training_rows import TrainingRows


class VarianceCriterion(NamedTuple):
    """Variance of numbers, the squared error of constants.

    ``targets``: float64 (n_samples, n_outputs). ``weighted``: the same times the weights, rounded
    to multiples of a power of two that add up exactly. ``weight``: float64 (n_samples,).
    """

    targets: np.ndarray
    weighted: np.ndarray
    weight: np.ndarray

    @classmethod
    def of(cls, rows: TrainingRows) -> VarianceCriterion:
        """That of training rows."""
        weight, y = summable_weights(rows.weight)[0], rows.y.astype(np.float64)
        y[weight == 0] = 0.0  # they count nowhere, and may be too large to add up
        weighted = y * weight[:, None]
        largest = float(np.abs(weighted).sum(axis=0).max())
        fine = 2.0 ** (SUM_BITS - np.ceil(np.log2(largest))) if largest > 0 else 1.0
        return cls(y, np.rint(weighted * fine) / fine, weight)

    def tally(self, rows: np.ndarray) -> np.ndarray:
        """Sum up some rows, int (n,), to float64 (n_outputs + 1,)."""
        tally = np.empty(self.targets.shape[1] + 1)
        tally[:-1], tally[-1] = self.weighted[rows].sum(axis=0), self.weight[rows].sum()
        return tally

    def p_value(self, left: np.ndarray, right: np.ndarray, rows: np.ndarray) -> float:
        """By an F-test; see ``significance``."""
        tally, n_left, n_right = left + right, left[-1], right[-1]
        gap = left[:-1] / n_left - right[:-1] / n_right
        between = float(n_left * n_right / tally[-1] * (gap * gap).sum() / tally[-1])
        total = squared_error(self, rows, tally)
        return f_test(between, total - between, len(rows), len(tally) - 1)


@implements(count, VarianceCriterion)
def _count_numbers(criterion, tally, row, sign):
    n_outputs = criterion.weighted.shape[1]
    for q in range(n_outputs):
        tally[q] += sign * criterion.weighted[row, q]
    tally[n_outputs] += sign * criterion.weight[row]


@implements(start_totals, VarianceCriterion)
def _start_number_totals(criterion, tally, right):
    n_outputs = criterion.weighted.shape[1]
    return tally[n_outputs] - right[n_outputs], right[n_outputs], 0.0, 0.0


@implements(move, VarianceCriterion)
def _move_numbers(criterion, tally, right, row, sign, totals):
    count(criterion, right, row, sign)
    step = sign * criterion.weight[row]
    return totals[0] - step, totals[1] + step, 0.0, 0.0


@implements(score, VarianceCriterion)
def _score_numbers(criterion, tally, right, totals):
    n_left, n_right = totals[0], totals[1]
    square = 0.0
    for q in range(criterion.weighted.shape[1]):
        gap = (tally[q] - right[q]) / n_left - right[q] / n_right
        square += gap * gap
    return -(n_left * n_right / (n_left + n_right)) * square


@implements(side_values, VarianceCriterion)
def _means(criterion, tally, right, smoothing):
    n = criterion.weighted.shape[1]
    n_left, n_right = tally[n] - right[n] + smoothing, right[n] + smoothing
    return (tally[0] - right[0]) / n_left, right[0] / n_right


@implements(profile_size, VarianceCriterion)
def _numbers(criterion, tally):
    return criterion.weighted.shape[1], criterion.weighted.shape[1] == 1


@implements(weight_of, VarianceCriterion)
def _weight_of_numbers(criterion, tally):
    return tally[criterion.weighted.shape[1]]


@kernel
def squared_error(criterion, rows, tally):
    """The weighted mean square of the distance of rows from their mean, summed over the outputs."""
    n_outputs = criterion.targets.shape[1]
    n = tally[n_outputs]
    differ = False
    total = 0.0
    for row in rows:
        for q in range(n_outputs):
            differ |= criterion.targets[row, q] != criterion.targets[rows[0], q]
            gap = criterion.targets[row, q] - tally[q] / n
            total += criterion.weight[row] * (gap * gap)
    return total / n if differ else 0.0


@implements(gain_of, VarianceCriterion)
def _gain_of_numbers(criterion, tally, score):
    return -score / tally[criterion.weighted.shape[1]]


@implements(impurity_of_node, VarianceCriterion)
def _variance(criterion, tally, rows):
    return squared_error(criterion, rows, tally)

"""The targets of the training rows as greedy growth reads them: tallies, gains and purity.

Kernels see only the criterion (:mod:`treecore.learners.greedy.criteria`); here is what growth and
the finders ask between two of them. :func:`make_targets` knows which kind it takes.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from treecore.core.impurity import Criterion, impurity
from treecore.core.terms import SUM_BITS, gain, make_terms, summable_weights
from treecore.learners.greedy.class_criterion import ClassCriterion
from treecore.learners.greedy.criteria import tally_rows
from treecore.learners.greedy.significance import chi_squared, f_test
from treecore.learners.greedy.variance_criterion import VarianceCriterion, squared_error
from treecore.rows.training_rows import TrainingRows


class Targets(Protocol):
    """What all targets offer. Rows are int32 row numbers, tallies float64 arrays."""

    @property
    def by_ratio(self) -> bool:
        """Whether features compete by gain ratio, which is one of classes."""
        ...

    @property
    def criterion(self) -> ClassCriterion | VarianceCriterion:
        """For kernels."""
        ...

    def tally(self, rows: np.ndarray) -> np.ndarray:
        """The tally of some rows."""
        ...

    def weight(self, tally: np.ndarray) -> float:
        """Weight of the rows in a tally."""
        ...

    def impurity(self, tally: np.ndarray, rows: np.ndarray) -> float:
        """Impurity of a node; exactly 0 where nothing can be gained.

        tally: float64 array; rows: int32 (n,), the node's rows. Returns in bits for entropy; in
        squared deviations of the targets for numbers.
        """
        ...

    def gain(self, tally: np.ndarray, score: float) -> float:
        """Impurity of a node less the mean impurity, over its weight, of its two sides.

        tally: float64 array; score: of its sides, see
        :func:`treecore.learners.greedy.criteria.score`. Returns not negative.
        """
        ...

    def p_value(self, left: np.ndarray, right: np.ndarray, rows: np.ndarray) -> float:
        """The probability of sides at least as different were the targets shuffled.

        left, right: float64 arrays, tallies of the two sides; rows: int32 (n,), rows of both.
        Returns see :mod:`treecore.learners.greedy.significance`.
        """
        ...


def make_targets(rows: TrainingRows, criterion: Criterion) -> Targets:
    """Targets of training rows, in the form that greedy growth reads.

    rows: those without weight are in no tally; criterion: impurity of classes; numbers have one,
    the variance summed over the outputs.
    """
    if rows.loss.task == "classification":
        return ClassTargets(rows, criterion)
    return NumberTargets(rows)


class ClassTargets:
    """Classes and their entropy or Gini impurity; see :class:`Targets`."""

    def __init__(self, rows: TrainingRows, criterion: Criterion):
        weight, whole = summable_weights(rows.weight)
        labels = rows.y.astype(np.uint16)  # classes are fewer, see treecore.data.validation
        terms = make_terms(float(weight.sum()), whole, criterion)
        mask = np.uint32(0 if (weight == weight[0]).all() else 0xFFFFFFFF)
        self.by_ratio = criterion == Criterion.GAIN_RATIO
        self._n_classes = rows.n_outputs
        self.criterion = ClassCriterion(labels, weight if mask else weight[:1].copy(), mask, terms)

    def tally(self, rows):
        tally = np.zeros(self._n_classes)
        tally_rows(self.criterion, rows, tally)
        return tally

    def weight(self, tally):
        return float(tally.sum())

    def impurity(self, tally, rows):
        """Impurity of a node."""
        n = tally.sum()
        return 0.0 if tally.max() == n else impurity(tally, n, self.criterion.terms.kind)

    def gain(self, tally, score):
        """Decrease of impurity."""
        return gain(tally, score, self.criterion.terms)

    def p_value(self, left, right, rows):
        # The test is one of rows; weights only share them out.
        """By a chi-squared test."""
        share = len(rows) / (left.sum() + right.sum())
        return chi_squared(left * share, right * share)


class NumberTargets:
    """Numbers and the squared error of constants; see :class:`Targets`."""

    by_ratio = False

    def __init__(self, rows: TrainingRows):
        weight, _ = summable_weights(rows.weight)
        y, heavy = rows.y.astype(np.float64), weight > 0
        y[~heavy] = 0.0  # they count nowhere, and may be too large to add up
        weighted = y * weight[:, None]
        largest = float(np.abs(weighted).sum(axis=0).max())
        fine = 2.0 ** (SUM_BITS - np.ceil(np.log2(largest))) if largest > 0 else 1.0
        self.criterion = VarianceCriterion(y, np.rint(weighted * fine) / fine, weight)

    def tally(self, rows):
        tally = np.zeros(self.criterion.targets.shape[1] + 1)
        tally_rows(self.criterion, rows, tally)
        return tally

    def weight(self, tally):
        return float(tally[-1])

    def impurity(self, tally, rows):
        """Variance of a node."""
        return squared_error(self.criterion, rows, tally)

    def gain(self, tally, score):
        """Decrease of variance."""
        return -score / float(tally[-1])

    def p_value(self, left, right, rows):
        """By an F-test."""
        tally = left + right
        between = _between(left, right) / float(tally[-1])
        total = squared_error(self.criterion, rows, tally)
        return f_test(between, total - between, len(rows), len(tally) - 1)


def _between(left: np.ndarray, right: np.ndarray) -> float:
    """Squares that two sides explain: a VarianceCriterion's negative score."""
    n_left, n_right = float(left[-1]), float(right[-1])
    gap = left[:-1] / n_left - right[:-1] / n_right
    return n_left * n_right / (n_left + n_right) * float((gap * gap).sum())

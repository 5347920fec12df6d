"""The targets of the training rows as greedy growth reads them: tallies, gains and purity.

Kernels see only the criterion (:mod:`treecore.learners.greedy.criteria`); here is what growth and
the finders ask between two of them. :func:`make_targets` knows which kind it takes.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from treecore.core.impurity import Criterion, impurity
from treecore.core.terms import count_terms, gain
from treecore.learners.greedy.class_criterion import ClassCriterion
from treecore.learners.greedy.criteria import tally_rows
from treecore.learners.greedy.integer_weights import integer_units
from treecore.learners.greedy.significance import chi_squared, f_test
from treecore.learners.greedy.variance_criterion import VarianceCriterion, squared_error
from treecore.rows.training_rows import TrainingRows


class Targets(Protocol):
    """What all targets offer. Rows are int32 row numbers, tallies int64 arrays."""

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

    def units(self, tally: np.ndarray) -> int:
        """Units of the rows in a tally."""
        ...

    def impurity(self, tally: np.ndarray, rows: np.ndarray) -> float:
        """Impurity of a node; exactly 0 where nothing can be gained.

        Parameters
        ----------
        tally : int64 array
        rows : int32 array, shape (n,)
            The node's rows.

        Returns
        -------
        float
            In bits for entropy; in squared deviations of the targets for numbers.
        """
        ...

    def gain(self, tally: np.ndarray, score: float) -> float:
        """Impurity of a node less the mean impurity, over its units, of its two sides.

        Parameters
        ----------
        tally : int64 array
            Of the node.
        score : float
            Of its sides, see :func:`treecore.learners.greedy.criteria.score`.

        Returns
        -------
        float
            Not negative.
        """
        ...

    def p_value(self, left: np.ndarray, right: np.ndarray, rows: np.ndarray) -> float:
        """The probability of sides at least as different were the targets shuffled.

        Parameters
        ----------
        left, right : int64 arrays
            Tallies of the two sides.
        rows : int32 array, shape (n,)
            Rows of both.

        Returns
        -------
        float
            See :mod:`treecore.learners.greedy.significance`.
        """
        ...


def make_targets(rows: TrainingRows, criterion: Criterion) -> Targets:
    """Targets of training rows, in the form that greedy growth reads.

    Parameters
    ----------
    rows : TrainingRows
        Those without weight have no units, and are in no tally.
    criterion : Criterion
        Impurity of classes; numbers have one, the variance summed over the outputs.
    """
    if rows.loss.task == "classification":
        return ClassTargets(rows, criterion)
    return NumberTargets(rows)


def _units_of(weight: np.ndarray) -> np.ndarray:
    """Whole numbers in the ratio of the weights, int32; 0 where there is none."""
    heavy = weight > 0
    if heavy.all():
        return integer_units(weight)
    units = np.zeros(len(weight), dtype=np.int32)
    units[heavy] = integer_units(weight[heavy])
    return units


class ClassTargets:
    """Classes and their entropy or Gini impurity; see :class:`Targets`."""

    def __init__(self, rows: TrainingRows, criterion: Criterion):
        units = _units_of(rows.weight)
        labels = rows.y.astype(np.uint16)  # classes are fewer, see treecore.data.validation
        mask = np.uint32(0 if (units == units[0]).all() else 0xFFFFFFFF)
        terms = count_terms(int(units.sum()), criterion, cached=bool(mask))  # as for boosted trees
        self.kind = int(criterion)
        self.by_ratio = criterion == Criterion.GAIN_RATIO
        self._n_classes = rows.n_outputs
        self.criterion = ClassCriterion(
            labels, units if mask else units[:1].copy(), mask, terms, self.kind
        )

    def tally(self, rows):
        tally = np.zeros(self._n_classes, dtype=np.int64)
        tally_rows(self.criterion, rows, tally)
        return tally

    def units(self, tally):
        return int(tally.sum())

    def impurity(self, tally, rows):
        """Impurity of a node. Parameters are those of :meth:`Targets.impurity`."""
        n = tally.sum()
        return 0.0 if tally.max() == n else impurity(tally, n, self.kind)

    def gain(self, tally, score):
        """Decrease of impurity. Parameters are those of :meth:`Targets.gain`."""
        return gain(tally, score, self.criterion.terms, self.kind)

    def p_value(self, left, right, rows):
        # The test is one of rows; units only share them out.
        """By a chi-squared test. Parameters are those of :meth:`Targets.p_value`."""
        share = len(rows) / (left.sum() + right.sum())
        return chi_squared(left * share, right * share)


class NumberTargets:
    """Numbers and the squared error of constants; see :class:`Targets`.

    They are kept in fixed point, with as many digits as their sum over all units allows: 2^-40 of
    a standard deviation with a million rows, and float32 itself ends at 2^-24 of a value.
    """

    by_ratio = False

    def __init__(self, rows: TrainingRows):
        units = _units_of(rows.weight)
        y, heavy = rows.y.astype(np.float64), units > 0
        y[~heavy] = 0.0  # they count nowhere, and may be too large for the fixed point
        largest = float((np.abs(y[heavy]) * units[heavy, None]).sum(axis=0).max())
        # Sums stay below 2^62: the tenth of a bit is for their own rounding and that of targets.
        largest = max(largest, float(units.sum()) * 2.0**-40)
        self._scale = 2.0 ** np.floor(61.9 - np.log2(largest))
        self.criterion = VarianceCriterion(
            np.rint(y * self._scale).astype(np.int64), units.astype(np.int64)
        )

    def tally(self, rows):
        tally = np.zeros(self.criterion.targets.shape[1] + 1, dtype=np.int64)
        tally_rows(self.criterion, rows, tally)
        return tally

    def units(self, tally):
        return int(tally[-1])

    def impurity(self, tally, rows):
        """Variance of a node. Parameters are those of :meth:`Targets.impurity`."""
        return squared_error(*self.criterion, rows, tally) / self._scale**2

    def gain(self, tally, score):
        """Decrease of variance. Parameters are those of :meth:`Targets.gain`."""
        return -score / (self._scale**2 * int(tally[-1]))

    def p_value(self, left, right, rows):
        """By an F-test. Parameters are those of :meth:`Targets.p_value`."""
        tally = left + right
        between = _between(left, right) / int(tally[-1])
        total = squared_error(*self.criterion, rows, tally)
        return f_test(between, total - between, len(rows), len(tally) - 1)


def _between(left: np.ndarray, right: np.ndarray) -> float:
    """Squares that two sides explain, in fixed point: a VarianceCriterion's negative score."""
    n_left, n_right = float(left[-1]), float(right[-1])
    gap = left[:-1] / n_left - right[:-1] / n_right
    return n_left * n_right / (n_left + n_right) * float((gap * gap).sum())

"""The targets of the training rows as greedy growth reads them: tallies, gains and purity.

Kernels see only the criterion (:mod:`treecore.learners.greedy.criteria`); here is what growth and
the finders ask between two of them, of classes or of numbers alike::

    tally(rows)                   the tally of some rows
    weight(tally)                 their weight
    impurity(tally, rows)         theirs; exactly 0 where nothing can be gained
    gain(tally, score)            impurity of a node less the mean one of its two sides
    p_value(left, right, rows)    probability of sides at least as different by chance

Rows are int32 (n,), tallies float64 (n_classes,) or (n_outputs + 1,). Impurity is in bits for
entropy, in squared deviations for numbers.
"""

from __future__ import annotations

import numpy as np

from treecore.core.impurity import Criterion, impurity
from treecore.core.terms import SUM_BITS, gain, make_terms, summable_weights
from treecore.learners.greedy.class_criterion import ClassCriterion
from treecore.learners.greedy.significance import chi_squared, f_test
from treecore.learners.greedy.variance_criterion import VarianceCriterion, squared_error
from treecore.rows.training_rows import TrainingRows


class ClassTargets:
    """Classes and their entropy or Gini impurity; ``by_ratio``: features compete by gain ratio."""

    def __init__(self, rows: TrainingRows, criterion: Criterion):
        weight, integral = summable_weights(rows.weight)
        labels = rows.y.astype(np.uint16)  # classes are fewer, see treecore.data.validation
        terms = make_terms(float(weight.sum()), integral, criterion)
        mask = np.uint32(0 if (weight == weight[0]).all() else 0xFFFFFFFF)
        self.by_ratio = criterion == Criterion.GAIN_RATIO
        self._n_classes = rows.n_outputs
        self.criterion = ClassCriterion(labels, weight if mask else weight[:1].copy(), mask, terms)

    def tally(self, rows: np.ndarray) -> np.ndarray:
        return self.criterion.tally(rows, self._n_classes)

    def weight(self, tally: np.ndarray) -> float:
        return float(tally.sum())

    def impurity(self, tally: np.ndarray, rows: np.ndarray) -> float:
        """Impurity of a node."""
        n = tally.sum()
        return 0.0 if tally.max() == n else impurity(tally, n, self.criterion.terms.kind)

    def gain(self, tally: np.ndarray, score: float) -> float:
        """Decrease of impurity."""
        return gain(tally, score, self.criterion.terms)

    def p_value(self, left: np.ndarray, right: np.ndarray, rows: np.ndarray) -> float:
        """By a chi-squared test of rows, which weights only share out."""
        share = len(rows) / (left.sum() + right.sum())
        return chi_squared(left * share, right * share)


class NumberTargets:
    """Numbers and the squared error of constants."""

    by_ratio = False

    def __init__(self, rows: TrainingRows):
        weight, _ = summable_weights(rows.weight)
        y, heavy = rows.y.astype(np.float64), weight > 0
        y[~heavy] = 0.0  # they count nowhere, and may be too large to add up
        weighted = y * weight[:, None]
        largest = float(np.abs(weighted).sum(axis=0).max())
        fine = 2.0 ** (SUM_BITS - np.ceil(np.log2(largest))) if largest > 0 else 1.0
        self.criterion = VarianceCriterion(y, np.rint(weighted * fine) / fine, weight)

    def tally(self, rows: np.ndarray) -> np.ndarray:
        return self.criterion.tally(rows, self.criterion.targets.shape[1] + 1)

    def weight(self, tally: np.ndarray) -> float:
        return float(tally[-1])

    def impurity(self, tally: np.ndarray, rows: np.ndarray) -> float:
        """Variance of a node."""
        return squared_error(self.criterion, rows, tally)

    def gain(self, tally: np.ndarray, score: float) -> float:
        """Decrease of variance."""
        return -score / float(tally[-1])

    def p_value(self, left: np.ndarray, right: np.ndarray, rows: np.ndarray) -> float:
        """By an F-test."""
        tally = left + right
        between = _between(left, right) / float(tally[-1])
        total = squared_error(self.criterion, rows, tally)
        return f_test(between, total - between, len(rows), len(tally) - 1)


Targets = ClassTargets | NumberTargets


def make_targets(rows: TrainingRows, criterion: Criterion) -> Targets:
    """Targets of training rows, in the form that greedy growth reads.

    rows: those without weight are in no tally; criterion: impurity of classes; numbers have one,
    the variance summed over the outputs.
    """
    if rows.loss.task == "classification":
        return ClassTargets(rows, criterion)
    return NumberTargets(rows)


def _between(left: np.ndarray, right: np.ndarray) -> float:
    """Squares that two sides explain: a VarianceCriterion's negative score."""
    n_left, n_right = float(left[-1]), float(right[-1])
    gap = left[:-1] / n_left - right[:-1] / n_right
    return n_left * n_right / (n_left + n_right) * float((gap * gap).sum())

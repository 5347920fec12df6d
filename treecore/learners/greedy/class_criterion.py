"""Entropy or Gini impurity as a criterion: the sum of the sides' scaled impurities.

See :mod:`treecore.learners.greedy.criteria` for what a criterion is, and :mod:`treecore.core.terms`
for impurity as a sum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.dispatch import implements
from treecore.core.impurity import Criterion, impurity
from treecore.core.terms import (
    Terms,
    impurity_of,
    make_terms,
    scaled_impurity,
    summable_weights,
    term,
)
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
from treecore.learners.greedy.significance import chi_squared
from treecore.rows.training_rows import TrainingRows


class ClassCriterion(NamedTuple):
    """Entropy or Gini impurity of classes.

    ``labels``: uint16 (n_samples,). ``weight``: float64 (n_samples,), or (1,) where all are equal.
    ``mask``: uint32, what is left of a row's number where its weight is read: all of it, or 0.
    """

    labels: np.ndarray
    weight: np.ndarray
    mask: np.uint32
    terms: Terms
    n_classes: int

    @classmethod
    def of(cls, rows: TrainingRows, kind: Criterion) -> ClassCriterion:
        """That of training rows."""
        weight, integral = summable_weights(rows.weight)
        labels = rows.y.astype(np.uint16)  # classes are fewer, see treecore.data.validation
        terms = make_terms(float(weight.sum()), integral, kind)
        mask = np.uint32(0 if (weight == weight[0]).all() else 0xFFFFFFFF)
        return cls(labels, weight if mask else weight[:1].copy(), mask, terms, rows.n_outputs)

    def tally(self, rows: np.ndarray) -> np.ndarray:
        """Sum up some rows, int (n,), to float64 (n_classes,)."""
        if self.mask:
            return np.bincount(self.labels[rows], self.weight[rows], self.n_classes)
        return np.bincount(self.labels[rows], minlength=self.n_classes) * self.weight[0]

    def p_value(self, left: np.ndarray, right: np.ndarray, rows: np.ndarray) -> float:
        """By a chi-squared test of rows, which weights only share out; see ``significance``."""
        share = len(rows) / (left.sum() + right.sum())
        return chi_squared(left * share, right * share)


@implements(count, ClassCriterion)
def _count_classes(criterion, tally, row, sign):
    i = np.uint32(row)
    tally[criterion.labels[i]] += sign * criterion.weight[i & criterion.mask]


@implements(start_totals, ClassCriterion)
def _start_class_totals(criterion, tally, right):
    n_left = n_right = of_left = of_right = 0.0
    for c in range(tally.shape[0]):
        n_right += right[c]
        n_left += tally[c] - right[c]
        of_right += term(criterion.terms, right[c])
        of_left += term(criterion.terms, tally[c] - right[c])
    return n_left, n_right, of_left, of_right


@implements(move, ClassCriterion, inlined=True)
def _move_classes(criterion, tally, right, row, sign, totals):
    n_left, n_right, of_left, of_right = totals
    i, terms = np.uint32(row), criterion.terms
    c, step = np.uint32(criterion.labels[i]), sign * criterion.weight[i & criterion.mask]
    right_c = right[c]
    left_c = tally[c] - right_c
    of_right += term(terms, right_c + step) - term(terms, right_c)
    of_left += term(terms, left_c - step) - term(terms, left_c)
    right[c] = right_c + step
    return n_left - step, n_right + step, of_left, of_right


@implements(score, ClassCriterion, inlined=True)
def _score_classes(criterion, tally, right, totals):
    n_left, n_right, of_left, of_right = totals
    left = scaled_impurity(n_left, of_left, criterion.terms)
    return left + scaled_impurity(n_right, of_right, criterion.terms)


@implements(side_values, ClassCriterion)
def _share_of_second_class(criterion, tally, right, smoothing):
    n_left = n_right = 0.0
    for c in range(tally.shape[0]):
        n_right += right[c]
        n_left += tally[c] - right[c]
    half = smoothing / 2
    left_share = (tally[1] - right[1] + half) / (n_left + smoothing)
    return left_share, (right[1] + half) / (n_right + smoothing)


@implements(profile_size, ClassCriterion)
def _classes(criterion, tally):
    return tally.shape[0], tally.shape[0] <= 2


@implements(weight_of, ClassCriterion)
def _weight_of_classes(criterion, tally):
    return tally.sum()


@implements(gain_of, ClassCriterion)
def _gain_of_classes(criterion, tally, score):
    # Impurity is concave, so no split makes it worse; what is below zero is rounding.
    return max(0.0, (impurity_of(tally, criterion.terms) - score) / tally.sum())


@implements(impurity_of_node, ClassCriterion)
def _impurity_of_classes(criterion, tally, rows):
    n, n_classes = tally.sum(), 0
    for c in range(tally.shape[0]):
        n_classes += tally[c] > 0
    return impurity(tally, n, criterion.terms.kind) if n_classes > 1 else 0.0

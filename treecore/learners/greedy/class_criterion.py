"""Entropy or Gini impurity as a criterion: the sum of the sides' scaled impurities.

See :mod:`treecore.learners.greedy.criteria` for what a criterion is, and :mod:`treecore.core.terms`
for impurity in whole numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.dispatch import implements
from treecore.core.terms import scaled_impurity, term
from treecore.learners.greedy.criteria import (
    count,
    move,
    score,
    start_totals,
)


class ClassCriterion(NamedTuple):
    """Entropy or Gini impurity of classes.

    Attributes
    ----------
    labels : uint16 array, shape (n_samples,)
    units : int32 array, shape (n_samples,), or (1,) where all rows have the same
    mask : uint32
        What is left of a row's number where its units are read: all of it, or 0.
    terms : int64 array
        From :func:`treecore.core.terms.count_terms`, up to the units of all rows.
    kind : int
        A :class:`treecore.core.impurity.Criterion` as a plain number: numba takes 30 microseconds
        to recognise an enum in every call, more than a small node takes to search.
    """

    labels: np.ndarray
    units: np.ndarray
    mask: np.uint32
    terms: np.ndarray
    kind: int

    def take(self, rows: np.ndarray) -> ClassCriterion:
        """That of some rows, in their order: an int array."""
        units = self.units[rows] if self.mask else self.units
        return self._replace(labels=self.labels[rows], units=units)


@implements(count, ClassCriterion)
def _count_classes(criterion, tally, row, sign):
    i = np.uint32(row)
    tally[criterion.labels[i]] += sign * criterion.units[i & criterion.mask]


@implements(start_totals, ClassCriterion)
def _start_class_totals(criterion, tally, right):
    n_left = n_right = of_left = of_right = 0
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
    c, step = np.uint32(criterion.labels[i]), np.int64(sign * criterion.units[i & criterion.mask])
    right_c = right[c]
    left_c = tally[c] - right_c
    of_right += term(terms, right_c + step) - term(terms, right_c)
    of_left += term(terms, left_c - step) - term(terms, left_c)
    right[c] = right_c + step
    return n_left - step, n_right + step, of_left, of_right


@implements(score, ClassCriterion, inlined=True)
def _score_classes(criterion, tally, right, totals):
    n_left, n_right, of_left, of_right = totals
    left = scaled_impurity(n_left, of_left, criterion.terms, criterion.kind)
    return left + scaled_impurity(n_right, of_right, criterion.terms, criterion.kind)

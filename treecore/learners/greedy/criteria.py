"""Split criteria for kernels: the rows on either side of a split, summed up and scored.

A *tally* sums up a set of rows: int64 numbers that add up, so that what is not on the right is on
the left, exactly and in whatever order rows have moved. A row counts as often as it has units
(:mod:`treecore.learners.greedy.integer_weights`)::

    classes    [ units of class 0, of class 1, ... ]
    numbers    [ sum of units * output 0, of output 1, ...,  units ]

A *criterion* is a NamedTuple of arrays, from which kernels read what a row adds and how good two
sides are; its type decides, when they are compiled, whose code that is. A scan moves one row
after another and keeps *totals* at hand, four whole numbers that spare it most sums::

    totals = start_totals(criterion, tally, right)
    totals = move(criterion, tally, right, row, sign, totals)       sign 1: to the right, -1: back
    score(criterion, tally, right, totals)                          low is good

Rows that lie in the same bin are summed up in a table of tallies, a row of it for each bin; a whole
bin is then moved at once, and :func:`least_score` says how good a cut within it can be at best.

For classes the score is the sum of the sides' scaled impurities (:mod:`treecore.core.terms`).
For numbers, what lowers the squared error of constants is how far apart the means of the sides
lie ::

    n * fall of variance = n_left n_right / n * sum_q (mean_left - mean_right)^2     n: units

and the score is that, negative: it needs no sum of squares, and loses no digits to large means.
Both forms depend on the tallies alone, and not on which side is which, so equal splits tie.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.dispatch import by_first, implements
from treecore.compiling.kernels import borrow, kernel, prefetch
from treecore.core.terms import scaled_impurity, term

_ROUNDING = 2.0**-24
"""More than the scaled impurity of a side can be off by for each class, see ``count_terms``."""

_ROUNDING_OF_SQUARES = 1e-13
"""The same for numbers, by the units of a node and the greatest square of a target."""


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


@by_first
def count(criterion, tally, row, sign):
    """Add a row to a tally, or take it out.

    Parameters
    ----------
    criterion : ClassCriterion or VarianceCriterion
    tally : INOUT int64 array, shape (n_classes,) or (n_outputs + 1,)
    row : int
    sign : int
        1 adds the row, -1 takes it out, 0 does neither.
    """


@by_first
def start_totals(criterion, tally, right):
    """The totals of two sides, from their tallies.

    Parameters
    ----------
    criterion : ClassCriterion or VarianceCriterion
    tally : int64 array
        Of all rows of the node.
    right : int64 array, of the same length
        Of those on the right.

    Returns
    -------
    n_left, n_right, of_left, of_right : int
        Units on either side, and sums that :func:`move` updates.
    """


@by_first
def move(criterion, tally, right, row, sign, totals):
    """Move a row to the right side, or back.

    Parameters
    ----------
    criterion, tally
        See :func:`start_totals`.
    right : INOUT int64 array
        Tally of the right side.
    row : int
    sign : int
        1: to the right; -1: back to the left.
    totals : tuple of int
        Those before the move.

    Returns
    -------
    tuple of int
        The totals after it.
    """


@by_first
def prefetch_target(criterion, row):
    """Ask for what :func:`move` will soon read of a row.

    Parameters
    ----------
    criterion : ClassCriterion or VarianceCriterion
    row : int
    """


@by_first
def score(criterion, tally, right, totals):
    """How good two sides are, neither of them empty; the lowest score is the best.

    Parameters are those of :func:`move`, without the row.

    Returns
    -------
    float
        Sum of the sides' scaled impurities; for numbers minus ``n`` times the fall of variance, in
        the fixed point of the targets, squared.
    """


@by_first
def count_in(criterion, tallies, b, row):
    """Add a row to one of many tallies.

    Parameters
    ----------
    criterion : ClassCriterion or VarianceCriterion
    tallies : INOUT int64 array, shape (n, length of a tally)
    b : int
        Which of them.
    row : int
    """


@by_first
def move_bin(criterion, tally, right, tallies, b, totals):
    """Move the rows of one of many tallies to the right side.

    Parameters are those of :func:`move` and :func:`count_in`.

    Returns
    -------
    tuple of int
        The totals after it.
    """


@by_first
def extent(criterion, limits):
    """Write the least and the greatest target, which :func:`least_score` reads; none of classes.

    Parameters
    ----------
    criterion : ClassCriterion or VarianceCriterion
    limits : OUT float64 array, shape (2, n_outputs)
    """


@by_first
def least_score(criterion, tally, right, tallies, b, before, after, limits):
    """No cut within a bin scores lower than this, whatever the order of its rows.

    The impurity of the sides without the bin's rows, for classes: rows that join a side add to its
    scaled impurity or leave it. For numbers, what two sides explain is convex in rows and sum of
    one of them; of the bin's rows both lie in a parallelogram, so a corner of it is the best.

    Parameters
    ----------
    criterion, tally, tallies, b
        See :func:`move_bin`.
    right : int64 array
        Tally of the right side with the bin's rows.
    before, after : tuple of int
        Totals before and after :func:`move_bin`.
    limits : float64 array
        Of the node's rows, from :func:`extent`.

    Returns
    -------
    float
        Lower than the exact bound by more than rounding can be.
    """


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


@implements(prefetch_target, ClassCriterion)
def _prefetch_class(criterion, row):
    prefetch(criterion.labels, row, 0)
    prefetch(criterion.units, np.uint32(row) & criterion.mask, 0)


@implements(score, ClassCriterion, inlined=True)
def _score_classes(criterion, tally, right, totals):
    n_left, n_right, of_left, of_right = totals
    left = scaled_impurity(n_left, of_left, criterion.terms, criterion.kind)
    return left + scaled_impurity(n_right, of_right, criterion.terms, criterion.kind)


@implements(count_in, ClassCriterion)
def _count_class_in(criterion, tallies, b, row):
    i = np.uint32(row)
    tallies[np.uint32(b), np.uint32(criterion.labels[i])] += criterion.units[i & criterion.mask]


@implements(move_bin, ClassCriterion, inlined=True)
def _move_bin_of_classes(criterion, tally, right, tallies, b, totals):
    n_left, n_right, of_left, of_right = totals
    terms = criterion.terms
    for c in range(tally.shape[0]):
        step = tallies[b, c]
        if step != 0:
            right_c = right[c]
            left_c = tally[c] - right_c
            of_right += term(terms, right_c + step) - term(terms, right_c)
            of_left += term(terms, left_c - step) - term(terms, left_c)
            right[c] = right_c + step
            n_left -= step
            n_right += step
    return n_left, n_right, of_left, of_right


@implements(extent, ClassCriterion)
def _no_extent(criterion, limits):
    pass


@implements(least_score, ClassCriterion, inlined=True)
def _least_score_of_classes(criterion, tally, right, tallies, b, before, after, limits):
    least = -_ROUNDING * (right.shape[0] + 2)
    if after[0] > 0:
        least += scaled_impurity(after[0], after[2], criterion.terms, criterion.kind)
    if before[1] > 0:
        least += scaled_impurity(before[1], before[3], criterion.terms, criterion.kind)
    return least


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


@implements(prefetch_target, VarianceCriterion)
def _prefetch_numbers(criterion, row):
    prefetch(criterion.targets, row, 0)
    prefetch(criterion.units, row, 0)


@implements(score, VarianceCriterion)
def _score_numbers(criterion, tally, right, totals):
    n_left, n_right = np.float64(totals[0]), np.float64(totals[1])
    square = 0.0
    for q in range(criterion.targets.shape[1]):
        gap = (tally[q] - right[q]) / n_left - right[q] / n_right
        square += gap * gap
    return -(n_left * n_right / (n_left + n_right)) * square


@implements(count_in, VarianceCriterion)
def _count_numbers_in(criterion, tallies, b, row):
    units = criterion.units[row]
    n_outputs = criterion.targets.shape[1]
    for q in range(n_outputs):
        tallies[b, q] += units * criterion.targets[row, q]
    tallies[b, n_outputs] += units


@implements(move_bin, VarianceCriterion)
def _move_bin_of_numbers(criterion, tally, right, tallies, b, totals):
    step = tallies[b, tally.shape[0] - 1]
    for q in range(tally.shape[0]):
        right[q] += tallies[b, q]
    return totals[0] - step, totals[1] + step, 0, 0


@implements(extent, VarianceCriterion)
def _extent_of_numbers(criterion, limits):
    limits[0], limits[1] = np.inf, -np.inf
    for row in range(criterion.targets.shape[0]):
        for q in range(criterion.targets.shape[1]):
            target = np.float64(criterion.targets[row, q])
            limits[0, q], limits[1, q] = min(limits[0, q], target), max(limits[1, q], target)


@implements(least_score, VarianceCriterion)
def _least_score_of_numbers(criterion, tally, right, tallies, b, before, after, limits):
    n_outputs = tally.shape[0] - 1
    in_bin = np.float64(tallies[b, n_outputs])
    n = np.float64(tally[n_outputs])
    least = 0.0
    for q in range(n_outputs):
        low, high = limits[0, q], limits[1, q]
        total, of_bin = np.float64(tally[q]), np.float64(tallies[b, q])
        above = np.float64(right[q]) - of_bin
        # So many units of the greatest target, and the others of the least, have the bin's sum.
        n_high = (of_bin - in_bin * low) / (high - low) if low < high else 0.0
        n_high = min(max(n_high, 0.0), in_bin)
        most = 0.0
        for units, part in (
            (0.0, 0.0),
            (n_high, n_high * high),
            (in_bin - n_high, of_bin - n_high * high),
            (in_bin, of_bin),
        ):
            n_right = before[1] + units
            n_left = n - n_right
            if n_left > 0 and n_right > 0:
                gap = (total - above - part) / n_left - (above + part) / n_right
                most = max(most, n_left * n_right / n * gap * gap)
        least -= most + _ROUNDING_OF_SQUARES * n * max(low * low, high * high)
    return least


@kernel
def tally_rows(criterion, rows, tally):
    """Add rows to a tally.

    Parameters
    ----------
    criterion : ClassCriterion or VarianceCriterion
    rows : int32 array, shape (n,)
    tally : INOUT int64 array, shape (n_classes,) or (n_outputs + 1,)
    """
    criterion = borrow(criterion)
    for row in rows:
        count(criterion, tally, row, 1)


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

"""The exact best axis-aligned split: every threshold on every feature, each sorted once.

A feature keeps its values in order, and beside them their row numbers. A node is the same range
of every feature's line, and when it is split each line is divided in two without disturbing the
order, so nothing is ever sorted again. Within a node, a scan moves one row after another from
the left side to the right and updates the impurity of both in constant time.

A candidate's score depends on nothing but its two tallies (see
:mod:`treecore.learners.greedy.criteria`), so candidates with the same ones, or the same with left
and right exchanged, tie exactly. Of equal ones the lowest feature wins, and on it the lowest
threshold.

The gain ratio (ID3 and C4.5, Quinlan 1993) chooses among features only: on each, the threshold
is the one that gains most, and the features' best are then compared by :func:`by_gain_ratio`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.core.impurity import UNITS_PER_BIT, Criterion, scaled_impurity
from treecore.core.kernels import borrow, kernel
from treecore.core.rows import TrainingRows
from treecore.core.thresholds import threshold_between
from treecore.learners.greedy.criteria import ClassCriterion, move, score, start_totals
from treecore.learners.greedy.finders.sorting import ascending, sort_space
from treecore.learners.greedy.splitter import Node, Split
from treecore.learners.greedy.targets import Targets


class Presorted(NamedTuple):
    """The training rows, feature by feature.

    Together 8 bytes a value, twice the size of X itself: 376 MB for MNIST.

    Attributes
    ----------
    values : float32 array, shape (n_features, n_samples)
        Per feature, ascending within every node's range. Looking them up in X by row number
        would save this array's half, but in small nodes almost every look-up misses the cache.
    order : int32 array, shape (n_features, n_samples)
        The rows of ``values``; equal values by row number.
    """

    values: np.ndarray
    order: np.ndarray


class AxisFinder:
    """Finds the best axis-aligned split; a :class:`treecore.learners.greedy.splitter.SplitFinder`.

    A unit of work is a value scanned, or one sorted or divided: features are sorted while the
    root is searched, and constant ones cost a node two look-ups.

    By entropy or Gini the tree is that of ``DecisionTreeClassifier`` of scikit-learn, and for
    numbers that of ``DecisionTreeRegressor``, weights included, except where splits tie (there it
    draws one) and where values differ by 1e-7 or less (there it does not split).

    Parameters
    ----------
    max_features : int
        At most so many features compete at a node, drawn for it from those that are not constant
        there (Breiman 2001); 0: all.
    rng : numpy.random.Generator or None
        Draws them; None where all compete.
    all_lines : bool
        Whether lines that are constant within a node are divided as well. The search itself needs
        them no more: they are constant in all nodes below.
    """

    name = "axis"
    n_readings = 2  # every value is scanned once and divided once

    def __init__(
        self,
        max_features: int = 0,
        rng: np.random.Generator | None = None,
        all_lines: bool = False,
    ):
        self._max_features, self._rng, self._all_lines = max_features, rng, all_lines

    def attach(self, rows: TrainingRows, targets: Targets, min_samples_leaf: int) -> None:
        """Take the training rows, which must be dense. Parameters are those of
        :meth:`treecore.learners.greedy.splitter.SplitFinder.attach`.
        """
        assert isinstance(rows.X, np.ndarray), "sparse rows have a finder of their own"
        n_samples, n_features = rows.X.shape
        self._X, self._targets = rows.X, targets
        self._data = Presorted(
            values=np.empty((n_features, n_samples), dtype=np.float32),
            order=np.empty((n_features, n_samples), dtype=np.int32),
        )
        self._min_samples_leaf = min_samples_leaf
        self._spare = np.empty(n_samples, dtype=np.float32), np.empty(n_samples, dtype=np.int32)
        # Of each feature's best cut: score, rows on the left, and their units.
        self._scores = np.empty(n_features)
        self._n_left = np.empty(n_features, dtype=np.int64)
        self._units_left = np.empty(n_features, dtype=np.int64)
        self._n_sorted = 0  # features
        self._all = np.arange(n_features)
        self._competing: np.ndarray | None = None  # features of the node at hand
        self._n_passed = 0  # of its features, searched or divided

    def begin(self, node: Node, rows: np.ndarray) -> None:
        """Turn to a node. Parameters are those of
        :meth:`treecore.learners.greedy.splitter.SplitFinder.begin`.
        """
        self._node = node
        self._n_passed = 0
        self._competing = None

    def search(self, budget: int) -> tuple[int, bool]:
        """Sort features, or search some of the node's; see ``SplitFinder``."""
        if self._n_sorted < len(self._data.order):
            return self._sort(budget), False
        node = self._node
        if self._competing is None:
            self._competing = self._draw_features()
        first, last = self._pass_features(budget, len(self._competing))
        units = search_features(
            self._competing[first:last],
            node.start,
            node.stop,
            self._data,
            self._targets.criterion,
            node.tally,
            self._min_samples_leaf,
            self._scores,
            self._n_left,
            self._units_left,
        )
        return max(1, units), self._all_passed(len(self._competing))

    def best(self) -> Split | None:
        """The best split of the node, None without any; the lowest feature of equals."""
        node, scores, targets = self._node, self._scores, self._targets
        criterion = targets.criterion
        if targets.by_ratio and isinstance(criterion, ClassCriterion):
            feature = by_gain_ratio(node.tally, scores, self._units_left, criterion.terms)
        else:
            feature = int(scores.argmin())  # the lowest of equals
        lowest = scores[feature]
        if lowest == np.inf:
            return None
        middle = node.start + self._n_left[feature]
        lower, upper = self._data.values[feature, middle - 1 : middle + 1]
        return Split(feature, threshold_between(lower, upper), targets.gain(node.tally, lowest))

    @property
    def lines(self) -> Presorted:
        """The rows by feature, for finders that go on from here; complete after a search."""
        return self._data

    def divide(self, right: np.ndarray, budget: int) -> tuple[int, bool]:
        """Divide the lines. Parameters are those of
        :meth:`treecore.learners.greedy.splitter.SplitFinder.divide`.
        """
        n_features = len(self._data.order)
        first, last = self._pass_features(budget, n_features)
        node = self._node
        part = first, last, node.start, node.stop
        divide_lines(*part, self._data, right, self._all_lines, *self._spare)
        return (last - first) * node.n_rows, self._all_passed(n_features)

    def _sort(self, budget: int) -> int:
        n_samples, n_features = self._X.shape
        first = self._n_sorted
        last = min(n_features, first + max(1, budget // n_samples))
        sort_features(self._X, first, last, self._data.values, self._data.order)
        self._n_sorted = last
        return (last - first) * n_samples

    def _draw_features(self) -> np.ndarray:
        """The features that compete at the node, ascending: of equal splits the lowest wins."""
        if self._max_features == 0 or self._max_features >= len(self._all):
            return self._all
        self._scores[:], self._units_left[:] = np.inf, 0  # of those that do not
        values, node = self._data.values, self._node
        varying = np.flatnonzero(values[:, node.start] != values[:, node.stop - 1])
        assert self._rng is not None, "it draws features"
        return np.sort(self._rng.permutation(varying)[: self._max_features])

    def _pass_features(self, budget: int, n_features: int) -> tuple[int, int]:
        """The next of so many features, at least one, and as many as ``budget`` pays for."""
        first = self._n_passed
        n_affordable = max(1, budget // self._node.n_rows)
        self._n_passed = min(n_features, first + n_affordable)
        return first, self._n_passed

    def _all_passed(self, n_features: int) -> bool:
        """Whether the present pass is complete; the next one then starts at feature 0."""
        if self._n_passed < n_features:
            return False
        self._n_passed = 0
        return True


def by_gain_ratio(counts, scores, units_left, terms) -> int:
    """The feature of greatest gain ratio: its gain, divided by the entropy of the two sides' sizes.

    Small sides make that entropy small and the ratio great, so features compete only if they
    gain at least the average of those that gain anything, as in C4.5. (C4.5 Release 8 also
    takes the cost of coding the threshold off the gain; here it is not.)

    Parameters
    ----------
    counts : int64 array, shape (n_classes,)
        Units of each class in the node.
    scores, units_left : float64 and int64 arrays, shape (n_features,)
        The best cut of each feature, see :func:`best_cut`.
    terms : int64 array
        Of the entropy, from :func:`treecore.core.impurity.count_terms`.
    """
    n = counts.sum()
    possible = scores < np.inf
    before = scaled_impurity(n, terms[counts].sum(), terms, Criterion.GAIN_RATIO)
    gains = np.where(possible, np.maximum(before - scores, 0.0), -np.inf)
    positive = gains[gains > 0]
    # The mean of equal numbers may be rounded up beyond them.
    enough = min(positive.mean(), positive.max()) if positive.size else 0.0
    split_entropy = (terms[n] - terms[units_left] - terms[n - units_left]) / UNITS_PER_BIT
    ratios = np.full(len(scores), -np.inf)
    np.divide(gains, split_entropy, out=ratios, where=possible & (gains >= enough))
    return int(ratios.argmax())


@kernel
def sort_features(X, first, last, values, order):
    """Sort the rows by some features, see :class:`Presorted`.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features)
    first, last : int
        Features from ``first`` up to ``last`` (exclusive).
    values, order : OUT float32 and int32 arrays, shape (n_features, n_samples)
    """
    column = np.empty(X.shape[0], dtype=np.float32)
    space = sort_space(X.shape[0])
    for f in range(first, last):
        for i in range(X.shape[0]):
            column[i] = X[i, f]
        order[f] = ascending(column, space)
        values[f] = column[order[f]]


@kernel
def search_features(
    features, start, stop, data, criterion, tally, min_samples_leaf, scores, n_left, units_left
):
    """Write the best cut of each of some features; return the units of work.

    Parameters
    ----------
    features : int64 array
        Indices of features.
    start, stop : int
        The node's range of every line.
    data : Presorted
    criterion, tally, min_samples_leaf
        See :func:`best_cut`.
    scores : OUT float64 array, shape (n_features,)
    n_left, units_left : OUT int64 arrays, shape (n_features,)
        What :func:`best_cut` returns.

    Returns
    -------
    int
        Values read.
    """
    data, criterion, tally = borrow(data), borrow(criterion), borrow(tally)
    on_right = np.empty_like(tally)
    units = 0
    for f in features:
        scores[f], n_left[f], units_left[f], n_scanned = best_cut(
            data.values[f, start:stop],
            data.order[f, start:stop],
            criterion,
            tally,
            min_samples_leaf,
            on_right,
        )
        units += n_scanned
    return units


@kernel
def best_cut(values, order, criterion, tally, min_samples_leaf, on_right):
    """The best place to cut rows that are sorted by value.

    Parameters
    ----------
    values : float32 array, shape (n,)
        Ascending.
    order : int32 array, shape (n,)
        The row of each value.
    criterion : NamedTuple
        See :mod:`treecore.learners.greedy.criteria`.
    tally : int64 array
        Tally of the rows in ``order``.
    min_samples_leaf : int
    on_right : int64 array
        Scratch, as long as ``tally``.

    Returns
    -------
    score : float
        The lowest of all places; infinite if there is no place to cut.
    n_left, units_left : int
        Rows left of the cut, and their units.
    n_scanned : int
        Rows read, which is the cost.
    """
    n = values.shape[0]
    lowest, upper = values[0], values[n - 1]
    best_score, best_n_left, best_units = np.inf, 0, 0
    if lowest == upper:
        return best_score, best_n_left, best_units, 1
    on_right[:] = 0
    totals = start_totals(criterion, tally, on_right)
    # From the highest value down: what is left when only the lowest remains need not be read,
    # and in images, counts and one-hot columns most rows have the lowest.
    n_left = n
    while upper > lowest and n_left > min_samples_leaf:
        # Here values[n_left - 1] is `upper`, and the rows after it are on the right.
        n_left -= 1
        totals = move(criterion, tally, on_right, order[n_left], 1, totals)
        lower = values[n_left - 1]
        if lower < upper and n - n_left >= min_samples_leaf:
            here = score(criterion, tally, on_right, totals)
            if here <= best_score:  # going down, so the lowest threshold wins a tie
                best_score, best_n_left, best_units = here, n_left, totals[0]
        upper = lower
    return best_score, best_n_left, best_units, n - n_left


@kernel
def divide_lines(first, last, start, stop, data, right, all_lines, spare_values, spare_rows):
    """Divide a node's range of some lines in two, keeping the order on both sides.

    The stable partition of :func:`treecore.learners.greedy.growth.divide`, of values and rows at
    once.

    Parameters
    ----------
    first, last : int
        Features from ``first`` up to ``last`` (exclusive).
    start, stop : int
        The node's range.
    data : Presorted
        Changed in place.
    right : bool array, shape (n_samples,)
        Whether a row goes right.
    all_lines : bool
        False: lines whose values are equal within the node stay as they are.
    spare_values, spare_rows : float32 and int32 arrays, shape (n_samples,)
        Work space.
    """
    data = borrow(data)
    for f in range(first, last):
        values, order = data.values[f, start:stop], data.order[f, start:stop]
        n = order.shape[0]
        if n == 0 or not (all_lines or values[0] < values[n - 1]):
            continue
        n_left = n_right = 0
        for i in range(n):
            value, row = values[i], order[i]
            values[n_left] = spare_values[n_right] = value
            order[n_left] = spare_rows[n_right] = row
            step = np.int64(right[row])
            n_left += 1 - step
            n_right += step
        values[n_left:] = spare_values[:n_right]
        order[n_left:] = spare_rows[:n_right]

"""The exact best axis-aligned split: every threshold on every feature, each sorted once.

A feature keeps its values in order, and beside them their row numbers. A node is the same range
of every feature's line, and when it is split each line is divided in two without disturbing the
order, so nothing is ever sorted again. Within a node, a scan moves one row after another from
the left side to the right and updates the impurity of both in constant time.

A candidate's score depends on nothing but its class counts (see :mod:`treecore.impurity`), so
candidates with the same counts, or the same with left and right exchanged, tie exactly. Of equal
ones the lowest feature wins, and on it the lowest threshold.

The gain ratio (ID3 and C4.5, Quinlan 1993) chooses among features only: on each, the threshold
is the one that gains most, and the features' best are then compared by :func:`by_gain_ratio`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.greedy.growth import Node, Split
from treecore.greedy.sorting import ascending, sort_space
from treecore.impurity import UNITS_PER_BIT, Criterion, count_terms, gain, scaled_impurity
from treecore.kernels import kernel


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
    labels : int32 array, shape (n_samples,)
        The class of every row.
    """

    values: np.ndarray
    order: np.ndarray
    labels: np.ndarray


class AxisFinder:
    """Finds the best axis-aligned split; a :class:`treecore.greedy.growth.SplitFinder`.

    A unit of work is a value scanned, or one sorted or divided: features are sorted while the
    root is searched, and constant ones cost a node two look-ups.

    By entropy or Gini the tree is that of ``DecisionTreeClassifier`` of scikit-learn, except
    where splits tie (there it draws one) and where values differ by 1e-7 or less (there it does
    not split).
    """

    name = "axis"
    n_readings = 2  # every value is scanned once and divided once

    def __init__(self, criterion: Criterion):
        # As a plain number: numba takes 30 microseconds to recognise an enum in every call, more
        # than a small node takes to search.
        self._criterion = int(criterion)

    def attach(self, X: np.ndarray, y: np.ndarray, n_classes: int, min_samples_leaf: int) -> None:
        n_samples, n_features = X.shape
        self._X = X
        self._data = Presorted(
            values=np.empty((n_features, n_samples), dtype=np.float32),
            order=np.empty((n_features, n_samples), dtype=np.int32),
            labels=y.astype(np.int32),
        )
        self._min_samples_leaf = min_samples_leaf
        self._terms = count_terms(n_samples, Criterion(self._criterion))
        self._spare = np.empty(n_samples, dtype=np.float32), np.empty(n_samples, dtype=np.int32)
        self._scores = np.empty(n_features)  # of each feature's best cut, and its rows on the left
        self._n_left = np.empty(n_features, dtype=np.int64)
        self._n_sorted = 0  # features
        self._n_passed = 0  # features of the node at hand, searched or divided

    def begin(self, node: Node, rows: np.ndarray) -> None:
        self._node = node
        self._n_passed = 0

    def search(self, budget: int) -> tuple[int, bool]:
        if self._n_sorted < len(self._data.order):
            return self._sort(budget), False
        first, last = self._pass_features(budget)
        node = self._node
        units = search_features(
            first,
            last,
            node.start,
            node.stop,
            self._data,
            node.counts,
            self._terms,
            self._criterion,
            self._min_samples_leaf,
            self._scores,
            self._n_left,
        )
        return units, self._all_passed()

    def best(self) -> Split | None:
        node, scores = self._node, self._scores
        if self._criterion == Criterion.GAIN_RATIO:
            feature = by_gain_ratio(node.counts, scores, self._n_left, self._terms)
        else:
            feature = int(scores.argmin())  # the lowest of equals
        score = scores[feature]
        if score == np.inf:
            return None
        middle = node.start + self._n_left[feature]
        lower, upper = self._data.values[feature, middle - 1 : middle + 1]
        gained = gain(node.counts, score, self._terms, self._criterion)
        return Split(feature, threshold_between(lower, upper), gained)

    @property
    def lines(self) -> Presorted:
        """The rows by feature, for finders that go on from here; complete after a search."""
        return self._data

    def divide(self, right: np.ndarray, budget: int) -> tuple[int, bool]:
        first, last = self._pass_features(budget)
        node = self._node
        divide_lines(first, last, node.start, node.stop, self._data, right, *self._spare)
        return (last - first) * node.n_rows, self._all_passed()

    def _sort(self, budget: int) -> int:
        n_samples, n_features = self._X.shape
        first = self._n_sorted
        last = min(n_features, first + max(1, budget // n_samples))
        sort_features(self._X, first, last, self._data.values, self._data.order)
        self._n_sorted = last
        return (last - first) * n_samples

    def _pass_features(self, budget: int) -> tuple[int, int]:
        """The next features of the node, at least one, and as many as ``budget`` pays for."""
        first = self._n_passed
        n_affordable = max(1, budget // self._node.n_rows)
        self._n_passed = min(len(self._data.order), first + n_affordable)
        return first, self._n_passed

    def _all_passed(self) -> bool:
        """Whether the present pass is complete; the next one then starts at feature 0."""
        if self._n_passed < len(self._data.order):
            return False
        self._n_passed = 0
        return True


def by_gain_ratio(counts, scores, n_left, terms) -> int:
    """The feature of greatest gain ratio: its gain, divided by the entropy of the two sides' sizes.

    Small sides make that entropy small and the ratio great, so features compete only if they
    gain at least the average of those that gain anything, as in C4.5. (C4.5 Release 8 also
    takes the cost of coding the threshold off the gain; here it is not.)

    Parameters
    ----------
    counts : int64 array, shape (n_classes,)
        Classes of the node's rows.
    scores, n_left : float64 and int64 arrays, shape (n_features,)
        The best cut of each feature, see :func:`best_cut`.
    terms : int64 array
        Of the entropy, from :func:`treecore.impurity.count_terms`.
    """
    n = counts.sum()
    possible = scores < np.inf
    whole = scaled_impurity(n, terms[counts].sum(), terms, Criterion.GAIN_RATIO)
    gains = np.where(possible, np.maximum(whole - scores, 0.0), -np.inf)
    positive = gains[gains > 0]
    # The mean of equal numbers may be rounded up beyond them.
    enough = min(positive.mean(), positive.max()) if positive.size else 0.0
    split_entropy = (terms[n] - terms[n_left] - terms[n - n_left]) / UNITS_PER_BIT
    ratios = np.full(len(scores), -np.inf)
    np.divide(gains, split_entropy, out=ratios, where=possible & (gains >= enough))
    return int(ratios.argmax())


def threshold_between(lower: np.float32, upper: np.float32) -> np.float32:
    """The float32 nearest to the middle of ``lower < upper``, but always below ``upper``.

    Whatever exceeds it is then at least ``upper``, so rows are routed as they were counted.
    """
    middle = np.float32((float(lower) + float(upper)) / 2)
    return middle if middle < upper else np.float32(lower)


@kernel
def sort_features(X, first, last, values, order):
    """Fill ``values[f]`` and ``order[f]`` for f from ``first`` up to ``last``; see Presorted."""
    column = np.empty(X.shape[0], dtype=np.float32)
    space = sort_space(X.shape[0])
    for f in range(first, last):
        for i in range(X.shape[0]):
            column[i] = X[i, f]
        order[f] = ascending(column, space)
        values[f] = column[order[f]]


@kernel
def search_features(
    first, last, start, stop, data, counts, terms, criterion, min_samples_leaf, scores, n_left
):
    """Write the best cut of each feature from ``first`` up to ``last``; return the units of work.

    The node is the range ``start`` to ``stop`` of the lines of ``data`` (Presorted); its class
    counts are ``counts``, int64 of shape (n_classes,). ``scores``, float64, and ``n_left``,
    int64, have shape (n_features,) and receive what :func:`best_cut` returns.
    """
    on_right = np.empty(counts.shape[0], dtype=np.int64)
    units = 0
    for f in range(first, last):
        scores[f], n_left[f], n_scanned = best_cut(
            data.values[f, start:stop],
            data.order[f, start:stop],
            data.labels,
            counts,
            terms,
            criterion,
            min_samples_leaf,
            on_right,
        )
        units += n_scanned
    return units


@kernel
def best_cut(values, order, labels, counts, terms, criterion, min_samples_leaf, on_right):
    """The best place to cut rows that are sorted by value.

    Parameters
    ----------
    values : float32 array, shape (n,)
        Ascending.
    order : int32 array, shape (n,)
        The row of each value.
    labels : int32 array, shape (n_samples,)
    counts : int64 array, shape (n_classes,)
        Classes of the rows in ``order``.
    terms : int64 array
        From :func:`treecore.impurity.count_terms`.
    criterion : Criterion
    min_samples_leaf : int
    on_right : int64 array, shape (n_classes,)
        Scratch.

    Returns
    -------
    score : float
        The lowest sum of the sides' scaled impurities; infinite if there is no place to cut.
    n_left : int
        Rows left of the cut.
    n_scanned : int
        Rows read, which is the cost.
    """
    n = values.shape[0]
    lowest, upper = values[0], values[n - 1]
    best_score, best_n_left = np.inf, 0
    if lowest == upper:
        return best_score, best_n_left, 1
    total_left = total_right = 0
    for c in range(counts.shape[0]):
        total_left += terms[counts[c]]
        on_right[c] = 0
    # From the highest value down: what is left when only the lowest remains need not be read,
    # and in images, counts and one-hot columns most rows have the lowest.
    n_left = n
    while upper > lowest and n_left > min_samples_leaf:
        # Here values[n_left - 1] is `upper`, and the rows after it are on the right.
        n_left -= 1
        c = labels[order[n_left]]
        n_right_c = on_right[c]
        n_left_c = counts[c] - n_right_c
        total_right += terms[n_right_c + 1] - terms[n_right_c]
        total_left += terms[n_left_c - 1] - terms[n_left_c]
        on_right[c] = n_right_c + 1
        lower = values[n_left - 1]
        n_right = n - n_left
        if lower < upper and n_right >= min_samples_leaf:
            score = scaled_impurity(n_left, total_left, terms, criterion)
            score += scaled_impurity(n_right, total_right, terms, criterion)
            if score <= best_score:  # going down, so the lowest threshold wins a tie
                best_score, best_n_left = score, n_left
        upper = lower
    return best_score, best_n_left, n - n_left


@kernel
def divide_lines(first, last, start, stop, data, right, spare_values, spare_rows):
    """Divide the range ``start`` to ``stop`` of the lines ``first`` up to ``last`` of ``data``.

    The stable partition of :func:`treecore.greedy.growth.divide`, of values and rows at once.
    ``right`` is bool, the spare arrays are float32 and int32, all of shape (n_samples,).
    """
    for f in range(first, last):
        values, order = data.values[f, start:stop], data.order[f, start:stop]
        n_left = n_right = 0
        for i in range(order.shape[0]):
            value, row = values[i], order[i]
            values[n_left] = spare_values[n_right] = value
            order[n_left] = spare_rows[n_right] = row
            step = np.int64(right[row])
            n_left += 1 - step
            n_right += step
        values[n_left:] = spare_values[:n_right]
        order[n_left:] = spare_rows[:n_right]

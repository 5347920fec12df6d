"""The exact best axis-aligned split: every threshold on every feature, in sorted rows.

The rows are sorted once by every feature. A node's rows are one range in each of these orders, and
a split divides the range, keeping the order within each side::

    order of feature f    [ . . . . d a g b f c e . . ]
                                    start         stop
    after the split       [ . . . . a b c d g f e . . ]
                                    left  right

A feature that is constant in a node is so below it, and is neither searched nor divided any more.
Where only drawn features compete, the node's rows are sorted by those alone.

Rows without a value stand last in the order of their feature (NaN sorts so). All of them go to one
side, and both are tried; where a node has none, a missing value goes where the mean goes.

Of equal splits the feature that comes first wins, and on it the lowest threshold. In ensembles the
order of features is drawn for each tree (``TrainingRows.feature_order``): else all trees would
prefer the same columns.

Of a column of categories (``TrainingRows.categories``) its levels compete together, as one feature
in the place of the first of them: :mod:`treecore.learners.greedy.finders.levels`.

The gain ratio (ID3 and C4.5, Quinlan 1993) chooses among features only: on each, the threshold
is the one that gains most, and the features' best are then compared by :func:`by_gain_ratio`.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.terms import Terms, impurity_of, term
from treecore.core.thresholds import threshold_between
from treecore.core.tree import OBLIQUE
from treecore.learners.greedy.class_criterion import ClassCriterion
from treecore.learners.greedy.finders.best_cut import best_cut
from treecore.learners.greedy.finders.levels import (
    level_codes,
    level_groups,
    level_weights,
    search_levels,
)
from treecore.learners.greedy.splitter import Search, Split, SplitFinder
from treecore.learners.greedy.targets import Targets
from treecore.rows.training_rows import TrainingRows

_SORTING = threading.Lock()
"""Of all tables, as tables go to other processes, where a lock cannot; it is held for a portion."""


class SortedTable:
    """A table by columns, and its rows in the order of each; trees of an ensemble share it.

    - X: (n_samples, n_features).
    - groups: the levels of each column of categories.
    - columns: float32 (n_features, n_samples); at the first of a group the numbers of the levels,
      NaN for none, at its others zeros.
    - order: int32 (n_features, n_samples), rows by ascending value, of the first ``n_sorted``
      features.
    """

    def __init__(self, X: np.ndarray, categories: np.ndarray | None = None):
        self.X, self.groups = X, level_groups(categories)
        self.n_sorted = 0

    @functools.cached_property
    def columns(self) -> np.ndarray:
        if not self.groups:
            return np.ascontiguousarray(self.X.T, dtype=np.float32)
        columns = np.array(self.X.T, dtype=np.float32, order="C")
        for group in self.groups:
            columns[group[0]], columns[group[1:]] = level_codes(self.X, group), 0.0
        return columns

    @functools.cached_property
    def order(self) -> np.ndarray:
        return np.empty(self.X.shape[::-1], dtype=np.int32)

    def sort_up_to(self, last: int) -> None:
        """Sort by the features before ``last``."""
        with _SORTING:
            for f in range(self.n_sorted, last):
                self.order[f] = np.argsort(self.columns[f])
            self.n_sorted = max(self.n_sorted, last)


class AxisFinder(SplitFinder):
    """Finds the best axis-aligned split.

    A unit of work is a value searched, sorted or divided.

    By entropy or Gini the tree is that of ``DecisionTreeClassifier`` of scikit-learn, and for
    numbers that of ``DecisionTreeRegressor``, weights included, except where splits tie (there it
    draws one) and where values differ by 1e-7 or less (there it does not split).

    max_features: at most so many features, or columns of categories, compete at a node, drawn for
    it from those that are not constant there (Breiman 2001), the first drawn winning ties; 0: all;
    rng: draws them; None where all compete.
    """

    name = "axis"
    n_readings = 2
    passes_over_rows = True
    keeps_order = True

    def __init__(self, max_features: int = 0, rng: np.random.Generator | None = None):
        self._max_features, self.rng = max_features, rng

    def attach(self, rows: TrainingRows, targets: Targets, min_samples_leaf: int) -> None:
        """Take the training rows."""
        n_features = rows.X.shape[1]
        shared = rows.sorted_table
        if isinstance(shared, SortedTable) and shared.X is rows.X:
            alone = False
        else:
            shared, alone = SortedTable(rows.X, rows.categories), True
        self._table, self._columns, self._targets = shared, shared.columns, targets
        self._min_samples_leaf = min_samples_leaf
        self._weighty = rows.weight > 0
        self._groups = {int(group[0]): group for group in shared.groups}
        later = [feature for group in shared.groups for feature in group[1:].tolist()]
        self._rivals = np.delete(np.arange(n_features), later)  # features that compete at all
        self._draws = 0 < self._max_features < len(self._rivals)
        self._some = not self._weighty.all()
        n_here = 0 if self._draws else np.count_nonzero(self._weighty)
        if alone and not self._draws and not self._some:  # nobody else reads it
            self._order = shared.order
        else:
            self._order = np.empty((n_features, n_here), dtype=np.int32)
        self._n_sorted = n_features if self._draws else 0  # features whose order is at hand
        self._values = np.empty(len(rows.weight), dtype=np.float32)
        self._spare = np.empty(n_here, dtype=np.int32)
        order = rows.feature_order
        self._tie_order = self._rivals if order is None else order[np.isin(order, self._rivals)]
        self._signs = np.empty(0, dtype=np.int8) if rows.monotonic is None else rows.monotonic
        # Of each feature's best cut: score, rows on the left that have a value, whether those
        # without one are there too, and the weight of all on the left.
        self._scores = np.empty(n_features)
        self._n_left = np.empty(n_features, dtype=np.int64)
        self._gone_left = np.empty(n_features, dtype=np.bool_)
        self._weight_left = np.empty(n_features)
        self._goes_right = np.empty(n_features, dtype=np.bool_)  # of levels

    def search(self) -> Search:
        """Sort by all features, once, and search those that compete; see ``SplitFinder``."""
        n_features, n_samples = self._columns.shape
        n_sorted = self._n_sorted
        for first, last in self.pieces(n_features - n_sorted, n_samples):
            self._sort(n_sorted + first, n_sorted + last)
            yield (last - first) * n_samples
        node, targets = self._node, self._targets
        competing = self._draw_features() if self._draws else self._rivals
        self._scores[:] = np.inf
        for first, last in self.pieces(len(competing), node.n_rows):
            features = competing[first:last]
            if self._groups:
                features = self._search_levels(features)
            lines = features
            order, start = self._order, node.start
            if self._draws:
                places = np.argsort(self._columns[features[:, None], self._rows], axis=1)
                order, start, lines = self._rows[places], 0, np.arange(len(features))
            search_features(
                features,
                lines,
                self._columns,
                order,
                start,
                start + node.n_rows,
                self._signs,
                node.bounds,
                targets.criterion,
                node.tally,
                self._min_samples_leaf,
                self._scores,
                self._n_left,
                self._gone_left,
                self._weight_left,
                self._values,
                np.empty_like(node.tally),
            )
            yield (last - first) * node.n_rows
        return self._best_of(competing if self._draws else self._tie_order)

    def _search_levels(self, features: np.ndarray) -> np.ndarray:
        """Search the columns of categories among some features; return the others."""
        is_group = np.array([feature in self._groups for feature in features.tolist()])
        tally, criterion = self._node.tally, self._targets.criterion
        for first in features[is_group].tolist():
            group = self._groups[first]
            k, goes_right = len(group), np.empty(len(group), dtype=np.bool_)
            self._scores[first], self._gone_left[first], self._weight_left[first] = search_levels(
                self._columns[first],
                self._rows,
                criterion,
                tally,
                self._min_samples_leaf,
                np.empty((k + 1, len(tally))),
                np.empty(k + 1, dtype=np.int64),
                np.empty(k),
                np.empty(k, dtype=np.int64),
                np.empty((4, len(tally))),
                goes_right,
            )
            self._goes_right[group] = goes_right
        return features[~is_group]

    def divide(self, right: np.ndarray) -> Iterator[int]:
        """Divide the node's range in the order of all features."""
        node, n_rows = self._node, self._node.n_rows
        for first, last in self.pieces(0 if self._draws else len(self._order), n_rows):
            divide_orders(
                first, last, self._columns, self._order, node.start, node.stop, right, self._spare
            )
            yield (last - first) * n_rows

    def resume(self, starts: np.ndarray, rows: np.ndarray) -> None:
        """Sort by all features, and divide as growth has divided its rows; see ``SplitFinder``."""
        if self._draws:
            return
        self._sort(0, len(self._columns))
        place = np.empty(len(self._weighty), dtype=np.int64)
        place[rows] = np.searchsorted(starts, np.arange(len(rows)), side="right")
        for order in self._order:
            order[:] = order[np.argsort(place[order], kind="stable")]

    def _sort(self, first: int, last: int) -> None:
        self._table.sort_up_to(last)
        for f in range(first, last):
            order = self._table.order[f]
            self._order[f] = order[self._weighty[order]] if self._some else order
        self._n_sorted = last

    def _best_of(self, ties: np.ndarray) -> Split | None:
        """The best split of the node, None without any; ties: the first of equal features wins."""
        node, targets, criterion = self._node, self._targets, self._targets.criterion
        scores = self._scores[ties]
        if not (scores < np.inf).any():
            return None
        if targets.by_ratio and isinstance(criterion, ClassCriterion):
            weight_left = self._weight_left[ties]
            feature = int(ties[by_gain_ratio(node.tally, scores, weight_left, criterion.terms)])
        else:
            feature = int(ties[scores.argmin()])
        gain = targets.gain(node.tally, self._scores[feature])
        if (group := self._groups.get(feature)) is not None:
            side, width = bool(self._gone_left[feature]), len(self._columns)
            levels = level_weights(group, self._goes_right[group], side, width)
            return Split(OBLIQUE, levels[1], gain, levels[0])
        middle = int(self._n_left[feature])
        values = self._columns[feature, self._rows]
        some_gone = np.isnan(values.max())
        values.partition((middle - 1, middle))
        threshold = values[middle - 1]
        if not np.isnan(values[middle]):
            threshold = threshold_between(threshold, values[middle])
        return Split(
            feature,
            threshold,
            gain,
            missing_left=bool(self._gone_left[feature]) if some_gone else None,
        )

    def _draw_features(self) -> np.ndarray:
        """The features that compete at the node, in the order drawn."""
        assert self.rng is not None, "it draws features"
        drawn = self.rng.permutation(self._rivals)
        return drawn[: keep_varying(self._columns, self._rows, self._max_features, drawn)]


def by_gain_ratio(counts, scores, weight_left, terms: Terms) -> int:
    """The feature of greatest gain ratio: its gain, divided by the entropy of the two sides' sizes.

    Small sides make that entropy small and the ratio great, so features compete only if they
    gain at least the average of those that gain anything, as in C4.5. (C4.5 Release 8 also
    takes the cost of coding the threshold off the gain; here it is not.)

    counts: float64 (n_classes,), weight of each class in the node; scores, weight_left: float64
    (n_features,).
    """
    n = float(counts.sum())
    possible = scores < np.inf
    before = impurity_of(counts, terms)
    gains = np.where(possible, np.maximum(before - scores, 0.0), -np.inf)
    positive = gains[gains > 0]
    # The mean of equal numbers may be rounded up beyond them.
    enough = min(positive.mean(), positive.max()) if positive.size else 0.0
    sides = [term(terms, left) + term(terms, n - left) for left in weight_left]
    split_entropy = term(terms, n) - np.array(sides)
    ratios = np.full(len(scores), -np.inf)
    np.divide(gains, split_entropy, out=ratios, where=possible & (gains >= enough))
    return int(ratios.argmax())


@kernel
def search_features(
    features,
    lines,
    columns,
    order,
    start,
    stop,
    signs,
    bounds,
    criterion,
    tally,
    min_samples_leaf,
    scores,
    n_left,
    gone_left,
    weight_left,
    values,
    on_right,
):
    """Write the best cut of each of some features.

    features, lines: int64 arrays; columns: float32 (n_features, n_samples), NaN where missing;
    order: int32 (n_lines, n); signs: int8 (n_features,), empty where no feature is constrained;
    bounds: of the node, see ``best_cut``; scores, n_left, gone_left, weight_left: float64, int64,
    bool and float64 (n_features,), written; values, on_right: float32 (>= stop - start,), and
    float64 array, as long as tally.
    """
    for k in range(features.shape[0]):
        f, line = features[k], lines[k]
        scores[f], n_left[f], gone_left[f], weight_left[f] = np.inf, 0, False, 0.0
        lowest, highest = columns[f, order[line, start]], columns[f, order[line, stop - 1]]
        if lowest == highest or lowest != lowest:
            continue
        here = order[line, start:stop]
        sign = np.int64(signs[f]) if signs.shape[0] > 0 else np.int64(0)
        n_known = 0
        for i in range(stop - start):
            values[i] = columns[f, here[i]]
            n_known += values[i] == values[i]
        for side in range(1 + (n_known < stop - start)):
            rules = criterion, tally, min_samples_leaf, on_right
            lowest_score, left, weight = best_cut(
                values[: stop - start], here, n_known, side == 1, sign, bounds, *rules
            )
            if side == 0 or lowest_score < scores[f]:
                scores[f], n_left[f], gone_left[f] = lowest_score, left, side == 1
                weight_left[f] = weight


@kernel
def divide_orders(first, last, columns, order, start, stop, right, spare):
    """Divide a node's range in the order of some features in two, keeping the order on each side.

    columns: float32 (n_features, n_samples); order: int32 (n_features, n); start, stop: the node's
    range; right: bool (n_samples,), whether a row goes right; spare: int32 (>= stop - start,), work
    space.
    """
    for f in range(first, last):
        here = order[f, start:stop]
        if columns[f, here[0]] == columns[f, here[-1]]:
            continue
        n_left = n_right = 0
        for row in here:
            # Written to both ends' next place, of which one moves on: no branch to mispredict.
            # here[n_left] has been read already, and spare is not yet full.
            here[n_left] = row
            spare[n_right] = row
            step = np.int64(right[row])
            n_left += 1 - step
            n_right += step
        for i in range(n_right):
            here[n_left + i] = spare[i]


@kernel
def keep_varying(columns, rows, n_wanted, features):
    """Move the first features that are not constant in some rows to the front; return how many.

    columns: float32 (n_features, n_samples); rows: int32 (n,), at least one; n_wanted: how many are
    enough; features: int64 (n_features,).
    """
    n_found = 0
    for k in range(features.shape[0]):
        if n_found == n_wanted:
            break
        f = features[k]
        for i in range(1, rows.shape[0]):
            one, other = columns[f, rows[0]], columns[f, rows[i]]
            if one != other and (one == one or other == other):
                features[n_found] = f
                n_found += 1
                break
    return n_found

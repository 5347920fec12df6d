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
"""

from __future__ import annotations

import functools
import threading
from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.compiling.random import permute, random_words
from treecore.core.terms import impurity_of, term
from treecore.learners.greedy.finders.best_cut import best_cut
from treecore.learners.greedy.finders.levels import level_codes, level_groups, search_levels
from treecore.learners.greedy.finders.sorting import SortSpace, sort_rows, sort_space
from treecore.learners.greedy.splitter import SplitFinder
from treecore.learners.greedy.state import NO_SPLIT
from treecore.rows.training_rows import TrainingRows

_SORTING = threading.Lock()
"""Of all tables, as tables go to other processes, where a lock cannot; it is held for a portion."""


class SortedTable:
    """A table by columns, and its rows in the order of each; trees of an ensemble share it.

    - columns: float32 (n_features, n_samples); at the first level of a column of categories the
      numbers of its levels, NaN for none, at its others zeros.
    - order: int32 (n_features, n_samples), ascending, of the first ``n_sorted`` features.
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
                self.order[f] = sorted_rows(self.columns[f])
            self.n_sorted = max(self.n_sorted, last)


def sorted_rows(column: np.ndarray) -> np.ndarray:
    """The rows of a float32 column by ascending value, equal ones in their order, NaN last.

    NumPy sorts 16 bits by radix: twice that takes a third to a fifteenth of its sort of numbers.
    """
    bits = (column + np.float32(0.0)).view(np.int32)  # -0.0 is 0.0
    bits[np.isnan(column)] = np.float32(np.nan).view(np.int32)  # whatever its sign
    bits ^= (bits >> 31) & 0x7FFFFFFF  # ordered as whole numbers as the values are
    low, high = bits.astype(np.uint16), (bits >> 16).astype(np.int16)
    rows = np.argsort(low, kind="stable")
    return rows[np.argsort(high[rows], kind="stable")]


class AxisFinder(SplitFinder):
    """Finds the best axis-aligned split; a unit of work is a value searched, sorted or divided.

    By entropy, Gini or squared error the tree is scikit-learn's, except where splits tie (there it
    draws one) and where values differ by 1e-7 or less (there it does not split).

    max_features: at most so many features, or columns of categories, compete at a node, drawn from
    those that are not constant there (Breiman 2001), the first drawn winning ties; 0: all; rng:
    stays as it is; None where all compete.
    """

    name = "axis"
    n_readings = 2
    from_axis = True

    def __init__(self, max_features: int = 0, rng: np.random.Generator | None = None):
        self.max_features, self.rng = max_features, rng


_KINDS = {"score": "f8", "weight_left": "f8", "lower": "f4", "upper": "f4", "gone_left": "i1"}

CUT = np.dtype(list(_KINDS.items()), align=True)
"""The best cut of a feature at the node at hand.

- score: infinite where there is none; weight_left: of all rows on the left.
- lower, upper: the values between which it lies; upper is NaN where all values are on the left.
- gone_left: whether rows without a value go left; -1: there are none.
"""


class AxisSearch(NamedTuple):
    """What the search reads and changes.

    - columns, order: see :class:`SortedTable`; order: of the rows that have weight, node by node.
    - rivals: int64 (n,), the features that compete; ties: the same, the first of equals wins.
    - cuts: CUT (n_features,); values: float32 (n_samples,), work space.
    """

    columns: np.ndarray
    order: np.ndarray
    rivals: np.ndarray
    ties: np.ndarray
    cuts: np.ndarray
    values: np.ndarray


class FeatureDraws(NamedTuple):
    """Features drawn for each node, and the space to sort its rows by them.

    drawn: int64 (n,), the features that compete, in the order drawn, ``most`` at most; places,
    line: int64 (n,) and int32 (n_samples,), work space.
    """

    random: np.ndarray
    places: np.ndarray
    drawn: np.ndarray
    line: np.ndarray
    most: int
    sorting: SortSpace


def make_search(
    rows: TrainingRows, table: SortedTable, finder: SplitFinder
) -> tuple[AxisSearch, FeatureDraws | None]:
    """The search of a table's columns, of which nothing is sorted yet."""
    n_samples, n_features = rows.X.shape
    n_heavy = np.count_nonzero(rows.weight)
    later = [feature for group in table.groups for feature in group[1:].tolist()]
    rivals = np.delete(np.arange(n_features), later)  # features that compete at all
    order = rows.feature_order
    ties = rivals if order is None else order[np.isin(order, rivals)]
    values, draws = np.empty(n_samples, dtype=np.float32), None
    if 0 < finder.max_features < len(rivals):
        assert finder.rng is not None, "it draws features"
        places, drawn = np.empty((2, len(rivals)), dtype=np.int64)
        random, line = random_words(finder.rng), np.empty(n_samples, dtype=np.int32)
        space = sort_space(n_samples)
        draws = FeatureDraws(random, places, drawn, line, finder.max_features, space)
    own = np.empty((n_features, 0 if draws else n_heavy), dtype=np.int32)
    if draws is None and n_heavy == n_samples and table is not rows.sorted_table:
        own = table.order  # nobody else reads it
    return AxisSearch(table.columns, own, rivals, ties, np.zeros(n_features, CUT), values), draws


@kernel
def search_features(first, last, start, rows, axis, draws, levels, monotonic, at, rules):
    """Write the best cuts at node ``at`` of competing features, from ``first`` up to ``last``.

    start: of the node's range in the orders; rows: int32 (n,), the node's; rules: criterion, tally,
    fewest rows on a side, and work space as long as a tally.
    """
    columns, values, n = axis.columns, axis.values, rows.shape[0]
    for k in range(first, last):
        f = axis.rivals[k]
        if draws is not None:
            f = draws.drawn[k]
        cut, column = axis.cuts[f], columns[f]
        cut["score"], cut["gone_left"], cut["weight_left"] = np.inf, -1, 0.0
        if levels is not None and levels.number[f] >= 0:
            criterion, tally, smallest, _ = rules
            score, gone_left, weight = search_levels(
                column, rows, criterion, tally, smallest, levels, levels.number[f]
            )
            cut["score"], cut["gone_left"], cut["weight_left"] = score, gone_left, weight
            continue
        if draws is not None:
            line = draws.line[:n]
            sort_rows(column, rows, line, values, draws.sorting)
        else:
            line = axis.order[f, start : start + n]
        lowest, highest = column[line[0]], column[line[n - 1]]
        if lowest == highest or lowest != lowest:
            continue
        n_known = 0
        for i in range(n):
            values[i] = column[line[i]]
            n_known += values[i] == values[i]
        sign, bounds = 0, None
        if monotonic is not None:
            sign, bounds = monotonic.signs[f], monotonic.bounds[at]
        for side in range(1 + (n_known < n)):
            score, n_left, weight = best_cut(
                values[:n], line, n_known, side == 1, sign, bounds, *rules
            )
            if side == 0 or score < cut["score"]:
                cut["score"], cut["weight_left"] = score, weight
                cut["lower"], cut["upper"] = values[n_left - 1], np.nan
                if n_left < n:
                    cut["upper"] = values[n_left]
                if n_known < n:
                    cut["gone_left"] = side


@kernel
def best_feature(cuts, ties, tally, terms):
    """The feature of the best cut, ``NO_SPLIT`` without any; of equal ones the first in ``ties``.

    By the gain ratio (ID3 and C4.5, Quinlan 1993), unless ``terms`` is None: of the threshold that
    gains most on each feature, the gain divided by the entropy of the sides' sizes. Only features
    compete that gain at least the average of those that gain anything, as in C4.5; the cost of
    coding a threshold (Release 8) is not taken off.
    """
    best, lowest = NO_SPLIT, np.inf
    for f in ties:
        if cuts[f]["score"] < lowest:
            best, lowest = f, cuts[f]["score"]
    if terms is not None:
        n, before = tally.sum(), impurity_of(tally, terms)
        total, most, n_gaining, best_ratio = 0.0, 0.0, 0, -1.0
        for f in ties:
            gain = before - cuts[f]["score"]
            if gain > 0:
                total, most, n_gaining = total + gain, max(most, gain), n_gaining + 1
        # The mean of equal numbers may be rounded up beyond them.
        enough = min(total / max(n_gaining, 1), most)
        for f in ties:
            gain, left = max(before - cuts[f]["score"], 0.0), cuts[f]["weight_left"]
            if cuts[f]["score"] < np.inf and gain >= enough:
                entropy = term(terms, n) - (term(terms, left) + term(terms, n - left))
                if entropy > 0 and gain / entropy > best_ratio:
                    best, best_ratio = f, gain / entropy
    return best


@kernel
def divide_orders(first, last, columns, order, start, stop, right, spare):
    """Divide a node's range in the order of some features in two, keeping the order on each side.

    order: int32 (n_features, n); right: bool (n_samples,); spare: int32 (>= stop - start,).
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
def draw_features(draws, axis, rows):
    """Draw the features that compete at a node, of those that vary there; return how many."""
    permute(draws.random, draws.places)
    n_found, columns = 0, axis.columns
    for place in draws.places:
        f = axis.rivals[place]
        for i in range(1, rows.shape[0]):
            one, other = columns[f, rows[0]], columns[f, rows[i]]
            if one != other and (one == one or other == other):
                draws.drawn[n_found] = f
                n_found += 1
                break
        if n_found == draws.most:
            break
    return n_found

"""The exact best axis-aligned split: every threshold on every feature.

Features are put into bins once (:mod:`treecore.learners.greedy.finders.bins`), by which the rows of
a node are sorted, or summed up, whenever it is searched
(:mod:`treecore.learners.greedy.finders.best_cut`). Nothing else is kept of the table, so that
growing takes a quarter of its size and what a few columns take.

A candidate's score depends on nothing but its two tallies (see
:mod:`treecore.learners.greedy.criteria`), so candidates with the same ones, or the same with left
and right exchanged, tie exactly. Of equal ones the lowest feature wins, and on it the lowest
threshold.

The gain ratio (ID3 and C4.5, Quinlan 1993) chooses among features only: on each, the threshold
is the one that gains most, and the features' best are then compared by :func:`by_gain_ratio`.
"""

from __future__ import annotations

import numpy as np

from treecore.base.heap import trim_heap
from treecore.compiling.kernels import kernel
from treecore.core.impurity import Criterion
from treecore.core.terms import UNITS_PER_BIT, scaled_impurity, terms_of
from treecore.core.thresholds import threshold_between
from treecore.learners.greedy.class_criterion import ClassCriterion
from treecore.learners.greedy.finders.best_cut import CutSpace, search_features
from treecore.learners.greedy.finders.bins import GROWING, BinnedTable
from treecore.learners.greedy.splitter import Node, Split
from treecore.learners.greedy.targets import Targets
from treecore.learners.greedy.variance_criterion import VarianceCriterion
from treecore.rows.tables import is_large, is_narrow
from treecore.rows.training_rows import TrainingRows

_BLOCK_ROWS = 1 << 16


class AxisFinder:
    """Finds the best axis-aligned split; a :class:`treecore.learners.greedy.splitter.SplitFinder`.

    A unit of work is a value searched, or one put into a bin, which all are before the root is
    searched.

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
    beside : int or None
        See :func:`treecore.learners.greedy.finders.bins.n_kept_of`.
    histogram : bool
        Whether cuts lie between bins alone.
    """

    name = "axis"
    n_readings = 1
    passes_over_rows = True

    def __init__(
        self,
        max_features: int = 0,
        rng: np.random.Generator | None = None,
        beside: int | None = GROWING,
        histogram: bool = False,
    ):
        self._max_features, self._rng, self._beside = max_features, rng, beside
        self._histogram = histogram

    def attach(self, rows: TrainingRows, targets: Targets, min_samples_leaf: int) -> None:
        """Take the training rows, which must be dense. Parameters are those of
        :meth:`treecore.learners.greedy.splitter.SplitFinder.attach`.
        """
        assert isinstance(rows.X, np.ndarray), "sparse rows have a finder of their own"
        n_features = rows.X.shape[1]
        self._X, self._targets = rows.X, targets
        # Of bytes, bins say everything, and kernels that know float32 need no others.
        nothing = np.empty((0, n_features), dtype=np.float32)
        self._values = nothing if is_narrow(rows.X) else rows.X
        shared = rows.binned if isinstance(rows.binned, BinnedTable) else None
        if not (shared and shared.X is rows.X and shared.histogram == self._histogram):
            shared = BinnedTable(rows.X, self._beside, self._histogram)
        self._table = shared
        self._min_samples_leaf = min_samples_leaf
        # Of each feature's best cut: score, rows on the left, and their units.
        self._scores = np.empty(n_features)
        self._n_left = np.empty(n_features, dtype=np.int64)
        self._units_left = np.empty(n_features, dtype=np.int64)
        self._n_rows = int(np.count_nonzero(rows.weight))
        self._space: CutSpace | None = None
        self._all = np.arange(n_features)
        self._competing: np.ndarray | None = None  # features of the node at hand
        self._n_passed = 0  # of them

    def begin(self, node: Node, rows: np.ndarray) -> None:
        """Turn to a node. Parameters are those of
        :meth:`treecore.learners.greedy.splitter.SplitFinder.begin`.
        """
        self._node, self._rows = node, rows[node.start : node.stop]  # a view
        self._n_passed = 0
        self._competing = None
        self._criterion: ClassCriterion | VarianceCriterion | None = None  # of its rows

    def search(self, budget: int) -> tuple[int, bool]:
        """Put features into bins, or search some of the node's; see ``SplitFinder``."""
        n_samples, n_features = self._X.shape
        first = self._table.n_binned
        if first < n_features:
            last = min(n_features, first + max(1, budget // n_samples))
            self._table.bin_up_to(last)
            return (last - first) * n_samples, False
        node, targets = self._node, self._targets
        if self._competing is None:
            self._competing = self._draw_features()
        if self._criterion is None:
            everyone = node.n_rows == len(self._X)  # who still are in their order
            criterion = targets.criterion
            self._criterion = criterion if everyone else criterion.take(self._rows)
        if self._space is None:
            self._space = CutSpace.of(self._n_rows, node.tally)
        if not len(self._competing):  # none varies here, and kernels trust that there is one
            return 1, True
        first = self._n_passed
        last = min(len(self._competing), first + max(1, budget // node.n_rows))
        competing = not targets.by_ratio
        passed = self._competing[:first]
        to_beat = self._scores[passed].min(initial=np.inf) if competing else np.inf
        while lacking := search_features(
            self._competing[first:last],
            self._values,
            self._rows,
            self._table.bins,
            self._criterion,
            node.tally,
            self._min_samples_leaf,
            to_beat,
            competing,
            self._scores,
            self._n_left,
            self._units_left,
            self._space,
        ):
            self._space = CutSpace.of(self._n_rows, node.tally, lacking)
        self._n_passed = last
        return (last - first) * node.n_rows, last == len(self._competing)

    def best(self) -> Split | None:
        """The best split of the node, None without any; the lowest feature of equals."""
        node, scores, targets = self._node, self._scores, self._targets
        criterion, self._criterion = targets.criterion, None
        if targets.by_ratio and isinstance(criterion, ClassCriterion):
            feature = by_gain_ratio(node.tally, scores, self._units_left, criterion.terms)
        else:
            feature = int(scores.argmin())  # the lowest of equals
        lowest = scores[feature]
        if lowest == np.inf:
            return None
        middle = int(self._n_left[feature])
        values = np.empty(node.n_rows, dtype=np.float32)
        read_column(self._X, self._rows, feature, values)
        values.partition((middle - 1, middle))
        threshold = threshold_between(values[middle - 1], values[middle])
        return Split(feature, threshold, targets.gain(node.tally, lowest))

    def divide(self, right: np.ndarray, budget: int) -> tuple[int, bool]:
        """Nothing to divide. Parameters are those of
        :meth:`treecore.learners.greedy.splitter.SplitFinder.divide`.
        """
        return 0, True  # it keeps no rows of its own

    def forget(self) -> None:
        """Give work space back; it is made anew for the next node."""
        self._space = None
        if is_large(self._X) and 16 * self._node.n_rows > len(self._X):
            trim_heap()  # or it stays there while the split is turned

    @property
    def table(self) -> BinnedTable:
        """The training rows' features in bins."""
        return self._table

    def _draw_features(self) -> np.ndarray:
        """The features that compete at the node, ascending: of equal splits the lowest wins."""
        if self._max_features == 0 or self._max_features >= len(self._all):
            return self._all
        self._scores[:], self._units_left[:] = np.inf, 0  # of those that do not
        varies = np.empty(len(self._all), dtype=np.bool_)
        bins = self._table.bins
        # Of a histogram features vary by their bins, which a large table does not keep of all.
        by_bins = self._histogram and bins.codes.shape[1] == len(self._all)
        X = bins.codes if by_bins else self._X
        mark_varying(X, self._rows, bins.n_bins, bins.several, varies)
        assert self._rng is not None, "it draws features"
        return np.sort(self._rng.permutation(np.flatnonzero(varies))[: self._max_features])


def read_column(X: np.ndarray, rows: np.ndarray, feature: int, out: np.ndarray) -> None:
    """Write a feature of some rows, a part at a time: NumPy copies what it indexes by.

    Parameters
    ----------
    X : array of numbers, shape (n_samples, n_features)
    rows : int32 array, shape (n,)
    feature : int
    out : OUT float32 array, shape (n,)
    """
    for start in range(0, len(rows), _BLOCK_ROWS):
        part = slice(start, start + _BLOCK_ROWS)
        out[part] = X[rows[part], feature]


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
        The best cut of each feature, see
        :func:`treecore.learners.greedy.finders.best_cut.best_cut`.
    terms : int64 array
        Of the entropy, from :func:`treecore.core.terms.count_terms`.
    """
    n = counts.sum()
    possible = scores < np.inf
    before = scaled_impurity(n, terms_of(terms, counts).sum(), terms, Criterion.GAIN_RATIO)
    gains = np.where(possible, np.maximum(before - scores, 0.0), -np.inf)
    positive = gains[gains > 0]
    # The mean of equal numbers may be rounded up beyond them.
    enough = min(positive.mean(), positive.max()) if positive.size else 0.0
    sides = terms_of(terms, units_left) + terms_of(terms, n - units_left)
    split_entropy = (terms_of(terms, counts.sum(keepdims=True)) - sides) / UNITS_PER_BIT
    ratios = np.full(len(scores), -np.inf)
    np.divide(gains, split_entropy, out=ratios, where=possible & (gains >= enough))
    return int(ratios.argmax())


@kernel
def mark_varying(X, rows, n_bins, several, varies):
    """Write which features are not constant in some rows.

    Parameters
    ----------
    X : float32 or uint8 array, shape (n_samples, n_features)
    rows : int32 array, shape (n,)
        At least one.
    n_bins, several : int64 and bool arrays, shape (n_features,) and (n_features, MOST)
        See :class:`treecore.learners.greedy.finders.bins.Bins`.
    varies : OUT bool array, shape (n_features,)
    """
    for f in range(X.shape[1]):
        varies[f] = False
        if n_bins[f] > 1 or several[f, 0]:
            for row in rows:
                if X[row, f] != X[rows[0], f]:
                    varies[f] = True
                    break

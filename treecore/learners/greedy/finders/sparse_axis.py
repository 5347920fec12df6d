"""The exact best axis-aligned split of a sparse table, which is never filled.

As in :mod:`treecore.learners.greedy.finders.axis`, every feature keeps its values in order with
their row numbers beside them, but only what is stored; all lines lie one after another in one
array, and a node has a range of its own on each line that it has entries on::

    line of feature f     [ -3  -1 | (zeros: the node's other rows) |  2   2   7 ]
                                   passed in one step

A scan goes from the highest value down and moves the zeros to the right all at once: their tally
is that of the node less that of what is stored. So a level costs its stored entries, and the
tree is that of the filled table, bit for bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.thresholds import threshold_between
from treecore.learners.greedy.class_criterion import ClassCriterion
from treecore.learners.greedy.criteria import count, move, score, start_totals
from treecore.learners.greedy.finders.axis import by_gain_ratio
from treecore.learners.greedy.splitter import Node, Split
from treecore.learners.greedy.targets import Targets
from treecore.rows.tables import SparseRows
from treecore.rows.training_rows import TrainingRows


class Spans(NamedTuple):
    """Where a node's entries are: on the lines of ``features`` the places ``start`` to ``stop``.

    Features without entries in the node are not listed; the others ascend. ``features`` is int32,
    ``start`` and ``stop`` are int64, all of shape (n_listed,).
    """

    features: np.ndarray
    start: np.ndarray
    stop: np.ndarray

    def listed(self) -> Spans:
        """Without the features that have no entries."""
        full = self.start < self.stop
        return Spans(self.features[full], self.start[full], self.stop[full])


class SparseAxisFinder:
    """:class:`treecore.learners.greedy.finders.axis.AxisFinder` for
    :class:`treecore.rows.tables.SparseRows`.

    A unit of work is a stored value scanned, or one sorted or divided.
    """

    name = "axis"
    n_readings = 2
    passes_over_rows = False

    def attach(self, rows: TrainingRows, targets: Targets, min_samples_leaf: int) -> None:
        """Take the training rows, which must be sparse. Parameters are those of
        :meth:`treecore.learners.greedy.splitter.SplitFinder.attach`.
        """
        X = rows.X
        assert isinstance(X, SparseRows), "dense rows have a finder of their own"
        self._targets = targets
        self._min_samples_leaf = min_samples_leaf
        sizes = np.bincount(X.where[X.values != 0], minlength=X.n_columns)
        ends = np.cumsum(sizes)
        lines = Spans(np.arange(X.n_columns, dtype=np.int32), ends - sizes, ends).listed()
        self._values = np.empty(sizes.sum(), dtype=np.float32)
        self._order = np.empty(sizes.sum(), dtype=np.int32)
        fill_lines(X.values, X.where, X.start, ends - sizes, self._values, self._order)
        self._longest = int(sizes.max(initial=0))
        self._spare = np.empty(self._longest, np.float32), np.empty(self._longest, np.int32)
        self._lines = lines
        self._n_sorted = 0  # lines
        self._depth = 0
        self._present: dict[int, Spans] = {0: lines}  # by the start of each node of this level
        self._next: dict[int, Spans] = {}

    def begin(self, node: Node, rows: np.ndarray) -> None:
        """Turn to a node. Parameters are those of
        :meth:`treecore.learners.greedy.splitter.SplitFinder.begin`.
        """
        if node.depth > self._depth:  # what nobody has asked for were leaves
            self._depth = node.depth
            self._present, self._next = self._next, {}
        self._node, self._rows = node, rows
        self._spans = self._present.pop(node.start)
        n = len(self._spans.features)
        self._ends = np.cumsum(self._spans.stop - self._spans.start)
        self._scores = np.full(n, np.inf)
        self._units_left = np.zeros(n, dtype=np.int64)
        self._between = np.zeros((n, 2), dtype=np.float32)
        self._middle = np.empty(n, dtype=np.int64)
        self._n_passed = 0  # features of the node

    def search(self, budget: int) -> tuple[int, bool]:
        """Sort lines, or search some of the node's; see ``SplitFinder``."""
        if self._n_sorted < len(self._lines.features):
            return self._sort(budget), False
        first, last, units = self._pass_features(budget)
        search_lines(
            first,
            last,
            self._spans,
            self._values,
            self._order,
            self._node.n_rows,
            self._targets.criterion,
            self._node.tally,
            self._min_samples_leaf,
            self._scores,
            self._units_left,
            self._between,
        )
        return units, self._all_passed()

    def best(self) -> Split | None:
        """The best split of the node, None without any; the lowest feature of equals."""
        scores, targets, tally = self._scores, self._targets, self._node.tally
        if not (scores < np.inf).any():
            return None
        criterion = targets.criterion
        if targets.by_ratio and isinstance(criterion, ClassCriterion):
            best = by_gain_ratio(tally, scores, self._units_left, criterion.terms)
        else:
            best = int(scores.argmin())  # the lowest of equals
        threshold = threshold_between(*self._between[best])
        return Split(int(self._spans.features[best]), threshold, targets.gain(tally, scores[best]))

    def divide(self, right: np.ndarray, budget: int) -> tuple[int, bool]:
        """Divide the node's spans. Parameters are those of
        :meth:`treecore.learners.greedy.splitter.SplitFinder.divide`.
        """
        first, last, units = self._pass_features(budget)
        spans, node = self._spans, self._node
        divide_spans(
            first, last, spans, self._values, self._order, right, self._middle, *self._spare
        )
        complete = self._all_passed()
        if complete:
            rows = self._rows[node.start : node.stop]
            middle = node.stop - int(np.count_nonzero(right[rows]))
            self._next[node.start] = spans._replace(stop=self._middle).listed()
            self._next[middle] = spans._replace(start=self._middle).listed()
        return units, complete

    def _sort(self, budget: int) -> int:
        lines, first = self._lines, self._n_sorted
        last = int(np.searchsorted(lines.stop, lines.start[first] + budget, side="right"))
        last = max(last, first + 1)
        for k in range(first, last):
            line = slice(lines.start[k], lines.stop[k])
            places = np.argsort(self._values[line], kind="stable")
            self._values[line], self._order[line] = (
                self._values[line][places],
                self._order[line][places],
            )
        self._n_sorted = last
        return int(lines.stop[last - 1] - lines.start[first])

    def _pass_features(self, budget: int) -> tuple[int, int, int]:
        """The next features of the node that ``budget`` pays for, at least one; their entries."""
        first = self._n_passed
        if first == len(self._ends):
            return first, first, 0
        before = int(self._ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(self._ends, before + budget, side="right")))
        self._n_passed = last
        return first, last, int(self._ends[last - 1]) - before

    def _all_passed(self) -> bool:
        """Whether the present pass is complete; the next one then starts at the first feature."""
        if self._n_passed < len(self._ends):
            return False
        self._n_passed = 0
        return True


@kernel(allocates=True)
def fill_lines(stored, where, row_start, line_start, values, order):
    """Write the entries that are not 0 line by line, rows ascending.

    Parameters
    ----------
    stored : float32 array, shape (n_stored,)
    where : int32 array, shape (n_stored,)
    row_start : int64 array, shape (n_samples + 1,)
        ``values``, ``where`` and ``start`` of SparseRows.
    line_start : int64 array, shape (n_features,)
        Where each feature's line begins.
    values, order : OUT float32 and int32 arrays, shape (n_nonzero,)
        Entries and their rows.
    """
    place = line_start.copy()
    for row in range(row_start.shape[0] - 1):
        for k in range(row_start[row], row_start[row + 1]):
            if stored[k] != 0:
                f = where[k]
                values[place[f]] = stored[k]
                order[place[f]] = row
                place[f] += 1


@kernel(allocates=True)
def search_lines(
    first,
    last,
    spans,
    values,
    order,
    n,
    criterion,
    tally,
    min_samples_leaf,
    scores,
    units_left,
    between,
):
    """Write the best cut of some of the node's features.

    Parameters
    ----------
    first, last : int
        Features from ``first`` up to ``last`` (exclusive) of those listed.
    spans : Spans
        The node's entries.
    values, order : float32 and int32 arrays, shape (n_nonzero,)
    n : int
        Rows of the node.
    criterion, tally, min_samples_leaf
        See :func:`treecore.learners.greedy.finders.best_cut.best_cut`.
    scores, units_left : OUT float64 and int64 arrays, shape (n_listed,)
    between : OUT float32 array, shape (n_listed, 2)
        What :func:`best_sparse_cut` returns.
    """
    on_right = np.empty_like(tally)
    for k in range(first, last):
        start, stop = spans.start[k], spans.stop[k]
        scores[k], units_left[k], between[k, 0], between[k, 1] = best_sparse_cut(
            values[start:stop], order[start:stop], n, criterion, tally, min_samples_leaf, on_right
        )


@kernel
def best_sparse_cut(values, order, n, criterion, tally, min_samples_leaf, on_right):
    """The best place to cut ``n`` rows, of which those not in ``order`` have the value 0.

    Parameters
    ----------
    values : float32 array, shape (n_stored,)
        Ascending; none is 0, and there is at least one.
    order : int32 array, shape (n_stored,)
        The row of each value.
    n : int
    criterion, tally, min_samples_leaf, on_right
        See :func:`treecore.learners.greedy.finders.best_cut.best_cut`.

    Returns
    -------
    score : float
        The lowest of all places, the lowest place of equals; infinite if there is none.
    units_left : int
        Units left of it.
    lower, upper : float32
        The values next to it.
    """
    zero = np.float32(0.0)
    place = values.shape[0]  # stored rows on the left are those before it
    n_negative = np.searchsorted(values, zero)
    n_zeros = n - place  # on the left
    lowest = zero if n_zeros > 0 and n_negative == 0 else values[0]
    upper = zero if n_zeros > 0 and n_negative == place else values[place - 1]
    best_score, best_units, best_lower, best_upper = np.inf, 0, zero, zero
    n_left = n
    on_right[:] = 0
    totals = start_totals(criterion, tally, on_right)
    while upper > lowest and n_left > min_samples_leaf:
        if n_zeros > 0 and place == n_negative:
            for c in range(tally.shape[0]):
                on_right[c] = tally[c]
            for k in range(place):
                count(criterion, on_right, order[k], -1)
            totals = start_totals(criterion, tally, on_right)
            n_left -= n_zeros
            n_zeros = 0
        else:
            place -= 1
            n_left -= 1
            totals = move(criterion, tally, on_right, order[place], 1, totals)
        lower = zero if n_zeros > 0 and place == n_negative else values[place - 1]
        if lower < upper and min(n_left, n - n_left) >= min_samples_leaf:
            here = score(criterion, tally, on_right, totals)
            if here <= best_score:
                best_score, best_units = here, totals[0]
                best_lower, best_upper = lower, upper
        upper = lower
    return best_score, best_units, best_lower, best_upper


@kernel
def divide_spans(first, last, spans, values, order, right, middle, spare_values, spare_rows):
    """Divide some of a node's spans in two, keeping the order on both sides.

    Parameters
    ----------
    first, last : int
        Features from ``first`` up to ``last`` (exclusive) of those listed.
    spans : Spans
    values, order : INOUT float32 and int32 arrays, shape (n_nonzero,)
    right : bool array, shape (n_samples,)
        Whether a row goes right.
    middle : OUT int64 array, shape (n_listed,)
        Where the right part of every span begins.
    spare_values, spare_rows : float32 and int32 arrays, shape (longest line,)
        Work space.
    """
    for k in range(first, last):
        n_left, n_right = spans.start[k], 0
        for i in range(spans.start[k], spans.stop[k]):
            value, row = values[i], order[i]
            values[n_left] = spare_values[n_right] = value
            order[n_left] = spare_rows[n_right] = row
            step = np.int64(right[row])
            n_left += 1 - step
            n_right += step
        middle[k] = n_left
        for i in range(n_right):
            values[n_left + i], order[n_left + i] = spare_values[i], spare_rows[i]

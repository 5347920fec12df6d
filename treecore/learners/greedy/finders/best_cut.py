"""The best place to cut a node's rows along one feature: sorted, or summed up by bins first.

In sorted rows, one after another moves from the left side to the right, which updates the score of
both in constant time. Of many rows it is faster to sum up each bin, and to move whole bins::

    bins        |  3 rows |  9 rows |  2 rows |  7 rows |
    cuts between          ^         ^         ^              scored exactly, from the tallies
    cuts within                ?                   ?         sorted only where one could be better

Impurity bounds what a cut within a bin can reach at best (``least_score``), and a bin is sorted
only if that is not worse than the best cut known. So the search is exact. The rows of a large node
are summed up some at a time, and only a part of the bins is sorted at once, so that work space need
not be as long as the table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.learners.greedy.criteria import (
    count_in,
    extent,
    least_score,
    move,
    move_bin,
    score,
    start_totals,
)
from treecore.learners.greedy.finders.bins import (
    ABREAST,
    MOST,
    TOGETHER,
    find_bins,
    sort_by_value,
)
from treecore.learners.greedy.finders.sorting import SortSpace, sort_space

_FEW = 32
"""Up to so many rows are sorted without looking at bins."""

_COPIES = 4
"""Sums of a bin that are made at once; a power of two."""


_PIECE = 1 << 16
"""Rows whose bins are taken together, at least: of a few features they lie in the cache."""

_SUMS = 1 << 20
"""Bytes of the sums of bins that are made side by side, at most, but for those of one feature."""

_SORTED = 1 << 16
"""Rows of bins that are sorted together, at least; of a large node a quarter of the rows."""

_IN_BIN = 1 << 14
"""Rows of a single bin that can be sorted, at least; of a large node a sixteenth."""


class CutSpace(NamedTuple):
    """Work space of the search at nodes of up to ``n`` rows.

    Attributes
    ----------
    codes : uint8 array, shape (ABREAST, n_piece)
        Bins of some of the node's rows on a few features.
    column : uint8 array, shape (n,)
        Bins of all of its rows on one feature; empty where the piece is all of them.
    few_values, few_places : float32 and uint32 arrays, shape (TOGETHER,)
    values, order : float32 and int32 arrays, shape (n_sorted,)
        Of some bins together, or all rows of a node of few rows.
    spare_values, spare_order : float32 and int32 arrays, shape (room,)
        Of a bin.
    sorting : SortSpace
        For as many numbers.
    counts : int64 array, shape (n_summed, MOST)
        Of some features.
    starts : int64 array, shape (MOST,)
    bounds : float64 array, shape (MOST,)
    tallies : int64 array, shape (n_summed, MOST, length of a tally)
    on_right : int64 array
        As long as a tally.
    limits : float64 array, shape (2, length of a tally - 1)
        Of the node's rows, see :func:`treecore.learners.greedy.criteria.extent`.
    """

    codes: np.ndarray
    column: np.ndarray
    few_values: np.ndarray
    few_places: np.ndarray
    values: np.ndarray
    order: np.ndarray
    spare_values: np.ndarray
    spare_order: np.ndarray
    sorting: SortSpace
    counts: np.ndarray
    starts: np.ndarray
    bounds: np.ndarray
    tallies: np.ndarray
    on_right: np.ndarray
    limits: np.ndarray

    @classmethod
    def of(cls, n: int, tally: np.ndarray, room: int = 0) -> CutSpace:
        """Work space for ``n`` rows, tallies like this one, and bins of ``room`` rows at least."""
        small = MOST * len(tally) // 4  # nodes of fewer rows are sorted whole
        room = min(n, max(room, n // 16, small, _IN_BIN))
        n_sorted = min(n, max(room, n // 4, _SORTED))
        n_piece = min(n, max(small, _PIECE))
        n_summed = max(1, min(ABREAST, _SUMS // (8 * MOST * len(tally))))
        return cls(
            codes=np.empty((ABREAST, n_piece), dtype=np.uint8),
            column=np.empty(n if n > n_piece else 0, dtype=np.uint8),
            few_values=np.empty(TOGETHER, dtype=np.float32),
            few_places=np.empty(TOGETHER, dtype=np.uint32),
            values=np.empty(n_sorted, dtype=np.float32),
            order=np.empty(n_sorted, dtype=np.int32),
            spare_values=np.empty(room, dtype=np.float32),
            spare_order=np.empty(room, dtype=np.int32),
            sorting=sort_space(room),
            counts=np.empty((n_summed, MOST), dtype=np.int64),
            starts=np.empty(MOST, dtype=np.int64),
            bounds=np.empty(MOST),
            tallies=np.empty((n_summed, MOST, len(tally)), dtype=np.int64),
            on_right=np.empty(len(tally), dtype=np.int64),
            limits=np.empty((2, len(tally) - 1)),
        )


@kernel
def search_features(
    features,
    X,
    rows,
    bins,
    criterion,
    tally,
    min_samples_leaf,
    to_beat,
    competing,
    scores,
    n_left,
    units_left,
    space,
):
    """Write the best cut of each of some features.

    Parameters
    ----------
    features : int64 array
        Indices of features, ascending; at least one.
    X : float32 array, shape (n_samples, n_features)
        Only features are read that are not exact, or of which no bins are kept.
    rows : int32 array, shape (n,)
        Those of the node, at least one.
    bins : Bins
    criterion : NamedTuple
        Of the node's rows: its arrays begin with that of ``rows[0]``.
    tally, min_samples_leaf
        See :func:`best_cut`.
    to_beat : float
        A score; cuts of greater ones do not matter.
    competing : bool
        Whether the cuts of a feature that has none as good as these features before it do not
        matter either.
    scores, n_left, units_left : OUT float64 and int64 arrays, shape (n_features,)
        What :func:`best_cut` returns.
    space : CutSpace
        For at least so many rows.

    Returns
    -------
    int
        0; or rows of a bin that ``space`` has no room for, and nothing written counts.
    """
    n, n_features = rows.shape[0], features.shape[0]
    on_right, n_piece = space.on_right, space.codes.shape[1]
    whole = n <= n_piece
    n_abreast = space.codes.shape[0] if whole else space.counts.shape[0]
    extent(criterion, space.limits)
    for k in range(n_features):
        f, at = features[k], k % n_abreast
        n_bins = bins.n_bins[f]
        if at == 0:
            group = features[k : min(k + n_abreast, n_features)]
            for first in range(0, n, n_piece):
                piece = rows[first : min(first + n_piece, n)]
                take_codes(X, piece, bins, group, space.codes, space)
                if not whole:
                    for g in range(group.shape[0]):
                        n_bins_of_g = bins.n_bins[group[g]]
                        sum_bins(g, g, n_bins_of_g, first, piece.shape[0], criterion, space)
        if 4 * n < n_bins * tally.shape[0]:
            sort_node(X, rows, f, at, bins, space)
            values, order = space.values[:n], space.order[:n]
            found = best_cut(values, order, criterion, tally, min_samples_leaf, on_right)
        else:
            if whole:
                sum_bins(at, np.int64(0), n_bins, np.int64(0), n, criterion, space)
            one = features[k : k + 1]
            found = best_of_bins(
                X, rows, one, at, bins, criterion, tally, min_samples_leaf, to_beat, space
            )
            if found[1] < 0:
                return -found[1]
        scores[f], n_left[f], units_left[f] = found
        if competing:
            to_beat = min(to_beat, found[0])
    return 0


@kernel
def take_codes(X, rows, bins, features, taken, space):
    """The bins of some rows, for a few features.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features)
    rows : int32 array, shape (n,)
    bins : Bins
    features : int64 array, shape (n_abreast,)
        Ascending.
    taken : OUT uint8 array, shape (>= n_abreast, >= n)
    space : CutSpace
    """
    codes, n = bins.codes, rows.shape[0]
    n_kept = 0
    while n_kept < features.shape[0] and features[n_kept] < codes.shape[1]:
        n_kept += 1
    for i in range(n):
        row = rows[i]
        for at in range(n_kept):
            taken[at, i] = codes[row, features[at]]
    if n_kept == features.shape[0]:
        return
    values, places = space.few_values, space.few_places
    for start in range(0, n, TOGETHER):
        stop = min(start + TOGETHER, n)
        for at in range(n_kept, features.shape[0]):
            f = features[at]
            for i in range(start, stop):
                values[i - start] = X[rows[i], f]
            find_bins(values, stop - start, bins.edges[f], bins.n_bins[f], places)
            for i in range(start, stop):
                taken[at, i] = places[i - start]


@kernel
def sum_bins(at, sums, n_bins, first, n, criterion, space):
    """Add some rows to the sums of their bins, which begin anew with the first row of the node.

    Parameters
    ----------
    at : int
        Where their bins are in ``space.codes``.
    sums : int
        Where sums of the feature are in ``space.counts`` and ``space.tallies``.
    n_bins : int
        Of the feature.
    first, n : int
        Place in the node of the first row, and how many there are.
    criterion, space
        See :func:`search_features`.
    """
    codes, counts, tallies = space.codes[at], space.counts[sums], space.tallies[sums]
    # A sum waits for the one before it: of few bins there are several copies, which take turns.
    n_copies = _COPIES if n_bins * _COPIES <= MOST else 1
    begin = 0 if first == 0 else n_bins
    counts[begin : n_bins * n_copies] = 0
    tallies[begin : n_bins * n_copies] = 0
    for i in range(n):
        b = codes[i] + (i & (n_copies - 1)) * n_bins
        counts[b] += 1
        count_in(criterion, tallies, b, first + i)
    for b in range(n_bins, n_bins * n_copies):
        counts[b % n_bins] += counts[b]
        for c in range(tallies.shape[1]):
            tallies[b % n_bins, c] += tallies[b, c]


@kernel
def sort_node(X, rows, f, at, bins, space):
    """Sort a node's rows by a feature: by bins, then within them.

    Parameters
    ----------
    X, rows, bins
        See :func:`search_features`.
    f, at : int
        The feature, and where its bins are in ``space.codes``.
    space : CutSpace
        Its ``values`` and ``order`` are written: values, and the places of their rows in ``rows``.
    """
    values, order, counts = space.values, space.order, space.counts[0]
    spare, sorting = (space.spare_values, space.spare_order), space.sorting
    n, codes, several, edges = rows.shape[0], space.codes, bins.several, bins.edges
    exact = bins.exact[f]
    if n <= _FEW:
        for i in range(n):
            values[i] = edges[f, codes[at, i]] if exact else X[rows[i], f]
            order[i] = i
        sort_by_value(values, order, 0, n, sorting, *spare)
        return
    n_bins = bins.n_bins[f]
    counts[:n_bins] = 0
    for i in range(n):
        counts[codes[at, i]] += 1
    place = 0
    for b in range(n_bins):
        place += counts[b]
        counts[b] = place - counts[b]
    for i in range(n):
        b = codes[at, i]
        values[counts[b]] = edges[f, b] if exact else X[rows[i], f]
        order[counts[b]] = i
        counts[b] += 1
    if exact:
        return
    first = 0
    for b in range(n_bins):
        if several[f, b] and counts[b] - first > 1:
            sort_by_value(values, order, first, counts[b], sorting, *spare)
        first = counts[b]


@kernel
def best_of_bins(X, rows, feature, at, bins, criterion, tally, min_samples_leaf, to_beat, space):
    """The best place to cut rows by a feature, see :func:`best_cut`, from sums over its bins.

    Parameters
    ----------
    X, rows, bins, criterion, tally, min_samples_leaf
        See :func:`search_features`.
    feature : int64 array, shape (1,)
    at : int
        Where its bins are in ``space.codes``, or its sums where rows are many.
    to_beat : float
        A score; of cuts that are worse, not the best may be found.
    space : CutSpace
        With the sums of the feature's bins.

    Returns
    -------
    score, n_left, units_left
        As of :func:`best_cut`; of rows on the left fewer than none where ``space`` lacks room for
        so many rows of a bin.
    """
    f = feature[0]
    n, n_bins, several = rows.shape[0], bins.n_bins[f], bins.several
    values, order = space.values, space.order
    spare, sorting = (space.spare_values, space.spare_order), space.sorting
    whole = n <= space.codes.shape[1]
    codes, sums = (space.codes[at], 0) if whole else (space.column, at)
    counts, tallies = space.counts[sums], space.tallies[sums]
    starts, bounds, on_right, limits = space.starts, space.bounds, space.on_right, space.limits
    best_score, best_n_left, best_units = np.inf, 0, 0
    on_right[:] = 0
    totals = start_totals(criterion, tally, on_right)
    n_left, divided = n, False
    for b in range(n_bins - 1, -1, -1):
        bounds[b] = np.inf
        if counts[b] == 0:
            continue
        before = totals
        totals = move_bin(criterion, tally, on_right, tallies, b, before)
        if several[f, b] and counts[b] > 1:
            divided = True
            bounds[b] = least_score(criterion, tally, on_right, tallies, b, before, totals, limits)
        n_left -= counts[b]
        if n_left >= min_samples_leaf and n - n_left >= min_samples_leaf:
            here = score(criterion, tally, on_right, totals)
            if here <= best_score:  # going down, so the lowest threshold wins a tie
                best_score, best_n_left, best_units = here, n_left, totals[0]
    if not divided:
        return best_score, best_n_left, best_units
    taken = whole
    on_right[:] = 0
    starts[:n_bins] = -1
    n_left, stop = n, n_bins
    while stop > 0:
        # From the top, as many bins as there is space for: those that may hold a better cut.
        place, limit, b = 0, min(to_beat, best_score), stop - 1
        while b >= 0:
            if several[f, b] and counts[b] > 1 and bounds[b] <= limit:
                if counts[b] > spare[0].shape[0]:
                    return np.inf, -counts[b], 0
                if place + counts[b] > values.shape[0]:
                    break
                starts[b] = place
                place += counts[b]
            b -= 1
        if place > 0:
            if not taken:
                take_codes(X, rows, bins, feature, codes[:n].reshape((1, n)), space)
                taken = True
            for i in range(n):
                b_of_row = codes[i]
                if starts[b_of_row] >= 0:  # which moves to the end of the bin
                    values[starts[b_of_row]], order[starts[b_of_row]] = X[rows[i], f], i
                    starts[b_of_row] += 1
        for in_turn in range(stop - 1, b, -1):
            last, starts[in_turn] = starts[in_turn], -1
            if last < 0 or bounds[in_turn] > min(to_beat, best_score):
                n_left -= counts[in_turn]
                for c in range(on_right.shape[0]):
                    on_right[c] += tallies[in_turn, c]
                continue
            first = last - counts[in_turn]
            sort_by_value(values, order, first, last, sorting, *spare)
            totals = start_totals(criterion, tally, on_right)
            for i in range(last - 1, first - 1, -1):
                n_left -= 1
                totals = move(criterion, tally, on_right, order[i], 1, totals)
                if i > first and values[i - 1] < values[i]:
                    enough = n_left >= min_samples_leaf and n - n_left >= min_samples_leaf
                    here = score(criterion, tally, on_right, totals) if enough else np.inf
                    if here < best_score or (here == best_score and n_left < best_n_left):
                        best_score, best_n_left, best_units = here, n_left, totals[0]
        stop = b + 1
    return best_score, best_n_left, best_units


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
    """
    n = values.shape[0]
    lowest, upper = values[0], values[n - 1]
    best_score, best_n_left, best_units = np.inf, 0, 0
    if lowest == upper:
        return best_score, best_n_left, best_units
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
    return best_score, best_n_left, best_units

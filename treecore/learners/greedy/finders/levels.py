"""The best split of the levels of one column of categories: any set of them may go left.

A level of the column is a feature of zeros and ones (:mod:`treecore.data.readers.columns`), so a
set of levels is a split on the sum of their features: an oblique one, whose weights are 1 on the
levels that go right, and above 1/2 a row does. A row of no level, missing or never seen, has the
sum 0 and goes left; where it should go right the weights are -1 on the levels that go left, and
the threshold is -1/2. So all that reads trees reads these.

Of two classes the levels are sorted by the share of the second one, of a number by its mean: of
all 2^(k-1) - 1 ways to divide k levels one between two neighbours is the best (Breiman et al.,
Classification and Regression Trees, 1984, theorem 4.5), where a side may have a single row: a
limit on rows in a leaf may leave another one better. Of more classes or numbers they are sorted
along the first principal direction of the levels' shares, or means (Coppersmith, Hong and Hosking,
1999), which is no more than good. Rows without a level are tried on both sides, and levels that a
node has no row of go with them; where it has no such rows, they go to the heavier side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.learners.greedy.criteria import count, profile_size, score, weight_of
from treecore.learners.greedy.criteria import start_totals as totals_of

ROUNDS = 50
"""Of the power method, which finds the principal direction."""


def level_groups(categories: np.ndarray | None) -> list[np.ndarray]:
    """The features of each column of ``TrainingRows.categories``, ascending, by their first."""
    if categories is None:
        return []
    columns, first = np.unique(categories, return_index=True)
    order = np.argsort(first)
    return [np.flatnonzero(categories == column) for column in columns[order] if column >= 0]


def level_codes(X: np.ndarray, group: np.ndarray) -> np.ndarray:
    """The number of each row's level, NaN where it has none; float32 (n_samples,)."""
    codes = np.full(len(X), np.nan, dtype=np.float32)
    for place, feature in enumerate(group):
        codes[X[:, feature] > 0.5] = place
    return codes


class LevelGroups(NamedTuple):
    """The columns of categories, and the space to search them.

    - number: int64 (n_features,), number of the column whose first level a feature is; -1 of
      others.
    - features: int64 (n,), the levels of one column after the other; ends: int64 (n_columns + 1,),
      where they begin; goes_right: bool (n,), those that do in the best set of their column.
    - The others are work space for the levels of one column.
    """

    number: np.ndarray
    features: np.ndarray
    ends: np.ndarray
    goes_right: np.ndarray
    sums: np.ndarray
    counts: np.ndarray
    keys: np.ndarray
    order: np.ndarray
    scratch: np.ndarray

    @classmethod
    def of(cls, groups: list[np.ndarray], n_features: int, n_numbers: int) -> LevelGroups | None:
        """Those of :func:`level_groups`, for tallies of so many numbers; None of no groups."""
        if not groups:
            return None
        number, sizes = np.full(n_features, -1), [len(group) for group in groups]
        number[[group[0] for group in groups]] = np.arange(len(groups))
        features, most = np.concatenate(groups), max(sizes)
        return cls(
            number,
            features,
            np.cumsum([0, *sizes]),
            np.zeros(len(features), dtype=np.bool_),
            np.empty((most + 1, n_numbers)),
            np.empty(most + 1, dtype=np.int64),
            np.empty(most),
            np.empty(most, dtype=np.int64),
            np.empty((4, n_numbers)),
        )


@kernel
def write_level_weights(levels, number, gone_left, weights):
    """Write the weights (n_features,) of a split on a set of levels; return its threshold."""
    weights[:] = 0.0
    for place in range(levels.ends[number], levels.ends[number + 1]):
        if levels.goes_right[place] == gone_left:
            weights[levels.features[place]] = 1.0 if gone_left else -1.0
    return 0.5 if gone_left else -0.5


@kernel
def search_levels(codes, rows, criterion, tally, min_samples_leaf, levels, number):
    """Find the best set of a column's levels: its score, where rows of no level go, weight left.

    codes: float32 (n_samples,), the level of each row from 0, NaN for none. ``levels.goes_right``
    is written; where nothing divides the rows the score is infinite.
    """
    begin, end = levels.ends[number], levels.ends[number + 1]
    k, scratch, order, goes_right = end - begin, levels.scratch, levels.order, levels.goes_right
    sums, counts, keys, on_right = levels.sums[: k + 1], levels.counts, levels.keys[:k], scratch[0]
    sums[:], counts[:] = 0.0, 0
    for row in rows:
        level = k if codes[row] != codes[row] else np.int64(codes[row])
        counts[level] += 1
        count(criterion, sums[level], row, 1)
    _set_keys(criterion, tally, sums, counts, keys, scratch)
    n_present = 0
    for level in range(k):  # by insertion, so that of equal keys the first level stays first
        if counts[level] == 0:
            continue
        place = n_present
        while place > 0 and keys[order[place - 1]] > keys[level]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = level
        n_present += 1
    best, best_cut, best_side, best_weight = np.inf, 0, 0, 0.0
    n, n_gone = rows.shape[0], counts[k]
    for side in range(2 if n_gone > 0 else 1):
        n_right = n_gone if side == 0 else 0
        for q in range(tally.shape[0]):
            on_right[q] = sums[k, q] if side == 0 else 0.0
        for cut in range(n_present, -1, -1):  # of the order, what is from there on goes right
            if cut < n_present:
                level = order[cut]
                n_right += counts[level]
                for q in range(tally.shape[0]):
                    on_right[q] += sums[level, q]
            if n_right == 0 or n_right == n:
                continue
            if n_right < min_samples_leaf or n - n_right < min_samples_leaf:
                continue
            totals = totals_of(criterion, tally, on_right)
            here = score(criterion, tally, on_right, totals)
            if here < best or (here == best and side == best_side):  # the fewest levels on the left
                best, best_cut, best_side, best_weight = here, cut, side, totals[0]
    gone_left = best_side == 1
    if n_gone == 0:
        gone_left = 2.0 * best_weight >= weight_of(criterion, tally)
    goes_right[begin:end] = not gone_left
    for place in range(n_present):
        goes_right[begin + order[place]] = place >= best_cut
    return best, gone_left, best_weight


@kernel
def _set_keys(criterion, tally, sums, counts, keys, scratch):
    """Write what the levels are sorted by."""
    m, is_line = profile_size(criterion, tally)
    middle, direction, following = scratch[1], scratch[2], scratch[3]
    if is_line:
        for level in range(keys.shape[0]):
            if counts[level] > 0:
                keys[level] = sums[level, m - 1] / weight_of(criterion, sums[level])
        return
    middle[:] = 0.0
    entire = 0.0
    for level in range(keys.shape[0]):
        if counts[level] > 0:
            entire += weight_of(criterion, sums[level])
            for q in range(m):
                middle[q] += sums[level, q]
    if entire == 0.0:
        return
    farthest = -1.0
    for level in range(keys.shape[0]):  # the power method begins at the level that counts most
        if counts[level] == 0:
            continue
        weight, square = weight_of(criterion, sums[level]), 0.0
        for q in range(m):
            gap = sums[level, q] / weight - middle[q] / entire
            square += gap * gap
        if weight * square > farthest:
            farthest = weight * square
            for q in range(m):
                direction[q] = sums[level, q] / weight - middle[q] / entire
    for turn in range(ROUNDS + 1):
        following[:] = 0.0
        for level in range(keys.shape[0]):
            if counts[level] == 0:
                continue
            weight, along = weight_of(criterion, sums[level]), 0.0
            for q in range(m):
                along += (sums[level, q] / weight - middle[q] / entire) * direction[q]
            keys[level] = along
            for q in range(m):
                gap = sums[level, q] / weight - middle[q] / entire
                following[q] += weight * along * gap
        square = 0.0
        for q in range(m):
            square += following[q] * following[q]
        if square == 0.0 or turn == ROUNDS:
            return
        for q in range(m):
            direction[q] = following[q] / np.sqrt(square)

"""The best place to cut rows that are sorted by value: one after another moves to the right."""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.learners.greedy.criteria import move, score, start_totals


@kernel
def best_cut(values, order, criterion, tally, min_samples_leaf, on_right):
    """The best place to cut rows that are sorted by value.

    values: float32 (n,), ascending; order: int32 (n,), the row of each value; tally: float64 array,
    tally of the rows in ``order``; on_right: float64 array, scratch, as long as ``tally``. Returns
    score: the lowest of all places; infinite if there is no place to cut; n_left, weight_left: rows
    left of the cut, and their weight.
    """
    n = values.shape[0]
    lowest, upper = values[0], values[n - 1]
    best_score, best_n_left, best_weight = np.inf, 0, 0.0
    if lowest == upper:
        return best_score, best_n_left, best_weight
    on_right[:] = 0.0
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
                best_score, best_n_left, best_weight = here, n_left, totals[0]
        upper = lower
    return best_score, best_n_left, best_weight

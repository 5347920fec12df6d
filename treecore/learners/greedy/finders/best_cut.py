"""The best place to cut rows that are sorted by value: one after another moves to the right.

Rows without a value stand behind all others. They stay together, on the side that is said.
"""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.learners.greedy.criteria import move, score, start_totals
from treecore.learners.greedy.monotonic import is_allowed


@kernel
def best_cut(
    values, order, n_known, gone_left, sign, bounds, criterion, tally, min_samples_leaf, on_right
):
    """The best place to cut rows in ascending order: score, rows with a value left, weight left.

    n_known: rows that have a value; gone_left: where the others go; sign 0, or bounds None, allows
    every cut, see ``is_allowed``; on_right: work space. Without a place the score is infinite.
    """
    n = order.shape[0]
    best_score, best_n_left, best_weight = np.inf, 0, 0.0
    n_with_left = n - n_known if gone_left else 0
    if n_known == 0 or (values[0] == values[n_known - 1] and n_known + n_with_left == n):
        return best_score, best_n_left, best_weight
    lowest, upper = values[0], values[n_known - 1]
    on_right[:] = 0.0
    totals = start_totals(criterion, tally, on_right)
    if n_known + n_with_left < n:  # the first place to cut is above all values
        for i in range(n_known, n):
            totals = move(criterion, tally, on_right, order[i], 1, totals)
        if n_known >= min_samples_leaf and n - n_known >= min_samples_leaf:
            here = score(criterion, tally, on_right, totals)
            if bounds is None or sign == 0 or is_allowed(criterion, tally, on_right, sign, bounds):
                best_score, best_n_left, best_weight = here, n_known, totals[0]
    # From the highest value down: what is left when only the lowest remains need not be read,
    # and in images, counts and one-hot columns most rows have the lowest.
    n_left = n_known
    while upper > lowest and n_left + n_with_left > min_samples_leaf:
        # Here values[n_left - 1] is `upper`, and the rows after it are on the right.
        n_left -= 1
        totals = move(criterion, tally, on_right, order[n_left], 1, totals)
        lower = values[n_left - 1]
        if lower < upper and n - n_with_left - n_left >= min_samples_leaf:
            here = score(criterion, tally, on_right, totals)
            # Going down, so the lowest threshold wins a tie.
            if here <= best_score and (
                bounds is None or sign == 0 or is_allowed(criterion, tally, on_right, sign, bounds)
            ):
                best_score, best_n_left, best_weight = here, n_left, totals[0]
        upper = lower
    return best_score, best_n_left, best_weight

"""The reduced problem of an axis-aligned split, solved exactly: the best cut on one feature.

Down a column in ascending order, the stake that goes astray changes by that of one row at a time ::

    astray(cut) = sum of the stakes that want left + sum over rows left of the cut of a_i
                  a_i = stake_i where right is wanted, -stake_i where left is

and the other way round, small values right, it is all stakes less that (Carreira-Perpinan and
Tavallali 2018, section on axis-aligned trees).
"""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel


@kernel(allocates=True)
def best_cut(columns, wants_right, stake):
    """The cut of the least stake astray; of equals the first feature, then the least value.

    Returns feature (-1: none beats one side for all), the values between which it lies, whether
    small values go right, and the stake astray.
    """
    left = right = 0.0
    signed = np.empty(stake.shape[0])
    for i in range(stake.shape[0]):
        signed[i] = stake[i] if wants_right[i] else -stake[i]
        if wants_right[i]:
            right += stake[i]
        else:
            left += stake[i]
    astray = min(left, right)
    feature, turned = -1, False
    lower, upper = np.float32(0.0), np.float32(0.0)
    n = columns.n_rows
    for j in range(columns.start.shape[0] - 1):
        first, stop, shift = columns.start[j], columns.start[j + 1], columns.shift[j]
        values = columns.values[first:stop]
        where = columns.where[first + shift : stop + shift]
        n_zeros = n - values.shape[0]  # they are not stored, and come in one block
        zeros = 0.0
        if n_zeros > 0:
            zeros = right - left
            for k in range(where.shape[0]):
                zeros -= signed[where[k]]
        order = np.argsort(values, kind="mergesort")
        total = 0.0
        last = np.float32(0.0)
        started = False
        zeros_passed = n_zeros == 0
        k = 0
        while k < order.shape[0] or not zeros_passed:
            block = not zeros_passed and (k == order.shape[0] or values[order[k]] > 0)
            value = np.float32(0.0) if block else values[order[k]]
            if started and value > last:
                if left + total < astray:
                    astray, feature, turned = left + total, j, False
                    lower, upper = last, value
                if right - total < astray:
                    astray, feature, turned = right - total, j, True
                    lower, upper = last, value
            if block:
                total += zeros
                zeros_passed = True
            else:
                total += signed[where[order[k]]]
                k += 1
            started, last = True, value
    return feature, lower, upper, turned, astray


def threshold_beyond(values: np.ndarray, right: bool) -> np.float32:
    """A threshold with all float32 values on one side of it; right: all but the least exceed it."""
    return np.nextafter(values.min(), np.finfo(np.float32).min) if right else values.max()

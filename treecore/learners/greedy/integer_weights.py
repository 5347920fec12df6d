"""Weights as integers, so that sums of them are exact and equal splits are exact ties.

Where all weights are integer multiples of one number, the units are those multiples, and a weight
of 3 does to the tree what three copies of the row would do. Weights that know no such number are
rounded to a total fine enough that a mean row moves by less than a percent.
"""

from __future__ import annotations

import numpy as np

LARGEST_EXACT = 2**22
"""Greatest total of multiples that are taken as they are, and of rounded weights: the terms of an
entropy are tabulated up to the total, here 7 MB of them."""

UNITS_PER_ROW = 64
"""Of a mean row, where weights are rounded: by 0.8 percent at most."""

_PART = 1 << 16
"""Weights that are worked on together."""

LEAST_ROUNDED = 2**20
"""Least total of rounded weights: of a thousand rows, a mean one has a thousand units."""


def integer_units(weight: np.ndarray) -> np.ndarray:
    """Whole numbers in the ratio of the weights.

    They are exact where the weights are multiples, within a millionth, of one number that is
    not below their sum / 2^22, and where all are equal. Otherwise they are rounded to a total
    of 64 a row, but at least 2^20 and at most 2^22, and no row gets less than one unit.

    Parameters
    ----------
    weight : float64 array, shape (n_samples,)
        Positive and finite.

    Returns
    -------
    int32 array, shape (n_samples,)
    """
    # In parts: every array between weights and units would be as long as both.
    parts = [slice(first, first + _PART) for first in range(0, weight.size, _PART)]
    distinct = np.unique(np.concatenate([np.unique(weight[part]) for part in parts]))
    if distinct.size == 1:
        return np.ones(weight.size, dtype=np.int32)
    total = weight.sum()
    unit = _common_unit(distinct, total / LARGEST_EXACT)
    if unit > 0:
        units = np.empty(weight.size, dtype=np.int32)
        for part in parts:
            units[part] = np.rint(weight[part] / unit)
        ratio = units.sum() / total
        off = max(np.abs(weight[part] * ratio - units[part]).max() for part in parts)
        if off < 1e-6 and units.sum() <= LARGEST_EXACT:
            return units
    fine = min(max(UNITS_PER_ROW * weight.size, LEAST_ROUNDED), LARGEST_EXACT)
    units = np.empty(weight.size, dtype=np.int32)
    for part in parts:
        units[part] = np.maximum(np.rint(weight[part] * (fine / total)), 1)
    return units


def _common_unit(weights: np.ndarray, smallest: float) -> float:
    """The greatest number that all ``weights`` are multiples of; 0 where it is below ``smallest``.

    Euclid's algorithm with the nearest multiple instead of the next lower one, so that a weight
    just short of a multiple leaves nearly nothing, as one just beyond it does.
    """
    unit = 0.0
    for weight in weights.tolist():
        rest = weight
        while rest > smallest / 2:
            unit, rest = rest, abs(unit - rest * round(unit / rest))
        if unit < smallest * (1 - 1e-6):
            return 0.0
        # The last remainder has lost digits to every step before it; the weight itself has not.
        unit = weight / round(weight / unit)
    return unit

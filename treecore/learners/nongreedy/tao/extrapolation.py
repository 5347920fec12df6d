"""Coordinate descent that has far to go, extrapolated from its last sweeps (Anderson acceleration).

Some combination of the last places, with weights that sum to 1, hardly changes in a sweep and is
much nearer to the minimum (Bertrand and Massias 2021).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.learners.nongreedy.cholesky import cholesky, solve_lower, solve_upper
from treecore.learners.nongreedy.tao.columns import kernel_part

KEPT = 6
"""Places that are kept: the first, and those after five sweeps."""


class Sweeps(NamedTuple):
    """The last places of coordinate descent, d: float64 (KEPT, width), and what is mixed of them.

    moved: float64 (KEPT, n_rows), what each adds to the scores; the others are work space.
    """

    d: np.ndarray
    moved: np.ndarray
    gram: np.ndarray
    factor: np.ndarray
    mix: np.ndarray

    @classmethod
    def of(cls, width: int, n_rows: int) -> Sweeps:
        gram, factor = np.empty((2, KEPT - 1, KEPT - 1))
        return cls(
            np.empty((KEPT, width)), np.empty((KEPT, n_rows)), gram, factor, np.empty(KEPT - 1)
        )


@kernel_part
def keep_sweep(sweeps, k, d, moved):
    """Keep a place as the k-th. d, moved: float64 (width,) and (n_rows,)."""
    for j in range(d.shape[0]):
        sweeps.d[k, j] = d[j]
    for i in range(moved.shape[0]):
        sweeps.moved[k, i] = moved[i]


@kernel(pasted=True)
def mix_sweeps(sweeps):
    """Write what the places, all of them kept, tend to over the first of them."""
    d, moved, gram, mix = sweeps.d, sweeps.moved, sweeps.gram, sweeps.mix
    n_changes, trace = KEPT - 1, 0.0
    for a in range(n_changes):
        mix[a] = 1.0
        for b in range(a + 1):
            gram[a, b] = 0.0
            for j in range(d.shape[1]):
                gram[a, b] += (d[a + 1, j] - d[a, j]) * (d[b + 1, j] - d[b, j])
        trace += gram[a, a]
    # The weights that sum to 1 of the least combined change; a little ridge, as changes are alike.
    cholesky(gram, 1e-10 * trace + 1e-300, sweeps.factor)
    solve_lower(sweeps.factor, mix, mix)
    solve_upper(sweeps.factor, mix)
    total = 0.0
    for a in range(n_changes):
        total += mix[a]
    for place in (d, moved):
        for i in range(place.shape[1]):
            mixed = 0.0
            for a in range(n_changes):
                mixed += mix[a] / total * place[a + 1, i]
            place[0, i] = mixed

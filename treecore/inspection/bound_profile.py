"""The bound while all weights grow together: Proposition 1 of Norouzi et al. 2015.

Multiplying W by a factor changes no decision, so the loss stays; but every penalty ``2 |s_i|``
grows with it, other leaves fall behind, and the bound comes down to the loss. The price is that it
goes flat: once an example's own leaf is the answer of loss-augmented inference, the example turns
no split any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from treecore.inspection.sgd_debugger import SGDDebugger


@dataclass(frozen=True)
class BoundProfile:
    """Means over the rows, float64 arrays, shape (n_factors,)."""

    factors: np.ndarray
    bound: np.ndarray
    loss: np.ndarray
    turning: np.ndarray


def bound_profile(debugger: SGDDebugger, factors: np.ndarray) -> BoundProfile:
    """Mean bound, mean loss and share of turning rows with W multiplied by each factor.

    factors: float (n_factors,), above 0.
    """
    means = [
        [part.mean(dtype=np.float64) for part in debugger.measure(factor)] for factor in factors
    ]
    return BoundProfile(factors, *np.array(means).reshape(-1, 3).T)

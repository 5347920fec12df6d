"""The bound while all weights grow together: Proposition 1 of Norouzi et al. 2015.

Multiplying W by a factor keeps the loss, raises every penalty ``2 |s_i|`` and so lowers the bound
towards the loss; but then fewer examples turn a split.
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
    """Mean bound, mean loss and share of turning rows with W multiplied by each factor."""
    means = [
        [part.mean(dtype=np.float64) for part in debugger.measure(factor)] for factor in factors
    ]
    return BoundProfile(factors, *np.array(means).reshape(-1, 3).T)

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

from treecore.core.kernels import kernel
from treecore.core.rows import row_at
from treecore.learners.nongreedy.inference import infer
from treecore.learners.nongreedy.sgd.stable import assigned_loss
from treecore.losses import leaf_cost

if TYPE_CHECKING:
    from treecore.inspection.sgd_debugger import Bench


@kernel
def look_at_rows(tree, X, y, assigned, exact, bound, loss, turning):
    """Write the bound and the loss of every row, and whether its update would turn a split.

    Parameters
    ----------
    tree : JointTree
    X : float32 array, shape (n_samples, width)
    y : int64 array, shape (n_samples,), or float32 array, shape (n_samples, n_outputs)
    assigned : int32 array, shape (n_samples,)
        The leaf that Stable SGD holds a row to, -1 for none.
    exact : bool
    bound, loss, turning : OUT float32, float32 and bool arrays, shape (n_samples,)
    """
    for i in range(bound.shape[0]):
        x = row_at(X, i)
        h_leaf, g_leaf, value, _ = infer(tree, x, y[i], exact)
        a_leaf = h_leaf
        if assigned[i] >= 0 and assigned[i] != h_leaf:
            a_leaf = assigned[i]
            value += assigned_loss(tree, x, a_leaf)
        bound[i] = value
        loss[i] = leaf_cost(tree.tables, tree.theta, h_leaf, y[i])
        turning[i] = g_leaf != a_leaf


@dataclass(frozen=True)
class Tightness:
    """Means over the rows, float64 arrays, shape (n_factors,).

    Attributes
    ----------
    factors, bound, loss
    turning : the share of the rows that would turn a split
    """

    factors: np.ndarray
    bound: np.ndarray
    loss: np.ndarray
    turning: np.ndarray


def tightness(bench: Bench, factors: np.ndarray) -> Tightness:
    """Mean bound, mean loss and share of turning rows with W multiplied by each factor."""
    means = [[part.mean(dtype=np.float64) for part in bench.measure(factor)] for factor in factors]
    return Tightness(factors, *np.array(means).reshape(-1, 3).T)

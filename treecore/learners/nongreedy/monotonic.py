"""Monotonic trees that are learnt as a whole, and linear leaves: what keeps their answers in order.

Every split is of one of two kinds. A *free* split has no weight on constrained features. An
*ordering* split may have weights on them, of such signs only that a row whose constrained features
move as the answer must not fall is only ever sent to one and the same side, its *upper* side; and
no leaf on its other side answers more than any leaf on this one. Trees with linear leaves have free
splits only, and models that never fall as a constrained feature moves so.

**Proof.** Let constrained features alone lie between x and x', all moved in the direction in which
the answer must not fall. A free split scores both alike. An ordering one scores x' no further from
the upper side than x: every product of a weight and its feature has moved that way or stayed, and
rounded sums keep the order of their terms. So where the paths of x and x' part, x' is on the upper
side of an ordering split and x is not, and the leaf of x' answers no less. Where they do not part,
both end in one leaf: a constant answers alike, and the sum of a model has only terms that rise or
stay, and clipping it to its range keeps the order.

Kinds are those of the start. Where it cuts a constrained feature, that split is an ordering one; of
random oblique splits those of the first third of the levels are free, unless all features are
constrained. After every round of learning weights are set back to the nearest that their kinds
allow, and leaf values are clipped where sides cross.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from treecore.core.linear_leaves import LinearLeaves
from treecore.core.scaling import Scaling
from treecore.core.tree import OBLIQUE, Tree, split_depths, tree_depth
from treecore.pruning.monotonic import in_order, sides_in_order


class OrderedTree:
    """The kinds of the splits of one tree, and the order of its leaves; linear: its leaves are."""

    def __init__(self, start: Tree, scaling: Scaling, signs: np.ndarray, linear: bool):
        pull = scaling.rows_of(start)[:, : scaling.n_features] * signs
        way = np.where(pull.sum(axis=1) >= 0, 1, -1) * pull.any(axis=1)
        if linear:
            way[:] = 0
        elif not signs.all():
            first = split_depths(start) < tree_depth(start) // 3
            way[first & (start.feature == OBLIQUE)] = 0
        self._sides = sides_in_order(start, way)
        self._constrained = signs != 0
        self._direction = (way[:, None] * signs).astype(np.float32)

    def restrict(self, W: np.ndarray) -> None:
        """Set back the weights that the kinds of splits forbid, in place; (n_splits, width)."""
        weights = W[:, : len(self._constrained)]
        weights[self._constrained & ~(weights * self._direction > 0)] = 0.0

    def order(self, values: np.ndarray, classes: bool) -> np.ndarray:
        """A copy of leaf values, in order; classes: they are log-odds of two."""
        return in_order(values, self._sides, classes)


def with_signs(
    fitted: Callable[[np.ndarray], LinearLeaves],
    Z: np.ndarray,
    leaf: np.ndarray,
    signs: np.ndarray | None,
) -> LinearLeaves:
    """The models that ``fitted`` makes of rows Z, no slope against ``signs``, int8 (n_features,).

    Leaves with such slopes are fitted once more without those features, and others become 0.
    """
    linear = fitted(Z)
    if signs is None:
        return linear
    way = np.zeros((linear.weights.shape[1], Z.shape[1]), dtype=np.float32)
    way[:, : len(signs)] = signs
    if len(way) == 2:  # of the log-odds of two classes the first falls where the second rises
        way[0] *= -1
    against = np.any(linear.weights * way < 0, axis=1)
    if against.any():
        linear = fitted(np.where(against[leaf], np.float32(0.0), Z))
        against |= np.any(linear.weights * way < 0, axis=1)
    return linear._replace(weights=np.where(against[:, None], np.float32(0.0), linear.weights))

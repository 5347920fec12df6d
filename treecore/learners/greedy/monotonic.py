"""Monotonic trees: the answer never falls as a constrained feature rises, or never rises.

The answer is the number of a regression tree, and the probability of the second class of a tree of
two classes. Every node has bounds, ``low <= high``, and a *value*: what it would answer as a leaf,
smoothed as leaves are.

1. A cut on a constrained feature is allowed only if the values of its two sides, each clipped into
   the bounds of the node, are in order: where the answer must not fall, the left value is not above
   the right one.
2. Behind such a cut the middle of the two clipped values becomes an upper bound of the side that
   must be lower, and a lower bound of the other side. All other bounds are handed down as they are.
3. A leaf answers its own value, clipped into its bounds.

**Proof.** Take two rows without missing values, ``x`` and ``x'``. They differ in constrained
features only, and each of these has moved in the direction in which the answer must not fall. If
they reach different leaves, their paths part at one split. Its feature differs, so it is
constrained, and ``x`` goes to the side that must be lower. Bounds only tighten from a node to its
children: by 1 and 2 the middle lies within the bounds of the node. So by 3 every leaf on the side
of ``x`` answers at most the middle of that split, and every leaf on the side of ``x'`` at least
that. So the answer to ``x'`` is not below the answer to ``x``. Rounding keeps this: neither
clipping nor rounding swaps two numbers.

Scikit-learn has the same bounds, but refuses a cut on a constrained feature if the value of a side
lies outside the bounds of the node. Here it is clipped, so trees may grow where its trees stop.

A missing value has no place in the order. Rows that lack it count in the value of the side that
they go to, but nothing is promised about a row that has the value and one that lacks it.
"""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.tree import OBLIQUE
from treecore.learners.greedy.criteria import side_values
from treecore.learners.greedy.targets import Targets
from treecore.rows.training_rows import TrainingRows


@kernel
def is_allowed(criterion, tally, right, sign, bounds):
    """Whether the sides of a cut are in order.

    tally, right: float64 arrays, of the node and of the right side; sign: of the feature that is
    cut, 1 where the answer must not fall, -1 where it must not rise; bounds: float64 (3,), low,
    high and the smoothing of leaves.
    """
    on_left, on_right = side_values(criterion, tally, right, bounds[2])
    low, high = bounds[0], bounds[1]
    on_left, on_right = min(max(on_left, low), high), min(max(on_right, low), high)
    return sign * on_left <= sign * on_right


class MonotonicBounds:
    """The bounds of all nodes of one tree.

    smoothing: examples that know nothing, added to every leaf, in the weights of ``targets``; room:
    nodes at most.
    """

    def __init__(self, rows: TrainingRows, targets: Targets, smoothing: float, room: int):
        assert rows.monotonic is not None, "something is constrained"
        self._signs = rows.monotonic
        self._is_classes = rows.loss.task == "classification"
        self._targets, self._smoothing = targets, smoothing
        self._bounds = np.tile([-np.inf, np.inf, smoothing], (room, 1))

    def of(self, place: int) -> np.ndarray:
        """The bounds of a node as kernels read them, float64 (3,); a view."""
        return self._bounds[place]

    def hand_down(self, place: int, child: int, feature: int, tally, right) -> None:
        """Set the bounds of the two children of a node, ``child`` and the one after it.

        tally, right: of the node and of its right side.
        """
        bounds, sign = self._bounds, 0 if feature == OBLIQUE else self._signs[feature]
        bounds[child : child + 2] = bounds[place]
        if sign != 0:
            sides = side_values(self._targets.criterion, tally, right, self._smoothing)
            middle = np.clip(sides, *bounds[place, :2]).mean()
            bounds[child, 1 if sign > 0 else 0] = middle
            bounds[child + 1, 0 if sign > 0 else 1] = middle

    def clipped(self, values: np.ndarray, places: np.ndarray) -> np.ndarray:
        """Leaf values within the bounds; float32 (n_leaves, n_outputs), of some nodes."""
        low, high = self._bounds[places, :1], self._bounds[places, 1:2]
        if self._is_classes:  # both logarithms, so that the log-odds keep their order exactly
            low, high = np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)
            with np.errstate(divide="ignore"):
                low, high = np.log(np.hstack([1 - high, low])), np.log(np.hstack([1 - low, high]))
        return np.clip(values, low.astype(np.float32), high.astype(np.float32))


def check_monotonic(rows: TrainingRows) -> None:
    """Raise ValueError where constraints do not fit the rows."""
    signs = rows.monotonic
    assert signs is not None, "something is constrained"
    if signs.dtype != np.int8 or signs.shape != (rows.X.shape[1],):
        raise ValueError(f"monotonic_cst must be int8, one for each of {rows.X.shape[1]} features")
    if (np.abs(signs) > 1).any():
        raise ValueError("monotonic_cst must hold only -1, 0 and 1")
    if rows.loss.task == "classification" and rows.n_outputs != 2:
        raise ValueError(
            f"monotonic_cst needs two classes, and y has {rows.n_outputs}: leave it out, or join "
            "classes"
        )
    if rows.loss.task == "regression" and rows.n_outputs != 1:
        raise ValueError(
            f"monotonic_cst needs one number a row, and y has {rows.n_outputs}: leave it out, or "
            "fit a tree for each output"
        )

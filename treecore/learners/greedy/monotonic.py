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

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.tree import OBLIQUE
from treecore.learners.greedy.criteria import side_values
from treecore.rows.training_rows import TrainingRows


@kernel
def is_allowed(criterion, tally, right, sign, bounds):
    """Whether the sides of a cut are in order; sign: of the feature that is cut.

    bounds: float64 (3,), low, high and the smoothing of leaves.
    """
    on_left, on_right = side_values(criterion, tally, right, bounds[2])
    low, high = bounds[0], bounds[1]
    on_left, on_right = min(max(on_left, low), high), min(max(on_right, low), high)
    return sign * on_left <= sign * on_right


class Monotonic(NamedTuple):
    """What the nodes of one tree must keep.

    - signs: int8 (n_features,), see ``TrainingRows.monotonic``.
    - bounds: float64 (n_nodes, 3), of every node: low, high, and the smoothing of leaves.
    """

    signs: np.ndarray
    bounds: np.ndarray

    def clipped(self, values: np.ndarray, places: np.ndarray) -> np.ndarray:
        """Leaf values of some nodes within their bounds; float32 (n_leaves, n_outputs)."""
        low, high = self.bounds[places, :1], self.bounds[places, 1:2]
        if values.shape[1] == 2:  # both logarithms, so that the log-odds keep their order exactly
            low, high = np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)
            with np.errstate(divide="ignore"):
                low, high = np.log(np.hstack([1 - high, low])), np.log(np.hstack([1 - low, high]))
        return np.clip(values, low.astype(np.float32), high.astype(np.float32))


@kernel
def hand_down(monotonic, criterion, place, child, feature, tally, right):
    """Set the bounds of the two children of a node, ``child`` and the one after it."""
    bounds, sign = monotonic.bounds, np.int64(0)
    for k in range(3):
        bounds[child, k] = bounds[child + 1, k] = bounds[place, k]
    if feature != OBLIQUE:
        sign = np.int64(monotonic.signs[feature])
    if sign != 0:
        on_left, on_right = side_values(criterion, tally, right, bounds[place, 2])
        low, high = bounds[place, 0], bounds[place, 1]
        on_left, on_right = min(max(on_left, low), high), min(max(on_right, low), high)
        middle = (on_left + on_right) / 2
        bounds[child, 1 if sign > 0 else 0] = middle
        bounds[child + 1, 0 if sign > 0 else 1] = middle


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

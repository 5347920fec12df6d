"""A split turned by hand: what the tree would be worth if one question were another one.

The split keeps its length in training coordinates, times a factor; nothing is learnt.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np

from treecore.core.routing import apply
from treecore.inspection.sgd_debugger import SGDDebugger
from treecore.inspection.tao_node import with_split
from treecore.losses.base import Loss
from treecore.losses.metrics import evaluate
from treecore.pruning.subtrees import leaves_below
from treecore.rows.training_rows import TrainingRows


@dataclass(frozen=True)
class ManualSplitCost:
    """What a tree is worth on the training rows, and who goes where at one split.

    good: accuracy or R²; here, right: bool (n_samples,), rows that reach it and go right; leaf:
    int32.
    """

    bound: float
    loss: float
    good: float
    here: np.ndarray
    right: np.ndarray
    leaf: np.ndarray


def manual_split_cost(debugger: SGDDebugger, rows: TrainingRows, split: int) -> ManualSplitCost:
    """What the tree of a debugger is worth on the training rows, seen from one split. rows: raw."""
    tree, loss = debugger.tree(), rows.loss
    bound, cost, _ = debugger.measure()
    leaf = apply(tree, rows.X)
    here = np.isin(leaf, leaves_below(tree, split))
    side = int(tree.right[split])
    right = np.isin(leaf, leaves_below(tree, side))
    return ManualSplitCost(
        float(bound.mean(dtype=np.float64)),
        float(cost.mean(dtype=np.float64)),
        _good(tree, rows, loss),
        here,
        right,
        leaf,
    )


def _good(tree, rows: TrainingRows, loss: Loss) -> float:
    figures = evaluate(tree, rows.X, rows.y, loss=loss, sample_weight=rows.weight)
    good = figures.r2 if figures.accuracy is None else figures.accuracy
    assert good is not None, "one of both is measured"
    return good


def with_manual_split(
    debugger: SGDDebugger, split: int, weights: np.ndarray, threshold: float, factor: float = 1.0
) -> SGDDebugger:
    """Another debugger, whose split asks whether ``weights @ x > threshold`` (raw features)."""
    changed = with_split(debugger.tree(), split, weights, np.float32(threshold))
    row = debugger.to_scaled_weights(changed)[split]
    size, new_size = np.linalg.norm(debugger.W[split].astype(np.float64)), np.linalg.norm(row)
    if size > 0 and new_size > 0:
        row = row * (factor * size / new_size)
    other = copy.copy(debugger)
    other.joint = copy.deepcopy(debugger.joint)
    other.W[split] = row.astype(np.float32)
    return other

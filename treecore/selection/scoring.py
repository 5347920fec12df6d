"""How right a tree is about rows, one number a row, so that two trees can be compared by pairs."""

from __future__ import annotations

import numpy as np

from treecore.core.routing import class_probabilities, predict_values
from treecore.core.tree import Tree
from treecore.rows.training_rows import TrainingRows


def successes(tree: Tree, rows: TrainingRows) -> np.ndarray:
    """What each row adds to a tree's score as it is shown, float64 (n_samples,).

    Its weight where it is classified correctly, or times the loss that the tree spares it.
    """
    return _successes(predict_values(tree, rows.X), rows)


def gains(tree: Tree, rows: TrainingRows) -> np.ndarray:
    """What each row adds to the score by which trees are compared, float64 (n_samples,).

    :func:`successes`; of classes the mean of that and 1 less the Brier score, which varies less.
    """
    scores = predict_values(tree, rows.X)
    right = _successes(scores, rows)
    if rows.loss.task != "classification":
        return right
    off = class_probabilities(scores)
    off[np.arange(len(rows.y)), rows.y] -= 1.0
    # Rounded, so that the last digits of a sum, which depend on the processor, decide nothing.
    brier = np.round((off**2).sum(axis=1), 6)
    return 0.5 * right + 0.5 * rows.weight * (1.0 - brier)


def _successes(scores: np.ndarray, rows: TrainingRows) -> np.ndarray:
    if rows.loss.task == "classification":
        return rows.weight * (scores.argmax(axis=1) == rows.y)
    cost = rows.loss.of_predictions(scores, rows.y).astype(np.float64)
    return rows.weight * (cost_of_mean(rows) - cost)


def cost_of_mean(rows: TrainingRows) -> np.ndarray:
    """What the mean of the training rows, 0 in their units, costs each row; float64."""
    mean = np.zeros((1, rows.n_outputs), dtype=np.float32)
    nowhere = np.zeros(len(rows.y), dtype=np.int32)
    return rows.loss.of_rows(mean, nowhere, rows.y).astype(np.float64)

"""Linear leaves of a tree whose splits are learnt: slopes of each leaf, drawn to those of all rows.

To the model of all rows every leaf adds a regression of what is left of its rows, or nothing. So a
leaf of few rows says what all rows say (Quinlan 1992, "Learning with continuous classes").
"""

from __future__ import annotations

import numpy as np

from treecore.core.linear_leaves import LinearLeaves
from treecore.learners.nongreedy.leaf_family import models_of, unbounded_scores
from treecore.learners.nongreedy.logistic_leaves import LogisticLeaves
from treecore.learners.nongreedy.ridge_leaves import RidgeLeaves
from treecore.rows.training_rows import TrainingRows

LeafFamily = RidgeLeaves | LogisticLeaves


def family_for(rows: TrainingRows, smoothing: float) -> LeafFamily:
    """Return the models of linear leaves: ridge regressions, or logistic ones of classes."""
    if rows.loss.task == "regression":
        return RidgeLeaves()
    return LogisticLeaves(rows.n_outputs, smoothing)


def settled_models(
    family: LeafFamily, Z, y, weight, leaf, n_leaves: int, n_features: int
) -> LinearLeaves:
    """The models of all leaves, once splits are learnt; Z: float32 (n_samples, width)."""
    nowhere = np.zeros(len(leaf), dtype=np.int32)
    nothing = np.zeros((len(leaf), family.n_outputs(y)))
    slopes, intercept = family.step(Z, y, weight, nowhere, 1, n_features, nothing)
    above = unbounded_scores(slopes, intercept, Z, nowhere)
    own_slopes, own_intercept = family.step(Z, y, weight, leaf, n_leaves, n_features, above)
    fitted = slopes + own_slopes, intercept + own_intercept
    return models_of(*fitted, family.ends(*fitted, Z, y, weight, leaf), Z.shape[1])

"""The reduced problem of an oblique split: a line that sends care points to their sides.

Logistic regression with an L1 penalty (:mod:`treecore.learners.nongreedy.tao.newton`) stands in for
the 0/1 loss. A ridge beside it makes better splits where features say much the same.
"""

from __future__ import annotations

import numpy as np

from treecore.core.scaling import Scaling
from treecore.core.tree import OBLIQUE
from treecore.learners.nongreedy.tao.care_points import ReducedProblem
from treecore.learners.nongreedy.tao.columns import take_columns
from treecore.learners.nongreedy.tao.editable_tree import EditableSplit
from treecore.learners.nongreedy.tao.newton import NewtonSpace, fit_weights

OFFSET_SCALE = 10.0
"""How many times less the penalty weighs on the offset than on the weights."""


def oblique_cut(
    now: EditableSplit,
    problem: ReducedProblem,
    X: np.ndarray,
    scaling: Scaling,
    *,
    C: float,
    ridge: float,
    max_iter: int,
) -> EditableSplit:
    """Return the oblique split that the care points teach, in place of the present one.

    Minimises ``||w||_1 + ridge/2 ||w||^2 + C * sum_n stake_n log(1 + exp(-t_n s_n))`` over scores
    ``s = w.z - b`` in training coordinates; t is 1 for rows that want to go right, else -1.
    """
    right, p = problem.wants_right, scaling.n_features
    if problem.one_sided:
        weights = np.zeros(p, dtype=np.float32)
        threshold = np.float32(-1.0 if right[0] else 1.0)
        return now._replace(feature=OBLIQUE, weights=weights, threshold=threshold)
    start = np.asarray(now.weights, dtype=np.float64)
    if now.feature != OBLIQUE:
        start = np.zeros(p)
        start[now.feature] = 1.0
    scale, shift = coordinates(scaling)
    w, held = np.zeros(p + 1), scale[:p] > 0
    np.divide(start, scale[:p], out=w[:p], where=held)
    w[p] = (float(now.threshold) - (start * scaling.mean)[held].sum()) / shift[p]
    rarer = min(np.count_nonzero(right), np.count_nonzero(~right)) / len(right)
    columns, space = take_columns(X, problem.care), NewtonSpace.of(len(right), p + 1)
    stake, enough = C * problem.stake, 1e-4 * rarer  # LIBLINEAR's rule, scikit-learn's default
    fit_weights(columns, scale, shift, right, stake, ridge, enough, max_iter, w, space)
    w[p] *= OFFSET_SCALE
    weights, thresholds = scaling.to_raw_splits(w[None])
    weights, threshold = weights[0].astype(np.float32), np.float32(thresholds[0])
    return now._replace(feature=OBLIQUE, weights=weights, threshold=threshold)


def coordinates(scaling: Scaling) -> tuple[np.ndarray, np.ndarray]:
    """Return ``scale`` and ``shift`` of ``tao.newton``, offset last: float64, (n_features + 1,)."""
    p = scaling.n_features
    # A column with a greater mean holds one value, and rounding.
    held = np.abs(scaling.mean) <= 1e8 * scaling.deviation
    scale, shift = np.zeros((2, p + 1))
    np.divide(scaling.factor, scaling.deviation, out=scale[:p], where=held)
    shift[:p] = scale[:p] * scaling.mean
    shift[p] = scaling.factor * OFFSET_SCALE
    return scale, shift

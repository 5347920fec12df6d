"""The reduced problem of an oblique split: a line that sends care points to their sides.

The fewest go astray along a line that is hard to find, so logistic regression with an L1 penalty
(:mod:`treecore.learners.nongreedy.tao.logistic`) stands in for the 0/1 loss.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from treecore.core.scaling import Scaling
from treecore.core.tree import OBLIQUE
from treecore.learners.nongreedy.tao.care_points import ReducedProblem
from treecore.learners.nongreedy.tao.editable_tree import EditableSplit
from treecore.learners.nongreedy.tao.logistic import SOLVERS, by_newton
from treecore.rows.tables import SparseRows


def oblique_cut(
    now: EditableSplit,
    problem: ReducedProblem,
    X: np.ndarray | SparseRows,
    scaling: Scaling,
    *,
    C: float,
    max_iter: int,
    seed: int,
    solver: str = "liblinear",
    ridge: float = 0.0,
) -> EditableSplit:
    """The oblique split that is learnt from the care points in place of the present one.

    Where all of them want the same side it needs no weights.

    Parameters
    ----------
    now : EditableSplit
        The present split, of either kind; where a solver may start.
    problem : ReducedProblem
        With care points.
    X : float32 array, shape (n_samples, n_features), or SparseRows
        Raw rows.
    scaling : Scaling
        Coordinates of the problem.
    C, max_iter, seed
        See :func:`treecore.learners.nongreedy.tao.logistic.by_liblinear`.
    solver : str
        A name of :data:`treecore.learners.nongreedy.tao.logistic.SOLVERS`.
    ridge : float
        Above 0 the solver is :func:`treecore.learners.nongreedy.tao.logistic.by_newton`.
    """
    weights = np.zeros(scaling.n_features, dtype=np.float32)
    if problem.one_sided:
        threshold = np.float32(-1.0 if problem.wants_right[0] else 1.0)
    else:
        start = now.weights, now.threshold
        if now.feature != OBLIQUE:
            start = np.zeros(scaling.n_features), now.threshold
            start[0][now.feature] = 1.0
        solve = partial(by_newton, ridge=ridge) if ridge > 0 else SOLVERS[solver]
        care = problem.care, problem.wants_right, problem.stake
        weights, threshold = solve(
            scaling, X, *care, C=C, max_iter=max_iter, seed=seed, start=start
        )
    return now._replace(feature=OBLIQUE, weights=weights, threshold=threshold)

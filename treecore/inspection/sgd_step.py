"""One update of SGD or Stable SGD, with everything that it changes.

With h the code that the step pulls towards and g the one it pushes away from, the paper's step is
``w_i <- w_i + eta (h_i - g_i) x``, then ``||w_i||^2 <= nu``. SGD takes h = sgn(Wx); Stable SGD
forces the bits of h on the path to the leaf that x is assigned to.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np

from treecore.inspection.inference import Search, split_scores, trace_search
from treecore.learners.nongreedy.joint_tree import TrainingTree
from treecore.learners.nongreedy.sgd.updates import (
    assigned_loss,
    leaf_gradient_step,
    pull_and_push,
    push_away,
)
from treecore.learners.nongreedy.sgd.visits import look_at_rows


@dataclass(frozen=True)
class Turn:
    """A split that one step turns: its row of W (width,) before and after.

    towards_right: the score of x rises; forced: back to the assigned leaf; shortened: scaled to
    ``nu``.
    """

    split: int
    towards_right: bool
    forced: bool
    before: np.ndarray
    after: np.ndarray
    score_before: np.float32
    score_after: np.float32
    shortened: bool


@dataclass(frozen=True)
class SGDStep:
    """One example's update: inference before it, the turns from the root down, theta of the leaf.

    lost: ``2 |s_i|`` of every bit forced by the assigned leaf; the bound is ``search.bound +
    lost``.
    """

    search: Search
    assigned: int | None
    lost: np.float32
    turns: tuple[Turn, ...]
    theta_before: np.ndarray
    theta_after: np.ndarray
    bound_before: np.float32
    bound_after: np.float32
    loss_before: np.float32
    loss_after: np.float32
    tree: TrainingTree


def trace_update(
    tree: TrainingTree, x: np.ndarray, y, exact: bool, eta: float, nu: float, assigned: int | None
) -> SGDStep:
    """The update of one example; ``tree`` stays; assigned: the leaf of Stable SGD, or None."""
    after = copy.deepcopy(tree)
    visit = x, y, exact, assigned
    bound_before, loss_before = _bound_and_loss(after, *visit)
    search = trace_search(after, x, y, exact)
    n_splits, g_leaf = len(tree.left), search.g_leaf
    lost, turned = np.float32(0), np.zeros(n_splits, dtype=np.int8)
    if assigned is None:
        push_away(after, x, g_leaf, eta, nu, None, turned)
    else:
        lost = np.float32(assigned_loss(after, x, assigned))
        side = np.zeros(n_splits, dtype=np.int8)
        pull_and_push(after, x, assigned, g_leaf, eta, nu, side, None, turned)
    leaf_gradient_step(after, g_leaf, y, eta)
    scores = after.score.copy(), split_scores(after, x)
    bound_after, loss_after = _bound_and_loss(after, *visit)
    return SGDStep(
        search=search,
        assigned=assigned,
        lost=lost,
        # Children are numbered after their parents, so this is from the root down.
        turns=tuple(
            _turn(tree, after, split, turned[split] > 0, scores, x, eta)
            for split in np.flatnonzero(turned).tolist()
        ),
        theta_before=tree.theta[g_leaf].copy(),
        theta_after=after.theta[g_leaf].copy(),
        bound_before=bound_before,
        bound_after=bound_after,
        loss_before=loss_before,
        loss_after=loss_after,
        tree=after,
    )


def _bound_and_loss(tree, x, y, exact, assigned) -> np.ndarray:
    """Bound and loss of one example, the bound of Stable SGD where it is assigned a leaf."""
    bound, loss = numbers = np.empty((2, 1), dtype=np.float32)
    assigned_to = np.array([-1 if assigned is None else assigned], dtype=np.int32)
    turning = np.empty(1, dtype=bool)
    look_at_rows(tree, x[None], np.asarray(y)[None], assigned_to, exact, bound, loss, turning)
    return numbers[:, 0]


def _turn(tree, after, split: int, towards_right: bool, scores, x: np.ndarray, eta: float) -> Turn:
    score_before, score_after = (part[split] for part in scores)
    before, now = tree.W[split].copy(), after.W[split].copy()
    step = np.float32(2.0 * eta if towards_right else -2.0 * eta)
    return Turn(
        split=split,
        towards_right=bool(towards_right),
        forced=bool(towards_right != (score_before > 0)),
        before=before,
        after=now,
        score_before=score_before,
        score_after=score_after,
        shortened=not np.array_equal(now, before + step * x),
    )

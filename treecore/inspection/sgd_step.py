"""One update of SGD or Stable SGD, with everything that it changes.

With h the code that the step pulls towards and g the one it pushes away from, the paper's step

    w_i  <-  w_i + eta (h_i - g_i) x        then ||w_i||^2 <= nu

moves the splits where h and g differ, by ``2 eta x``, and no others. Plain SGD takes
h = sgn(Wx). Stable SGD forces the bits of h on the path to the leaf that x is assigned to.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np

from treecore.core.kernels import kernel
from treecore.inspection.inference import Search, ceiling_at, path_to, score_at, trace_search
from treecore.learners.nongreedy.inference import infer
from treecore.learners.nongreedy.joint_tree import TrainingTree
from treecore.learners.nongreedy.sgd.sgd import leaf_gradient_step
from treecore.learners.nongreedy.sgd.stable import assigned_loss
from treecore.learners.nongreedy.weight_rows import add_scaled_row


@dataclass(frozen=True)
class Turn:
    """A split that one step turns.

    Attributes
    ----------
    split : int
    towards_right : bool
        Whether the step raises the score of x.
    forced : bool
        Whether x is turned back towards its assigned leaf, against where it goes by itself.
    before, after : float32 arrays, shape (width,)
        Its row of W.
    score_before, score_after : float32
    shortened : bool
        Whether the row had grown beyond ``nu`` and was scaled back.
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
    """One example's update.

    Attributes
    ----------
    search : Search
        Inference before the update.
    assigned : int or None
        The leaf that Stable SGD holds the example to.
    lost : float32
        What that leaf costs against sgn(Wx), ``2 |s_i|`` of every forced bit: the bound is
        ``search.bound + lost``.
    turns : tuple of Turn
        From the root down.
    theta_before, theta_after : float32 arrays, shape (n_outputs,)
        Values of the leaf ``search.g_leaf``.
    bound_before, bound_after, loss_before, loss_after : float32
        Of this example.
    tree : TrainingTree
        After the update.
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


@kernel
def turn_at(tree, split, step, x, nu):
    """Add ``step`` times x to one row of W, for Python.

    Parameters
    ----------
    tree : TrainingTree
        Changed in place.
    split : int
    step : float32
    x : float32 array, shape (width,)
    nu : float
        Greatest squared norm of a row.
    """
    add_scaled_row(tree.W, split, step, x, nu)


def trace_update(
    tree: TrainingTree, x: np.ndarray, y, exact: bool, eta: float, nu: float, assigned: int | None
) -> SGDStep:
    """The update that one example makes; ``tree`` itself stays as it is.

    Parameters
    ----------
    tree, x, y, exact
        See :func:`treecore.inspection.inference.trace_search`.
    eta, nu : float
        Learning rate of this visit, the row's weight included; greatest squared norm of a row.
    assigned : int or None
        The leaf of Stable SGD, None for plain SGD.
    """
    search = trace_search(tree, x, y, exact)
    after = copy.deepcopy(tree)
    towards_g = dict(path_to(tree, search.g_leaf))
    towards_a = {} if assigned is None else dict(path_to(tree, assigned))
    turns, lost = [], np.float32(0)
    # Children are numbered after their parents, so this is from the root down; sums of penalties
    # run from the leaf up, as in the kernel.
    for split in sorted(towards_g.keys() | towards_a.keys()):
        s = np.float32(score_at(tree, split, x))
        g_right = towards_g.get(split, bool(s > 0))
        h_right = towards_a.get(split, bool(s > 0))
        if g_right != h_right:
            turns.append(_turn(after, split, h_right, bool(s > 0), x, eta, nu))
    for split, right in reversed(towards_a.items()):
        s = np.float32(score_at(tree, split, x))
        if (s > 0) != right:
            lost = lost + np.float32(2) * abs(s)
    theta = tree.theta[search.g_leaf].copy()
    leaf_gradient_step(after, search.g_leaf, y, eta)
    now = bound_of(after, x, y, exact, assigned)
    return SGDStep(
        search=search,
        assigned=assigned,
        lost=lost,
        turns=tuple(turns),
        theta_before=theta,
        theta_after=after.theta[search.g_leaf].copy(),
        bound_before=search.bound + lost,
        bound_after=now[1],
        loss_before=np.float32(ceiling_at(tree, ~search.h_leaf, y)),
        loss_after=np.float32(ceiling_at(after, ~now[0], y)),
        tree=after,
    )


def bound_of(
    tree: TrainingTree, x: np.ndarray, y, exact: bool, assigned: int | None
) -> tuple[int, np.float32]:
    """The leaf of one example and its bound, that of Stable SGD where it is assigned a leaf.

    Parameters
    ----------
    tree, x, y, exact, assigned
        See :func:`trace_update`.

    Returns
    -------
    leaf : int
    bound : float32
    """
    h_leaf, _, bound, _ = infer(tree, x, y, exact)
    bound = np.float32(bound)
    if assigned is not None:
        bound = bound + np.float32(assigned_loss(tree, x, assigned))
    return h_leaf, bound


def _turn(after, split, h_right, s_right, x, eta, nu) -> Turn:
    before = after.W[split].copy()
    score_before = np.float32(score_at(after, split, x))
    step = np.float32(2.0 * eta) if h_right else np.float32(-2.0 * eta)
    turn_at(after, split, step, x, nu)
    row = after.W[split].copy()
    return Turn(
        split=split,
        towards_right=h_right,
        forced=h_right != s_right,
        before=before,
        after=row,
        score_before=score_before,
        score_after=np.float32(score_at(after, split, x)),
        shortened=not np.array_equal(row, before + step * x),
    )

"""Stable SGD: the bound is lowered while every example keeps the leaf it was last assigned to.

Norouzi et al. 2015, section 6, eq. 14. Plain SGD lets leaves lose all their examples and hardly
ever gives them back. Here the second maximum of the bound runs only over codes that lead to the
assigned leaf a(x),

    B_a(x, y) = max_g [ g'Wx + l(theta_f(g), y) ] - max_{h: f(h) = a(x)} h'Wx

which is the plain bound plus ``2 |s_i|`` for every split on the path to a(x) that x disagrees
with, and so never below it. A step turns those splits back towards a(x) as well. Once a pass
improves the mean bound by less than a tolerance, all examples are assigned anew.
"""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.tree import Tree
from treecore.learners.base import Reassignment
from treecore.learners.nongreedy.inference import infer, plain_leaf, search
from treecore.learners.nongreedy.sgd.look_ahead import PathsAhead, look_ahead, path_in_turn
from treecore.learners.nongreedy.sgd.sgd import SGD
from treecore.learners.nongreedy.sgd.updates import (
    StepRule,
    assigned_loss,
    leaf_gradient_step,
    pull_and_push,
)
from treecore.losses.base import leaf_cost
from treecore.rows.training_rows import TrainingRows


def stable_rows(tree, X, y, weight, order, assigned, rule: StepRule, side, sums) -> None:
    """Visit some examples of a pass, one update each (Norouzi et al. 2015, section 6).

    assigned: int32 (n_samples,), a(x) of every row; side: int8 (n_splits,), work space, all zero;
    sums: float64 (2,).
    """
    _visit_rows(tree, X, y, weight, order, assigned, rule, side, sums, PathsAhead.of(tree))


@kernel
def _visit_rows(tree, X, y, weight, order, assigned, rule, side, sums, ahead):
    exact, eta, nu, slope, n_before = rule
    for i in range(order.shape[0]):
        look_ahead(tree, X, order, i, ahead)
        row = order[i]
        if weight[row] == 0.0:
            continue
        x, target, a_leaf = X[row], y[row], assigned[row]
        rate = (eta + (n_before + i) * slope) * weight[row]
        h_leaf, n_on_path = path_in_turn(tree, x, i, ahead)
        g_leaf, bound, n_opened = search(tree, x, target, exact, h_leaf, n_on_path, None)
        lost = np.float32(0.0)
        if a_leaf != h_leaf:
            lost = assigned_loss(tree, x, a_leaf)
        if a_leaf != g_leaf:
            turned = None if ahead is None else ahead.turned
            pull_and_push(tree, x, a_leaf, g_leaf, rate, nu, side, turned)
        leaf_gradient_step(tree, g_leaf, target, rate)
        sums[0] += weight[row] * (bound + lost)
        sums[1] += n_on_path + n_opened


@kernel
def assign_rows(tree, X, weight, assigned, counts):
    """Assign every row to the leaf that it reaches.

    X: float32 (n_samples, width) or CentredRows; weight: float64 (n_samples,); assigned: int32
    (n_samples,); counts: int64 (n_leaves,), raised by the rows of every leaf that have a weight.
    Returns int, rows whose leaf has changed.
    """
    n_moved = 0
    for i in range(assigned.shape[0]):
        leaf = plain_leaf(tree, X[i])
        if leaf != assigned[i]:
            assigned[i] = leaf
            n_moved += 1
        if weight[i] > 0.0:
            counts[leaf] += 1
    return n_moved


class StableSGD(SGD):
    """A :class:`treecore.learners.base.Learner`: Stable SGD from a given starting tree.

    tolerance: all examples are assigned anew after a pass that lowered the mean bound by less than
    this share of it; more: see :class:`treecore.learners.nongreedy.sgd.sgd.SGD`.
    """

    name = "stable-sgd"

    def __init__(self, rows: TrainingRows, start: Tree, *, tolerance: float, **more):
        super().__init__(rows, start, **more)
        self._tolerance = tolerance
        self._assigned = np.full(self.pass_units, -1, dtype=np.int32)
        self._counts = np.zeros(start.n_leaves, dtype=np.int64)
        self._side = np.zeros(start.n_splits, dtype=np.int8)
        self._sums = np.zeros(2)
        self._last_bound = np.inf
        self._assigned_view: np.ndarray | None = None
        self._assign(self._counts)
        self.reassignment: Reassignment | None = None

    @property
    def assigned(self) -> np.ndarray:
        """a(x), the leaf that the gradient uses for every training row: int32 (n_samples,).

        Not to be written to; the same array until the rows are assigned anew.
        """
        if self._assigned_view is None:
            self._assigned_view = self._assigned.copy()
            self._assigned_view.flags.writeable = False
        return self._assigned_view

    def _visit(self, rows, rule):
        if rule.n_before == 0:
            self._sums[:] = 0.0
            self.reassignment = None
        before = self._sums[1]
        visit = self._visit_batches if self._options.heavy else stable_rows
        data = self.joint, self.train_rows, self._y, self._weight, rows, self._assigned
        visit(*data, rule, self._side, self._sums)
        return self._sums[1] - before

    def _end_pass(self):
        super()._end_pass()
        bound = self._sums[0] / self.pass_units
        if bound > (1.0 - self._tolerance) * self._last_bound:
            self._reassign()
            bound = np.inf  # another bound now: the next pass has nothing to compare with
        self._last_bound = bound

    def _assign(self, counts: np.ndarray) -> int:
        self._assigned_view = None
        counts[:] = 0
        return assign_rows(self.joint, self.train_rows, self._weight, self._assigned, counts)

    def _reassign(self) -> None:
        before = self._counts > 0
        counts = np.empty_like(self._counts)
        n_moved = self._assign(counts)
        after = counts > 0
        self._counts = counts
        self.reassignment = Reassignment(
            n_moved=int(n_moved),
            n_woken=int(np.count_nonzero(after & ~before)),
            n_asleep=int(np.count_nonzero(before & ~after)),
        )


@kernel
def look_at_rows(tree, X, y, assigned, exact, bound, loss, turning):
    """Write the bound and the loss of every row, and whether its update would turn a split.

    X: float32 (n_samples, width); y: int64 (n_samples,) or float32 (n_samples, n_outputs);
    assigned: int32 (n_samples,), the leaf that Stable SGD holds a row to, -1 for none; bound, loss,
    turning: float32, float32 and bool (n_samples,), written.
    """
    for i in range(bound.shape[0]):
        x = X[i]
        h_leaf, g_leaf, value, _ = infer(tree, x, y[i], exact)
        a_leaf = h_leaf
        if assigned[i] >= 0 and assigned[i] != h_leaf:
            a_leaf = assigned[i]
            value += assigned_loss(tree, x, a_leaf)
        bound[i] = value
        loss[i] = leaf_cost(tree.tables, tree.theta, h_leaf, y[i])
        turning[i] = g_leaf != a_leaf

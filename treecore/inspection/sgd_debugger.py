"""A debugger of SGD: a run that is paused, and stepped by hand one example at a time."""

from __future__ import annotations

import copy
from collections.abc import Iterable

import numpy as np

from treecore.core.scaling import Scaling
from treecore.core.tree import Tree
from treecore.inspection.sgd_step import SGDStep, trace_update
from treecore.learners.nongreedy.sgd.sgd import SGD
from treecore.learners.nongreedy.sgd.updates import StepRule
from treecore.learners.nongreedy.sgd.visits import assign_rows, look_at_rows, sgd_rows
from treecore.rows.training_rows import TrainingRows

REASSIGN = -1
"""In a list of visits: all examples are assigned to leaves anew."""


class SGDDebugger:
    """The tree of a run, its rows, and the order in which the run would visit them next.

    X: float32 (n_samples, width) in training coordinates; eta, nu: learning rate; largest squared
    norm. Visits in ``order`` lead to the tree of the run itself.
    """

    def __init__(self, learner: SGD, rows: TrainingRows, exact: bool, eta: float, nu: float):
        self.joint = copy.deepcopy(learner.joint)
        self.X, self.y, self.weight = learner.train_rows[:], rows.y, rows.weight_in_order
        self.exact, self.eta, self.nu = exact, eta, nu
        self.order = _next_order(learner)
        self._stable = copy.deepcopy(learner.run.stable)
        self._scaling, self._like = Scaling.fit(rows.complete.X), learner.tree()

    @property
    def W(self) -> np.ndarray:
        """The rows of the splits, float32 (n_splits, width); what is written there counts."""
        return self.joint.W

    @property
    def assigned(self) -> np.ndarray | None:
        """The leaf that Stable SGD holds each row to, int32 (n_samples,); None in plain SGD."""
        return None if self._stable is None else self._stable.assigned

    def after(self, visits: Iterable[int]) -> SGDDebugger:
        """Another debugger, whose tree has visited some rows; ``REASSIGN`` assigns all anew."""
        other = copy.copy(self)
        other.joint, other._stable = copy.deepcopy((self.joint, self._stable))
        for row in visits:
            other._visit(row)
        return other

    def _visit(self, row: int) -> None:
        if row == REASSIGN:
            if self._stable is not None:
                assign_rows(self.joint, self.X, self.weight, self._stable)
            return
        data = self.joint, self.X, self.y, self.weight, np.array([row])
        sgd_rows(*data, StepRule(self.exact, self.eta, self.nu), self._stable)

    def trace_update(self, row: int) -> SGDStep:
        """What visiting one row would do."""
        assigned = None if self.assigned is None else int(self.assigned[row])
        rate = self.eta * self.weight[row]
        return trace_update(
            self.joint, self.X[row], self.y[row], self.exact, rate, self.nu, assigned
        )

    def measure(self, factor: float = 1.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Bound, loss, and whether it turns a split, of every row, with W times ``factor``."""
        tree = self.joint._replace(W=(np.float32(factor) * self.W).astype(np.float32))
        n = len(self.y)
        bound, loss = np.empty(n, dtype=np.float32), np.empty(n, dtype=np.float32)
        turning = np.empty(n, dtype=bool)
        assigned = np.full(n, -1, dtype=np.int32) if self.assigned is None else self.assigned
        look_at_rows(tree, self.X, self.y, assigned, self.exact, bound, loss, turning)
        return bound, loss, turning

    def tree(self, joint=None) -> Tree:
        """``joint``, by default the present tree, as a tree that reads raw features."""
        joint = self.joint if joint is None else joint
        return self._scaling.to_raw_tree(joint.W, self._like, joint.theta)


def _next_order(learner: SGD) -> np.ndarray:
    """Rows in the order of the pass that the learner would begin next."""
    twin = copy.deepcopy(learner)
    twin.advance(1)
    return twin.run.order

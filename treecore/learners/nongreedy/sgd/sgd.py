"""Joint learning of all splits and leaves by SGD on the surrogate bound.

Algorithm 1 of Norouzi et al. 2015. For every example, with h = sgn(Wx) and g from
loss-augmented inference (:mod:`treecore.learners.nongreedy.inference`):

    w_i   <-  w_i + eta (h_i - g_i) x      for every split, here those where g and h disagree
    w_i   <-  min(1, sqrt(nu) / ||w_i||) w_i        offset included
    theta <-  theta - eta dl(theta_g, y)/dtheta     for the leaf of g alone

``nu`` bounds the squared norm of a row, ``eta`` is the learning rate. Where the paper is silent
we choose: examples in a new random order every pass, ``eta`` falling within a pass as well as
between passes, leaves started at smoothed class log-odds. Stable SGD is in
:mod:`treecore.learners.nongreedy.sgd.visits`; once a pass lowers its mean bound by less than a
tolerance, all examples are assigned to leaves anew.
"""

from __future__ import annotations

import numpy as np

from treecore.core.scaling import Scaling
from treecore.core.tree import Tree
from treecore.learners.base import Reassignment
from treecore.learners.nongreedy.inference import measure_rows, plain_leaves
from treecore.learners.nongreedy.settings import SGDSettings
from treecore.learners.nongreedy.sgd.run import advance, changing_arrays, make_run
from treecore.learners.nongreedy.weight_rows import mean_row_norm
from treecore.rows.training_rows import TrainingRows


class SGD:
    """A :class:`treecore.learners.base.Learner`: SGD or Stable SGD from a given starting tree.

    A unit of work is one example. scaling: of a stream of which ``rows`` are a piece, else None.
    """

    def __init__(
        self,
        rows: TrainingRows,
        start: Tree,
        settings: SGDSettings,
        *,
        rng: np.random.Generator,
        scaling: Scaling | None = None,
    ):
        self.scaling = scaling or Scaling.fit(rows.X)
        goes_on = scaling is not None
        self.run = make_run(rows, start, settings, rng, self.scaling, goes_on)
        self.joint = self.run.tree
        self.name = "sgd" if self.run.stable is None else "stable-sgd"
        self.train_rows = self.run.X
        self.n_epochs, self.pass_units = settings.epochs, len(rows.X)
        self.start, self.exact = start, settings.inference == "exact"
        self._assigned_view: tuple[int, np.ndarray] | None = None

    @property
    def epoch(self) -> float:
        n_started, n_visited, _ = self.run.clock.tolist()
        return max(0, n_started - 1) + n_visited / self.pass_units

    @property
    def finished(self) -> bool:
        return self.epoch == self.n_epochs

    @property
    def inner_products(self) -> float | None:
        _, n_visited, n_products = self.run.clock.tolist()
        return n_products / n_visited if n_visited else None

    @property
    def assigned(self) -> np.ndarray | None:
        """a(x), int32 (n_samples,), of Stable SGD, or None; the same array until assigned anew."""
        stable = self.run.stable
        if stable is None:
            return None
        number = int(stable.moved[0])
        if self._assigned_view is None or self._assigned_view[0] != number:
            view = stable.assigned.copy()
            view.flags.writeable = False
            self._assigned_view = number, view
        return self._assigned_view[1]

    @property
    def reassignment(self) -> Reassignment | None:
        """What moved where Stable SGD has assigned all examples anew at the end of this pass."""
        stable = self.run.stable
        if stable is None or stable.moved[1] < 0:
            return None
        return Reassignment(*stable.moved[1:].tolist())

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything that changes while it learns: its state."""
        return changing_arrays(self.run)

    def advance(self, budget: int) -> int:
        return advance(self.run, budget)

    def tree(self) -> Tree:
        return self.scaling.to_raw_tree(self.joint.W, self.start, self.joint.theta.copy())

    def values(self) -> np.ndarray:
        return self.joint.theta

    @property
    def row_norm(self) -> float:
        return mean_row_norm(self.joint.W)

    def prepare(self, rows):
        return self.scaling.transform(rows.complete.X)

    def measure(self, rows, y, weight, bounded):
        leaf = np.empty(len(rows), dtype=np.int32)
        if bounded:
            in_order = np.ascontiguousarray(weight)  # equal ones all lie in the same place
            return leaf, measure_rows(self.joint, rows, y, in_order, self.exact, leaf)
        plain_leaves(self.joint, rows, leaf)
        return leaf, None

    def predictions(self, rows, leaf) -> None:
        """None: leaves are constant."""

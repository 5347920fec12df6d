"""Joint learning of all splits and leaves by SGD on the surrogate bound.

Algorithm 1 of Norouzi et al. 2015. For every example, with h = sgn(Wx) and g from
loss-augmented inference (:mod:`treecore.learners.nongreedy.inference`):

    w_i   <-  w_i + eta (h_i - g_i) x      for every split, here those where g and h disagree
    w_i   <-  min(1, sqrt(nu) / ||w_i||) w_i        offset included
    theta <-  theta - eta dl(theta_g, y)/dtheta     for the leaf of g alone

``nu`` bounds the squared norm of a row, ``eta`` is the learning rate. Where the paper is silent
we choose: examples in a new random order every pass, ``eta`` falling within a pass as well as
between passes, leaves started at smoothed class log-odds, rows started at ``sqrt(nu)`` so that
the first bound is as tight as ``nu`` allows.

Mini-batches and momentum are in :mod:`treecore.learners.nongreedy.sgd.batches`; what may happen to
the rows between two passes, a penalty for sparsity and averaging, in
:mod:`treecore.learners.nongreedy.sgd.regularization`.
"""

from __future__ import annotations

import math

import numpy as np

from treecore.base.schedules import SCHEDULES
from treecore.compiling.kernels import kernel
from treecore.core.scaling import Scaling
from treecore.core.tree import Tree
from treecore.learners.nongreedy.inference import (
    measure_rows,
    plain_leaves,
    search,
)
from treecore.learners.nongreedy.joint_tree import make_joint
from treecore.learners.nongreedy.sgd.batches import MomentumRows, batch_rows
from treecore.learners.nongreedy.sgd.look_ahead import PathsAhead, look_ahead, path_in_turn
from treecore.learners.nongreedy.sgd.options import Options
from treecore.learners.nongreedy.sgd.regularization import (
    ROUNDS,
    Average,
    features_left,
    hard_threshold,
    soft_threshold,
)
from treecore.learners.nongreedy.sgd.updates import StepRule, leaf_gradient_step, push_away
from treecore.learners.nongreedy.weight_rows import dense_rows, editable_rows, row_norms
from treecore.losses.base import fill_leaves, fill_splits
from treecore.rows.training_rows import TrainingRows


def sgd_rows(tree, X, y, weight, order, rule: StepRule) -> int:
    """Visit some examples of a pass, one update each; return the inner products spent.

    tree: changed in place; X: float32 (n_samples, width); y: int64 (n_samples,) or float32
    (n_samples, n_outputs); weight: float64 (n_samples,), each row's share in the learning rate; a
    row without weight is passed over; order: int64 (n_visits,), rows to visit, in this order.
    """
    return _visit_rows(tree, X, y, weight, order, rule, PathsAhead.of(tree))


@kernel
def _visit_rows(tree, X, y, weight, order, rule, ahead):
    exact, eta, nu, slope, n_before = rule
    total = 0
    for i in range(order.shape[0]):
        look_ahead(tree, X, order, i, ahead)
        row = order[i]
        if weight[row] == 0.0:
            continue
        x = X[row]
        rate = (eta + (n_before + i) * slope) * weight[row]
        h_leaf, n_on_path = path_in_turn(tree, x, i, ahead)
        g_leaf, _, n_opened = search(tree, x, y[row], exact, h_leaf, n_on_path, None)
        if g_leaf != h_leaf:
            push_away(tree, x, g_leaf, rate, nu, None if ahead is None else ahead.turned)
        leaf_gradient_step(tree, g_leaf, y[row], rate)
        total += n_on_path + n_opened
    return total


class SGD:
    """A :class:`treecore.learners.base.Learner`: Algorithm 1 from a given starting tree.

    A unit of work is one example.

    - start: tree to start from: its shape, splits and leaf values.
    - nu, eta: greatest squared norm of a row; learning rate.
    - schedule: a key of :data:`treecore.base.schedules.SCHEDULES`.
    - exact: exact instead of fast inference.
    - rng: gives the order of the examples.
    - options: none: Algorithm 1 as it stands.
    - scaling: that of a stream of which ``rows`` are a piece, to go on from ``start`` as it is.
    """

    name = "sgd"

    def __init__(
        self,
        rows: TrainingRows,
        start: Tree,
        *,
        n_epochs: int,
        nu: float,
        eta: float,
        schedule: str,
        exact: bool,
        rng: np.random.Generator,
        options: Options | None = None,
        scaling: Scaling | None = None,
    ):
        options = options or Options()
        self._scaling = scaling or Scaling.fit(rows.X)
        self.train_rows = self._scaling.transform(rows.X)
        self._y, self._weight = rows.y, rows.weight_in_order
        self._start = start
        # A tree that is learnt further keeps the lengths of its rows as well.
        W = (
            self._scaling.to_scaled_weights(start)
            if scaling
            else math.sqrt(nu) * self._scaling.rows_of(start)
        )
        W = W.astype(np.float32)
        self.joint = make_joint(start, MomentumRows.of(W) if options.heavy else W, rows.loss)
        self._nu, self._eta, self._schedule, self._exact = nu, eta, schedule, exact
        self._options = options
        self._average = Average()
        self._rng = rng
        self._order = np.empty(0, dtype=np.int64)
        self._n_passes = 0  # begun so far
        self._n_visited = 0  # of the last pass begun
        self._n_products = 0
        self.n_epochs = n_epochs
        self.pass_units = len(rows.X)
        self._round = -(-self.pass_units // (ROUNDS * options.batch)) * options.batch
        self.inner_products: float | None = None

    @property
    def epoch(self) -> float:
        """Passes done, fractional inside a pass."""
        return max(0, self._n_passes - 1) + self._n_visited / self.pass_units

    @property
    def finished(self) -> bool:
        """Whether all passes are done."""
        return self._n_passes == self.n_epochs and self._n_visited == self.pass_units

    def advance(self, budget: int) -> int:
        """Visit about ``budget`` examples of the present pass; see ``Learner``."""
        if self.finished:
            return 0
        n, batch = self.pass_units, self._options.batch
        if self._n_passes == 0 or self._n_visited == n:
            self._order = self._rng.permutation(n)
            self._n_passes += 1
            self._n_visited = self._n_products = 0
        # Whole batches, so that cutting a pass never cuts one of them, and no further than a round.
        start = self._n_visited
        stop = start + -(-budget // batch) * batch
        if self._options.sparsity > 0:
            stop = min(stop, start - start % self._round + self._round)
        stop = min(stop, n)
        # The schedule is read at both ends of a pass and followed on a straight line between.
        share = SCHEDULES[self._schedule]
        first = self._eta * share((self._n_passes - 1) / self.n_epochs)
        last = self._eta * share(self._n_passes / self.n_epochs)
        slope = (last - first) / n
        rule = StepRule(self._exact, first, self._nu, slope, start)
        self._n_products += self._visit(self._order[start:stop], rule)
        self._n_visited = stop
        self.inner_products = self._n_products / stop
        if self._options.sparsity > 0 and (stop % self._round == 0 or stop == n):
            begun = (stop - 1) // self._round * self._round
            self._shrink((stop - begun) * (first + slope * (begun + stop) / 2))
        if stop == n:
            self._end_pass()
        return stop - start

    def _visit(self, rows: np.ndarray, rule: StepRule) -> int:
        """A part of a pass, see :func:`sgd_rows`; returns the inner products spent."""
        data = self.joint, self.train_rows, self._y, self._weight, rows
        if not self._options.heavy:
            return sgd_rows(*data, rule)
        sums, side = np.zeros(2), np.zeros(self._start.n_splits, dtype=np.int8)
        self._visit_batches(*data, np.empty(0, dtype=np.int32), rule, side, sums)
        return int(sums[1])

    def _visit_batches(self, *arguments) -> None:
        options = self._options
        chosen = np.empty(options.batch, dtype=np.int32)
        batch_rows(*arguments, options.batch, options.momentum, chosen)

    def _shrink(self, spent: float) -> None:
        """Soft-threshold W for a round in which the learning rates add up to ``spent``."""
        with editable_rows(self.joint.W) as W:
            soft_threshold(W, self._scaling.n_features, self._options.sparsity * spent)

    def _end_pass(self) -> None:
        """What happens to the tree between two passes, and after the last one."""
        options, theta, p = self._options, self.joint.theta, self._scaling.n_features
        with editable_rows(self.joint.W) as W:
            if options.max_features > 0:
                done = self._n_passes / self.n_epochs
                hard_threshold(W, p, features_left(p, options.max_features, done))
            if self._n_passes > (1.0 - options.averaging) * self.n_epochs:
                self._average.add(W, theta)
            if self.finished and self._average.n:
                self._average.write(W, theta)
                if options.max_features > 0:
                    hard_threshold(W, p, options.max_features)
                fill_leaves(self.joint.tables, theta)
                fill_splits(self.joint.tables, theta, self.joint.left, self.joint.right)

    def tree(self) -> Tree:
        """The present tree, its scaling folded in; a copy."""
        theta = self.joint.theta.copy()
        return self._scaling.to_raw_tree(dense_rows(self.joint.W), self._start, theta)

    def values(self) -> np.ndarray:
        """The present leaf values theta, float32 (n_leaves, n_outputs)."""
        return self.joint.theta

    @property
    def row_norm(self) -> float:
        """Mean Euclidean norm of the rows of W, offset included, in training coordinates."""
        return float(row_norms(self.joint.W).mean()) if self._start.n_splits else 0.0

    def prepare(self, X):
        """Raw rows in training coordinates, float32 (n_samples, width)."""
        return self._scaling.transform(X)

    def measure(self, rows, y, weight, bounded):
        """The leaf of every row and the weighted sum of their bounds."""
        leaf = np.empty(len(rows), dtype=np.int32)
        if bounded:
            in_order = np.ascontiguousarray(weight)  # equal ones all lie in the same place
            return leaf, measure_rows(self.joint, rows, y, in_order, self._exact, leaf)
        plain_leaves(self.joint, rows, leaf)
        return leaf, None

    def predictions(self, rows, leaf) -> None:
        """None: leaves are constant."""

"""Joint learning of all splits and leaves by SGD on the surrogate bound.

Algorithm 1 of Norouzi et al. 2015. For every example, with h = sgn(Wx) and g from
loss-augmented inference (:mod:`treecore.nongreedy.inference`):

    w_i   <-  w_i + eta (h_i - g_i) x      for every split, here those where g and h disagree
    w_i   <-  min(1, sqrt(nu) / ||w_i||) w_i        offset included
    theta <-  theta - eta dl(theta_g, y)/dtheta     for the leaf of g alone

``nu`` bounds the squared norm of a row, ``eta`` is the learning rate. Where the paper is silent
we choose: examples in a new random order every pass, ``eta`` falling within a pass as well as
between passes, leaves started at smoothed class log-odds, rows started at ``sqrt(nu)`` so that
the first bound is as tight as ``nu`` allows.
"""

from __future__ import annotations

import math

import numpy as np

from treecore.kernels import kernel
from treecore.losses import teach, widen
from treecore.nongreedy.inference import infer, measure_rows
from treecore.nongreedy.joint import make_joint
from treecore.nongreedy.splits import turn_split
from treecore.rows import TrainingRows, n_rows, row_at
from treecore.scaling import Scaling
from treecore.tree import Tree


@kernel
def push_away(tree, x, g_leaf, eta, nu):
    """Step on W: turn every split on the path to ``g_leaf`` that x disagrees with away from it.

    ``tree.score`` must hold the scores of that path, as :func:`infer` leaves them.
    """
    child = ~g_leaf
    node = tree.leaf_parent[g_leaf]
    while node >= 0:
        h_right = tree.score[node] > 0
        if h_right != (tree.right[node] == child):
            step = np.float32(2.0 * eta) if h_right else np.float32(-2.0 * eta)
            turn_split(tree.W, node, step, x, nu)
        child = node
        node = tree.split_parent[node]


@kernel
def teach_leaf(tree, leaf, y, eta):
    """Step on Theta: one leaf, its losses, and the bounds above it as far as they change."""
    teach(tree.tables, tree.theta, leaf, y, eta)
    node = tree.leaf_parent[leaf]
    while node >= 0 and widen(tree.tables, tree.theta, node, tree.left, tree.right):
        node = tree.split_parent[node]


@kernel
def sgd_rows(tree, X, y, weight, order, exact, eta, slope, n_before, nu):
    """Visit some examples of a pass, one update each; return the inner products spent.

    Parameters
    ----------
    tree : JointTree
        Changed in place.
    X : float32 array, shape (n_samples, width), or SparseRows
    y : int64 array, shape (n_samples,), or float32 array, shape (n_samples, n_outputs)
    weight : float64 array, shape (n_samples,)
        Each row's share in the learning rate; a row without weight is passed over.
    order : int64 array, shape (n_visits,)
        Rows to visit, in this order.
    exact : bool
    eta, slope : float
        The learning rate of visit i of the pass is ``eta + i * slope``.
    n_before : int
        Visits of this pass made by earlier calls: however a pass is cut, visit i has the same
        learning rate to the last bit.
    nu : float
    """
    total = 0
    for i in range(order.shape[0]):
        row = order[i]
        if weight[row] == 0.0:
            continue
        x = row_at(X, row)
        rate = (eta + (n_before + i) * slope) * weight[row]
        h_leaf, g_leaf, _, n_products = infer(tree, x, y[row], exact)
        if g_leaf != h_leaf:
            push_away(tree, x, g_leaf, rate, nu)
        teach_leaf(tree, g_leaf, y[row], rate)
        total += n_products
    return total


SCHEDULES = {
    "constant": lambda progress: 1.0,
    "linear": lambda progress: 1.0 - progress,
    "cosine": lambda progress: 0.5 * (1.0 + math.cos(math.pi * progress)),
}
"""Learning rate as a share of ``eta``, by the share of the run that is done (0 to 1)."""


class SGD:
    """A :class:`treecore.trainer.Learner`: Algorithm 1 from a given starting tree.

    A unit of work is one example.

    Parameters
    ----------
    rows : TrainingRows
    start : Tree
        Tree to start from: its shape, splits and leaf values.
    n_epochs : int
    nu, eta : float
        Greatest squared norm of a row; learning rate.
    schedule : str
        A key of ``SCHEDULES``.
    exact : bool
        Exact instead of fast inference.
    rng : numpy.random.Generator
        Gives the order of the examples.
    scaling : Scaling or None
        That of a stream of which ``rows`` are a piece, to go on from ``start`` as it is. None:
        that of the rows, and every row of W begins at length ``sqrt(nu)``.
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
        scaling: Scaling | None = None,
    ):
        self._scaling = scaling or Scaling.fit(rows.X)
        self.train_rows = self._scaling.transform(rows.X)
        self._y, self._weight = rows.y, rows.weight
        self._start = start
        # A tree that is only gone on with keeps the lengths of its rows as well.
        W = self._scaling.unfold(start) if scaling else math.sqrt(nu) * self._scaling.rows_of(start)
        self.joint = make_joint(start, W, rows.loss)
        self._nu, self._eta, self._schedule, self._exact = nu, eta, SCHEDULES[schedule], exact
        self._rng = rng
        self._order = np.empty(0, dtype=np.int64)
        self._n_passes = 0  # begun so far
        self._n_visited = 0  # of the last pass begun
        self._n_products = 0
        self.n_epochs = n_epochs
        self.pass_units = n_rows(rows.X)
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
        """Visit up to ``budget`` examples of the present pass; see ``Learner``."""
        if self.finished:
            return 0
        n = self.pass_units
        if self._n_passes == 0 or self._n_visited == n:
            self._order = self._rng.permutation(n)
            self._n_passes += 1
            self._n_visited = self._n_products = 0
        start, stop = self._n_visited, min(n, self._n_visited + budget)
        # The schedule is read at both ends of a pass and followed on a straight line between.
        first = self._eta * self._schedule((self._n_passes - 1) / self.n_epochs)
        last = self._eta * self._schedule(self._n_passes / self.n_epochs)
        slope = (last - first) / n
        self._n_products += self._visit(self._order[start:stop], first, slope, start)
        self._n_visited = stop
        self.inner_products = self._n_products / stop
        return stop - start

    def _visit(self, rows: np.ndarray, eta: float, slope: float, n_before: int) -> int:
        """A part of a pass, see :func:`sgd_rows`; returns the inner products spent."""
        return sgd_rows(
            self.joint,
            self.train_rows,
            self._y,
            self._weight,
            rows,
            self._exact,
            eta,
            slope,
            n_before,
            self._nu,
        )

    def tree(self) -> Tree:
        """The present tree, its scaling folded in."""
        return self._scaling.fold(self.joint.W, self._start, self.joint.theta)

    def values(self) -> np.ndarray:
        """The present leaf values theta, float32 (n_leaves, n_outputs)."""
        return self.joint.theta

    @property
    def row_norm(self) -> float:
        """Mean Euclidean norm of the rows of W, offset included, in training coordinates."""
        W = self.joint.W
        return float(np.sqrt(np.einsum("ij,ij->i", W, W)).mean()) if len(W) else 0.0

    def prepare(self, X):
        """Raw rows in training coordinates, float32 (n_samples, width) or SparseRows."""
        return self._scaling.transform(X)

    def measure(self, rows, y, weight, bounded):
        """The leaf of every row and the weighted sum of their bounds; see ``Learner``."""
        leaf = np.empty(n_rows(rows), dtype=np.int32)
        bound = measure_rows(self.joint, rows, y, weight, self._exact, bounded, leaf)
        return leaf, bound if bounded else None

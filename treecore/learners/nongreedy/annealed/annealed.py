"""Annealed learning: all splits and leaves together, from soft turns to hard ones.

While learning, a row turns right at split i with probability ``sigmoid(beta s_i)``, and what is
lowered is the *expected* loss of the leaf it ends in,

    sum_j mu_j(x) l(theta_j, y)        mu_j: the product of the turns on the path to leaf j

and not the loss of an averaged prediction. It is linear in every single turn, so deterministic
turns are optimal; as beta rises and scores grow, the soft tree becomes the hard one that is read
out at any time. (Loss-augmented inference bounds the same hard loss from above; here it is
approached through a mean instead of a maximum, which has a gradient everywhere.)

Classes are learnt by the power loss ``(1 - P(y)^a) / a`` (Zhang and Sabuncu 2018): the log loss for
a near 0, the expected error for a = 1; in between a few hopeless rows weigh less. Steps are AdamW's
on mini-batches; its weight decay is the regularisation.

A leaf whose rows have the class shares m is cheapest at P proportional to ``m^(1 / (1 - a))``:
surer than its rows. The tree that is read out says ``P^(1 - a)``, made to sum to 1, and shares
``smoothing`` examples more among the classes, as if it had counted the rows it can expect. That
moves no leaf's favourite class, and makes its probabilities believable.

Linear leaves (:mod:`treecore.learners.nongreedy.annealed.leaf_models`) have theta replaced by a
vector a leaf and output; the cost of a leaf is then that of what its model says of the row, a
number or the probabilities of the classes.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treecore.core.linear_leaves import LinearLeaves
from treecore.core.scaling import Scaling, fold_linear
from treecore.core.tree import Tree
from treecore.learners.nongreedy.annealed.adam import adam_step, step_splits
from treecore.learners.nongreedy.annealed.leaf_costs import (
    ClassCosts,
    LinearCosts,
    LogisticCosts,
    NumberCosts,
)
from treecore.learners.nongreedy.annealed.leaf_models import LeafModels
from treecore.learners.nongreedy.annealed.power_loss import (
    class_gradient,
    power_costs,
    power_shares,
)
from treecore.learners.nongreedy.annealed.soft_routing import Routing, route
from treecore.learners.nongreedy.inference import plain_leaves
from treecore.learners.nongreedy.joint_tree import make_joint
from treecore.learners.nongreedy.leaf_family import scores_of
from treecore.learners.nongreedy.settings import AnnealedSettings
from treecore.learners.nongreedy.start import score_rows
from treecore.losses.log import class_log_odds
from treecore.rows.aligned import aligned_zeros
from treecore.rows.training_rows import TrainingRows

ROUND = 50
"""Mini-batches in a round, after which the tree is measured; half of them on a small table."""

SMALL_PASSES = 8
"""A round of a small table need not see its rows more often to learn as well."""

RISE = 0.03
"""Share of the run over which the learning rate rises from 0; then it falls on half a cosine."""


class Batch(NamedTuple):
    """A mini-batch: rows side by side, in training coordinates, with targets and weights.

    - Z: float32 (n_rows, width).
    - y: int64 (n_rows,) or float32 (n_rows, n_outputs).
    - weight: float32 (n_rows,).
    """

    Z: np.ndarray
    y: np.ndarray
    weight: np.ndarray


class Annealed:
    """A :class:`treecore.learners.base.Learner`: annealed learning from a given starting tree.

    A unit of work is one row of a mini-batch, and a pass is a *round* of mini-batches, so that a
    run takes as many steps on a small table as on a large one.

    - start: tree to start from: its shape, splits and leaf values.
    - settings: of these ``start`` and ``depth`` are not read, nor ``scaling``.
    - scaling: the coordinates of learning.
    - goes_on: whether ``start`` is a tree of annealed learning that goes on, for instance with
      another chunk of a stream.
    - rng: gives the mini-batches.
    """

    name = "annealed"
    inner_products = None

    def __init__(
        self,
        rows: TrainingRows,
        start: Tree,
        settings: AnnealedSettings,
        *,
        scaling: Scaling,
        goes_on: bool,
        rng: np.random.Generator,
    ):
        self._goes_on, self._scaling = goes_on, scaling
        self.train_rows = scaling.transform(rows.X)
        self._y = rows.y
        self._start = start
        if self._goes_on:
            W = self._scaling.to_scaled_weights(start).astype(np.float32)
        else:
            W = self._scores_of_one(start, self._some_rows(2000))
        self.joint = make_joint(start, W, rows.loss)
        self._classes = rows.loss.task == "classification"
        self._temper = max(1.0 - settings.power, 0.1)
        if not self._goes_on:
            self.joint.theta[:] *= np.float32(0.5)  # a leaf that all rows visit is less sure
        elif self._classes:
            self.joint.theta[:] /= np.float32(self._temper)
        self._eta, self._leaf_eta = settings.eta, settings.eta * 5 / 3  # leaves learn faster
        self._decay, self._power = settings.decay, np.float32(settings.power)
        self._sharpness = settings.sharpness
        self._rng = rng
        self._size = min(settings.batch, len(self._y))
        self._batch = aligned_zeros((self._size, self.train_rows.shape[1]))
        self._weight = (rows.weight / self._size).astype(np.float32)
        self._order, self._n_drawn = np.empty(0, dtype=np.int64), 0
        self._n_steps = 0
        if goes_on:
            # A piece of a stream is visited once, else what it says would be learnt by heart.
            self._round, self.n_epochs = -(-len(self._y) // self._size), 1
        else:
            enough = -(-SMALL_PASSES * len(self._y) // self._size)
            self._round = min(ROUND, max(ROUND // 2, enough))
            self.n_epochs = settings.rounds
        self.pass_units = self._round * self._size
        theta = self.joint.theta
        n_leaves = len(theta)
        self._theta_gradient = np.empty_like(theta)
        by_class = np.zeros((4, *theta.T.shape), dtype=np.float32)
        self._share, self._powered, self._costs, self._mass = by_class
        self._of_leaf = np.zeros(n_leaves, dtype=np.float32), np.zeros(n_leaves)  # work space
        self._routing: Routing | None = None
        self._smoothing = settings.smoothing
        leaf = self._leaves()
        self._expected = np.bincount(leaf, rows.weight, n_leaves)  # weight of the rows of each leaf
        self._moments = [aligned_zeros(array.size) for array in (W, W, theta, theta)]
        self._models: LeafModels | None = None
        self._read: tuple | None = None  # the last readout of linear leaves, and its step
        if settings.leaf == "linear":
            temper = self._temper if self._classes else 1.0
            self._models = LeafModels(self.train_rows, rows, scaling, start, settings, temper)
            size = self._models.weights.size
            self._moments[2:] = [np.zeros(size, np.float32) for _ in range(2)]

    def _some_rows(self, n: int) -> np.ndarray:
        """About ``n`` of the training rows, or all, evenly spaced, in training coordinates."""
        return self.train_rows[:: max(1, len(self._y) // n)]

    def _scores_of_one(self, start: Tree, Z: np.ndarray) -> np.ndarray:
        """Rows of W that split as ``start`` does, and whose scores have a deviation of about 1."""
        W = self._scaling.rows_of(start).astype(np.float32)
        some, Z = np.arange(len(Z)), np.ascontiguousarray(Z)
        scores = np.empty(len(some), dtype=np.float32)
        for split, w in enumerate(W):
            score_rows(Z, some, W, split, scores)
            # A deviation that a few giants do not decide: two thirds of a bell curve are within.
            ordered = np.sort(np.abs(scores))
            size = ordered[2 * len(ordered) // 3]
            size = size if size > 1e-6 else ordered[-1]
            if size > 1e-6:
                w /= size
        return W

    @property
    def epoch(self) -> float:
        """Rounds done, fractional inside a round."""
        return self._n_steps / self._round

    @property
    def finished(self) -> bool:
        """Whether all rounds are done."""
        return self._n_steps == self._round * self.n_epochs

    def advance(self, budget: int) -> int:
        """Take mini-batches of about ``budget`` rows, within a round; see ``Learner``."""
        done = 0
        while done < budget and not self.finished:
            self._step()
            done += self._size
            if self._n_steps % self._round == 0:
                break
        return done

    def _step(self) -> None:
        """One mini-batch."""
        if self._n_drawn + self._size > len(self._order):
            self._order, self._n_drawn = self._rng.permutation(len(self._y)), 0
        rows = self._order[self._n_drawn : self._n_drawn + self._size]
        self._n_drawn += self._size

        n_steps = self._round * self.n_epochs
        done = self._n_steps / n_steps
        self._n_steps += 1
        rising = min(1.0, (done + 1.0 / n_steps) / RISE)
        falling = 1.0 if self._goes_on else 0.5 * (1.0 + math.cos(math.pi * done))
        pace = rising * falling
        # From 1 in equal ratios; a tree that goes on is as sharp as at last.
        beta = np.float32(self._sharpness ** (1.0 if self._goes_on else done))

        joint, moments = self.joint, self._moments
        assert isinstance(joint.W, np.ndarray), "annealed weights are dense"
        batch = self._take(rows)
        leaves, gradient = self._leaf_gradients(batch, beta)
        W_moments = moments[0].reshape(joint.W.shape), moments[1].reshape(joint.W.shape)
        rate = self._eta * pace
        if len(joint.W):
            decay = self._decay
            step_splits(joint.W, batch.Z, self._routing, *W_moments, rate, self._n_steps, decay)
        leaf_rate = self._leaf_eta * pace
        adam_step(leaves.ravel(), gradient.ravel(), *moments[2:], leaf_rate, self._n_steps, 0.0)

    def _take(self, rows: np.ndarray) -> Batch:
        """The mini-batch of some training rows, in the same place as the one before."""
        np.take(self.train_rows, rows, axis=0, out=self._batch, mode="clip")  # unbuffered
        return Batch(self._batch, self._y[rows], self._weight[rows])

    def _leaf_gradients(self, batch: Batch, beta: np.float32) -> tuple[np.ndarray, np.ndarray]:
        """What leaves say, and its gradient by a mini-batch, which is routed through the tree."""
        joint, theta = self.joint, self.joint.theta
        if self._models is not None:
            models, gradient = self._models.weights, self._models.gradient
            gradient[:] = 0.0
            parts = batch.y, batch.Z, models, self._models.predicted, gradient
            self._route(
                LogisticCosts(*parts, self._power)
                if self._classes
                else LinearCosts(joint.tables, *parts),
                batch,
                beta,
            )
            return models, gradient
        if self._classes:
            power_shares(theta, self._power, self._share, self._powered, *self._of_leaf)
            power_costs(self._powered, self._power, self._costs)
            self._mass[:] = 0.0
            self._route(ClassCosts(batch.y, self._costs, self._mass), batch, beta)
            shares = self._share, self._powered, self._mass
            class_gradient(*shares, self._of_leaf[0], self._theta_gradient)
            expected = self._mass.sum(axis=0) * len(self._y)
            self._expected += (expected - self._expected) / ROUND
            return theta, self._theta_gradient
        self._theta_gradient[:] = 0.0
        self._route(NumberCosts(joint.tables, batch.y, theta, self._theta_gradient), batch, beta)
        return theta, self._theta_gradient

    def _route(self, costs, batch: Batch, beta: np.float32) -> None:
        _, self._routing = route(self.joint, batch.Z, costs, batch.weight, beta, self._routing)

    def tree(self) -> Tree:
        """The present tree with hard turns, its scaling folded in."""
        tree = self._scaling.to_raw_tree(self.joint.W, self._start, self.values())
        if self._models is None:
            return tree
        return tree._replace(linear=fold_linear(self._read_out()[1], self._scaling))

    def _read_out(self) -> tuple[np.ndarray, LinearLeaves]:
        """Constants and models of linear leaves, by where the training rows end at present."""
        assert self._models is not None, "leaves are linear"
        if self._read is None or self._read[0] != self._n_steps:
            self._read = self._n_steps, self._models.read_out(self._leaves(), self.finished)
        return self._read[1]

    def values(self) -> np.ndarray:
        """The leaf values that are read out, float32 (n_leaves, n_outputs)."""
        theta = self.joint.theta
        if self._models is not None:
            return self._read_out()[0]
        if not self._classes:
            return theta
        tempered = self._temper * theta.astype(np.float64)
        tempered -= tempered.max(axis=1, keepdims=True)
        odds = np.exp(tempered)
        total = odds.sum(axis=1, keepdims=True)
        if self._goes_on:  # a piece of a stream says nothing of how many rows a leaf has had
            return (tempered - np.log(total)).astype(np.float32)
        rows = odds / total * self._expected[:, None]
        return class_log_odds(rows, self._smoothing)

    @property
    def row_norm(self) -> float:
        """Mean Euclidean norm of the rows of W, offset included, in training coordinates."""
        W = self.joint.W
        return float(np.sqrt(np.einsum("ij,ij->i", W, W)).mean()) if len(W) else 0.0

    def _leaves(self) -> np.ndarray:
        """The leaf of every training row by hard turns, int32 (n_samples,)."""
        return self.measure(self.train_rows, self._y, self._weight, False)[0]

    def prepare(self, X: np.ndarray) -> np.ndarray:
        """Raw rows in training coordinates, float32 (n_samples, width)."""
        return self._scaling.transform(X)

    def measure(self, rows, y, weight, bounded):
        """The leaf of every row by hard turns; there is no bound."""
        leaf = np.empty(len(y), dtype=np.int32)
        plain_leaves(self.joint, rows, leaf)
        return leaf, None

    def predictions(self, rows, leaf):
        """What linear leaves say to prepared rows; None of constant ones. See ``Learner``."""
        return None if self._models is None else scores_of(self._read_out()[1], rows, leaf)

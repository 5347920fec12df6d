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
``smoothing`` examples more among the classes.

In linear leaves (:mod:`treecore.learners.nongreedy.annealed.leaf_models`) theta is a vector for
each output, and a leaf costs what its model says of the row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treecore.compiling.random import random_words
from treecore.core.linear_leaves import LinearLeaves
from treecore.core.scaling import Scaling, fold_linear
from treecore.core.tree import Tree
from treecore.learners.nongreedy.annealed.leaf_costs import (
    ClassCosts,
    LinearCosts,
    LogisticCosts,
    NumberCosts,
)
from treecore.learners.nongreedy.annealed.leaf_models import LeafModels
from treecore.learners.nongreedy.annealed.run import (
    ROUND,
    AnnealedRun,
    Batch,
    Leaves,
    Shares,
    advance,
    changing_arrays,
)
from treecore.learners.nongreedy.annealed.soft_routing import ROOM, make_routing
from treecore.learners.nongreedy.inference import plain_leaves
from treecore.learners.nongreedy.joint_tree import TrainingTree, make_joint
from treecore.learners.nongreedy.leaf_family import scores_of
from treecore.learners.nongreedy.monotonic import OrderedTree
from treecore.learners.nongreedy.settings import AnnealedSettings
from treecore.learners.nongreedy.start import score_rows
from treecore.learners.nongreedy.weight_rows import mean_row_norm
from treecore.losses.log import class_log_odds
from treecore.rows.aligned import aligned_zeros
from treecore.rows.training_rows import TrainingRows


class Annealed:
    """A :class:`treecore.learners.base.Learner`: annealed learning from a given starting tree.

    A unit of work is one row of a mini-batch, and a pass is a *round* of mini-batches. ``scaling``:
    the coordinates of learning; ``goes_on``: ``start`` is a tree of annealed learning that goes on.
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
        self._goes_on, self.scaling = goes_on, scaling
        self.train_rows = scaling.transform(rows.X)
        self._y, self.start = rows.y, start
        if goes_on:
            W = scaling.to_scaled_weights(start).astype(np.float32)
        else:
            W = self._scores_of_one(start, self.train_rows[:: max(1, len(self._y) // 2000)])
        tree = self.joint = make_joint(start, W, rows.loss)
        self._classes = rows.loss.task == "classification"
        self.temper = max(1.0 - settings.power, 0.1)
        if not goes_on:
            tree.theta[:] *= np.float32(0.5)  # a leaf that all rows visit is less sure
        elif self._classes:
            tree.theta[:] /= np.float32(self.temper)
        self.smoothing = settings.smoothing
        size = min(settings.batch, len(self._y))
        if goes_on:
            # A piece of a stream is visited once, else what it says would be learnt by heart.
            n_steps, self.n_epochs = -(-len(self._y) // size), 1
        else:
            # A round of a small table need not see its rows more than 8 times to learn as well.
            enough = -(-8 * len(self._y) // size)
            n_steps, self.n_epochs = min(ROUND, max(ROUND // 2, enough)), settings.rounds
        self.pass_units = n_steps * size
        self._models: LeafModels | None = None
        if settings.leaf == "linear":
            temper = self.temper if self._classes else 1.0
            self._models = LeafModels(self.train_rows, rows, scaling, start, settings, temper)
        self._ordered: OrderedTree | None = None
        if rows.monotonic is not None:
            linear = settings.leaf == "linear"
            self._ordered = OrderedTree(start, scaling, rows.monotonic, linear)
            self._ordered.restrict(tree.W)
        self._read: tuple | None = None  # the last readout of linear leaves, and its step
        batch = Batch(
            aligned_zeros((size, self.train_rows.shape[1])),
            np.zeros((size, self._y.size // len(self._y)), dtype=self._y.dtype),
            np.zeros(size, dtype=np.float32),
        )
        leaf = np.empty(len(self._y), dtype=np.int32)
        plain_leaves(tree, self.train_rows, leaf)
        expected = np.bincount(leaf, rows.weight, start.n_leaves)
        self.run = AnnealedRun(
            W=tree.W,
            left=tree.left,
            right=tree.right,
            theta=tree.theta,
            X=self.train_rows,
            y=self._y.reshape(len(self._y), -1),
            weight=(rows.weight / size).astype(np.float32),
            batch=batch,
            leaves=self._make_leaves(tree, batch, np.float32(settings.power), expected),
            routing=make_routing(start.n_splits, ROOM * size),
            moments=aligned_zeros((2, *tree.W.shape)),
            gradient=aligned_zeros(tree.W.shape[1]),
            order=np.zeros(len(self._y), dtype=np.int64),
            random=random_words(rng),
            clock=np.array([len(self._y), 0, 0]),
            plan=np.array([n_steps, self.n_epochs, goes_on]),
            # Leaves learn faster.
            rates=np.array(
                [settings.eta, settings.eta * 5 / 3, settings.decay, settings.sharpness]
            ),
        )

    def _make_leaves(
        self, tree: TrainingTree, batch: Batch, power: np.float32, expected: np.ndarray
    ) -> Leaves:
        """What is learnt in the leaves; expected: float64 (n_leaves,), weight of their rows."""
        shares = None
        costs: Any
        y = batch.y.reshape(-1) if self._classes else batch.y
        values, gradient = tree.theta, np.zeros_like(tree.theta)
        if self._models is not None:
            values, gradient = self._models.weights, self._models.gradient
            parts = y, batch.Z, values, self._models.predicted, gradient
            logistic = self._classes
            costs = LogisticCosts(*parts, power) if logistic else LinearCosts(tree.tables, *parts)
        elif self._classes:
            by_class = np.zeros((4, *tree.theta.T.shape), dtype=np.float32)
            share, powered, of_leaves, mass = by_class
            n_leaves = len(tree.theta)
            spread = np.zeros(n_leaves, dtype=np.float32), np.zeros(n_leaves)
            shares = Shares(share, powered, *spread, gradient, expected, np.array([power]))
            costs = ClassCosts(y, of_leaves, mass)
        else:
            costs = NumberCosts(tree.tables, y, tree.theta, gradient)
        flat = values.reshape(-1), gradient.reshape(-1)
        return Leaves(costs, *flat, np.zeros((2, flat[0].size), dtype=np.float32), shares)

    def _scores_of_one(self, start: Tree, Z: np.ndarray) -> np.ndarray:
        """Rows of W that split as ``start`` does, and whose scores have a deviation of about 1."""
        W = self.scaling.rows_of(start).astype(np.float32)
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
        return int(self.run.clock[1]) / int(self.run.plan[0])

    @property
    def finished(self) -> bool:
        return self.epoch == self.n_epochs

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything that changes while it learns: its state."""
        return changing_arrays(self.run)

    def advance(self, budget: int) -> int:
        done, self.run = advance(self.run, budget)
        if self._ordered is not None and self.run.clock[1] % self.run.plan[0] == 0:
            self._ordered.restrict(self.run.W)
            if self._models is None:
                self.run.theta[:] = self._ordered.order(self.run.theta, self._classes)
        return done

    def tree(self) -> Tree:
        W = self.joint.W
        if self._ordered is not None:  # within a round as well
            W = W.copy()
            self._ordered.restrict(W)
        tree = self.scaling.to_raw_tree(W, self.start, self.values())
        if self._models is None:
            return tree
        return tree._replace(linear=fold_linear(self._read_out()[1], self.scaling))

    def _read_out(self) -> tuple[np.ndarray, LinearLeaves]:
        """Constants and models of linear leaves, by where the training rows end at present."""
        assert self._models is not None, "leaves are linear"
        if self._read is None or self._read[0] != self.epoch:
            leaf, _ = self.measure(self.train_rows, self._y, None, False)
            self._read = self.epoch, self._models.read_out(leaf, self.finished)
        return self._read[1]

    def values(self) -> np.ndarray:
        values = self._plain_values()
        return values if self._ordered is None else self._ordered.order(values, self._classes)

    def _plain_values(self) -> np.ndarray:
        """The same before they are put in order."""
        theta = self.joint.theta
        if self._models is not None:
            return self._read_out()[0]
        if not self._classes:
            return theta
        tempered = self.temper * theta.astype(np.float64)
        tempered -= tempered.max(axis=1, keepdims=True)
        odds = np.exp(tempered)
        total = odds.sum(axis=1, keepdims=True)
        if self._goes_on:  # a piece of a stream says nothing of how many rows a leaf has had
            return (tempered - np.log(total)).astype(np.float32)
        shares = self.run.leaves.shares
        assert shares is not None, "leaves are constant"
        rows = odds / total * shares.expected[:, None]
        return class_log_odds(rows, self.smoothing)

    @property
    def row_norm(self) -> float:
        return mean_row_norm(self.joint.W)

    def prepare(self, rows: TrainingRows) -> np.ndarray:
        return self.scaling.transform(rows.complete.X)

    def measure(self, rows, y, weight, bounded):
        leaf = np.empty(len(y), dtype=np.int32)
        plain_leaves(self.joint, rows, leaf)
        return leaf, None

    def predictions(self, rows, leaf):
        return None if self._models is None else scores_of(self._read_out()[1], rows, leaf)

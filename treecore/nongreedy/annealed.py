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
"""

from __future__ import annotations

import math

import numpy as np

from treecore.nongreedy.inference import measure_rows
from treecore.nongreedy.joint import make_joint
from treecore.nongreedy.soft import (
    adam_step,
    class_costs,
    class_gradient,
    number_costs,
    number_gradient,
    power_shares,
    route_softly,
)
from treecore.rows import TrainingRows
from treecore.scaling import Scaling
from treecore.tree import Tree

ROUND = 50
"""Mini-batches in a round, after which the tree is measured."""

RISE = 0.03
"""Share of the run over which the learning rate rises from 0; then it falls on half a cosine."""


class Annealed:
    """A :class:`treecore.trainer.Learner`: annealed learning from a given starting tree.

    A unit of work is one row of a mini-batch, and a pass is a *round* of mini-batches, so that a
    run takes as many steps on a small table as on a large one.

    Parameters
    ----------
    rows : TrainingRows
        Dense.
    start : Tree
        Tree to start from: its shape, splits and leaf values.
    n_rounds : int
    batch : int
        Rows of a mini-batch; fewer where there are fewer.
    eta, leaf_eta : float
        Learning rates of AdamW for W and for theta.
    decay : float
        Weight decay of W.
    power : float
        a of the power loss, above 0; not used for numbers.
    beta : (float, float)
        Sharpness of the turns at first and at last; it rises in equal ratios.
    together : bool
        See :meth:`treecore.scaling.Scaling.fit`.
    rng : numpy.random.Generator
        Gives the mini-batches.
    """

    name = "annealed"
    inner_products = None

    def __init__(
        self,
        rows: TrainingRows,
        start: Tree,
        *,
        n_rounds: int,
        batch: int,
        eta: float,
        leaf_eta: float,
        decay: float,
        power: float,
        beta: tuple[float, float],
        together: bool,
        rng: np.random.Generator,
    ):
        self._scaling = Scaling.fit(rows.X, together)
        self.train_rows = self._scaling.transform(rows.X)
        self._y, self._weight = rows.y, rows.weight.astype(np.float32)
        self._start = start
        self.joint = make_joint(start, self._scores_of_one(start), rows.loss)
        self.joint.theta[:] *= np.float32(0.5)  # leaves a soft row visits are less sure
        self._classes = rows.loss.task == "classification"
        self._eta, self._leaf_eta = eta, leaf_eta
        self._decay, self._power, self._beta = decay, np.float32(power), beta
        self._rng = rng
        self._size = min(batch, len(self._y))
        self._order, self._n_drawn = np.empty(0, dtype=np.int64), 0
        self._n_steps = 0
        self.n_epochs = n_rounds
        self.pass_units = ROUND * self._size
        theta, W = self.joint.theta, self.joint.W
        self._share, self._powered, self._mass, self._theta_gradient = (
            np.empty_like(theta) for _ in range(4)
        )
        self._costs = np.empty((self._size, len(theta)), dtype=np.float32)
        self._reach = np.empty_like(self._costs)
        self._gradient = np.empty((self._size, len(W)), dtype=np.float32)
        self._moments = [np.zeros(array.size, np.float32) for array in (W, W, theta, theta)]

    def _scores_of_one(self, start: Tree) -> np.ndarray:
        """Rows of W that split as ``start`` does, and whose scores have a mean square of 1."""
        W = self._scaling.rows_of(start).astype(np.float32)
        square = np.zeros(len(W))
        for first in range(0, len(self.train_rows), 4096):
            square += ((self.train_rows[first : first + 4096] @ W.T) ** 2).sum(axis=0)
        size = np.sqrt(square / len(self.train_rows))
        return W / np.where(size > 1e-6, size, 1.0).astype(np.float32)[:, None]

    @property
    def epoch(self) -> float:
        """Rounds done, fractional inside a round."""
        return self._n_steps / ROUND

    @property
    def finished(self) -> bool:
        """Whether all rounds are done."""
        return self._n_steps == ROUND * self.n_epochs

    def advance(self, budget: int) -> int:
        """Take mini-batches of about ``budget`` rows, within a round; see ``Learner``."""
        done = 0
        while done < budget and not self.finished:
            self._step()
            done += self._size
            if self._n_steps % ROUND == 0:
                break
        return done

    def _step(self) -> None:
        """One mini-batch."""
        if self._n_drawn + self._size > len(self._order):
            self._order, self._n_drawn = self._rng.permutation(len(self._y)), 0
        rows = self._order[self._n_drawn : self._n_drawn + self._size]
        self._n_drawn += self._size
        X, y = self.train_rows[rows], self._y[rows]
        weight = self._weight[rows] / np.float32(self._size)

        done = self._n_steps / (ROUND * self.n_epochs)
        self._n_steps += 1
        rising = min(1.0, (done + 1.0 / (ROUND * self.n_epochs)) / RISE)
        pace = rising * 0.5 * (1.0 + math.cos(math.pi * done))
        beta = np.float32(self._beta[0] * (self._beta[1] / self._beta[0]) ** done)

        joint, theta = self.joint, self.joint.theta
        if self._classes:
            power_shares(theta, self._power, self._share, self._powered)
            class_costs(self._powered, self._power, y, self._costs)
        else:
            number_costs(joint.tables, theta, y, self._costs)
        route_softly(
            joint.left,
            joint.right,
            X @ joint.W.T,
            self._costs,
            weight,
            beta,
            self._reach,
            self._gradient,
        )
        if self._classes:
            class_gradient(
                self._share, self._powered, y, self._reach, self._mass, self._theta_gradient
            )
        else:
            number_gradient(joint.tables, theta, y, self._reach, self._theta_gradient)
        W_gradient = self._gradient.T @ X
        self._adam(joint.W, W_gradient, 0, self._eta * pace, self._decay)
        self._adam(theta, self._theta_gradient, 2, self._leaf_eta * pace, 0.0)

    def _adam(self, array, gradient, first: int, rate: float, decay: float) -> None:
        moments = self._moments[first : first + 2]
        adam_step(array.ravel(), gradient.ravel(), *moments, rate, self._n_steps, decay)

    def tree(self) -> Tree:
        """The present tree with hard turns, its scaling folded in."""
        return self._scaling.fold(self.joint.W, self._start, self.joint.theta)

    def values(self) -> np.ndarray:
        """The present leaf values theta, float32 (n_leaves, n_outputs)."""
        return self.joint.theta

    @property
    def row_norm(self) -> float:
        """Mean Euclidean norm of the rows of W, offset included, in training coordinates."""
        W = self.joint.W
        return float(np.sqrt(np.einsum("ij,ij->i", W, W)).mean()) if len(W) else 0.0

    def prepare(self, X: np.ndarray) -> np.ndarray:
        """Raw rows in training coordinates, float32 (n_samples, width)."""
        return self._scaling.transform(X)

    def measure(self, rows, y, weight, bounded):
        """The leaf of every row by hard turns; there is no bound. See ``Learner``."""
        leaf = np.empty(len(y), dtype=np.int32)
        measure_rows(self.joint, rows, y, weight, False, False, leaf)
        return leaf, None

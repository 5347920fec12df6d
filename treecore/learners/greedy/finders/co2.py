"""CO2: the surrogate bound of one split, lowered from the best axis-aligned one at every node.

After Norouzi, Collins, Fleet and Kohli 2015, "CO2 Forest: Improved Random Forest by Continuous
Optimization of Oblique Splits" (arXiv 1506.06155): a split and the two leaves below it are a
tree of depth 1, so the bound of joint learning applies as it stands, and so does its SGD
(:mod:`treecore.learners.nongreedy.sgd.visits`). At one split the fast and the exact bound are the
same.

Where we choose: a node's rows are centred and scaled anew, so that ``nu`` and ``eta`` mean the
same in a small region as in the whole, and so are numbers to be predicted, all outputs by one
factor; leaves start at the smoothed constants of the axis-aligned sides; ``eta`` falls to zero on
a straight line; of the learnt hyperplane the direction is kept and its offset is found by the
criterion; and the axis-aligned split stays where it gains more.
"""

from __future__ import annotations

import math
from collections.abc import Generator

import numpy as np

from treecore.core.scaling import DEVIATION_FLOOR, Scaling
from treecore.core.tree import Tree, make_tree
from treecore.learners.greedy.finders.oblique import AxisSeededFinder
from treecore.learners.greedy.splitter import Search, Split
from treecore.learners.nongreedy.joint_tree import make_joint
from treecore.learners.nongreedy.sgd.look_ahead import paths_ahead
from treecore.learners.nongreedy.sgd.updates import StepRule
from treecore.learners.nongreedy.sgd.visits import visit_rows
from treecore.losses.base import Loss


class CO2Finder(AxisSeededFinder):
    """Turns each axis-aligned split by SGD; a
    :class:`treecore.learners.greedy.splitter.SplitFinder`.

    A unit of work is a value read, by the axis-aligned search or in an example's inner product.

    - nu, eta: greatest squared norm of the split's row; learning rate at first.
    - n_epochs: passes over each node's rows.
    - rng: gives the order of the examples.
    """

    name = "co2"

    def __init__(self, nu: float, eta: float, n_epochs: int, rng: np.random.Generator):
        self.rng = rng
        self._nu, self._eta, self._n_epochs = nu, eta, n_epochs
        self.n_readings = 2 + n_epochs

    def search(self, axis: Split | None) -> Search:
        """Turn the axis-aligned split; see ``SplitFinder``."""
        if axis is None:
            return None
        direction = yield from self._learn(axis)
        _, split = self._threshold_search.best(self._node, self._rows, direction)
        yield self._node.n_rows * direction.shape[1]
        return axis if split is None or split.gain < axis.gain else split

    def _learn(self, axis: Split) -> Generator[int, None, np.ndarray]:
        """A direction that SGD makes of an axis-aligned split, float32 (1, n_features)."""
        all_rows, X, n = self._training_rows, self._training_rows.X, self._node.n_rows
        loss, n_outputs = all_rows.loss, all_rows.n_outputs
        weight, y = all_rows.weight[self._rows], all_rows.y
        if n < len(y):  # at the root rows are in their order
            y = y[self._rows]
        y = _node_targets(y, weight, loss)
        weight /= weight.mean()
        here = X[self._rows]
        scaling = Scaling.fit(here)
        yield 2 * n * X.shape[1]
        right = (here[:, axis.feature] > axis.threshold).astype(np.int32)
        Z = scaling.transform(here)
        del here
        yield n * scaling.width
        constants = loss.constants(right, y, weight, 2, n_outputs, 1.0)
        del right
        start = _stump(axis, X.shape[1], constants)
        joint = make_joint(start, math.sqrt(self._nu) * scaling.rows_of(start), loss)
        slope = -self._eta / (n * self._n_epochs)  # per visit
        ahead = paths_ahead(joint)
        for epoch in range(self._n_epochs):
            order = self.rng.permutation(np.arange(n, dtype=np.int32))
            eta = self._eta + epoch * n * slope
            for first, last in self.pieces(n, scaling.width):
                visits = order[first:last].astype(np.int64)
                rule = StepRule(True, eta, self._nu, slope, first)
                visit_rows(joint, Z, y, weight, visits, rule, ahead, None)
                yield (last - first) * scaling.width
        return scaling.to_raw_tree(joint.W, start, joint.theta).weights


def _node_targets(y: np.ndarray, weight: np.ndarray, loss: Loss) -> np.ndarray:
    """The targets of a node's rows: classes as they are, numbers at mean 0, mean variance 1.

    As with features, the deviation has a floor: no number ends up more than ten from the mean.
    """
    if loss.task == "classification":
        return y
    y, share = y.astype(np.float64), (weight / weight.sum())[:, None]
    y -= (share * y).sum(axis=0)
    spread = math.sqrt((share * y**2).sum() / y.shape[1])
    # A node of equal numbers is not split, so that this is not 0.
    return (y / max(spread, DEVIATION_FLOOR * np.abs(y).max())).astype(np.float32)


def _stump(split: Split, n_features: int, values: np.ndarray) -> Tree:
    """The tree of one axis-aligned split, with the values of the leaves on its two sides."""
    return make_tree(
        weights=np.empty((0, n_features)),
        threshold=[split.threshold],
        feature=[split.feature],
        row=[-1],
        left=[~0],
        right=[~1],
        values=values,
    )

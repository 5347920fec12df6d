"""CO2: the surrogate bound of one split, lowered from the best axis-aligned one at every node.

After Norouzi, Collins, Fleet and Kohli 2015, "CO2 Forest: Improved Random Forest by Continuous
Optimization of Oblique Splits" (arXiv 1506.06155): a split and the two leaves below it are a
tree of depth 1, so the bound of joint learning applies as it stands, and so does its SGD
(:mod:`treecore.learners.nongreedy.sgd.sgd`). At one split the fast and the exact bound are the
same.

Where we choose: a node's rows are centred and scaled anew, so that ``nu`` and ``eta`` mean the
same in a small region as in the whole, and so are numbers to be predicted, all outputs by one
factor; leaves start at the smoothed constants of the axis-aligned sides; ``eta`` falls to zero on
a straight line; of the learnt hyperplane the direction is kept and its offset is found by the
criterion; and the axis-aligned split stays where it gains more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from treecore.core.rows import TrainingRows
from treecore.core.scaling import DEVIATION_FLOOR, Scaling
from treecore.core.tree import Tree, make_tree
from treecore.learners.greedy.finders.oblique import AxisSeededFinder
from treecore.learners.greedy.splitter import Split
from treecore.learners.nongreedy.joint_tree import make_joint
from treecore.learners.nongreedy.sgd.sgd import sgd_rows
from treecore.learners.nongreedy.weight_rows import dense_rows
from treecore.losses.base import Loss


class CO2Finder(AxisSeededFinder):
    """Turns each axis-aligned split by SGD; a
    :class:`treecore.learners.greedy.splitter.SplitFinder`.

    A unit of work is a value read, by the axis-aligned search or in an example's inner product.

    Parameters
    ----------
    nu, eta : float
        Greatest squared norm of the split's row; learning rate at first.
    n_epochs : int
        Passes over each node's rows.
    rng : numpy.random.Generator
        Gives the order of the examples.
    """

    name = "co2"

    def __init__(self, nu: float, eta: float, n_epochs: int, rng: np.random.Generator):
        super().__init__(rng)
        self._nu, self._eta, self._n_epochs = nu, eta, n_epochs
        self.n_readings = 2 + n_epochs

    def _improve(self) -> Iterator[int]:
        axis = self._best
        if axis is None:
            return
        here = self._training_rows.take(self._rows)
        X, y, n = here.X, _node_targets(here), self._node.n_rows
        assert isinstance(X, np.ndarray), "it goes on from a search of dense rows"
        weight = here.weight / here.weight.mean()
        scaling = Scaling.fit(X)
        yield 2 * X.size
        Z = scaling.transform(X)
        yield Z.size
        start = _stump(axis, X, y, weight, here.n_outputs, here.loss)
        joint = make_joint(start, math.sqrt(self._nu) * scaling.rows_of(start), here.loss)
        slope = -self._eta / (n * self._n_epochs)  # per visit
        for epoch in range(self._n_epochs):
            order = self._rng.permutation(n)
            eta = self._eta + epoch * n * slope
            first = 0
            while first < n:
                last = min(n, first + max(1, self._budget // scaling.width))
                sgd_rows(joint, Z, y, weight, order[first:last], True, eta, slope, first, self._nu)
                yield (last - first) * scaling.width
                first = last
        direction = scaling.to_raw_tree(dense_rows(joint.W), start, joint.theta).weights
        _, split = self._threshold_search.best(self._node, self._rows, direction)
        if split is not None and split.gain >= axis.gain:
            self._best = split
        yield X.size


def _node_targets(here: TrainingRows) -> np.ndarray:
    """The targets of a node's rows: classes as they are, numbers at mean 0, mean variance 1.

    As with features, the deviation has a floor: no number ends up more than ten from the mean.
    """
    if here.loss.task == "classification":
        return here.y
    y, share = here.y.astype(np.float64), (here.weight / here.weight.sum())[:, None]
    y -= (share * y).sum(axis=0)
    spread = math.sqrt((share * y**2).sum() / here.n_outputs)
    # A node of equal numbers is not split, so that this is not 0.
    return (y / max(spread, DEVIATION_FLOOR * np.abs(y).max())).astype(np.float32)


def _stump(split: Split, X, y, weight, n_outputs: int, loss: Loss) -> Tree:
    """The tree of one axis-aligned split, with the best constants of the rows on its two sides."""
    right = (X[:, split.feature] > split.threshold).astype(np.int64)
    return make_tree(
        weights=np.empty((0, X.shape[1])),
        threshold=[split.threshold],
        feature=[split.feature],
        row=[-1],
        left=[~0],
        right=[~1],
        values=loss.constants(right, y, weight, 2, n_outputs, 1.0),
    )

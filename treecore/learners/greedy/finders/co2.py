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
from typing import Any, NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.compiling.random import permute, random_words
from treecore.core.scaling import DEVIATION_FLOOR, Scaling
from treecore.core.tree import Tree, make_tree
from treecore.learners.greedy.finders.oblique import NodeSpace, cut_node, write_direction
from treecore.learners.greedy.settings import CO2Settings
from treecore.learners.greedy.splitter import SplitFinder
from treecore.learners.greedy.state import AT, FOUND, NO_SPLIT, PHASE, PLACE, REFINE, GreedyRun
from treecore.learners.nongreedy.joint_tree import TrainingTree, make_joint
from treecore.learners.nongreedy.sgd.look_ahead import PathsAhead, paths_ahead
from treecore.learners.nongreedy.sgd.updates import StepRule
from treecore.learners.nongreedy.sgd.visits import visit_rows
from treecore.losses.base import Loss
from treecore.rows.training_rows import TrainingRows


class TurningStump(NamedTuple):
    """What the search reads and changes: SGD at one node, whose visits the clock counts.

    - joint, ahead: the tree of one split, and work space.
    - X: float32 (n, width), the node's rows in training coordinates; y, weight: theirs; scales:
      float64 (n_features,); order: int64 (n,), the rows in the order of the present pass.
    """

    joint: TrainingTree
    ahead: PathsAhead
    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    scales: np.ndarray
    order: np.ndarray
    random: np.ndarray
    nu: float
    eta: float
    n_epochs: int
    raw: np.ndarray
    space: NodeSpace

    def changing(self) -> dict[str, Any]:
        """See :class:`treecore.learners.greedy.splitter.SplitFinder`."""
        arrays = {"W": self.joint.W, "theta": self.joint.theta, "random": self.random}
        arrays |= self.joint.tables._asdict()
        changing = {name: (array, 0) for name, array in arrays.items()}
        return changing | {"order": (self.order, len(self.order))}


@kernel
def turn(stump, run, budget):
    """Visit some more rows of the node at hand, or cut it; see ``SplitFinder.refine``."""
    clock, node, (n, width) = run.clock, run.nodes[run.clock[AT]], stump.X.shape
    done, slope = 0, -stump.eta / max(1, n * stump.n_epochs)
    if node["feature"] == NO_SPLIT:
        clock[PHASE] = FOUND
    while clock[PHASE] == REFINE and done < budget:
        epoch, first = clock[PLACE] // n, clock[PLACE] % n
        if epoch < stump.n_epochs:
            if first == 0:
                permute(stump.random, stump.order)
            last, eta = min(n, first + max(1, budget // width)), stump.eta + epoch * n * slope
            rule, visits = StepRule(True, eta, stump.nu, slope, first), stump.order[first:last]
            visit_rows(stump.joint, stump.X, stump.y, stump.weight, visits, rule, stump.ahead, None)
            clock[PLACE] += last - first
            done += (last - first) * width
        else:
            write_direction(stump.joint.W[0], stump.scales, 1.0, stump.raw[0])
            least = np.nextafter(node["fall"], -1.0)  # of equal splits the turned one is taken
            cut_node(run, stump.raw, 1, np.inf, least, stump.space)
            clock[PHASE] = FOUND
            done += n * width
    return done


class CO2Finder(SplitFinder):
    """Turns each axis-aligned split by SGD; a
    :class:`treecore.learners.greedy.splitter.SplitFinder`.

    A unit of work is a value read, by the axis-aligned search or in an example's inner product.
    """

    name = "co2"
    refine = staticmethod(turn)
    from_axis = True
    rng: np.random.Generator

    def __init__(self, settings: CO2Settings, rng: np.random.Generator):
        self._settings, self.rng = settings, rng
        self.n_readings = 2 + settings.epochs

    def search_of(self, rows: TrainingRows, n_numbers: int) -> TurningStump:
        """Where no node is turned to yet; see ``SplitFinder``."""
        self._training_rows, (n, p) = rows.complete, rows.X.shape
        start = _stump(0, 0.0, np.zeros((2, rows.n_outputs)), p)
        scaling = Scaling(np.zeros(p), np.ones(p), 1.0)
        joint = make_joint(start, scaling.rows_of(start), rows.loss)
        return TurningStump(
            joint=joint,
            ahead=paths_ahead(joint),
            X=np.zeros((0, scaling.width), dtype=np.float32),
            y=np.zeros((0, *rows.y.shape[1:]), dtype=rows.y.dtype),
            weight=np.zeros(0),
            scales=scaling.deviation,
            order=np.zeros(0, dtype=np.int64),
            random=random_words(self.rng),
            nu=self._settings.nu,
            eta=self._settings.eta,
            n_epochs=self._settings.epochs,
            raw=np.empty((1, p), dtype=np.float32),
            space=NodeSpace.of(n, n_numbers),
        )

    def begin(self, search: TurningStump, run: GreedyRun, rows: np.ndarray) -> TurningStump:
        """Scale the rows of a node, and start from its axis-aligned split; see ``SplitFinder``."""
        node, of_all, loss = run.nodes[run.clock[AT]], self._training_rows, self._training_rows.loss
        if node["feature"] == NO_SPLIT:
            return search._replace(order=search.order[:0])
        X, weight = of_all.X[rows], of_all.weight[rows]
        y = _node_targets(of_all.y[rows], weight, loss)
        weight /= weight.mean()
        right = (X[:, node["feature"]] > node["threshold"]).astype(np.int32)
        values = loss.constants(right, y, weight, 2, of_all.n_outputs, 1.0)
        start = _stump(node["feature"], node["threshold"], values, X.shape[1])
        scaling = Scaling.fit(X)
        return search._replace(
            joint=make_joint(start, math.sqrt(search.nu) * scaling.rows_of(start), loss),
            X=scaling.transform(X),
            y=y,
            weight=weight,
            scales=scaling.factor / scaling.deviation,
            order=np.zeros(len(rows), dtype=np.int64),
        )


def _node_targets(y: np.ndarray, weight: np.ndarray, loss: Loss) -> np.ndarray:
    """The targets of a node's rows: classes as they are, numbers scaled as features are."""
    if loss.task == "classification":
        return y
    y, share = y.astype(np.float64), (weight / weight.sum())[:, None]
    y -= (share * y).sum(axis=0)
    spread = math.sqrt((share * y**2).sum() / y.shape[1])
    # A node of equal numbers is not split, so that this is not 0.
    return (y / max(spread, DEVIATION_FLOOR * np.abs(y).max())).astype(np.float32)


def _stump(feature: int, threshold: float, values: np.ndarray, n_features: int) -> Tree:
    """The tree of one axis-aligned split, with the values of the leaves on its two sides."""
    return make_tree(
        weights=np.empty((0, n_features)),
        threshold=[threshold],
        feature=[feature],
        row=[-1],
        left=[~0],
        right=[~1],
        values=values,
    )

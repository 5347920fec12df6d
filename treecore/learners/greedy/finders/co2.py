"""CO2: the surrogate bound of one split, lowered from the best axis-aligned one at every node.

After Norouzi, Collins, Fleet and Kohli 2015, "CO2 Forest: Improved Random Forest by Continuous
Optimization of Oblique Splits" (arXiv 1506.06155): a split and the two leaves below it are a
tree of depth 1, so the bound of joint learning applies as it stands, and so does its SGD
(:mod:`treecore.learners.nongreedy.sgd.updates`). At one split the fast and the exact bound are the
same.

Where we choose: a node's rows are centred and scaled anew, so that ``nu`` and ``eta`` mean the
same in a small region as in the whole, and so are numbers to be predicted, all outputs by one
factor; leaves start at the smoothed shares or means of the axis-aligned sides; ``eta`` falls to
zero on a straight line; of the learnt hyperplane the direction is kept and its offset is found by
the criterion; and the axis-aligned split stays where it gains more.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from treecore.compiling.dispatch import by_first, implements
from treecore.compiling.kernels import kernel
from treecore.compiling.random import permute, random_words
from treecore.core.scaling import DEVIATION_FLOOR, RADIUS, Scaling
from treecore.core.tree import make_tree
from treecore.learners.greedy.finders.oblique import NodeSpace, cut_node, write_direction
from treecore.learners.greedy.settings import CO2Settings
from treecore.learners.greedy.splitter import SplitFinder
from treecore.learners.greedy.state import AT, FOUND, NO_SPLIT, PHASE, PLACE, REFINE
from treecore.learners.nongreedy.joint_tree import TrainingTree, make_joint
from treecore.learners.nongreedy.sgd.updates import StepRule
from treecore.learners.nongreedy.sgd.visits import sgd_rows
from treecore.losses.base import fill_leaves, fill_splits
from treecore.losses.log import LogTables
from treecore.rows.training_rows import TrainingRows


class NodeRows(NamedTuple):
    """Rows of a node as SGD reads them: the first of arrays that have room for all rows.

    - X: float32 (n, width), in training coordinates; y, weight: their targets and weights.
    - mean, scales, ends: float64 (n_features,) and (2, n_features), of the features there.
    - right, sums: int32 (n,) and float64 (2, n_outputs), work space.
    """

    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    mean: np.ndarray
    scales: np.ndarray
    ends: np.ndarray
    right: np.ndarray
    sums: np.ndarray


class TurningStump(NamedTuple):
    """What the search reads and changes: SGD at one node, whose visits the clock counts.

    - targets, weights: of all rows; joint: the tree of one split.
    - here, held: rows, and int64 (1,), the node that they are of.
    - order: int64 (n,), begins with the order of the pass; random: see
      :mod:`treecore.compiling.random`.
    - nu, eta, n_epochs: of the settings; raw: float32 (1, n_features), work space.
    """

    targets: np.ndarray
    weights: np.ndarray
    joint: TrainingTree
    here: NodeRows
    held: np.ndarray
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
    clock, at = run.clock, run.clock[AT]
    node, tree, here = run.nodes[at], stump.joint, stump.here
    rows, p = run.rows[node["start"] : node["stop"]], here.mean.shape[0]
    X, y, weight, n = here.X, here.y, here.weight, rows.shape[0]
    order, nu, done, slope = stump.order[:n], stump.nu, 0, stump.eta / max(1, n * stump.n_epochs)
    if node["feature"] == NO_SPLIT:
        clock[PHASE] = FOUND
    elif clock[PLACE] == 0 or stump.held[0] != at:
        hold_rows(here, run.complete, rows, stump.weights)
        write_targets(tree.tables, stump.targets, rows, weight, y, here.sums)
        stump.held[0] = at
        if clock[PLACE] == 0:
            start_stump(tree, here, run.complete, rows, node["feature"], node["threshold"], nu)
    while clock[PHASE] == REFINE and done < budget:
        epoch, first = clock[PLACE] // n, clock[PLACE] % n
        if epoch < stump.n_epochs:
            if first == 0:
                permute(stump.random, order)
            last = min(n, first + max(1, budget // p))
            rule = StepRule(True, stump.eta, nu, -slope, epoch * n + first)
            sgd_rows(tree, X, y, weight, order[first:last], rule)
            clock[PLACE] += last - first
            done += (last - first) * p
        else:
            write_direction(tree.W[0], here.scales, 1.0, stump.raw[0])
            # The next number below: of equal splits the turned one is taken.
            least = node["fall"] * (1.0 - 2.0**-53) - 5e-324
            cut_node(run, stump.raw, 1, np.inf, least, stump.space)
            clock[PHASE] = FOUND
            done += n * p
    return done


@kernel
def hold_rows(here, X, rows, weights):
    """Write the rows of a node as SGD reads them: scaled by themselves, of mean weight 1."""
    mean, scales, ends, Z, weight = here.mean, here.scales, here.ends, here.X, here.weight
    n, p, total = rows.shape[0], mean.shape[0], 0.0
    for i in range(n):
        total += weights[rows[i]]
    for i in range(n):
        weight[i] = weights[rows[i]] / (total / n)
    mean[:] = scales[:] = 0.0
    ends[0], ends[1] = np.inf, -np.inf
    for i in range(n):
        x = X[rows[i]]
        for j in range(p):
            mean[j] += x[j]
            ends[0, j], ends[1, j] = min(ends[0, j], x[j]), max(ends[1, j], x[j])
    for j in range(p):
        mean[j] /= n
    for i in range(n):
        x = X[rows[i]]
        for j in range(p):
            scales[j] += (x[j] - mean[j]) ** 2
    square = 1.0
    for j in range(p):
        spread, span = math.sqrt(scales[j] / n), ends[1, j] - ends[0, j]
        scales[j] = 1.0
        if span > 1e-7 * abs(mean[j]):  # else float32 cannot tell its values apart
            scales[j] = 1.0 / max(spread, DEVIATION_FLOOR * span)
            square += (spread * scales[j]) ** 2
    factor = min(1.0, RADIUS / math.sqrt(square))
    for j in range(p):
        scales[j] *= factor
    for i in range(n):
        x = X[rows[i]]
        for j in range(p):
            Z[i, j] = (x[j] - mean[j]) * scales[j]
        Z[i, p] = -factor


@by_first
def write_targets(tables, targets, rows, weight, y, sums):
    """Write the targets of rows, whose mean weight is 1: numbers at mean 0, mean variance 1."""


@implements(write_targets, LogTables)
def _classes(tables, targets, rows, weight, y, sums):
    for i in range(rows.shape[0]):
        y[i] = targets[rows[i]]


@implements(write_targets, object)
def _numbers(tables, targets, rows, weight, y, sums):
    (n, k), mean, square, largest = (rows.shape[0], y.shape[1]), sums[0], 0.0, 0.0
    mean[:] = 0.0
    for i in range(n):
        for q in range(k):
            mean[q] += weight[i] / n * targets[rows[i], q]
    for i in range(n):
        for q in range(k):
            off = targets[rows[i], q] - mean[q]
            square += weight[i] / n * off * off
            largest = max(largest, abs(off))
    # As with features, the deviation has a floor: no number ends up more than ten from the mean.
    # A node of equal numbers is not split, so that this is not 0.
    spread = max(math.sqrt(square / k), DEVIATION_FLOOR * largest)
    for i in range(n):
        for q in range(k):
            y[i, q] = (targets[rows[i], q] - mean[q]) / spread


@kernel
def start_stump(tree, here, X, rows, feature, threshold, nu):
    """Begin with the axis-aligned split, at the length that ``nu`` allows, and its leaves."""
    right, p = here.right[: rows.shape[0]], here.mean.shape[0]
    along, offset = 1.0 / here.scales[feature], threshold - here.mean[feature]
    offset /= -here.X[0, p]  # what a row ends with
    length = math.sqrt(nu / (along * along + offset * offset))
    tree.W[0] = 0.0
    tree.W[0, feature], tree.W[0, p] = length * along, length * offset
    for i in range(rows.shape[0]):
        right[i] = X[rows[i], feature] > threshold
    fit_sides(tree.tables, tree.theta, right, here.y, here.weight, here.sums)
    fill_leaves(tree.tables, tree.theta)
    fill_splits(tree.tables, tree.theta, tree.left, tree.right)


@by_first
def fit_sides(tables, theta, right, y, weight, sums):
    """Write what the rows on either side say with one row that knows nothing: shares or means."""


@implements(fit_sides, LogTables)
def _shares(tables, theta, right, y, weight, sums):
    k = theta.shape[1]
    sums[:] = 1.0 / k
    for i in range(right.shape[0]):
        sums[right[i], y[i]] += weight[i]
    for side in range(2):
        total = sums[side].sum()
        for c in range(k):
            theta[side, c] = math.log(sums[side, c] / total)


@implements(fit_sides, object)
def _means(tables, theta, right, y, weight, sums):
    n, k, on_right = right.shape[0], theta.shape[1], 0.0
    sums[:] = 0.0
    for i in range(n):
        on_right += weight[i] * right[i]
        for q in range(k):
            sums[right[i], q] += weight[i] * y[i, q]
    for q in range(k):
        theta[0, q] = sums[0, q] / (1.0 + n - on_right)
        theta[1, q] = sums[1, q] / (1.0 + on_right)


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
        """See ``SplitFinder``."""
        (n, p), k = rows.X.shape, rows.n_outputs
        width = Scaling(np.zeros(p), np.ones(p), 1.0).width
        stump = make_tree(
            weights=np.empty((0, p)),
            threshold=[0.0],
            feature=[0],
            row=[-1],
            left=[~0],
            right=[~1],
            values=np.zeros((2, k)),
        )
        joint = make_joint(stump, np.zeros((1, width)), rows.loss)
        here = NodeRows(
            X=np.zeros((n, width), dtype=np.float32),
            y=np.zeros_like(rows.y),
            weight=np.zeros(n),
            mean=np.zeros(p),
            scales=np.zeros(p),
            ends=np.zeros((2, p)),
            right=np.zeros(n, dtype=np.int32),
            sums=np.zeros((2, k)),
        )
        return TurningStump(
            targets=rows.y,
            weights=rows.weight_in_order,
            joint=joint,
            here=here,
            held=np.array([-1]),
            order=np.zeros(n, dtype=np.int64),
            random=random_words(self.rng),
            nu=self._settings.nu,
            eta=self._settings.eta,
            n_epochs=self._settings.epochs,
            raw=np.empty((1, p), dtype=np.float32),
            space=NodeSpace.of(n, n_numbers),
        )

"""One node of TAO: the problem it is given, the split it learns, whether the tree takes it.

The learner (:class:`treecore.learners.nongreedy.tao.tao.TAO`) does this at every node, from the
deepest level up to the root; then every leaf takes the classes of its rows, and it begins anew.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treecore.core.routing import apply, leaf_labels
from treecore.core.rows import TrainingRows
from treecore.core.scaling import Scaling
from treecore.core.tree import OBLIQUE, Tree, make_tree, split_depths
from treecore.learners.nongreedy.tao.care_points import ZeroOneProblem, care_loss, find_care_points
from treecore.learners.nongreedy.tao.logistic import SOLVERS
from treecore.losses.base import fill_leaves


@dataclass(frozen=True)
class NodeStep:
    """What TAO does at one split.

    Attributes
    ----------
    split : int
    rows : int64 array, shape (n_rows,)
        Rows that reach it.
    care : int64 array, shape (n_care,)
        The care points among them.
    wants_right : bool array, shape (n_care,)
        Their pseudolabels.
    weights, threshold : float32 array, shape (n_features,), and float32; or None
        The split that was learnt; None without care points.
    wrong_before, wrong_after : float
        Weight of the care points sent to their worse side by the old and by the learnt split.
    proposed : Tree
        The tree with the learnt split, whether or not it is taken.
    tree : Tree
        The tree after the step.
    """

    split: int
    rows: np.ndarray
    care: np.ndarray
    wants_right: np.ndarray
    weights: np.ndarray | None
    threshold: np.float32 | None
    wrong_before: float
    wrong_after: float
    proposed: Tree
    tree: Tree

    @property
    def one_sided(self) -> bool:
        """Whether all care points want the same side, so that no weights are needed."""
        return len(self.care) > 0 and bool(self.wants_right.all() or not self.wants_right.any())

    @property
    def accepted(self) -> bool:
        """Whether the learnt split sends no more weight astray than the old one."""
        return self.weights is not None and self.wrong_after <= self.wrong_before


def improve_split(
    tree: Tree,
    rows: TrainingRows,
    split: int,
    *,
    C: float,
    max_iter: int,
    seed: int,
    solver: str = "liblinear",
) -> NodeStep:
    """Solve the reduced problem of one split, as TAO does where all its nodes are oblique.

    Parameters
    ----------
    tree : Tree
        Not changed. Of numbers its values are in the units of ``rows``.
    rows : TrainingRows
        Dense.
    split : int
    C, max_iter, seed
        See :func:`treecore.learners.nongreedy.tao.logistic.by_liblinear`.
    solver : str
        A name of :data:`treecore.learners.nongreedy.tao.logistic.SOLVERS`.
    """
    leaf = apply(tree, rows.X)
    here = np.flatnonzero(np.isin(leaf, leaves_below(tree, split)))
    n = len(here)
    other, went_right = np.empty(n, np.int32), np.empty(n, bool)
    care, wants_right, stake = np.empty(n, np.int64), np.empty(n, bool), np.empty(n)
    tables = _tables(tree, rows)
    outputs = other, went_right, care, wants_right, stake
    n_care = find_care_points(
        tree, split, rows.X, rows.y, rows.weight, tables, here, leaf, *outputs
    )
    care, wants_right, stake = care[:n_care], wants_right[:n_care], stake[:n_care]
    if n_care == 0:
        return NodeStep(split, here, care, wants_right, None, None, 0.0, 0.0, tree, tree)
    if wants_right.all() or not wants_right.any():
        weights = np.zeros(tree.n_features, dtype=np.float32)
        threshold = np.float32(-1.0 if wants_right[0] else 1.0)
    else:
        weights, threshold = SOLVERS[solver](
            Scaling.fit(rows.X),
            rows.X,
            care,
            wants_right,
            stake,
            C=C,
            max_iter=max_iter,
            seed=seed,
            start=_cut_of(tree, split),
        )
    proposed = with_split(tree, split, weights, threshold)
    before = care_loss(tree, split, rows.X, care, wants_right, stake)
    after = care_loss(proposed, split, rows.X, care, wants_right, stake)
    return NodeStep(
        split=split,
        rows=here,
        care=care,
        wants_right=wants_right,
        weights=weights,
        threshold=threshold,
        wrong_before=before,
        wrong_after=after,
        proposed=proposed,
        tree=proposed if after <= before else tree,
    )


def _tables(tree: Tree, rows: TrainingRows):
    """What leaves cost, as TAO counts it: classes right or wrong, numbers by their loss."""
    if rows.loss.task == "classification":
        return ZeroOneProblem(leaf_labels(tree))
    tables = rows.loss.make_tables(0, *tree.values.shape)
    fill_leaves(tables, tree.values)
    return tables


def tree_cost(tree: Tree, rows: TrainingRows) -> float:
    """TAO's objective without its penalty: share of misclassified rows, or mean loss of numbers.

    Parameters
    ----------
    tree : Tree
    rows : TrainingRows
    """
    leaf = apply(tree, rows.X)
    if rows.loss.task == "classification":
        return float(np.average(leaf_labels(tree)[leaf] != rows.y, weights=rows.weight))
    costs = rows.loss.of_rows(tree.values, leaf, rows.y)
    return float(np.average(costs.astype(np.float64), weights=rows.weight))


def _cut_of(tree: Tree, split: int) -> tuple[np.ndarray, np.float32]:
    """Weights and threshold of a split, whichever kind it is."""
    if tree.feature[split] == OBLIQUE:
        return tree.weights[tree.row[split]].copy(), tree.threshold[split]
    weights = np.zeros(tree.n_features)
    weights[tree.feature[split]] = 1.0
    return weights, tree.threshold[split]


def relabel(tree: Tree, rows: TrainingRows, smoothing: float) -> Tree:
    """The tree with the best leaf values for its rows, as at the end of an iteration.

    Leaves that no row reaches keep their values, and so do those whose numbers would not cost
    less, the ``smoothing`` examples at 0 included.

    Parameters
    ----------
    tree : Tree
    rows : TrainingRows
    smoothing : float
        See ``constants`` of :class:`treecore.losses.base.Loss`.
    """
    leaf, values = apply(tree, rows.X), tree.values.copy()
    fitted = rows.loss.constants(leaf, rows.y, rows.weight, *values.shape, smoothing)
    better = np.bincount(leaf, rows.weight, len(values)) > 0
    if rows.loss.task == "regression":
        before, after = (_leaf_costs(part, leaf, rows, smoothing) for part in (values, fitted))
        better &= after < before
    values[better] = fitted[better]
    return tree._replace(values=values)


def _leaf_costs(values: np.ndarray, leaf: np.ndarray, rows: TrainingRows, smoothing: float):
    """What every leaf costs its rows and its smoothing, float64 (n_leaves,)."""
    costs = rows.loss.of_rows(values, leaf, rows.y).astype(np.float64)
    leaves = np.arange(len(values), dtype=np.int32)
    at_zero = rows.loss.of_rows(values, leaves, np.zeros(values.shape, dtype=np.float32))
    return np.bincount(leaf, rows.weight * costs, len(values)) + smoothing * at_zero


def tao_order(tree: Tree) -> list[int]:
    """Splits in the order in which TAO visits them: the deepest level first, the root last."""
    return np.argsort(split_depths(tree), kind="stable")[::-1].tolist()


def leaves_below(tree, split: int) -> list[int]:
    """The leaves below a split, from left to right.

    Parameters
    ----------
    tree : Tree or TrainingTree
    split : int
    """
    leaves, open_nodes = [], [split]
    while open_nodes:
        node = open_nodes.pop()
        if node < 0:
            leaves.append(int(~node))
        else:
            open_nodes += [tree.right[node], tree.left[node]]
    return leaves


def with_split(tree: Tree, split: int, weights: np.ndarray, threshold: np.float32) -> Tree:
    """A copy of the tree with another oblique split in place of one of its own.

    Parameters
    ----------
    tree : Tree
    split : int
        The one that is replaced.
    weights : array, shape (n_features,)
    threshold : float32

    Raises
    ------
    ValueError
        Where a number is not finite.
    """
    all_weights, row, feature = tree.weights.copy(), tree.row.copy(), tree.feature.copy()
    if feature[split] == OBLIQUE:
        all_weights[row[split]] = weights
    else:
        row[split], feature[split] = len(all_weights), OBLIQUE
        all_weights = np.vstack([all_weights, weights])
    thresholds = tree.threshold.copy()
    thresholds[split] = threshold
    rest = tree.left, tree.right, tree.values, tree.missing
    return make_tree(all_weights, thresholds, feature, row, *rest)

"""One node of TAO: the problem it is given, the split it learns, whether the tree takes it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treecore.core.routing import apply, leaf_labels
from treecore.core.scaling import Scaling
from treecore.core.tree import OBLIQUE, Tree, split_depths
from treecore.learners.nongreedy.tao.care_points import (
    ReducedProblem,
    care_loss,
    constant_costs,
    reduced_problem,
)
from treecore.learners.nongreedy.tao.editable_tree import (
    compact_tree,
    get_split,
    set_split,
    with_a_row_each,
)
from treecore.learners.nongreedy.tao.leaf_values import refit_leaves
from treecore.learners.nongreedy.tao.oblique_cut import oblique_cut
from treecore.pruning.subtrees import leaves_below
from treecore.rows.training_rows import TrainingRows


@dataclass(frozen=True)
class NodeStep:
    """What TAO does at one split: the rows that reach it, and the care points among them.

    weights, threshold: the split that was learnt, None without care points; wrong_before,
    wrong_after: weight of care points on their worse side, with it; tree: after the step.
    """

    split: int
    problem: ReducedProblem
    weights: np.ndarray | None
    threshold: np.float32 | None
    wrong_before: float
    wrong_after: float
    tree: Tree

    @property
    def care(self) -> np.ndarray:
        """The care points, int64 (n_care,)."""
        return self.problem.care

    @property
    def wants_right(self) -> np.ndarray:
        """Their pseudolabels, bool (n_care,)."""
        return self.problem.wants_right

    @property
    def one_sided(self) -> bool:
        """Whether all care points want the same side, so that no weights are needed."""
        return len(self.care) > 0 and self.problem.one_sided

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
    ridge: float = 0.0,
) -> NodeStep:
    """Solve the reduced problem of one split, as TAO does."""
    X = rows.complete.X
    leaf = apply(tree, X)
    here = np.flatnonzero(np.isin(leaf, leaves_below(tree, split))).astype(np.int32)
    costs = constant_costs(tree, rows.loss, rows.y)
    problem = reduced_problem(tree, split, X, here, leaf, costs, rows.weight)
    care = problem.care, problem.wants_right, problem.stake
    if not len(problem.care):
        return NodeStep(split, problem, None, None, 0.0, 0.0, tree)
    data = get_split(tree, split), problem, X, Scaling.fit(X)
    cut = oblique_cut(*data, C=C, ridge=ridge, max_iter=max_iter)
    proposed = with_split(tree, split, cut.weights, cut.threshold)
    before, after = (care_loss(part, split, X, *care) for part in (tree, proposed))
    tree = proposed if after <= before else tree
    return NodeStep(split, problem, cut.weights, cut.threshold, before, after, tree)


def tree_cost(tree: Tree, rows: TrainingRows) -> float:
    """TAO's objective without its penalty: share of misclassified rows, or mean loss of numbers."""
    leaf = apply(tree, rows.complete.X)
    if rows.loss.task == "classification":
        return float(np.average(leaf_labels(tree)[leaf] != rows.y, weights=rows.weight))
    costs = rows.loss.of_rows(tree.values, leaf, rows.y)
    return float(np.average(costs.astype(np.float64), weights=rows.weight))


def relabel(tree: Tree, rows: TrainingRows, smoothing: float) -> Tree:
    """The tree with the best leaf values for its rows, as at the end of an iteration.

    Values stay where no row arrives, or where numbers would not cost less with their smoothing.
    """
    targets = apply(tree, rows.complete.X), rows.y, rows.weight, rows.loss
    return tree._replace(values=refit_leaves(tree.values, *targets, smoothing)[0])


def tao_order(tree: Tree) -> list[int]:
    """Splits in the order in which TAO visits them: the deepest level first, the root last."""
    return np.argsort(split_depths(tree), kind="stable")[::-1].tolist()


def with_split(tree: Tree, split: int, weights: np.ndarray, threshold: np.float32) -> Tree:
    """A copy of the tree with another oblique split (n_features,); ValueError where not finite."""
    changed = with_a_row_each(tree)
    cut = get_split(changed, split)
    cut = cut._replace(feature=OBLIQUE, weights=weights, threshold=threshold)
    set_split(changed, split, cut)
    return compact_tree(changed)

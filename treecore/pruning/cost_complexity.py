"""Minimal cost-complexity pruning (Breiman, Friedman, Olshen and Stone 1984, chapter 3).

A subtree with L leaves and the risk R (mean impurity of its rows, each by its weight) costs
``R + alpha L``. A split is worth its leaves as long as ::

    alpha  <  (R(split as a leaf) - R(subtree)) / (L - 1)

so as alpha rises, splits become leaves one after another, the weakest link first, until the root
is one. All trees that are best for some alpha lie on this path, each within the last. It is the
path of scikit-learn's ``cost_complexity_pruning_path``, for trees of any splits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treecore.base.array_types import Labels, Rows, Weights
from treecore.core.tree import Tree, parents
from treecore.pruning.statistics import gather_statistics
from treecore.pruning.subtrees import collapse


@dataclass(frozen=True)
class PruningPath:
    """All trees of cost-complexity pruning, from the whole one to a single leaf.

    Attributes
    ----------
    alphas : float64 array, shape (n_trees,)
        From 0, not falling: tree k is the best for ``alphas[k] <= alpha < alphas[k + 1]``.
    impurities : float64 array, shape (n_trees,)
        Mean impurity over all rows in the leaves of each tree.
    n_leaves : int64 array, shape (n_trees,)
    unpruned : Tree
        The tree that is pruned.
    step : int64 array, shape (n_splits,)
        The first tree in which a split is a leaf, or does not occur.
    values : float32 array, shape (n_splits, n_outputs)
        What every split predicts as a leaf.
    """

    alphas: np.ndarray
    impurities: np.ndarray
    n_leaves: np.ndarray
    unpruned: Tree
    step: np.ndarray
    values: np.ndarray

    def __len__(self) -> int:
        return len(self.alphas)

    def tree(self, number: int) -> Tree:
        """Tree ``number`` of the path, from 0, the whole one; -1 is the last, a single leaf."""
        number = range(len(self))[number]
        return collapse(self.unpruned, self.step <= number, self.values)

    def tree_for(self, alpha: float) -> Tree:
        """The best tree for ``alpha``, a number that is not negative."""
        if not alpha >= 0:
            raise ValueError(f"alpha={alpha!r} must be a number that is not negative")
        return self.tree(int(np.searchsorted(self.alphas, alpha, side="right")) - 1)


def cost_complexity_path(
    tree: Tree,
    X,
    y,
    sample_weight=None,
    *,
    criterion: str = "gini",
    smoothing: float = 1.0,
    task: str = "classification",
) -> PruningPath:
    """The path of minimal cost-complexity pruning.

    Parameters
    ----------
    tree : Tree
    X : array of numbers, shape (n_samples, n_features)
        The rows that the tree was grown from.
    y : array, shape (n_samples,) or (n_samples, n_outputs)
        Class indices, or numbers in the units of the tree's values.
    sample_weight : array, shape (n_samples,), or None
    criterion : str
        Impurity of classes, ``"gini"``, ``"entropy"`` (bits) or ``"error"``. Numbers have one:
        variance.
    smoothing : float
        Rows that know nothing and join each new leaf, so that no probability is zero.
    task : str
        ``"classification"`` or ``"regression"``.

    Raises
    ------
    ValueError
        In one sentence, for rows that are not of this tree, or an unknown criterion.
    """
    evidence = gather_statistics(tree, X, y, sample_weight, task)
    m = tree.n_splits
    total = evidence.weight[m:].sum()
    risk = evidence.risk(criterion) / total
    values = evidence.values(smoothing)[:m]
    branch, n_leaves = risk.copy(), np.ones(len(risk), dtype=np.int64)
    # Leaf j is node m + j; where a child is ~j, the node is m + j = m + ~child.
    children = np.stack([tree.left, tree.right], axis=1).astype(np.int64)
    children = np.where(children >= 0, children, m + ~children)
    for split in range(m - 1, -1, -1):
        branch[split] = branch[children[split]].sum()
        n_leaves[split] = n_leaves[children[split]].sum()
    above, _ = parents(tree)
    alphas, impurities, sizes = [0.0], [branch[0]], [n_leaves[0]]
    step = np.zeros(m, dtype=np.int64)
    worth = (risk[:m] - branch[:m]) / np.maximum(n_leaves[:m] - 1, 1)  # of a split's leaves
    while m and np.isfinite(worth[0]):
        weakest = int(worth.argmin())
        alphas.append(max(worth[weakest], alphas[-1]))
        waiting = [weakest]
        while waiting:
            node = waiting.pop()
            if node < m and np.isfinite(worth[node]):
                worth[node] = np.inf
                step[node] = len(alphas) - 1
                waiting += children[node].tolist()
        gained, lost = risk[weakest] - branch[weakest], n_leaves[weakest] - 1
        node = weakest
        while node >= 0:
            branch[node] += gained
            n_leaves[node] -= lost
            if node != weakest:
                worth[node] = (risk[node] - branch[node]) / (n_leaves[node] - 1)
            node = above[node]
        impurities.append(branch[0])
        sizes.append(n_leaves[0])
    return PruningPath(np.array(alphas), np.array(impurities), np.array(sizes), tree, step, values)


def prune_cost_complexity(
    tree: Tree, X: Rows, y: Labels, alpha: float, sample_weight: Weights = None, **more
) -> Tree:
    """The subtree that costs least for ``alpha``, the price of one leaf; of equals the smallest.

    Parameters
    ----------
    alpha : float
        In units of mean impurity, not negative.
    tree, X, y, sample_weight, **more
        See :func:`cost_complexity_path`.

    Raises
    ------
    ValueError
        See there; or for an alpha that is negative.
    """
    return cost_complexity_path(tree, X, y, sample_weight, **more).tree_for(alpha)

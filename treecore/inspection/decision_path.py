"""The nodes that rows pass on their way to a leaf."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from treecore.core.tree import Tree, parents


def decision_path(tree: Tree, leaf: np.ndarray) -> csr_matrix:
    """Which nodes rows pass, CSR of ones, (n_samples, n_splits + n_leaves), splits before leaves.

    leaf: int (n_samples,), the leaf that each row reaches.
    """
    of_split, of_leaf = parents(tree)
    paths = []
    for j, node in enumerate(of_leaf):
        path = [tree.n_splits + j]
        while node >= 0:
            path.append(int(node))
            node = of_split[node]
        paths.append(np.array(path[::-1]))
    lengths = np.array([len(path) for path in paths])
    indices = np.concatenate([paths[j] for j in leaf])
    indptr = np.concatenate([[0], np.cumsum(lengths[leaf])])
    ones = np.ones(len(indices), dtype=np.int64)
    return csr_matrix((ones, indices, indptr), shape=(len(leaf), tree.n_splits + tree.n_leaves))

"""Where a row goes and what it is told there: leaf indices, probabilities, labels.

One rule for every input type: trees read float32. Wider numbers are rounded to it first, block
by block, so that a row lands in the same leaf whichever type it arrives in and no second copy
of the data is ever made.
"""

from __future__ import annotations

import numpy as np

from treecore.kernels import dot, kernel
from treecore.tree import Tree

_BLOCK_VALUES = 1 << 20
"""Numbers converted at a time when rows are not float32 already: 4 MiB."""


@kernel
def score(tree, split, x):
    """The score s_i of one split for one float32 row; it goes right when this is positive."""
    feature = tree.feature[split]
    if feature >= 0:
        return x[feature] - tree.threshold[split]
    return dot(tree.weights[tree.row[split]], x) - tree.threshold[split]


@kernel
def leaf_of(tree, x):
    """The leaf that one float32 row reaches. Ties (a score of zero) go left."""
    node = 0 if tree.threshold.shape[0] > 0 else -1
    while node >= 0:
        node = tree.right[node] if score(tree, node, x) > 0 else tree.left[node]
    return ~node


@kernel
def apply_rows(tree, X, out):
    """Write the leaf of every row of ``X``, float32 (n_samples, n_features), into ``out``."""
    for i in range(X.shape[0]):
        out[i] = leaf_of(tree, X[i])


def as_rows(X, n_features: int | None = None) -> np.ndarray:
    """``X`` as a numeric array of finite rows that fit float32; not copied, not yet converted.

    Raises
    ------
    ValueError
        In one sentence, when X is not a table of numbers, has another number of features, or
        holds missing, infinite or too large values.
    """
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"X must be a table (n_samples, n_features), but has shape {X.shape}")
    if X.dtype.kind not in "fiub":
        raise ValueError(f"X must hold numbers, but holds {X.dtype}")
    if n_features is not None and X.shape[1] != n_features:
        raise ValueError(f"X has {X.shape[1]} features, but the tree was made for {n_features}")
    if X.size:
        # Two reductions instead of a mask: no temporary as large as the data.
        low, high = X.min(), X.max()
        if np.isnan(low) or np.isnan(high):
            raise ValueError("X has missing values (NaN); fill them or remove their rows")
        if max(-float(low), float(high)) > float(np.finfo(np.float32).max):
            raise ValueError("X holds infinite values or values beyond 3.4e38, the float32 range")
    return X


def apply(tree: Tree, X) -> np.ndarray:
    """The leaf index of every row.

    Parameters
    ----------
    tree : Tree
    X : array of numbers, shape (n_samples, n_features)

    Returns
    -------
    int32 array, shape (n_samples,)

    Raises
    ------
    ValueError
        See :func:`as_rows`.
    """
    X = as_rows(X, tree.n_features)
    leaves = np.empty(X.shape[0], dtype=np.int32)
    if X.dtype == np.float32 and X.flags.c_contiguous:
        apply_rows(tree, X, leaves)
        return leaves
    rows = max(1, _BLOCK_VALUES // X.shape[1])
    for start in range(0, X.shape[0], rows):
        block = np.ascontiguousarray(X[start : start + rows], dtype=np.float32)
        apply_rows(tree, block, leaves[start : start + rows])
    return leaves


def leaf_probabilities(tree: Tree) -> np.ndarray:
    """Class probabilities of every leaf by softmax (eq. 1), float64 (n_leaves, n_classes)."""
    theta = tree.values.astype(np.float64)
    odds = np.exp(theta - theta.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def leaf_labels(tree: Tree) -> np.ndarray:
    """The most probable class of every leaf (the first one of equals), int64 (n_leaves,)."""
    return tree.values.argmax(axis=1)


def predict_proba(tree: Tree, X) -> np.ndarray:
    """Class probabilities of every row, float64 (n_samples, n_classes); see :func:`apply`."""
    return leaf_probabilities(tree)[apply(tree, X)]


def predict(tree: Tree, X) -> np.ndarray:
    """The most probable class index of every row, int64 (n_samples,); see :func:`apply`."""
    return leaf_labels(tree)[apply(tree, X)]

"""Decision paths and predictions: the leaf of every row, its probabilities, its label.

One rule for every input type: trees read float32. Wider numbers are rounded to it first, block
by block, so that a row lands in the same leaf whichever type it arrives in and no second copy
of the data is ever made. An axis-aligned split sends a missing value (NaN) to the side that it
says, an oblique one reads the tree's ``missing`` in its place, the mean of the training rows.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treecore.compiling.kernels import dot, kernel
from treecore.core.descent import DescentSpace, descend
from treecore.core.linear_leaves import linear_predictions
from treecore.core.tree import Tree
from treecore.rows.finite import filled

_BLOCK_VALUES = 1 << 18
"""Numbers checked and read, or converted, at a time: 1 MiB, which the second cache holds."""


@kernel
def score(tree, split, x):
    """The score s_i of one split for a row without missing values; it goes right if positive."""
    feature = tree.feature[split]
    if feature >= 0:
        return x[feature] - tree.threshold[split]
    return dot(tree.weights[tree.row[split]], x) - tree.threshold[split]


def decision_path(tree: Tree, x: np.ndarray) -> tuple[list[int], list[bool], int]:
    """The splits on a row's way from the root, whether it goes right at each, and its leaf."""
    known, tree = filled(x[None], tree.missing)[0], tree.without_linear()
    splits, right, node = [], [], tree.root
    while node >= 0:
        splits.append(node)
        feature = tree.feature[node]
        if feature >= 0 and np.isnan(x[feature]):
            right.append(not tree.missing_left[node])
        else:  # the kernel's own decision: in float64 a row on a split might leave the path
            right.append(bool(score(tree, node, known) > 0))
        node = int(tree.right[node] if right[-1] else tree.left[node])
    return splits, right, ~node


def apply_rows(tree: Tree, X, out: np.ndarray, checked: bool = True) -> int:
    """Write the leaf of every row, see :func:`treecore.core.descent.descend`."""
    space = DescentSpace.of(X.shape[1])
    return descend(tree.splits, tree.root, X, checked, out, space)


def as_rows(X, n_features: int | None = None, missing: bool = False) -> np.ndarray:
    """``X`` as a numeric array of finite rows that fit float32, neither copied nor converted."""
    X = as_table(X, n_features)
    _check_range(X, missing)
    return X


def row_blocks(X, n_features: int) -> Iterator[tuple[slice, np.ndarray]]:
    """Rows as kernels read them, checked and converted block by block, with their places."""
    X = as_table(X, n_features)
    n_abreast = max(1, _BLOCK_VALUES // max(1, X.shape[1]))
    for start in range(0, len(X), n_abreast):
        part = slice(start, start + n_abreast)
        block = X[part]
        if not _are_plain(block):
            _check_range(block, missing=True)
            block = np.ascontiguousarray(block, dtype=np.float32)
        yield part, block


def as_table(X, n_features: int | None) -> np.ndarray:
    """X as an array of numbers of so many features; its numbers are not looked at yet."""
    refuse_sparse(X)
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"X must be a table (n_samples, n_features), but has shape {X.shape}")
    if X.dtype.kind not in "fiub":
        raise ValueError(f"X must hold numbers, but holds {X.dtype}")
    if n_features is not None and X.shape[1] != n_features:
        raise ValueError(f"X has {X.shape[1]} features, but the tree was made for {n_features}")
    return X


def refuse_sparse(X) -> None:
    """Raise ValueError, with what to do, where X is one of SciPy's sparse tables."""
    if hasattr(X, "tocsr"):
        raise ValueError(
            "X is a sparse table, and trees read dense ones: use X.toarray(), or, where that is "
            "too large, sklearn.decomposition.TruncatedSVD"
        )


def _are_as_read(X: np.ndarray) -> bool:
    """Whether rows are as kernels read them, but that numbers may be missing or too large."""
    return X.dtype == np.float32 and X.flags.c_contiguous


def _are_plain(block: np.ndarray) -> bool:
    """Whether rows are finite: the sum of squares is not if any number is not, and rarely else."""
    if not _are_as_read(block):
        return False
    numbers = block.reshape(-1)
    with np.errstate(all="ignore"):  # it may be too large, of numbers that are not
        return bool(np.isfinite(np.dot(numbers, numbers)))


def _check_range(numbers: np.ndarray, missing: bool) -> None:
    """Refuse numbers beyond float32, and NaN unless it stands for a missing value."""
    if not numbers.size:
        return
    # Two reductions instead of a mask: no temporary as large as the data.
    low, high = numbers.min(), numbers.max()
    if np.isnan(low) or np.isnan(high):
        if not missing:
            raise ValueError("X has missing values (NaN); fill them or remove their rows")
        low, high = np.fmin.reduce(numbers, axis=None), np.fmax.reduce(numbers, axis=None)
    if max(-float(low), float(high)) > float(np.finfo(np.float32).max):
        raise ValueError(
            "X holds infinite values or values beyond 3.4e38, the float32 range: write NaN for a "
            "missing value, or give the column in another unit"
        )


def apply(tree: Tree, X) -> np.ndarray:
    """The leaf index of every row.

    Parameters
    ----------
    tree : Tree
    X : array of numbers, shape (n_samples, n_features)
        NaN stands for a missing value.

    Returns
    -------
    int32 array, shape (n_samples,)

    Raises
    ------
    ValueError
        See :func:`as_rows`.
    """
    X = as_table(X, tree.n_features)
    leaves = np.empty(len(X), dtype=np.int32)
    done = apply_rows(tree, X, leaves, checked=False) if _are_as_read(X) else 0
    if done < len(leaves):
        rest = leaves[done:]
        for part, block in row_blocks(X[done:] if done else X, tree.n_features):
            apply_rows(tree, block, rest[part])
    return leaves


def leaf_probabilities(tree: Tree) -> np.ndarray:
    """Class probabilities of every leaf by softmax (eq. 1), of linear leaves their mean."""
    return class_probabilities(tree.values)


def class_probabilities(theta: np.ndarray) -> np.ndarray:
    """Softmax of log-odds, float64 (n, n_classes). theta: (n, n_classes)."""
    theta = theta.astype(np.float64)
    odds = np.exp(theta - theta.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def leaf_labels(tree: Tree) -> np.ndarray:
    """The most probable class of every leaf (the first one of equals), int64 (n_leaves,)."""
    return tree.values.argmax(axis=1)


def predict_proba(tree: Tree, X) -> np.ndarray:
    """Class probabilities of every row.

    Parameters
    ----------
    tree : Tree
    X : array of numbers, shape (n_samples, n_features)
        NaN stands for a missing value.

    Returns
    -------
    float64 array, shape (n_samples, n_classes)
    """
    leaf = apply(tree, X)
    if tree.linear is None:
        return leaf_probabilities(tree)[leaf]
    return class_probabilities(predict_linear(tree, X, leaf))


def predict_values(tree: Tree, X) -> np.ndarray:
    """Values of the leaves of rows, or of their linear models, (n_samples, n_outputs).

    Numbers, or log-odds of the classes; float64 for numbers and for linear leaves.
    """
    leaf = apply(tree, X)
    return tree.values[leaf] if tree.linear is None else predict_linear(tree, X, leaf)


def predict_linear(tree: Tree, X, leaf: np.ndarray) -> np.ndarray:
    """What linear leaves predict for rows with known leaves, float64 (n_samples, n_outputs)."""
    predicted = np.empty((len(leaf), tree.n_outputs))
    for part, block in row_blocks(X, tree.n_features):
        known = filled(block, tree.missing)
        linear_predictions(tree.linear, known, leaf[part], predicted[part])
    return predicted


def predict(tree: Tree, X) -> np.ndarray:
    """The most probable class index of every row.

    Parameters
    ----------
    tree : Tree
    X : array of numbers, shape (n_samples, n_features)
        NaN stands for a missing value.

    Returns
    -------
    int64 array, shape (n_samples,)
    """
    leaf = apply(tree, X)
    if tree.linear is None:
        return leaf_labels(tree)[leaf]
    return predict_linear(tree, X, leaf).argmax(axis=1)

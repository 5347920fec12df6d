"""The flat tree: one struct of arrays for every learner, every shape, every purpose.

A tree is not assumed complete. Splits and leaves are numbered apart; a child reference ``c``
is a split when ``c >= 0`` and the leaf ``~c`` when ``c < 0``::

    left[0] = 1            split 0 ── left ──> split 1 ── left ──> leaf 0   (~0 == -1)
    right[0] = ~2 = -3        └── right ─> leaf 2  └── right ─> leaf 1   (~1 == -2)

Split 0 is the root; a tree without splits is the single leaf 0. Children of a split always
have greater numbers than the split itself, so one pass over the arrays, forwards or backwards,
visits parents before children or children before parents.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from treecore.core.linear_leaves import LinearLeaves, check_linear, make_linear

OBLIQUE = -1
"""Mark in ``feature`` of a split whose score is an inner product."""

LEAF_NOUNS = (("leaf", "leaves"), ("linear leaf", "linear leaves"))


class Tree(NamedTuple):
    """A binary tree of axis-aligned and oblique splits, as flat arrays.

    ``x`` goes right at split ``i`` when its score ``s_i`` is positive and left otherwise, where
    ``s_i = x[feature[i]] - threshold[i]`` for an axis-aligned split and
    ``s_i = weights[row[i]] @ x - threshold[i]`` for an oblique one.

    Attributes
    ----------
    weights : float32 array, shape (n_oblique, n_features)
        Rows of W of the oblique splits only: a tree without them carries no dense rows.
    threshold : float32 array, shape (n_splits,)
        b of every split.
    feature : int32 array, shape (n_splits,)
        The feature of an axis-aligned split, ``OBLIQUE`` (-1) otherwise.
    row : int32 array, shape (n_splits,)
        The row of ``weights`` of an oblique split, -1 otherwise.
    left, right : int32 arrays, shape (n_splits,)
        Child references: ``>= 0`` a split, ``< 0`` the leaf ``~reference``.
    values : float32 or float64 array, shape (n_leaves, n_outputs)
        Theta: per leaf the unnormalised log-probabilities of the classes (log-odds), or the
        predicted numbers, float64 in the targets' own units. Of a linear leaf the number that it
        predicts on average, or logarithms of the probabilities, for whoever wants one answer of it.
    missing : float32 array, shape (n_features,)
        What an oblique split and a linear leaf read a missing value (NaN) of each feature as: of a
        trained tree the mean of the training rows.
    missing_left : bool array, shape (n_splits,)
        Whether an axis-aligned split sends a missing value to the left; False at oblique ones.
    linear : LinearLeaves or None
        The models of a tree whose leaves predict numbers, or log-odds, by them. Kernels that route
        rows need none of it, and get the tree :meth:`without_linear` leaves.
    """

    weights: np.ndarray
    threshold: np.ndarray
    feature: np.ndarray
    row: np.ndarray
    left: np.ndarray
    right: np.ndarray
    values: np.ndarray
    missing: np.ndarray
    missing_left: np.ndarray
    linear: LinearLeaves | None = None

    @property
    def n_splits(self) -> int:
        return self.threshold.shape[0]

    @property
    def n_leaves(self) -> int:
        return self.values.shape[0]

    @property
    def n_features(self) -> int:
        return self.weights.shape[1]

    @property
    def n_outputs(self) -> int:
        return self.values.shape[1]

    @property
    def root(self) -> int:
        """The reference at which routing starts: split 0, or leaf 0 of a tree without splits."""
        return 0 if self.n_splits else ~0

    @property
    def has_directions(self) -> bool:
        """Whether a split sends a missing value elsewhere than the mean of its feature goes."""
        return not np.array_equal(self.missing_left, means_go_left(self))

    @property
    def splits(self) -> tuple[np.ndarray, ...]:
        """What routes rows, in the order in which kernels take it."""
        ways = self.left, self.right, self.missing, self.missing_left
        return self.feature, self.threshold, self.row, self.weights, *ways

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in (*self.without_linear()[:-1], *(self.linear or ())))

    def without_linear(self) -> Tree:
        """The same tree with the constants of its leaves alone."""
        return self if self.linear is None else self._replace(linear=None)

    def copy(self) -> Tree:
        """The same tree in arrays of its own, unchecked."""
        linear = None if self.linear is None else LinearLeaves(*map(np.array, self.linear))
        fields = Tree._fields[:-1]
        return Tree(**{name: np.array(getattr(self, name)) for name in fields}, linear=linear)

    def __repr__(self) -> str:
        """One line of sizes: the arrays would fill a screen."""
        sizes = [
            counted(self.n_splits, "split"),
            counted(self.n_leaves, *LEAF_NOUNS[self.linear is not None]),
            f"depth {tree_depth(self)}",
            counted(self.n_features, "feature"),
        ]
        return "Tree of " + ", ".join(sizes)


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun, ``"1 leaf"``; ``many`` is by default ``one`` with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def make_tree(
    weights,
    threshold,
    feature,
    row,
    left,
    right,
    values,
    missing=None,
    missing_left=None,
    linear=None,
) -> Tree:
    """A :class:`Tree` from array-likes, checked by :func:`check_tree`; missing: None is zeros."""
    weights = np.ascontiguousarray(weights, dtype=np.float32)
    if missing is None:
        missing = np.zeros(weights.shape[-1:], dtype=np.float32)
    tree = Tree(
        weights=weights,
        threshold=np.ascontiguousarray(threshold, dtype=np.float32),
        feature=np.ascontiguousarray(feature, dtype=np.int32),
        row=np.ascontiguousarray(row, dtype=np.int32),
        left=np.ascontiguousarray(left, dtype=np.int32),
        right=np.ascontiguousarray(right, dtype=np.int32),
        values=np.ascontiguousarray(values, dtype=np.float32),
        missing=np.ascontiguousarray(missing, dtype=np.float32),
        missing_left=np.zeros(np.shape(threshold), dtype=np.bool_),
        linear=None if linear is None else make_linear(*linear),
    )
    if missing_left is not None:
        tree = tree._replace(missing_left=np.ascontiguousarray(missing_left, dtype=np.bool_))
    check_tree(tree)
    return tree if missing_left is not None else tree._replace(missing_left=means_go_left(tree))


def means_go_left(tree: Tree) -> np.ndarray:
    """Whether ``tree.missing`` goes left at each axis-aligned split; bool (n_splits,)."""
    axis = tree.feature != OBLIQUE
    return axis & (tree.missing[np.where(axis, tree.feature, 0)] <= tree.threshold)


def oblique_tree(weights, threshold, like: Tree, values) -> Tree:
    """A tree of the shape of ``like`` with other oblique splits and values: only these are checked.

    A run that is watched makes one for every picture.
    """
    n = like.n_splits
    tree = Tree(
        weights=np.ascontiguousarray(weights, dtype=np.float32),
        threshold=np.ascontiguousarray(threshold, dtype=np.float32),
        feature=np.full(n, OBLIQUE, dtype=np.int32),
        row=np.arange(n, dtype=np.int32),
        left=like.left,
        right=like.right,
        values=np.ascontiguousarray(values, dtype=np.float32),
        missing=np.zeros(np.shape(weights)[-1], dtype=np.float32),
        missing_left=np.zeros(n, dtype=np.bool_),
    )
    if len(tree.weights) != n or tree.threshold.shape != (n,) or tree.n_leaves != n + 1:
        raise ValueError(f"weights, threshold and values must fit the {n} splits of the shape")
    _check_finite(tree)
    return tree


def single_leaf(values, n_features: int) -> Tree:
    """The tree without splits. values: array-like (n_outputs,), of its only leaf."""
    none = np.empty(0, dtype=np.int32)
    weights = np.empty((0, n_features), dtype=np.float32)
    return make_tree(weights, none, none, none, none, none, np.atleast_2d(values))


def complete_tree(depth: int, n_features: int, n_outputs: int) -> Tree:
    """A complete tree of oblique splits in heap order (2i+1 and 2i+2 below i), all zero."""
    n_splits = 2**depth - 1
    children = 2 * np.arange(n_splits)[:, None] + np.array([1, 2])  # (n_splits, 2)
    # In heap order the leaves follow the splits, so leaf j has heap number n_splits + j.
    children = np.where(children < n_splits, children, ~(children - n_splits))
    return make_tree(
        weights=np.zeros((n_splits, n_features)),
        threshold=np.zeros(n_splits),
        feature=np.full(n_splits, OBLIQUE),
        row=np.arange(n_splits),
        left=children[:, 0],
        right=children[:, 1],
        values=np.zeros((n_splits + 1, n_outputs)),
    )


def parents(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """The parent of every split, int32 (n_splits,), and of every leaf, -1 for the root."""
    of_split = np.full(tree.n_splits, -1, dtype=np.int32)
    of_leaf = np.full(tree.n_leaves, -1, dtype=np.int32)
    for children in (tree.left, tree.right):
        splits = np.flatnonzero(children >= 0)
        of_split[children[splits]] = splits
        leaves = np.flatnonzero(children < 0)
        of_leaf[~children[leaves]] = leaves
    return of_split, of_leaf


def split_depths(tree: Tree) -> np.ndarray:
    """The number of splits above each split, int32 array of shape (n_splits,)."""
    of_split, _ = parents(tree)
    depths = np.zeros(tree.n_splits, dtype=np.int32)
    for split in range(1, tree.n_splits):  # parents come first, see the module's invariant
        depths[split] = depths[of_split[split]] + 1
    return depths


def tree_depth(tree: Tree) -> int:
    """The greatest number of splits on a path from the root to a leaf."""
    return int(split_depths(tree).max(initial=-1)) + 1


def split_weights(tree: Tree, splits: Any = None) -> np.ndarray:
    """Weights of some splits, or of all, float64 (n, n_features): of a cut 1 at its feature."""
    splits = np.arange(tree.n_splits) if splits is None else np.asarray(splits, dtype=np.int64)
    feature, weights = tree.feature[splits], np.zeros((len(splits), tree.n_features))
    axis = np.flatnonzero(feature != OBLIQUE)
    weights[axis, feature[axis]] = 1.0
    weights[feature == OBLIQUE] = tree.weights[tree.row[splits[feature == OBLIQUE]]]
    return weights


def check_tree(tree: Tree) -> None:
    """Raise ValueError, with the array and its first bad entry, unless it is one finite tree."""
    n_splits, n_leaves = tree.n_splits, tree.n_leaves
    if tree.weights.ndim != 2 or tree.values.ndim != 2:
        raise ValueError("weights and values must be two-dimensional arrays")
    for name in ("threshold", "feature", "row", "left", "right", "missing_left"):
        shape = getattr(tree, name).shape
        if shape != (n_splits,):
            raise ValueError(f"{name} has shape {shape}, but there are {n_splits} splits")
    if n_leaves != n_splits + 1:
        raise ValueError(
            f"a binary tree with {n_splits} splits has {n_splits + 1} leaves, not {n_leaves}"
        )
    if tree.n_outputs < 1 or tree.n_features < 1:
        raise ValueError("a tree needs at least one feature and one output")
    if tree.missing.shape != (tree.n_features,):
        raise ValueError(
            f"missing has shape {tree.missing.shape}, but there are {tree.n_features} features"
        )
    _check_finite(tree)
    if tree.linear is not None:
        check_linear(tree.linear, tree.values, tree.n_features)
    _check_splits(tree)
    _check_children(tree)


def _check_finite(tree: Tree) -> None:
    for name in ("weights", "threshold", "values", "missing"):
        if not np.isfinite(getattr(tree, name)).all():
            raise ValueError(f"{name} holds a number that is not finite")


def _check_splits(tree: Tree) -> None:
    oblique = tree.feature == OBLIQUE
    bad = np.flatnonzero(~oblique & ((tree.feature < 0) | (tree.feature >= tree.n_features)))
    if bad.size:
        split = bad[0]
        raise ValueError(
            f"split {split} uses feature {tree.feature[split]}, "
            f"but the tree has features 0 to {tree.n_features - 1}"
        )
    n_oblique = tree.weights.shape[0]
    if not np.array_equal(np.sort(tree.row[oblique]), np.arange(n_oblique)):
        raise ValueError(
            f"the oblique splits must use each of the {n_oblique} rows of weights exactly once"
        )
    if (tree.row[~oblique] != -1).any():
        raise ValueError("an axis-aligned split must have row -1")
    if tree.missing_left[oblique].any():
        raise ValueError("an oblique split must have missing_left False: it reads the means")


def _check_children(tree: Tree) -> None:
    """Each split but the root, and each leaf, has one parent, of a smaller number."""
    n = tree.n_splits
    children, parent = np.concatenate([tree.left, tree.right]), np.tile(np.arange(n), 2)
    for i in np.flatnonzero((children >= n) | (children < ~n))[:1]:
        raise ValueError(
            f"split {parent[i]} has the child {_node(children[i])}, which is not there"
        )
    for i in np.flatnonzero((children >= 0) & (children <= parent))[:1]:
        raise ValueError(
            f"split {parent[i]} has the child split {children[i]}: a child must have a greater "
            "number than its parent, so that there are no cycles; renumber the splits"
        )
    order = np.argsort(children, kind="stable")
    for k in np.flatnonzero(np.diff(children[order]) == 0)[:1]:
        first, second = order[k : k + 2]
        everyone = np.concatenate([np.arange(1, n), ~np.arange(n + 1)])
        orphan = np.setdiff1d(everyone, children)[0]
        raise ValueError(
            f"{_node(children[first])} is a child of split {parent[first]} and again of split "
            f"{parent[second]}, and {_node(orphan)} of none; each needs one parent"
        )


def _node(child: int) -> str:
    return f"split {child}" if child >= 0 else f"leaf {~child}"

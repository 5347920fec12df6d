"""What a file holds: one model of any kind with its names, checked when made, and the limits."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from treecore.base.limits import DEEPEST_TREE, LIBRARY
from treecore.base.units import units_of
from treecore.core.tree import Tree, check_tree, counted, tree_depth
from treecore.data.feature_maps import FeatureMap, check_map
from treecore.data.readers.columns import Column
from treecore.ensembles.forest import Forest
from treecore.learners.hinge.model import HingeForest
from treecore.persistence.level_sets import NamedSet, named_sets
from treecore.persistence.text import json_text
from treecore.persistence.values import TreeFormatError, shown, type_of

# Above these a file is an accident or an attack. MAX_WEIGHTS bounds what a few bytes of sparse
# weights can ask for: a million splits on 100,000 features would be 400 GB.
MAX_SPLITS = 1_000_000
MAX_FEATURES = 100_000
MAX_WEIGHTS = LIBRARY.n_weights
MAX_DEPTH = DEEPEST_TREE
MAX_TREES = 100_000
MAX_COUNT = 2**53 - 1
"""The greatest integer that readers with only float64 numbers, like JavaScript, tell apart."""

Model = Tree | Forest | HingeForest

_TRAINING = {
    "method": ((str,), "a string"),
    "settings": ((dict,), "an object"),
    "start": ((dict,), "an object"),
    "seed": ((int, type(None)), "a whole number or null"),
    "data": ((dict,), "an object"),
    "metrics": ((dict,), "an object"),
    "treecore": ((str,), "a string"),
}


@dataclass(frozen=True, eq=False)
class Document:
    """A model with what a stranger needs to use it, checked when made.

    Attributes
    ----------
    model : Tree, Forest or HingeForest
    feature_names : tuple of str, all different
        One for each feature that the model reads; where there is a map, that the map reads.
    class_names : tuple of str, one for each output of the model, all different
        Empty for a model that predicts numbers.
    counts : integer array, shape (n_leaves, n_classes), or (n_leaves, 1) of a regression tree
        Of a single tree: training examples of each class in each leaf; None where they are not
        known.
    training : dict
        How the model was trained, as JSON: ``method``, ``settings``, ``seed``, ``data`` (name,
        fingerprint, n_samples), ``metrics``, ``treecore`` (version), each optional, and
        whatever else a trainer wants to tell.
    output_names : tuple of str, one for each output of the model, all different
        What a model that predicts numbers predicts. Empty for one of classes.
    feature_map : FeatureMap or None
        Of a single tree: what maps rows to those that it reads; they are complete, so the tree's
        ``missing`` is 0.
    columns : tuple of Column
        How the columns of a table become the features, see :mod:`treecore.data.readers.columns`;
        empty where each feature is a column of numbers.

    Raises
    ------
    TreeFormatError
        In one sentence, for a model that no file can hold, or names that do not fit it.
    """

    model: Model
    feature_names: tuple[str, ...]
    class_names: tuple[str, ...] = ()
    counts: np.ndarray | None = None
    training: dict[str, Any] = field(default_factory=dict)
    output_names: tuple[str, ...] = ()
    feature_map: FeatureMap | None = None
    columns: tuple[Column, ...] = ()

    def __post_init__(self):
        kind, (n_features, n_outputs, numeric) = self.kind, check_model(self.model)
        if self.feature_map is not None:
            n_features = _check_map(self.feature_map, self.tree)
        check_names(self.feature_names, "feature", kind, n_features)
        if self.class_names and self.output_names:
            raise TreeFormatError(f"a {kind} has classes or outputs, not both")
        if numeric is None:
            numeric = bool(self.output_names)
        if numeric and self.class_names:
            raise TreeFormatError(f'this {kind} predicts numbers: it has "outputs", not "classes"')
        if self.output_names and not numeric:
            raise TreeFormatError(f'this {kind} predicts classes: it has "classes", not "outputs"')
        if numeric:
            check_names(self.output_names, "output", kind, n_outputs)
        else:
            check_names(self.class_names, "class", kind, n_outputs)
        if self.counts is not None:
            _check_counts(self.counts, (self.tree.n_leaves, 1 if numeric else n_outputs))
        check_training(self.training)
        made = tuple(name for column in self.columns for name in column.feature_names)
        if self.columns and made != self.feature_names:
            raise TreeFormatError(
                f'the "columns" of the {kind} make other features than it reads; they must make '
                "them all, in their order"
            )

    @property
    def kind(self) -> str:
        """``"tree"``, ``"forest"`` or ``"hinge forest"``."""
        if type(self.model) not in _KINDS:
            raise TreeFormatError(f"a document holds a tree or a forest, not {type_of(self.model)}")
        return _KINDS[type(self.model)].name

    @property
    def units(self) -> tuple[str, ...]:
        """What the numbers of each feature count, see :mod:`treecore.base.units`."""
        return units_of(self.columns, len(self.feature_names))

    def level_sets(self) -> dict[int, NamedSet]:
        """The sets of levels that splits of a single tree ask for, by split."""
        columns = () if self.feature_map is not None else self.columns
        return named_sets(self.tree, columns, self.feature_names)

    def __repr__(self) -> str:
        """One line: what the model is, and how many names there are."""
        names = len(self.class_names) or len(self.output_names)
        what = counted(names, "class", "classes") if self.class_names else counted(names, "output")
        mapped = " behind a feature map" if self.feature_map is not None else ""
        return f"Document: {self.model!r}{mapped}, {what}"

    @property
    def tree(self) -> Tree:
        """The model of a document that holds a single tree; else a TreeFormatError."""
        if not isinstance(self.model, Tree):
            raise TreeFormatError(f"this is a {self.kind}, where a single tree is wanted")
        return self.model

    @property
    def n_trees(self) -> int:
        return 1 if isinstance(self.model, Tree) else self.model.n_trees


class Sizes(NamedTuple):
    """What the names of a document must fit; ``numeric``: None for a tree, which leaves it open."""

    n_features: int
    n_outputs: int
    numeric: bool | None


def check_model(model: Model) -> Sizes:
    """Raise ValueError where no file can hold a model; its arrays may have changed since."""
    return _KINDS[type(model)].check(model)


def check_sizes(kind: str, n_splits: int, n_features: int, n_oblique: int) -> None:
    """Check that the arrays of a tree, or of the trees of a forest together, are not too large."""
    check_size(kind, n_splits, MAX_SPLITS if kind == "tree" else MAX_WEIGHTS, "splits")
    check_size(kind, n_features, MAX_FEATURES, "features")
    check_size(kind, n_oblique * n_features, MAX_WEIGHTS, "weights (oblique splits times features)")


def check_size(kind: str, size: int, limit: int, things: str) -> None:
    """Check one size. kind: what the file holds; things: what is counted."""
    if size > limit:
        raise TreeFormatError(f"the {kind} has {size} {things}, but at most {limit} fit")


def check_names(names: Sequence[str], what: str, kind: str, count: int | None = None) -> None:
    """Check names of features, classes or outputs, and, if given, their count."""
    if count is not None and len(names) != count:
        raise TreeFormatError(f"the {kind} needs {count} {what} names, but has {len(names)}")
    if not names:
        raise TreeFormatError(f"a {kind} needs at least one {what}")
    seen = set()
    for i, name in enumerate(names):
        if not isinstance(name, str):
            raise TreeFormatError(f"{what} name {i} must be a string, not {type_of(name)}")
        try:
            name.encode()
        except UnicodeEncodeError:
            raise TreeFormatError(
                f"{what} name {i} holds half a character (a lone surrogate); give it another name"
            ) from None
        if name in seen:
            raise TreeFormatError(f"two {what} names are {shown(name)}; rename one of them")
        seen.add(name)


def check_training(training: object) -> None:
    """Check what a document tells of the training."""
    if type(training) is not dict:
        raise TreeFormatError(f'"training" must be an object, not {type_of(training)}')
    for key, (types, wanted) in _TRAINING.items():
        if key in training and type(training[key]) not in types:
            raise TreeFormatError(
                f'"{key}" of "training" must be {wanted}, not {type_of(training[key])}'
            )
    json_text(training, '"training"')


def _check_tree(tree: Tree) -> Sizes:
    check_tree(tree)
    check_sizes("tree", tree.n_splits, tree.n_features, len(tree.weights))
    if tree.linear is not None:
        check_size("tree", tree.linear.weights.size, MAX_WEIGHTS, "weights of linear leaves")
    depth = tree_depth(tree)
    if depth > MAX_DEPTH:
        raise TreeFormatError(f"the tree is {depth} splits deep, but at most {MAX_DEPTH} fit")
    return Sizes(tree.n_features, tree.n_outputs, None)


def _check_forest(forest: Forest) -> Sizes:
    check_size("forest", forest.n_trees, MAX_TREES, "trees")
    for number, tree in enumerate(forest.trees):
        if tree.linear is not None:
            raise TreeFormatError(f"tree {number} has linear leaves, which a forest cannot have")
        try:
            _check_tree(tree)
        except ValueError as error:
            raise TreeFormatError(f"tree {number}: {error}") from None
    n_splits = sum(tree.n_splits for tree in forest.trees)
    n_oblique = sum(len(tree.weights) for tree in forest.trees)
    check_sizes("forest", n_splits, forest.n_features, n_oblique)
    return Sizes(forest.n_features, forest.n_outputs, forest.answer == "mean")


def _check_hinge(forest: HingeForest) -> Sizes:
    check_size("hinge forest", forest.n_features_in, MAX_FEATURES, "features")
    check_size("hinge forest", forest.n_parameters, MAX_WEIGHTS, "numbers")
    return Sizes(forest.n_features_in, forest.n_outputs, forest.task == "regression")


class _Kind(NamedTuple):
    name: str
    check: Callable[[Any], Sizes]


_KINDS: dict[type, _Kind] = {
    Tree: _Kind("tree", _check_tree),
    Forest: _Kind("forest", _check_forest),
    HingeForest: _Kind("hinge forest", _check_hinge),
}


def _check_map(feature_map: FeatureMap, tree: Tree) -> int:
    """Check that a tree can stand behind a map; how many features are read."""
    try:
        check_map(feature_map)
    except ValueError as error:
        raise TreeFormatError(str(error)) from None
    p, m = feature_map.n_features, feature_map.n_components
    if p > MAX_FEATURES or m * max(m, p) > MAX_WEIGHTS:
        raise TreeFormatError(
            f"a map of {p} features to {m} is too large: at most {MAX_FEATURES} features and "
            f"{MAX_WEIGHTS} numbers fit"
        )
    if tree.n_features != m:
        raise TreeFormatError(f"the tree reads {tree.n_features} features, its map makes {m}")
    if tree.missing.any() or tree.has_directions:
        raise TreeFormatError("a tree behind a map reads complete rows: its missing must be 0")
    return p


def _check_counts(counts: np.ndarray, shape: tuple[int, int]) -> None:
    if counts.shape != shape or counts.dtype.kind not in "iu":
        raise TreeFormatError(
            f"counts must be integers of shape {shape} (leaves, classes or 1), "
            f"not {counts.dtype} of shape {counts.shape}"
        )
    if counts.min() < 0 or counts.max() > MAX_COUNT:
        raise TreeFormatError(f"counts must be from 0 to {MAX_COUNT}")


def fingerprint(X: np.ndarray, y: np.ndarray) -> str:
    """A name for a training set that changes with any of its numbers, as 64 hex digits.

    Parameters
    ----------
    X : array, shape (n_samples, n_features)
        Hashed as little-endian float32 in C order, so float64 data have the fingerprint of what
        a trainer sees of them; before it the ASCII text of both shapes, ``"(150, 4) (150,)"``.
    y : integer array, shape (n_samples,), or float array, (n_samples,) or (n_samples, n_outputs)
        Class indices, hashed as little-endian int64; or numbers, as little-endian float64.

    Raises
    ------
    ValueError
        For targets that are neither.
    """
    X, y = np.asarray(X), np.asarray(y)
    if y.dtype.kind not in "iuf":
        raise ValueError(f"y must hold class indices or numbers, not {y.dtype}")
    digest = hashlib.sha256(f"{X.shape} {y.shape}".encode())
    digest.update(np.ascontiguousarray(X, dtype="<f4").data)
    digest.update(np.ascontiguousarray(y, dtype="<f8" if y.dtype.kind == "f" else "<i8").data)
    return digest.hexdigest()

"""What a tree file holds: its limits, and a tree with its names, checked when made."""

from __future__ import annotations

import hashlib
import json
import reprlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from treecore.core.tree import Tree, check_tree, tree_depth
from treecore.data.feature_maps import FeatureMap, check_map

FORMAT = "treecore-tree"
FORMAT_VERSION = 2

# Above these a file is an accident or an attack. MAX_WEIGHTS bounds what a few bytes of sparse
# weights can ask for: a million splits on 100,000 features would be 400 GB.
MAX_BYTES = 200_000_000
MAX_SPLITS = 1_000_000
MAX_FEATURES = 100_000
MAX_WEIGHTS = 100_000_000
MAX_DEPTH = 512
MAX_COUNT = 2**53 - 1
"""The greatest integer that readers with only float64 numbers, like JavaScript, tell apart."""

_TRAINING = {
    "method": ((str,), "a string"),
    "settings": ((dict,), "an object"),
    "seed": ((int, type(None)), "a whole number or null"),
    "data": ((dict,), "an object"),
    "metrics": ((dict,), "an object"),
    "treecore": ((str,), "a string"),
}


class TreeFormatError(ValueError):
    """What was read, or is to be written, is not a tree in this format; says what and where."""


@dataclass(frozen=True, eq=False)
class TreeDocument:
    """A tree with what a stranger needs to use it, checked when made.

    Attributes
    ----------
    tree : Tree
    feature_names : tuple of str, all different
        One for each of ``tree.n_features``; where there is a map, of its features.
    class_names : tuple of str, one for each of ``tree.n_outputs``, all different
        Empty for a regression tree.
    counts : integer array, shape (n_leaves, n_classes), or (n_leaves, 1) of a regression tree
        Training examples of each class in each leaf; None where they are not known.
    training : dict
        How the tree was trained, as JSON: ``method``, ``settings``, ``seed``, ``data`` (name,
        fingerprint, n_samples), ``metrics``, ``treecore`` (version), each optional, and
        whatever else a trainer wants to tell.
    output_names : tuple of str, one for each of ``tree.n_outputs``, all different
        What a regression tree predicts. Empty for a classification tree.
    feature_map : FeatureMap or None
        What maps rows to those that ``tree`` reads; they are complete, so its ``missing`` is 0.
    """

    tree: Tree
    feature_names: tuple[str, ...]
    class_names: tuple[str, ...] = ()
    counts: np.ndarray | None = None
    training: dict = field(default_factory=dict)
    output_names: tuple[str, ...] = ()
    feature_map: FeatureMap | None = None

    def __post_init__(self):
        tree, feature_map = self.tree, self.feature_map
        check_tree(tree)
        check_sizes(tree.n_splits, tree.n_features, tree.weights.shape[0])
        depth = tree_depth(tree)
        if depth > MAX_DEPTH:
            raise TreeFormatError(f"the tree is {depth} splits deep, but at most {MAX_DEPTH} fit")
        if feature_map is None:
            check_names(self.feature_names, "feature", tree.n_features)
        else:
            _check_map(feature_map, tree)
            check_names(self.feature_names, "feature", feature_map.n_features)
        if self.class_names and self.output_names:
            raise TreeFormatError("a tree has classes or outputs, not both")
        if self.output_names:
            check_names(self.output_names, "output", tree.n_outputs)
        else:
            check_names(self.class_names, "class", tree.n_outputs)
        n_counts = 1 if self.output_names else tree.n_outputs
        _check_counts(self.counts, (tree.n_leaves, n_counts))
        training_text(self.training)

    @property
    def version(self) -> int:
        """The lowest version of the format whose readers understand the document."""
        return 2 if self.output_names or self.feature_map is not None else 1


def fingerprint(X: np.ndarray, y: np.ndarray) -> str:
    """A name for a training set that changes with any of its numbers, as 64 hex digits.

    Parameters
    ----------
    X : array, shape (n_samples, n_features)
        Hashed as little-endian float32 in C order, so float64 data have the fingerprint of what
        a trainer sees of them; before it the ASCII text of both shapes, ``"(150, 4) (150,)"``.
    y : integer array, shape (n_samples,), or float array, (n_samples,) or (n_samples, n_outputs)
        Class indices, hashed as little-endian int64; or numbers, as little-endian float64.
    """
    X, y = np.asarray(X), np.asarray(y)
    if y.dtype.kind not in "iuf":
        raise ValueError(f"y must hold class indices or numbers, not {y.dtype}")
    digest = hashlib.sha256(f"{X.shape} {y.shape}".encode())
    digest.update(np.ascontiguousarray(X, dtype="<f4"))
    digest.update(np.ascontiguousarray(y, dtype="<f8" if y.dtype.kind == "f" else "<i8"))
    return digest.hexdigest()


def check_sizes(n_splits: int, n_features: int, n_oblique: int) -> None:
    for size, limit, things in (
        (n_splits, MAX_SPLITS, "splits"),
        (n_features, MAX_FEATURES, "features"),
        (n_oblique * n_features, MAX_WEIGHTS, "weights (oblique splits times features)"),
    ):
        if size > limit:
            raise TreeFormatError(f"the tree has {size} {things}, but at most {limit} fit")


def _check_map(feature_map: FeatureMap, tree: Tree) -> None:
    try:
        check_map(feature_map)
    except ValueError as error:
        raise TreeFormatError(str(error)) from None
    p, m = feature_map.n_features, feature_map.n_components
    if p > MAX_FEATURES or m * max(m, p) > MAX_WEIGHTS:
        raise TreeFormatError(
            f"a map of {p} features to {m} is too large: {MAX_FEATURES} features and "
            f"{MAX_WEIGHTS} numbers are the most"
        )
    if tree.n_features != m:
        raise TreeFormatError(f"the tree reads {tree.n_features} features, its map makes {m}")
    if tree.missing.any():
        raise TreeFormatError("a tree behind a map reads complete rows: its missing must be 0")


def check_names(names: Sequence[str], what: str, count: int | None = None) -> None:
    if count is not None and len(names) != count:
        raise TreeFormatError(f"the tree needs {count} {what} names, but has {len(names)}")
    if not names:
        raise TreeFormatError(f"a tree needs at least one {what}")
    seen = set()
    for i, name in enumerate(names):
        if not isinstance(name, str):
            raise TreeFormatError(f"{what} name {i} must be a string, not {kind(name)}")
        try:
            name.encode()
        except UnicodeEncodeError:
            raise TreeFormatError(
                f"{what} name {i} holds half a character (a lone surrogate); give it another name"
            ) from None
        if name in seen:
            raise TreeFormatError(f"two {what} names are {show(name)}; rename one of them")
        seen.add(name)


def _check_counts(counts: np.ndarray | None, shape: tuple[int, int]) -> None:
    if counts is None:
        return
    if counts.shape != shape or counts.dtype.kind not in "iu":
        raise TreeFormatError(
            f"counts must be integers of shape {shape} (leaves, classes or 1), "
            f"not {counts.dtype} of shape {counts.shape}"
        )
    if counts.min() < 0 or counts.max() > MAX_COUNT:
        raise TreeFormatError(f"counts must be from 0 to {MAX_COUNT}")


def training_text(training: dict) -> str:
    if type(training) is not dict:
        raise TreeFormatError(f'"training" must be an object, not {kind(training)}')
    for key, (types, wanted) in _TRAINING.items():
        if key in training and type(training[key]) not in types:
            raise TreeFormatError(
                f'"{key}" of "training" must be {wanted}, not {kind(training[key])}'
            )
    return json_text(training, '"training"')


def json_text(value: object, where: str) -> str:
    try:
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise TreeFormatError(f"{where} must be plain finite JSON: {error}") from None


def kind(value: object) -> str:
    """What ``value`` is, in the words of JSON."""
    words = {str: "a string", bool: "a boolean", type(None): "null", list: "a list"}
    words |= {dict: "an object", int: "a number", float: "a number"}
    return words.get(type(value), f"a Python {type(value).__name__}")


def show(value: object) -> str:
    return reprlib.repr(value)

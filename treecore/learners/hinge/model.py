"""A trained random hinge forest: arrays that do not change, and their predictions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from treecore.core.routing import as_rows, as_table, class_probabilities
from treecore.core.tree import counted
from treecore.learners.hinge.layer import Layer, n_features
from treecore.learners.hinge.traversal import Trees, decide_rows, n_nodes
from treecore.rows.finite import filled

KINDS = ("forest", "fern")
MAX_DEPTH = 16

_BLOCK_ROWS = 1024

_LABELLED = 64 * _BLOCK_ROWS
"""Rows whose outputs there are at a time where labels are wanted."""


@dataclass(frozen=True, eq=False)
class HingeForest:
    """Hinge trees or ferns over one layer of features; checked when made, and read-only.

    A row's outputs are ``base`` plus, of every tree, the weights of its leaf times its smallest
    margin (eq. 10). For classes they are log-odds, to be read through a softmax.

    Attributes
    ----------
    kind : "forest" or "fern"
    depth : int
    task : "classification" or "regression"
    layer : Layer
    trees : Trees
    base : float32 array, shape (n_outputs,); float64 for numbers, which may be far from 0
    missing : float32 array, shape (n_features_in,)
        What NaN is read as.
    """

    kind: str
    depth: int
    task: str
    layer: Layer
    trees: Trees
    base: np.ndarray
    missing: np.ndarray

    def __post_init__(self):
        check_forest(self)
        freeze = object.__setattr__
        for name, make in (("layer", Layer), ("trees", Trees)):
            freeze(self, name, make(*(_read_only(array) for array in getattr(self, name))))
        freeze(self, "base", _read_only(self.base))
        freeze(self, "missing", _read_only(self.missing))

    @property
    def n_trees(self) -> int:
        return self.trees.feature.shape[0]

    @property
    def n_outputs(self) -> int:
        return self.trees.weights.shape[2]

    @property
    def n_features_in(self) -> int:
        return self.layer.centre.shape[0]

    @property
    def n_parameters(self) -> int:
        """Numbers that are learnt: filters, thresholds, leaves."""
        return self.layer.filters.size + self.trees.threshold.size + self.trees.weights.size

    def __repr__(self) -> str:
        """One line of sizes: the arrays would fill a screen."""
        members = counted(self.n_trees, "fern" if self.kind == "fern" else "tree")
        sizes = f"depth {self.depth}, {counted(self.n_features_in, 'feature')}"
        return f"HingeForest of {members}, {sizes}, for {self.task}"

    def decision(self, X, n_jobs: int = 1) -> np.ndarray:
        """The outputs of every row, (n_samples, n_outputs): float32, and float64 for numbers.

        Parameters
        ----------
        X : array of numbers, shape (n_samples, n_features_in)
            NaN stands for a missing value.
        n_jobs : int
            Threads. Each takes some of the rows, so the answer is the same for any number.

        Raises
        ------
        ValueError
            In one sentence, for rows that are no table of numbers of this width.
        """
        if not isinstance(n_jobs, int) or n_jobs < 1:
            raise ValueError(f"n_jobs={n_jobs!r} must be a whole number of threads from 1")
        X = as_rows(X, self.n_features_in, missing=True)
        out = np.empty((X.shape[0], self.n_outputs), dtype=np.float32)
        numeric = self.task == "regression"
        base = np.zeros(self.n_outputs, dtype=np.float32) if numeric else self.base.copy()
        layer, trees = as_trained(self.layer), as_trained(self.trees)

        def predict_block(first: int) -> None:
            block = slice(first, first + _BLOCK_ROWS)
            rows = filled(X[block], self.missing)
            decide_rows(layer, trees, self.depth, base, rows, out[block])

        blocks = range(0, X.shape[0], _BLOCK_ROWS)
        if n_jobs == 1 or len(blocks) < 2:
            for first in blocks:
                predict_block(first)
        else:
            with ThreadPoolExecutor(n_jobs) as threads:
                list(threads.map(predict_block, blocks))
        return out + self.base if numeric else out

    def predict(self, X, n_jobs: int = 1) -> np.ndarray:
        """Most probable classes, or numbers.

        Parameters
        ----------
        X : array of numbers, shape (n_samples, n_features)
            NaN stands for a missing value.
        n_jobs : int
            Number of threads.

        Returns
        -------
        int64 array, shape (n_samples,), or float64 array, shape (n_samples, n_outputs)
        """
        if self.task != "classification":
            return self.decision(X, n_jobs)
        X = as_table(X, self.n_features_in)
        # The outputs of a long table would take the memory of many of its columns.
        labels = np.empty(len(X), dtype=np.int64)
        for start in range(0, len(labels), _LABELLED):
            part = slice(start, start + _LABELLED)
            labels[part] = self.decision(X[part], n_jobs).argmax(axis=1)
        return labels

    def predict_proba(self, X, n_jobs: int = 1) -> np.ndarray:
        """Probabilities of the classes by softmax.

        Parameters
        ----------
        X : array of numbers, shape (n_samples, n_features)
            NaN stands for a missing value.
        n_jobs : int
            Number of threads.

        Returns
        -------
        float64 array, shape (n_samples, n_outputs)

        Raises
        ------
        ValueError
            Also where the forest predicts numbers.
        """
        if self.task != "classification":
            raise ValueError("this forest predicts numbers, which have no probabilities")
        return class_probabilities(self.decision(X, n_jobs))


def _read_only(array: np.ndarray) -> np.ndarray:
    array = array.copy(order="C").view()
    array.setflags(write=False)
    return array


def as_trained(arrays):
    """The arrays of a layer or of trees as in training: of read-only ones kernels compile anew."""
    return type(arrays)(*map(_writeable, arrays))


def _writeable(array: np.ndarray) -> np.ndarray:
    """What a view of :func:`_read_only` shows; a copy of what came read-only from a file."""
    if array.flags.writeable:
        return array
    base = array.base
    if type(base) is np.ndarray and base.flags.writeable and base.shape == array.shape:
        return base
    return np.array(array, order="C")


def check_forest(forest: HingeForest) -> None:
    """Raise ValueError where arrays do not fit or a number is not finite: kernels trust them."""
    layer, trees, depth = forest.layer, forest.trees, forest.depth
    if forest.kind not in KINDS:
        raise ValueError(f"kind={forest.kind!r} must be one of {', '.join(KINDS)}")
    if forest.task not in ("classification", "regression"):
        raise ValueError(f"task={forest.task!r} must be classification or regression")
    if type(depth) is not int or not 1 <= depth <= MAX_DEPTH:
        raise ValueError(f"depth={depth!r} must be a whole number from 1 to {MAX_DEPTH}")
    p, c = layer.centre.shape[0], layer.filters.shape[1]
    n_taps = layer.filters.shape[0]
    n_trees, k = trees.feature.shape[0], trees.weights.shape[-1]
    nodes = n_nodes(forest.kind, depth)
    if min(n_trees, k, p, c) < 1:
        raise ValueError("a hinge forest needs a column, a feature, a tree and an output at least")
    n_places = forest.layer.place.shape[0]
    if (n_taps == 0) != (n_places == 0) or (n_taps == 0 and c != p):
        raise ValueError(
            "a layer has filters with taps and places, or reads the columns themselves"
        )
    arrays = layer._asdict() | trees._asdict() | {"base": forest.base, "missing": forest.missing}
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(("centre", "scale", "missing"), (p,))
    shapes |= {"filters": (n_taps, c), "tap": (n_taps,), "place": (n_places,)}
    shapes |= {"mean": (c,), "deviation": (c,), "weights": (n_trees, 2**depth, k), "base": (k,)}
    shapes |= dict.fromkeys(("feature", "threshold"), (n_trees, nodes))
    for name, array in arrays.items():
        shape = shapes[name]
        kind: type = np.int32 if name in ("tap", "place", "feature") else np.float32
        if name == "base" and forest.task == "regression":
            kind = np.float64
        if array.shape != shape or array.dtype != kind:
            raise ValueError(
                f"{name} must be {np.dtype(kind)} of shape {shape}, not {array.dtype} of "
                f"shape {array.shape}"
            )
        if not np.isfinite(array).all():
            raise ValueError(f"{name} holds a number that is missing or infinite")
    if n_taps and min(layer.place.min(), layer.tap.min()) < 0:
        raise ValueError("a filter reaches before the first column")
    if n_taps and int(layer.place.max()) + int(layer.tap.max()) >= p:
        raise ValueError(f"a filter reaches beyond the {p} columns")
    if (layer.deviation <= 0).any():
        raise ValueError("deviation must be positive")
    if trees.feature.min() < 0 or trees.feature.max() >= n_features(layer):
        raise ValueError(f"feature holds an index outside 0 to {n_features(layer) - 1}")

"""A tree as the arrays that the browser draws it from: its shape, its answers and its weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treecore.core.routing import apply, leaf_probabilities
from treecore.core.tree import OBLIQUE, Tree
from treecore.data.readers.columns import Column
from treecore.persistence.level_sets import named_sets
from treecore.pruning.subtrees import leaves_below
from treecore.viewer.messages.plotted_points import leaf_means


def shape_arrays(tree: Tree, task: str) -> dict[str, np.ndarray]:
    """The children of every split, and what every leaf says; see ``readFrame`` in ``frame.js``."""
    children: np.ndarray = np.empty((tree.n_splits, 2), dtype=np.int16)
    children[:, 0], children[:, 1] = tree.left, tree.right
    shape = {"children": children}
    if task == "classification":
        odds = leaf_probabilities(tree)
        shape["leaf"] = odds.argmax(axis=1).astype(np.uint8)
        shape["share"] = np.rint(255 * odds.max(axis=1)).astype(np.uint8)
    else:
        shape["leaf"] = np.zeros(tree.n_leaves, dtype=np.uint8)
        shape["value"] = np.ascontiguousarray(tree.values[:, 0])
    return shape


def weight_arrays(tree: Tree, scale: np.ndarray, image: bool) -> dict[str, np.ndarray]:
    """What every split asks; see ``readDetail`` in ``frame.js``; image: pixels have one scale."""
    # At most 40,000 weights, the splits nearest to the root first.
    splits = np.flatnonzero(tree.feature == OBLIQUE)[: max(1, 40_000 // tree.n_features)]
    W = tree.weights[tree.row[splits]] * (1.0 if image else scale)
    largest = np.abs(W).max(axis=1, keepdims=True, initial=0.0)
    norm = np.zeros(tree.n_splits)
    norm[tree.feature == OBLIQUE] = np.linalg.norm(tree.weights * scale, axis=1)[
        tree.row[tree.feature == OBLIQUE]
    ]
    sides = {"missing_right": ~tree.missing_left} if tree.has_directions else {}
    return sides | {
        "weights": np.rint(127 * W / np.where(largest > 0, largest, 1.0)).astype(np.int8),
        "weight_of": splits.astype(np.int32),
        "feature": tree.feature,
        "threshold": tree.threshold,
        "norm": norm.astype(np.float32),
    }


def sets_by_split(
    tree: Tree, columns: Sequence[Column], names: Sequence[str]
) -> dict[str, list[Any]]:
    """Splits on a set of levels: the column, the levels, whether they go right."""
    return {str(i): list(one) for i, one in named_sets(tree, columns, names).items()}


def count_array(counts: np.ndarray) -> np.ndarray:
    """Rows by leaf and class, in as few bytes as hold them."""
    # 4096 leaves of ten classes: 80 KB instead of 160.
    return counts.astype(np.uint16 if counts.max(initial=0) < 2**16 else np.uint32)


def image_arrays(X: np.ndarray, leaf: np.ndarray, n_leaves: int) -> dict[str, np.ndarray]:
    """The mean image of every leaf, in shades of 0 to 255; X: (n_samples, n_pixels)."""
    mean_of, means = leaf_means(X, leaf, n_leaves)
    return {"mean_of": mean_of, "means": np.clip(ink_of(X) * means, 0, 255).astype(np.uint8)}


def ink_of(X: np.ndarray) -> float:
    """What makes shades of 0 to 255 of pixels."""
    return 255.0 / max(float(np.abs(X).max(initial=0.0)), 1e-30)


N_BINS = 16
MOST_HISTOGRAMS = 31


def histogram_arrays(
    tree: Tree, X: np.ndarray, labels: np.ndarray, k: int
) -> dict[str, np.ndarray]:
    """The rows that reach an axis-aligned split, by their feature and label; nearest to the root.

    hist_of, int32 (n,): splits; hist, uint32 (n, N_BINS, k): counts; hist_at, float32 (n,): the
    place of the threshold on the way from the first bin, 0, to the end of the last, 1.
    """
    leaf, found = apply(tree, X), []
    for split in np.flatnonzero(tree.feature != OBLIQUE)[:MOST_HISTOGRAMS]:
        here = np.isin(leaf, leaves_below(tree, int(split)))
        values, edge = X[here, tree.feature[split]].astype(np.float64), float(tree.threshold[split])
        low, high = np.min(values, initial=edge), np.max(values, initial=edge)
        if not low < high:  # no rows, or none that differ
            continue
        place = np.minimum(N_BINS * (values - low) / (high - low), N_BINS - 1).astype(int)
        counts = np.bincount(place * k + labels[here], minlength=N_BINS * k)
        found.append((split, counts.reshape(N_BINS, k), (edge - low) / (high - low)))
    if not found:
        return {}
    kinds = {"hist_of": np.int32, "hist": np.uint32, "hist_at": np.float32}
    columns = zip(kinds.items(), zip(*found, strict=True), strict=True)
    return {name: np.array(column, kind) for (name, kind), column in columns}

"""Complete trees that joint learning starts from: of random splits, or a grown tree filled up."""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.routing import apply
from treecore.core.scaling import Scaling
from treecore.core.tree import Tree, complete_tree
from treecore.learners.nongreedy.weight_rows import split_score
from treecore.rows.training_rows import TrainingRows

DEEPEST_COMPLETE = 16
"""Greatest depth of a complete tree: it has 65,535 splits."""

MAX_WEIGHTS = 2**28
"""Most weights of a complete tree: a gigabyte, and learners hold several arrays of that size."""


def random_tree(
    rows: TrainingRows,
    depth: int,
    smoothing: float,
    rng: np.random.Generator,
    scaling: Scaling | None = None,
    grown: Tree | None = None,
) -> Tree:
    """A complete tree whose splits have random directions and halve the rows that reach them.

    Splits of ``grown`` stay as they are: random ones only fill up what lies below its leaves.
    Raises ValueError for a tree that is too deep.
    """
    n_weights = (2**depth - 1) * rows.X.shape[1]
    if depth > DEEPEST_COMPLETE or n_weights > MAX_WEIGHTS:
        raise ValueError(
            f"a complete tree of depth {depth} on {rows.X.shape[1]} features has {n_weights:.2g} "
            "weights, too many to learn; lower the depth, or start from a grown tree (start='axis')"
        )
    scaling = scaling or Scaling.fit(rows.X)
    Z = scaling.transform(rows.X)
    p = scaling.n_features
    shape = complete_tree(depth, p, rows.n_outputs)
    W = np.zeros((shape.n_splits, scaling.width), dtype=np.float32)
    for w in W:  # row by row: wide tables leave no room for all of them in float64
        w[:p] = rng.standard_normal(p)
    heap_number = (
        np.full(shape.n_splits, ~0) if grown is None else _heap_numbers(grown, shape.n_splits)
    )
    is_grown = heap_number >= 0
    if grown is not None:
        W[is_grown] = scaling.rows_of(grown)[heap_number[is_grown]]
    reached = np.zeros(len(Z), dtype=np.int32)  # heap number of the node of every row
    for split in range(shape.n_splits):
        here = np.flatnonzero(reached == split)
        scores = np.empty(here.size, dtype=np.float32)
        score_rows(Z, here, W, split, scores)
        cut = 0.0 if is_grown[split] else _middle(scores)
        if not is_grown[split]:
            W[split, p] = cut / scaling.factor
        reached[here] = np.where(scores > cut, 2 * split + 2, 2 * split + 1)
    tree = scaling.to_raw_tree(W, shape, shape.values)
    leaf = apply(tree, rows.X)
    values = rows.loss.constants(
        leaf, rows.y, rows.weight, tree.n_leaves, rows.n_outputs, smoothing / rows.mean_weight
    )
    return tree._replace(values=values)


def _heap_numbers(tree: Tree, n_splits: int) -> np.ndarray:
    """The split of a tree that stands at every place of a heap; negative where there is none."""
    heap_number = np.full(n_splits, ~0)
    heap_number[0] = tree.root
    for place in np.flatnonzero(2 * np.arange(n_splits) + 2 < n_splits):
        if heap_number[place] >= 0:
            heap_number[2 * place + 1], heap_number[2 * place + 2] = (
                tree.left[heap_number[place]],
                tree.right[heap_number[place]],
            )
    return heap_number


@kernel
def score_rows(Z, rows, W, split, out):
    """Write the scores of some rows at one split, by ``dot``, whose bits do not depend on BLAS."""
    for i in range(rows.shape[0]):
        out[i] = split_score(W, split, Z[rows[i]])


def _middle(scores: np.ndarray) -> float:
    """A cut between two different scores, near the middle one; below them if all are equal."""
    ordered = np.sort(scores)
    n = ordered.size
    if not n or ordered[0] == ordered[-1]:
        return float(ordered[0]) - 1.0 if n else 0.0
    # Equal scores are one run, and the ends of that in the middle are the nearest places to cut.
    run = [int(np.searchsorted(ordered, ordered[n // 2], side)) for side in ("left", "right")]
    above = min((end for end in run if 0 < end < n), key=lambda end: abs(2 * end - n))
    return (float(ordered[above - 1]) + float(ordered[above])) / 2

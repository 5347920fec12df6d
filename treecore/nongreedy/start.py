"""A complete tree of random oblique splits, as a start that owes nothing to greedy induction."""

from __future__ import annotations

import numpy as np

from treecore.kernels import dot, kernel
from treecore.losses import class_log_odds
from treecore.metrics import leaf_counts
from treecore.scaling import Scaling
from treecore.tree import Tree, complete_tree


def random_tree(
    X: np.ndarray,
    y: np.ndarray,
    n_classes: int,
    depth: int,
    smoothing: float,
    rng: np.random.Generator,
) -> Tree:
    """A complete tree whose splits have random directions and halve the rows that reach them.

    Directions are uniform in the scaled features; the offset is the median score of the rows at
    the node, so that every leaf starts with its share of the rows as long as there are enough.

    Parameters
    ----------
    X : array, shape (n_samples, n_features)
    y : int64 array, shape (n_samples,)
    n_classes, depth : int
    smoothing : float
        See :func:`treecore.losses.class_log_odds`.
    rng : numpy.random.Generator
    """
    scaling = Scaling.fit(X)
    Z = scaling.transform(X)
    p = scaling.n_features
    shape = complete_tree(depth, p, n_classes)
    W = np.zeros((shape.n_splits, scaling.width), dtype=np.float32)
    W[:, :p] = rng.standard_normal((shape.n_splits, p))
    reached = np.zeros(len(X), dtype=np.int64)  # heap number of the node of every row
    for split in range(shape.n_splits):
        rows = np.flatnonzero(reached == split)
        scores = np.empty(rows.size, dtype=np.float32)
        score_rows(Z, rows, W[split], scores)
        cut = _middle(scores)
        W[split, p] = cut / scaling.factor
        reached[rows] = np.where(scores > cut, 2 * split + 2, 2 * split + 1)
    tree = scaling.fold(W, shape, shape.values)
    return tree._replace(values=class_log_odds(leaf_counts(tree, X, y), smoothing))


@kernel
def score_rows(Z, rows, w, out):
    """Write the inner product of ``w`` with each of some rows of Z into ``out``.

    Not ``Z[rows] @ w``: its last bits, and with them the tree, would depend on the processor.
    """
    for i in range(rows.shape[0]):
        out[i] = dot(Z[rows[i]], w)


def _middle(scores: np.ndarray) -> float:
    """A cut between two different scores, as near to their middle as there are such.

    A row on the cut would be sent by rounding alone, and elsewhere once the tree reads raw
    features. Where all scores are equal, all rows go right.
    """
    ordered = np.sort(scores).astype(np.float64)
    steps = 1 + np.flatnonzero(np.diff(ordered) > 0)  # a cut before any of these separates
    if steps.size == 0:
        return float(ordered[0]) - 1.0 if ordered.size else 0.0
    above = steps[np.argmin(np.abs(2 * steps - ordered.size))]
    return (ordered[above - 1] + ordered[above]) / 2

"""Linear leaves of a tree whose splits are learnt: each is drawn to the model of the branch above.

The model of all rows comes first. Every branch below, and at last every leaf, adds a ridge
regression of what the model above it leaves over of its rows, by the strength that errs least on
rows left out, or adds nothing where none errs less than the model above. So a leaf of few rows
says what its branch says, where a ridge on its own slopes would draw it to a constant. It is a way
to have what the smoothing of M5 is for (Quinlan 1992, "Learning with continuous classes"), by
evidence instead of a constant.

On 1,880 rows of abalone, at depth 5, it takes the error on other rows from 2.60 to 2.48 (annealed)
and from 2.30 to 2.24 (TAO).
"""

from __future__ import annotations

import numpy as np

from treecore.core.linear_leaves import LinearLeaves
from treecore.core.tree import Tree
from treecore.learners.nongreedy.leaf_order import leaf_ranges
from treecore.learners.nongreedy.ridge_leaves import (
    RIDGES,
    chosen_fits,
    leaf_ranges_of_targets,
    models_of,
    ridge_fits,
)


def settled_models(
    Z, y, weight, leaf, tree: Tree, n_features: int, ridge: float, margin: float
) -> LinearLeaves:
    """The models of all leaves, once splits are learnt.

    Parameters
    ----------
    Z, y, weight, leaf, n_features
        See :func:`nested_fits`.
    tree : Tree
        Gives the shape.
    ridge : float
        Draws the slopes of every leaf to 0; at 0 models are nested.
    margin : float
        See :func:`treecore.learners.nongreedy.ridge_leaves.leaf_ranges_of_targets`.
    """
    if ridge > 0:
        fits = ridge_fits(Z, y, weight, leaf, tree.n_leaves, n_features, [ridge])
        slopes, intercept, _ = chosen_fits(fits, [ridge])
    else:
        slopes, intercept = nested_fits(Z, y, weight, leaf, tree, n_features)
    ends = leaf_ranges_of_targets(y, weight, leaf, tree.n_leaves, margin)
    return models_of(slopes, intercept, ends, Z.shape[1])


def nested_fits(Z, y, weight, leaf, tree: Tree, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    """Fit the models of all leaves, each drawn to that of the branch above it.

    Parameters
    ----------
    Z, y, weight, leaf, n_features
        See :func:`treecore.learners.nongreedy.ridge_leaves.ridge_fits`.
    tree : Tree
        Gives the shape.

    Returns
    -------
    slopes : float64 array, shape (n_leaves, n_outputs, n_features)
    intercept : float64 array, shape (n_leaves, n_outputs)
        Of a leaf without rows those of the last branch above it that has some.
    """
    place, first, stop = leaf_ranges(tree)
    place_of_row = place[leaf]
    order = np.argsort(place_of_row, kind="stable")
    bounds = np.searchsorted(place_of_row[order], np.arange(tree.n_leaves + 1))
    n_splits, shape = tree.n_splits, (tree.n_splits + tree.n_leaves, y.shape[1])
    slopes, intercept = np.zeros((*shape, n_features)), np.zeros(shape)  # of splits, then leaves
    first, stop = np.concatenate([first, place]), np.concatenate([stop, place + 1])
    rest = y.astype(np.float64)
    for node in range(len(first)):  # a split comes before its children
        rows = order[bounds[first[node]] : bounds[stop[node]]]
        if weight[rows].sum() > 0:
            step = _step_from_above(Z[rows], rest[rows], weight[rows], n_features)
            if step is not None:
                slopes[node] += step[0]
                intercept[node] += step[1]
                along = Z[rows, None, :n_features].astype(np.float64) * step[0]
                rest[rows] -= along.sum(axis=2) + step[1]
        if node < n_splits:
            for child in (tree.left[node], tree.right[node]):
                below = child if child >= 0 else n_splits + ~child
                slopes[below], intercept[below] = slopes[node], intercept[node]
    return slopes[n_splits:], intercept[n_splits:]


def _step_from_above(Z, rest, weight, n_features: int) -> tuple[np.ndarray, np.ndarray] | None:
    """What a branch adds to the slopes and the constant above it; None where that is nothing."""
    nowhere = np.zeros(len(Z), dtype=np.int32)
    fits = ridge_fits(Z, rest.astype(np.float32), weight, nowhere, 1, n_features, RIDGES)
    if fits.left_out.min() >= (weight[:, None] * rest**2).sum():
        return None
    slopes, intercept, _ = chosen_fits(fits, RIDGES)
    return slopes[0], intercept[0]

"""The score view: an oblique tree is an axis-aligned tree over its own scores.

Every split asks whether one number of the row is greater than a threshold: a feature, or the inner
product of the features with a row of weights. Put those numbers side by side and the tree is an
ordinary one, that any tool for trees takes::

    row (p,) ──matrix──> scores (q,) ──plain tree over q columns──> leaf

The thresholds stay with the plain tree, where people look for them; a format that wants them in
the bias of the linear map (ONNX's ``Gemm``) takes them from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.base.units import one_line, shortest
from treecore.compiling.kernels import dot, kernel
from treecore.core.routing import as_rows
from treecore.core.tree import OBLIQUE, Tree, make_tree
from treecore.ensembles.forest import Forest
from treecore.rows.finite import filled


class ScoreView(NamedTuple):
    """A linear map of rows, and axis-aligned trees over its columns.

    Attributes
    ----------
    matrix : float32 array, shape (n_scores, n_features)
        A row for each feature that an axis-aligned split reads (with the one weight 1, shared by
        all its splits), in the order of the features; then one for each oblique split, in the
        order of the trees and their splits.
    trees : tuple of Tree
        One for each tree of the model: same splits, leaves and thresholds, all axis-aligned over
        the scores, of which those of features may be missing.
    features : int array, shape (n_alone,)
        The features of the first rows, which axis-aligned splits read.
    missing : float32 array, shape (n_features,)
        What a missing value is read as before the map.
    """

    matrix: np.ndarray
    trees: tuple[Tree, ...]
    features: np.ndarray
    missing: np.ndarray

    def scores(self, X) -> np.ndarray:
        """The scores of rows, float32 (n_samples, n_scores), to the bit as treecore computes them.

        The score of a feature alone is NaN where the feature is missing. So a row reaches the same
        leaf in a plain tree as in the tree that it was made of.
        X: (n_samples, n_features), NaN where a value is missing; see
        :func:`treecore.core.routing.as_rows`.
        """
        rows = as_rows(X, self.matrix.shape[1], missing=True)
        scores = np.empty((len(rows), len(self.matrix)), dtype=np.float32)
        products(filled(rows, self.missing), self.matrix, scores)
        scores[:, : len(self.features)][np.isnan(rows[:, self.features])] = np.nan
        return scores

    def names(self, feature_names: Sequence[str]) -> list[str]:
        """A name for every score, as ``"0.8 alcohol − 0.5 hue"``, all different."""
        names: list[str] = []
        for weights in self.matrix:
            name = sum_text(weights, feature_names, 4)
            while name in names:  # rounded weights, or blanks in names, may coincide
                stem, _, number = name.rpartition(" #")
                name = f"{stem} #{int(number) + 1}" if stem and number.isdecimal() else f"{name} #2"
            names.append(name)
        return names


def score_view(model: Tree | Forest) -> ScoreView:
    """The linear map and the plain trees of a tree or a forest, not of those behind a kernel.

    Raises TypeError for other models.
    """
    if not isinstance(model, Tree | Forest):
        raise TypeError(f"a Tree or a Forest has a score view, not a {type(model).__name__}")
    trees = (model,) if isinstance(model, Tree) else model.trees
    read = np.unique(np.concatenate([tree.feature for tree in trees]))
    read = read[read != OBLIQUE]
    column_of = np.full(trees[0].n_features, -1)
    column_of[read] = np.arange(len(read))
    rows = [np.eye(trees[0].n_features, dtype=np.float32)[read]]
    plain, n_scores = [], len(read)
    for tree in trees:
        oblique = tree.feature == OBLIQUE
        feature = np.where(oblique, n_scores + np.cumsum(oblique) - 1, column_of[tree.feature])
        rows.append(tree.weights[tree.row[oblique]])
        n_scores += int(oblique.sum())
        plain.append((tree, feature))
    width = max(n_scores, 1)  # a leaf alone reads nothing, and a tree needs a column
    matrix = np.concatenate([*rows, np.zeros((width - n_scores, trees[0].n_features))])
    none = np.empty((0, width))
    made = []
    for t, feature in plain:
        shape = feature, np.full(t.n_splits, -1), t.left, t.right, t.values
        made.append(make_tree(none, t.threshold, *shape, missing_left=t.missing_left))
    matrix = np.ascontiguousarray(matrix, dtype=np.float32)
    return ScoreView(matrix, tuple(made), read, trees[0].missing)


def close_rows(model: Tree | Forest, X) -> np.ndarray:
    """Which rows lie so close to an oblique split that rounding decides their side.

    Sums of float32 numbers depend on the order in which they are added. A runtime that adds in
    another order, or in float64, may send such a row to the other side; it cannot send any other
    row there. A row is close to a split on its path where ``|s| <= (p + 1) 2^-24 (sum |w_j x_j| +
    |b|)`` for its exact score s, which bounds the error of any order (Higham 2002, section 3.1)
    for p weights that are not zero.

    Parameters
    ----------
    model : Tree or Forest
    X : array of numbers, shape (n_samples, n_features)
        NaN stands for a missing value.

    Returns
    -------
    bool array, shape (n_samples,)
    """
    trees = (model,) if isinstance(model, Tree) else model.trees
    rows = as_rows(X, trees[0].n_features, missing=True)
    known = filled(rows, trees[0].missing).astype(np.float64)
    close = np.zeros(len(rows), dtype=bool)
    for tree in trees:
        _mark_close(tree, known, np.isnan(rows), close)
    return close


def _mark_close(tree: Tree, X: np.ndarray, holes: np.ndarray, close: np.ndarray) -> None:
    """Go down one tree with all rows at once, to both sides where a row is close to a split."""
    at: list[np.ndarray] = [np.empty(0, dtype=np.int64)] * tree.n_splits
    if tree.n_splits:
        at[0] = np.arange(len(X))
    for split in range(tree.n_splits):
        here = at[split]
        if not len(here):
            continue
        b = float(tree.threshold[split])
        if tree.feature[split] != OBLIQUE:
            feature = tree.feature[split]
            right = np.where(
                holes[here, feature], not tree.missing_left[split], X[here, feature] > b
            )
        else:
            w = tree.weights[tree.row[split]].astype(np.float64)
            used = np.flatnonzero(w)
            terms = X[np.ix_(here, used)] * w[used]
            score = terms.sum(axis=1) - b
            size = np.abs(terms).sum(axis=1) + abs(b)
            # 2^-24 is the greatest relative error of one float32 operation.
            near = np.abs(score) <= (len(used) + 1) * 2.0**-24 * size
            close[here[near]] = True
            right, here = score[~near] > 0, here[~near]  # the others are marked: done
        for child, part in ((tree.left[split], here[~right]), (tree.right[split], here[right])):
            if child >= 0:
                at[child] = part


def sum_text(weights: np.ndarray, names: Sequence[str], terms: int, exact: bool = False) -> str:
    """A weighted sum, its ``terms`` greatest weights first; or the name of a feature.

    exact: weights with all of their digits, as in ``0.125·hue - 2·age``.
    """
    largest = np.argsort(-np.abs(weights), kind="stable")
    largest = largest[weights[largest] != 0]
    if not exact and len(largest) == 1 and weights[largest[0]] == 1.0:
        return one_line(names[largest[0]])
    parts = []
    for place, j in enumerate(largest[:terms]):
        sign = "−-"[exact] if weights[j] < 0 else "" if place == 0 else "+"
        size = f"{shortest(abs(weights[j]))}·" if exact else f"{abs(weights[j]):.2g} "
        parts.append(f"{sign}{' ' if place else ''}{size}{one_line(names[j])}")
    more = len(largest) - len(parts)
    return (" ".join(parts) or "0") + (f" + {more} more" if more > 0 else "")


@kernel
def products(X, matrix, out):
    """Write the inner products of the rows of X (n_samples, p) and of a matrix (q, p)."""
    for i in range(out.shape[0]):
        for k in range(out.shape[1]):
            out[i, k] = dot(matrix[k], X[i])

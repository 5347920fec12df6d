"""Plain twins of the kernels of greedy growth: same names, same decisions, written to be read."""

from __future__ import annotations

from collections import deque

import numpy as np

from treecore.greedy.axis import Cut, threshold_between
from treecore.impurity import UNITS_PER_BIT, Criterion, count_terms
from treecore.kernels import dot
from treecore.tree import OBLIQUE


def impurity(counts, n, criterion):
    if n == 0:
        return 0.0
    p = np.asarray(counts)[np.asarray(counts) > 0] / n
    return 1 - (p**2).sum() if criterion == Criterion.GINI else -(p * np.log2(p)).sum()


def scaled_impurity(n, total, terms, criterion):
    return n - total / n if criterion == Criterion.GINI else (terms[n] - total) / UNITS_PER_BIT


def mark_right(X, rows, feature, weights, threshold, right):
    for row in rows:
        score = dot(weights, X[row]) if feature == OBLIQUE else X[row, feature]
        right[row] = score > threshold


def divide(rows, right, spare):
    goes_right = right[rows]
    rows[:] = np.concatenate([rows[~goes_right], rows[goes_right]])
    return int((~goes_right).sum())


def divide_lines(first, last, start, stop, data, right, spare_values, spare_rows):
    for f in range(first, last):
        order, values = data.order[f, start:stop], data.values[f, start:stop]
        stable = np.argsort(right[order], kind="stable")
        values[:] = values[stable]
        order[:] = order[stable]


def sort_features(X, first, last, values, order):
    for f in range(first, last):
        order[f] = np.argsort(X[:, f], kind="stable")
        values[f] = X[order[f], f]


def best_cut(values, order, labels, counts, terms, criterion, min_samples_leaf, on_right=None):
    """Count both sides anew for every place between two different values."""
    n = len(order)
    best_score, best_n_left = np.inf, 0
    for n_left in range(min_samples_leaf, n - min_samples_leaf + 1):
        if values[n_left - 1] == values[n_left]:
            continue
        left = np.bincount(labels[order[:n_left]], minlength=len(counts))
        right = counts - left
        score = scaled_impurity(n_left, terms[left].sum(), terms, criterion)
        score += scaled_impurity(n - n_left, terms[right].sum(), terms, criterion)
        if score < best_score:
            best_score, best_n_left = score, n_left
    return best_score, best_n_left


def search_features(
    first, last, start, stop, data, counts, terms, criterion, min_samples_leaf, best
):
    for f in range(first, last):
        values, order = data.values[f, start:stop], data.order[f, start:stop]
        score, n_left = best_cut(
            values, order, data.labels, counts, terms, criterion, min_samples_leaf
        )
        if score < best.score:
            best = Cut(score, f, n_left)
    return best


def axis_splits(X, y, n_classes, depth, criterion, min_samples_leaf=1):
    """Features and thresholds of the axis-aligned tree, breadth-first; every node sorts anew."""
    terms = count_terms(len(y), criterion)
    splits = []
    queue = deque([(np.arange(len(y)), 0)])
    while queue:
        rows, level = queue.popleft()
        counts = np.bincount(y[rows], minlength=n_classes)
        if counts.max() == len(rows) or level == depth:
            continue
        best = Cut(np.inf, -1, 0)
        for f in range(X.shape[1]):
            order = rows[np.argsort(X[rows, f], kind="stable")]
            score, n_left = best_cut(
                X[order, f], order, y, counts, terms, criterion, min_samples_leaf
            )
            if score < best.score:
                best = Cut(score, f, n_left)
        if best.feature < 0:
            continue
        column = np.sort(X[rows, best.feature])
        threshold = threshold_between(column[best.n_left - 1], column[best.n_left])
        splits.append((best.feature, threshold))
        goes_right = X[rows, best.feature] > threshold
        queue += [(rows[~goes_right], level + 1), (rows[goes_right], level + 1)]
    return splits

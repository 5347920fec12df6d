"""Plain twins of the kernels of greedy growth: same names, same decisions, written to be read."""

from __future__ import annotations

import math
from collections import deque
from itertools import pairwise

import numpy as np

from treecore.greedy.axis import threshold_between
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
    first, last, start, stop, data, counts, terms, criterion, min_samples_leaf, scores, n_left
):
    for f in range(first, last):
        values, order = data.values[f, start:stop], data.order[f, start:stop]
        scores[f], n_left[f] = best_cut(
            values, order, data.labels, counts, terms, criterion, min_samples_leaf
        )


def by_gain_ratio(counts, scores, n_left, terms):
    n = counts.sum()
    whole = scaled_impurity(n, terms[counts].sum(), terms, Criterion.ENTROPY)
    gains = [max(0.0, whole - score) for score in scores if score < np.inf]
    positive = [gain for gain in gains if gain > 0]
    enough = min(np.mean(positive), max(positive)) if positive else 0
    best, best_ratio = 0, -1
    for f, score in enumerate(scores):
        gain = max(0.0, whole - score)
        if score < np.inf and gain >= enough:
            sizes = terms[n_left[f]] + terms[n - n_left[f]]
            ratio = gain / ((terms[n] - sizes) / UNITS_PER_BIT)
            if ratio > best_ratio:
                best, best_ratio = f, ratio
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
        scores, n_left = np.full(X.shape[1], np.inf), np.zeros(X.shape[1], dtype=int)
        for f in range(X.shape[1]):
            order = rows[np.argsort(X[rows, f], kind="stable")]
            scores[f], n_left[f] = best_cut(
                X[order, f], order, y, counts, terms, criterion, min_samples_leaf
            )
        best = int(np.argmin(scores))
        if criterion == Criterion.GAIN_RATIO:
            best = by_gain_ratio(counts, scores, n_left, terms)
        if scores[best] == np.inf:
            continue
        column = np.sort(X[rows, best])
        threshold = threshold_between(column[n_left[best] - 1], column[n_left[best]])
        splits.append((best, threshold))
        goes_right = X[rows, best] > threshold
        queue += [(rows[~goes_right], level + 1), (rows[goes_right], level + 1)]
    return splits


# --- oblique splits -----------------------------------------------------------------------


def cut_directions(
    X, rows, directions, labels, counts, terms, criterion, min_samples_leaf, to_beat
):
    best = to_beat, -1, np.float32(0), np.float32(0)
    for d, direction in enumerate(directions):
        products = np.array([dot(direction, X[row]) for row in rows])
        if not np.isfinite(products).all():
            continue
        order = np.argsort(products, kind="stable")
        values = products[order]
        score, n_left = best_cut(
            values, rows[order], labels, counts, terms, criterion, min_samples_leaf
        )
        if score < best[0]:
            best = score, d, values[n_left - 1], values[n_left]
    return best


def add_slopes(direction, first, last, ground, slopes):
    for f in range(first, last):
        factor = direction[f] * ground.scales[f]
        values = ground.values[f].astype(np.float64)
        slopes[ground.order[f]] += factor * (values - ground.centres[f])


def sides_score(on_right, ground):
    """Sum of the scaled impurities of both sides; infinite where a side has too few rows."""
    score = 0.0
    for side in (ground.counts - on_right, on_right):
        if side.sum() < ground.min_samples_leaf:
            return np.inf
        total = ground.terms[side].sum()
        score += scaled_impurity(side.sum(), total, ground.terms, ground.criterion)
    return score


def classes_on_right(heights, ground):
    right = ground.rows[heights[ground.rows] > 0]
    return np.bincount(ground.labels[right], minlength=len(ground.counts))


def best_step(rows, slopes, plane, ground):
    """Count both sides anew for every place between two different crossings."""
    crossings = np.clip(-plane.heights[rows] / slopes, -1e6, 1e6).astype(np.float32)
    n_classes = len(ground.counts)
    moving_right = np.bincount(ground.labels[rows[plane.heights[rows] > 0]], minlength=n_classes)
    best_score, best = np.inf, 0.0
    places = np.unique(crossings)
    for here, following in pairwise(places):
        is_right = (crossings <= here) == (slopes > 0)
        on_right = np.bincount(ground.labels[rows[is_right]], minlength=n_classes)
        on_right = plane.on_right - moving_right + on_right
        score = sides_score(on_right, ground)
        if score < best_score:
            best_score, best = score, (float(here) + float(following)) / 2
    if best_score < np.inf:
        heights = plane.heights.copy()
        heights[rows] += best * slopes
        best_score = sides_score(classes_on_right(heights, ground), ground)
    return best_score, best


def take_step(rows, slopes, step, plane, ground):
    plane.heights[rows] += step * slopes
    plane.on_right[:] = classes_on_right(plane.heights, ground)
    plane.score[0] = sides_score(plane.on_right, ground)


def perturb(coefficients, coins, plane, ground):
    """Algorithm 2 for one coefficient after another; returns how many were changed."""
    n_moved = 0
    for m, coin in zip(coefficients, coins):
        if m == len(ground.scales):
            rows, slopes = ground.rows, np.full(len(ground.rows), -1.0)
        else:
            values = ground.values[m].astype(np.float64)
            slopes = (values - ground.centres[m]) * ground.scales[m]
            rows, slopes = ground.order[m][slopes != 0], slopes[slopes != 0]
            if values[0] == values[-1]:
                continue
        score, step = best_step(rows, slopes, plane, ground)
        if score == np.inf or score > plane.score[0]:
            continue
        if score < plane.score[0]:
            plane.stagnant[0] = 0
        else:
            plane.stagnant[0] += 1
            if coin >= math.exp(-(plane.stagnant[0] - 1)):
                continue
        take_step(rows, slopes, step, plane, ground)
        plane.weights[m] += step
        n_moved += 1
    return n_moved


def leap(direction, slopes, plane, ground):
    rows = ground.rows[slopes[ground.rows] != 0]
    score, step = best_step(rows, slopes[rows], plane, ground)
    if score >= plane.score[0]:
        return False
    take_step(rows, slopes[rows], step, plane, ground)
    plane.weights[:] += step * direction
    return True

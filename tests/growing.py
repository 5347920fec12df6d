"""Rows to grow trees from, and the short way to a grown tree, for the tests of greedy methods."""

from __future__ import annotations

import numpy as np

from treecore.greedy.axis import AxisFinder
from treecore.greedy.growth import Growth
from treecore.impurity import Criterion

IMPURITIES = [Criterion.ENTROPY, Criterion.GINI]


def blobs(rng, n_samples, n_features, n_classes, noise=0.2):
    """Continuous rows, classes by slices across three features, some drawn at random instead."""
    X = rng.normal(size=(n_samples, n_features)).astype(np.float32)
    along = X[:, :3] @ np.array([1.0, 0.7, -0.5])[: min(3, n_features)]
    y = np.searchsorted(np.quantile(along, np.arange(1, n_classes) / n_classes), along)
    drawn = rng.random(n_samples) < noise
    y[drawn] = rng.integers(n_classes, size=drawn.sum())
    return X, y


def axis_growth(X, y, n_classes, depth, criterion, *rules, **named_rules):
    return Growth(X, y, n_classes, depth, AxisFinder(criterion), *rules, **named_rules)


def finish(learner, budget=10**9):
    while not learner.finished:
        learner.advance(budget)
    return learner.tree()

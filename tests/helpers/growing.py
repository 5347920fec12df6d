"""Rows to grow trees from, and the short way to a grown tree, for the tests of greedy methods."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from treecore.core.impurity import Criterion
from treecore.learners.greedy.criteria import weight_of
from treecore.learners.greedy.finders.axis import AxisFinder
from treecore.learners.greedy.finders.co2 import CO2Finder
from treecore.learners.greedy.finders.oc1 import OC1Finder
from treecore.learners.greedy.finders.random_oblique import RandomFinder
from treecore.learners.greedy.growth import Growth
from treecore.learners.greedy.settings import AxisSettings, CO2Settings, OC1Settings
from treecore.losses import LOG, SQUARED
from treecore.rows.training_rows import TrainingRows

CRITERIA = list(Criterion)
IMPURITIES = [Criterion.ENTROPY, Criterion.GINI]

FINDERS = {
    "random": lambda rng: RandomFinder(16, rng),
    "oc1": lambda rng: OC1Finder(OC1Settings(restarts=1, jumps=2), rng),
    "oc1 r-50": lambda rng: OC1Finder(OC1Settings(order="random", restarts=1, jumps=2), rng),
    "oc1 from random": lambda rng: OC1Finder(OC1Settings(start="random", restarts=1, jumps=2), rng),
    "co2": lambda rng: CO2Finder(CO2Settings(nu=10.0, eta=0.1, epochs=10), rng),
}
FROM_AXIS = [name for name in FINDERS if "random" not in name]


@st.composite
def rows(draw, max_samples=40):
    """Rows with many equal values, whole duplicates and constant features, and their classes."""
    n_samples, n_features = draw(st.integers(1, max_samples)), draw(st.integers(1, 4))
    values = st.sampled_from([-2.5, -1.0, -0.0, 0.0, 1e-30, 1.0, 1.0000001, 3.0])
    X = draw(arrays(np.float32, (n_samples, n_features), elements=values.map(np.float32)))
    n_classes = draw(st.integers(1, 4))
    y = draw(arrays(np.int64, n_samples, elements=st.integers(0, n_classes - 1)))
    return X, y, n_classes


def table(rng, n_samples):
    """Columns of one, two, a few and very many values, half zeros, and equal ends; 3 classes."""
    X = rng.standard_normal((n_samples, 7)).astype(np.float32)
    X[:, 0] = 4.0
    X[:, 1] = X[:, 1] > 0
    X[:, 2] = (20 * X[:, 2]).round()
    X[:, 3] *= rng.random(n_samples) < 0.5
    X[:, 4] = np.clip(X[:, 4], -1, 1)
    X[:, 5] *= 10.0 ** rng.integers(-44, 37, size=n_samples)
    y = (X[:, 1] + (X[:, 6] > 0.3) + (rng.random(n_samples) < 0.2)).astype(np.int64) % 3
    return X, y


def training(X, y, n_classes):
    """Strategy: the rows with weights of 1 or whole ones, and their classes or numbers."""
    weights = st.one_of(
        st.just(np.ones(len(y))), arrays(np.float64, len(y), elements=st.integers(1, 5).map(float))
    )
    numbers = np.column_stack([y, y % 2]).astype(np.float32) - np.float32(0.3)
    return weights.flatmap(
        lambda weight: st.sampled_from(
            [class_rows(X, y, n_classes, weight), number_rows(X, numbers, weight)]
        )
    )


def blobs(rng, n_samples, n_features, n_classes, noise=0.2):
    """Continuous rows, classes by slices across three features, some drawn at random instead."""
    X = rng.normal(size=(n_samples, n_features)).astype(np.float32)
    along = X[:, :3] @ np.array([1.0, 0.7, -0.5])[: min(3, n_features)]
    y = np.searchsorted(np.quantile(along, np.arange(1, n_classes) / n_classes), along)
    drawn = rng.random(n_samples) < noise
    y[drawn] = rng.integers(n_classes, size=drawn.sum())
    return X, y


def slopes(rng, n_samples, n_features, n_outputs, noise=0.3):
    """Continuous rows, and numbers that bend along them, scaled as a trainer scales them."""
    X = rng.normal(size=(n_samples, n_features)).astype(np.float32)
    W = rng.normal(size=(min(3, n_features), n_outputs))
    y = np.sin(X[:, : len(W)] @ W) + noise * rng.normal(size=(n_samples, n_outputs))
    return X, ((y - y.mean(axis=0)) / y.std(axis=0)).astype(np.float32)


def class_rows(X, y, n_classes, weight=None):
    weight = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=np.float64)
    return TrainingRows(X, y, weight, n_classes, LOG)


def number_rows(X, y, weight=None, loss=SQUARED):
    weight = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=np.float64)
    return TrainingRows(X, y, weight, y.shape[1], loss)


def grow(name, rows, depth, criterion=Criterion.ENTROPY, seed=0, **rules):
    """A growth by the finder of that name; ``"axis"`` is one too."""
    finder = AxisFinder() if name == "axis" else FINDERS[name](np.random.default_rng(seed))
    return growth_by(finder, rows, depth, criterion, **rules)


def growth_by(finder, rows, depth, criterion=Criterion.ENTROPY, **rules):
    criterion = criterion.name.lower().replace("_", " ")
    return Growth(rows, AxisSettings(depth=depth, criterion=criterion, **rules), finder)


def axis_growth(X, y, n_classes, depth, criterion, **rules):
    return grow("axis", class_rows(X, y, n_classes), depth, criterion, **rules)


def nodes_of(learner):
    """The nodes of a growth, one by one: leaves and the others."""
    names, run = learner.nodes.dtype.names, learner.run
    nodes = [SimpleNamespace(**dict(zip(names, node))) for node in learner.nodes.tolist()]
    for node, tally in zip(nodes, run.tally):
        node.n_rows, node.is_leaf = node.stop - node.start, node.left == 0
        node.tally, node.gain = tally, node.fall / weight_of(run.criterion, tally)
    return nodes


def finish(learner, budget=10**9):
    while not learner.finished:
        learner.advance(budget)
    return learner.tree()

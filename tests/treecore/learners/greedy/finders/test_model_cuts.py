"""Cuts for linear leaves: the best there are, made where they pay."""

import numpy as np
import pytest

from tests.helpers.same import assert_same
from tests.naive import model_cuts as naive
from treecore.core.routing import apply
from treecore.core.scaling import Scaling
from treecore.core.tree import OBLIQUE
from treecore.learners.greedy.finders.model_cuts import (
    ModelCutFinder,
    add_moments,
    best_model_cut,
    bin_feature,
    cuttable_features,
    pair_directions,
)
from treecore.learners.greedy.settings import AxisSettings
from treecore.losses import LOG, SQUARED
from treecore.rows.training_rows import TrainingRows
from treecore.training.builders import build_for_models


def rows(n, p, k=1, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n, p)).astype(np.float32)
    y = np.stack([np.where(X[:, c] > 0.2, 2.0, -1.0) * X[:, -1] for c in range(k)], axis=1)
    return X, (y + 0.1 * rng.standard_normal(y.shape)).astype(np.float32), rng


def grown(X, y, weight=None, directions=None, portion=1 << 30, loss=SQUARED, **settings):
    """The splits of a finished tree, grown so many units of work at a time."""
    weight = np.ones(len(X)) if weight is None else weight
    n_outputs = y.shape[1] if y.ndim == 2 else 1 + int(y.max())
    rows = TrainingRows(X, y, weight, n_outputs, loss)
    learner = build_for_models(AxisSettings(leaf="linear", **settings), rows, directions)
    while not learner.finished:
        learner.advance(portion)
    return learner.tree().without_linear()


@pytest.mark.parametrize(("n", "p", "k"), [(40, 2, 1), (90, 3, 2), (60, 1, 1)])
@pytest.mark.parametrize("smallest", [1, 12])
def test_the_best_cut_is_that_of_regressions_on_either_side(n, p, k, smallest):
    X, y, rng = rows(n, p, k)
    X[:, 0] = np.round(X[:, 0] * 3)  # some values come often
    weight = rng.uniform(0.5, 2.0, n)
    codes = np.stack([bin_feature(column, 8).codes for column in X.T], axis=1)
    D = np.hstack([np.ones((n, 1)), X]).astype(np.float64)
    given = TrainingRows(X, y, weight, k, SQUARED)
    cuts = ModelCutFinder(0.0).search_of(given, k + 1)._replace(D=D, codes=codes)
    add_moments(cuts, np.arange(n, dtype=np.int32))
    for f in range(p):  # as many features at a time as there is work wanted of
        entire = best_model_cut(cuts, smallest, f, f + 1)
    ours = cuts.parted[0], cuts.column[0], cuts.last[0]
    cuts.parted[0] = np.inf
    assert best_model_cut(cuts, smallest, 0, p) == entire
    assert ours == (cuts.parted[0], cuts.column[0], cuts.last[0])
    theirs = naive.best_model_cut(D, y.astype(np.float64), weight, codes, 1.0, smallest)
    assert ours[1:] == theirs[2:]
    np.testing.assert_allclose((entire, ours[0]), theirs[:2], rtol=1e-9)


def test_sums_and_differences_may_be_cut():
    X, _, _ = rows(500, 3)
    bent = np.abs(X[:, :1] / 2 - X[:, 2:])
    straight = grown(X, bent, depth=1)
    directions = pair_directions(np.array([2.0, 1.0, 1.0]))
    assert len(directions) == 6
    tree = grown(X, bent, directions=directions, depth=1)
    np.testing.assert_allclose(tree.weights, [[0.5, 0.0, -1.0]])
    assert tree.feature[0] == OBLIQUE
    assert straight.feature[0] in (0, 2)
    errors = []
    for one in (tree, straight):
        leaf, error = apply(one, X), 0.0
        for side in (leaf == 0, leaf == 1):
            D = np.hstack([np.ones((side.sum(), 1)), X[side]])
            error += np.linalg.lstsq(D, bent[side])[1].sum()
        errors.append(error)
    assert errors[0] < 0.05 * errors[1]


@pytest.mark.parametrize("portion", [1, 500, 1 << 30])
def test_a_grown_tree_takes_the_cuts_of_its_twin_however_the_work_is_parted(portion):
    X, y, rng = rows(150, 3)
    X[:, 0] = np.round(X[:, 0] * 3)
    weight = rng.uniform(0.5, 2.0, 150)
    settings = {"depth": 3, "min_samples_leaf": 8, "leaf_price": 1.0}
    tree = grown(X, y, weight, portion=portion, **settings)
    Z = Scaling.fit(X, robust=True).transform(X)[:, :3].astype(np.float64)
    codes = np.stack([bin_feature(column).codes for column in X.T], axis=1)
    theirs = naive.grow(np.hstack([np.ones((150, 1)), Z]), y, weight, codes, 1.0, 1.0, 8, 3)
    assert tree.n_splits > 2
    leaf = apply(tree, X)
    ours = {tuple(np.flatnonzero(leaf == j)) for j in range(tree.n_leaves)}
    assert ours == {tuple(part) for part in theirs}


def test_hinges_are_read_by_leaves_and_not_cut():
    X, y, rng = rows(300, 3)
    X[:, 0] = np.round(X[:, 0] * 3)
    hinges = np.maximum(X[:, [0, 1, 1]] - np.float32([0.0, 0.3, -0.5]), 0)
    other = -X[:, :1]  # which falls where the first one rises
    constant = np.ones((300, 1), dtype=np.float32)
    table = np.ascontiguousarray(np.hstack([X, hinges, other, constant]))
    assert cuttable_features(table) == [0, 1, 2, 6]
    assert cuttable_features(constant) == [0]
    tied = np.stack([X[:, 0], X[:, 0] + 0.01 * rng.uniform(size=300)], axis=1).astype(np.float32)
    assert cuttable_features(tied) == [0, 1], "it tells rows apart that the first one does not"
    assert_same(*(grown(t, y).without_linear().feature for t in (table[:, :6].copy(), X)))


def test_of_classes_a_cut_is_where_their_shares_change_slope():
    X, _, _ = rows(400, 3)
    y = (X[:, 1] * X[:, 2] > 0).astype(np.int64)
    tree = grown(X, y, loss=LOG, depth=1)
    assert tree.feature[0] in (1, 2)
    assert tree.threshold[0] == pytest.approx(0.0, abs=4 / 64)


def test_bins_have_about_as_many_rows_and_cuts_lie_between_their_values():
    x = np.sort(np.random.default_rng(0).standard_normal(1000)).astype(np.float32)
    codes, thresholds = bin_feature(x, 16)
    assert len(thresholds) == 15
    assert (np.abs(np.bincount(codes) - 1000 / 16) < 2).all()
    np.testing.assert_array_equal(codes, (x[:, None] > thresholds).sum(axis=1))
    few = np.array([3, 1, 3, 2, 1], dtype=np.float32)
    codes, thresholds = bin_feature(few, 16)
    np.testing.assert_array_equal(codes, [2, 0, 2, 1, 0])
    np.testing.assert_array_equal(thresholds, [1.5, 2.5])
    assert bin_feature(np.ones(4, dtype=np.float32)).thresholds.size == 0

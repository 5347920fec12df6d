"""Shapley values, against their definition over all orders of the features, and their axioms."""

import sys
from itertools import permutations
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.documents import random_map
from tests.helpers.strategies import random_tree
from treecore import RunConfig, Trainer, predict_proba
from treecore.core.routing import predict_values
from treecore.core.tree import OBLIQUE
from treecore.data.generators import generate
from treecore.ensembles.forest import Forest
from treecore.inspection.shapley import EXACT, shapley_values, used_features


def by_definition(f, x, background, p):
    """The mean over all orders of what a feature adds when it joins those before it."""
    total = 0.0
    for order in permutations(range(p)):
        rows = background.copy()
        before = f(rows).mean(axis=0)
        gains = np.zeros((p, len(before)))
        for j in order:
            rows[:, j] = x[j]
            after = f(rows).mean(axis=0)
            gains[j] = after - before
            before = after
        total = total + gains
    return total / factorial(p)


def case(seed, p=4, k=3, n=6):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, n_features=p, n_classes=k)
    x, background = rng.normal(size=p), rng.normal(size=(n, p))
    return tree, x.astype(np.float32), background.astype(np.float32)


@given(st.integers(0, 10**6))
def test_exact_values_are_those_of_the_definition(seed):
    tree, x, background = case(seed)
    found = shapley_values(tree, x, background)
    expected = by_definition(lambda rows: predict_proba(tree, rows), x, background, 4)
    np.testing.assert_allclose(found.values, expected, atol=1e-12)
    assert found.exact
    assert not found.error.any()


@given(st.integers(0, 10**6), st.booleans())
def test_values_add_up_to_the_answer_less_the_mean_one_and_unused_features_have_none(seed, sampled):
    tree, x, background = case(seed, p=6)
    found = shapley_values(tree, x, background, exact=-1 if sampled else 12)
    assert not found.values[np.setdiff1d(np.arange(6), used_features(tree))].any()
    np.testing.assert_allclose(found.prediction, predict_proba(tree, x[None])[0])
    np.testing.assert_allclose(found.base, predict_proba(tree, background).mean(axis=0))
    np.testing.assert_allclose(found.values.sum(axis=0), found.prediction - found.base, atol=1e-12)


def test_estimates_lie_about_the_exact_values_as_far_as_they_say():
    data = generate("hill", 300, seed=0)
    tree = Trainer(RunConfig("tao", depth=4, loss="squared"), data.X, data.y).run()
    rng = np.random.default_rng(1)
    wide = random_tree(rng, n_splits=20, n_features=9, n_classes=1)
    background = rng.normal(size=(20, 9)).astype(np.float32)
    x = rng.normal(size=9).astype(np.float32)
    for model, row, rest in ((tree, data.X[0], data.X[:20]), (wide, x, background)):
        exact = shapley_values(model, row, rest, task="regression")
        close = shapley_values(
            model, row, rest, task="regression", exact=-1, n_permutations=4000, seed=2
        )
        assert not close.exact
        off = np.abs(close.values - exact.values)
        assert (off <= 4 * close.error + 1e-9).all()
        again = shapley_values(
            model, row, rest, task="regression", exact=-1, n_permutations=4000, seed=2
        )
        np.testing.assert_array_equal(close.values, again.values)


def cuts(rng, p, k, n_splits=8):
    """A tree of cuts on one feature each, with sides of their own for missing values."""
    tree = random_tree(rng, n_splits=n_splits, n_features=p, n_classes=k, share_axis=1.0)
    return tree._replace(missing_left=rng.random(tree.n_splits) < 0.5)


@given(st.integers(0, 10**6), st.booleans())
def test_cuts_on_one_feature_are_summed_leaf_by_leaf(seed, missing):
    rng = np.random.default_rng(seed)
    tree, x, background = cuts(rng, 5, 3), rng.normal(size=5), rng.normal(size=(6, 5))
    if missing:
        x[rng.random(5) < 0.3] = background[rng.random((6, 5)) < 0.3] = np.nan
    x, background = np.float32(x), np.float32(background)
    found = shapley_values(tree, x, background)
    expected = by_definition(lambda rows: predict_proba(tree, rows), x, background, 5)
    np.testing.assert_allclose(found.values, expected, atol=1e-6)
    sources = np.array([0, 1, 1, 2, 0])
    found = shapley_values(tree, x, background, sources=sources)

    def joined(rows):  # of three features, each of the columns made of it
        parts = np.where(rows[..., sources] > 0, x, background[np.arange(len(rows)) % 6])
        return predict_proba(tree, parts)

    flags = np.zeros((6, 3), dtype=np.float32)
    expected = by_definition(joined, np.ones(3), flags, 3)
    np.testing.assert_allclose(found.values, expected, atol=1e-6)


def test_many_cuts_are_exact_where_others_are_estimated(rng):
    tree = cuts(rng, 40, 2, n_splits=60)
    assert len(used_features(tree)) > EXACT
    x, background = np.float32(rng.normal(size=40)), np.float32(rng.normal(size=(20, 40)))
    found = shapley_values(tree, x, background)
    assert found.exact
    assert not found.error.any()
    np.testing.assert_allclose(found.values.sum(axis=0), found.prediction - found.base, atol=1e-6)
    oblique = tree._replace(
        feature=np.full_like(tree.feature, OBLIQUE),
        row=np.arange(tree.n_splits, dtype=tree.row.dtype),
        weights=np.eye(40, dtype=np.float32)[tree.feature],
    )
    close = shapley_values(oblique, x, background, n_permutations=20_000)
    assert (np.abs(close.values - found.values) <= 5 * close.error + 1e-6).all()


@pytest.mark.parametrize("answer", ["shares", "votes", "mean"])
@pytest.mark.parametrize("share_axis", [1.0, 0.3])
def test_a_forest_is_worth_what_its_trees_are_in_the_mean(answer, share_axis):
    rng = np.random.default_rng(1)
    k = 1 if answer == "mean" else 3
    trees = [
        random_tree(rng, n_splits=6, n_features=5, n_classes=k, share_axis=share_axis)
        for _ in range(3)
    ]
    trees = [tree._replace(missing=trees[0].missing) for tree in trees]
    forest = Forest(tuple(trees), np.array([1.0, 0.0, 3.0]), answer)
    x, background = np.float32(rng.normal(size=5)), np.float32(rng.normal(size=(6, 5)))
    found = shapley_values(forest, x, background)
    expected = by_definition(forest.scores, x, background, 5)
    np.testing.assert_allclose(found.values, expected, atol=1e-6)
    assert found.exact


def test_linear_leaves_are_part_of_the_answer():
    data = generate("hill", 200, seed=0)
    config = RunConfig("tao", depth=2, loss="squared", leaf="linear")
    tree = Trainer(config, data.X, data.y).run()
    found = shapley_values(tree, data.X[3], data.X[:10], task="regression")
    rest = data.X[:10].astype(np.float32)
    expected = by_definition(
        lambda rows: predict_values(tree, rows).astype(np.float64),
        data.X[3].astype(np.float32), rest, data.n_features,
    )  # fmt: skip
    np.testing.assert_allclose(found.values, expected, atol=1e-9)


def test_bad_arguments_are_a_sentence():
    tree, x, background = case(0)
    with pytest.raises(ValueError, match="task='both' must be one of"):
        shapley_values(tree, x, background, task="both")
    with pytest.raises(ValueError, match="at least one row"):
        shapley_values(tree, x, np.empty((0, 4)))
    with pytest.raises(ValueError, match="features"):
        shapley_values(tree, x[:2], background)


def test_an_explanation_for_shap_holds_the_same_numbers(monkeypatch):
    tree, x, background = case(0)
    found = shapley_values(tree, x, background)
    monkeypatch.setitem(sys.modules, "shap", None)
    with pytest.raises(ImportError, match="needs the package shap"):
        found.explanation()


def test_an_explanation_is_one_of_shap_itself():
    shap = pytest.importorskip("shap")
    tree, x, background = case(0)
    found = shapley_values(tree, x, background)
    reported = found.explanation(["a", "b", "c", "d"])
    assert isinstance(reported, shap.Explanation)
    np.testing.assert_array_equal(reported.values, found.values)
    np.testing.assert_allclose(reported.values.sum(axis=0) + reported.base_values, found.prediction)
    assert reported.feature_names == ["a", "b", "c", "d"]


@pytest.mark.parametrize("exact", [12, -1])
def test_columns_of_one_feature_take_the_rows_values_together(exact, rng):
    """Behind splines the values are those that the definition gives on the rows before the map."""
    spline = random_map(rng, 3, 8, "spline")
    tree = random_tree(rng, n_features=8, n_classes=3)
    x, background = np.float32(rng.normal(size=3)), np.float32(rng.normal(size=(6, 3)))
    expected = by_definition(lambda rows: predict_proba(tree, spline(rows)), x, background, 3)
    made = spline(x[None])[0], spline(background)
    settings = {"exact": exact, "n_permutations": 4000, "sources": spline.sources}
    found = shapley_values(tree, *made, **settings)
    np.testing.assert_allclose(found.values, expected, atol=1e-12 if exact > 0 else 0.01)
    np.testing.assert_allclose(found.values.sum(axis=0), found.prediction - found.base, atol=1e-12)

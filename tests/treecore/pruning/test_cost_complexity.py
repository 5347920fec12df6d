"""Pruning by cost and complexity: a plain twin, and scikit-learn's path."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.helpers.cases import examples
from tests.helpers.prunings import (
    CRITERIA,
    SEEDS,
    assert_is_top_of,
    random_problem,
    splits_of,
)
from tests.helpers.same import assert_same
from tests.naive import pruning as naive_pruning
from treecore import predict
from treecore.core.routing import predict_values
from treecore.core.tree import check_tree
from treecore.export.readers import from_sklearn
from treecore.pruning import cost_complexity_path, prune_cost_complexity


@examples(60)
@given(
    seed=SEEDS,
    criterion=st.sampled_from(CRITERIA),
    share_axis=st.sampled_from([0.0, 0.5, 1.0]),
    n_splits=st.integers(0, 25),
)
def test_the_path_is_nested_and_monotone_and_ends_at_the_root(
    seed, criterion, share_axis, n_splits
):
    rng = np.random.default_rng(seed)
    tree, X, y, weight = random_problem(rng, n_splits=n_splits, share_axis=share_axis)
    path = cost_complexity_path(tree, X, y, weight, criterion=criterion)
    trees = [path.tree(k) for k in range(len(path))]
    assert_same(trees[0], tree)
    assert trees[-1].n_splits == 0
    assert path.alphas[0] == 0
    assert (np.diff(path.alphas) >= 0).all()
    assert (np.diff(path.impurities) >= -1e-12).all()
    assert (np.diff(path.n_leaves) < 0).all()
    assert [pruned.n_leaves for pruned in trees] == path.n_leaves.tolist()
    for small, large in zip(trees[1:], trees):
        check_tree(small)
        assert_is_top_of(small, large)
        assert splits_of(small, tree) < splits_of(large, tree)


@examples(60)
@given(seed=SEEDS, criterion=st.sampled_from(CRITERIA), numbers=st.booleans())
def test_no_pruned_tree_costs_less(seed, criterion, numbers):
    rng = np.random.default_rng(seed)
    tree, X, y, weight = random_problem(rng, n_splits=int(rng.integers(1, 20)), n_classes=2)
    task = "classification"
    if numbers:
        task, criterion = "regression", "variance"
        y = rng.standard_normal((len(X), 2))
    total, root = weight.sum(), naive_pruning.nested(tree, X)

    def risk_of(rows):
        return naive_pruning.risk(y, weight, rows, criterion, 2) / total

    more = {"task": task} if numbers else {"criterion": criterion}
    path = cost_complexity_path(tree, X, y, weight, **more)
    between = (path.alphas[1:] + path.alphas[:-1]) / 2
    for alpha in [*path.alphas, *between, 10.0]:
        pruned = path.tree_for(alpha)
        smallest, kept = naive_pruning.best_cost(root, alpha, risk_of)
        number = int(np.searchsorted(path.alphas, alpha, side="right")) - 1
        assert path.impurities[number] + alpha * pruned.n_leaves == pytest.approx(smallest)
        if np.abs(path.alphas - alpha).min() > 1e-9:
            assert splits_of(pruned, tree) == kept
        assert_same(pruned, prune_cost_complexity(tree, X, y, alpha, weight, **more))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_the_path_is_scikit_learns(load, weighted, criterion, rng):
    X, y = load(return_X_y=True)
    X = X.astype(np.float32)
    weight = rng.random(len(y)) if weighted else None
    model = DecisionTreeClassifier(criterion=criterion, random_state=0)
    tree = from_sklearn(model.fit(X, y, sample_weight=weight)).tree
    np.testing.assert_array_equal(predict(tree, X), model.predict(X))
    theirs = model.cost_complexity_pruning_path(X, y, sample_weight=weight)
    ours = cost_complexity_path(tree, X, y, weight, criterion=criterion)
    np.testing.assert_allclose(ours.alphas, theirs.ccp_alphas, atol=1e-12)
    np.testing.assert_allclose(ours.impurities, theirs.impurities, atol=1e-12)
    # Below, splits that gain nothing are pruned by the signs of rounding errors.
    for alpha in theirs.ccp_alphas[theirs.ccp_alphas > 1e-9][::3] * (1 + 1e-9):
        model.set_params(ccp_alpha=alpha).fit(X, y, sample_weight=weight)
        pruned = ours.tree_for(alpha)
        expected = from_sklearn(model).tree
        np.testing.assert_array_equal(pruned.feature, expected.feature)
        np.testing.assert_array_equal(pruned.threshold, expected.threshold)
        np.testing.assert_array_equal(pruned.left, expected.left)
        np.testing.assert_array_equal(predict(pruned, X), model.predict(X))


def test_the_path_of_numbers_is_scikit_learns():
    X, y = load_diabetes(return_X_y=True)
    X, Y = X.astype(np.float32), np.column_stack([y, y**2 / 100])
    model = DecisionTreeRegressor(random_state=0, max_depth=6).fit(X, Y)
    tree = from_sklearn(model).tree
    theirs = model.cost_complexity_pruning_path(X, Y)
    ours = cost_complexity_path(tree, X, Y, task="regression", smoothing=1e-9)
    np.testing.assert_allclose(ours.alphas, theirs.ccp_alphas, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(ours.impurities, theirs.impurities, rtol=1e-9)
    alpha = (theirs.ccp_alphas[-6] + theirs.ccp_alphas[-5]) / 2
    model.set_params(ccp_alpha=alpha).fit(X, Y)
    np.testing.assert_allclose(predict_values(ours.tree_for(alpha), X), model.predict(X), rtol=1e-5)

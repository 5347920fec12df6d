"""Reduced error and impurity: twins and promises; what prunings refuse."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.prunings import CRITERIA, SEEDS, assert_is_top_of, random_problem, splits_of
from tests.helpers.same import assert_same
from tests.helpers.strategies import random_tree
from tests.naive import pruning as naive_pruning
from treecore import predict
from treecore.core.routing import leaf_probabilities, predict_values
from treecore.core.tree import check_tree
from treecore.pruning import (
    cost_complexity_path,
    prune_cost_complexity,
    prune_impurity,
    prune_reduced_error,
)

# Reduced error.


@examples(60)
@given(seed=SEEDS, numbers=st.booleans(), given_reached=st.booleans())
def test_reduced_error_is_its_twin_and_never_more(seed, numbers, given_reached):
    rng = np.random.default_rng(seed)
    tree, X, y, weight = random_problem(rng, n_splits=int(rng.integers(0, 20)))
    weight = np.full(len(y), 1.0) if rng.random() < 0.5 else weight * len(y) / weight.sum()
    reached = rng.integers(0, 9, tree.n_leaves).astype(float) if given_reached else None
    task = "regression" if numbers else "classification"
    if numbers:
        y = tree.values[rng.integers(tree.n_leaves, size=len(y))].astype(float)
    pruned = prune_reduced_error(tree, X, y, weight, reached=reached, task=task)
    check_tree(pruned)
    assert_is_top_of(pruned, tree)

    reported = tree.values if numbers else leaf_probabilities(tree)
    of_leaf = {value.tobytes(): i for i, value in enumerate(tree.values)}

    def error_of(value, rows):
        if numbers:
            return (weight[rows, None] * (value - y[rows]) ** 2).sum()
        return weight[rows][y[rows] != np.argmax(value)].sum()

    def value_of(node):
        below = naive_pruning.leaves(node)
        numbers_of = [of_leaf[leaf[1].tobytes()] for leaf in below]
        count = [weight[leaf[2]].sum() for leaf in below]
        if reached is not None:
            count = reached[numbers_of]
        if not np.sum(count) > 0:
            count = np.ones(len(below))
        return np.average(reported[numbers_of], axis=0, weights=count)

    root = naive_pruning.nested(tree, X)
    smallest, kept = naive_pruning.reduced_error(root, error_of, value_of)
    before = naive_error(tree, X, y, weight, numbers)
    after = naive_error(pruned, X, y, weight, numbers)
    assert after <= before * (1 + 1e-5) + 1e-9
    assert after == pytest.approx(smallest, rel=1e-4, abs=1e-6)
    if not numbers:  # numbers meet ties by rounding only
        assert splits_of(pruned, tree) == set(kept)


def naive_error(tree, X, y, weight, numbers):
    if numbers:
        return (weight[:, None] * (predict_values(tree, X) - y) ** 2).sum()
    return weight[predict(tree, X) != y].sum()


# Impurity.


@examples(60)
@given(seed=SEEDS, criterion=st.sampled_from(CRITERIA), threshold=st.floats(0.0, 1.5))
def test_nearly_pure_nodes_become_leaves(seed, criterion, threshold):
    rng = np.random.default_rng(seed)
    tree, X, y, weight = random_problem(rng, n_splits=int(rng.integers(0, 20)))

    def impurity_of(rows):
        total = weight[rows].sum()
        return naive_pruning.risk(y, weight, rows, criterion, 3) / total if total else 0.0

    root = naive_pruning.nested(tree, X)
    impurities = np.array([impurity_of(node[4]) for node in naive_pruning.splits(root)])
    assume(threshold == 0 or (np.abs(impurities - threshold) > 1e-9).all())  # rounding decides
    pruned = prune_impurity(tree, X, y, threshold, weight, criterion=criterion)
    check_tree(pruned)
    kept = naive_pruning.impure(root, impurity_of, threshold)
    assert splits_of(pruned, tree) == set(kept)
    assert_same(prune_impurity(pruned, X, y, threshold, weight, criterion=criterion), pruned)
    if threshold == 0:
        assert_same(pruned, tree)


# All of them.


@pytest.mark.parametrize(
    ("X", "y", "more", "message"),
    [
        (np.zeros((4, 2)), np.zeros(4, int), {}, "X has 2 features, but the tree was made for 3"),
        (np.zeros((4, 3)), np.zeros(3, int), {}, "4 rows need as many labels"),
        (np.zeros((4, 3)), np.full(4, 3), {}, "y holds class 3, but the tree knows 3 classes"),
        (np.zeros((4, 3)), np.zeros(4), {}, "class indices"),
        (np.zeros((4, 3)), np.zeros(4, int), {"task": "ranking"}, "must be one of classification"),
        (np.zeros((4, 3)), np.zeros(4), {"task": "regression"}, "y has 1 outputs"),
        (np.zeros((4, 3)), np.zeros(4, int), {"sample_weight": -np.ones(4)}, "negative"),
        (np.zeros((0, 3)), np.zeros(0, int), {}, "no training rows"),
    ],
)
def test_rows_that_make_no_sense_are_refused_in_one_sentence(X, y, more, message):
    tree = random_tree(np.random.default_rng(0))
    for prune in (
        prune_reduced_error,
        cost_complexity_path,
        lambda *given, **more: prune_impurity(*given, 0.1, **more),
        lambda *given, **more: prune_cost_complexity(*given, 0.1, **more),
    ):
        with pytest.raises(ValueError, match=message):
            prune(tree, X, y, **more)


def test_settings_that_make_no_sense_are_refused_in_one_sentence():
    tree, X, y, _ = random_problem(np.random.default_rng(0))
    for bad in (-1.0, np.nan):
        with pytest.raises(ValueError, match=r"alpha=.* must be a number that is not negative"):
            prune_cost_complexity(tree, X, y, bad)
        with pytest.raises(ValueError, match=r"threshold=.* not negative"):
            prune_impurity(tree, X, y, bad)
    with pytest.raises(ValueError, match="criterion='misty' must be one of gini"):
        cost_complexity_path(tree, X, y, criterion="misty")
    with pytest.raises(ValueError, match=r"smoothing=0.0 must be a positive"):
        cost_complexity_path(tree, X, y, smoothing=0.0)
    with pytest.raises(ValueError, match="for each of the 8 leaves"):
        prune_reduced_error(tree, X, y, reached=np.ones(3))

"""Dead branches and light leaves are cut: predictions stay, and nothing is left to cut."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.documents import document_of
from tests.helpers.prunings import SEEDS
from tests.helpers.same import assert_same
from tests.helpers.strategies import random_tree
from tests.naive import tao as naive_tao
from treecore import apply, predict
from treecore.core.routing import predict_values
from treecore.core.tree import check_tree, complete_tree, single_leaf
from treecore.losses.metrics import leaf_counts
from treecore.persistence import to_json
from treecore.pruning import prune_dead
from treecore.pruning.light_leaves import without_light_leaves


@examples(60)
@given(seed=SEEDS)
def test_cutting_dead_branches_keeps_predictions_and_leaves_nothing_to_cut(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, n_splits=int(rng.integers(0, 25)))
    X = rng.standard_normal((int(rng.integers(1, 40)), tree.n_features)).astype(np.float32)
    y = rng.integers(3, size=len(X))
    pruned = prune_dead(tree, leaf_counts(tree, X, y))
    check_tree(pruned)
    np.testing.assert_array_equal(predict(pruned, X), predict(tree, X))
    counts = leaf_counts(pruned, X, y)
    assert naive_tao.prunable(pruned, counts) == []
    assert_same(pruned, prune_dead(pruned, counts))
    if not naive_tao.prunable(tree, leaf_counts(tree, X, y)):
        assert_same(pruned, tree._replace(weights=pruned.weights, row=pruned.row))


@examples(30)
@given(seed=SEEDS)
def test_cutting_dead_branches_keeps_numbers_to_the_last_bit(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, n_splits=20, n_classes=1)
    tree.values[:] = rng.integers(0, 3, tree.values.shape)
    X = rng.standard_normal((15, tree.n_features)).astype(np.float32)
    counts = leaf_counts(tree, X, np.zeros(15, int))
    pruned = prune_dead(tree, counts, task="regression")
    np.testing.assert_array_equal(predict_values(pruned, X), predict_values(tree, X))
    assert (leaf_counts(pruned, X, np.zeros(15, int)) > 0).all()
    for split in range(pruned.n_splits):
        a, b = pruned.left[split], pruned.right[split]
        assert a >= 0 or b >= 0 or pruned.values[~a, 0] != pruned.values[~b, 0]


def test_a_pure_subtree_becomes_a_leaf_with_the_mean_of_its_probabilities():
    tree = complete_tree(1, 1, 2)._replace(
        values=np.log(np.array([[0.9, 0.1], [0.6, 0.4]], dtype=np.float32))
    )
    pruned = prune_dead(tree, np.array([[3, 0], [1, 0]]))
    assert pruned.n_splits == 0
    np.testing.assert_allclose(np.exp(pruned.values[0]), [0.825, 0.175], rtol=1e-6)


def test_cutting_dead_branches_refuses_counts_it_cannot_use():
    tree = random_tree(np.random.default_rng(0), n_splits=3)
    with pytest.raises(ValueError, match="the tree has 4 leaves"):
        prune_dead(tree, np.ones((3, 3)))
    with pytest.raises(ValueError, match="no row reaches"):
        prune_dead(tree, np.zeros((4, 3)))
    leaf = single_leaf(np.zeros(3), 2)
    assert_same(prune_dead(leaf, np.ones((1, 3))), leaf)


@examples(40)
@given(seed=st.integers(0, 2**32 - 1), task=st.sampled_from(["classification", "regression"]))
def test_light_leaves_are_cut_and_heavy_ones_stay(seed, task):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, n_splits=12)
    X = rng.normal(size=(200, 3)).astype(np.float32)
    weight = rng.uniform(size=200)
    leaf = apply(tree, X)
    mass = np.bincount(leaf, weight, tree.n_leaves)
    smallest = rng.uniform(0, 0.2) * weight.sum()
    result = without_light_leaves(tree, mass, smallest, task)
    left = np.bincount(apply(result, X), weight, result.n_leaves)
    assert result.n_leaves == 1 or left.min() >= smallest
    heavy = tree.values[mass >= smallest]  # and nobody is told otherwise in those
    assert {tuple(v) for v in heavy} <= {tuple(v) for v in result.values}
    stays = mass[leaf] >= smallest
    np.testing.assert_array_equal(result.values[apply(result, X)][stays], tree.values[leaf][stays])
    assert to_json(document_of(without_light_leaves(tree, mass, 0.0, task))) == to_json(
        document_of(tree)
    )


def test_leaves_that_become_one_tell_the_mean():
    tree = random_tree(np.random.default_rng(0), n_splits=1)
    leaves = [~tree.left[0], ~tree.right[0]]
    mass = np.empty(2)
    mass[leaves] = 1, 3
    shares = mass / 4
    expected = shares @ probabilities(tree)
    entire = without_light_leaves(tree, mass, 10.0, "classification")
    np.testing.assert_allclose(probabilities(entire)[0], expected, rtol=1e-5)
    entire = without_light_leaves(tree, mass, 10.0, "regression")
    np.testing.assert_allclose(entire.values[0], shares @ tree.values, rtol=1e-5)


def probabilities(tree):
    odds = np.exp(tree.values.astype(float))
    return odds / odds.sum(axis=1, keepdims=True)

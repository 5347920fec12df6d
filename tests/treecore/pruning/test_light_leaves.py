"""Leaves that too little weight reaches are cut, and the rest is left."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.documents import document_of
from tests.helpers.strategies import random_tree
from treecore import apply
from treecore.persistence import to_json
from treecore.pruning.light_leaves import without_light_leaves


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

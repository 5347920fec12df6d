import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from tests.helpers.cases import examples
from tests.helpers.strategies import random_tree
from treecore.core.tree import (
    OBLIQUE,
    check_tree,
    make_tree,
    oblique_tree,
    parents,
    split_depths,
    split_weights,
)


@pytest.fixture
def tree():
    return random_tree(np.random.default_rng(3), n_splits=12)


@examples(20)
@given(seed=st.integers(0, 2**32 - 1))
def test_parents_and_depths_agree_with_the_children(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, n_splits=int(rng.integers(40)))
    of_split, of_leaf = parents(tree)
    depths = split_depths(tree)
    for children in (tree.left, tree.right):
        for split, child in enumerate(children):
            if child >= 0:
                assert of_split[child] == split
                assert depths[child] == depths[split] + 1
            else:
                assert of_leaf[~child] == split


def test_a_cut_weighs_its_feature_alone():
    tree = random_tree(np.random.default_rng(0), n_splits=30)
    for i, weights in zip([3, *range(30)], [*split_weights(tree, [3]), *split_weights(tree)]):
        oblique = tree.feature[i] == OBLIQUE
        alone = np.eye(tree.n_features)[tree.feature[i]]
        assert_array_equal(weights, tree.weights[tree.row[i]] if oblique else alone)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda t: {"left": np.roll(t.left, 1)}, "child"),
        (lambda t: {"left": np.full_like(t.left, 1)}, "split 1 has the child split 1: .* cycles"),
        (lambda t: {"left": t.right}, "is a child of split .* and again of split"),
        (lambda t: {"right": np.full_like(t.right, ~99)}, "has the child leaf 99, which is not"),
        (lambda t: {"feature": np.full_like(t.feature, 99)}, "uses feature 99"),
        (lambda t: {"feature": np.full_like(t.feature, -2)}, "uses feature -2"),
        (lambda t: {"row": np.zeros_like(t.row)}, "exactly once"),
        (lambda t: {"threshold": t.threshold + np.float32(np.nan)}, "threshold holds a number"),
        (lambda t: {"values": t.values[:-1]}, "13 leaves, not 12"),
        (lambda t: {"right": t.right[:-1]}, "right has shape"),
    ],
)
def test_a_broken_tree_is_refused_with_a_sentence(tree, change, sentence):
    with pytest.raises(ValueError, match=sentence):
        check_tree(tree._replace(**change(tree)))


def test_a_tree_of_a_known_shape_is_the_checked_one():
    like = random_tree(np.random.default_rng(3))
    rng = np.random.default_rng(4)
    weights, threshold = rng.standard_normal((7, 3)), rng.standard_normal(7)
    found = oblique_tree(weights, threshold, like, like.values)
    rows = np.full(7, OBLIQUE), np.arange(7)
    expected = make_tree(weights, threshold, *rows, like.left, like.right, like.values)
    for part, same in zip(found[:-1], expected[:-1], strict=True):
        assert part.dtype == same.dtype
        np.testing.assert_array_equal(part, same)
    with pytest.raises(ValueError, match="threshold holds a number that is not finite"):
        oblique_tree(weights, np.full(7, np.nan), like, like.values)
    with pytest.raises(ValueError, match="must fit the 7 splits"):
        oblique_tree(weights[1:], threshold, like, like.values)

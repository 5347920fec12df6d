"""Contributions sum to what there is to be attributed, on the path that the row takes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.helpers.cases import case
from tests.helpers.strategies import random_tree
from treecore.core.routing import apply
from treecore.core.tree import OBLIQUE, means_go_left, single_leaf
from treecore.inspection.contributions import contributions


def test_they_sum_to_the_difference_of_the_scores():
    for seed in range(40):
        with case(seed=seed):
            rng = np.random.default_rng(seed)
            tree = random_tree(rng, int(rng.integers(1, 20)), 5)
            x, mean = rng.standard_normal((2, 5))
            found = contributions(tree, x, mean)
            assert_allclose(
                found.moved.sum(axis=1), found.score - found.score_of_mean, rtol=0, atol=1e-13
            )
            assert found.leaf == apply(tree, x[None])[0]
            children = np.where(found.right, tree.right[found.splits], tree.left[found.splits])
            assert_array_equal(children, [*found.splits[1:], ~found.leaf])


def test_an_axis_aligned_split_is_moved_by_its_feature_alone():
    tree = random_tree(np.random.default_rng(0), 10, 4, share_axis=1.0)
    found = contributions(tree, np.ones(4), np.zeros(4))
    assert (tree.feature != OBLIQUE).all()
    assert_array_equal(found.moved, np.eye(4)[tree.feature[found.splits]])


def test_splits_that_the_means_decide_otherwise_are_marked():
    tree = random_tree(np.random.default_rng(0), 1, 1, share_axis=1.0)
    edge = float(tree.threshold[0])
    assert contributions(tree, [edge + 1], [edge - 1]).turned.all()
    assert not contributions(tree, [edge + 1], [edge + 2]).turned.any()


def test_columns_of_one_feature_move_a_score_together():
    tree = random_tree(np.random.default_rng(5), 8, 3)
    x, mean = np.random.default_rng(6).standard_normal((2, 3))
    alone = contributions(tree, x, mean)
    found = contributions(tree, x, mean, np.array([0, 1, 0]))
    assert_allclose(found.moved, np.c_[alone.moved[:, 0] + alone.moved[:, 2], alone.moved[:, 1]])
    assert_array_equal(found.score, alone.score)


def test_a_missing_value_takes_the_side_that_the_tree_says_and_counts_as_its_mean():
    tree = random_tree(np.random.default_rng(3), 6, 3)._replace(
        missing=np.array([1, 2, 3], np.float32)
    )
    found = contributions(tree, [np.nan] * 3, [0, 0, 0])
    assert found.leaf == apply(tree, [[np.nan] * 3])[0]
    as_means = tree._replace(missing_left=means_go_left(tree))
    assert_array_equal(
        contributions(as_means, [np.nan] * 3, [0, 0, 0]).moved,
        contributions(tree, [1, 2, 3], [0, 0, 0]).moved,
    )


def test_a_leaf_alone_has_no_path_and_other_rows_are_refused():
    assert contributions(single_leaf([1.0], 2), [1, 2], [0, 0]).moved.shape == (0, 2)
    with pytest.raises(ValueError, match="3 features, but the tree was made for 2"):
        contributions(single_leaf([1.0], 2), [1, 2, 3], [0, 0])

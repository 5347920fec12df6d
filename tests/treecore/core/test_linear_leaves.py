"""Linear leaves: predictions are sums in order within a range, and scale with the targets."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.helpers.exports import leaning
from tests.helpers.strategies import random_tree
from tests.naive.linear import predicted
from treecore.core.routing import apply, predict_values
from treecore.core.tree import make_tree, tree_depth
from treecore.data.validation import TargetScaling
from treecore.pruning.dead import prune_dead
from treecore.pruning.subtrees import collapse


def leaning_tree(seed=0, n_splits=6, n_features=19, n_outputs=2):
    rng = np.random.default_rng(seed)
    tree = leaning(random_tree(rng, n_splits, n_features, n_outputs), rng)
    X = rng.standard_normal((60, n_features)).astype(np.float32)
    return tree, X


def test_a_missing_value_is_read_as_the_trees_missing():
    tree, X = leaning_tree()
    X[np.abs(X) < 0.7] = 0
    tree = tree._replace(missing=np.full(19, 0.25, np.float32))
    holes = np.where(X == 0, np.nan, X)
    assert_array_equal(predict_values(tree, holes), predict_values(tree, np.where(X == 0, 0.25, X)))


def test_predictions_equal_their_twin_to_the_bit():
    tree, X = leaning_tree()
    said = predict_values(tree, X)
    assert_array_equal(said, predicted(tree.linear, X, apply(tree, X)))
    leaf = apply(tree, X)
    assert (said >= tree.linear.low[leaf]).all()
    assert (said <= tree.linear.high[leaf]).all()
    assert len(np.unique(said[:, 0])) > tree.n_leaves, "rows of one leaf are told different things"


def test_units_of_the_targets_go_there_and_back():
    tree, X = leaning_tree()
    centre, spread = np.array([3.0, -500.0]), np.array([0.01, 70.0])
    units = TargetScaling(np.zeros(19), centre, spread)
    scaled = units.inverse_transform(tree)
    assert_allclose(predict_values(scaled, X), predict_values(tree, X) * spread + centre, rtol=1e-4)
    assert_allclose(predict_values(units.transform(scaled), X), predict_values(tree, X), atol=1e-3)


def test_pruning_keeps_the_models_of_the_leaves_that_stay():
    tree, X = leaning_tree()
    counts = np.bincount(apply(tree, X), minlength=tree.n_leaves)[:, None]
    alive = prune_dead(tree, counts, task="regression")
    assert_array_equal(predict_values(alive, X), predict_values(tree, X))
    ends = np.arange(tree.n_splits) == tree.n_splits - 1
    cut = collapse(tree, ends, np.full((tree.n_splits, 2), 7.0))
    same = (predict_values(cut, X) == predict_values(tree, X)).all(axis=1)
    assert (predict_values(cut, X)[~same] == 7).all()
    assert tree_depth(cut) <= tree_depth(tree)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"weights": np.zeros((7, 2, 3))}, r"weights of the linear leaves has shape \(7, 2, 3\)"),
        ({"intercept": np.full((7, 2), np.nan)}, "intercept .* not finite"),
        ({"low": np.full((7, 2), 1e9)}, "a range whose low is above its high"),
    ],
)
def test_models_that_do_not_fit_are_refused(change, sentence):
    tree, _ = leaning_tree()
    with pytest.raises(ValueError, match=sentence):
        make_tree(*tree[:-1], tree.linear._replace(**change))

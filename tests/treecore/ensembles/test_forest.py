"""Forests: how trees answer together, and what is drawn for each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from tests.helpers.bagged import CANCER, bagged
from tests.helpers.cases import examples
from tests.helpers.strategies import random_tree
from tests.naive import ensembles as naive
from treecore import Forest, Trainer
from treecore.core.routing import apply
from treecore.core.tree import means_go_left, single_leaf
from treecore.ensembles.bagging import (
    draw_columns,
    draw_rows,
    expand_to_all_features,
    generator_of,
)
from treecore.ensembles.forest import ANSWERS

properties = examples(40)


def random_forest(rng, answer, n_trees=5):
    trees = [random_tree(rng, n_splits=rng.integers(0, 9)) for _ in range(n_trees)]
    weights = rng.exponential(size=n_trees)
    weights[0] = 0.0
    return Forest(trees, weights, answer)


# ------------------------------------------------------------------------- trees answer together


@properties
@given(st.integers(0, 2**32 - 1), st.sampled_from(ANSWERS))
def test_answers_are_those_of_the_plain_twin(seed, answer):
    rng = np.random.default_rng(seed)
    forest, X = random_forest(rng, answer), rng.standard_normal((9, 3))
    assert_array_equal(forest.scores(X), naive.scores(forest, X))
    staged = list(forest.staged_scores(X))
    assert len(staged) == 5
    for n, scores in enumerate(staged[1:], start=2):
        assert_array_equal(scores, forest.first(n).scores(X))


@pytest.mark.parametrize("answer", ANSWERS)
def test_blocks_of_rows_are_answered_as_the_rows_alone(answer, rng):
    trees = [random_tree(rng, n_splits=5, n_features=4000) for _ in range(3)]
    forest = Forest([t._replace(missing=trees[0].missing + 1) for t in trees], np.ones(3), answer)
    X = rng.standard_normal((150, 4000))
    X[rng.random(X.shape) < 0.1] = np.nan
    together = forest.scores(X)
    assert_array_equal(together, np.concatenate([forest.scores(x[None]) for x in X]))
    trees = [t._replace(missing_left=means_go_left(t)) for t in forest.trees]
    read = Forest(trees, np.ones(3), answer).scores(X)
    assert_array_equal(read, forest.scores(np.where(np.isnan(X), 1.0, X)))
    assert_array_equal(forest.scores(X[:0]), np.empty((0, 3)))


@properties
@given(st.integers(0, 2**32 - 1), st.sampled_from(ANSWERS[:2]))
def test_margins_are_positive_where_the_forest_is_right(seed, answer):
    rng = np.random.default_rng(seed)
    forest, X, y = random_forest(rng, answer), rng.normal(size=(20, 3)), rng.integers(3, size=20)
    margins = forest.margins(X, y)
    assert (np.abs(margins) <= 1 + 1e-12).all()
    scores, right = forest.scores(X), forest.predict(X) == y
    assert (margins[right] >= 0).all()
    assert (margins[~right] <= 0).all()
    for i in range(20):
        others = np.delete(scores[i], y[i]).max()
        assert margins[i] == scores[i, y[i]] - others


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"trees": ()}, "a forest needs at least one tree"),
        ({"weights": [1.0]}, "2 trees need as many weights"),
        ({"weights": [1.0, -1.0]}, "must be finite and not negative"),
        ({"weights": [1.0, np.nan]}, "must be finite and not negative"),
        ({"weights": [0.0, 0.0]}, "are all zero"),
        ({"weights": [1e308, 1e308]}, "overflows"),
        ({"answer": "shout"}, "answer='shout' must be one of"),
        ({"trees": (single_leaf([0, 1], 3), single_leaf([0, 1], 4))}, "tree 1 has n_features = 4"),
        ({"trees": (single_leaf([0, 1], 3), single_leaf([0], 3))}, "tree 1 has n_outputs = 1"),
    ],
)
def test_trees_that_cannot_answer_together_are_refused(change, message):
    leaf = single_leaf([0.0, 1.0], 3)
    given = {"trees": (leaf, leaf), "weights": [1.0, 1.0], "answer": "votes"} | change
    with pytest.raises(ValueError, match=message):
        Forest(**given)
    with pytest.raises(ValueError, match="reads missing values otherwise"):
        Forest((leaf, leaf._replace(missing=np.ones(3, np.float32))), [1, 1], "votes")


def test_margins_need_classes(rng):
    with pytest.raises(ValueError, match="numbers have no margins"):
        random_forest(rng, "mean").margins(np.zeros((2, 3)), [0, 1])
    forest = random_forest(rng, "votes")
    for y in ([0], [0.5, 1], [0, 3], [-1, 0]):
        with pytest.raises(ValueError, match="class indices"):
            forest.margins(np.zeros((2, 3)), y)


# --------------------------------------------------------------------------------- what is drawn


@properties
@given(st.integers(0, 2**32 - 1), st.sampled_from((0.3, 1.0)))
def test_a_bootstrap_is_that_of_the_plain_twin(seed, share):
    rng = np.random.default_rng(seed)
    weight = np.where(rng.random(12) < 0.3, 0.0, rng.exponential(size=12))
    weight[3] = 1.0
    n = max(1, round(share * np.count_nonzero(weight)))
    numbers = np.random.default_rng(seed).random(n)
    drawn = draw_rows(weight, "bootstrap", share, np.random.default_rng(seed))
    assert_array_equal(drawn, naive.bootstrap(weight, n, numbers))
    assert drawn.sum() == n
    assert not drawn[weight == 0].any()


def test_a_subsample_keeps_weights_and_repeats_nothing():
    weight = np.arange(10.0)
    drawn = draw_rows(weight, "subsample", 0.5, np.random.default_rng(0))
    assert np.count_nonzero(drawn) == 4
    assert_array_equal(drawn[drawn > 0], weight[drawn > 0])
    assert_array_equal(draw_rows(weight, "all", 0.1, None), weight)


def test_a_tree_on_some_features_says_the_same_on_all(rng):
    columns = draw_columns(20, 0.3, rng)
    assert len(columns) == 6
    assert (np.diff(columns) > 0).all()
    tree = random_tree(rng, n_features=6)
    wide = expand_to_all_features(tree, columns, 20)
    X = rng.standard_normal((200, 20)).astype(np.float32)
    X[:, ::2] = 0.0
    assert_array_equal(apply(wide, X), apply(tree, X[:, columns]))
    assert_array_equal(draw_columns(5, 1.0, None), np.arange(5))
    assert len(draw_columns(5, 0.001, rng)) == 1


def test_trees_read_the_features_that_were_drawn_for_them():
    config = bagged("axis", n_trees=6, feature_share=0.2, base={"depth": 6})
    forest = Trainer(config, *CANCER).run()
    for number, tree in enumerate(forest.trees):
        rng = generator_of(0, number)
        draw_rows(np.ones(len(CANCER[1])), "bootstrap", 1.0, rng)
        assert set(tree.feature) <= set(draw_columns(30, 0.2, rng))
    assert len({tuple(tree.feature) for tree in forest.trees}) > 1

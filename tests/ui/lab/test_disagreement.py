"""Where two trees differ: who is right, in which order it is told, and the way through each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.strategies import random_tree
from treecore import apply, evaluate, predict
from treecore.core.routing import leaf_probabilities
from treecore.losses import SQUARED
from ui.lab.disagreement import (
    BOTH,
    NONE,
    ONLY_FIRST,
    ONLY_SECOND,
    difference,
    verdicts,
    way,
)

seeds = st.integers(0, 2**32 - 1)
labels = st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=30)


@given(labels)
def test_the_verdicts_divide_the_rows_and_say_who_is_right(rows):
    y, first, second = np.array(rows).T
    found = verdicts(y, first, second)
    assert ((found == BOTH) | (found == ONLY_FIRST)).sum() == (first == y).sum()
    assert ((found == BOTH) | (found == ONLY_SECOND)).sum() == (second == y).sum()
    assert (found == NONE).sum() == ((first != y) & (second != y)).sum()


@given(labels)
def test_swapping_the_trees_swaps_the_verdicts(rows):
    y, first, second = np.array(rows).T
    swapped = {BOTH: BOTH, NONE: NONE, ONLY_FIRST: ONLY_SECOND, ONLY_SECOND: ONLY_FIRST}
    expected = [swapped[int(v)] for v in verdicts(y, first, second)]
    assert verdicts(y, second, first).tolist() == expected


def two_trees(seed, n_classes=3):
    rng = np.random.default_rng(seed)
    trees = [random_tree(rng, n_splits=n, n_features=4, n_classes=n_classes) for n in (7, 4)]
    X = rng.standard_normal((200, 4))
    return *trees, X, rng.integers(0, n_classes, 200)


@given(seeds)
def test_the_difference_of_accuracies_is_that_of_the_two_counts(seed):
    first, second, X, y = two_trees(seed)
    found = difference(first, second, (X, X), y)
    gain = (predict(first, X) == y).sum() - (predict(second, X) == y).sum()
    assert found.count(ONLY_FIRST) - found.count(ONLY_SECOND) == gain
    assert sum(found.count(v) for v in (BOTH, ONLY_FIRST, ONLY_SECOND, NONE)) == len(y)


@given(seeds)
def test_the_list_has_all_rows_told_differently_those_of_the_first_first(seed):
    first, second, X, y = two_trees(seed)
    found = difference(first, second, (X, X), y)
    rows = found.rows()
    assert set(rows) == set(np.flatnonzero(predict(first, X) != predict(second, X)))
    order = found.verdict[rows].tolist()
    assert order == sorted(order)
    assert BOTH not in order
    assert not len(difference(first, first, (X, X), y).rows())


@given(seeds)
def test_a_way_ends_in_the_leaf_of_the_row_and_every_turn_follows_its_score(seed):
    tree, _, X, _ = two_trees(seed)
    leaves = apply(tree, X)
    for i in range(10):
        found = way(tree, X[i])
        assert found.leaf == leaves[i]
        np.testing.assert_array_equal(found.shares, leaf_probabilities(tree)[leaves[i]])
        for question, following in zip(found.questions, [*found.questions[1:], None]):
            assert question.right == (question.score > 0)
            child = (tree.right if question.right else tree.left)[question.split]
            assert child == (~found.leaf if following is None else following.split)


@given(seeds)
def test_the_terms_of_a_question_are_its_score(seed):
    tree, _, X, _ = two_trees(seed)
    for x in X[:5]:
        for question in way(tree, x, most_terms=99).questions:
            assert len(question.terms) == question.n_terms
            total = sum(weight * value for _, weight, value in question.terms)
            assert total - question.threshold == pytest.approx(question.score, abs=1e-4)
            size = [abs(weight * value) for _, weight, value in question.terms]
            assert size == sorted(size, reverse=True)


@given(seeds)
def test_of_numbers_the_verdict_is_that_of_the_squared_errors(seed):
    first, second, X, _ = two_trees(seed, n_classes=1)
    y = np.random.default_rng(seed).standard_normal(len(X))
    found = difference(first, second, (X, X), y)
    gain = found.costs[1] - found.costs[0]
    assert (gain[found.verdict == ONLY_FIRST] > 0).all()
    assert (gain[found.verdict == ONLY_SECOND] < 0).all()
    assert (np.abs(gain[found.verdict == BOTH]) <= 0.01 * y.var()).all()
    assert not found.count(NONE)
    for tree, cost in zip((first, second), found.costs, strict=True):
        mean = evaluate(tree, X, y, loss=SQUARED).loss
        assert cost.mean() == pytest.approx(mean, rel=1e-5)
    rows = found.rows()
    for verdict in (ONLY_FIRST, ONLY_SECOND):
        own = np.abs(gain[rows[found.verdict[rows] == verdict]])
        assert (np.diff(own) <= 0).all(), "the greatest difference first"
    np.testing.assert_array_equal(way(first, X[0]).values, first.values[apply(first, X[:1])[0]])

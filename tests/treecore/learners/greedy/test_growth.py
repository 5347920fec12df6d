"""Greedy growth: impurity, the exact axis-aligned split, when it stops, and in which order."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tests.helpers.growing import CRITERIA, axis_growth, blobs, class_rows, finish, rows
from tests.helpers.same import assert_same
from tests.naive import greedy as naive
from treecore.core.impurity import Criterion, impurity
from treecore.core.terms import impurity_of, make_terms
from treecore.core.thresholds import threshold_between
from treecore.core.tree import OBLIQUE, check_tree, tree_depth
from treecore.learners.greedy.run import part_rows, send_rows
from treecore.learners.greedy.targets import make_criterion
from treecore.losses import class_log_odds
from treecore.losses.metrics import leaf_counts

# --- impurity -----------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", CRITERIA)
@given(counts=st.lists(st.integers(0, 5000), min_size=1, max_size=30))
def test_impurity_and_its_scaled_form_match_naive(criterion, counts):
    counts = np.array(counts)
    n = int(counts.sum())
    expected = naive.impurity(counts, n, criterion)
    assert_allclose(impurity(counts, n, criterion), expected, rtol=1e-12, atol=1e-12)
    if n == 0:
        return
    terms = make_terms(float(n), True, criterion)
    scaled = impurity_of(counts.astype(np.float64), terms)
    total = naive.sum_terms(terms, counts)
    assert scaled == pytest.approx(naive.scaled_impurity(n, total, terms), rel=1e-12)
    assert_allclose(scaled, n * expected, rtol=1e-12, atol=31 / terms.fine)


# --- kernels against their twins -----------------------------------------------------------


@pytest.mark.parametrize("criterion", CRITERIA)
@given(
    sample=rows(),
    depth=st.integers(1, 6),
    min_samples_leaf=st.integers(1, 4),
    share=st.sampled_from([0.0, 0.2]),
)
def test_the_whole_tree_matches_naive(criterion, sample, depth, min_samples_leaf, share):
    X, y, n_classes = sample
    X = np.where(np.random.default_rng(len(y)).random(X.shape) < share, np.float32(np.nan), X)
    learner = axis_growth(X, y, n_classes, depth, criterion, min_samples_leaf=min_samples_leaf)
    tree = finish(learner)
    made_of = make_criterion(class_rows(X, y, n_classes), criterion)
    twin = naive.axis_splits(X, made_of, depth, min_samples_leaf)
    assert list(zip(tree.feature, tree.threshold, strict=True)) == [split[:2] for split in twin]
    of_means = [split[1] >= 0.0 if split[2] is None else split[2] for split in twin]
    assert tree.missing_left.tolist() == of_means


@given(
    sample=rows(),
    feature=st.integers(0, 3),
    threshold=st.sampled_from([-2.5, -0.5, 0.0, 1.0, 9.0]),
    missing_left=st.booleans(),
    oblique=st.booleans(),
    gaps=st.sampled_from([0.0, 0.3]),
)
def test_rows_are_sent_counted_and_parted_as_their_split_says(
    sample, feature, threshold, missing_left, oblique, gaps
):
    X, y, n_classes = sample
    rng, feature = np.random.default_rng(len(y)), feature % X.shape[1]
    X = np.where(rng.random(X.shape) < gaps * (not oblique), np.float32(np.nan), X)
    run = axis_growth(X, y, n_classes, 3, Criterion.ENTROPY).run
    node, weights = run.nodes[0], rng.integers(-2, 3, X.shape[1]).astype(np.float32)
    node["threshold"], node["missing_left"] = threshold, missing_left
    node["feature"], node["row"] = OBLIQUE if oblique else feature, 0
    run.weights[0] = weights
    send_rows(run, 0)
    split = (threshold, feature, weights if oblique else None, missing_left)
    right = np.array([naive.goes_right(row, *split) for row in X])
    assert_array_equal(run.goes_right, right)
    assert_array_equal(run.right, np.bincount(y[right], minlength=n_classes))
    order = rng.permutation(len(y)).astype(np.int32)
    parted, n_left = order.copy(), part_rows(order, right, run.spare)
    assert n_left == np.sum(~right)
    assert_array_equal(order, [*parted[~right[parted]], *parted[right[parted]]])


# --- what holds for any tree ---------------------------------------------------------------


@pytest.mark.parametrize("criterion", CRITERIA)
def test_predictions_do_not_depend_on_the_order_of_rows(rng, criterion):
    X, y = blobs(rng, 400, 6, 4)
    shuffle = rng.permutation(400)
    tree = finish(axis_growth(X, y, 4, 7, criterion))
    shuffled = finish(axis_growth(X[shuffle], y[shuffle], 4, 7, criterion))
    assert_same(tree, shuffled)


def test_the_tree_appears_level_by_level_and_is_sound_at_any_time(rng):
    X, y = blobs(rng, 300, 5, 3)
    learner = axis_growth(X, y, 3, 6, Criterion.ENTROPY)
    assert (learner.name, learner.n_epochs, learner.epoch) == ("axis", 6, 0)
    epochs, sizes = [], []
    while not learner.finished:
        learner.advance(50)
        tree = learner.tree()
        check_tree(tree)
        assert leaf_counts(tree, X, y).sum() == 300
        assert_array_equal(tree.values, class_log_odds(leaf_counts(tree, X, y)))
        # A level is begun when the one above is complete.
        assert tree_depth(tree) in (int(learner.epoch), int(learner.epoch) + 1)
        epochs.append(learner.epoch)
        sizes.append(tree.n_splits)
    assert epochs == sorted(epochs)
    assert sizes == sorted(sizes)
    assert max(b - a for a, b in pairwise(sizes)) <= 2
    # No portion runs past the end of a level, and only there are epochs whole.
    assert [epoch for epoch in epochs if epoch == int(epoch)] == list(range(1, 7))
    assert learner.advance(50) == 0


def test_growth_that_ends_early_counts_as_all_levels():
    X = np.array([[0.0], [1.0], [2.0]], dtype=np.float32)
    learner = axis_growth(X, np.array([0, 1, 1]), 2, 9, Criterion.GINI)
    finish(learner)
    assert learner.epoch == learner.n_epochs == 9
    assert learner.tree().n_splits == 1


@given(st.floats(width=32, allow_nan=False, allow_infinity=False), st.integers(0, 3))
def test_a_threshold_lies_between_its_values_and_never_on_the_upper(lower, n_steps):
    lower = upper = np.float32(lower)
    for _ in range(n_steps + 1):
        upper = np.nextafter(upper, np.float32(np.finfo(np.float32).max))
    if upper > lower:
        assert lower <= threshold_between(lower, upper) < upper

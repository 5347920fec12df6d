import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import case, examples
from tests.helpers.strategies import random_tree
from tests.naive import nongreedy as naive
from treecore.compiling.kernels import dot, kernel
from treecore.core import routing
from treecore.core.descent import ABREAST
from treecore.core.routing import apply, decision_path, predict
from treecore.core.tree import means_go_left
from treecore.losses.metrics import evaluate, leaf_counts
from treecore.rows.finite import any_infinite


def test_dot_is_the_inner_product():
    for n in (1, 2, 15, 16, 17, 31, 32, 64, 100, 784):
        with case(n=n):
            w, x = np.random.default_rng(n).standard_normal((2, n)).astype(np.float32)
            assert dot(w, x) == pytest.approx(w.astype(np.float64) @ x, rel=1e-4, abs=1e-4)


@examples(10)
@given(seed=st.integers(0, 2**32 - 1))
def test_apply_matches_naive(seed):
    rng = np.random.default_rng(seed)
    n_features, share_axis = int(rng.integers(1, 40)), 0.5 * rng.integers(0, 2)
    tree = random_tree(rng, n_splits=30, n_features=n_features, share_axis=share_axis)
    # From no row to several blocks of rows that go down together.
    X = rng.standard_normal((int(rng.integers(0, 3 * ABREAST)), tree.n_features))
    X = X.astype(np.float32)
    np.testing.assert_array_equal(apply(tree, X), [naive.leaf_of(tree, x) for x in X])


def test_doubles_are_rounded_to_float32_before_they_are_compared():
    rng = np.random.default_rng(1)
    tree = random_tree(rng, n_splits=30, share_axis=1.0)
    X = np.repeat(tree.threshold.astype(np.float64)[:, None], 3, axis=1) + 1e-12
    np.testing.assert_array_equal(apply(tree, X), apply(tree, X.astype(np.float32)))


def test_a_score_of_zero_goes_left():
    tree = random_tree(np.random.default_rng(0), n_splits=1, n_features=1, share_axis=1.0)
    assert apply(tree, tree.threshold[None])[0] == ~tree.left[0]


def test_figures_match_their_definitions():
    rng = np.random.default_rng(4)
    tree = random_tree(rng)
    X, y = rng.standard_normal((60, 3)), rng.integers(3, size=60)
    figures = evaluate(tree, X, y)
    assert figures.accuracy == np.mean(predict(tree, X) == y)
    leaves = apply(tree, X)
    assert figures.active_leaves == len(np.unique(leaves))
    losses = [naive.log_loss(tree.values[leaf], label) for leaf, label in zip(leaves, y)]
    assert figures.loss == pytest.approx(np.mean(losses), rel=1e-6)
    assert leaf_counts(tree, X, y).sum() == 60


def test_a_missing_value_is_read_as_the_tree_says():
    rng = np.random.default_rng(5)
    tree = random_tree(rng)._replace(missing=np.float32([0.3, -1.0, 2.0]))
    X = rng.standard_normal((50, 3))
    holes = rng.random(X.shape) < 0.5
    torn = np.where(holes, np.nan, X)
    read = torn.astype(np.float32)
    np.testing.assert_array_equal(apply(tree, torn), [naive.leaf_of(tree, x) for x in read])
    for x, leaf in zip(read, apply(tree, torn), strict=True):
        splits, right, end = decision_path(tree, x)
        assert leaf == end == ~(tree.right[splits[-1]] if right[-1] else tree.left[splits[-1]])
    as_means = tree._replace(missing_left=means_go_left(tree))
    mended = np.where(holes, tree.missing, X)
    np.testing.assert_array_equal(apply(as_means, torn), apply(as_means, mended))
    assert (apply(as_means, torn) != apply(tree, torn)).any()


@pytest.mark.parametrize("share_axis", [0.0, 0.5])
def test_every_block_is_checked_and_filled(monkeypatch, share_axis):
    monkeypatch.setattr(routing, "_BLOCK_VALUES", 30)  # ten rows of three
    rng = np.random.default_rng(6)
    tree = random_tree(rng, share_axis=share_axis)._replace(missing=np.float32([0.3, -1.0, 2.0]))
    X = rng.standard_normal((2 * ABREAST + 25, 3)).astype(np.float32)
    leaves = apply(tree, X)
    for row in (2 * ABREAST + 24, ABREAST + 1, 0):  # rows before it have been followed unfilled
        X[row, 1] = np.nan
        np.testing.assert_array_equal(apply(tree, X), [naive.leaf_of(tree, x) for x in X])
        present = ~np.isnan(X[:, 1])
        np.testing.assert_array_equal(apply(tree, X)[present], leaves[present])
    X[-1, 1] = np.inf
    with pytest.raises(ValueError, match="infinite"):
        apply(tree, X)
    X[:] = np.where(np.isfinite(X), X, 1e30)  # a number like others, though its square is none
    np.testing.assert_array_equal(apply(tree, X), [naive.leaf_of(tree, x) for x in X])


@kernel
def infinite_rows(X, first, stop):
    return any_infinite(X, first, stop)


def test_infinite_numbers_are_found_wherever_they_stand():
    for p in (1, 3, 16, 126):
        X = np.random.default_rng(p).standard_normal((9, p)).astype(np.float32)
        X[4] = np.finfo(np.float32).max
        X[1, -1] = np.nan  # which may be missing
        for entire in (X, -X, X[:0]):
            assert not infinite_rows(entire, 0, len(entire))
        for row, column in itertools.product((1, 2, 7), {0, p // 2, p - 1}):
            for number in (np.inf, -np.inf):
                with case(p=p, row=row, column=column, number=number):
                    torn = X.copy()
                    torn[row, column] = number
                    assert infinite_rows(torn, 0, 9)
                    assert infinite_rows(torn, 2, 7) == (row == 2)


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (np.zeros(3), "table"),
        (np.zeros((2, 5)), "5 features, but the tree was made for 3"),
        (np.full((2, 3), np.inf), "infinite"),
        (np.full((2, 3), -1e39), "beyond 3.4e38"),
        (np.array([["a", "b", "c"]]), "must hold numbers"),
    ],
)
def test_bad_rows_are_refused_with_a_sentence(X, sentence):
    tree = random_tree(np.random.default_rng(0))
    with pytest.raises(ValueError, match=sentence):
        apply(tree, X)

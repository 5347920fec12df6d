"""Where two trees differ: who is right about which rows, and in which order they are listed."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.strategies import random_tree
from treecore import predict
from treecore.data.dataset import Dataset
from ui.inspect.comparison_tab import (
    AS_NEAR,
    BOTH,
    NONE,
    ONLY_FIRST,
    ONLY_SECOND,
    rows_apart,
    verdicts,
)
from ui.inspect.overlay import Overlay

seeds = st.integers(0, 2**32 - 1)


def two_overlays(seed, n_classes=3):
    """Two random trees over the same rows, of classes or, of one class, of numbers."""
    rng = np.random.default_rng(seed)
    X, names = rng.standard_normal((200, 4)), tuple("abcd")
    y = rng.integers(0, n_classes, 200) if n_classes > 1 else rng.standard_normal(200)
    classes = tuple(map(str, range(n_classes))) if n_classes > 1 else ()
    rows = Dataset("random", X, y, names, classes)
    trees = [random_tree(rng, n_splits=n, n_features=4, n_classes=n_classes) for n in (7, 4)]
    one, other = (Overlay(tree, rows, "held", (seed,)) for tree in trees)
    return one, other


@given(seeds)
def test_the_verdicts_divide_the_rows_and_say_who_is_right(seed):
    one, other = two_overlays(seed)
    found, y = verdicts(one, other), one.rows.y
    for overlay, alone in ((one, ONLY_FIRST), (other, ONLY_SECOND)):
        right = predict(overlay.tree, one.rows.X) == y
        np.testing.assert_array_equal((found == BOTH) | (found == alone), right)
    swapped = {BOTH: BOTH, NONE: NONE, ONLY_FIRST: ONLY_SECOND, ONLY_SECOND: ONLY_FIRST}
    assert verdicts(other, one).tolist() == [swapped[int(v)] for v in found]


@given(seeds)
def test_the_list_has_all_rows_told_differently_the_most_frequent_verdict_first(seed):
    one, other = two_overlays(seed)
    found = verdicts(one, other)
    rows = rows_apart(one, other, found)
    X = one.rows.X
    assert set(rows) == set(np.flatnonzero(predict(one.tree, X) != predict(other.tree, X)))
    order = found[rows]
    n_alike = np.bincount(order, minlength=4)[order]
    assert (np.diff(n_alike) <= 0).all()
    assert np.count_nonzero(np.diff(order)) == len(set(order)) - 1, "each verdict is one block"
    assert BOTH not in order
    assert not len(rows_apart(one, one, verdicts(one, one)))


@given(seeds)
def test_of_numbers_the_verdict_is_that_of_the_squared_errors(seed):
    one, other = two_overlays(seed, n_classes=1)
    y, found = one.rows.y, verdicts(one, other)
    gain = (other.guess - y) ** 2 - (one.guess - y) ** 2
    assert (gain[found == ONLY_FIRST] > 0).all()
    assert (gain[found == ONLY_SECOND] < 0).all()
    assert (np.abs(gain[found == BOTH]) <= AS_NEAR * y.var()).all()
    rows = rows_apart(one, other, found)
    for verdict in (ONLY_FIRST, ONLY_SECOND):
        own = np.abs(one.guess - other.guess)[rows[found[rows] == verdict]]
        assert (np.diff(own) <= 0).all(), "the greatest difference first"

"""Where two trees differ: who is right about which rows, and in which order they are listed."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.strategies import random_tree
from treecore import predict
from treecore.data.dataset import Dataset
from ui.inspect.comparison_tab import (
    BOTH,
    NONE,
    ONLY_FIRST,
    ONLY_SECOND,
    rows_apart,
    verdicts,
)
from ui.inspect.overlay import Overlay

seeds = st.integers(0, 2**32 - 1)


def two_overlays(seed):
    """Two random trees over the same rows of three classes."""
    rng = np.random.default_rng(seed)
    X, names = rng.standard_normal((200, 4)), tuple("abcd")
    rows = Dataset("random", X, rng.integers(0, 3, 200), names, tuple("pqr"))
    trees = [random_tree(rng, n_splits=n, n_features=4) for n in (7, 4)]
    return [Overlay(tree, rows, "held", (seed,)) for tree in trees]


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

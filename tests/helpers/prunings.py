"""Problems to prune for tests, and whether one tree is the top of another."""

import numpy as np
from hypothesis import strategies as st

from tests.helpers.strategies import random_tree
from treecore import predict

SEEDS = st.integers(0, 2**32 - 1)
CRITERIA = ("gini", "entropy", "error")


def random_problem(rng, n_rows=60, n_classes=3, **shape):
    """A mixed tree and rows whose classes have something to do with it; whole weights."""
    tree = random_tree(rng, n_classes=n_classes, **shape)
    X = rng.standard_normal((n_rows, tree.n_features)).astype(np.float32)
    y = predict(tree, X)
    drawn = rng.random(n_rows) < 0.4
    y[drawn] = rng.integers(n_classes, size=drawn.sum())
    return tree, X, y, rng.integers(0, 4, n_rows) + (np.arange(n_rows) == 0)


def assert_is_top_of(small, large, i=None, j=None):
    """Every path of ``small`` is the beginning of a path of ``large``."""
    i, j = small.root if i is None else i, large.root if j is None else j
    if i < 0:
        return
    assert j >= 0
    assert small.threshold[i] == large.threshold[j]
    assert_is_top_of(small, large, small.left[i], large.left[j])
    assert_is_top_of(small, large, small.right[i], large.right[j])


def splits_of(tree, entire):
    """The numbers in ``whole`` of the splits of a tree that is its top."""
    found, waiting = set(), [(tree.root, entire.root)]
    while waiting:
        i, j = waiting.pop()
        if i >= 0:
            found.add(int(j))
            waiting += [(tree.left[i], entire.left[j]), (tree.right[i], entire.right[j])]
    return found

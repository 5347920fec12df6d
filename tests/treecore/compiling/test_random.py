"""Orders drawn in kernels are those of NumPy's generator."""

import numpy as np
import pytest

from treecore.compiling.random import permute, random_words


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 256, 1000, 70_001])
def test_orders_are_those_of_numpy(n):
    ours = random_words(np.random.default_rng(n))
    theirs = np.random.default_rng(n)
    for _ in range(3):
        order = np.empty(n, dtype=np.int64)
        permute(ours, order)
        np.testing.assert_array_equal(order, theirs.permutation(n))


def test_half_a_word_that_was_left_is_used_first():
    theirs = np.random.default_rng(5)
    theirs.integers(2**31, dtype=np.int32)  # takes half a word
    assert theirs.bit_generator.state["has_uint32"]
    order = np.empty(9, dtype=np.int64)
    permute(random_words(theirs), order)
    np.testing.assert_array_equal(order, theirs.permutation(9))

"""Numbers that kernels make: NumPy's orders and random numbers, and the exponential."""

import numpy as np
import pytest

from tests.naive import nongreedy as naive
from treecore.compiling.exponential import exp32, exponentials
from treecore.compiling.random import (
    next_below,
    next_double,
    next_normal,
    normal_layers,
    permute,
    random_words,
)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 256, 1000, 7001])
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


@pytest.mark.jit
def test_random_numbers_are_those_of_numpy():
    theirs = np.random.default_rng(3)
    ours, layers = random_words(theirs), normal_layers()
    # So many normals take all ways: some are of the tail, and some are drawn anew.
    assert [next_normal(ours, layers) for _ in range(20_000)] == theirs.normal(size=20_000).tolist()
    assert [next_double(ours) for _ in range(9)] == theirs.random(9).tolist()
    for n in (2, 3, 785, 2**31 + 7):
        assert [next_below(ours, n) for _ in range(9)] == theirs.integers(n, size=9).tolist()
    assert next_normal(ours, layers) == theirs.normal()
    np.testing.assert_array_equal(ours, random_words(theirs))


def exp_of(x):
    out = x.copy()
    exponentials(out)
    return out


def test_it_is_the_exponential_and_whole_at_zero():
    x = np.linspace(-87, 88, 999, dtype=np.float32).reshape(-1, 3)
    np.testing.assert_allclose(exp_of(x), np.exp(x.astype(np.float64)), rtol=1.2e-7)
    assert exp32(np.float32(0.0)) == 1.0


def test_it_ends_at_what_float32_can_hold():
    x = np.array([[-np.inf, -1e30, -88, 89, 1e30, np.inf]], dtype=np.float32)
    ends = np.exp(np.array([-87.0, 88.0]))
    np.testing.assert_allclose(exp_of(x)[0], np.repeat(ends, 3), rtol=1.2e-7)


def test_one_number_has_the_bits_of_many_and_of_its_twin():
    x = np.random.default_rng(0).normal(size=(1, 500), scale=20).astype(np.float32)
    assert [exp32(number) for number in x[0]] == exp_of(x)[0].tolist()
    assert [naive.exponential(number) for number in x[0]] == exp_of(x)[0].tolist()

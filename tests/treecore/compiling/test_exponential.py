"""The exponential by arithmetic alone, against NumPy's in float64 and its own twin."""

import numpy as np

from tests.naive import nongreedy as naive
from treecore.compiling.exponential import exp32, exponentials


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

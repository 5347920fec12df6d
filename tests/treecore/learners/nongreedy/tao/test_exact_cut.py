"""The exact solution of TAO's reduced problem by a cut along one feature."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.naive import tao as naive_tao
from treecore.core.thresholds import threshold_between
from treecore.learners.nongreedy.tao.columns import take_columns
from treecore.learners.nongreedy.tao.exact_cut import best_cut, threshold_beyond, value_range


@examples(150)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 40),
    p=st.integers(1, 5),
    spread=st.sampled_from([1, 3, 100]),
    entire=st.booleans(),
)
def test_a_cut_is_the_best_of_all_cuts(seed, n, p, spread, entire):
    rng = np.random.default_rng(seed)
    X = rng.integers(-spread, spread + 1, (n, p)).astype(np.float32)
    wants = rng.random(n) < 0.5
    stake = rng.integers(1, 5, n).astype(float) if entire else rng.random(n) + 0.01
    feature, lower, upper, turned, astray = best_cut(take_columns(X, np.arange(n)), wants, stake)
    twin = naive_tao.best_cut(X, wants, stake)
    assert astray == pytest.approx(twin[0], abs=1e-12)
    if entire:  # sums of small whole numbers are exact, and so are ties
        assert (astray, feature, lower, upper, turned) == twin
    if feature >= 0:
        goes = (X[:, feature] > threshold_between(lower, upper)) != turned
        assert stake[goes != wants].sum() == pytest.approx(astray)


@pytest.mark.parametrize("values", [[0.0], [1.0, -2.0], [3e38, -3.4028235e38], [1e-45, 0.0]])
def test_a_threshold_beyond_has_all_values_on_one_side(values):
    X = np.array(values, dtype=np.float32)[:, None]
    smallest, largest = value_range(X, np.arange(len(X)), 0)
    assert (threshold_beyond(smallest, largest, right=False) >= X).all()
    beyond = threshold_beyond(smallest, largest, right=True)
    assert np.isfinite(beyond)
    if smallest > np.finfo(np.float32).min:
        assert (beyond < X).all()

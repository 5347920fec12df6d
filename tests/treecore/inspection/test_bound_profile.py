"""The bound by the scale of the weights."""

import numpy as np
import pytest

from tests.helpers.traces import bench_of
from treecore.inspection.bound_profile import bound_profile


def test_a_larger_scale_tightens_the_bound_towards_the_loss_and_makes_it_flat():
    _, bench = bench_of()
    found = bound_profile(bench, np.geomspace(0.1, 1000, 15))
    np.testing.assert_allclose(found.loss, found.loss[0], rtol=1e-6)
    assert (np.diff(found.bound) <= 1e-6).all()
    assert (found.bound >= found.loss - 1e-6).all()
    assert found.bound[0] > 1.5 * found.bound[-1]
    assert found.bound[-1] == pytest.approx(found.loss[-1], rel=0.05)
    assert found.turning[-1] < 0.1 < found.turning[0]

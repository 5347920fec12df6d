"""The optimizers of hinge forests are those of their papers."""

import numpy as np
import pytest

from tests.naive import hinge as naive
from treecore.learners.hinge.optimizers import OPTIMIZERS, move_row


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_the_optimizers_are_those_of_their_papers(name):
    rng = np.random.default_rng(0)
    steps = rng.standard_normal((30, 5)).astype("f4")
    p = start = rng.standard_normal(5).astype("f4")
    p, first, second = p.copy(), np.zeros(5, "f4"), np.zeros(5, "f4")
    for t, g in enumerate(steps, 1):
        rate, rate2 = 0.1, 1.0
        if name == "adam":
            rate, rate2 = rate / (1 - 0.9**t), 1 / (1 - 0.999**t)
        move_row(OPTIMIZERS[name], p, g, first, second, np.float32(rate), np.float32(rate2))
    twin = getattr(naive, name)
    expected = [twin(float(start[i]), steps[:, i].astype(float), 0.1) for i in range(5)]
    assert p == pytest.approx(expected, abs=1e-4)

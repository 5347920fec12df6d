"""A split turned by hand on the page *One step*."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.harness import showing, unrevised
from tests.helpers.steps import figures, opened, press, run
from ui.step.manual_tab import turned


def test_a_turned_line_keeps_its_pivot_and_a_half_turn_swaps_its_sides():
    rng = np.random.default_rng(1)
    for _ in range(50):
        w, b, size = rng.standard_normal(2), rng.standard_normal(), rng.uniform(0.5, 9, 2)
        tangent = np.array([-w[1], w[0]])
        pivot = w * b / (w @ w) + rng.standard_normal() * tangent  # on the line
        angle = rng.uniform(-3, 3)
        new, c = turned(w, b, pivot, size, angle, 0.0)
        assert new @ pivot == pytest.approx(c, abs=1e-9)
        back, d = turned(new, c, pivot, size, -angle, 0.0)
        np.testing.assert_allclose([*back, d], [*w, b], atol=1e-9)
        half, e = turned(w, b, pivot, size, np.pi, 0.0)
        np.testing.assert_allclose([*half, e], [*-w, -b], atol=1e-9)
        same, f = turned(w, b, pivot, size, 0.0, 0.25)
        np.testing.assert_allclose(same, w)
        distance = (f - b) / np.linalg.norm(w * size)
        assert distance == pytest.approx(0.25)


def test_a_split_is_turned_by_hand_and_put_back():
    page = opened("moons", "By hand")
    learnt = figures(page)
    assert learnt["Change sides"] == 0
    showing(page.slider, "step_angle").set_value(60)
    showing(page.slider, "step_offset").set_value(20)
    run(page)
    now = figures(page)
    assert now["Change sides"] > 0
    assert now["Mean loss"] != learnt["Mean loss"]
    press(page, "step_hand_back")
    assert figures(page) == learnt
    assert showing(page.slider, "step_angle").value == 0
    showing(page.select_slider, "step_longer").set_value(10.0)
    run(page)
    longer = figures(page)
    assert longer["Mean loss"] == learnt["Mean loss"], "no decision changes"
    assert longer["Change sides"] == 0
    assert longer["Mean bound"] != learnt["Mean bound"]


@pytest.mark.parametrize("dataset", ["hill", "quickening", "wine", "digits"])
def test_by_hand_on_numbers_on_a_line_and_in_many_features(dataset):
    page = opened(dataset, "By hand")
    before = figures(page)
    showing(page.slider, "step_offset").set_value(50)
    run(page)
    assert figures(page)["Change sides"] > 0
    assert figures(page) != before
    assert bool([s for s in page.slider if unrevised(s.key) == "step_angle"]) == (dataset == "hill")

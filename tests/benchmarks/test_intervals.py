"""What the measurement of coverage counts."""

import numpy as np
import pytest

from benchmarks.intervals import _shortfall, errors, report


def test_groups_above_the_target_do_not_make_up_for_those_below():
    inside = np.array([True] * 10 + [True] * 6 + [False] * 4)
    assert _shortfall(inside, np.repeat([0, 1], 10)) == pytest.approx(0.15)
    assert _shortfall(inside, np.repeat([0, 2], 10)) == pytest.approx(0.15)


def test_a_table_is_outside_where_chance_would_not_put_it():
    line = {"kind": "reg", "division": 0, "kept": 998, "new": 1000, "groups": 1, "expected": 0.9}
    line |= {"size": 1.0, "root_size": 1.0, "root_inside": 0.9, "short": 0.0, "root_short": 0.0}
    error, binomial = errors([line] * 4)
    assert binomial == pytest.approx(np.sqrt(0.09 / 1000 / 4))
    assert error == pytest.approx(np.sqrt(2) * binomial)
    shares = {"low": 0.9 - 3.5 * error, "even": 0.9, "high": 0.9 + 3 * error}
    lines = [line | {"table": t, "inside": s, "measured": "2026-11-28"} for t, s in shares.items()]
    assert "1 below, 0 above" in report([one for one in lines for _ in range(4)], "reg")

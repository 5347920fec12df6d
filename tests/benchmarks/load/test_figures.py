"""What visitors have measured, together."""

import math

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.load.figures import COLUMNS, Cost, Measured, percentile, row

VALUES = st.lists(st.floats(0, 100), min_size=1)
SHARES = st.floats(0.01, 1)


@given(VALUES, SHARES)
def test_a_percentile_is_the_least_value_that_enough_do_not_exceed(values, share):
    found = percentile(values, share)
    assert found in values
    # Compared as counts: n * share is rounded up, and need not be exact.
    enough = math.ceil(share * len(values))
    assert sum(value <= found for value in values) >= enough
    assert sum(value < found for value in values) < enough


def test_a_row_counts_clicks_pictures_and_sessions_of_all_visitors():
    measured = [
        Measured([0.25], [0.5, 1.0], 1, n_pictures=40, playing=2.0, n_bytes=30_000),
        Measured([0.75], [2.0], 0, n_pictures=30, playing=3.0, n_bytes=10_000, lost="gone"),
        Measured([], [], 0),
    ]
    cost = Cost(0.5, (300.0, 400.4, 310.0), (8, 20, 9))
    cells = row(measured, cost, 10.0).strip("| ").split(" | ")
    assert dict(zip(COLUMNS, cells, strict=True)) == {
        "visitors": "3",
        "page opens p50 / p95, s": "0.25 / 0.75",
        "click p50 / p95, s": "1.00 / 2.00",
        "clicks unanswered after 20 s": "1 of 4",
        "pictures a second: median, least": "10.0, 10.0",
        "KB/s a visitor": "1.3",
        "server, cores": "0.50",
        "memory before, most, after, MiB": "300, 400, 310",
        "threads": "8, 20, 9",
        "sessions lost": "1",
    }

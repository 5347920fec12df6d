"""Drawn points in a link: their order and every digit."""

from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as hyp

from ui.links.data import read_data
from ui.links.fields import Reading
from ui.widgets.data.canvas import DRAWN
from ui.widgets.data.points import read_points
from ui.widgets.data.points_code import MOST_SENT, can_be_sent, decoded, encoded


@given(
    hyp.lists(
        hyp.tuples(
            hyp.integers(-50_000, 50_000), hyp.integers(-50_000, 50_000), hyp.integers(0, 5)
        ),
        min_size=1,
        max_size=MOST_SENT,
    )
)
@example([(-50_000, -50_000, 0), (50_000, 50_000, 5)])
def test_a_link_carries_points_in_their_order_to_the_last_digit(places):
    points = read_points([n for x, y, c in places for n in (x / 1e4, y / 1e4, c)])
    assert can_be_sent(points)
    text = encoded(points)
    assert quote(text, safe="") == text
    assert len(text) == 6 * len(points)
    assert decoded(text).digest() == points.digest()


@pytest.mark.parametrize("text", ["A", "AAAA=A", "______", "A" * 6 * (MOST_SENT + 1)])
def test_text_that_is_no_drawing_is_told(text):
    reading = Reading()
    read_data({"data": [DRAWN], "drawing": [text]}, reading)
    assert "its points cannot be read" in reading.sentence()

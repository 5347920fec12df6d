"""Points drawn by hand: what is accepted, what is learnt from, their file, and their link."""

import math
from urllib.parse import quote

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as hyp

from treecore.data.dataset import Dataset
from treecore.data.generators import NOISE_SCALE, generate
from treecore.data.readers.csv import read_csv
from ui.links.data import read_data
from ui.links.fields import Reading
from ui.widgets.data.canvas import SHAPES
from ui.widgets.data.gallery import DRAWN
from ui.widgets.data.points import (
    FARTHEST,
    MOST_POINTS,
    MOST_SENT,
    DrawnPoints,
    Points,
    can_be_sent,
    csv_of,
    decoded,
    drawn_dataset,
    encoded,
    is_drawing,
    points_of,
    read_points,
)

numbers = hyp.floats(-FARTHEST, FARTHEST)
messages = hyp.lists(hyp.tuples(numbers, numbers, hyp.integers(0, 5)), max_size=40).map(
    lambda points: [number for point in points for number in point]
)


@given(messages)
def test_a_message_comes_back_to_within_the_last_digit(message):
    points = read_points(message)
    sent = np.reshape(message, (-1, 3))
    np.testing.assert_allclose(points.X, sent[:, :2], rtol=0, atol=0.51e-4)
    np.testing.assert_array_equal(points.y, sent[:, 2])
    again = read_points(np.column_stack([points.X, points.y]).ravel().tolist())
    assert again.digest() == points.digest()


@pytest.mark.parametrize(
    ("message", "what"),
    [
        (None, "needs three numbers"),
        ({"x": 1}, "needs three numbers"),
        ([0.0, 1.0], "needs three numbers"),
        ([0.0, math.nan, 0], "finite"),
        ([math.inf, 0.0, 0], "finite"),
        ([1001.0, 0.0, 0], "between -1000 and 1000"),
        ([10**400, 0, 0], "between -1000 and 1000"),
        (["1", 0, 0], "finite numbers"),
        ([True, 0, 0], "finite numbers"),
        ([[1], 0, 0], "finite numbers"),
        ([0, 0, 6], "one of 6"),
        ([0, 0, -1], "one of 6"),
        ([0, 0, 0.5], "one of 6"),
        ([0, 0, 0] * (MOST_POINTS + 1), "at most 2000 are allowed"),
    ],
)
def test_what_is_no_drawing_is_refused_in_a_sentence_and_changes_nothing(message, what):
    drawing = DrawnPoints()
    drawing.take([0, 0, 0, 1, 1, 1])
    before = drawing.points
    drawing.take(message)
    assert what in drawing.problem
    assert drawing.points is before
    drawing.take([0, 0, 0])
    assert not drawing.problem
    assert len(drawing.points) == 1


@pytest.mark.parametrize("message", [[], [0, 0, 0], [0, 0, 2, 1, 1, 2]])
def test_one_class_is_nothing_to_learn_from(message):
    with pytest.raises(ValueError, match="at least two points of two classes"):
        drawn_dataset(read_points(message), 0.0, 0)


def test_noise_moves_points_as_far_as_that_of_the_generators():
    points = Points(np.zeros((2000, 2)), np.arange(2000) % 2)
    still = drawn_dataset(points, 0.0, 3)
    np.testing.assert_array_equal(still.X, points.X)
    moved = drawn_dataset(points, 0.5, 3)
    assert moved.X.std() == pytest.approx(0.5 * NOISE_SCALE, rel=0.05)
    np.testing.assert_array_equal(moved.X, drawn_dataset(points, 0.5, 3).X)
    assert (moved.X != drawn_dataset(points, 0.5, 4).X).all()


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_can_be_edited(name):
    dataset = generate(name, 300, seed=2)
    points = points_of(dataset)
    np.testing.assert_allclose(points.X, dataset.X, rtol=0, atol=0.51e-4)
    np.testing.assert_array_equal(points.y, dataset.y)
    assert drawn_dataset(points, 0.0, 0).class_names == dataset.class_names
    assert len(points_of(generate(name, 5000, seed=2))) == MOST_POINTS


def test_only_a_plane_of_few_classes_can_be_edited():
    X = np.zeros((8, 3))
    y = np.arange(8)
    with pytest.raises(ValueError, match="two features"):
        points_of(Dataset("x", X, y % 2, ("a", "b", "c"), ("0", "1")))
    with pytest.raises(ValueError, match="at most 6 classes"):
        points_of(Dataset("x", X[:, :2].copy(), y, ("a", "b"), tuple("01234567")))


TWO_AT_ONE_PLACE = [0, 0, 0, 0, 0, 1]


@given(messages)
@example(TWO_AT_ONE_PLACE)
def test_a_saved_drawing_becomes_the_same_drawing(message):
    points = read_points(message)
    try:
        saved = csv_of(drawn_dataset(points, 0.0, 0))
    except ValueError:
        return
    read = read_csv(saved)
    assert is_drawing(read)
    assert points_of(read).digest() == points.digest(), "the same places, classes and colours"


@pytest.mark.parametrize(
    "table",
    [
        "x1,y,class\n0,0,A\n1,1,B\n",
        "x1,x2,class\n0,0,yes\n1,1,no\n",
        "x1,x2,class\n0,0,A\n1001,1,B\n",
        "x1,x2,class\n0,,A\n1,1,B\n",
        "x1,x2,class\n" + "".join(f"0,{i},{i / 7}\n" for i in range(60)),
    ],
)
def test_other_tables_are_no_drawings(table):
    assert not is_drawing(read_csv(table.encode()))


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

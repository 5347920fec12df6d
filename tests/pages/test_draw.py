"""Points drawn by hand: what is accepted, what is learnt from, and the pages that show it."""

from __future__ import annotations

import json
import math
from urllib.parse import quote

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as hyp

from tests.helpers import harness
from tests.helpers.harness import command, live, press, run, showing, upload
from treecore.data.dataset import Dataset
from treecore.data.generators import NOISE_SCALE, generate
from treecore.data.readers.csv import read_csv
from ui.links.data import data_params, read_data
from ui.links.fields import Reading
from ui.shell.router import page_file
from ui.widgets.data.canvas import DRAWN, SHAPES, DrawnPoints
from ui.widgets.data.points import (
    CLASSES,
    FARTHEST,
    MOST_POINTS,
    Points,
    csv_of,
    drawn_dataset,
    is_drawing,
    points_of,
    read_points,
)
from ui.widgets.data.points_code import MOST_SENT, can_be_sent, decoded, encoded

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
        (None, "three numbers a point"),
        ({"x": 1}, "three numbers a point"),
        ([0.0, 1.0], "three numbers a point"),
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
        ([0, 0, 0] * (MOST_POINTS + 1), "2000 are the most"),
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


def test_classes_keep_the_names_and_colours_they_were_drawn_in():
    dataset = drawn_dataset(read_points([0, 0, 1, 1, 1, 3]), 0.0, 0)
    assert dataset.class_names == CLASSES[:4]
    assert dataset.y.tolist() == [1, 3]


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
    with pytest.raises(ValueError, match="in a plane"):
        points_of(Dataset("x", X, y % 2, ("a", "b", "c"), ("0", "1")))
    with pytest.raises(ValueError, match="at most 6 classes"):
        points_of(Dataset("x", X[:, :2].copy(), y, ("a", "b"), tuple("01234567")))


TWO_AT_ONE_PLACE = [0, 0, 0, 0, 0, 1]


@given(messages, hyp.integers(0, 20))
@example(TWO_AT_ONE_PLACE, 0)
@example([0, 0, 0, 1, 0, 1], 0)
def test_the_file_reads_back_number_for_number(message, noise):
    try:
        dataset = drawn_dataset(read_points(message), noise / 20, 1)
    except ValueError:
        return
    read = read_csv(csv_of(dataset), "class")
    np.testing.assert_array_equal(read.X, dataset.X)
    names = np.array(read.class_names)[read.y]
    np.testing.assert_array_equal(names, np.array(dataset.class_names)[dataset.y])


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


def test_points_of_a_link_are_on_the_canvas_and_in_the_pages_own_link():
    points = read_points([0, 0, 0, 1, 1, 1, 0.5, -0.1234, 1])
    app = harness.opened("train", data=DRAWN, drawing=encoded(points))
    assert app.session_state["drawing"].points.digest() == points.digest()
    assert app.query_params["drawing"] == encoded(points)
    drawn(app, [0, 0, 0, 1, 1, 1])
    assert len(app.session_state["drawing"].points) == 2, "the link is not read twice"
    drawn(app, [0, 0, 0] + MOST_SENT * [1, 1, 1])
    assert "drawing" not in app.query_params, "too many for it"


def test_a_link_of_no_points_names_their_page():
    params = data_params((DRAWN, "0123456789abcdef", 0.25, 60, 30, 7))
    assert params == {"data": DRAWN, "noise": "25", "test": "30", "seed": "7"}
    reading = Reading()
    read_data({name: [value] for name, value in params.items()}, reading)
    assert not reading.problems
    assert reading.state["dataset"] == DRAWN
    assert reading.state[f"noise_{DRAWN}"] == 25
    assert "has none of them" in reading.remarks[0]


@pytest.fixture
def app():
    """The page that trains, with an empty canvas."""
    return harness.opened("train", state={"dataset": DRAWN})


def download(page):
    (button,) = [b.proto for b in page.get("download_button") if b.proto.label == "Points"]
    return button


def drawn(page, message):
    drawing = DrawnPoints()
    drawing.take(message)
    page.session_state["drawing"] = drawing
    run(page)


def test_an_empty_canvas_says_what_it_needs_and_two_points_are_learnt_from(app):
    assert "two points of two classes" in app.sidebar.info[0].value
    assert download(app).disabled
    drawn(app, [0, 0, 0, 1, 1, 1])
    assert not app.sidebar.info
    assert not app.error
    meta, arrays = live(app)
    assert meta["classes"] == ["A", "B"]
    assert len(arrays["points"]) == 2
    assert not download(app).disabled


def test_every_change_of_the_points_builds_another_run_that_goes_on_playing(app):
    drawn(app, [0, 0, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1])
    command(app, "play")
    runs = [live(app)[0]["run"]]
    for x in (0.1, 0.2):
        drawn(app, [x, 0, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1])
        runs.append(live(app)[0]["run"])
    app.slider(key=f"noise_{DRAWN}").set_value(20)
    run(app)
    runs.append(live(app)[0]["run"])
    assert len(set(runs)) == 4
    assert live(app)[0]["commands"]["playing"], "still playing"


@pytest.mark.parametrize("points", [[0, 0, 0, 1, 1, 1], TWO_AT_ONE_PLACE], ids=["two", "one place"])
def test_two_points_do_not_break_a_method(app, points):
    app.session_state["test_share"] = 0
    for method in ("sgd", "tao", "oc1", "annealed"):
        app.session_state["method"] = method
        drawn(app, points)
        _, arrays = harness.state_reached(app, "paused")
        assert not app.error, method
        assert arrays["counts"].sum() == 2


def test_a_saved_drawing_is_opened_again_to_learn_from_and_to_edit(app):
    """Two points at one place are nothing to learn from, and all the same what was drawn."""
    points = read_points([0.25, 0.5, 2, 0.25, 0.5, 4])
    upload(app, csv_of(drawn_dataset(points, 0.0, 0)), "points.csv")
    assert not app.error
    assert "Every feature has the same value in all rows" in harness.words(app)
    assert live(app)[0]["classes"] == ["C", "E"]
    press(app, "edit_points")
    assert app.session_state["dataset"] == DRAWN
    assert app.session_state["drawing"].points.digest() == points.digest()
    assert not app.error
    assert live(app)[0]["classes"] == list("ABCDE")


def test_a_table_that_nobody_drew_is_not_edited(app):
    upload(app, b"height,width,class\n1,2,A\n3,5,B\n")
    assert not app.error
    assert "edit_points" not in harness.keys(app, "button")


def test_a_shape_becomes_a_drawing(app):
    app.session_state["dataset"] = "moons"
    run(app)
    press(app, "edit_points")
    assert app.session_state["dataset"] == DRAWN
    assert len(app.session_state["drawing"].points) == 500
    showing(app.selectbox, "begin_with").set_value("rings")
    run(app)
    assert len(app.session_state["drawing"].points) == 200
    assert set(app.session_state["drawing"].points.y) == {0, 1, 2}
    assert showing(app.selectbox, "begin_with").value is None


@pytest.mark.parametrize("file", ["compare", "forests", "step"])
def test_other_pages_show_the_same_drawing(app, file):
    drawn(app, [0, 0, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 0.5, 0, 1])
    app.switch_page(page_file(file))
    run(app)
    assert not app.error
    ((_, arrays),) = harness.sent(app, "draw")
    assert len(arrays["xy"]) == 5
    assert len(app.session_state["drawing"].points) == 5


def test_the_message_to_the_canvas_is_plain_json_and_single_precision(app):
    drawn(app, [0.1234, -1.25, 0, 1, 1, 5])
    ((meta, arrays),) = harness.sent(app, "draw")
    assert json.loads(json.dumps(meta))["most"] == MOST_POINTS
    np.testing.assert_array_equal(np.round(arrays["xy"].astype(float), 4)[0], [0.1234, -1.25])
    assert arrays["label"].tolist() == [0, 5]

"""Points drawn by hand: what is accepted, what is learnt from, and the pages that show it."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import streamlit as st
from hypothesis import given
from hypothesis import strategies as hyp
from streamlit.testing.v1 import AppTest

from tests.helpers.paths import APP
from treecore import warm_up
from treecore.datasets import Dataset
from treecore.generators import NOISE_SCALE, generate
from treecore.tables import read_csv
from ui.address import Reading, data_params, read_data
from ui.draw import DRAWN, SHAPES, Drawing
from ui.draw_points import (
    CLASSES,
    FARTHEST,
    MOST_POINTS,
    Points,
    csv_of,
    drawn_dataset,
    points_of,
    read_points,
)
from ui.wire import unpack

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
    drawing = Drawing()
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


@given(messages, hyp.integers(0, 20))
def test_the_file_reads_back_number_for_number(message, noise):
    try:
        dataset = drawn_dataset(read_points(message), noise / 20, 1)
    except ValueError:
        return
    read = read_csv(csv_of(dataset), "class")
    np.testing.assert_array_equal(read.X, dataset.X)
    names = np.array(read.class_names)[read.y]
    np.testing.assert_array_equal(names, np.array(dataset.class_names)[dataset.y])


def test_a_link_names_drawn_points_and_does_not_carry_them():
    params = data_params((DRAWN, "0123456789abcdef", 0.25, 60, 30, 7))
    assert params == {"data": DRAWN, "noise": "25", "test": "30", "seed": "7"}
    reading = Reading()
    read_data({name: [value] for name, value in params.items()}, reading)
    assert not reading.problems
    assert reading.state["dataset"] == DRAWN
    assert reading.state[f"noise_{DRAWN}"] == 25
    assert "does not carry" in reading.remarks[0]


@pytest.fixture
def app():
    """The train page, of a session of its own."""
    warm_up()
    st.cache_resource.clear()
    page = AppTest.from_file(APP, default_timeout=30)
    page.switch_page("pages/train.py")
    page.session_state["dataset"] = DRAWN
    yield page
    st.cache_resource.clear()


def download(page):
    (button,) = [b.proto for b in page.get("download_button") if b.proto.label == "Points"]
    return button


def live_meta(page):
    views = [view.proto for view in page.get("bidi_component")]
    return [unpack(view.bytes)[0] for view in views if view.component_name == "treecore.live"]


def sent(page, message):
    drawing = Drawing()
    drawing.take(message)
    page.session_state["drawing"] = drawing
    page.run()
    assert not page.exception


def test_an_empty_canvas_says_what_it_needs_and_two_points_are_learnt_from(app):
    app.run()
    assert not app.exception
    assert "two points of two classes" in app.sidebar.info[0].value
    assert download(app).disabled
    sent(app, [0, 0, 0, 1, 1, 1])
    assert not app.sidebar.info
    assert not app.error
    (meta,) = live_meta(app)
    assert meta["classes"] == ["A", "B"]
    assert not download(app).disabled


def test_every_change_of_the_points_builds_another_run_that_goes_on_playing(app):
    sent(app, [0, 0, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1])
    app.button(key="play").click().run()
    runs = [live_meta(app)[0]["run"]]
    for x in (0.1, 0.2):
        sent(app, [x, 0, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1])
        assert not app.exception
        runs.append(live_meta(app)[0]["run"])
    app.slider(key=f"noise_{DRAWN}").set_value(20).run()
    runs.append(live_meta(app)[0]["run"])
    assert len(set(runs)) == 4
    assert app.button(key="play").disabled, "still playing"
    app.button(key="pause").click().run()


@pytest.mark.parametrize("method", ["sgd", "tao", "oc1", "annealed"])
def test_two_points_do_not_break_a_method(app, method):
    app.session_state["method"] = method
    sent(app, [0, 0, 0, 1, 1, 1])
    assert not app.error


def test_a_shape_becomes_a_drawing(app):
    app.session_state["dataset"] = "moons"
    app.run()
    app.button(key="edit_points").click().run()
    assert not app.exception
    assert app.session_state["dataset"] == DRAWN
    assert len(app.session_state["drawing"].points) == 500
    app.selectbox(key="begin_with").set_value("rings").run()
    assert not app.exception
    assert len(app.session_state["drawing"].points) == 200
    assert set(app.session_state["drawing"].points.y) == {0, 1, 2}
    assert app.selectbox(key="begin_with").value is None


@pytest.mark.parametrize("file", ["pages/compare.py", "pages/step.py"])
def test_other_pages_show_the_same_drawing(app, file):
    sent(app, [0, 0, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 0.5, 0, 1])
    app.switch_page(file).run()
    assert not app.exception
    assert not app.error
    names = [view.proto.component_name for view in app.get("bidi_component")]
    assert "treecore.draw" in names
    assert len(app.session_state["drawing"].points) == 5


def test_the_message_to_the_canvas_is_plain_json_and_single_precision(app):
    sent(app, [0.1234, -1.25, 0, 1, 1, 5])
    (draw,) = [
        v.proto for v in app.get("bidi_component") if v.proto.component_name.endswith("draw")
    ]
    meta, arrays = unpack(draw.bytes)
    assert json.loads(json.dumps(meta))["most"] == MOST_POINTS
    np.testing.assert_array_equal(np.round(arrays["xy"].astype(float), 4)[0], [0.1234, -1.25])
    assert arrays["label"].tolist() == [0, 5]

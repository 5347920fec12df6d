"""The pages over points drawn by hand, in Streamlit's own test harness."""

import pytest

from tests.helpers import harness
from tests.helpers.harness import choose, command, live, press, showing, upload, with_state
from ui.widgets.data.gallery import DRAWN
from ui.widgets.data.points import (
    MOST_SENT,
    DrawnPoints,
    csv_of,
    drawn_dataset,
    encoded,
    read_points,
)

TWO_AT_ONE_PLACE = [0, 0, 0, 0, 0, 1]


def test_points_of_a_link_are_on_the_canvas_and_in_the_pages_own_link():
    points = read_points([0, 0, 0, 1, 1, 1, 0.5, -0.1234, 1])
    app = harness.one_tree(data=DRAWN, drawing=encoded(points))
    assert app.session_state["drawing"].points.digest() == points.digest()
    assert app.query_params["drawing"] == encoded(points)
    drawn(app, [0, 0, 0, 1, 1, 1])
    assert len(app.session_state["drawing"].points) == 2, "the link is not read twice"
    drawn(app, [0, 0, 0] + MOST_SENT * [1, 1, 1])
    assert "drawing" not in app.query_params, "too many for it"


@pytest.fixture
def app():
    """The page that trains, with an empty canvas."""
    return harness.one_tree(state={"dataset": DRAWN})


def download(page):
    (button,) = [b.proto for b in page.get("download_button") if b.proto.label == "Points"]
    return button


def drawn(page, message):
    drawing = DrawnPoints()
    drawing.take(message)
    with_state(page, drawing=drawing)


def test_an_empty_canvas_says_what_it_needs_and_two_points_are_learnt_from(app):
    asked = " ".join(info.value for info in app.info)
    assert "two points of two classes. Click on the canvas to add them. Draw points" in asked
    assert download(app).disabled
    drawn(app, [0, 0, 0, 1, 1, 1])
    assert not [*app.info, *app.error]
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
    choose(app, f"noise_{DRAWN}", 20)
    runs.append(live(app)[0]["run"])
    assert len(set(runs)) == 4
    assert live(app)[0]["commands"]["playing"], "still playing"


@pytest.mark.parametrize("points", [[0, 0, 0, 1, 1, 1], TWO_AT_ONE_PLACE], ids=["two", "one place"])
def test_two_points_do_not_break_a_method(app, points):
    app.session_state["test_share"] = 0
    for method in ("sgd", "tao", "oc1", "annealed"):
        app.session_state["lab0_method"] = method
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


def test_a_shape_becomes_a_drawing(app):
    with_state(app, dataset="moons")
    press(app, "edit_points")
    assert app.session_state["dataset"] == DRAWN
    assert len(app.session_state["drawing"].points) == 500
    choose(app, "begin_with", "rings")
    assert len(app.session_state["drawing"].points) == 200
    assert set(app.session_state["drawing"].points.y) == {0, 1, 2}
    assert showing(app, "begin_with").value is None

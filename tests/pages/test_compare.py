"""The page Compare in Streamlit's own test harness."""

from __future__ import annotations

import time

import pytest

from tests.helpers import harness
from treecore import warm_up
from treecore.methods import TREES
from ui.wire import unpack


@pytest.fixture(scope="module", autouse=True)
def compiled():
    warm_up()


def opened(page="compare", **query):
    return harness.fresh(page, **query)


@pytest.fixture
def app():
    """The page as a newcomer opens it."""
    return opened()


def messages(app, name):
    """What the components of that name have been sent last."""
    return [
        unpack(view.proto.bytes)
        for view in app.get("bidi_component")
        if view.proto.component_name == f"treecore.{name}"
    ]


def board(app):
    (meta,) = [m for m, _ in messages(app, "overlay") if "table" in m["parts"]]
    return meta


def wait_for(app, state):
    for _ in range(300):
        app.run()
        assert not app.exception
        if board(app)["state"] == state:
            return board(app)
        time.sleep(0.02)
    raise AssertionError(f"the comparison is still {board(app)['state']}")


def press(app, key):
    app.button(key=key).click().run()
    assert not app.exception


def play(app):
    wait_for(app, "paused")
    app.segmented_control(key="compare_speed").set_value("Unlimited").run()
    press(app, "compare_play")
    return wait_for(app, "finished")


def methods(app):
    return [row[0]["text"] for row in board(app)["rows"]]


def test_a_newcomer_sees_greedy_beside_non_greedy(app):
    wait_for(app, "paused")
    assert methods(app) == ["I · Greedy axis-aligned", "II · Non-greedy SGD"]
    assert len(messages(app, "live_flat")) == 2
    assert app.query_params["run"] == ["axis", "sgd"]
    assert not app.warning


def test_playing_fills_the_table_and_marks_the_best(app):
    rows = play(app)["rows"]
    columns = [column["title"] for column in board(app)["columns"]]
    assert columns[:3] == ["Method", "Test accuracy", "Log loss"]
    for j in range(1, len(columns)):
        marks = [row[j]["best"] for row in rows]
        texts = {row[j]["text"] for row in rows}
        assert "–" not in texts
        assert any(marks) == (len(texts) > 1), columns[j]
    accuracy = [float(row[1]["text"].removesuffix(" %")) for row in rows]
    assert [row[1]["best"] for row in rows] == [a == max(accuracy) for a in accuracy]


def test_contestants_can_be_changed(app):
    play(app)
    before = [meta["run"] for meta, _ in messages(app, "live_flat")]
    app.selectbox(key="compare1_method").set_value("oc1").run()
    assert not app.exception
    assert methods(app) == ["I · Greedy axis-aligned", "II · Greedy oblique (OC1)"]
    assert app.query_params["run"] == ["axis", "oc1"]
    assert before != [meta["run"] for meta, _ in messages(app, "live_flat")]


@pytest.mark.parametrize("n", [3, 4])
def test_there_may_be_up_to_four(app, n):
    app.segmented_control(key="compare_n").set_value(n).run()
    assert not app.exception
    assert len(methods(app)) == n
    assert len(messages(app, "live_flat")) == n


@pytest.mark.parametrize("method", TREES)
def test_every_setting_but_the_depth_has_a_control_of_its_own(app, method):
    app.selectbox(key="compare0_method").set_value(method).run()
    assert not app.exception
    kinds = ("slider", "select_slider", "number_input", "button_group", "selectbox")
    shown = {w.key for kind in kinds for w in app.get(kind)}
    for setting in TREES[method].settings.known():
        assert (f"compare0_{method}_{setting.name}" in shown) == (setting.name != "depth")


def test_two_of_the_same_method_are_told_apart_by_what_differs(app):
    app.selectbox(key="compare0_method").set_value("sgd").run()
    app.select_slider(key="compare0_sgd_nu").set_value(100.0).run()
    assert methods(app) == ["I · Non-greedy SGD (ν 100)", "II · Non-greedy SGD (ν 20)"]
    assert app.query_params["run"] == ["sgd~nu~100.0", "sgd"]


def test_the_depth_is_that_of_all(app):
    app.slider(key="compare_depth").set_value(2).run()
    rows = play(app)["rows"]
    assert [row[6]["text"] for row in rows] == ["2", "2"]


@pytest.mark.parametrize("clock", ["values", "loss", "share"])
def test_every_clock_has_curves_and_a_hand(app, clock):
    play(app)
    app.segmented_control(key="compare_clock").set_value(clock).run()
    assert not app.exception
    (found,) = [(m, a) for m, a in messages(app, "overlay") if "charts" in m["parts"]]
    meta, arrays = found
    assert meta["ticks"]
    for i in range(2):
        curve = arrays[f"run{i}"]
        assert len(curve) >= 2
        assert (curve[:, 0] >= 0).all()
        assert (curve[:, 0] <= 1).all()
        assert (curve[1:, 0] >= curve[:-1, 0]).all()
    assert app.query_params["clock"] == clock


def test_a_link_opens_the_same_comparison(app):
    app.selectbox(key="compare0_method").set_value("tao").run()
    app.select_slider(key="compare0_tao_C").set_value(100.0).run()
    app.slider(key="compare_depth").set_value(3).run()
    app.number_input(key="seed").set_value(5).run()
    app.slider(key="noise_spirals").set_value(40).run()
    first = play(app)["rows"]
    link = {name: app.query_params[name] for name in app.query_params}
    other = opened(**link)
    assert not other.warning
    second = play(other)["rows"]
    assert [row[:7] for row in first] == [row[:7] for row in second], "all but the seconds"
    assert {name: other.query_params[name] for name in other.query_params} == link


def test_a_link_may_hold_a_setting_between_two_steps_of_its_slider():
    app = opened(run=["sgd~nu~33.0", "sgd"])
    assert app.select_slider(key="compare0_sgd_nu").value == 33.0
    app.select_slider(key="compare0_sgd_nu").set_value(50.0).run()
    assert not app.exception
    assert app.query_params["run"] == ["sgd~nu~50.0", "sgd"]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"data": "no-such"}, "data="),
        ({"seed": "abc"}, "seed="),
        ({"depth": "99"}, "depth="),
        ({"clock": "sundial"}, "clock="),
        ({"run": ["magic", "sgd"]}, "magic"),
        ({"run": ["sgd~nu~1e99", "axis"]}, "nu="),
        ({"data": "moons", "size": "1", "noise": "nan"}, "size="),
        ({"run": ["axis"]}, "1 runs"),
    ],
)
def test_a_bad_link_gets_one_sentence_and_what_is_usual(query, words):
    app = opened(**query)
    assert len(app.warning) == 1
    assert words.replace("_", "\\_") in app.warning[0].value
    wait_for(app, "paused")
    assert len(methods(app)) == 2


def test_a_link_about_a_file_says_that_it_does_not_carry_it():
    app = opened(data="upload", file="mine.csv", run=["axis", "sgd"])
    assert any("mine.csv" in info.value for info in app.info)
    app.file_uploader(key="csv").upload("mine.csv", _table(), "text/csv").run()
    assert not app.exception
    assert app.query_params["file"] == "mine.csv"
    assert any("does not carry" in caption.value for caption in app.caption)
    play(app)


def _table() -> bytes:
    rows = "\n".join(f"{i},{i * 7 % 11},{'yes' if i % 3 else 'no'}" for i in range(60))
    return f"a,b,answer\n{rows}".encode()


def test_why_shows_the_points_on_which_the_trees_differ(app):
    play(app)
    press(app, "why")
    said = " ".join(element.value for element in app.markdown)
    assert "Of 125 held-out points" in said
    assert "**Point " in said
    follow = next(box for box in app.selectbox if box.key.startswith("why_follow"))
    assert len(follow.options) > 5
    follow.set_value(follow.options[3] and int(follow.options[3].split(":")[0])).run()
    assert not app.exception
    number = follow.options[3].split(":")[0]
    assert any(f"**Point {number}**" in element.value for element in app.markdown)


def test_without_held_out_rows_there_is_no_test_and_no_why(app):
    app.slider(key="test_share").set_value(0).run()
    assert not app.exception
    rows = play(app)["rows"]
    assert [row[1]["text"] for row in rows] == ["–", "–"]
    assert not [b for b in app.button if b.key in ("why", "spread")]


def test_seeds_run_in_the_background(app):
    wait_for(app, "paused")
    app.number_input(key="spread_n").set_value(2).run()
    press(app, "spread")
    for _ in range(300):
        app.run()
        assert not app.exception
        if not app.button(key="spread").disabled:
            break
        time.sleep(0.02)
    (strips,) = [
        view.proto
        for view in app.get("bidi_component")
        if view.proto.component_name == "treecore.strips"
    ]
    assert strips
    assert any("On the same seed" in caption.value for caption in app.caption)


def test_every_control_explains_itself(app):
    for kind in ("slider", "select_slider", "number_input", "selectbox", "button", "button_group"):
        for widget in app.get(kind):
            assert widget.proto.help, widget.label


@pytest.mark.parametrize("name", ["iris", "digits"])
def test_more_than_two_features_show_the_tree_alone(name):
    app = opened(data=name)
    assert len(messages(app, "live_tree")) == 2
    assert not messages(app, "live_flat")


# Numbers as targets ----------------------------------------------------------------------------


def test_numbers_are_compared_by_squared_error_and_explained_variance():
    app = opened(data="hill", loss="squared", run=["axis", "sgd"])
    assert not app.warning
    rows = play(app)["rows"]
    titles = [column["title"] for column in board(app)["columns"]]
    assert titles[1:3] == ["Test R²", "Squared error"]
    assert "–" not in {cell["text"] for row in rows for cell in row}
    (charts,) = [m["charts"] for m, _ in messages(app, "overlay") if "charts" in m["parts"]]
    assert charts[0]["unit"].startswith("squared deviations")
    assert "R²" in charts[1]["title"]
    assert all(chart["some"] for chart in charts)
    assert app.query_params["loss"] == "squared"
    press(app, "why")
    said = " ".join(element.value for element in app.markdown)
    assert "predicted more closely" in said
    assert "which is off by" in said


def test_huber_goes_into_the_link_and_the_table():
    app = opened(data="hill", loss="huber")
    assert [column["title"] for column in board(app)["columns"]][2] == "Huber loss"
    assert app.query_params["loss"] == "huber"


def test_classes_and_numbers_take_turns():
    app = opened(data="hill")
    for name, title in (("moons", "Test accuracy"), ("hill", "Test R²")):
        app.session_state["dataset"] = name
        app.run()
        assert not app.exception
        assert board(app)["columns"][1]["title"] == title


def test_balanced_classes_are_equal_for_all():
    app = opened(data="moons", weights="balanced", run=["axis", "tao"])
    assert app.toggle(key="balanced").value
    assert app.query_params["weights"] == "balanced"


# The page of one run ---------------------------------------------------------------------------


def test_the_page_of_one_run_is_in_its_link_too():
    app = opened("train", data="moons", seed="4", run="tao~C~100.0")
    assert app.selectbox(key="method").value == "tao"
    assert app.select_slider(key="tao_C").value == 100.0
    assert app.number_input(key="seed").value == 4
    assert app.session_state["dataset"] == "moons"
    app.slider(key="tao_depth").set_value(3).run()
    assert app.query_params["run"] == "tao~depth~3~C~100.0"
    assert not app.warning


def test_the_page_of_one_run_tells_a_bad_link():
    app = opened("train", run="sgd~depth~40")
    assert len(app.warning) == 1
    assert app.slider(key="sgd_depth").value == 12  # the nearest

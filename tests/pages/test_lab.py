"""The Lab with two learners and three, in Streamlit's own test harness."""

import json
import re
from urllib.parse import parse_qs

import numpy as np
import pytest
from starlette.requests import Request

from tests.helpers import harness
from tests.helpers.comparison import board, charts, column, opened, play, reached, views
from tests.helpers.coroutines import run_coroutine
from tests.helpers.harness import (
    choose,
    keys,
    press,
    run,
    run_until,
    showing,
    taken_home,
    with_state,
    words,
)
from tests.helpers.wait import until
from treecore import RunConfig
from treecore.persistence import from_json
from treecore.runs import RunDirectory, resume
from ui.lab.choices import MOST, USUALLY_SHOWN
from ui.lab.draws import opening
from ui.lab.learners import NONE
from ui.lab.seed_study import SeedStudy
from ui.server.routes import moved
from ui.widgets.data.gallery import gallery_data

QUICK = {
    "data": "spirals",
    "size": "200",
    "fair": "depth",
    "depth": "6",
    "run": ["axis", "sgd~epochs~10"],
}


def quick(**query):
    """A comparison that is soon over."""
    return opened(**QUICK | query)


def methods(app):
    return [row[0]["text"] for row in board(app)["rows"]]


def test_a_newcomer_sees_greedy_beside_non_greedy():
    app = opened()
    reached(app, "finished")
    names = ["I · Greedy axis-aligned", "II · Non-greedy SGD"]
    assert methods(app) == names
    assert [view[0]["heading"][0] for view in views(app, "live_flat")] == names
    # The tree that people use is by scikit-learn's rule.
    assert app.query_params["run"] == ["axis~criterion~gini", "sgd"]
    assert (app.query_params["fair"], app.query_params["most"]) == ("leaves", "4")
    assert app.query_params["data"] == "xor"
    assert app.query_params["clock"] == "share"
    assert not app.warning
    # Accuracy stands over leaves with a trail, and with the means of earlier draws.
    meta, arrays = charts(app)
    chart = meta["charts"][0]
    assert [tick["text"] for tick in chart["ticks"]][:5] == ["1", "2", "4", "8", "16"]
    assert chart["high"] == 100
    for i in range(2):
        trail, means = arrays[f"trail{i}"], arrays[f"mean{i}"]
        assert len(means) == 6, "one for each limit that was measured"
        four = means[1, 0]  # all four leaves are active then, and in the run on the page as well
        assert trail[-1, 0] == pytest.approx(four, abs=0.01)
        assert (np.diff(means[:, 0]) >= 0).all()
        assert chart["low"] <= min(trail[:, 1].min(), means[:, 1].min())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/train", "lab?data=spirals&run=sgd"),
        ("/trees/train?data=moons&nu=3", "lab?run=sgd&data=moons&nu=3"),
        ("/train?folder=mine", "lab?folder=mine"),
        ("/compare", "lab"),
        ("/compare?run=axis&run=sgd~nu~3.0", "lab?run=axis&run=sgd~nu~3.0"),
        ("/forests", "lab?data=spirals&run=random-forest&run=boosted-tao"),
        ("/forests?run=samme.oc1~depth~3", "lab?data=spirals&run=samme.oc1~depth~3"),
        ("/tree?tree=grown&depth=3", "inspect?tree=grown&depth=3"),
        ("/experiments?tab=Sweeps", "library?tab=Sweeps"),
    ],
)
def test_the_pages_of_before_lead_to_those_of_now(old, new):
    path, _, query = old.partition("?")
    scope = {"type": "http", "path": path, "query_string": query.encode(), "headers": []}
    answer = run_coroutine(moved(Request(scope | {"server": ("here", 80)})))
    assert (answer.status_code, answer.headers["location"]) == (307, new)


def test_playing_fills_the_table_and_marks_the_best():
    app = quick()
    rows = play(app)["rows"]
    columns = [column["title"] for column in board(app)["columns"]]
    assert columns[:3] == ["Method", "Test accuracy", "Log loss"]
    for j in range(1, len(columns)):
        marks = [row[j]["best"] for row in rows]
        texts = {row[j]["text"] for row in rows}
        assert "–" not in texts
        assert any(marks) <= (len(texts) > 1), columns[j]
    accuracy = [float(row[1]["text"].removesuffix("\u00a0%")) for row in rows]
    most = [a == max(accuracy) for a in accuracy]
    assert [row[1]["best"] for row in rows] == most
    for j in (1 + columns[1:].index("Splits"), 1 + columns[1:].index("Active leaves")):
        sizes = [int(row[j]["text"]) for row in rows]
        fewest = [size == min(sizes) < max(sizes) for size in sizes]
        assert [row[j]["best"] for row in rows] == [f and m for f, m in zip(fewest, most)]


def test_a_third_learner_comes_with_a_click_and_goes_by_choosing_none():
    app = press(quick(), "add_third")
    assert len(methods(app)) == len(views(app, "live_flat")) == 3
    assert "add_third" not in harness.keys(app, "button")
    for n in (2, 1):
        choose(app, f"lab{n}_method", NONE)
        assert len(harness.link(app)["run"]) == n if n > 1 else True
    assert harness.link(app)["run"] == "axis"
    press(app, "add_learner")
    assert len(methods(app)) == 2


def test_two_of_the_same_method_are_told_apart_by_what_differs():
    app = opened(data="spirals", size="200", run=["axis", "sgd"])
    choose(app, "lab0_method", "sgd")
    choose(app, "lab0_sgd_nu", 100.0)
    assert methods(app) == ["I · Non-greedy SGD (ν 100)", "II · Non-greedy SGD (ν 20)"]
    assert app.query_params["run"] == ["sgd~nu~100.0", "sgd"]


def test_the_limit_of_leaves_is_a_line_in_the_chart_and_moments_are_found_on_trails():
    app = quick(fair="leaves", most="16", clock="share")
    reached(app, "paused")
    limit = charts(app)[0]["charts"][0]["limit"]
    assert (limit["most"], limit["values"][0], limit["octaves"]) == (16, 2, 5), "32 have room"
    play(app)
    trail = charts(app)[1]["trail1"]
    assert trail[0, 2] == 0
    assert trail[-1, 2] == 1
    assert (np.diff(trail[:, 2]) >= 0).all()
    assert "limit" not in charts(quick(fair="depth"))[0]["charts"][0]
    assert "limit" not in charts(quick(fair="leaves", hide="settings"))[0]["charts"][0]


def test_a_changed_setting_is_a_badge_that_nothing_hides():
    app = quick()
    assert ":gray-badge[II · Epochs 10]" in words(app)
    assert "Impurity Entropy" in words(app), "people use Gini"
    for data in ("xor", "waves"):  # of numbers no impurity is chosen
        assert "badge" not in words(opened(data=data))


def test_settings_that_are_folded_away_are_not_drawn_and_hold_as_a_link_has_them():
    texts = ["samme.oc1~n_trees~3~depth~2", "sgd~nu~33.0~eta~0.05"]
    app = harness.opened("lab", {f"lab{n}_settings": False for n in range(3)}, run=texts)
    assert app.query_params["run"] == texts
    assert "lab1_sgd_nu" not in keys(app, "select_slider")
    app.session_state["lab1_settings"] = True
    assert showing(run(app), "lab1_sgd_nu").value == 33.0
    app.session_state["lab1_settings"] = False
    assert run(app).query_params["run"] == texts


@pytest.mark.parametrize(
    ("query", "reported"),
    [
        ({"data": "moons", "size": "1", "noise": "nan"}, "size="),
        ({"run": ["axis"] * 4}, "it has 4 learners (using the first 3)"),
    ],
)
def test_a_bad_link_gets_one_sentence_and_what_is_usual(query, reported):
    app = opened(**query)
    assert len(app.warning) == 1
    assert reported.replace("_", "\\_") in app.warning[0].value
    assert len(methods(app)) == min(len(query.get("run", "ab")), MOST)


def test_a_link_about_a_file_says_that_it_does_not_carry_it():
    app = opened(data="upload", file="mine.csv", run=["axis", "sgd"])
    assert any("mine.csv" in info.value for info in app.info)
    harness.upload(app, _table())
    assert app.query_params["file"] == "mine.csv"
    assert any("does not contain" in caption.value for caption in app.caption)
    play(app)


def _table() -> bytes:
    rows = "\n".join(f"{i},{i * 7 % 11},{'yes' if i % 3 else 'no'}" for i in range(60))
    return f"a,b,answer\n{rows}".encode()


def test_why_shows_the_points_on_which_the_trees_differ():
    app = quick()
    play(app)
    press(app, "why")
    assert app.session_state["tree_tab"] == "Two trees"
    counts = re.search(
        r"right on (\d+), only the first on (\d+), .* (\d+), neither on (\d+)", words(app)
    )
    assert sum(map(int, counts.groups())) == 50
    table = next(one for one in app.dataframe if one.key == "tree_apart").value
    assert table["example"][0] == app.number_input(key="tree_row").value, "one that they tell apart"
    ends = re.findall(r"The example ends in leaf \d+, which predicts \*\*(\w+)", words(app))
    assert ends == [table["first tree"][0], table["second tree"][0]]
    press(app, "inspect_leave")
    assert app.button(key="why")


def test_without_held_out_rows_there_is_no_test():
    app = quick(test="0")
    assert column(play(app), "Test accuracy") == ["–", "–"]
    assert not [b for b in app.button if b.key == "spread"]


def test_data_bring_limit_seed_and_verdict_unless_somebody_has_chosen():
    app = opened()
    assert "XOR, at most 4 leaves, 20 draws: **SGD** " in words(app)
    leaves, seed = opening("xor")
    assert showing(app, "lab_most").value == leaves
    assert showing(app, "seed").value == seed
    with_state(app, dataset="moons")
    assert showing(app, "lab_most").value == 8
    choose(app, "lab_most", 32)
    with_state(app, dataset="stripes")
    assert showing(app, "lab_most").value == 32
    app = opened(data="stripes", fair="leaves", most="4", seed="3")
    assert showing(app, "lab_most").value == 4
    assert showing(app, "seed").value == 3
    choose(app, "lab_most", 16)
    assert "Stripes, at most 16 leaves, 20 draws: " in words(app)
    choose(app, "lab_most", 256)
    button = app.button(key="spread").label
    assert f"One draw shows little. {button} below" in words(app)
    choose(app, "lab_fair", "depth")
    assert "20 draws" not in words(app)


def test_methods_may_have_equal_leaves_or_weights_in_place_of_depths():
    app = quick(fair="leaves", most="8")
    assert not app.warning
    assert column(play(app), "Active leaves")[0] == "8"
    choose(app, "lab_fair", "weights")
    assert all(int(text) <= 8 for text in column(play(app), "Weights"))
    found = harness.link(app)
    assert (found["fair"], found["most"]) == ("weights", "8")


def test_a_tree_of_a_comparison_goes_home_as_a_document():
    app = quick()
    reported = play(app)
    document = from_json(taken_home(app, "export_json_II")[1])
    assert document.tree.n_leaves == 64
    active = int(column(reported, "Active leaves")[1])
    assert document.training["metrics"]["active_leaves"] == active


def test_learners_side_by_side_go_home_as_a_page_that_trains():
    app = quick()
    play(app)
    name, page = taken_home(app, "export_live")
    assert name == "spirals-compared-live.html"
    assert (page.count(b'class="start"'), page.count(b'class="verdict"')) == (2, 1)


def test_seeds_run_in_the_background_after_those_of_another_visitor():
    app = quick()
    reached(app, "paused")
    endless = RunConfig("sgd", depth=3, epochs=100_000)
    study = SeedStudy(lambda seed: gallery_data("spirals", 200, 0.1, seed), [endless], [0])
    try:
        until(lambda: study.look().share > 0, "for the other visitor's study")
        app.number_input(key="spread_n").set_value(2)
        press(app, "spread")
        run_until(app, lambda: "yours start after them" in app.get("progress")[0].proto.text)
    finally:
        study.stop()
    run_until(app, lambda: not app.button(key="spread").disabled, "for all seeds")
    [chart] = app.get("plotly_chart")
    traces = json.loads(chart.proto.spec)["data"]
    assert [len(trace["x"]) for trace in traces] == [2, 1, 2, 1], "dots, and their mean"
    for dots, mean in zip(traces[::2], traces[1::2], strict=True):
        assert mean["x"] == [pytest.approx(np.mean(dots["x"]))]
        assert mean["error_x"]["array"] == [pytest.approx(np.std(dots["x"], ddof=1))]
        assert mean["name"].startswith(f"{dots['name']}: ")
    run_until(app, lambda: "2 draws" in words(app), "for the verdict over them")
    choose(app, "language_choice_en", "de")
    assert "Greedy, achsenparallel" in app.get("plotly_chart")[0].proto.spec


def cards(app):
    """Those of saved comparisons."""
    return [one.proto for one in app.get("page_link") if one.proto.label == "**Spirals**"]


def test_a_comparison_is_saved_and_opened_again_from_the_library(folders):
    app = opened()  # whose runs are shipped ones
    assert app.button(key="keep").disabled
    app = quick(run=["axis", "random-forest~n_trees~5"])
    rows = play(app)["rows"]
    press(app, "keep")
    paths = sorted(path.parent for path in folders.glob("runs/*/*/run.json"))
    axis, forest = map(RunDirectory.open, paths)
    assert (axis.config.method, forest.config.method) == ("axis", "random-forest")
    assert axis.state == forest.state == "finished"
    assert len(forest.read_model().model.trees) == 5
    assert resume(axis.path).trainer.finished, "the command line goes on from it"
    link = harness.link(app)

    app = harness.opened("library")
    (card,) = cards(app)
    axis, forest = (row[1]["text"] for row in rows)
    assert f"Axis-aligned {axis}, Random forest {forest} · " in words(app)
    app = opened(**parse_qs(card.query_string))
    again = harness.link(app)
    assert {name: link[name] for name in again} == again
    assert [row[1] for row in play(app)["rows"]] == [row[1] for row in rows]


def test_a_damaged_comparison_is_no_card_and_one_without_runs_neither(folders):
    app = quick()
    play(app)
    press(app, "keep")
    (path,) = folders.glob("runs/*/comparison.json")
    said = path.read_text()
    for text in ("{", "[]", '{"link": 3}'):
        path.write_text(text)
        assert not cards(harness.opened("library")), text
    path.write_text(said)
    assert len(cards(harness.opened("library"))) == 1
    for run_file in folders.glob("runs/*/*/run.json"):
        run_file.unlink()
    assert not cards(harness.opened("library"))


SAY_ALL = {*("Learner I", "Learner II", "Compare with another", "Add a third", "Depth, at most")}
"""Labels of controls that need no more words."""


@pytest.mark.parametrize("make", [quick, harness.one_tree])
def test_every_control_explains_itself(make):
    app = make()
    for kind in ("slider", "select_slider", "number_input", "selectbox", "button", "button_group"):
        assert app.get(kind)
        for widget in app.get(kind):
            assert widget.proto.help or widget.label in SAY_ALL, widget.label


@pytest.mark.parametrize("name", ["iris", "digits"])
def test_more_than_two_features_show_the_tree_alone(name):
    app = opened(data=name)
    assert len(views(app, "live_tree")) == USUALLY_SHOWN
    assert not views(app, "live_flat")


# Numbers as targets ----------------------------------------------------------------------------


def test_numbers_are_compared_by_squared_error_and_explained_variance():
    app = quick(data="hill", loss="squared")
    assert not app.warning
    rows = play(app)["rows"]
    titles = [column["title"] for column in board(app)["columns"]]
    assert titles[1:3] == ["Test R²", "Squared error"]
    assert views(app, "live_flat")[0][0]["heading"][3].startswith("test R²")
    assert "–" not in {cell["text"] for row in rows for cell in row}
    second, first, *_ = drawn = charts(app)[0]["charts"]
    assert first["unit"].startswith("squared deviations")
    assert "R²" in second["title"]
    assert all(chart["some"] for chart in drawn)
    assert app.query_params["loss"] == "squared"
    press(app, "why")
    assert "the first is nearer on" in words(app)

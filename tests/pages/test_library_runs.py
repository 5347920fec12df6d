"""Run folders in the Library, made by the command line."""

import json

import numpy as np
import pytest

from tests.helpers import harness
from tests.helpers.harness import choose, press, run, showing, words
from tests.helpers.library import MOONS, keep_run, message, page
from treecore import RunConfig
from treecore.data.sources import Source
from treecore.persistence import from_json
from treecore.runs import begin, go_on
from ui.library.index import (
    REMOVED,
    Annotation,
    annotation,
    read_annotation,
    remove,
    write_annotation,
)


def test_without_any_run_the_page_says_how_to_make_one():
    app = page()
    assert "No saved runs yet" in words(app)
    assert not app.dataframe
    assert "No sweeps yet" in words(page(tab="Sweeps"))


def test_runs_are_listed_and_one_is_opened_with_its_curves_and_its_tree(folders):
    keep_run(folders, "first")
    folder = keep_run(
        folders, "night/second", RunConfig("axis", depth=3), source=Source("sample:iris")
    )
    app = page(run="night/second")
    listed = app.dataframe[0].value
    assert sorted(listed["Run"]) == ["first", "night/second"]
    figures = folder.metrics()
    row = listed[listed["Run"] == "night/second"].iloc[0]
    assert row["Accuracy"] == 100 * figures["validation_accuracy"]
    assert row["Active leaves"] == figures["active_leaves"]
    meta, arrays = message(app)
    tree = folder.read_model().tree
    assert np.array_equal(arrays["f0.children"], np.stack([tree.left, tree.right], axis=1))
    assert len(arrays["curves"]) == len(list(folder.events()))
    assert meta["state"] == "finished"
    taken = from_json(harness.taken_home(app, "library_run_download")[1])
    assert np.array_equal(taken.tree.left, tree.left)
    assert taken.training == folder.read_model().training
    choose(app, "library_run", "first")
    assert len(message(app)[1]["curves"]) == 7


def test_runs_are_laid_over_one_another_by_a_link_and_back(folders):
    keep_run(folders, "slow", RunConfig("sgd", depth=3, epochs=6))
    keep_run(folders, "fast", RunConfig("sgd", depth=3, epochs=6, eta=0.5))
    numbers = RunConfig("axis", depth=2, loss="squared")
    keep_run(folders, "numbers", numbers, source=Source("sample:diabetes"))
    app = page(run="slow", over="fast,gone")
    assert "'gone' must be among" in words(app)
    over = app.multiselect(key="library_over")
    assert over.options == ["fast"], "figures of numbers are others"
    charts = [chart for chart in app.get("plotly_chart") if "slow, fast" in chart.proto.alt]
    assert len(charts) == 3
    assert harness.link(app)["over"] == "fast"
    (legend,) = [one.proto.body for one in app.get("html") if '"over-runs"' in one.proto.body]
    assert "eta 0.5" in legend
    assert "depth" not in legend, "what all share is not told"
    over.set_value([])
    run(app)
    assert "over" not in app.query_params
    assert not [chart for chart in app.get("plotly_chart") if "slow, fast" in chart.proto.alt]


def test_damaged_folders_are_left_out_with_one_line(folders):
    good = keep_run(folders, "good")
    for name, text in (
        ("torn", '{"format": 1'),
        ("list", "[]"),
        ("odd", json.dumps({**good.record, "config": {"method": "none"}})),
        ("deep", "[" * 100_000),
    ):
        path = folders / "runs" / name
        path.mkdir()
        (path / "run.json").write_text(text)
    app = page()
    assert list(app.dataframe[0].value["Run"]) == ["good"]
    (line,) = [c.value for c in app.caption if "Not shown" in c.value]
    assert all(name in line for name in ("torn", "list", "odd", "deep"))


@pytest.mark.parametrize("cut", ["events.jsonl", "tree.json", "metrics.json"])
def test_a_run_that_has_lost_a_file_is_still_opened(folders, cut):
    folder = keep_run(folders, "cut")
    entire = (folder.path / cut).read_bytes()
    (folder.path / cut).write_bytes(entire[: len(entire) // 2])
    app = page()
    assert showing(app, "library_run").value == "cut"
    assert ("cannot show a tree" in words(app)) == (cut == "tree.json")


def test_without_its_rows_a_tree_is_told_in_words(folders):
    table = folders / "table.csv"
    table.write_text("a,b,class\n" + "".join(f"{i},{i * i % 7},{i % 2}\n" for i in range(40)))
    keep_run(folders, "own", RunConfig("axis", depth=2), source=Source(str(table)))
    assert message(page())
    table.write_text(table.read_text() + "5,5,1\n")
    app = page()
    assert "have changed since this run" in words(app)
    assert any("splits" in code.value for code in app.code)


@pytest.mark.parametrize("name", ["run", "sweep"])
def test_a_link_to_no_folder_opens_nothing_and_says_so(folders, name):
    keep_run(folders, "first", RunConfig("axis", depth=2))
    outside = keep_run(folders, "../outside", RunConfig("axis", depth=2))
    assert outside.path.exists()
    for requested in ("../..", "../outside", "/etc", "none", "x" * 500, "<b>"):
        app = page(tab="Runs", **{name: requested})
        (warning,) = app.warning
        assert "there is no" in warning.value, requested
        assert showing(app, "library_run").options == ["first"]


def test_the_run_of_a_forest_is_told_in_words_and_goes_on_elsewhere(folders):
    config = RunConfig("random-forest", n_trees=4, depth=3)
    keep_run(folders, "forest", config, source=Source("sample:moons", size=80))
    app = page(run="forest")
    assert "draws no map of a forest" in words(app)
    assert "**Loss**" in words(app)
    assert "**Active leaves**" not in words(app), "a chart without a line"
    assert any("4 trees" in code.value for code in app.code)
    train = harness.opened("lab", folder="forest")
    assert any("this page shows single trees" in reported.value for reported in train.warning)


def test_a_run_is_named_tagged_and_found_again(folders):
    keep_run(folders, "first")
    kept = keep_run(folders, "second", RunConfig("axis", depth=2))
    write_annotation(
        kept.path, annotation(" Best   so far ", ["good", "good", " "], "at <2>\nhere")
    )
    app = page(run="second")
    assert "Best so far" in [header.value for header in app.header]
    assert any("at &lt;2&gt;\nhere</div>" in one.proto.body for one in app.get("html"))
    assert sorted(map(list, app.dataframe[0].value["Tags"])) == [[], ["good"]]
    before = showing(app, "library_run").key
    [one for one in app.button if one.label == "Save"][-1].click()
    run(app)
    assert showing(app, "library_run").key != before, "a browser keeps the old name of a choice"
    choose(app, "library_find", "GOOD axis")
    assert list(app.dataframe[0].value["Run"]) == ["Best so far"]
    choose(app, "library_find", "good sgd")
    assert not app.dataframe
    assert "No run has all of these words" in words(app)


def test_a_name_that_cannot_be_kept_says_so_and_one_that_is_damaged_is_none(folders):
    kept = keep_run(folders, "first")
    (kept.path / "annotation.json").write_text('{"title": ["no"')
    assert read_annotation(kept.path) == Annotation()
    with pytest.raises(ValueError, match="could not be written"):
        write_annotation(kept.path / "gone", Annotation("a"))
    long = annotation("x" * 200, (str(n) for n in range(99)), "y" * 9999)
    write_annotation(kept.path, long)
    assert read_annotation(kept.path) == long
    assert (len(long.title), len(long.tags), len(long.note)) == (80, 12, 2000)


def test_a_run_at_work_shows_its_curves_and_can_neither_go_on_elsewhere_nor_be_removed(folders):
    run = go_on(begin(folders / "runs" / "at-work", RunConfig("sgd", depth=3, epochs=9), MOONS))
    for _ in range(4):
        next(run)
    app = page()
    assert list(app.dataframe[0].value["State"]) == ["running"]
    assert "cannot show a tree" in words(app), "it has none yet"
    assert len(app.get("plotly_chart")) == 3
    assert any(metric.label == "Active leaves" for metric in app.metric)
    assert "--resume" not in words(app), "another process is using it"
    assert showing(app, "library_remove").disabled
    with pytest.raises(ValueError, match="another process is using"):
        remove("at-work")
    run.close()
    path = folders / "runs" / "at-work"
    (path / "metrics.json").write_text('{"state": "running"}')
    app = page()
    assert "interrupted" in words(app), "now it says how to go on"
    assert any(code.value == f"treecore train --resume {path}" for code in app.code)
    (link,) = [one for one in app.get("page_link") if "Continue" in one.proto.label]
    assert "folder=at-work" in link.proto.query_string


@pytest.mark.filterwarnings("ignore:settings of an earlier version")
def test_a_run_of_an_earlier_version_says_what_it_is_shown_without(folders):
    folder = keep_run(folders, "old")
    assert "earlier version" not in words(page(run="old"))
    record = json.loads((folder.path / "run.json").read_text("utf-8"))
    record["config"]["averaging"] = 0.5
    (folder.path / "run.json").write_text(json.dumps(record), "utf-8")
    told = "leaves out averaging (let the learning rate fall (schedule) instead)"
    assert told in words(page(run="old"))


def test_a_run_that_is_removed_keeps_its_files_and_can_be_put_back(folders):
    folder = keep_run(folders, "first")
    keep_run(folders, "second", RunConfig("axis", depth=2))
    files = {path.name: path.read_bytes() for path in folder.path.iterdir()}
    app = page(run="first")
    press(app, "library_remove")
    assert list(app.dataframe[0].value["Run"]) == ["second"]
    assert showing(app, "library_run").value == "second"
    left = {path.name: path.read_bytes() for path in folder.path.iterdir()}
    assert left == {REMOVED if name == "run.json" else name: files[name] for name in files}
    keys = [button.key for button in app.button]
    assert keys.index("library_undo") == keys.index("library_remove") + 1, "beside, not far above"
    press(app, "library_undo")
    assert sorted(app.dataframe[0].value["Run"]) == ["first", "second"]
    assert showing(app, "library_run").value == "first"


def test_a_run_on_shipped_data_has_their_picture(folders):
    config = RunConfig("axis", loss="squared", depth=2)
    keep_run(folders, "numbers", config, source=Source("sample:hill"))
    app = page(run="numbers")
    assert all(app.dataframe[0].value["Picture"].str.startswith("data:image/"))
    good = app.dataframe[0].value["R²"][0]
    assert 1 < good < 100, "in per cent, as in the Lab"
    assert app.metric[0].value == f"{good:.1f}\u00a0%"
    assert "Accuracy" not in app.dataframe[0].value
    assert message(app)[0]["task"] == "regression"

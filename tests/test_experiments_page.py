"""The page Experiments: run folders and sweeps, made by the command line or by the page itself."""

from __future__ import annotations

import json
import time
import tomllib
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from hypothesis import given, settings
from hypothesis import strategies as hs
from streamlit.testing.v1 import AppTest

from treecore import RunConfig, warm_up
from treecore.runs import begin, go_on
from treecore.sources import Source
from treecore.sweeps import SerialPool, Sweep, read_rows, read_spec
from treecore.sweeps.table import ResultsTable
from ui.experiments_figures import plot_figure
from ui.experiments_folders import Found, runs_found, sweeps_found
from ui.experiments_form import MOST_RUNS, as_toml
from ui.experiments_published import fitting, published
from ui.experiments_rows import Dot, best_by_depth, frontier, table_of
from ui.experiments_trial import Trials
from ui.experiments_work import Work
from ui.step_paint import LIGHT
from ui.wire import unpack

pytest.importorskip("pyarrow")

APP = str(Path(__file__).parents[1] / "app.py")
SMALL = {
    "data": {"name": "sample:moons", "size": 120},
    "search": {"kind": "grid", "seeds": [0, 1]},
    "final": {"seeds": [0, 1]},
    "methods": [
        {"method": "axis", "depth": [1, 3]},
        {"method": "sgd", "epochs": 3, "depth": [2], "nu": [1, 50]},
    ],
}


@pytest.fixture(scope="module", autouse=True)
def compiled():
    warm_up()


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    monkeypatch.setenv("TREECORE_RUNS", str(tmp_path / "runs"))
    monkeypatch.setenv("TREECORE_SWEEPS", str(tmp_path / "sweeps"))
    st.cache_resource.clear()  # all sessions of this harness are one, which never ends
    yield tmp_path
    st.cache_resource.clear()


def page(**query):
    app = AppTest.from_file(APP, default_timeout=60)
    app.switch_page("pages/experiments.py")
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def keep_run(folders, name, config=None, steps=None, source=None):
    """A run as ``treecore train`` keeps it; cut short after some steps."""
    config = config or RunConfig("stable-sgd", depth=4, epochs=6)
    kept = begin(folders / "runs" / name, config, source or MOONS)
    run = go_on(kept)
    for number, _ in enumerate(run, 1):
        if number == steps:
            run.close()
            break
    return kept.folder


def do_sweep(folders, name, wanted=SMALL, stop_after=None):
    """A sweep as ``treecore sweep`` does it."""
    path = folders / "sweeps" / name
    with Sweep(read_spec(wanted), path, SerialPool()) as sweep:
        for number, _ in enumerate(sweep.run(), 1):
            if number == stop_after:
                break
    return path


def message(app):
    """What the tree view has been sent."""
    (view,) = [v for v in app.get("bidi_component") if "live_" in v.proto.component_name]
    return unpack(view.proto.bytes)


def said(app):
    kinds = (app.info, app.warning, app.error, app.caption, app.success)
    return " ".join(one.value for kind in kinds for one in kind)


def bar(app):
    return app.get("progress")[0].proto.text


def wait(app, ready):
    end = time.monotonic() + 60
    while not ready():
        assert time.monotonic() < end, said(app)
        time.sleep(0.05)
        app.run()
        assert not app.exception


MOONS = Source("sample:moons", size=150)


# Runs -------------------------------------------------------------------------------------------


def test_without_any_run_the_page_says_how_to_make_one():
    app = page()
    assert "No run has been kept yet" in said(app)
    assert not app.dataframe
    assert "No sweep is here yet" in said(page(tab="Sweeps"))


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
    tree = folder.read_tree().tree
    assert np.array_equal(arrays["f0.children"], np.stack([tree.left, tree.right], axis=1))
    assert len(arrays["curves"]) == len(list(folder.events()))
    assert meta["state"] == "finished"
    app.selectbox(key="experiments_run").set_value("first").run()
    assert len(message(app)[1]["curves"]) == 7


def test_a_run_that_was_cut_short_says_how_to_go_on(folders):
    folder = keep_run(folders, "cut", RunConfig("sgd", depth=3, epochs=300), steps=4)
    app = page()
    assert any(code.value == f"treecore train --resume {folder.path}" for code in app.code)
    (link,) = [one for one in app.get("page_link") if "Go on" in one.proto.label]
    assert "folder=cut" in link.proto.query_string


def test_numbers_have_their_own_column(folders):
    keep_run(
        folders,
        "numbers",
        RunConfig("axis", depth=2, loss="squared"),
        source=Source("sample:diabetes"),
    )
    app = page()
    assert "R²" in app.dataframe[0].value
    assert "Accuracy" not in app.dataframe[0].value
    assert message(app)[0]["task"] == "regression"


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
    (line,) = [c.value for c in app.caption if "Left out" in c.value]
    assert all(name in line for name in ("torn", "list", "odd", "deep"))


@pytest.mark.parametrize("cut", ["events.jsonl", "tree.json", "metrics.json"])
def test_a_run_that_has_lost_a_file_is_still_opened(folders, cut):
    folder = keep_run(folders, "cut")
    whole = (folder.path / cut).read_bytes()
    (folder.path / cut).write_bytes(whole[: len(whole) // 2])
    app = page()
    assert app.selectbox(key="experiments_run").value == "cut"
    assert ("no tree to show" in said(app)) == (cut == "tree.json")


def test_a_run_at_work_shows_its_curves_before_it_has_a_tree(folders):
    kept = begin(folders / "runs" / "at-work", RunConfig("sgd", depth=3, epochs=9), MOONS)
    run = go_on(kept)
    for _ in range(4):
        next(run)
    app = page()
    assert "no tree to show" in said(app)
    assert len(app.get("plotly_chart")) == 3
    assert any(metric.label == "Active leaves" for metric in app.metric)
    run.close()


def test_without_its_rows_a_tree_is_told_in_words(folders):
    table = folders / "table.csv"
    table.write_text("a,b,class\n" + "".join(f"{i},{i * i % 7},{i % 2}\n" for i in range(40)))
    keep_run(folders, "own", RunConfig("axis", depth=2), source=Source(str(table)))
    assert message(page())
    table.write_text(table.read_text() + "5,5,1\n")
    st.cache_resource.clear()
    app = page()
    assert "are not those of this run any more" in said(app)
    assert any("splits" in code.value for code in app.code)


@pytest.mark.parametrize("name", ["run", "sweep"])
@pytest.mark.parametrize("asked", ["../..", "/etc", "none", "x" * 500, "<b>"])
def test_a_link_to_no_folder_opens_nothing_and_says_so(folders, name, asked):
    keep_run(folders, "first", RunConfig("axis", depth=2))
    outside = keep_run(folders, "../outside", RunConfig("axis", depth=2))
    assert outside.path.exists()
    app = page(tab="Runs", **{name: asked})
    (warning,) = app.warning
    assert "there is no" in warning.value
    assert app.selectbox(key="experiments_run").options == ["first"]


def test_nonsense_in_a_link_gets_what_is_nearest(folders):
    do_sweep(folders, "moons")
    app = page(tab="sweeps", plot="dept", published="MNISTS", row="zzz", foo="1")
    assert "MNIST" in app.warning[0].value
    assert "foo" in app.warning[0].value
    assert app.selectbox(key="experiments_sweep").value == "moons"
    assert app.selectbox(key="experiments_row").value is None
    assert app.query_params["plot"] == "depth"


# Sweeps -----------------------------------------------------------------------------------------


def test_a_sweep_of_the_form_runs_to_its_end_and_its_trees_are_opened(folders):
    app = page(tab="Sweeps")
    app.selectbox(key="sweep_data").set_value("moons").run()
    app.number_input(key="sweep_size").set_value(100).run()
    app.multiselect(key="sweep_depths").set_value([1, 2]).run()
    app.pills(key="sweep_methods").set_value(["axis"]).run()
    assert "**6 runs**" in " ".join(one.value for one in app.markdown)
    app.button(key="sweep_start").click().run()
    wait(app, lambda: bar(app).endswith("finished"))
    app.run()
    (path,) = (folders / "sweeps").iterdir()
    rows = read_rows(path)
    assert len(rows) == 6
    assert "Chosen on the validation rows" in app.success[0].value
    key = next(key for key, row in rows.items() if row["stage"] == "final")
    app.selectbox(key="experiments_row").set_value(key).run()
    assert not app.exception
    _, arrays = message(app)
    document = json.loads((path / "trees" / f"{key}.json").read_text())
    assert len(arrays["f0.children"]) == len(document["splits"])
    assert app.query_params["row"] == key
    # The command line finds nothing left to do: the same rows, the same settings, the same keys.
    with Sweep(read_spec(path / "sweep.toml"), path, SerialPool()) as sweep:
        assert list(sweep.run()) == []
        assert sweep.choice is not None


def test_every_plot_is_drawn_with_published_curves(folders):
    do_sweep(folders, "moons")
    app = page(tab="Sweeps")
    for plot in ("depth", "nu", "size", "time", "all"):
        app.segmented_control(key="experiments_plot").set_value(plot).run()
        assert not app.exception
        assert len(app.get("plotly_chart")) == 1
        for name in published(plot):
            app.pills(key="experiments_published").set_value(name).run()
            assert "shapes may be compared, but not the numbers" in said(app)


def test_curves_of_the_same_data_are_there_at_once_and_can_be_switched_off(folders):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    np.savez(folders / "mnist.npz", X=X, y=(X[:, 0] > 0).astype(int))
    wanted = SMALL | {"data": {"name": str(folders / "mnist.npz")}}
    do_sweep(folders, "papers", wanted)
    app = page(tab="Sweeps")
    assert app.pills(key="experiments_published").value == "MNIST"
    assert "Published on MNIST" in said(app)
    assert "but not the numbers" not in said(app)
    app.pills(key="experiments_published").set_value(None).run()
    assert not app.exception
    assert "Published on" not in said(app)


LONG = {
    "data": {"name": "sample:moons", "size": 200},
    "search": {"kind": "grid", "seeds": list(range(6))},
    "final": {"seeds": [0]},
    "methods": [{"method": "sgd", "epochs": 400, "depth": [3], "nu": [1, 50]}],
}


def test_stop_keeps_what_is_done_and_going_on_skips_it(folders):
    path = do_sweep(folders, "long", LONG, stop_after=1)
    app = page(tab="Sweeps")
    app.button(key="sweep_go_on").click().run()
    wait(app, lambda: bar(app).startswith(("3", "4", "5", "6")))
    app.button(key="sweep_stop").click().run()
    wait(app, lambda: "stopped, what is done is kept" in bar(app))
    kept = read_rows(path)
    assert 3 <= len(kept) < 13
    app.run()
    app.button(key="sweep_go_on").click().run()
    wait(app, lambda: bar(app).endswith("finished"))
    assert f"({len(kept)} were done before)" in bar(app)
    rows = read_rows(path)
    assert len(rows) == 13
    assert all(rows[key] == row for key, row in kept.items())


def test_a_folder_where_another_sweep_is_at_work_is_left_alone(folders):
    path = do_sweep(folders, "busy", LONG, stop_after=1)
    app = page(tab="Sweeps")
    other = ResultsTable(path)
    try:
        app.button(key="sweep_go_on").click().run()
        wait(app, lambda: "another sweep is at work" in said(app))
    finally:
        other.close()
    assert len(read_rows(path)) == 1


def test_more_runs_than_a_page_should_do_are_refused(folders):
    app = page(tab="Sweeps")
    app.number_input(key="sweep_seeds").set_value(10).run()
    assert f"More than {MOST_RUNS}" in app.warning[0].value
    assert app.button(key="sweep_start").disabled
    wanted = tomllib.loads(app.code[0].value)
    n_candidates = len(read_spec(wanted).candidates("classification"))
    assert f"**{10 * n_candidates + 10} runs**" in app.warning[0].value


@pytest.mark.parametrize(
    "wanted", [SMALL, SMALL | {"search": {"kind": "halving", "keep": 2, "rungs": 2}}]
)
def test_a_sweep_is_read_back_as_it_was(folders, wanted):
    do_sweep(folders, "one", wanted, stop_after=3)
    (found,) = sweeps_found().good
    spec = read_spec(wanted)
    assert found.spec.candidates("classification") == spec.candidates("classification")
    assert found.spec.final_seeds == spec.final_seeds
    done = set(read_rows(found.path))
    with Sweep(found.spec, found.path, SerialPool()) as sweep:
        steps = list(sweep.run())
    assert done.isdisjoint(step.row["key"] for step in steps)
    assert len(steps) + len(done) == len(read_rows(found.path)) <= found.total
    assert sweep.choice is not None


@pytest.mark.slow  # processes that import and load everything
def test_a_worker_process_does_the_same_runs(folders):
    path = folders / "sweeps" / "two"
    work = Work(read_spec(SMALL), path, 2)
    work.join(120)
    assert work.progress().choice is not None
    alone = read_rows(do_sweep(folders, "one"))
    both = read_rows(path)
    assert {k: r["validation_loss"] for k, r in alone.items()} == {
        k: r["validation_loss"] for k, r in both.items()
    }


def test_damaged_sweeps_are_left_out(folders):
    path = do_sweep(folders, "good")
    for name in ("torn", "empty"):
        (folders / "sweeps" / name).mkdir()
        (folders / "sweeps" / name / "spec.json").write_text("{" if name == "torn" else "{}")
    (path / "results.parquet").write_bytes(b"PAR1 nonsense")
    (path / "choice.json").write_text("[]")
    assert sweeps_found().damaged == ("torn", "empty") or len(sweeps_found().damaged) == 2
    app = page(tab="Sweeps")
    assert "is damaged" in said(app)


def test_no_folder_at_all_is_no_folder():
    assert runs_found() == sweeps_found() == Found((), (), 0)


# What the plots are made of ---------------------------------------------------------------------

dots = hs.builds(
    lambda depth, nu, seed, good, leaves: Dot(
        f"{depth}{nu}{seed}",
        {"method": "sgd", "depth": depth, "nu": nu, "seed": seed},
        False,
        f"{depth} {nu}",
        good,
        leaves,
        1.0,
    ),
    hs.integers(1, 3),
    hs.sampled_from([1.0, 10.0]),
    hs.integers(0, 2),
    hs.floats(0, 1),
    hs.integers(1, 9),
)


@given(hs.lists(dots, max_size=12))
@settings(max_examples=60, deadline=None)
def test_a_line_goes_through_the_best_settings_of_each_depth(runs):
    line = best_by_depth(runs, ("depth", "nu"))
    assert [mean.x for mean in line] == sorted({run.get("depth") for run in runs})
    for mean in line:
        means = [
            np.mean(values)
            for nu in (1.0, 10.0)
            if (values := [r.good for r in runs if (r.get("depth"), r.get("nu")) == (mean.x, nu)])
        ]
        assert mean.mean == pytest.approx(max(means))


@given(hs.lists(dots, max_size=12))
@settings(max_examples=60, deadline=None)
def test_nothing_smaller_is_as_good_as_the_frontier(runs):
    best = frontier(runs)
    for one in best:
        assert not any(r.leaves <= one.leaves and r.good > one.good for r in runs)
        assert not any(r.leaves < one.leaves and r.good >= one.good for r in runs)
    for run in runs:
        assert any(one.leaves <= run.leaves and one.good >= run.good for one in best)


def test_rows_that_make_no_sense_are_left_out(folders):
    rows = list(read_rows(do_sweep(folders, "one")).values())
    whole = table_of(rows)
    assert len(whole.dots) == len(rows) == 10
    assert whole.varying[:3] == ("method", "depth", "nu")
    bad = [
        {},
        {**rows[0], "settings": "no JSON"},
        {**rows[0], "settings": "[]"},
        {**rows[0], "key": "../../secret"},
        {**rows[0], "validation_accuracy": None},
        {**rows[0], "validation_accuracy": float("nan")},
        {**rows[0], "validation_accuracy": "all"},
        {**rows[0], "settings": json.dumps({"method": "none"})},
    ]
    assert table_of(rows + bad).dots == whole.dots
    failed = table_of([{**rows[0], "error": "too few rows"}])
    assert failed.dots == ()
    assert failed.failed == ((rows[0]["method"], "too few rows"),)


@pytest.mark.parametrize("plot", ["depth", "nu", "size", "time"])
def test_every_run_of_a_plot_can_be_clicked(folders, plot):
    table = table_of(list(read_rows(do_sweep(folders, "one")).values()))
    wanted = [dot.key for dot in table.dots if plot != "nu" or dot.get("nu") is not None]
    chosen = wanted[-1]
    figure = plot_figure(plot, table, [], chosen, LIGHT)
    keys = [
        key for trace in figure.data if trace.customdata is not None for key in trace.customdata
    ]
    assert sorted(keys) == sorted(wanted)
    ringed = figure.data[-1]
    assert ringed.hoverinfo == "skip"
    (own,) = [t for t in figure.data if t.customdata is not None and chosen in t.customdata]
    at = list(own.customdata).index(chosen)
    assert (ringed.x[0], ringed.y[0]) == (own.x[at], own.y[at])


def test_a_trial_tells_how_long_runs_take():
    data = read_spec(SMALL).data
    axis, sgd = RunConfig("axis", depth=2), RunConfig("sgd", depth=2, epochs=2000)
    own, end = Trials(), time.monotonic() + 60
    while (seconds := own.seconds(data, [axis, sgd, sgd])) is None:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert 0 < own.seconds(data, [axis]) < own.seconds(data, [sgd])
    assert seconds == own.seconds(data, [axis]) + 2 * own.seconds(data, [sgd])
    assert own.seconds(data, [sgd.replace(seed=3, nu=2)]) == own.seconds(data, [sgd])
    gone = read_spec({**SMALL, "data": {"name": "gone.csv"}}).data
    while (seconds := own.seconds(gone, [axis])) is None:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert np.isnan(seconds)


@pytest.mark.parametrize(
    ("data", "dataset"),
    [("mnist_784", "MNIST"), ("connect-4", "Connect4"), ("SensIT", "SensIT"), ("spirals", None)],
)
def test_published_curves_are_those_of_the_same_data(data, dataset):
    assert fitting("depth", data) == dataset


def test_published_values_are_what_the_files_say():
    curves = {curve.name: curve for curve in published("depth")["MNIST"]}
    assert dict(zip(*(curves["Non-greedy"].x, curves["Non-greedy"].y), strict=True))[18] == 0.8994
    assert curves["TAO"].y == (0.9505,)
    assert published("size") == {}


def test_a_sweep_as_text_is_the_same_sweep():
    assert tomllib.loads(as_toml(SMALL)) == SMALL

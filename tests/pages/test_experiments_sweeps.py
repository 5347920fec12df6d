"""Sweeps on the page Experiments, made by the command line or by the page itself."""

from __future__ import annotations

import json
import tomllib

import numpy as np
import pytest

from tests.helpers.experiments import (
    SMALL,
    bar,
    compiled,
    do_sweep,
    folders,
    message,
    page,
    said,
    wait,
)
from treecore.sweeps import SerialPool, Sweep, read_rows, read_spec
from treecore.sweeps.table import ResultsTable
from ui.experiments_folders import Found, runs_found, sweeps_found
from ui.experiments_form import MOST_RUNS
from ui.experiments_published import published
from ui.experiments_work import Work

__all__ = ["compiled", "folders"]  # fixtures
pytest.importorskip("pyarrow")


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

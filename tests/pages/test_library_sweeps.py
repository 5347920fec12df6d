"""Sweeps in the Library, made by the command line or by the page itself."""

import json
import tomllib

import numpy as np

from tests.helpers.harness import choose, press, run_until, words
from tests.helpers.library import SMALL, bar, do_sweep, message, page
from tests.helpers.wait import SECONDS
from treecore.sweeps import SerialPool, Sweep, read_rows, read_spec
from treecore.sweeps.engine import read_choice
from treecore.sweeps.work import run_job
from ui.library.index import sweeps_found
from ui.library.published_curves import published
from ui.library.sweep_form import MOST_RUNS
from ui.library.sweep_job import SweepJob


def test_a_sweep_of_the_form_runs_to_its_end_and_its_trees_are_opened(folders):
    app = page(tab="Sweeps")
    choose(app, "sweep_data", "moons")
    app.number_input(key="sweep_size").set_value(100)
    app.multiselect(key="sweep_depths").set_value([1, 2])
    choose(app, "sweep_methods", ["axis", "oc1"])
    assert "**12 runs**" in words(app)
    press(app, "sweep_start")
    run_until(app, lambda: bar(app).endswith("finished"), "for the end of the sweep")
    (path,) = (folders / "sweeps").iterdir()
    rows = read_rows(path)
    assert len(rows) == 12
    assert "Chosen on the validation examples" in app.success[0].value
    assert "The best of each other method" in app.success[0].value
    key = next(key for key, row in rows.items() if row["stage"] == "final")
    choose(app, "library_row", key)
    _, arrays = message(app)
    document = json.loads((path / "trees" / f"{key}.json").read_text())
    assert len(arrays["f0.children"]) == len(document["splits"])
    assert app.query_params["row"] == key
    # The command line finds nothing left to do: the same rows, the same settings, the same keys.
    chosen = read_choice(path)
    with Sweep(read_spec(path / "sweep.toml"), path, SerialPool()) as sweep:
        assert list(sweep.run()) == []
        assert sweep.choice == chosen
    finals = {key: row for key, row in rows.items() if row["stage"] == "final"}
    assert set(chosen.keys) < set(finals)
    assert len(chosen.others) == 1
    assert {row["candidate"] for row in finals.values()} <= {r["candidate"] for r in rows.values()}


def test_every_plot_is_drawn_with_published_curves(folders):
    do_sweep(folders, "moons")
    app = page(tab="Sweeps")
    for plot in ("depth", "nu", "size", "time"):
        choose(app, "library_plot", plot)
        assert len(app.get("plotly_chart")) == 1
        for name in published(plot):
            choose(app, "library_published", name)
            assert "compare the shapes, not the numbers" in words(app)


def test_curves_of_the_same_data_are_there_at_once_and_can_be_switched_off(folders):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    np.savez(folders / "mnist.npz", X=X, y=(X[:, 0] > 0).astype(int))
    wanted = SMALL | {"data": {"name": str(folders / "mnist.npz")}}
    do_sweep(folders, "papers", wanted)
    app = page(tab="Sweeps")
    assert app.selectbox(key="library_published").value == "MNIST"
    assert "Published on MNIST" in words(app)
    assert "not the numbers" not in words(app)
    choose(app, "library_published", None)
    assert "Published on" not in words(app)


LONG = {
    "data": {"name": "sample:moons", "size": 100},
    "search": {"kind": "grid", "seeds": list(range(6))},
    "final": {"seeds": [0]},
    "methods": [{"method": "sgd", "epochs": 5, "depth": [3], "nu": [1, 50]}],
}


def test_stop_keeps_what_is_done_and_going_on_skips_it(folders, permits, monkeypatch):
    path = do_sweep(folders, "long", LONG, stop_after=1)

    def run_when_permitted(job, **rows):
        permits.take(0.0)
        return run_job(job, **rows)

    monkeypatch.setattr("treecore.sweeps.engine.run_job", run_when_permitted)
    app = page(tab="Sweeps")
    press(app, "sweep_go_on")
    permits.spend(2)
    run_until(app, lambda: bar(app).startswith("3 of 13 runs"), "for two runs more")
    press(app, "sweep_stop")
    permits.give()  # the run that has asked already
    run_until(app, lambda: "stopped; finished runs stay" in bar(app), "for the end of the sweep")
    kept = read_rows(path)
    assert 3 <= len(kept) <= 4
    permits.give(10)
    press(app, "sweep_go_on")
    run_until(app, lambda: bar(app).endswith("finished"), "for the end of the sweep")
    assert f"({len(kept)} were done before)" in bar(app)
    rows = read_rows(path)
    assert len(rows) == 13
    assert all(rows[key] == row for key, row in kept.items())


def test_more_runs_than_a_page_should_do_are_refused(folders):
    app = page(tab="Sweeps")
    choose(app, "sweep_seeds", 10)
    assert f"More than {MOST_RUNS}" in app.warning[0].value
    assert app.button(key="sweep_start").disabled
    wanted = tomllib.loads(app.code[0].value)
    n_candidates = len(read_spec(wanted).candidates("classification"))
    assert f"**{10 * n_candidates + 3 * 10} runs**" in app.warning[0].value


def test_the_runs_of_a_sweep_wait_for_their_turn_at_every_step(folders, permits):
    work = SweepJob(read_spec(SMALL), folders / "sweeps" / "turns", 1, turn=permits)
    permits.spend(3)
    assert work.look().done == 0, "two steps prepare, and a run has several"
    permits.give(10_000)
    work.join(SECONDS)
    assert permits.requested > 2 * work.look().total == 2 * work.look().done


def test_damaged_sweeps_are_left_out(folders):
    path = do_sweep(folders, "good")
    for name in ("torn", "empty"):
        (folders / "sweeps" / name).mkdir()
        (folders / "sweeps" / name / "spec.json").write_text("{" if name == "torn" else "{}")
    (path / "study.db").write_bytes(b"nonsense, and no database at all")
    (path / "choice.json").write_text("[]")
    assert sorted(sweeps_found().damaged) == ["empty", "torn"]
    app = page(tab="Sweeps")
    assert "is damaged" in words(app)


def test_a_tree_whose_file_is_gone_is_told_without_the_folders_of_the_server(folders):
    path = do_sweep(folders, "moons")
    for file in (path / "trees").iterdir():
        file.unlink()
    app = page(tab="Sweeps", row=next(iter(read_rows(path))))
    assert "its file can no longer be read" in words(app)
    assert str(folders) not in words(app)

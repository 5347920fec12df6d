"""The studies of a sweep: Optuna's file, its pruner and sampler, and folders of before."""

import json

import optuna
import pyarrow
import pyarrow.parquet
import pytest

from tests.helpers.processes import SERVER
from tests.helpers.sweeps import small
from treecore.sweeps import SerialPool, Sweep, SweepError, read_rows, selection, work
from treecore.sweeps.selection import make_job
from treecore.sweeps.study import open_storage
from treecore.training.config import RunConfig

TPE = {"kind": "tpe", "count": 14, "seed": 5}
RANGES = [
    {"method": "sgd", "epochs": 2, "nu": {"low": 0.1, "high": 100}, "depth": {"low": 1, "high": 4}},
    {"method": "axis", "depth": [1, 2, 3]},
]


def plain(result):
    """A tree without the seconds that it took."""
    return {k: v for k, v in json.loads(result.tree).items() if k != "training"}


def run(spec, folder, stop_after=None):
    with Sweep(spec, folder, SerialPool()) as sweep:
        for step in sweep.run():
            if step.done == stop_after:
                sweep.stop()
    return sweep


def test_a_study_is_one_file_that_optuna_opens(tmp_path):
    sweep = run(small(), tmp_path)
    storage = open_storage(tmp_path)
    (name,) = optuna.get_all_study_names(storage)
    study = optuna.load_study(study_name=name, storage=storage)
    assert len(study.trials) == len(sweep.candidates) == 4
    assert {t.state.name for t in study.trials} == {"COMPLETE"}
    assert study.best_value == sweep.choice.validation
    assert {t.params["methods"] for t in study.trials} == {0, 1}


@pytest.mark.parametrize("stop_after", [1, 7, 12])
def test_tpe_suggests_the_same_candidates_however_it_is_stopped(tmp_path, stop_after):
    spec = small(search=TPE, methods=RANGES)
    entire = run(spec, tmp_path / "whole")
    assert len(entire.candidates) <= 14
    assert {c.method for c in entire.candidates} == {"sgd", "axis"}
    run(spec, tmp_path / "parts", stop_after)
    parts = run(spec, tmp_path / "parts")
    assert parts.candidates == entire.candidates
    assert parts.choice == entire.choice


@pytest.mark.parametrize("stop_after", [3, 7])
def test_halving_that_is_stopped_goes_on_to_the_same_choice(tmp_path, stop_after):
    methods = [{"method": "sgd", "epochs": 9, "nu": [0.01, 1, 10, 50, 100, 200]}]
    spec = small(search={"kind": "halving"}, methods=methods)
    entire = run(spec, tmp_path / "whole")
    run(spec, tmp_path / "parts", stop_after)
    parts = run(spec, tmp_path / "parts")
    assert parts.choice == entire.choice
    assert set(read_rows(tmp_path / "parts")) == set(read_rows(tmp_path / "whole"))
    storage = open_storage(tmp_path / "parts")
    (name,) = optuna.get_all_study_names(storage)
    states = [t.state.name for t in optuna.load_study(study_name=name, storage=storage).trials]
    assert sorted(states) == ["COMPLETE", *["PRUNED"] * 5]


def test_a_run_that_was_killed_goes_on_from_its_checkpoint(tmp_path, monkeypatch):
    monkeypatch.setattr(work, "EVERY", 0.0)
    config = RunConfig("sgd", epochs=40, depth=3)
    spec = small()
    print_ = work.rows_of(spec.data, "search").fingerprint
    entire = work.run_job(make_job("search", 0, config, config, "rows"), spec.data, print_)
    path = tmp_path / "checkpoint"
    job = selection.Job("key", "search", 0, "candidate", config, str(path))
    requested = iter([False] * 15 + [True])
    with pytest.raises(work.Stopped):
        work.run_job(job, spec.data, print_, lambda: next(requested))
    assert path.exists()
    steps = []
    again = work.run_job(job, spec.data, print_, lambda: steps.append(1) is not None)
    assert plain(again) == plain(entire)
    assert not path.exists()
    assert len(steps) > 0
    path.write_bytes(b"nonsense")  # a damaged one is begun without
    assert plain(work.run_job(job, spec.data, print_)) == plain(entire)


def test_a_folder_of_an_earlier_version_is_read_and_not_gone_on_with(tmp_path):
    row = {"key": "a", "stage": "search", "epoch": 3.0, "error": None}
    table = pyarrow.Table.from_pylist([row])
    pyarrow.parquet.write_table(table, tmp_path / "results.parquet")
    later = json.dumps(row | {"key": "b"}) + '\n{"key": "cut sh'
    (tmp_path / "results.journal").write_text(later)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    rows = read_rows(tmp_path)
    assert list(rows) == ["a", "b"]
    assert rows["a"]["done"] == 3
    with pytest.raises(SweepError, match="of an earlier version, which can be read"):
        Sweep(small(), tmp_path, SerialPool())
    assert before == {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    (tmp_path / "results.parquet").write_bytes(b"PAR1 nothing")
    with pytest.raises(SweepError, match="is damaged"):
        read_rows(tmp_path)


def test_a_folder_has_one_driver_and_a_damaged_file_is_left_alone(tmp_path):
    path, sentence = tmp_path / "study.db", r"is damaged or cannot be used \([^\n]*: restore[^\n]*$"
    with Sweep(small(), tmp_path, SerialPool()) as sweep:
        with pytest.raises(SweepError, match="another sweep is at work"):
            Sweep(small(), tmp_path, SerialPool())
        next(steps := sweep.run())
        inside = path.read_bytes()[:8192] + b"\xff" * 50_000
        path.write_bytes(inside)
        for use in (steps.__next__, lambda: read_rows(tmp_path)):
            with pytest.raises(SweepError, match=sentence):
                use()
    for content in (inside, b"no database at all"):
        path.write_bytes(content)
        with pytest.raises(SweepError, match=sentence):
            Sweep(small(), tmp_path, SerialPool())
        assert path.read_bytes() == content


def test_without_optuna_a_sentence_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "optuna", None)
    with pytest.raises(SweepError, match=r"pip install 'treecore\[sweep\]'"):
        Sweep(small(), tmp_path / "out", SerialPool())
    assert not (tmp_path / "out").exists()


def tell_runs(folder, reported):
    with Sweep(small(), folder, SerialPool()) as sweep:
        for step in sweep.run():
            reported.send(step.row["key"])


@pytest.mark.parametrize("n_means", [1, 3, 6])
def test_no_told_run_is_lost_when_the_driver_is_killed(tmp_path, n_means):
    entire = run(small(), tmp_path / "whole")
    folder = tmp_path / "killed"
    ours, theirs = SERVER.Pipe(duplex=False)
    process = SERVER.Process(target=tell_runs, args=(folder, theirs))
    process.start()
    reported = {ours.recv() for _ in range(n_means)}
    process.kill()
    process.join()
    assert reported <= set(read_rows(folder))
    again = run(small(), folder)
    assert again.choice == entire.choice
    assert read_rows(folder).keys() == read_rows(tmp_path / "whole").keys()

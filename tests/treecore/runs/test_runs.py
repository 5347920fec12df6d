"""Run folders: nothing is lost, whatever happens to the process that writes."""

import contextlib
import itertools
import logging
import os
import random
import signal

import pytest

from tests.helpers.processes import is_killed_touching, start_shell
from tests.helpers.same import assert_same
from tests.helpers.wait import until
from treecore import RunConfig
from treecore.base.state_file import CheckpointError
from treecore.data.sources import Source, TableError
from treecore.runs import RunDirectory, RunError, begin, driver, find_runs, go_on, look_into, resume
from treecore.sweeps import SerialPool, Sweep, read_spec

SPIRALS = Source("sample:spirals", size=200)
CONFIG = RunConfig("stable-sgd", depth=4, epochs=12)


def to_the_end(kept, **more):
    for _ in go_on(kept, **more):
        pass
    return kept.folder


def tree_of(folder):
    return folder.read_model().tree


def test_a_run_folder_tells_all(tmp_path):
    folder = to_the_end(begin(tmp_path / "run", CONFIG, SPIRALS))
    again = RunDirectory.open(folder.path)
    assert again.config == CONFIG
    assert again.source == SPIRALS
    assert again.state == "finished"
    events = list(again.events())
    assert [event.done for event in events] == list(range(13))
    assert again.metrics()["loss"] == events[-1].loss
    assert set(again.record["versions"]) >= {"treecore", "python", "numpy", "numba"}
    document = again.read_model()
    assert document.training["data"]["fingerprint"] == again.record["fingerprint"]
    assert [found.path for found in find_runs(tmp_path)] == [folder.path]


def test_a_run_that_was_stopped_before_its_first_step_begins_anew(tmp_path):
    entire = to_the_end(begin(tmp_path / "whole", CONFIG, SPIRALS))
    session = begin(tmp_path / "cut", CONFIG, SPIRALS)
    go_on(session).close()
    session.folder.release()  # which a run that never took a step still holds
    assert_same(tree_of(to_the_end(resume(tmp_path / "cut"))), tree_of(entire))


def test_resuming_a_finished_run_changes_nothing(tmp_path):
    folder = to_the_end(begin(tmp_path / "run", CONFIG, SPIRALS))
    before = tree_of(folder)
    assert_same(tree_of(to_the_end(resume(folder.path))), before)
    assert len(list(folder.events())) == 13


class Ticks:
    """A clock that goes on by a second whenever somebody looks: a checkpoint every ten events."""

    def __init__(self):
        self.monotonic = itertools.count().__next__


LONG = RunConfig("stable-sgd", depth=4, epochs=60)


def begin_or_go_on(path):
    driver.time = Ticks()  # in a process of its own
    kept = resume(path) if (path / "run.json").exists() else begin(path, LONG, SPIRALS)
    to_the_end(kept, every=1)


@pytest.mark.parametrize("kills", [6, pytest.param(20, marks=pytest.mark.slow)])
def test_kills_at_any_touch_of_the_folder_cost_nothing(tmp_path, kills):
    entire = to_the_end(begin(tmp_path / "whole", LONG, SPIRALS))
    draw, path = random.Random(0), tmp_path / "killed-0"
    gone_on = 0
    for number in range(1, kills + 1):
        killed = is_killed_touching(path, draw.randint(1, 60), begin_or_go_on, path)
        if killed:
            found = (
                RunDirectory.open(path).read_checkpoint() if (path / "run.json").exists() else None
            )
            gone_on += found is not None
        else:  # the run came to its end: once more from the start
            assert_same(tree_of(RunDirectory.open(path)), tree_of(entire))
            path = tmp_path / f"killed-{number}"
    assert gone_on > kills // 2, "most runs go on from a checkpoint, not from the start"
    folder = to_the_end(resume(path))
    assert folder.state == "finished"
    assert_same(tree_of(folder), tree_of(entire))
    assert [event.done for event in folder.events()] == list(range(61))


def test_a_full_disk_is_told_and_the_last_checkpoint_stays(tmp_path, monkeypatch):
    kept = begin(tmp_path / "run", CONFIG, SPIRALS)
    run = go_on(kept, every=0.0)
    for _ in range(8):
        next(run)
    good = (kept.folder.path / "checkpoint").read_bytes()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CheckpointError, match="No space left"):
        for _ in run:
            pass
    monkeypatch.undo()
    assert (kept.folder.path / "checkpoint").read_bytes() == good
    entire = to_the_end(begin(tmp_path / "whole", CONFIG, SPIRALS))
    assert_same(tree_of(to_the_end(resume(tmp_path / "run"))), tree_of(entire))


def test_a_file_in_the_way_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot be made"):
        begin(tmp_path / "file" / "run", CONFIG, SPIRALS)


def test_a_folder_in_use_is_not_overwritten(tmp_path):
    begin(tmp_path / "run", CONFIG, SPIRALS)
    with pytest.raises(RunError, match="holds a run already: resume"):
        begin(tmp_path / "run", CONFIG, SPIRALS)


def test_rows_that_have_changed_are_refused(tmp_path):
    begin(tmp_path / "run", CONFIG, SPIRALS)
    with pytest.raises(RunError, match="have changed since this run started"):
        resume(tmp_path / "run", Source("sample:spirals", size=201))


def test_rows_that_cannot_be_learnt_from_leave_no_folder(tmp_path):
    with pytest.raises(TableError, match="no sample"):
        begin(tmp_path / "run", RunConfig("sgd", loss="squared"), Source("sample:none"))
    with pytest.raises(TableError):
        begin(tmp_path / "run", CONFIG, Source(str(tmp_path / "none.csv")))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{", '{"format": 99}', '{"format": 1}', '{"format": 1, "config": 3, "source": 1}'],
)
def test_a_damaged_record_is_told(tmp_path, content):
    (tmp_path / "run.json").write_text(content)
    with pytest.raises(RunError):
        RunDirectory.open(tmp_path)
    assert find_runs(tmp_path) == []


def test_damaged_events_end_the_history(tmp_path):
    folder = to_the_end(begin(tmp_path / "run", CONFIG, SPIRALS))
    path = folder.path / "events.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    assert len(list(folder.events())) == 12
    path.write_text("null\n")
    assert list(folder.events()) == []
    (folder.path / "metrics.json").write_text("[1")
    assert folder.metrics() == {}


def test_two_never_drive_one_run(tmp_path):
    run = go_on(begin(tmp_path / "run", CONFIG, SPIRALS), every=0.0)
    for _ in range(5):
        next(run)
    events = (tmp_path / "run/events.jsonl").read_bytes()
    with pytest.raises(RunError, match="another process is using the run"):
        resume(tmp_path / "run")
    seen = look_into(tmp_path / "run")  # to look at it is allowed, and changes nothing
    assert (tmp_path / "run/events.jsonl").read_bytes() == events
    assert len(seen.past) == seen.n_events
    entire = to_the_end(begin(tmp_path / "whole", CONFIG, SPIRALS))
    for _ in run:
        pass
    assert_same(tree_of(RunDirectory.open(tmp_path / "run")), tree_of(entire))
    resume(tmp_path / "run")  # the run has ended, and the folder is free


def test_a_process_at_work_keeps_its_run_for_itself(tmp_path, shell):
    words = ["sample:spirals", "--method", "sgd", "--epochs", 100_000, "--run", "run", "--every", 0]
    process = start_shell(tmp_path, "train", *words, "--quiet")
    until(lambda: (tmp_path / "run/checkpoint").exists() or not process.is_alive())
    refused = shell("train", "--resume", "run", code=1)
    assert "another process is using the run in run" in refused.output + refused.stderr
    assert process.is_alive()
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    resume(tmp_path / "run")  # the system has taken the lock back


def test_a_log_that_lacks_lines_costs_lines_and_not_the_run(tmp_path):
    entire = to_the_end(begin(tmp_path / "whole", CONFIG, SPIRALS))
    run = go_on(begin(tmp_path / "cut", CONFIG, SPIRALS))
    for _ in range(7):
        next(run)
    run.close()
    log = tmp_path / "cut/events.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:4]))
    kept = resume(tmp_path / "cut")
    assert (kept.n_events, kept.n_lost) == (4, len(lines) - 4)
    assert_same(tree_of(to_the_end(kept)), tree_of(entire))
    there = [event.done for event in kept.folder.events()]
    assert there == [*range(4), *range(len(lines), 13)]


@pytest.fixture
def reported(caplog):
    """Level and text of every record so far."""
    caplog.set_level(logging.DEBUG, logger="treecore")
    return lambda: [(record.levelname, record.getMessage()) for record in caplog.records]


def test_a_run_says_when_it_begins_stops_goes_on_and_ends(tmp_path, reported):
    folder = tmp_path / "run"
    config = RunConfig("sgd", depth=2, epochs=3)
    with contextlib.closing(go_on(begin(folder, config, Source("sample:xor")), every=0)) as run:
        next(event for event in run if event.stage == "sgd" and event.done == 1)
    log = folder / "events.jsonl"
    n_events = len(log.read_text().splitlines())
    log.write_text("\n".join(log.read_text().splitlines()[:-1]) + "\n")  # as a power cut may do
    list(go_on(resume(folder)))
    levels = [level for level, _ in reported() if level != "DEBUG"]
    texts = [text.removeprefix(f"{folder}: ") for level, text in reported() if level != "DEBUG"]
    assert texts[0] == "sgd begins on 375 rows of xor"
    assert texts[1:4] == [
        f"stopped after {n_events} events",
        f"goes on after {n_events - 1} events",
        "the log lacks its last 1 events",
    ]
    assert texts[4].startswith("finished after ")
    assert levels == ["INFO"] * 3 + ["WARNING", "INFO"]
    assert ("DEBUG", f"{folder}: checkpoint after {n_events} events") in reported()


def test_a_sweep_says_every_run(tmp_path, reported):
    spec = {
        "data": {"name": "sample:xor"},
        "methods": [{"method": "axis", "depth": [1, 2]}],
        "final": {"seeds": [0]},
    }
    with Sweep(read_spec(spec), tmp_path, SerialPool()) as sweep:
        keys = [step.row["key"] for step in sweep.run()]
    done = [text for level, text in reported() if level == "INFO"]
    assert [text.split()[2] for text in done] == keys
    assert all(text.startswith(f"{tmp_path}: run ") and " done by " in text for text in done)

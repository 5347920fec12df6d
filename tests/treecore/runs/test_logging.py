"""What runs and sweeps write to the logger ``treecore``."""

import contextlib
import logging
import os
import subprocess
import sys

import pytest

from tests.helpers.paths import ROOT
from treecore import RunConfig
from treecore.data.sources import Source
from treecore.runs import begin, go_on, resume
from treecore.sweeps import SerialPool, Sweep, read_spec


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
    for _ in go_on(resume(folder)):
        pass
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


def test_nothing_is_written_where_nobody_asks():
    program = (
        "import logging, treecore\n"
        "logging.getLogger('treecore.runs.driver').warning('the log lacks its last event')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""

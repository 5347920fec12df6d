"""A sweep on a Dask cluster of separate processes, one of which is killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.helpers.paths import ROOT
from tests.helpers.wait import SECONDS, until
from treecore.sweeps import DaskPool, SerialPool, Sweep, SweepError, read_rows, read_spec

pytest.importorskip("pyarrow")
pytest.importorskip("distributed")


@pytest.fixture
def cluster(tmp_path):
    """Path of a scheduler's file, and processes by pid: a scheduler and two workers, no nannies."""
    file = tmp_path / "scheduler.json"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    common = ["--scheduler-file", str(file), "--no-dashboard"]
    worker = ["dask_worker", *common, "--nthreads", "1", "--no-nanny", "--death-timeout", "60"]
    commands = [["dask_scheduler", *common, "--host", "127.0.0.1", "--port", "0"], worker, worker]
    processes = {}
    for name, *words in commands:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{name}", *words],
            env=environment,
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        processes[process.pid] = process
        until(lambda own=process: file.exists() or own.poll() is not None, "for a scheduler")
        assert process.poll() is None
    yield file, processes
    for process in processes.values():
        process.kill()
        process.wait()


def _address(file):
    return json.loads(file.read_text())["address"]


def test_a_killed_worker_loses_no_run_and_none_counts_twice(cluster, tmp_path):
    file, processes = cluster
    spec = read_spec(
        {
            "data": {"name": "sample:moons", "size": 200},
            "methods": [
                {"method": "sgd", "epochs": 100, "depth": [4, 5], "nu": [1, 2, 5, 10, 20, 50, 100]}
            ],
            "final": {"seeds": [0, 1]},
        }
    )
    pool = DaskPool(_address(file))
    pool.client.wait_for_workers(2, timeout=SECONDS)
    keys, pids = [], []
    with Sweep(spec, tmp_path / "out", pool) as sweep:
        for step in sweep.run():
            keys.append(step.row["key"])
            pids.append(int(step.row["worker"].split(":")[1]))
            if len(pids) == 3:  # who told this run has begun with another
                os.kill(pids[-1], signal.SIGKILL)
                processes[pids[-1]].wait()
    assert set(pids) < set(processes)
    assert pids[-1] != pids[2]
    assert len(keys) == len(set(keys)) == sweep.total == 16
    assert set(read_rows(tmp_path / "out")) == set(keys)
    with Sweep(spec, tmp_path / "serial", SerialPool()) as serial:
        assert sum(1 for _ in serial.run()) == 16
    assert serial.choice == sweep.choice
    told, plain = (read_rows(tmp_path / name) for name in ("out", "serial"))
    for key, row in plain.items():
        names = ("settings", "validation_accuracy", "test_accuracy", "loss", "bound")
        assert [row[name] for name in names] == [told[key][name] for name in names]


def test_no_scheduler_is_said_in_one_sentence(monkeypatch):
    from treecore.sweeps import pools

    monkeypatch.setattr(pools, "CONNECT_SECONDS", 0.5)
    with pytest.raises(SweepError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        DaskPool("tcp://127.0.0.1:9")

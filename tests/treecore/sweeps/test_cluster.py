"""A sweep on a Dask cluster of separate processes, one of which is killed in the middle."""

import os
import signal

import pytest

from tests.helpers.coroutines import run_coroutine
from tests.helpers.processes import SERVER
from tests.helpers.wait import SECONDS
from treecore.sweeps import DaskPool, SerialPool, Sweep, SweepError, read_rows, read_spec

pytest.importorskip("distributed")


@pytest.fixture
def cluster(tmp_path):
    """Address of a scheduler, and processes by pid: the scheduler and two workers, no nannies."""
    ours, theirs = SERVER.Pipe(duplex=False)
    scheduler = SERVER.Process(target=run_scheduler, args=(theirs,))
    scheduler.start()
    address = ours.recv()
    workers = [SERVER.Process(target=run_worker, args=(address,)) for _ in "12"]
    for worker in workers:
        worker.start()
    yield address, {process.pid: process for process in (scheduler, *workers)}
    for process in (*workers, scheduler):
        process.kill()
        process.join()


def run_scheduler(reported):
    from distributed import Scheduler

    async def run():
        async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
            reported.send(scheduler.address)
            await scheduler.finished()

    run_coroutine(run())


def run_worker(address):
    from distributed import Worker

    async def run():
        async with Worker(address, nthreads=1, dashboard=False) as worker:
            await worker.finished()

    run_coroutine(run())


@pytest.mark.slow
def test_a_killed_worker_loses_no_run_and_none_counts_twice(cluster, tmp_path):
    address, processes = cluster
    spec = read_spec(
        {
            "data": {"name": "sample:moons", "size": 200},
            "methods": [
                {"method": "sgd", "epochs": 100, "depth": [4, 5], "nu": [1, 2, 5, 10, 20, 50, 100]}
            ],
            "final": {"seeds": [0, 1]},
        }
    )
    pool = DaskPool(address)
    pool.client.wait_for_workers(2, timeout=SECONDS)
    keys, pids = [], []
    with Sweep(spec, tmp_path / "out", pool) as sweep:
        for step in sweep.run():
            keys.append(step.row["key"])
            pids.append(int(step.row["worker"].split(":")[1]))
            if len(pids) == 3:  # who told this run has begun with another
                os.kill(pids[-1], signal.SIGKILL)
                processes[pids[-1]].join()
    assert set(pids) < set(processes)
    assert pids[-1] != pids[2]
    assert len(keys) == len(set(keys)) == sweep.total == 16
    assert set(read_rows(tmp_path / "out")) == set(keys)
    with Sweep(spec, tmp_path / "serial", SerialPool()) as serial:
        assert sum(1 for _ in serial.run()) == 16
    assert serial.choice == sweep.choice
    reported, plain = (read_rows(tmp_path / name) for name in ("out", "serial"))
    for key, row in plain.items():
        names = ("settings", "validation_accuracy", "test_accuracy", "loss", "bound")
        assert [row.get(name) for name in names] == [reported[key].get(name) for name in names]


@pytest.mark.parametrize(
    "victims",
    [
        pytest.param(slice(1), id="scheduler"),
        pytest.param(slice(None), id="all", marks=pytest.mark.slow),
    ],
)
def test_a_scheduler_that_goes_away_is_said_in_one_sentence(cluster, tmp_path, victims):
    address, processes = cluster
    spec = read_spec(
        {
            "data": {"name": "sample:moons", "size": 200},
            "methods": [{"method": "sgd", "epochs": 100, "nu": [1, 2, 5, 10, 20, 50]}],
        }
    )
    pool = DaskPool(address)
    pool.client.wait_for_workers(2, timeout=SECONDS)

    def kill(step):
        if step.done == 2:
            for process in list(processes.values())[victims]:
                process.kill()
                process.join()

    with Sweep(spec, tmp_path / "out", pool) as sweep:
        with pytest.raises(SweepError) as error:
            any(map(kill, sweep.run()))
        assert str(error.value).startswith("the Dask scheduler is gone: start it and then")
    n_kept = len(read_rows(tmp_path / "out"))
    assert n_kept >= 2
    with Sweep(spec, tmp_path / "out", SerialPool()) as again:
        assert sum(1 for _ in again.run()) == again.total - n_kept


def test_no_scheduler_is_said_in_one_sentence(monkeypatch):
    from treecore.sweeps import pools

    monkeypatch.setattr(pools, "CONNECT_SECONDS", 0.5)
    with pytest.raises(SweepError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        DaskPool("tcp://127.0.0.1:9")

"""Who runs the runs of a sweep: this process, processes beside it, or a cluster of Dask's.

A pool gives results in the order in which they come, and raises :class:`PoolBroken` when a worker
died; whoever asked then asks again for what is missing.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from joblib import Parallel, delayed, parallel_config
from joblib.parallel import ParallelBackendBase, get_active_backend

from treecore.sweeps.selection import Job
from treecore.sweeps.spec import SweepError
from treecore.sweeps.work import TrialResult

CONNECT_SECONDS = 30
"""How long a Dask scheduler is waited for."""

POLL_SECONDS = 0.2
"""How often whoever waits for Dask looks whether the sweep was stopped."""

Run = Callable[..., TrialResult]
"""What does a job, here or elsewhere, and takes ``stopped`` too: see :func:`.work.run_job`."""

Results = Generator[TrialResult, None, None]


class PoolBroken(Exception):  # handled, and raised as another
    """A worker died, and others' runs may be lost with it."""


class Pool:
    """Whoever can run runs; n_workers: how many at a time."""

    n_workers = 1

    def results(self, run: Run, jobs: Sequence[Job], stopped: Callable[[], bool]) -> Results:
        """Do some runs, and give their results as they come.

        run: does one of them; stopped: whether the sweep is to end. Raises PoolBroken when a worker
        died; SweepError where the runs cannot go on.
        """
        raise NotImplementedError

    def interrupt(self) -> None:
        """End runs that are under way, from any thread; nothing to do for a pool that asks."""

    def close(self) -> None:
        """Give back what the pool holds."""


class SerialPool(Pool):
    """One run after the other in this process and thread."""

    def results(self, run, jobs, stopped) -> Results:
        for job in jobs:
            yield run(job, stopped=stopped)


class LocalPool(Pool):
    """Spawned processes on this machine, of one thread each and of some niceness, by joblib."""

    def __init__(self, n_workers: int, niceness: int = 0):
        self.n_workers, self._niceness = n_workers, niceness
        self._backend: ParallelBackendBase | None = None

    def results(self, run, jobs, stopped) -> Results:
        with parallel_config("loky", inner_max_num_threads=1):
            self._backend, _ = get_active_backend()
            parallel = Parallel(
                n_jobs=self.n_workers, return_as="generator_unordered", batch_size=1
            )
            results = parallel(delayed(_run_nicely)(self._niceness, run, job) for job in jobs)
        try:
            with contextlib.closing(results):
                yield from results
        except BrokenProcessPool as error:
            raise PoolBroken(str(error) or type(error).__name__) from error
        except Exception as error:
            if stopped():  # joblib says in many ways that its processes were taken away
                raise PoolBroken("stopped") from error
            raise
        finally:
            self._backend = None

    def interrupt(self) -> None:
        backend = self._backend
        if backend is not None:
            backend.abort_everything(ensure_ready=False)

    close = interrupt


def _run_nicely(niceness: int, run: Run, job: Job) -> TrialResult:
    if niceness and hasattr(os, "setpriority"):  # Windows has none
        os.setpriority(os.PRIO_PROCESS, 0, niceness)
    return run(job)


class DaskPool(Pool):
    """The workers of a Dask cluster, whose scheduler hands out the runs of a dead worker again.

    Through Dask's own client: joblib's backend for it cannot be stopped while it waits.

    address: of a scheduler, such as ``"tcp://10.0.0.1:8786"``. Raises SweepError where Dask is not
    installed, or no scheduler answers.
    """

    def __init__(self, address: str):
        try:
            import distributed
        except ImportError as error:
            raise SweepError("--dask needs Dask: pip install 'treecore[cluster]'") from error
        self._dask = distributed
        try:
            self.client = distributed.Client(address, timeout=CONNECT_SECONDS)
            self.n_workers = max(1, len(self.client.ncores()))
        except (OSError, ValueError, TimeoutError) as error:
            raise SweepError(
                f"no Dask scheduler answers at {address} ({error}): start one with dask scheduler"
            ) from error

    def results(self, run, jobs, stopped) -> Results:
        from distributed.client import ClosedClientError

        waiting: set[Any] = set()
        try:
            waiting.update(self.client.map(run, jobs, pure=False))
            while waiting and not stopped():
                try:
                    done, waiting = self._dask.wait(
                        waiting, timeout=POLL_SECONDS, return_when="FIRST_COMPLETED"
                    )
                except TimeoutError:
                    continue
                for future in done:
                    yield future.result()
        except self._dask.KilledWorker as error:
            raise PoolBroken(str(error)) from error
        except (OSError, self._dask.CancelledError, ClosedClientError) as error:
            if isinstance(error, self._dask.CancelledError) and self._connected:
                raise PoolBroken(str(error) or type(error).__name__) from error
            raise SweepError(
                "the Dask scheduler is gone: start it and then the sweep again to continue"
            ) from error
        finally:
            if self._connected:
                with contextlib.suppress(OSError, self._dask.CancelledError, ClosedClientError):
                    self.client.cancel(list(waiting))

    @property
    def _connected(self) -> bool:
        return self.client.status == "running"

    def close(self) -> None:
        self.client.close()


def make_pool(n_workers: int = 1, dask: str | None = None) -> Pool:
    """The pool for some workers: processes on this machine, or those of a Dask scheduler.

    Raises SweepError where Dask is not installed, or no scheduler answers at the address ``dask``.
    """
    if dask is not None:
        return DaskPool(dask)
    return SerialPool() if n_workers == 1 else LocalPool(n_workers)

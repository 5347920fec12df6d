"""A sweep at work: runs handed out, rows kept as they come, whatever dies on the way.

The driver decides what is to be run, keeps what comes back and alone writes to the folder::

    spec.json          the sweep, its rows' fingerprint, versions
    results.parquet    a row a run, see :mod:`treecore.sweeps.storage`
    trees/KEY.json     the tree of every run
    choice.json        the chosen candidate and what the test says, at the end

A run is known by its key. One that is done is not done again, by this driver or a later one; one
whose worker died is handed out again; one that comes back twice counts once.
"""

from __future__ import annotations

import contextlib
import json
import logging
import math
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treecore.base.state_file import write_atomically
from treecore.data.sources import look_for
from treecore.runs.run_directory import versions
from treecore.sweeps import selection
from treecore.sweeps.pools import Pool, PoolBroken
from treecore.sweeps.selection import Job
from treecore.sweeps.spec import SweepError, SweepSpec
from treecore.sweeps.storage import ResultsTable
from treecore.sweeps.work import Stopped, rows_of

LOGGER = logging.getLogger(__name__)

CHOICE = "choice.json"

DEATHS = 3
"""How often in a row the workers may die without one run finished between."""


@dataclass(frozen=True)
class FinishedRun:
    """One run of the sweep has finished.

    Attributes
    ----------
    row : dict
        Its row of the table, see :data:`treecore.sweeps.storage.COLUMNS`.
    done, total : int
        Runs that are done, those of an earlier start among them, and all runs.
    seconds_left : float
        By the pace of this start so far.
    """

    row: dict[str, Any]
    done: int
    total: int
    seconds_left: float


@dataclass(frozen=True)
class SelectedCandidate:
    """How a sweep ends.

    Attributes
    ----------
    settings : dict
        The chosen candidate, as :meth:`treecore.training.config.RunConfig.as_dict`, of seed 0.
    validation : float
        Its mean accuracy, or explained variance, on the validation rows.
    test : dict
        Mean and deviation over the final seeds of ``"test_accuracy"`` or ``"test_r2"``,
        ``"test_loss"`` and ``"active_leaves"``.
    keys : tuple of str
        Its final runs.
    n_tested : int
        Candidates of this folder that have ever been tested. More than one are more than the
        protocol allows: somebody has changed the sweep after a test.
    """

    settings: dict[str, Any]
    validation: float
    test: dict[str, tuple[float, float]]
    keys: tuple[str, ...]
    n_tested: int


class Sweep:
    """A sweep in a folder; begun anew, or gone on with where the folder has rows of it.

    Parameters
    ----------
    spec : SweepSpec
    folder : path
        Made where it is not there.
    pool : Pool
        Who runs the runs, see :mod:`treecore.sweeps.pools`.

    Attributes
    ----------
    choice : Choice or None
        Set when the sweep has ended.
    done, total : int
        Runs done and all runs. The total may shrink when candidates fail.

    Raises
    ------
    ValueError
        In one sentence, where the rows cannot be read, a candidate is impossible, or the folder
        cannot be used.

    Examples
    --------
    ::

        with Sweep(read_spec("sweep.toml"), "sweeps/first", LocalPool(2)) as sweep:
            for step in sweep.run():
                print(step.done, step.total, step.row["validation_accuracy"])
        print(sweep.choice)

    ``stop`` may be called from another thread: the iteration ends soon, and what is done is kept.
    """

    def __init__(self, spec: SweepSpec, folder: str | Path, pool: Pool):
        self.spec, self.folder, self._pool = spec, Path(folder), pool
        if (test := spec.data.test_source()) is not None:
            look_for(test)
        rows = rows_of(spec.data, "final")
        self.candidates = spec.candidates(rows.train.task)
        self._fingerprint = rows.fingerprint
        source = spec.data.source
        self._rows_name = selection.digest(
            [rows.fingerprint, source.held_out, source.seed, spec.data.test]
        )
        self._stopped = threading.Event()
        self.choice: SelectedCandidate | None = None
        self._ranking: list[Any] = []
        sizes = selection.rung_sizes(len(self.candidates), spec.search)
        self.total = sum(sizes) * len(spec.search.seeds) + len(spec.final_seeds)
        self.done = 0
        try:
            (self.folder / "trees").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SweepError(f"{self.folder} cannot be made: {error.strerror}") from error
        self.table = ResultsTable(self.folder)
        try:
            write_atomically(self.folder / "spec.json", _as_json(self._record()))
        except BaseException:
            self.table.close()
            raise

    def _record(self) -> dict[str, Any]:
        spec = self.spec
        return {
            "source": spec.data.source.as_dict(),
            "test": spec.data.test,
            "search": {**vars(spec.search), "seeds": list(spec.search.seeds)},
            "final_seeds": list(spec.final_seeds),
            "candidates": [candidate.as_dict() for candidate in self.candidates],
            "fingerprint": self._fingerprint,
            "total": self.total,
            "versions": versions(),
        }

    def __enter__(self) -> Sweep:
        return self

    def __exit__(self, *reason) -> None:
        self.close()

    def close(self) -> None:
        """End the workers; what is done is in the folder."""
        try:
            self._pool.close()
        finally:
            self.table.close()

    def stop(self) -> None:
        """End the sweep soon, from any thread; runs that are under way are lost."""
        self._stopped.set()
        self._pool.interrupt()

    @property
    def stopped(self) -> bool:
        return self._stopped.is_set()

    def run(self) -> Iterator[FinishedRun]:
        """Do all runs that are not done; at the end ``choice`` is set.

        Yields
        ------
        FinishedRun
            After every run.

        Raises
        ------
        ValueError
            In one sentence, where the sweep cannot go on; what is done is kept.
        """
        self._begun, self._fresh = time.monotonic(), 0
        spec, search, rows = self.spec, self.spec.search, self.table.rows
        candidates = self.candidates
        for rung, size in enumerate(selection.rung_sizes(len(candidates), search)):
            candidates = candidates[:size] if rung else candidates
            jobs = selection.halving_jobs(candidates, search, rung, self._rows_name)
            yield from self._do(jobs)
            if self.stopped:
                return
            candidates = selection.best(candidates, jobs, rows, len(candidates))
        self._ranking = selection.ranked(candidates, jobs, rows)
        finals = selection.final_jobs(candidates[0], spec.final_seeds, self._rows_name)
        yield from self._do(finals)
        if self.stopped:
            return
        failed = [rows[job.key]["error"] for job in finals if rows[job.key].get("error")]
        if failed:
            raise SweepError(f"a final run failed: {failed[0]}")
        self.choice = self._choose(finals)
        write_atomically(self.folder / CHOICE, _as_json(vars(self.choice)))

    def ranking(self) -> list[tuple[float, dict[str, Any]]]:
        """Mean validation figure and settings of the last rung's candidates, the best first.

        Empty before the search has ended.
        """
        return [(score, config.as_dict()) for score, config in self._ranking]

    def _choose(self, finals: Sequence[Job]) -> SelectedCandidate:
        rows = [self.table.rows[job.key] for job in finals]
        names = ("test_accuracy", "test_r2", "test_loss", "active_leaves")
        test = {name: pair for name in names if (pair := selection.mean_and_deviation(rows, name))}
        tested = {r["candidate"] for r in self.table.rows.values() if r["stage"] == "final"}
        validation, settings = self.ranking()[0]
        return SelectedCandidate(
            settings, validation, test, tuple(job.key for job in finals), len(tested)
        )

    def _do(self, jobs: Sequence[Job]) -> Iterator[FinishedRun]:
        """Do those of some runs that are not done."""
        left = {}
        for job in jobs:
            row = self.table.rows.get(job.key)
            if row is None or row.get("error"):
                left[job.key] = job
            else:
                self.done += 1
        deaths = 0
        while left and not self.stopped:
            before = len(left)
            try:
                results = self._pool.results(
                    list(left.values()), self.spec.data, self._fingerprint, self._stopped.is_set
                )
                with contextlib.closing(results):
                    for result in results:
                        if left.pop(result.row["key"], None) is not None:
                            yield self._keep(result)
                        if self.stopped:
                            return
            except Stopped:
                return
            except PoolBroken as error:
                if self.stopped:
                    return
                LOGGER.warning("%s: a worker died, its runs begin anew: %s", self.folder, error)
                deaths = deaths + 1 if len(left) == before else 0
                if deaths == DEATHS:
                    raise SweepError(
                        f"the workers died {DEATHS} times without finishing a run ({error}): give "
                        "them more memory, or fewer of them; start the sweep again to go on"
                    ) from error

    def _keep(self, result) -> FinishedRun:
        if result.tree is not None:
            path = self.folder / "trees" / f"{result.row['key']}.json"
            write_atomically(path, result.tree.encode())
        if result.row["stage"] == "search":  # it may be the best: an earlier choice is none now
            (self.folder / CHOICE).unlink(missing_ok=True)
        # The tree is there before its row, so that every row has a tree.
        self.table.append(result.row)
        self.done += 1
        self._fresh += 1
        row = result.row
        if row["error"]:
            LOGGER.warning("%s: run %s failed: %s", self.folder, row["key"], row["error"])
        else:
            LOGGER.info("%s: run %s done by %s", self.folder, row["key"], row["worker"])
        pace = (time.monotonic() - self._begun) / self._fresh
        return FinishedRun(row, self.done, self.total, pace * max(0, self.total - self.done))


def read_choice(folder: str | Path) -> SelectedCandidate | None:
    """How the sweep in a folder ended; None where it has not."""
    try:
        record = json.loads((Path(folder) / CHOICE).read_text(encoding="utf-8"))
        test = {name: tuple(pair) for name, pair in record["test"].items()}
        return SelectedCandidate(**{**record, "test": test, "keys": tuple(record["keys"])})
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SweepError(f"{Path(folder) / CHOICE} is damaged ({error})") from error


def _as_json(content: Any) -> bytes:
    def plain(value):
        return None if isinstance(value, float) and not math.isfinite(value) else value

    return (json.dumps({k: plain(v) for k, v in content.items()}, indent=1) + "\n").encode()

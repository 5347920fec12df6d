"""A sweep at work: runs handed out, rows kept as they come, whatever dies on the way.

The driver decides what is to be run, keeps what comes back and alone writes to the folder::

    spec.json          the sweep, its rows' fingerprint, versions
    study.db           Optuna's studies, a trial a candidate, see :mod:`treecore.sweeps.study`
    trees/KEY.json     the tree of every run
    checkpoints/KEY    a run under way, where the workers see the folder
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
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from treecore.base.folder_lock import FolderBusyError, FolderLock
from treecore.base.state_file import write_atomically
from treecore.data.sources import look_for
from treecore.runs.run_directory import versions
from treecore.sweeps import selection
from treecore.sweeps.pools import Pool, PoolBroken
from treecore.sweeps.selection import Job
from treecore.sweeps.spec import SweepError, SweepSpec, import_optuna
from treecore.sweeps.study import RUN, open_storage, refuse_old, rows_in, sentence_on
from treecore.sweeps.work import Stopped, rows_of, run_job
from treecore.training.config import RunConfig

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
        Its row of the table, settings and figures by name.
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
        Candidates of its method in this folder that have ever been tested. More than one are more
        than the protocol allows: somebody has changed the sweep after a test.
    others : dict
        As ``test``, of the best candidate of every other method, by the method's name.
    """

    settings: dict[str, Any]
    validation: float
    test: dict[str, tuple[float, float]]
    keys: tuple[str, ...]
    n_tested: int
    others: dict[str, dict[str, tuple[float, float]]] = field(default_factory=dict)


Search = Generator["FinishedRun", None, tuple[list[RunConfig], list[Job]]]
"""A search: its runs as they finish; candidates of its last rung and their runs."""


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
    choice : SelectedCandidate or None
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
        self._task = rows.train.task
        self._points = spec.points(self._task)
        self.candidates = [config for _, config in self._points]
        self._fingerprint = rows.fingerprint
        source = spec.data.source
        self._rows_name = selection.digest(
            [rows.fingerprint, source.held_out, source.seed, spec.data.test]
        )
        self._stopped = threading.Event()
        self.choice: SelectedCandidate | None = None
        self._ranking: list[Any] = []
        n_candidates = len(self._points) or spec.search.count or 0
        sizes = selection.rung_sizes(n_candidates, spec.search)
        methods = {name for entry in spec.methods for name in entry["method"]}
        self._n_finals = len(spec.final_seeds) * len(methods)
        self.total = sum(sizes) * len(spec.search.seeds) + self._n_finals
        self.done = 0
        import_optuna()
        refuse_old(self.folder)
        try:
            for name in ("trees", "checkpoints"):
                (self.folder / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SweepError(f"{self.folder} cannot be made: {error.strerror}") from error
        self._lock = _locked(self.folder)
        try:
            with sentence_on(self.folder):
                self._open()
            write_atomically(self.folder / "spec.json", _as_json(self._record()))
        except BaseException:
            self._lock.close()
            raise

    def _open(self) -> None:
        """Find the study of this sweep, or make it, and all runs of the folder."""
        optuna, search = import_optuna(), self.spec.search
        storage = open_storage(self.folder)
        name = selection.digest([self._rows_name, vars(search), self.spec.entries()])
        self._study = optuna.create_study(
            storage=storage,
            study_name=f"{search.kind} {name[:8]}",
            load_if_exists=True,
            direction="maximize",
        )
        self.rows = rows_in(storage)
        self._trials: dict[str, list[Any]] = {}  # TPE may suggest a candidate twice
        self._earlier = [t for t in self._study.get_trials() if "candidate" in t.user_attrs]
        for trial in self._earlier:
            if search.kind == "tpe" or trial.state.name != "FAIL":  # what failed is tried again
                self._trials.setdefault(trial.user_attrs["candidate"], []).append(trial)

    def _record(self) -> dict[str, Any]:
        spec = self.spec
        return {
            "source": spec.data.source.as_dict(),
            "test": spec.data.test,
            "search": {**vars(spec.search), "seeds": list(spec.search.seeds)},
            "final_seeds": list(spec.final_seeds),
            "methods": spec.entries(),
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
            self._lock.close()

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
        with sentence_on(self.folder):
            self._begun, self._fresh = time.monotonic(), 0
            spec, rows = self.spec, self.rows
            search = self._by_tpe() if spec.search.kind == "tpe" else self._in_rungs()
            candidates, jobs = yield from search
            if self.stopped:
                return
            self._ranking = selection.ranked(candidates, jobs, rows)
            best = selection.best_of_methods(self._ranking)
            finals = {
                config.method: selection.final_jobs(config, spec.final_seeds, self._rows_name)
                for config in best
            }
            n_finals = len(spec.final_seeds) * len(finals)
            self.total += n_finals - self._n_finals  # none of a method whose candidates failed
            self._n_finals = n_finals
            yield from self._do([job for jobs in finals.values() for job in jobs])
            if self.stopped:
                return
            chosen = finals.pop(best[0].method)
            failed = [rows[job.key]["error"] for job in chosen if rows[job.key].get("error")]
            if failed:
                raise SweepError(f"a final run failed: {failed[0]}")
            self.choice = self._choose(best[0], chosen, finals)
            write_atomically(self.folder / CHOICE, _as_json(vars(self.choice)))

    def _in_rungs(self) -> Search:
        """Candidates that are all known: one rung, or several, each of the best of the last."""
        search = self.spec.search
        known = set(self._trials)
        for parameters, config in self._points:
            if selection.name_of(config) not in known:
                self._study.enqueue_trial(parameters)
                self._ask(0)
        candidates, jobs = self.candidates, []
        for rung in range(search.rungs):
            jobs = selection.halving_jobs(candidates, search, rung, self._rows_name)
            yield from self._do(jobs)
            if self.stopped:
                break
            candidates = self._judge(candidates, jobs, rung)
        return candidates, jobs

    def _by_tpe(self) -> Search:
        """As many candidates at a time as there are workers, suggested by all that are done."""
        search, jobs, requested = self.spec.search, [], 0
        while requested < (search.count or 0) and not self.stopped:
            size = min(self._pool.n_workers, (search.count or 0) - requested)
            batch = []
            for number in range(requested, requested + size):
                if number < len(self._earlier):
                    fixed = import_optuna().trial.FixedTrial(self._earlier[number].params)
                    config = self.spec.suggested(fixed, self._task)
                else:
                    config = self._ask(search.seed + number)
                batch.append(config)
            requested += size
            new = selection.halving_jobs(batch, search, 0, self._rows_name)
            yield from self._do(new)
            if self.stopped:
                break
            self._judge(batch, new, 0, entire=False)
            self.candidates += [one for one in batch if one not in self.candidates]
            jobs += new
        self._fail_if_none(self.candidates, jobs)
        return self.candidates, jobs

    def _ask(self, seed: int) -> RunConfig:
        """A new trial's candidate; a sampler's seed a trial, so that going on changes none."""
        optuna = import_optuna()
        self._study.sampler = optuna.samplers.TPESampler(seed=seed % 2**32)
        trial = self._study.ask()
        config = self.spec.suggested(trial, self._task)
        name = selection.name_of(config)
        trial.set_user_attr("candidate", name)
        self._trials.setdefault(name, []).append(self._study.get_trials()[trial.number])
        return config

    def _judge(
        self, candidates: list[RunConfig], jobs: Sequence[Job], rung: int, entire: bool = True
    ) -> list[RunConfig]:
        """Tell Optuna how candidates did in a rung; those that go on, the best first."""
        # Optuna's own pruner judges a trial by those told before it, so their order would decide.
        optuna, search = import_optuna(), self.spec.search
        states, step = optuna.trial.TrialState, search.keep**rung
        ranked = selection.ranked(candidates, jobs, self.rows)
        good = [pair for pair in ranked if pair[0] > -math.inf]
        if entire:
            self._fail_if_none(candidates, jobs)
        for _, config in ranked[len(good) :]:
            self._tell(config, state=states.FAIL)
        if rung == search.rungs - 1:
            for score, config in good:
                self._tell(config, values=score)
            return [config for _, config in good]
        n_kept = max(1, len(good) // search.keep)
        for score, config in good:
            frozen = self._trials[selection.name_of(config)][-1]
            if not frozen.state.is_finished() and step not in frozen.intermediate_values:
                optuna.trial.Trial(self._study, frozen._trial_id).report(score, step)
        for _, config in good[n_kept:]:
            self._tell(config, state=states.PRUNED)
        return [config for _, config in good[:n_kept]]

    def _tell(self, config: RunConfig, **how: Any) -> None:
        for trial in self._trials[selection.name_of(config)]:
            self._study.tell(trial.number, **how, skip_if_finished=True)

    def _fail_if_none(self, candidates: Sequence[RunConfig], jobs: Sequence[Job]) -> None:
        scores = [score for score, _ in selection.ranked(candidates, jobs, self.rows)]
        if not self.stopped and max(scores, default=-math.inf) == -math.inf:
            reasons = [self.rows[job.key].get("error") for job in jobs]
            reason = next(filter(None, reasons), "no figures")
            raise SweepError(f"no run could be measured: {reason}")

    def ranking(self) -> list[tuple[float, dict[str, Any]]]:
        """Mean validation figure and settings of the last rung's candidates, the best first.

        Empty before the search has ended.
        """
        return [(score, config.as_dict()) for score, config in self._ranking]

    def _choose(
        self, config: RunConfig, jobs: Sequence[Job], others: Mapping[str, Sequence[Job]]
    ) -> SelectedCandidate:
        finals = [row for row in self.rows.values() if row["stage"] == "final"]
        tested = {row["candidate"] for row in finals if row["method"] == config.method}
        return SelectedCandidate(
            config.as_dict(),
            self._ranking[0][0],
            self._tested(jobs),
            tuple(job.key for job in jobs),
            len(tested),
            {method: self._tested(own) for method, own in others.items()},
        )

    def _tested(self, jobs: Sequence[Job]) -> dict[str, tuple[float, float]]:
        rows = [self.rows[job.key] for job in jobs]
        names = ("test_accuracy", "test_r2", "test_loss", "active_leaves")
        return {name: pair for name in names if (pair := selection.mean_and_deviation(rows, name))}

    def _do(self, jobs: Sequence[Job]) -> Iterator[FinishedRun]:
        left = {}
        for job in jobs:
            row = self.rows.get(job.key)
            if row is None or row.get("error"):
                checkpoint = str((self.folder / "checkpoints" / job.key).resolve())
                left[job.key] = replace(job, checkpoint=checkpoint)
            else:
                self.done += 1
        run = partial(run_job, data=self.spec.data, fingerprint=self._fingerprint)
        deaths = 0
        while left and not self.stopped:
            before = len(left)
            try:
                jobs = list(left.values())
                results = self._pool.results(run, jobs, self._stopped.is_set)
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
                LOGGER.warning("%s: a worker died, its runs start again: %s", self.folder, error)
                deaths = deaths + 1 if len(left) == before else 0
                if deaths == DEATHS:
                    raise SweepError(
                        f"the workers died {DEATHS} times without finishing a run ({error}): give "
                        "them more memory, or fewer of them; start the sweep again to continue"
                    ) from error

    def _keep(self, result) -> FinishedRun:
        if result.tree is not None:
            path = self.folder / "trees" / f"{result.row['key']}.json"
            write_atomically(path, result.tree.encode())
        if result.row["stage"] == "search":  # it may be the best: an earlier choice is none now
            (self.folder / CHOICE).unlink(missing_ok=True)
        # The tree is there before its row, so that every row has a tree.
        key, number = result.row["key"], len(self.rows)
        self._study.set_user_attr(RUN + key, {"number": number, "row": result.row})
        self.rows[key] = result.row
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
        for test in (record["test"], *record.get("others", {}).values()):
            test |= {name: tuple(pair) for name, pair in test.items()}
        return SelectedCandidate(**{**record, "keys": tuple(record["keys"])})
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SweepError(f"{Path(folder) / CHOICE} is damaged ({error})") from error


def _locked(folder: Path) -> FolderLock:
    try:
        return FolderLock(folder)
    except FolderBusyError as error:
        raise SweepError(
            f"another sweep is at work in {folder}: choose another folder, or wait for it"
        ) from error
    except OSError as error:
        raise SweepError(f"{folder} cannot be written to: {error.strerror}") from error


def _as_json(content: Any) -> bytes:
    return (json.dumps(content, indent=1) + "\n").encode()

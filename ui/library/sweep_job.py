"""A sweep that is done in the background: how far it is, and its end when it is stopped.

All that is done is in the sweep's folder at once. The job ends with the session that has begun
it, and the sweep goes on from there when somebody starts it again, here or on the command line.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from treecore import warm_up
from treecore.sweeps import (
    FinishedRun,
    LocalPool,
    Pool,
    SelectedCandidate,
    SerialPool,
    Sweep,
    SweepSpec,
)
from treecore.viewer import News
from ui.jobs.background import BackgroundJob, Steps
from ui.jobs.machine.scheduler import LAST_IN_LINE
from ui.jobs.machine.worker import Turns
from ui.jobs.visitor import session_client
from ui.language.translate import N_
from ui.live.channel import Channel, WholeSource


@dataclass(frozen=True)
class SweepProgress:
    """How far a sweep is; done: with the ``skipped`` runs of an earlier start."""

    done: int
    total: int
    skipped: int
    seconds_left: float | None
    running: bool
    stopped: bool
    message: str
    problem: str
    choice: SelectedCandidate | None

    @property
    def share(self) -> float:
        return min(1.0, self.done / max(1, self.total))


class TurnPool(SerialPool):
    """Runs in the job's own thread, every step by the job's turn; take: False to look first."""

    def __init__(self, take: Callable[[], bool]):
        self._take = take

    def results(self, run, jobs, stopped):
        """Stops in the middle of a run."""

        def ended() -> bool:
            while not stopped():
                if self._take():
                    return False
            return True

        yield from super().results(run, jobs, ended)


class SweepJob(BackgroundJob[SweepProgress]):
    """One sweep, begun at once: in this thread by turns, or in several processes."""

    kind = "sweep"
    unwatched_seconds = math.inf
    out_of_memory = N_(
        "there is not enough memory for these runs: use fewer examples, or fewer parallel runs"
    )
    went_wrong = N_(
        "something went wrong: reload the page to try again; the server's log has the reason"
    )

    def __init__(
        self,
        spec: SweepSpec,
        folder: Path,
        n_workers: int,
        turn: Turns | None = None,
        announce: Callable[[], None] | None = None,
    ):
        # A turn is held while its thread waits for processes: it would be nobody's for long.
        turn = turn if n_workers == 1 else None
        super().__init__(playing=True, turn=turn, announce=announce)
        self.folder = folder
        self._spec, self._n_workers = spec, n_workers
        self._start()

    def _pool(self) -> Pool:
        if self._n_workers == 1:
            return TurnPool(lambda: self._turn.take(self._elapsed()))
        # they take no turns: the system serves visitors first
        return LocalPool(self._n_workers, 10)

    def _elapsed(self) -> float:
        return LAST_IN_LINE

    def stop(self) -> None:
        if (sweep := self._sweep) is not None:
            sweep.stop()
        super().stop()

    def close(self) -> None:
        self.stop()
        super().close()

    def _clear(self) -> None:
        self._message = N_("Preparing")
        self._sweep: Sweep | None = None
        self._done = self._skipped = self._total = 0
        self._left: tuple[float, float] | None = None  # seconds, and when they were so many
        self._choice: SelectedCandidate | None = None

    def _snapshot(self) -> SweepProgress:
        running, left = self.alive, None
        if running and self._left is not None:
            seconds, moment = self._left
            left = max(0.0, seconds - (self._wall.now() - moment))
        return SweepProgress(
            self._done,
            self._total,
            self._skipped,
            left,
            running,
            self._stopping and self._choice is None,
            self._message if running else "",
            self.failure.sentence if self.failure else "",
            self._choice,
        )

    def _steps(self) -> Steps:
        warm_up(self._report)
        self._report(N_("Reading the examples"))
        yield lambda: None  # it may have been stopped by now
        with Sweep(self._spec, self.folder, self._pool()) as sweep:
            yield functools.partial(self._show_start, sweep)
            for step in sweep.run():
                yield functools.partial(self._show_step, step)
            yield functools.partial(self._show_end, sweep)

    def _show_start(self, sweep: Sweep) -> None:
        self._sweep, self._total = sweep, sweep.total
        self._message = N_("The first run is in progress")
        self._announce()

    def _show_step(self, step: FinishedRun) -> None:
        if self._left is None:
            self._skipped = max(0, step.done - 1)
        self._done, self._total = step.done, step.total
        self._left = step.seconds_left, self._wall.now()
        self._message = ""
        self._announce()

    def _show_end(self, sweep: Sweep) -> None:
        if self._left is None:
            self._skipped = sweep.done
        self._choice, self._done, self._total = sweep.choice, sweep.done, sweep.total


PROGRESS = "sweep"
"""The view of the channel that has the progress drawn anew."""


class SweepSession:
    """The sweep that a session has begun; another session's is only seen by its folder."""

    def __init__(self):
        self.job: SweepJob | None = None
        self.name = ""
        self.client = session_client()
        self.channel = Channel()
        self.channel.show(PROGRESS, WholeSource(self._beat, hurry=self._ended, gap=0.5))

    def start(self, spec: SweepSpec, folder: Path, name: str, n_workers: int) -> None:
        """Begin, unless one is at work: a click may arrive twice."""
        if self.job is None or not self.job.alive:
            announce = self.channel.announce
            turn = self.client.turn()
            self.job = SweepJob(spec, folder, n_workers, turn=turn, announce=announce)
            self.name = name

    def stop(self) -> None:
        if self.job is not None:
            self.job.stop()

    def close(self) -> None:
        self.channel.close()
        self.stop()

    def _ended(self) -> bool:
        return self.job is None or not self.job.alive

    def _beat(self) -> News:
        """What the page says of the sweep, for the view that has it drawn anew."""
        look = self.job.look() if self.job else None
        state = "running" if look and look.running else "finished"
        state_shown = look and (look.done, look.total, look.stopped, look.message, look.problem)
        return {"state": state, "done": state_shown}, {}

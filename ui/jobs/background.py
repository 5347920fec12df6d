"""One background job: work that is done step by step in a thread of its own, under command.

The work never waits for a screen and the screen never waits for the work: whoever draws looks at
what is there. Commands say what should be, not what to change ("be at step 7", not "one more"),
because a browser may send a click twice.
"""

from __future__ import annotations

import functools
import itertools
import logging
import math
import threading
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from treecore.base import Filled
from ui.jobs.machine.events import log_event
from ui.jobs.machine.memory import Account
from ui.jobs.machine.worker import Turns, Worker, afterwards
from ui.jobs.pacing import WallClock
from ui.jobs.session import session_number
from ui.language.translate import N_, ngettext

UNWATCHED_SECONDS = 30.0
"""A job that nobody has looked at for so long waits until somebody does."""

Steps = Generator[Callable[[], None], None, None]
"""Work, step by step; what it yields shows the step that has just been done."""

Seen = TypeVar("Seen")

_numbers = itertools.count(1)
_held: weakref.WeakSet[BackgroundJob] = weakref.WeakSet()
_held_lock = threading.Lock()


def jobs() -> list[BackgroundJob]:
    with _held_lock:
        return [job for job in _held if not job._closed]


def waiting_text(waits: tuple[int, float] | None) -> str:
    """A sentence on :meth:`.Turns.wait_for_others`, where there is a wait."""
    if waits is None:
        return ""
    n, seconds = waits
    return ngettext(
        "1 other run is learning: yours continues in about {longest:.0f} s.",
        "{n} other runs are learning: yours continues in about {longest:.0f} s.",
        n,
        longest=seconds,
    )


@dataclass(frozen=True)
class Failure:
    """Why a job cannot go on; defect: whether the program is to blame; the log has more then."""

    sentence: str
    defect: bool


class BackgroundJob(ABC, Generic[Seen]):
    """Work in a background thread, under command; a subclass sets its own, then calls ``_start``.

    Turns are taken for every step, memory is given back when it is closed; ``announce`` is called
    with the condition held when there may be news: it must not wait.
    """

    kind = "job"
    """Part of the thread's name, and what the log calls the work."""

    unwatched_seconds = UNWATCHED_SECONDS
    forgotten_seconds = math.inf
    """A job that nobody has looked at for so long is stopped."""

    out_of_memory = N_("There is not enough memory for this. Use fewer examples.")
    went_wrong = N_(
        "Something went wrong. Reload the page to try again; the server's log has the reason."
    )

    def __init__(
        self,
        *,
        playing: bool = False,
        turn: Turns | None = None,
        memory: Account | None = None,
        wall: WallClock | None = None,
        announce: Callable[[], None] | None = None,
    ):
        self._wall = wall or WallClock()
        self._turn = turn or Turns()
        self._memory = memory
        self._announce = announce or (lambda: None)
        self._changed = threading.Condition()
        self._worker = Worker(
            f"treecore-{self.kind}", self._changed, self._next_life, self._announce
        )
        # Commands: what should be. Written under the condition, read by the thread.
        self._goal = math.inf if playing else 0.0  # place to be reached
        self._stopping = self._closed = False
        self.generation = 0
        self._last_look = self._wall.now()
        self._session, self._serial = session_number(), next(_numbers)  # for the log
        # What is so. Written under the condition.
        self._life: object | None = None  # of the work as it is wanted now; None: it has ended
        self._served: object | None = None  # the life that the thread is busy with
        self._phase = "waiting"
        self._message = ""
        self.failure: Failure | None = None
        self._n_steps = -1

    # What a subclass defines ---------------------------------------------------------------------

    @abstractmethod
    def _steps(self) -> Steps:
        """The work, in the thread: yields when prepared and after every step what shows it.

        That is called under the condition. Raises ValueError where there can be no such work.
        """

    @abstractmethod
    def _snapshot(self) -> Seen:
        """What there is to see; called under the condition."""

    def _clear(self) -> None:
        """Nothing is there to see yet, or any more; called under the condition."""

    def _rest(self, phase: str) -> None:
        """The work comes to rest, paused, stopped or finished; called under the condition."""

    def _place(self) -> float:
        """How far the work is, as :meth:`step_to` counts it; called under the condition."""
        return self._n_steps

    def _is_over(self) -> bool:
        """Whether no step is left; called under the condition after every step."""
        return False

    def _lead(self) -> float:
        """Seconds by which the work is ahead of its speed; called after every step."""
        return 0.0

    def _elapsed(self) -> float:
        """Seconds that the work has taken so far: of the jobs of a session, the least is next."""
        return 0.0

    # Commands ------------------------------------------------------------------------------------

    def play(self) -> None:
        """Work to the end; what was stopped begins again."""
        with self._changed:
            if self._phase == "stopped":
                self._begin()
            self._stopping = False
            self.step_to(math.inf)

    def pause(self) -> None:
        self.step_to(0.0)

    def step_to(self, place: float) -> None:
        """Work until ``place`` is reached, then pause."""
        with self._changed:
            self._goal = place
            self._notify()

    def stop(self) -> None:
        """End after the step under way; what is done stays."""
        with self._changed:
            self._stopping = True
            self._notify()

    def reset(self) -> None:
        with self._changed:
            self.generation += 1
            self._goal = 0.0
            self._start()

    def close(self) -> None:
        """End for good; a step under way is still done, but not shown."""
        with self._changed:
            if not self._has_ended():
                self._phase = "stopped"
            self._closed, self._life = True, None
            if self._memory is not None:
                self._memory.release(self)
            self._notify()

    def join(self, seconds: float) -> None:
        self._worker.join(seconds)

    # What is seen --------------------------------------------------------------------------------

    def look(self) -> Seen:
        """What there is to see now. Looking is what keeps a job going."""
        with self._changed:
            now = self._wall.now()
            if now - self._last_look >= self.unwatched_seconds:
                self._notify()
            self._last_look = now
            return self._snapshot()

    @property
    def alive(self) -> bool:
        return self._worker.alive

    @property
    def state(self) -> str:
        """How it stands, in the words of :class:`.Status`, or ``"stopped"``."""
        with self._changed:
            return self._state()

    @property
    def playing(self) -> bool:
        """Whether it has been told to work to the end, and has not come there."""
        with self._changed:
            return math.isinf(self._goal) and not (self._has_ended() or self._stopping)

    def _wants_step(self) -> bool:
        """Whether there is something to do until the goal; called under the condition."""
        return self._place() < self._goal

    def _has_ended(self) -> bool:
        """Whether no step will be done unless it begins again; called under the condition."""
        return self._life is None or self._phase in ("stopped", "finished", "failed")

    def _state(self) -> str:
        """The phase, but ``"running"`` where a pause is over; called under the condition."""
        return "running" if self._phase == "paused" and self._wants_step() else self._phase

    # The thread ----------------------------------------------------------------------------------

    def _notify(self) -> None:
        """A command has come; called under the condition."""
        self._changed.notify_all()
        self._turn.nudge()
        self._announce()

    def _start(self) -> None:
        with self._changed:
            self._clear()
            with _held_lock:
                _held.add(self)
            self._begin()

    def _begin(self) -> None:
        """Begin the work, in a new thread where there is none; called under the condition."""
        if self._closed:
            return
        self._life = object()
        self._phase, self.failure = "waiting", None
        self._stopping = False
        self._n_steps = -1
        self._worker.start()
        self._notify()

    def _next_life(self) -> Callable[[], None] | None:
        """One life of the work after another, as long as one is wanted."""
        life = self._served = self._life
        return None if life is None else functools.partial(self._live, life)

    def _live(self, life: object) -> None:
        started = False
        try:
            phase = "finished"
            with closing(self._steps()) as steps:
                for show in steps:
                    if (reached := self._reach_next(life, show)) is not None:
                        phase = reached
                        break
                    if not started:
                        started = True
                        self._log("run_started")
            with self._changed:
                if self._life is life:
                    self._enter(phase)
                    self._life = None
        except ValueError as error:
            said = error.args[0] if error.args and isinstance(error.args[0], Filled) else str(error)
            self._fail(life, Failure(said, defect=False))
        except MemoryError:
            self._fail(life, Failure(self.out_of_memory, defect=False))
        except BaseException as error:  # a defect: say so on the screen, and in full in the log
            self._fail(life, Failure(self.went_wrong, defect=True), error)
        else:
            if started or phase == "finished":
                self._log(f"run_{phase}")
        finally:
            self._turn.leave()

    def _log(self, event: str, **facts: Any) -> None:
        log_event(
            event,
            session=self._session,
            run=self._serial,
            kind=self.kind,
            steps=max(0, self._n_steps),
            **facts,
        )

    def _reach_next(self, life: object, show: Callable[[], None]) -> str | None:
        """Show what was done and wait until the next step should be; else how the work ends."""
        with afterwards(), self._changed:
            if self._life is not life:
                return "stopped"
            show()
            self._n_steps += 1
            if self._is_over():
                return self._enter("finished")
        with self._changed:
            if self._life is life and (ahead := self._lead()) > 0:
                self._turn.leave()
                self._wall.wait(self._changed, ahead)
        while (reached := self._wait_until_wanted(life)) is None:
            if self._turn.take(self._elapsed()):
                return None
        return reached

    def _wait_until_wanted(self, life: object) -> str | None:
        """Wait until a step should be done; else how the work ends."""
        with self._changed:
            while self._life is life:
                unwatched = self._wall.now() - self._last_look
                if self._stopping or unwatched >= self.forgotten_seconds:
                    return self._enter("stopped")
                if unwatched < self.unwatched_seconds and self._wants_step():
                    self._phase = "running"
                    return None
                self._turn.leave()
                self._enter("paused")
                left = self.forgotten_seconds - unwatched
                self._wall.wait(self._changed, left if math.isfinite(left) else None)
            return "stopped"

    def _enter(self, phase: str) -> str:
        """Be at rest, unless it is so already; called under the condition."""
        if self._phase != phase:
            self._rest(phase)
            self._phase = phase
            self._announce()
        return phase

    def _report(self, message: str) -> None:
        with self._changed:
            if self._life is self._served:  # no reset and no end has come
                self._message = message
                self._announce()

    def _hold(self, n_bytes: int) -> None:
        """Have so much memory for the work from now on. Raises ValueError where it does not fit."""
        with self._changed:
            if self._memory is not None and not self._closed:
                self._memory.hold(self, n_bytes)

    def _fail(self, life: object, failure: Failure, error: BaseException | None = None) -> None:
        with self._changed:
            if self._life is not life:
                return
            self._phase, self._life = "failed", None
            self.failure, self._message = failure, failure.sentence
            self._announce()
        level = logging.ERROR if failure.defect else logging.INFO
        self._log("run_failed", level=level, error=error, defect=failure.defect)

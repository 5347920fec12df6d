"""One run in a background thread, under command: play, pause, step, reset, faster, slower.

The trainer never waits for a screen and the screen never waits for the trainer: the thread
records frames into a bounded buffer, and whoever draws takes what is there. Commands say what
should be, not what to change ("be at epoch 7", not "one more"), because a browser may send a
click twice.
"""

from __future__ import annotations

import logging
import math
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from treecore import Event, Trainer, Tree, warm_up
from ui.jobs.pacing import Pace, WallClock

UNWATCHED_SECONDS = 30.0
"""A run that nobody has looked at for so long waits until somebody does."""

KEPT_FRAMES = 64
"""Frames kept on the server, about two seconds; the browser keeps the whole run."""

SPEEDS = {"Slow": 2.0, "Normal": 8.0, "Fast": 32.0, "Unlimited": math.inf}
"""Passes over the data per second."""

History = tuple[Event, ...]
"""One event for every measured tree of a run's own method, oldest first."""


@dataclass(frozen=True)
class Frame:
    """The tree at one moment.

    Attributes
    ----------
    number : int
        Counts up within a run.
    time : float
        Seconds since the run began, on the server's clock.
    event : Event
    tree : Tree, Forest or HingeForest
        Reads raw features.
    assigned : int32 array, shape (n_samples,), or None
        The leaf that the gradient uses for every training row, where the method keeps them; frames
        between two assignments share it.
    """

    number: int
    time: float
    event: Event
    tree: Tree
    assigned: np.ndarray | None = None


@dataclass(frozen=True)
class Status:
    """What there is to see, taken at one moment.

    Attributes
    ----------
    state : str
        ``"waiting"`` (no tree yet), ``"running"``, ``"paused"``, ``"finished"`` or ``"failed"``.
    message : str
        What the thread is busy with, or what went wrong; empty when there is nothing to say.
    event : Event or None
        The latest.
    frames : tuple of Frame
        The latest ones, oldest first.
    history : tuple of Event
        One for every measured tree of the run's own method, thinned when there are many.
    counts : int64 array, shape (n_leaves, n_classes), or None
        Training rows by leaf and class, of the last measured tree.
    """

    state: str
    message: str
    event: Event | None
    frames: tuple[Frame, ...]
    history: History
    counts: np.ndarray | None


class Recorder(Protocol):
    """Keeps more of a run than the last frames. All calls come from the run's thread."""

    def share(self, trainer: Trainer, event: Event | None) -> float | None:
        """The share of a pass to do before the next event; None for a full slice."""
        ...

    def note(self, trainer: Trainer, event: Event) -> None:
        """An event of the run."""
        ...

    def forget(self) -> None:
        """The run begins anew."""
        ...


class Runner:
    """A run that is played in a thread of its own.

    Parameters
    ----------
    build : callable () -> Trainer
        Makes the trainer, again after every reset; called in the thread. A ``ValueError`` of
        it becomes the message of a failed run.
    speed : float
        Passes a second; see ``SPEEDS``.
    playing : bool
        Whether to begin at once.
    recorder : Recorder or None
        Is told every event, and says how finely the run is cut while its speed is unlimited.
    turn : callable (seconds) -> context manager, or None
        Entered around every step with the seconds spent so far: where several runs share the
        processors, it is what makes them wait for each other.
    prepare : callable (tell), or None
        Called in the thread before the trainer is built, with what shows a message; None: warm_up.
    past : callable (trainer) -> events, or None
        What has led to the trainer as it is built, where it goes on from a checkpoint.
    wall : WallClock or None
        None: the real one.
    """

    def __init__(
        self,
        build: Callable[[], Trainer],
        speed: float,
        playing: bool = False,
        *,
        recorder: Recorder | None = None,
        turn: Callable[[float], AbstractContextManager] | None = None,
        prepare: Callable[[Callable[[str], None]], None] | None = None,
        past: Callable[[Trainer], Sequence[Event]] | None = None,
        wall: WallClock | None = None,
    ):
        self._build = build
        self._prepare = prepare or warm_up
        self._recorder = recorder
        self._past = past or (lambda trainer: ())
        self._wall = wall or WallClock()
        self._stepping = threading.Lock()
        self._turn = turn or (lambda seconds: nullcontext())
        self._changed = threading.Condition()
        # Commands: what should be. Written under the condition, read by the thread.
        self._speed = speed
        self._goal = math.inf if playing else 0.0  # epoch to be reached
        self._generation = 0  # raised by every reset
        self._closed = False
        self._last_look = self._wall.now()
        # What is there to see. Written by the thread under the condition.
        self._trainer: Trainer | None = None
        self._state = "waiting"
        self._message = "Loading the compiled kernels"
        self._event: Event | None = None
        self._frames: deque[Frame] = deque(maxlen=KEPT_FRAMES)
        self._history: list[Event] = []
        self._counts: np.ndarray | None = None
        self._number = 0
        self._began = self._wall.now()
        self._thread = threading.Thread(target=self._live, name="treecore-run", daemon=True)
        self._thread.start()

    def play(self) -> None:
        """Run to the end."""
        self._command(goal=math.inf)

    def pause(self) -> None:
        """Stop where the run is; at most one slice of a few milliseconds is still done."""
        self._command(goal=0.0)

    def step_to(self, epoch: float) -> None:
        """Run until ``epoch`` passes are done and measured, then pause."""
        self._command(goal=epoch)

    def set_speed(self, speed: float) -> None:
        """Passes a second, ``inf`` for as fast as possible."""
        with self._changed:
            if speed != self._speed:  # said again with every look; only a change ends a wait
                self._speed = speed
                self._changed.notify()

    def reset(self) -> None:
        """Back to the start, paused; the same seed gives the same run again."""
        with self._changed:
            self._generation += 1
            self._goal = 0.0
            self._forget()
            self._changed.notify()

    def close(self) -> None:
        """End the thread; the run cannot go on after that."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def latest(self) -> Frame | None:
        """The newest frame, or None before there is one."""
        with self._changed:
            return self._frames[-1] if self._frames else None

    @property
    def alive(self) -> bool:
        """Whether the thread is there."""
        return self._thread.is_alive()

    @property
    def playing(self) -> bool:
        """Whether it has been told to run to the end, and has not come there."""
        with self._changed:
            return math.isinf(self._goal) and self._state not in ("finished", "failed")

    @property
    def generation(self) -> int:
        """How often the run has been reset."""
        return self._generation

    @property
    def next_epoch(self) -> float:
        """The end of the pass after the last measured one: where a single step leads."""
        with self._changed:
            return self._history[-1].done + 1 if self._history else 0.0

    def ask(self, question: Callable[[Trainer], Any]) -> Any:
        """What ``question`` says of the trainer, between two of its steps.

        Raises
        ------
        ValueError
            Before there is a trainer.
        """
        with self._stepping:
            if self._trainer is None:
                raise ValueError("the run has not begun yet; wait a moment")
            return question(self._trainer)

    def look(self) -> Status:
        """What there is to see now. Looking is what keeps a run going."""
        with self._changed:
            if self._wall.now() - self._last_look >= UNWATCHED_SECONDS:
                self._changed.notify()
            self._last_look = self._wall.now()
            return Status(
                state=self._state,
                message=self._message,
                event=self._event,
                frames=tuple(self._frames),
                history=tuple(self._history),
                counts=self._counts,
            )

    def _command(self, goal: float) -> None:
        with self._changed:
            self._goal = goal
            if self._state != "failed":
                # Shown at once, even while the thread still finishes a slice.
                self._state = self._state_now()
            self._changed.notify()

    def _wants_work(self) -> bool:
        """Whether the run should go on; called under the condition."""
        if self._trainer is not None and self._trainer.finished:
            return False
        measured = self._history[-1].done if self._history else -1.0
        return measured < self._goal  # a goal of 0 still asks for the first measured tree

    def _state_now(self) -> str:
        if self._trainer is None or not self._history:
            return "waiting"
        if self._trainer.finished:
            return "finished"
        return "running" if self._wants_work() else "paused"

    def _live(self) -> None:
        """The thread: one life after another, each from a fresh trainer to its end or reset."""
        while not self._closed:
            generation = self._generation
            try:
                self._prepare(self._tell)
                self._run(generation)
            except ValueError as error:  # data or settings that no tree can be learnt from
                self._fail(str(error), generation)
            except MemoryError:
                self._fail("There is not enough memory for this run; use fewer rows.", generation)
            except Exception:  # a defect: say so on the screen, and in full in the log
                logging.getLogger(__name__).exception("a run has failed")
                self._fail("Something went wrong; the log of the server says what.", generation)
            with self._changed:
                while self._generation == generation and not self._closed:
                    self._wall.wait(self._changed)

    def _run(self, generation: int) -> None:
        with self._changed:
            self._forget()
        self._tell("Preparing the data")
        trainer = self._build()
        with self._changed:
            if self._generation != generation:
                return
            self._trainer = trainer
            self._take_past(trainer)
        self._tell("")
        pace = Pace(self._wall)
        while not trainer.finished and self._may_go_on(generation, pace):
            last = self._event
            share = pace.share(self._speed, trainer, last)
            if share is None and self._recorder is not None:
                share = self._recorder.share(trainer, last)
            with self._turn(last.seconds if last else 0.0), self._stepping:
                event = trainer.step(share=share)
            self._note(trainer, event, pace.picture_due(), generation)
            self._sleep(pace.lead(event.done))

    def _take_past(self, trainer: Trainer) -> None:
        """Show where a run that goes on has come from; called under the condition."""
        past = self._past(trainer)
        if not past:
            return
        self._history = [event for event in past if event.stage == trainer.config.method]
        self._event, self._counts = past[-1], trainer.counts
        self._record()
        self._state = self._state_now()

    def _may_go_on(self, generation: int, pace: Pace) -> bool:
        """Wait while the run is paused or unwatched; False when it was reset or closed."""
        with self._changed:
            while True:
                if self._closed or self._generation != generation:
                    return False
                self._state = self._state_now()
                watched = self._wall.now() - self._last_look < UNWATCHED_SECONDS
                if watched and self._wants_work():
                    return True
                self._record()  # where a run stops must be seen
                self._wall.wait(self._changed)
                pace.restart()

    def _forget(self) -> None:
        """Nothing is there to see any more; called under the condition."""
        self._trainer = self._event = self._counts = None
        self._history = []
        self._frames.clear()
        self._began = self._wall.now()
        self._state = "waiting"
        if self._recorder is not None:
            self._recorder.forget()

    def _note(self, trainer: Trainer, event: Event, picture_due: bool, generation: int) -> None:
        with self._changed:
            if self._generation != generation:
                return  # a reset came while this slice was being done
            self._event = event
            if self._recorder is not None:
                self._recorder.note(trainer, event)
            if event.complete:
                self._counts = getattr(trainer, "counts", None)
                if event.stage == trainer.config.method:
                    self._history.append(event)
                    if len(self._history) > 800:  # keep every second point, and the last
                        self._history = self._history[:-1:2] + self._history[-1:]
            if picture_due or not self._wants_work():
                self._record()  # where a run stops must be seen before it is said to have stopped
            self._state = self._state_now()

    def _record(self) -> None:
        """Keep the present tree as a frame, unless it is kept already."""
        with self._changed:
            event = self._event
            if event is None or (self._frames and self._frames[-1].event is event):
                return
            trainer = self._trainer
            if not trainer.begun:  # the first tree of a forest is growing
                return
            moment = self._wall.now() - self._began
            assigned = getattr(getattr(trainer, "learner", None), "assigned", None)
            frame = Frame(self._number, moment, event, trainer.present, assigned)
            self._frames.append(frame)
            self._number += 1

    def _sleep(self, seconds: float) -> None:
        """Wait for the next portion's time; a command ends the wait, a mere look does not."""
        if seconds > 0:
            with self._changed:
                self._wall.wait(self._changed, seconds)

    def _tell(self, message: str) -> None:
        with self._changed:
            self._message = message

    def _fail(self, message: str, generation: int) -> None:
        with self._changed:
            if self._generation == generation:
                self._state, self._message = "failed", message

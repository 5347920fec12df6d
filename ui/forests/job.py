"""One forest that learns in a background thread: play, pause, stop and keep, resume, reset.

A paused run holds its trainer and its thread; a stopped one has given both back and kept the
trainer's state, from which it goes on, bit for bit, whenever it is told to. Commands say what
should be, so that one that arrives twice does no harm.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import numpy as np

from treecore import Event, Trainer, warm_up
from treecore.ensembles import Forest
from treecore.ensembles.memory import check_memory, free_bytes
from treecore.learners.hinge import HingeForest
from ui.forests.metrics import held_error
from ui.forests.presets import Plan, bytes_needed
from ui.jobs.chosen_data import ChosenData
from ui.jobs.pacing import WallClock

UNWATCHED_SECONDS = 600.0
"""A run that nobody has looked at for so long waits: other pages may be read meanwhile."""

KEPT_SHOTS = 40
"""Moments of a hinge forest that are kept to look back at, and most bytes of them all."""
KEPT_BYTES = 200_000_000

MEASURED_ROWS = 4000
"""Held-out rows on which a hinge forest is measured while it learns; at the end it is all."""

MOST_SHOWN = 1500
"""Points on a map; more would hide it, and each other."""

RATE_SECONDS = 8.0
"""The time left is told by how fast the run has been for so long."""


@dataclass(frozen=True)
class Mark:
    """A measured moment.

    Attributes
    ----------
    event : Event
    held : float or None
        Error on the held-out rows; None where there are none.
    """

    event: Event
    held: float | None


@dataclass(frozen=True)
class Shot:
    """A hinge forest after so many mini-batches."""

    done: int
    forest: HingeForest


@dataclass(frozen=True)
class Look:
    """What there is to see of a run, taken at one moment.

    Attributes
    ----------
    state : str
        ``"waiting"`` (nothing is built yet), ``"ready"``, ``"running"``, ``"paused"``,
        ``"stopped"``, ``"finished"`` or ``"failed"``.
    message : str
        What the thread is busy with, what went wrong, or why the run has ended early.
    event : Event or None
    marks : tuple of Mark
    forest : Forest, HingeForest or None
        The latest one that was shown; where the run is at rest, what it would hand out.
    shots : tuple of Shot
        Empty where trees come one by one.
    result : float or None
        Error of ``forest`` on all held-out rows, where the run is at rest.
    weights : dict from int to float32 array
        Where rows are boosted: what those of :func:`shown_rows` weigh after so many kept trees,
        with a mean of 1 over all rows.
    kept_at : int or None
        Mini-batches after which ``forest`` was chosen, where a hinge forest is at rest.
    seconds_left : float or None
        By the wall; None while too little is known.
    """

    state: str
    message: str
    event: Event | None
    marks: tuple[Mark, ...]
    forest: Forest | HingeForest | None
    shots: tuple[Shot, ...]
    result: float | None
    weights: dict[int, np.ndarray]
    kept_at: int | None
    seconds_left: float | None

    @property
    def at_rest(self) -> bool:
        return self.state in ("paused", "stopped", "finished", "failed", "ready")


class _Life:
    """One thread's time: from a fresh trainer, or a kept state, to its end."""

    def __init__(self):
        self.over = False


class ForestRun:
    """One racer.

    Parameters
    ----------
    plan : Plan
    data : ChosenData
    turn : callable (seconds) -> context manager, or None
        Entered around every step, see :class:`ui.jobs.scheduler.Turns`.
    wall : WallClock or None
        None: the real one.
    """

    def __init__(
        self,
        plan: Plan,
        data: ChosenData,
        turn: Callable[[float], AbstractContextManager] | None = None,
        wall: WallClock | None = None,
    ):
        self.plan, self.data = plan, data
        self._wall = wall or WallClock()
        self._turn = turn or (lambda seconds: nullcontext())
        self._changed = threading.Condition()
        self._wish = "pause"
        self._life: _Life | None = None
        self._last_look = self._wall.now()
        self._forget()
        self._begin()

    # Commands ------------------------------------------------------------------------------------

    def play(self) -> None:
        """Learn to the end; a stopped run goes on where it was."""
        with self._changed:
            if self._state in ("finished", "failed"):
                return
            self._wish = "play"
            if self._life is None:
                self._state = "waiting"
                self._begin()
            elif self._state in ("ready", "paused"):
                self._state = "running"
            self._changed.notify_all()

    def pause(self) -> None:
        """Stop after the present step, ready to go on at once."""
        with self._changed:
            if self._wish == "play":
                self._wish = "pause"
                self._changed.notify_all()

    def stop(self) -> None:
        """End the thread after the present step; keep the forest, and what is needed to go on."""
        with self._changed:
            if self._life is not None:
                self._wish = "stop"
                self._changed.notify_all()

    def reset(self) -> None:
        """Back to the start; the same seed gives the same forest again."""
        with self._changed:
            self._end()
            self._forget()
            self._wish = "pause"
            self._begin()

    def close(self) -> None:
        """End for good."""
        with self._changed:
            self._end()

    def join(self, seconds: float) -> None:
        """Wait for the end of the thread."""
        self._thread.join(seconds)

    @property
    def playing(self) -> bool:
        """Whether it has been told to run to the end, and has not come there."""
        with self._changed:
            return self._wish == "play" and self._state not in ("finished", "failed", "stopped")

    @property
    def begun(self) -> bool:
        """Whether it has learnt anything."""
        return self._event is not None

    def look(self) -> Look:
        """What there is to see now. Looking is what keeps a run going."""
        with self._changed:
            if self._wall.now() - self._last_look >= UNWATCHED_SECONDS:
                self._changed.notify_all()
            self._last_look = self._wall.now()
            self._wanted = True
            return Look(
                self._state,
                self._message,
                self._event,
                tuple(self._marks),
                self._forest,
                tuple(self._shots),
                self._result,
                dict(self._weights),
                self._kept_at,
                self._seconds_left(),
            )

    # The thread ----------------------------------------------------------------------------------

    def _forget(self) -> None:
        self._state, self._message = "waiting", "Preparing compiled code"
        self._event: Event | None = None
        self._marks: list[Mark] = []
        self._shots: list[Shot] = []
        self._weights: dict[int, np.ndarray] = {}
        self._forest = self._kept = self._result = self._kept_at = None
        self._wanted = False
        self._rate: deque[tuple[float, float]] = deque()

    def _begin(self) -> None:
        """A new thread; called under the condition, or before anybody else knows this run."""
        life = self._life = _Life()
        self._rate.clear()
        self._thread = threading.Thread(
            target=self._live, args=(life,), name="treecore-forest", daemon=True
        )
        self._thread.start()

    def _end(self) -> None:
        if self._life is not None:
            self._life.over = True
            self._life = None
            self._changed.notify_all()

    def _live(self, life: _Life) -> None:
        try:
            trainer = self._build(life)
            while not trainer.finished and self._may_go_on(life, trainer):
                self._step(life, trainer)
            self._leave(life, trainer)
        except ValueError as error:  # data or settings that no forest can be learnt from
            self._fail(life, str(error))
        except MemoryError:
            self._fail(life, "there is not enough memory for this forest; take fewer trees")
        except Exception:  # a defect: say so on the screen, and in full in the log
            logging.getLogger(__name__).exception("a forest's run has failed")
            self._fail(life, "something went wrong; the log of the server says what")

    def _build(self, life: _Life) -> Trainer:
        plan, train, held = self.plan, self.data.train, self.data.held
        n_outputs = max(2, train.n_classes) if train.task == "classification" else 1
        needed = bytes_needed(plan, train.n_samples, train.n_features, n_outputs)
        free = free_bytes()
        check_memory(needed, None if free is None else free * 9 // 10, plan.n_trees)
        warm_up(lambda message: self._tell(life, message), plan.config)
        given = {"n_classes": train.n_classes or None}
        if held and not plan.hinge:  # which chooses by rows of its own
            given["validation"] = held.X, held.y
        if self._kept is None:
            trainer = Trainer(plan.config, train.X, train.y, **given)
        else:
            trainer = Trainer.from_state(self._kept, plan.config, train.X, train.y, **given)
        with self._changed:
            if self._life is life:
                self._message = ""
                self._state = "running" if self._wish == "play" else "ready"
        return trainer

    def _may_go_on(self, life: _Life, trainer) -> bool:
        """Wait while the run is paused or unwatched; False when it should end."""
        with self._changed:
            while True:
                if life.over or self._wish == "stop":
                    return False
                watched = self._wall.now() - self._last_look < UNWATCHED_SECONDS
                if self._wish == "play" and watched:
                    self._state = "running"
                    return True
                if self._state == "running":
                    self._show(trainer)
                    self._state = "paused"
                self._rate.clear()
                self._wall.wait(self._changed)

    def _step(self, life: _Life, trainer) -> None:
        with self._turn(self._event.seconds if self._event else 0.0):
            if life.over:
                return
            event = trainer.step()
            hinge = self.plan.hinge
            held, shot = event.validation_error, None
            if event.complete and hinge:
                shot = Shot(event.done, trainer.present)
                held = held_error(shot.forest, self.data, MEASURED_ROWS)
        with self._changed:
            if self._life is not life:
                return
            self._event = event
            now = self._wall.now()
            self._rate.append((now, event.progress))
            while now - self._rate[0][0] > RATE_SECONDS:
                self._rate.popleft()
            if event.complete and self.plan.is_boosting:
                self._weigh(trainer)
            if event.complete and (not hinge or self._new(event)):
                self._marks.append(Mark(event, held))
                if shot is not None:
                    self._keep(shot)
                elif self._wanted:
                    self._forest, self._wanted = trainer.model, False

    def _weigh(self, trainer: Trainer) -> None:
        """Keep what rows weigh now. Not all is in the trees: restarts draw weights anew."""
        n = self.data.train.n_samples
        self._weights[len(trainer.trees)] = (trainer.weights[shown_rows(n)] * n).astype(np.float32)

    def _new(self, event: Event) -> bool:
        """A run that goes on from a state may tell once more what it has told."""
        return not self._marks or event.done > self._marks[-1].event.done

    def _keep(self, shot: Shot) -> None:
        """Keep a moment; thin them all when there are too many."""
        self._forest, self._kept_at = shot.forest, None
        self._shots.append(shot)
        most = max(4, min(KEPT_SHOTS, KEPT_BYTES // (4 * shot.forest.n_parameters)))
        if len(self._shots) > most:
            # The first and the last stay, and those between are as far apart as they can be.
            del self._shots[1:-1:2]

    def _show(self, trainer) -> None:
        """Have the whole forest there to be seen, and judge it; the run is at rest."""
        if self._marks:
            self._forest = trainer.model
            if self.plan.hinge and trainer.best_at >= 0:
                self._kept_at = trainer.best_at
        if self._forest is not None:
            self._result = held_error(self._forest, self.data)

    def _leave(self, life: _Life, trainer) -> None:
        """The run is over, or stopped: give the trainer back."""
        with self._changed:
            if self._life is not life:
                return
            self._show(trainer)
            self._life = None
            if trainer.finished:
                self._state, self._kept = "finished", None
                self._message = self._event.note if self._event else ""
            else:
                self._kept = trainer.state()
                self._state = "stopped"
        trainer.close()

    def _tell(self, life: _Life, message: str) -> None:
        with self._changed:
            if self._life is life:
                self._message = message

    def _fail(self, life: _Life, message: str) -> None:
        with self._changed:
            if self._life is life:
                self._state, self._message, self._life = "failed", message, None

    def _seconds_left(self) -> float | None:
        if self._state != "running" or len(self._rate) < 2:
            return None
        (begun, first), (now, last) = self._rate[0], self._rate[-1]
        if now - begun < 0.5 or last <= first:
            return None
        return (1.0 - last) * (now - begun) / (last - first)


def shown_rows(n: int) -> np.ndarray:
    """Which of n training rows are drawn on a map: all, or some evenly among them."""
    return np.arange(n) if n <= MOST_SHOWN else np.linspace(0, n - 1, MOST_SHOWN).astype(int)

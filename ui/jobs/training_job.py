"""One run of a trainer in the background, played at a speed: its frames, history and figures.

The thread records frames into a bounded buffer, and whoever draws takes what is there.
"""

import functools
import math
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from treecore import Event, Trainer, warm_up
from treecore.runs import RunSession
from treecore.viewer import Frame, Status, every_second
from ui.jobs.background import BackgroundJob, Steps, waiting_text
from ui.jobs.machine.memory import Account
from ui.jobs.machine.worker import Turns
from ui.jobs.models import n_bytes
from ui.jobs.pacing import PlaybackPace, WallClock
from ui.jobs.recorder import Recorder
from ui.language.translate import N_, _

KEPT_FRAMES = 64
"""Frames kept on the server, about two seconds; the browser keeps the whole run."""

MIN_FRAMES = 4
"""So many are kept however large they are."""

SPEEDS = {N_("Slow"): 2.0, N_("Normal"): 8.0, N_("Fast"): 32.0, N_("Unlimited"): math.inf}
"""Passes over the data per second."""


class TrainingJob(BackgroundJob[Status]):
    """A run that is played in a thread of its own; its places are passes over the data.

    build: makes the trainer, again after a reset; resumed: goes on first; needs: bytes of memory.
    """

    kind = "run"
    out_of_memory = N_("There is not enough memory for this run. Use fewer examples.")

    def __init__(
        self,
        build: Callable[[], Trainer],
        speed: float,
        playing: bool = False,
        *,
        recorder: Recorder | None = None,
        turn: Turns | None = None,
        memory: Account | None = None,
        needs: int = 0,
        prepare: Callable[[Callable[[str], None]], None] | None = None,
        resumed: RunSession | None = None,
        wall: WallClock | None = None,
        announce: Callable[[], None] | None = None,
    ):
        super().__init__(playing=playing, turn=turn, memory=memory, wall=wall, announce=announce)
        self._build, self._needs = build, needs
        self._prepare = prepare or warm_up
        self._recorder = recorder
        self._resumed = resumed
        self._stepping = threading.Lock()
        self._speed = speed
        self._pace = PlaybackPace(self._wall, self._turn.n_others)
        self._number = 0
        self._frames: deque[Frame] = deque(maxlen=KEPT_FRAMES)
        self._message = N_("Loading the compiled kernels")
        self._start()

    def set_speed(self, speed: float) -> None:
        with self._changed:
            if speed != self._speed:  # said again with every look; only a change ends a wait
                self._speed = speed
                self._changed.notify_all()

    def reset(self) -> None:
        with self._changed:
            self._resumed = None
            super().reset()

    def latest(self) -> Frame | None:
        with self._changed:
            return self._frames[-1] if self._frames else None

    @property
    def next_epoch(self) -> float:
        """The end of the pass after the last measured one: where a single step leads."""
        with self._changed:
            return self._place() + 1

    def ask(self, question: Callable[[Trainer], Any]) -> Any:
        """What ``question`` says of the trainer, between its steps; ValueError before it is."""
        with self._stepping:
            if self._trainer is None:
                raise ValueError(_("the run has not started yet: wait a moment"))
            return question(self._trainer)

    def _snapshot(self) -> Status:
        state = self._state()
        waiting = waiting_text(self._turn.wait_for_others()) if state == "running" else ""
        return Status(
            state=state,
            message=self._message or waiting,
            event=self._event,
            frames=tuple(self._frames),
            history=tuple(self._history),
            counts=self._counts,
        )

    def _state(self) -> str:
        if self._has_ended():
            return self._phase
        if self._trainer is None or not self._history:
            return "waiting"
        # Shown at once, even while the thread still finishes a slice.
        return "running" if self._wants_step() else "paused"

    def _clear(self) -> None:
        self._trainer: Trainer | None = None
        self._event: Event | None = None
        self._counts: np.ndarray | None = None
        self._history: list[Event] = []
        self._frames.clear()
        self._began = self._wall.now()
        if self._recorder is not None:
            self._recorder.forget()

    def _place(self) -> float:
        # A goal of 0 still asks for the first measured tree.
        return self._history[-1].done if self._history else -1.0

    def _is_over(self) -> bool:
        return self._trainer is not None and self._trainer.finished

    def _lead(self) -> float:
        return self._pace.lead(self._event.done) if self._event else 0.0

    def _elapsed(self) -> float:
        return self._event.seconds if self._event else 0.0

    def _rest(self, phase: str) -> None:
        self._record()  # where a run stops must be seen
        self._pace.restart()

    def _steps(self) -> Steps:
        self._prepare(self._report)
        began = self._wall.now()
        self._hold(self._needs)
        self._report(N_("Preparing the data"))
        with self._changed:
            resumed, self._resumed = self._resumed, None
        trainer = resumed.trainer if resumed else self._build()
        yield lambda: self._show_start(trainer, began, resumed.past if resumed else ())
        last = self._event
        while True:
            # A speed is for watching a run go on; who asks for one step wants to see its end.
            speed = self._speed if math.isinf(self._goal) else math.inf
            share = self._pace.share(speed, trainer, last)
            if share is None and self._recorder is not None:
                share = self._recorder.share(trainer, last)
            with self._stepping:
                last = trainer.step(share=share)
            yield functools.partial(self._show_event, trainer, last)

    def _show_start(self, trainer: Trainer, began: float, past: Sequence[Event]) -> None:
        """The trainer, and where a run that goes on has come from."""
        self._trainer, self._began, self._message = trainer, began, ""
        if past:
            self._history = [event for event in past if event.stage == trainer.config.method]
            self._event, self._counts = past[-1], getattr(trainer, "counts", None)
            self._record()

    def _show_event(self, trainer: Trainer, event: Event) -> None:
        self._event = event
        if self._recorder is not None:
            self._recorder.note(trainer, event)
        if event.complete:
            self._counts = getattr(trainer, "counts", None)
            if event.stage == trainer.config.method:
                self._history.append(event)
                if len(self._history) > 800:
                    self._history = every_second(self._history)
        if self._pace.picture_due() or not self._wants_step():
            self._record()  # where a run stops must be seen before it is said to have stopped

    def _record(self) -> None:
        """Keep the present tree as a frame, unless it is kept already."""
        event, trainer = self._event, self._trainer
        if event is None or trainer is None:
            return
        if self._frames and self._frames[-1].event is event:
            return
        if not trainer.started:  # the first tree of a forest is growing
            return
        moment = self._wall.now() - self._began
        assigned = getattr(getattr(trainer, "learner", None), "assigned", None)
        self._frames.append(Frame(self._number, moment, event, trainer.present, assigned))
        self._number += 1
        if self._memory is not None:
            most = self._memory.run_bytes // max(1, n_bytes(self._frames[-1].tree))
            while len(self._frames) > max(MIN_FRAMES, most):
                self._frames.popleft()
        self._announce()

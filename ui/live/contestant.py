"""One run of a comparison: how it learns, and what the clock and the screen show of it."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from treecore import Event, RunConfig
from treecore.training import METHODS
from treecore.viewer import (
    Frame,
    Have,
    News,
    Plane,
    RecordedRun,
    Stage,
    Status,
    living,
    recorded_run,
)
from ui.jobs.chosen_data import ChosenData, new_trainer
from ui.jobs.recorder import Recorder, Snapshot
from ui.jobs.training_job import TrainingJob
from ui.language.translate import _


@dataclass(frozen=True)
class RunView:
    """What the clock shows of one run; at: positions, float64; index: shown now, -1 before any."""

    snapshots: tuple[Snapshot, ...]
    finished: bool
    at: np.ndarray
    index: int

    @property
    def snapshot(self) -> Snapshot | None:
        return self.snapshots[self.index] if self.index >= 0 else None

    @property
    def measured(self) -> Snapshot | None:
        """The last measured tree up to the one on the screen: figures are those of this one."""
        for snapshot in reversed(self.snapshots[: self.index + 1]):
            if snapshot.event.complete:
                return snapshot
        return None


@dataclass
class Contestant:
    """One run of a comparison; frames: what the screen has shown of it lately, in that order."""

    numeral: str
    config: RunConfig
    recorder: Recorder
    runner: TrainingJob
    stage: Stage | None = None
    frames: deque[Frame] = field(default_factory=lambda: deque(maxlen=40))
    shown: Snapshot | None = None
    n_frames: int = 0

    @property
    def is_tree(self) -> bool:
        """Whether it is a single tree, which the live view draws; else a forest."""
        return METHODS[self.config.method].family == "tree"

    def rewind(self) -> None:
        self.frames.clear()
        self.shown = None

    def film(self, view: RunView, started: float, now: float) -> None:
        """Put the snapshots between the last tick and this one among the frames of the screen."""
        snapshot = view.snapshot
        if snapshot is None or snapshot is self.shown:
            return
        new = [snapshot]
        before = next((i for i, s in enumerate(view.snapshots) if s is self.shown), None)
        if before is not None and before < view.index:
            between = view.snapshots[before + 1 : view.index + 1]
            new = list(between[:: max(1, len(between) // 3)])
            if new[-1] is not snapshot:
                new.append(snapshot)
        for i, each in enumerate(new, start=1):
            moment = started + (now - started) * i / len(new)
            frame = Frame(self.n_frames, moment, each.event, each.model, points=each.points)
            self.frames.append(frame)
            self.n_frames += 1
        self.shown = snapshot

    def news(self, view: RunView, state: str, run: str, have: Have, curves: bool) -> News | None:
        assert self.stage is not None, "it is set when the runs are"
        look = self.runner.look()
        past = view.snapshots[: view.index + 1] if curves else ()
        status = Status(
            state="failed" if look.state == "failed" else state,
            message=look.message,
            event=view.snapshot.event if view.snapshot else None,
            frames=tuple(self.frames),
            history=self._history(past),
            counts=view.snapshot.counts if view.snapshot else None,
        )
        return self.stage.news(status, f"{run}.{self.runner.generation}", have)

    def recorded(self, data: ChosenData, plane: Plane, live: bool) -> RecordedRun:
        """A recording of a run that learns one tree; live: the page is to train, where it can."""
        snapshots, finished = self.recorder.snapshots()
        seen = [(shot.event, shot.model, None) for shot in snapshots]
        stage = Stage(data.train, data.held, plane, self.config)
        state = "finished" if finished else "paused"
        history, learns = self._history(snapshots), None
        if live:
            trainer = new_trainer(data, self.config)
            learns = living(trainer, data.train, data.held, stage, _)
        return recorded_run(stage, data.train.name, self.config, seen, history, state, _, learns)

    def _history(self, snapshots: Sequence[Snapshot]) -> tuple[Event, ...]:
        """Measured trees of the method itself; those of the start before it are left out."""
        events = [snapshot.event for snapshot in snapshots if snapshot.event.complete]
        return tuple(event for event in events if event.stage == self.config.method)

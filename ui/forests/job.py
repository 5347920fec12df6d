"""One forest that learns in the background: what is measured and shown of it meanwhile.

A paused job holds its trainer and its thread; a stopped one has given both back and holds the
trainer's state, from which it goes on, bit for bit, when it is played.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore import Event, Trainer, warm_up
from treecore.base.state_file import State
from treecore.ensembles import Forest
from treecore.ensembles.memory import check_memory, free_bytes
from treecore.learners.hinge import HingeForest
from treecore.viewer.pages.thinning import every_second
from ui.forests.metrics import error_of, held_error
from ui.forests.presets import RacerPlan, bytes_needed
from ui.jobs.background import BackgroundJob, Steps
from ui.jobs.chosen_data import ChosenData
from ui.jobs.machine.memory import Account, learning_bytes
from ui.jobs.machine.turns import Turns
from ui.jobs.pacing import WallClock
from ui.jobs.recorder import Snapshot
from ui.language.translate import N_

MOST_SNAPSHOTS = 40
"""Moments of a hinge forest that can be looked back at, and most bytes of them all."""
MOST_BYTES = 200_000_000

MEASURED_ROWS = 4000
"""Held-out rows on which a hinge forest is measured while it learns; at the end it is all."""

MOST_SHOWN = 1500
"""Points on a map; more would hide it, and each other."""

RATE_SECONDS = 8.0
"""The time left is told by how fast the run has been for so long."""


@dataclass(frozen=True)
class Measurement:
    """A measured moment. held: error on the held-out rows; None where there are none."""

    event: Event
    held: float | None


@dataclass(frozen=True)
class ForestStatus:
    """What there is to see of a run, taken at one moment.

    - state: ``"waiting"`` (nothing is built yet), ``"ready"``, ``"running"``, ``"paused"``,
      ``"stopped"``, ``"finished"`` or ``"failed"``.
    - message: what the thread is busy with, what went wrong, or why the run has ended early.
    - forest: the latest one that was shown; where the run is at rest, what it would hand out.
    - snapshots: empty where trees come one by one.
    - result: error of ``forest`` on all held-out rows, where the run is at rest.
    - training_error: the same on the training rows; a hinge forest hands out its best state, and
      the last mark tells of its last one.
    - weights: dict from int to float32 array, where rows are boosted: what those of
      :func:`shown_rows` weigh after so many kept trees, with a mean of 1 over all rows.
    - chosen_at: Mini-batches after which ``forest`` was chosen, where a hinge forest is at rest.
    - seconds_left: by the wall; None while too little is known.
    """

    state: str
    message: str
    event: Event | None
    marks: tuple[Measurement, ...]
    forest: Forest | HingeForest | None
    snapshots: tuple[Snapshot[HingeForest], ...]
    result: float | None
    training_error: float | None
    weights: dict[int, np.ndarray]
    chosen_at: int | None
    seconds_left: float | None

    @property
    def at_rest(self) -> bool:
        return self.state in ("paused", "stopped", "finished", "failed", "ready")


class ForestJob(BackgroundJob[ForestStatus]):
    """One forest of a race.

    turn, wall, memory, announce: of :class:`ui.jobs.background.BackgroundJob`.
    """

    kind = "forest"
    unwatched_seconds = 600.0  # other pages may be read meanwhile
    out_of_memory = N_("there is not enough memory for this forest; take fewer trees")
    went_wrong = N_("something went wrong: reload the page to try again; the server's log says why")

    def __init__(
        self,
        plan: RacerPlan,
        data: ChosenData,
        turn: Turns | None = None,
        wall: WallClock | None = None,
        memory: Account | None = None,
        announce: Callable[[], None] | None = None,
    ):
        super().__init__(turn=turn, memory=memory, wall=wall, announce=announce)
        self.plan, self.data = plan, data
        self._start()

    @property
    def started(self) -> bool:
        """Whether it has learnt anything."""
        return self._event is not None

    def _snapshot(self) -> ForestStatus:
        self._wanted = True
        return ForestStatus(
            self._state(),
            self._message or self._busy(),
            self._event,
            tuple(self._marks),
            self._forest,
            tuple(self._snapshots),
            self._result,
            self._training_error,
            dict(self._weights),
            self._chosen_at,
            self._seconds_left(),
        )

    def _state(self) -> str:
        state = super()._state()
        return "ready" if state == "paused" and self._event is None else state

    def _clear(self) -> None:
        self._message = N_("Preparing compiled code")
        self._trainer: Any = None  # of trees, or of a hinge forest
        self._left: State | None = None  # where a stopped run goes on
        self._event: Event | None = None
        self._marks: list[Measurement] = []
        self._snapshots: list[Snapshot[HingeForest]] = []
        self._weights: dict[int, np.ndarray] = {}
        self._forest: Forest | HingeForest | None = None
        self._result: float | None = None
        self._training_error: float | None = None
        self._chosen_at: int | None = None
        self._wanted = False  # by somebody who has looked since the forest was last shown
        self._rate: deque[tuple[float, float]] = deque()

    def step(self) -> None:
        """Go on to the next measured forest, then pause; what was stopped begins again."""
        with self._changed:
            before = self._place()
            self.play()
            self.step_to(before + 0.5)

    def _place(self) -> float:
        return self._marks[-1].event.done if self._marks else 0.0

    def _is_over(self) -> bool:
        return self._trainer.finished

    def _spent(self) -> float:
        return self._event.seconds if self._event else 0.0

    def _rest(self, phase: str) -> None:
        """Have all of the forest there to be seen, and judge it."""
        trainer = self._trainer
        if self._marks:
            self._forest = trainer.model
            if self.plan.hinge and trainer.best_at >= 0:
                self._chosen_at = trainer.best_at
        if self._forest is not None:
            self._result = held_error(self._forest, self.data)
            train = self.data.train
            self._training_error = error_of(self._forest, train.given, train.y)
        self._rate.clear()
        if phase == "stopped":
            self._left = trainer.state()
        elif phase == "finished":
            self._left, self._message = None, self._event.note if self._event else ""

    def _steps(self) -> Steps:
        trainer = self._build()
        try:
            yield functools.partial(self._show_start, trainer)
            while True:
                event = trainer.step()
                error, snapshot = event.validation_error, None
                if event.complete and self.plan.hinge:
                    snapshot = Snapshot(event, trainer.present)
                    error = held_error(snapshot.model, self.data, MEASURED_ROWS)
                if event.complete and not self.plan.hinge:
                    # Trees grow as large as the rows make them; predicting lays them end to end.
                    grown = 2 * sum(tree.nbytes for tree in trainer.trees)
                    self._hold(self._bytes(grown))
                yield functools.partial(self._show_event, event, error, snapshot)
        finally:
            trainer.close()

    def _bytes(self, model: int) -> int:
        """What learning holds of the session's memory, with a model of so many bytes."""
        train = self.data.train
        n_outputs = max(1, train.n_classes)
        return model + learning_bytes(
            self.plan.config, train.n_samples, train.n_features, n_outputs
        )

    def _build(self) -> Any:
        plan, train, held = self.plan, self.data.train, self.data.held
        n_outputs = max(2, train.n_classes) if train.task == "classification" else 1
        needed = bytes_needed(plan, train.n_samples, train.n_features, n_outputs)
        free = free_bytes()
        check_memory(needed, None if free is None else free * 9 // 10, plan.n_trees)
        self._hold(self._bytes(needed if plan.hinge else 0))
        warm_up(self._tell, plan.config)
        more: dict[str, Any] = {"n_classes": train.n_classes or None}
        if held and not plan.hinge:  # which chooses by rows of its own
            more["validation"] = held.given, held.y
        if self._left is None:
            return Trainer(plan.config, train.given, train.y, **more)
        return Trainer.from_state(self._left, plan.config, train.given, train.y, **more)

    def _show_start(self, trainer: Any) -> None:
        self._trainer, self._message = trainer, ""

    def _show_event(
        self, event: Event, error: float | None, snapshot: Snapshot[HingeForest] | None
    ) -> None:
        self._event = event
        self._announce()
        now = self._wall.now()
        self._rate.append((now, event.progress))
        while now - self._rate[0][0] > RATE_SECONDS:
            self._rate.popleft()
        if not event.complete:
            return
        if self.plan.is_boosting:
            self._weigh()
        if snapshot is None:
            self._marks.append(Measurement(event, error))
            if self._wanted:
                self._forest, self._wanted = self._trainer.model, False
        elif not self._marks or event.done > self._marks[-1].event.done:
            # A run that goes on from a state may come once more to what it has shown.
            self._marks.append(Measurement(event, error))
            self._add_snapshot(snapshot)

    def _weigh(self) -> None:
        """Note what rows weigh now. Not all is in the trees: restarts draw weights anew."""
        n, trainer = self.data.train.n_samples, self._trainer
        self._weights[len(trainer.trees)] = (trainer.weights[shown_rows(n)] * n).astype(np.float32)

    def _add_snapshot(self, snapshot: Snapshot[HingeForest]) -> None:
        """Have one more moment to look back at; thin them all when there are too many."""
        forest = snapshot.model
        self._forest, self._chosen_at = forest, None
        self._snapshots.append(snapshot)
        n_bytes = MOST_BYTES if self._memory is None else min(MOST_BYTES, self._memory.run_bytes)
        most = max(4, min(MOST_SNAPSHOTS, n_bytes // (4 * forest.n_parameters)))
        if len(self._snapshots) > most:
            self._snapshots = every_second(self._snapshots)

    def _seconds_left(self) -> float | None:
        if self._state() != "running" or len(self._rate) < 2:
            return None
        (started, first), (now, last) = self._rate[0], self._rate[-1]
        if now - started < 0.5 or last <= first:
            return None
        return (1.0 - last) * (now - started) / (last - first)


def shown_rows(n: int) -> np.ndarray:
    """Which of n training rows are drawn on a map: all, or some evenly among them."""
    return np.arange(n) if n <= MOST_SHOWN else np.linspace(0, n - 1, MOST_SHOWN).astype(int)

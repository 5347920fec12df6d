"""What a session of the page *Train* holds: its one run, and what that is about."""

from __future__ import annotations

import secrets

from treecore import RunConfig, Trainer, Tree, warm_up
from treecore.runs.driver import RunSession
from ui.drawing.planes import Plane
from ui.jobs.chosen_data import ChosenData
from ui.jobs.training_job import TrainingJob
from ui.live.message import Stage


class TrainSession:
    """Holds one :class:`TrainingJob` and replaces it when the settings change."""

    def __init__(self):
        self.name = secrets.token_hex(4)  # another one after a restart of the server
        self.runner: TrainingJob | None = None
        self.stage: Stage | None = None
        self.config: RunConfig | None = None
        self.data: ChosenData | None = None
        self.plane: Plane | None = None
        self.start: tuple[str, Tree] | None = None
        self._run_key: tuple | None = None
        self._stage_key: tuple | None = None
        self._n_runs = 0
        self._n_messages = 0

    def select_run(
        self,
        data: ChosenData,
        config: RunConfig,
        plane: Plane,
        speed: float,
        start: tuple[str, Tree] | None,
        resumed: RunSession | None = None,
    ) -> TrainingJob:
        """The run of these settings: the present one if it is that, otherwise a new one.

        A new run goes on playing where the one before it was being played.

        Parameters
        ----------
        data : ChosenData
        config : RunConfig
        plane : Plane
            What the map shows; changing it does not touch the run.
        speed : float
        start : (fingerprint, Tree) or None
            A tree to start from.
        resumed : Kept or None
            A run that is gone on with, where its folder left it.
        """
        key = (data.key, config, start and start[0])
        stage_key = (data.key, config, plane.labels)
        if stage_key != self._stage_key:  # first: if it fails, all stays as it is
            self.stage = Stage(data.train, data.held, plane, config)
            self._stage_key = stage_key
        self.plane = plane
        if self.runner is None or key != self._run_key:
            playing = self.runner is not None and self.runner.playing
            self.close()
            first = iter([resumed.trainer] if resumed else [])  # a reset begins anew
            anew = builder(data, config, start and start[1])
            self.runner = TrainingJob(
                lambda: next(first, None) or anew(),
                speed,
                playing,
                prepare=lambda report: warm_up(report, config),
                past=lambda trainer: resumed.past if resumed and trainer is resumed.trainer else (),
            )
            self.config, self.data, self.start = config, data, start
            self._run_key = key
            self._n_runs += 1
        self.runner.set_speed(speed)
        return self.runner

    def message(self, lens: dict | None = None) -> bytes:
        """A snapshot of the run for the live view; ``lens`` is what its colours should mean."""
        assert self.runner is not None, "a run is selected first"
        assert self.stage is not None
        run = f"{self.name}.{self._n_runs}.{self.runner.generation}.{hash(self._stage_key)}"
        self._n_messages += 1
        return self.stage.message(self.runner.look(), run, self.name, self._n_messages, lens)

    def tree_of(self, data: ChosenData) -> Tree | None:
        """The present tree, if there is one and it is learnt from these data."""
        if self.runner is None or self.data is None or self.data.key != data.key:
            return None
        frame = self.runner.latest()
        return None if frame is None else frame.tree

    def close(self) -> None:
        """End the run and its thread."""
        if self.runner is not None:
            self.runner.close()


def builder(data: ChosenData, config: RunConfig, start: Tree | None):
    def build() -> Trainer:
        held = (data.held.X, data.held.y) if data.held else None
        return Trainer(
            config,
            data.train.X,
            data.train.y,
            validation=held,
            n_classes=data.train.n_classes,
            **({} if start is None else {"start": start}),
        )

    return build

"""What a session of the page *Train* holds: its one run, and what that is about."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from treecore import RunConfig, Trainer, Tree, warm_up
from treecore.runs.driver import RunSession
from ui.drawing.planes import Plane
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import session_client
from ui.jobs.training_job import TrainingJob
from ui.live.message import Stage


@dataclass(frozen=True)
class SelectedRun:
    """A run, and what it is about.

    Attributes
    ----------
    runner : TrainingJob
    data : ChosenData
    config : RunConfig
    plane : Plane
        What the map shows.
    start : (fingerprint, Tree) or None
        The saved tree that it begins with.
    """

    runner: TrainingJob
    data: ChosenData
    config: RunConfig
    plane: Plane
    start: tuple[str, Tree] | None = None


class TrainSession:
    """Holds one :class:`TrainingJob` and replaces it when the settings change."""

    def __init__(self):
        self.name = secrets.token_hex(4)  # another one after a restart of the server
        self.client = session_client()
        self.selected: SelectedRun | None = None
        self.stage: Stage | None = None
        self._run_key: tuple | None = None
        self._stage_key: tuple | None = None
        self._n_runs = 0
        self._n_messages = 0

    @property
    def data(self) -> ChosenData | None:
        """What the selected run is about."""
        return None if self.selected is None else self.selected.data

    def select_run(
        self,
        data: ChosenData,
        config: RunConfig,
        plane: Plane,
        speed: float,
        start: tuple[str, Tree] | None,
        resumed: RunSession | None = None,
    ) -> SelectedRun:
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
        runner = None if self.selected is None else self.selected.runner
        if runner is None or key != self._run_key:
            playing = runner is not None and runner.playing
            self.close()
            first = iter([resumed.trainer] if resumed else [])  # a reset begins anew
            anew = builder(data, config, start and start[1])
            runner = TrainingJob(
                lambda: next(first, None) or anew(),
                speed,
                playing,
                turn=self.client.turn(),
                prepare=lambda report: warm_up(report, config),
                past=lambda trainer: resumed.past if resumed and trainer is resumed.trainer else (),
            )
            self._run_key = key
            self._n_runs += 1
        self.selected = SelectedRun(runner, data, config, plane, start)
        runner.set_speed(speed)
        return self.selected

    def message(self, lens: dict | None = None) -> bytes:
        """A snapshot of the run for the live view; ``lens`` is what its colours should mean."""
        assert self.selected is not None, "a run is selected first"
        assert self.stage is not None
        runner = self.selected.runner
        run = f"{self.name}.{self._n_runs}.{runner.generation}.{hash(self._stage_key)}"
        self._n_messages += 1
        return self.stage.message(runner.look(), run, self.name, self._n_messages, lens)

    def tree_of(self, data: ChosenData) -> Tree | None:
        """The present tree, if there is one and it is learnt from these data."""
        if self.selected is None or self.selected.data.key != data.key:
            return None
        frame = self.selected.runner.latest()
        return None if frame is None else frame.tree

    def close(self) -> None:
        """End the run and its thread."""
        if self.selected is not None:
            self.selected.runner.close()


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

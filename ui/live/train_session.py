"""What a session of the Lab holds of one learner: its one run, and what that is about."""

import math
import secrets
from dataclasses import dataclass

from treecore import RunConfig, Tree
from treecore.runs import RunSession
from treecore.viewer import Have, News, Plane, Stage
from ui.jobs.chosen_data import ChosenData, bytes_needed, new_trainer
from ui.jobs.kernels import prepare
from ui.jobs.training_job import TrainingJob
from ui.jobs.visitor import session_client
from ui.live.channel import Channel, ViewSource
from ui.live.step_source import clicked

VIEW = "run"
"""Name of the one view of this page."""


@dataclass(frozen=True)
class SelectedRun:
    """A run, and what it is about; plane: of the map; start: the saved tree that it begins with."""

    runner: TrainingJob
    data: ChosenData
    config: RunConfig
    plane: Plane
    start: tuple[str, Tree] | None = None


class RunSource(ViewSource):
    """One run as a view shows and commands it; slow: of :func:`ui.live.step_source.clicked`."""

    def __init__(self, runner: TrainingJob, stage: Stage, name: str, slow: str | None):
        self.name, self._slow = name, slow
        self._runner = runner
        self._stage = stage

    def news(self, have: Have) -> News | None:
        generation, status = -1, None
        while status is None or generation != self._runner.generation:  # a reset came in between
            generation, status = self._runner.generation, self._runner.look()
        playing, after = self._runner.playing, self._runner.next_epoch
        commands = {"playing": playing, "next": after}
        known = {"run": have.get("run"), "commands": have.get("commands")}
        run = f"{self.name}.{generation}"
        news = self._stage.news(status, run, have)
        if news is None and known != {"run": run, "commands": commands}:
            news = {"run": run, "state": status.state}, {}
        if news is None:
            return None
        return news[0] | {"commands": commands, "slow": self._slow}, news[1]

    def look(self) -> None:
        self._runner.look()

    def do(self, what: str, value: object) -> None:
        """``play``, ``pause``, ``reset``, and ``step`` with the epoch that is to be reached."""
        runner = self._runner
        if what == "step" and isinstance(value, int | float) and math.isfinite(value):
            runner.step_to(float(value))
        elif what in ("play", "pause", "reset"):
            {"play": runner.play, "pause": runner.pause, "reset": runner.reset}[what]()


class TrainSession:
    """Holds one :class:`TrainingJob` and replaces it when the settings change."""

    def __init__(self):
        self.name = secrets.token_hex(4)  # another one after a restart of the server
        self.channel = Channel(announced=True)
        self.client = session_client()
        self.selected: SelectedRun | None = None
        self.stage: Stage | None = None
        self._run_key: tuple | None = None
        self._stage_key: tuple | None = None
        self._n_runs = 0
        self._shown: RunSource | None = None

    @property
    def data(self) -> ChosenData | None:
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
        """The present run if it is of these settings, else a new one, which goes on playing."""
        key = (data.key, config, start and start[0])
        stage_key = (data.key, config, plane.labels)
        if stage_key != self._stage_key:  # first: if it fails, all stays as it is
            self.stage = Stage(data.train, data.held, plane, config)
            self._stage_key = stage_key
        runner = None if self.selected is None else self.selected.runner
        if runner is None or key != self._run_key:
            playing = runner is not None and runner.playing
            if runner is not None:
                runner.close()
            runner = TrainingJob(
                lambda: new_trainer(data, config, start and start[1]),
                speed,
                playing,
                turn=self.client.turn(),
                memory=self.client.memory,
                needs=bytes_needed(data, config),
                prepare=lambda report: prepare(report, config),
                resumed=resumed,
                announce=self.channel.announce,
            )
            self._run_key = key
            self._n_runs += 1
        self.selected = SelectedRun(runner, data, config, plane, start)
        runner.set_speed(speed)
        name = f"{self.name}.{self._n_runs}.{hash(self._stage_key)}"
        if self._shown is None or self._shown.name != name:
            assert self.stage is not None, "it is made with the first run"
            self._shown = RunSource(runner, self.stage, name, clicked(config))
        self.channel.show(VIEW, self._shown)
        return self.selected

    def close(self) -> None:
        self.channel.close()
        if self.selected is not None:
            self.selected.runner.close()

"""A comparison: one to three runs on the same rows, learnt in turns and shown by one clock."""

import functools
import math
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from treecore import RunConfig, Tree
from treecore.viewer import Frame, Have, News, Plane, RecordedRun, Stage
from ui.jobs.chosen_data import ChosenData, bytes_needed, new_trainer
from ui.jobs.kernels import prepare
from ui.jobs.pacing import WallClock
from ui.jobs.recorder import Recorder, Snapshot
from ui.jobs.run_title import NUMERALS
from ui.jobs.training_job import TrainingJob
from ui.jobs.visitor import session_client
from ui.language.translate import _
from ui.live.channel import Channel
from ui.live.clocks import CLOCKS, Axis, Clock, frontier, lay_out, shown
from ui.live.contestant import Contestant, RunView

SECONDS_OF_SHOW = {"Slow": 45.0, "Normal": 15.0, "Fast": 5.0, "Unlimited": 0.0}
"""How long the hand takes from one end of the axis to the other."""

LONGEST_TICK = 0.5
"""Seconds that a tick counts at most: the hand does not jump because a browser was busy."""


@dataclass(frozen=True)
class ComparisonScene:
    """All runs at one position of the hand; farthest: where it may go by now."""

    clock: Clock
    axis: Axis
    hand: float
    farthest: float
    views: tuple[RunView, ...]

    @property
    def finished(self) -> bool:
        return bool(self.views) and all(view.finished for view in self.views)

    @property
    def ended(self) -> bool:
        """Whether the hand is at the end of all runs."""
        return self.finished and self.hand >= self.axis.high

    @property
    def started(self) -> bool:
        return bool(self.views) and all(view.snapshots for view in self.views)


Heading = Callable[[ComparisonScene, int], tuple[str, ...]]
"""The name of a run and how far it is, at a scene; then a figure and what it is one of, if any."""


Method = TypeVar("Method", bound=Callable)


def _locked(method: Method) -> Method:

    @functools.wraps(method)
    def alone(self, *args, **named):
        with self.lock:
            return method(self, *args, **named)

    return cast(Method, alone)


class Comparison:
    """Runs and the hand of their clock; commands say what should be, so that two do no harm."""

    def __init__(self, wall: WallClock | None = None):
        self._wall = wall or WallClock()
        self.client = session_client()
        self.name = secrets.token_hex(4)
        self.contestants: list[Contestant] = []
        self.data: ChosenData | None = None
        self.plane: Plane | None = None
        self.clock = next(iter(CLOCKS.values()))
        self.seconds_of_show = SECONDS_OF_SHOW["Normal"]
        self.playing = False
        self._at_once = False  # whether the hand goes as far as the runs have come
        self.generation = 0
        self._hand: float | None = None  # None: at the beginning
        self._after: float | None = None  # a step leads to the first measured tree after this
        self._last_tick = self._wall.now()
        self._key: tuple | None = None
        self._stage_key: tuple | None = None
        self._drawn = threading.Event()  # whether there is time to compile
        self.lock = threading.RLock()  # commands come from pages and from wires
        self.seen: ComparisonScene | None = None
        self.channel = Channel(self.lock, self.refresh)

    @_locked
    def compare(
        self,
        data: ChosenData,
        configs: Sequence[RunConfig],
        plane: Plane,
        earlier: Sequence[Sequence[Snapshot]] = (),
    ) -> None:
        """Compare these; runs that stay are kept; ``earlier`` ones are shown until one plays."""
        key = (data.key, *configs)
        if key != self._key:
            reusable = {}
            if self.data is not None and self.data.key == data.key:
                reusable = {(c.numeral, c.config): c for c in self.contestants}
            self.data = data
            if earlier:
                self._drawn.clear()
            else:
                self._drawn.set()
            before, self.contestants = self.contestants, []
            for numeral, config in zip(NUMERALS, configs, strict=False):
                same = reusable.get((numeral, config))
                self.contestants.append(same or self._contestant(numeral, config, data))
            for old in before:
                if all(old is not one for one in self.contestants):
                    old.runner.close()
            self._key = key
            self.seen = None  # it is of the runs before these
            self._rewind()
            if earlier:
                self._show(earlier)
            self._command()
        self.plane = plane
        stage_key = (key, plane.labels)
        if stage_key != self._stage_key:
            for one in self.contestants:
                one.stage = Stage(data.train, data.held, plane, one.config)
            self._stage_key = stage_key
            self.generation += 1

    def _contestant(self, numeral: str, config: RunConfig, data: ChosenData) -> Contestant:
        recorder = Recorder(config.method, self.client.memory)
        runner = TrainingJob(
            lambda: new_trainer(data, config),
            math.inf,
            recorder=recorder,
            turn=self.client.turn(),
            memory=self.client.memory,
            needs=bytes_needed(data, config),
            prepare=lambda report: self._prepare(report, config),
            wall=self._wall,
            announce=self.channel.announce,
        )
        return Contestant(numeral, config, recorder, runner)

    def _prepare(self, report: Callable[[str], None], config: RunConfig) -> None:
        """Compile, or the clock would count that; after what is there has been drawn."""
        self._drawn.wait(10.0)  # though nobody may have seen it
        prepare(report, config)

    def _show(self, earlier: Sequence[Sequence[Snapshot]]) -> None:
        for one, snapshots in zip(self.contestants, earlier, strict=True):
            one.recorder.show(snapshots)
        self._hand = self.scene().axis.high

    def _learn(self) -> None:
        """From now on the runs are those that are learnt here."""
        self._drawn.set()
        if any(one.recorder.shows_earlier for one in self.contestants):
            for one in self.contestants:
                one.recorder.show(())
            self._rewind()

    # Commands ------------------------------------------------------------------------------------

    @_locked
    def play(self) -> None:
        """Learn and show to the end; from the beginning when that is where the hand is."""
        self._learn()
        if self.scene().ended:
            self._rewind()
        self.playing, self._after, self._at_once = True, None, False
        self._command()

    @_locked
    def finish(self) -> None:
        self._learn()
        self.playing, self._after, self._at_once = True, None, True
        self._command()

    @_locked
    def pause(self) -> None:
        self.playing, self._after = False, None
        self._command()

    @_locked
    def step(self, after: float) -> None:
        """Go to the first moment after ``after`` at which a run has a measured tree."""
        self._learn()
        self.playing, self._after = False, after
        self._command()

    @_locked
    def reset(self) -> None:
        """All runs back to the start; the same seed gives the same ones again."""
        self.playing = False
        self._drawn.set()
        for one in self.contestants:
            one.runner.reset()
        self._rewind()

    @_locked
    def seek(self, share: float) -> None:
        """Put the hand at a share of its way, as far as the runs have come."""
        scene = self.scene()
        self._after = None
        self._hand = float(min(scene.axis.value(share), scene.farthest)) if share > 0 else None
        self._command()

    @_locked
    def set_clock(self, name: str) -> None:
        """Align by another clock; the hand stays at its share of the way."""
        if name != self.clock.name:
            scene = self.scene()
            self.clock = CLOCKS[name]
            self.seek(scene.axis.share(scene.hand))

    def _command(self) -> None:
        for one in self.contestants:
            if self.playing or self._after is not None:
                one.runner.play()
            else:
                one.runner.pause()
        self.channel.announce()

    def _rewind(self) -> None:
        self._hand = self._after = None
        self.generation += 1
        for one in self.contestants:
            one.rewind()

    # The hand ------------------------------------------------------------------------------------

    @_locked
    def scene(self) -> ComparisonScene:
        runs = [one.recorder.snapshots() for one in self.contestants]
        axis, at = lay_out(self.clock, runs)
        hand = axis.low if self._hand is None else self._hand
        views = tuple(
            RunView(snapshots, finished, positions, shown(positions, hand) if snapshots else -1)
            for (snapshots, finished), positions in zip(runs, at, strict=True)
        )
        ways = [(view.at, view.finished) for view in views]
        return ComparisonScene(self.clock, axis, hand, frontier(ways, axis.high), views)

    @property
    def next_step(self) -> float:
        """What :meth:`step` should be told now."""
        return -math.inf if self._hand is None else self._hand

    def state(self, scene: ComparisonScene) -> str:
        """As :class:`treecore.viewer.messages.status.Status` says it, of all runs together."""
        if any(one.runner.look().state == "failed" for one in self.contestants):
            return "failed"
        if not scene.started:
            return "waiting"
        if self.playing or self._after is not None:
            return "running"
        return "finished" if scene.ended else "paused"

    @_locked
    def tick(self) -> ComparisonScene:
        """Let the time since the last tick pass; gives what is to be seen now."""
        now = self._wall.now()
        started = max(self._last_tick, now - LONGEST_TICK)
        self._last_tick = now
        for one in self.contestants:
            one.runner.look()  # what keeps a run going
        scene = self.scene()
        if scene.started and self.playing:
            self._move(scene, now - started)
        elif scene.started and self._after is not None:
            self._move_a_step(scene)
        scene = self.scene()
        for one, view in zip(self.contestants, scene.views, strict=True):
            one.film(view, started, now)
        return scene

    def _move(self, scene: ComparisonScene, passed: float) -> None:
        axis = scene.axis
        at_once = self._at_once or not self.seconds_of_show
        gone = 1.0 if at_once else passed / self.seconds_of_show
        if not gone:  # it stays at the beginning, wherever that is once all runs have begun
            return
        goal = axis.value(axis.share(scene.hand) + gone)
        self._hand = float(min(max(goal, scene.hand), max(scene.farthest, axis.low)))
        if scene.finished and self._hand >= axis.high:
            self.playing = False

    def _move_a_step(self, scene: ComparisonScene) -> None:
        later = [
            position
            for view in scene.views
            for position, snapshot in zip(view.at[1:], view.snapshots[1:], strict=True)
            if snapshot.event.complete and position > max(self._after, view.at[0])
        ]
        goal = min(later, default=scene.axis.high)
        if goal <= scene.farthest or scene.finished:
            self._hand = float(goal)
            self._after = None
            self._command()

    # The screen ----------------------------------------------------------------------------------

    def refresh(self) -> ComparisonScene:
        """Let time pass, for all views alike."""
        self.seen = self.tick()
        return self.seen

    def news(
        self, number: int, scene: ComparisonScene, have: Have, curves: bool = False
    ) -> News | None:
        """What is new of one run for its live view; with its own ``curves`` where asked for."""
        if number == len(self.contestants) - 1:
            self._drawn.set()
        one = self.contestants[number]
        run = f"{self.name}.{one.numeral}.{self.generation}"
        return one.news(scene.views[number], self.state(scene), run, have, curves)

    def snapshot_shown(self, number: int) -> Snapshot | None:
        return self.scene().views[number].snapshot

    def frame_shown(self, number: int) -> Frame | None:
        """What the clock shows of a run that learns a tree, if there is one."""
        snapshot = self.snapshot_shown(number)
        if snapshot is None:
            return None
        assert isinstance(snapshot.model, Tree)
        return Frame(0, 0.0, snapshot.event, snapshot.model)

    def recorded(self, number: int, live: bool = False) -> RecordedRun:
        """A recording of a run of one tree; live: the page is to train, where it can."""
        if self.data is None or self.plane is None:
            raise ValueError(_("nothing is compared yet: choose data and methods"))
        return self.contestants[number].recorded(self.data, self.plane, live)

    @property
    def loss(self) -> str:
        return self.contestants[0].config.loss if self.contestants else "log"

    @property
    def configs(self) -> list[RunConfig]:
        return [one.config for one in self.contestants]

    @property
    def methods(self) -> list[str]:
        return [config.method for config in self.configs]

    def close(self) -> None:
        self._drawn.set()
        self.channel.close()
        for one in self.contestants:
            one.runner.close()

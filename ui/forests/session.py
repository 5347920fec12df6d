"""A race: up to four forests on the same rows, and those of other settings to go on with."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from treecore.viewer.messages.wire import News
from ui.forests.job import ForestJob, ForestStatus
from ui.forests.presets import RacerPlan
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import session_client
from ui.live.channel import Channel, WholeSource

PULSE = "pulse"
"""The view of the channel that has the page's figures drawn anew."""

PULSE_SECONDS = 1.0
"""Between two drawings of the figures while a race goes on."""

KEPT_RUNS = 12
"""Runs of other settings or data that a session remembers, stopped, to go on with; fewer where they
take more than half of its memory."""


class ForestRace:
    """Holds the forests of a session; a racer is None where its settings make no forest."""

    def __init__(self):
        self.data: ChosenData | None = None
        self.runs: list[ForestJob | None] = []
        self.client = session_client()
        self.memory: dict = {}  # pictures, by what decides them
        self.grid: tuple = None, 0, None  # votes of the map's squares, and of which trees
        self.moment: tuple = None, 0, 0.0  # racer whose map is drawn, how far, and since when
        self.channel = Channel()
        self.channel.show(PULSE, WholeSource(self._beat, hurry=self._hurry, gap=PULSE_SECONDS))
        self._told = ""  # the state that the page has heard of
        self._kept: OrderedDict[tuple, ForestJob] = OrderedDict()

    def enter(self, data: ChosenData, plans: Sequence[RacerPlan | None]) -> None:
        """Race these. Runs that there were are found again as they were left, but stopped."""
        wanted = [plan and (data.key, number, plan) for number, plan in enumerate(plans)]
        playing = self.playing
        for key, run in [*self._kept.items()]:
            if key in wanted:
                continue
            if run.started:
                run.stop()
            else:  # there is nothing to go on with
                self._kept.pop(key).close()
        self.data = data
        self.runs = [self._run(key, data, playing) if key else None for key in wanted]
        while len(self._kept) > KEPT_RUNS or self.client.memory.full:
            key = next(iter(self._kept))
            if key in wanted:
                break
            self._kept.pop(key).close()

    def _run(self, key: tuple, data: ChosenData, playing: bool) -> ForestJob:
        run = self._kept.get(key)
        if run is None:
            turn, memory = self.client.turn(), self.client.memory
            run = self._kept[key] = ForestJob(
                key[2], data, turn, memory=memory, announce=self.channel.announce
            )
            if playing:  # who changes one racer of a race that is on wants it to go on
                run.play()
        self._kept.move_to_end(key)
        return run

    @property
    def present(self) -> list[ForestJob]:
        """The racers that there are."""
        return [run for run in self.runs if run is not None]

    @property
    def playing(self) -> bool:
        """Whether some racer is on its way to the end."""
        return any(run.playing for run in self.present)

    def play(self) -> None:
        """All of them to the end; from the start once more where all have come there."""
        if leading([run.state for run in self.present]) == "finished":
            self.reset()
        for run in self.present:
            run.play()

    def pause(self) -> None:
        """All wait where they are."""
        for run in self.present:
            run.pause()

    def step(self) -> None:
        """All of them a tree further, or to the next figures of a hinge forest."""
        for run in self.present:
            run.step()

    def reset(self) -> None:
        """All back to the start."""
        for run in self.present:
            run.reset()

    def looks(self) -> list[ForestStatus | None]:
        """What there is to see of every racer."""
        return [None if run is None else run.look() for run in self.runs]

    def _beat(self) -> News:
        """What the page's figures depend on, for the view that has them drawn anew."""
        looks = self.looks()
        self._told = state_of(looks)
        done = [(look.message, look.event.done if look.event else None) for look in looks if look]
        return {"state": self._told, "done": done}, {}

    def _hurry(self) -> bool:
        states = [run.state for run in self.present]
        return bool(states) and leading(states) != self._told

    def close(self) -> None:
        """End all runs, their threads and whatever shows them."""
        self.channel.close()
        for run in self._kept.values():
            run.close()


def state_of(looks: Sequence[ForestStatus | None]) -> str:
    """The state of a race, as :class:`ui.forests.job.ForestStatus` says it of a run."""
    return leading([look.state for look in looks if look is not None])


def leading(states: Sequence[str]) -> str:
    """The state of all together."""
    for state in ("waiting", "running", "paused", "stopped", "ready", "finished", "failed"):
        if state in states:
            return state
    return "failed"

"""How long a sweep will take, by trials of its runs."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from tests.helpers.library import SMALL
from tests.helpers.wait import until
from treecore import RunConfig
from treecore.sweeps import read_spec
from ui.library.runtime import RuntimeTrials


class Scripted:
    """A trainer whose steps take so many seconds each, and bring it so far."""

    def __init__(self, steps, clock):
        self._steps, self._clock = list(steps), clock

    @property
    def finished(self):
        return not self._steps

    def step(self):
        seconds, stage, progress = self._steps.pop(0)
        self._clock[0] += seconds
        return SimpleNamespace(stage=stage, progress=progress)


SCRIPTS = {
    "over within the trial": ([(0.05, "sgd", 0.0), (0.05, "sgd", 1.0)], 0.1),
    "a start, and ten steps of which two are tried": (
        [(0.03, "axis", 1.0), *((0.1, "sgd", i / 10) for i in range(1, 11))],
        0.03 + 10 * 0.1,
    ),
    "hardly begun": ([(0.3, "sgd", 0.0), *((9.0, "sgd", 0.5) for _ in range(9))], 20 * 0.3),
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_trial_tells_how_long_a_run_takes_by_its_first_moments(script, monkeypatch):
    steps, expected = SCRIPTS[script]
    clock = [100.0]
    monkeypatch.setattr("ui.library.runtime.make_trainer", lambda *rows: Scripted(steps, clock))
    own = RuntimeTrials(lambda: clock[0])
    data, config = read_spec(SMALL).data, RunConfig("sgd", depth=2)
    assert until(lambda: own.seconds(data, [config]), "for the trial") == pytest.approx(expected)


def test_runs_that_take_equally_long_are_tried_once_and_added_up(monkeypatch):
    clock, tried = [0.0], []

    def make(config, *rows):
        tried.append(config.method)
        return Scripted([(0.5 if config.method == "sgd" else 0.25, config.method, 1.0)], clock)

    monkeypatch.setattr("ui.library.runtime.make_trainer", make)
    data = read_spec(SMALL).data
    axis, sgd = RunConfig("axis", depth=2), RunConfig("sgd", depth=2)
    own = RuntimeTrials(lambda: clock[0])
    many = [axis, sgd, sgd, sgd.replace(seed=3, nu=2)]
    assert until(lambda: own.seconds(data, many), "for the trials") == 0.25 + 3 * 0.5
    assert own.seconds(data, [sgd]) == 0.5
    assert tried == ["axis", "sgd"]
    gone = read_spec({**SMALL, "data": {"name": "gone.csv"}}).data
    assert np.isnan(until(lambda: own.seconds(gone, [axis]), "for the trial of no rows"))

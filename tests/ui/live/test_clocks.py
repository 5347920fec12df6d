"""Clocks of a comparison: the alignment as mathematics, the reel that they read."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.same import assert_same
from treecore import Event, RunConfig, Trainer
from ui.jobs.recorder import Recorder, Snapshot
from ui.live.board import ticks
from ui.live.clocks import CLOCKS, Axis, axis_of, frontier, lay_out, positions, shown

rng = np.random.default_rng(0)
X = rng.standard_normal((120, 2))
Y = (np.abs(X).sum(axis=1) > 1).astype(int)
TIME, SHARE = (CLOCKS[name] for name in ("time", "share"))


def event(epoch=0.0, stage="sgd", complete=True, loss=0.5, seconds=0.0, progress=0.0):
    measured = {"loss": loss, "accuracy": 0.5, "active_leaves": 1, "n_leaves": 1}
    return Event(stage, "epoch", epoch, 10, progress, complete, seconds=seconds, **measured)


def snapshots_of(losses, seconds=None):
    """A run whose measured losses are these."""
    n = len(losses)
    seconds = np.arange(n) / 10 if seconds is None else seconds
    return [
        Snapshot(event(i, loss=losses[i], seconds=float(seconds[i])), None, share=i / max(1, n - 1))
        for i in range(n)
    ]


def recorded(method, **settings):
    """The reel of a real run, and its trainer."""
    trainer = Trainer(RunConfig(method, **settings), X, Y)
    recorder = Recorder(method)
    last = None
    while not trainer.finished:
        last = trainer.step(share=recorder.share(trainer, last))
        recorder.note(trainer, last)
    return recorder.snapshots(), trainer


losses = st.lists(st.floats(0.01, 3), min_size=1, max_size=12)


@given(st.lists(st.floats(0, 10), min_size=1, max_size=12), st.floats(-1, 11))
def test_on_a_clock_of_effort_a_run_is_shown_as_far_as_it_has_come(seconds, hand):
    seconds = sorted(seconds)
    index = shown(positions(TIME, snapshots_of([1.0] * len(seconds), seconds)), hand)
    assert seconds[index] <= hand or index == 0
    assert all(later > hand for later in seconds[index + 1 :])


@given(losses, losses, st.floats(0, 1), st.floats(0, 1))
def test_the_hand_shows_later_trees_as_it_goes_on(one, other, first, second):
    runs = [(snapshots_of(one), True), (snapshots_of(other), True)]
    for clock in (TIME, SHARE):
        axis, at = lay_out(clock, runs)
        for own in at:
            early, late = sorted((first, second))
            assert shown(own, axis.value(early)) <= shown(own, axis.value(late))
        assert [shown(own, axis.high) for own in at] == [len(one) - 1, len(other) - 1]


@given(st.floats(1e-6, 1), st.floats(1.001, 1e5), st.booleans(), st.floats(0, 1))
def test_an_axis_goes_there_and_back(low, ratio, log, share):
    axis = Axis(low, low * ratio, log)
    assert axis.share(axis.value(share)) == pytest.approx(share, abs=1e-6)
    assert (axis.value(0), axis.value(1)) == (axis.low, axis.high)
    assert (axis.share(axis.low - 1), axis.share(axis.high + 1)) == (0, 1)


def test_the_hand_may_not_pass_a_run_that_still_learns():
    short, long = np.array([0.0, 1.0]), np.array([0.0, 5.0])
    assert frontier([(short, False), (long, True)], 9.0) == 1.0
    assert frontier([(short, True), (long, False)], 9.0) == 5.0
    assert frontier([(short, True), (long, True)], 9.0) == 9.0
    assert frontier([(np.empty(0), False), (long, True)], 9.0) == -math.inf


def test_the_end_of_an_unfinished_run_is_guessed_from_its_share():
    at = np.array([0.0, 1.0, 2.0])
    assert axis_of(TIME, [(at, 0.5)]).high == pytest.approx(4.0)
    assert axis_of(TIME, [(at, 1.0)]).high == pytest.approx(2.0)


def test_before_anything_is_learnt_every_clock_has_an_axis():
    for clock in CLOCKS.values():
        for runs in ([], [(snapshots_of([0.7]), False)], [((), False)]):
            axis, _ = lay_out(clock, runs)
            assert axis.low < axis.high
            assert ticks(clock.name, axis)


@pytest.mark.parametrize("method", ["sgd", "axis", "tao", "co2"])
def test_a_reel_is_the_run_and_ends_with_its_tree(method):
    (snapshots, finished), trainer = recorded(method, depth=3)
    assert finished
    assert_same(snapshots[-1].model, trainer.model)
    assert_same(trainer.model, Trainer(trainer.config, X, Y).run())
    assert snapshots[-1].event.complete
    assert snapshots[-1].share == 1.0
    for clock in (TIME, SHARE):
        assert (np.diff(positions(clock, snapshots)) >= 0).all()
    if method == "axis":  # node by node
        n_splits = [snapshot.model.n_splits for snapshot in snapshots]
        assert n_splits == sorted(n_splits)
        assert set(n_splits) == set(range(n_splits[-1] + 1))

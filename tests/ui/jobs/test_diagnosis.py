"""Why a run learns nothing: what is said follows from the figures, and mends what it is said of."""

from __future__ import annotations

import dataclasses

import pytest

from benchmarks.defaults import play, score
from treecore import Event, RunConfig
from ui.jobs.diagnosis import LEAST_PASSES, diagnose

CONFIG = RunConfig("sgd")
FIRST = Event("sgd", "epoch", 0, 100, 0.0, True, loss=0.4, bound=0.8, accuracy=0.7)
FIRST = dataclasses.replace(FIRST, active_leaves=64, n_leaves=64)


def last(done=100.0, **figures):
    return dataclasses.replace(FIRST, done=done, progress=done / 100, **figures)


@pytest.mark.parametrize(
    ("figures", "change"),
    [
        ({"loss": 0.5, "bound": 0.6}, {"nu": 200.0}),
        ({"loss": 0.5, "bound": 0.9}, {"eta": 0.02}),
        ({"loss": 0.3, "bound": 0.31, "accuracy": 0.8}, {"depth": 8}),
    ],
    ids=["margins", "steps", "leaves"],
)
def test_what_is_changed_follows_from_loss_and_bound(figures, change):
    found = diagnose([FIRST, last(**figures)], CONFIG)
    assert found is not None
    assert found.change == change
    assert f"{figures['loss']:.3g}" in found.sentence or "leaves" in found.sentence


def test_splits_that_a_great_nu_keeps_in_their_places_are_told_of():
    stuck = [FIRST, last(loss=0.399, bound=0.4)]
    found = diagnose(stuck, RunConfig("sgd", nu=10_000.0))
    assert found is not None
    assert found.change == {"nu": 100.0}
    found = diagnose(stuck, CONFIG)  # this one is not to blame
    assert found is not None
    assert found.change == {"depth": 8}


def test_nothing_is_said_of_a_run_that_learns_or_has_hardly_begun_or_has_no_bound():
    assert diagnose([], CONFIG) is None
    assert diagnose([FIRST], CONFIG) is None
    assert diagnose([FIRST, last(loss=0.1, bound=0.2, accuracy=0.95)], CONFIG) is None
    assert diagnose([FIRST, last(LEAST_PASSES - 1, loss=0.5, bound=0.9)], CONFIG) is None
    assert diagnose([FIRST, last(loss=0.5, bound=None)], RunConfig("axis")) is None


def test_nothing_is_offered_beyond_the_range_of_a_setting():
    most = RunConfig("sgd", nu=10_000.0)
    assert diagnose([FIRST, last(loss=0.5, bound=0.6)], most) is None


def test_the_wave_that_the_methods_own_defaults_unlearn_is_told_of_and_mended():
    config, events = play("quickening", "sgd", {}, seed=0)
    assert score(events[-1]) < score(events[0])
    found = diagnose(events, config)
    assert found is not None
    _, mended = play("quickening", "sgd", found.change, seed=0)
    assert score(mended[-1]) > score(mended[0])
    assert diagnose(mended, RunConfig("sgd", loss="squared", **found.change)) is None

"""Why a run learns nothing: what is said follows from the figures, and mends what it is said of."""

from dataclasses import replace

import pytest

from treecore import Event, RunConfig, Trainer
from ui.jobs.diagnosis import MIN_PASSES, diagnose
from ui.widgets.data.gallery import gallery_data

SGD = RunConfig("sgd")
FIRST = Event("sgd", "epoch", 0, 100, 0.0, True, loss=0.4, bound=0.8, accuracy=0.7)
FIRST = replace(FIRST, active_leaves=64, n_leaves=64)
NO_BOUND = replace(FIRST, bound=None)


def last(done=100.0, **figures):
    return replace(FIRST, done=done, progress=done / 100, **figures)


STUCK = last(loss=0.399, bound=0.4)
WIDE = last(loss=0.5, bound=0.6)
ASLEEP = last(loss=0.395, bound=0.42, accuracy=0.71, active_leaves=36)


@pytest.mark.parametrize(
    ("config", "event", "change", "words"),
    [
        (SGD, WIDE, {"nu": 200.0}, "0.5"),
        (SGD, last(loss=0.5, bound=0.9), {"eta": 0.02}, "0.5"),
        (SGD, last(loss=0.3, bound=0.31, accuracy=0.8), {"depth": 8}, "leaves"),
        (SGD, STUCK, {"depth": 8}, "leaves"),
        (RunConfig("sgd", nu=10_000.0), STUCK, {"nu": 20.0}, "10000"),
        (SGD, ASLEEP, {"nu": 200.0}, "28 of 64 leaves became inactive"),
        (SGD, replace(ASLEEP, loss=0.35), None, ""),
        (SGD, last(loss=0.1, bound=0.2, accuracy=0.95), None, ""),
        (SGD, last(MIN_PASSES - 1, loss=0.5, bound=0.9), None, ""),
        (SGD, last(20, loss=0.42, bound=0.6, accuracy=0.85), None, ""),  # fewer mistakes
        (RunConfig("axis"), last(loss=0.5, bound=None), None, ""),
    ],
)
def test_what_is_changed_follows_from_loss_and_bound(config, event, change, words):
    found = diagnose([FIRST, event], config)
    assert (found and found.change) == change
    assert found is None or words in found.sentence
    assert diagnose([], config) is diagnose([FIRST], config) is None


@pytest.mark.parametrize(
    ("bound", "settings", "change"),
    [
        (0.6, {}, {"shape": "complete"}),
        (0.6, {"nu": 1.0}, {"nu": 20.0}),  # the likelier cause
        (0.51, {"nu": 1.0}, {"nu": 20.0}),  # what a single leaf would have
        (0.6, {"shape": "complete"}, {"nu": 200.0}),
    ],
)
def test_a_grown_start_with_few_leaves_is_given_room_to_turn(bound, settings, change):
    few = [replace(event, n_leaves=8) for event in (FIRST, last(loss=0.5, bound=bound))]
    found = diagnose(few, RunConfig("sgd", start="co2", **settings))
    assert found.change == change
    assert "shape" not in change or "8 of 64 leaves" in found.sentence


def test_tao_that_changes_nothing_in_a_grown_tree_is_given_a_random_start():
    stuck = [NO_BOUND, replace(NO_BOUND, done=6.0, progress=1.0, accuracy=0.71)]
    assert diagnose(stuck, RunConfig("tao")).change == {"start": "random"}
    assert diagnose(stuck, RunConfig("tao", start="random")) is None
    assert diagnose(stuck, RunConfig("axis")) is None
    assert diagnose([NO_BOUND, replace(stuck[1], progress=0.5)], RunConfig("tao")) is None, "early"
    learnt = replace(stuck[1], accuracy=0.97, loss=0.1)
    assert diagnose([NO_BOUND, learnt], RunConfig("tao")) is None


@pytest.mark.parametrize(("name", "loss"), [("quickening", "squared"), ("stripes", "log")])
def test_what_is_told_of_a_run_on_the_apps_data_mends_it(name, loss):
    train = gallery_data(name, 500, seed=0, share=25).train

    def played(**settings):
        config = RunConfig("sgd", loss=loss, **settings)
        measured = [e for e in Trainer(config, train.X, train.y).events() if e.complete]
        return diagnose(measured, config), measured[-1]

    found, before = played()
    assert found.change == {"nu": 200.0}
    again, after = played(**found.change)
    assert again is None
    assert after.loss < 0.8 * before.loss

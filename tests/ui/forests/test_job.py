"""Runs of forests behind the page: stopped, gone on with, and what is told of them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.forests import finished, plan_of, rest, spirals
from tests.helpers.pacing import ManualClock, permits
from tests.helpers.wait import until
from ui.forests.job import ForestJob
from ui.forests.metrics import error_of
from ui.forests.snapshot import scene_at
from ui.widgets.data.picker import gallery_data

__all__ = ["permits", "spirals"]  # fixtures


@pytest.fixture
def started(spirals, permits):
    """``begun(text, clock)`` gives a run that plays, by the turns of the test."""
    made = []

    def begin(text, clock=None):
        run = ForestJob(plan_of(text), spirals, permits, clock)
        made.append(run)
        run.play()
        return run

    yield begin
    for run in made:
        run.close()


@pytest.mark.parametrize(
    "text",
    [
        "random-forest~n_trees~40",
        "samme.oc1~n_trees~25~depth~3",
        "hinge-forest~trees~10~batches~600",
    ],
)
def test_a_stopped_run_that_goes_on_is_the_run_that_was_not(text, spirals, started, permits):
    run = started(text)
    for steps in (2, 3, 4):
        permits.spend(steps)
        run.stop()
        permits.give()  # the step that has asked already
        assert rest(run).state == "stopped"
        run.play()
    permits.give(10_000)
    look = rest(run)
    _, entire = finished(text, spirals)
    assert look.state == "finished"
    X = spirals.held.X
    assert np.array_equal(look.forest.predict(X), entire.forest.predict(X))
    assert [m.event.error for m in look.marks] == [m.event.error for m in entire.marks]
    assert look.result == error_of(look.forest, X, spirals.held.y)


def test_a_learner_worse_than_chance_is_told(spirals):
    _, look = finished("adaboost-m1.axis~depth~1", spirals)
    assert look.message == "", "two classes: a stump is better than chance"
    # Three classes and one cut: M1 asks for more than a stump can give.
    rings = gallery_data("rings", 300, 0.0)
    _, look = finished("adaboost-m1.axis~depth~1~sampling~weights", rings)
    assert "needs less than 50 % to begin with" in look.message
    assert np.isfinite(look.forest.scores(rings.held.X)).all()


def test_a_class_that_a_bootstrap_misses_is_no_trouble():
    data = gallery_data("moons", 60, 0.1, share=0)
    data.train.y[:] = 0
    data.train.y[:2] = 1
    run, look = finished("cart-forest~n_trees~30", data)
    labels = [len({int(v.argmax()) for v in tree.values}) for tree in look.forest.trees]
    assert 1 in labels, "some bootstrap has missed it"
    assert look.result is None
    assert look.forest.scores(data.train.X).shape == (60, 2)
    assert scene_at(run.plan, data, look, None).margins(data.train.X, data.train.y).min() >= -1


def test_the_time_left_is_told_while_it_learns(started, permits):
    clock = ManualClock()
    run = started("cart-forest~n_trees~10", clock)
    assert run.look().seconds_left is None, "nothing is known yet"
    seen = []
    for _ in range(3):  # a step a second
        permits.spend(1)
        seen.append((run.look().event.progress, run.look().seconds_left))
        clock.forward(1.0)
    (first, none), _, (last, reported) = seen
    assert none is None, "one moment tells no speed"
    assert reported == pytest.approx((1 - last) * 2 / (last - first))


def test_a_run_that_nobody_looks_at_waits(started, permits):
    clock = ManualClock()
    run = started("samme.oc1~n_trees~5000~depth~2", clock)
    permits.spend(1)
    clock.forward(ForestJob.unwatched_seconds)
    permits.give()
    until(lambda: clock.asleep, "for the step under way to end")
    assert permits.requested == 2, "no step is begun"
    run.look()
    until(lambda: permits.requested == 3, "for it to go on when somebody looks")

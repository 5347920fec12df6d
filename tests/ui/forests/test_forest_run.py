"""Runs of forests behind the page: stopped, gone on with, and what is told of them."""

from __future__ import annotations

import time

import numpy as np
import pytest

from tests.helpers.forests import compiled, finished, plan_of, rest, spirals
from treecore.generators import generate
from ui.data import divided
from ui.forest_measure import error_of
from ui.forest_run import ForestRun
from ui.forest_scenes import scene_at

__all__ = ["compiled", "spirals"]  # fixtures


@pytest.mark.parametrize(
    "text",
    [
        "random-forest~n_trees~40",
        "samme.oc1~n_trees~25~depth~3",
        "hinge-forest~trees~10~batches~600",
    ],
)
def test_a_stopped_run_that_goes_on_is_the_run_that_was_not(text, spirals):
    run = ForestRun(plan_of(text), spirals)
    run.play()
    for _ in range(3):  # at whatever moments
        while run.look().event is None:
            time.sleep(0.002)
        time.sleep(0.01)
        run.stop()
        look = rest(run)
        assert look.state in ("stopped", "finished")
        run.play()
    look = rest(run)
    _, whole = finished(text, spirals)
    assert look.state == whole.state == "finished"
    X = spirals.held.X
    assert np.array_equal(look.forest.predict(X), whole.forest.predict(X))
    assert [m.event.error for m in look.marks] == [m.event.error for m in whole.marks]
    assert look.result == error_of(look.forest, X, spirals.held.y)


def test_a_learner_worse_than_chance_is_told(spirals):
    _, look = finished("adaboost-m1.axis~depth~1", spirals)
    assert look.state == "finished"
    # Three classes and one cut: M1 asks for more than a stump can give.
    rings = divided(("rings", 0.0, 300, 25, 0), generate("rings", 300, 0.0, 0))
    _, look = finished("adaboost-m1.axis~depth~1~sampling~weights", rings)
    assert look.state == "finished"
    assert "needs less than 50 % to begin with" in look.message
    assert np.isfinite(look.forest.scores(rings.held.X)).all()


def test_a_class_that_a_bootstrap_misses_is_no_trouble():
    data = divided(("moons", 0.1, 60, 0, 0), generate("moons", 60, 0.1, 0))
    data.train.y[:] = 0
    data.train.y[:2] = 1
    run, look = finished("cart-forest~n_trees~30", data)
    assert look.state == "finished"
    labels = [len({int(v.argmax()) for v in tree.values}) for tree in look.forest.trees]
    assert 1 in labels, "some bootstrap has missed it"
    assert look.result is None
    assert look.forest.scores(data.train.X).shape == (60, 2)
    assert scene_at(run.plan, data, look, None).margins(data.train.X, data.train.y).min() >= -1


def test_the_time_left_is_told_while_it_learns(spirals):
    run = ForestRun(plan_of("samme.oc1~n_trees~5000~depth~2"), spirals)
    run.play()
    for _ in range(400):
        look = run.look()
        if look.seconds_left is not None:
            break
        time.sleep(0.02)
    assert look.seconds_left > 0
    run.close()
    run.join(10)
    assert not run._thread.is_alive()

"""Slow motion in the Lab: steps are taken and taken back, of every method that has it."""

import re

import numpy as np
import pytest

from tests.helpers import harness
from treecore.core.routing import apply, predict_values
from treecore.core.tree import split_weights
from ui.step.panel import HELD

METHODS = ["sgd", "stable-sgd", "tao", "oc1"]


def opened(method, **query):
    usual = {"data": "xor", "depth": "2", "fair": "depth", "slow": "1"}
    page = harness.opened("lab", run=method, clock="share", **usual | query)
    return harness.run_until(page, lambda: shown(page), "for a step")


def shown(page):
    keys = [button.key for button in page.button]
    return "slow_take" in keys or "slow_put_back" in keys


def asked(page):
    """The views ask what is new, as in a browser: the clock of a comparison goes on by that."""
    return [harness.news(place) for place in harness.places(page)]


def held(page):
    return page.session_state[HELD]


def newest(page):
    """Meta of what the view is told at first, and the tree that it then shows."""
    source = held(page).source
    meta, _arrays = source.news({})
    return meta, source._frames[-1].tree


def words(page):
    """The three lines."""
    lines = [one.value for one in page.markdown if not one.value.startswith("<")]
    first = next(i for i, line in enumerate(lines) if "**Slow motion**" in line)
    return lines[first + 1 : first + 4]


@pytest.mark.parametrize("method", METHODS)
def test_a_step_is_taken_and_taken_back(method):
    page = opened(method, data="moons" if method == "oc1" else "xor")
    before, tree = held(page).at, newest(page)[1]
    assert newest(page)[0]["step"]["marks"], "what it is about is marked"
    harness.press(page, "slow_take")
    meta, after = newest(page)
    assert held(page).taken
    assert meta["step"]["turned"], "the first step that is shown turns something"
    assert not np.array_equal(split_lines(tree), split_lines(after))
    assert held(page).at == before, "its effect is seen before there is another"
    harness.press(page, "slow_undo")
    assert not held(page).taken
    assert held(page).at == before
    np.testing.assert_allclose(split_lines(newest(page)[1]), split_lines(tree), rtol=1e-5)
    if method != "tao":  # of which one split may be all that gets better
        asked = words(page)
        harness.press(page, "slow_next")
        assert words(page) != asked


def split_lines(tree):
    return np.column_stack([split_weights(tree), tree.threshold])


def test_the_paths_are_those_of_the_tree_and_of_inference():
    page = opened("sgd")
    slow = held(page)
    away, here = newest(page)[0]["step"]["marks"]
    row = slow.watched.stage.training_row(here["point"])
    assert row == slow.at
    X = slow.watched.data.train.given
    assert slow.step.search.h_leaf == apply(slow.watched.frame.tree, X[row : row + 1])[0]
    assert away == {"leaf": slow.step.search.g_leaf, "away": True}
    assert slow.step.bound_before > slow.step.loss_before


def test_the_steps_are_those_of_the_run():
    page = opened("sgd")
    slow = held(page)
    X = slow.watched.data.train.given
    np.testing.assert_array_equal(
        apply(slow.bench.tree(), X), apply(slow.watched.frame.tree, X), "held still as it was"
    )
    rows = [slow.at]
    bench = slow.bench
    harness.press(page, "slow_take")
    harness.press(page, "slow_take")  # the next one
    rows.append(slow.at)
    harness.press(page, "slow_take")
    np.testing.assert_array_equal(
        split_lines(newest(page)[1]), split_lines(bench.after(rows).tree())
    )


def test_tao_says_who_cares_and_never_costs_more():
    page = opened("tao", data="spirals", depth="3")
    slow, wrong = held(page), []
    train = slow.watched.data.train
    _meta, arrays = slow.source.news({})
    rows = np.array(slow.watched.stage.rows_shown)
    np.testing.assert_array_equal(np.unique(rows[arrays["sides"] > 0]), np.sort(slow.step.care))
    for _ in range(4):
        tree = slow.watched.trainer.units.inverse_transform(slow.tree)
        said = predict_values(tree, train.given).argmax(axis=1)
        wrong.append(int((said != train.y).sum()))
        harness.press(page, "slow_take")
        harness.press(page, "slow_take")
    assert wrong == sorted(wrong, reverse=True)
    assert wrong[-1] < wrong[0]


def test_oc1_lowers_the_impurity_along_its_curve():
    page = opened("oc1", data="moons")
    slow, levels = held(page), []
    for _ in range(3):
        levels.append(slow.move.impurity_before)
        harness.press(page, "slow_take")
        assert len(page.get("plotly_chart")) >= 1
        harness.press(page, "slow_take")
    assert levels == sorted(levels, reverse=True)
    assert levels[-1] < levels[0]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("data", ["digits", "hill"])
def test_the_mathematics_has_its_formulas_and_numbers(method, data):
    page = opened(method, data=data, **({"depth": "3"} if data == "hill" else {}))
    harness.with_state(page, slow_why=True)  # the expander is opened
    assert not page.error
    if "sgd" in method:
        places = harness.reported(page, "formulas")
        assert len(places) == 3, "the way, the update, the value"
        terms = [term for one in places for line in one["lines"] for term in line]
        assert any("split0" in term["marks"] for term in terms)
        assert all(bool(term["marks"]) <= bool(term["says"]) for term in terms)
    else:
        assert page.caption


def test_a_split_is_turned_by_hand_and_put_back():
    page = opened("sgd", data="moons", hand="yes", at="1")
    assert "**Split 1**" in words(page)[0]
    harness.choose(page, "slow_angle", 40)
    slow = held(page)
    assert page.query_params["angle"] in ("40", ["40"])
    assert not np.array_equal(split_lines(slow.now)[1], split_lines(slow.tree)[1])
    np.testing.assert_array_equal(split_lines(slow.now)[0], split_lines(slow.tree)[0])
    assert re.search("beat the learner|higher than|that of the learnt", words(page)[2])
    harness.press(page, "slow_put_back")
    assert slow.now is slow.tree
    assert harness.showing(page, "slow_angle").value == 0


def test_two_learners_and_back_to_learning():
    page = harness.opened("lab", data="xor", run=["tao", "sgd"], slow="2", at="7", fair="depth")
    harness.run_until(page, lambda: asked(page) and shown(page), "for a step")
    assert held(page).at == 7
    assert harness.link(page)["slow"] in ("2", ["2"])
    harness.choose(page, "slow_learner_box", 0)
    assert held(page).watched.config.method == "tao"
    harness.press(page, "slow_leave")
    assert not shown(page)
    assert "slow" not in page.query_params


def test_a_method_without_slow_motion_and_a_tree_without_splits_get_none():
    page = harness.run(harness.opened("lab", data="xor", run="axis", slow="1", clock="share"))
    assert not shown(page)
    assert any(one.value.startswith("Slow motion shows SGD") for one in page.info)


@pytest.mark.parametrize("asked_for", ["1", "3", "9"])
def test_a_link_to_a_learner_without_slow_motion_opens_the_one_that_has_it(asked_for):
    page = harness.opened("lab", data="xor", run=["axis", "sgd"], slow=asked_for, fair="depth")
    harness.run_until(page, lambda: asked(page) and shown(page), "for a step")
    assert any("**Slow motion** · Non-greedy SGD" in one.value for one in page.markdown)

"""The one door: steps, events, and the promise that portions never change the tree."""

import copy

import numpy as np
import pytest

from tests.helpers.bagged import DIGITS, IRIS, quick
from tests.helpers.same import assert_same
from treecore import RunConfig, Trainer, evaluate, predict, warm_up
from treecore.training.registry import TREES


def test_how_often_a_tree_is_measured_changes_nothing_else():
    X, y = IRIS
    config = RunConfig("annealed", start="random", depth=2, rounds=30, batch=1)
    found = {}
    for measuring in ("always", "seldom", "last"):
        trainer = Trainer(config, X, y)
        trainer.measuring = measuring
        found[measuring] = [*trainer.events()], trainer.model
    # A round sees 50 rows, and all have been seen eight times after enough of them.
    apart = -(-8 * len(y) // 50)
    assert [event.done for event in found["always"][0]] == [*range(31)]
    assert [event.done for event in found["seldom"][0]] == [*range(0, 30, apart), 30]
    assert [event.done for event in found["last"][0]] == [30]
    for events, tree in found.values():
        assert events[-1].loss == found["always"][0][-1].loss
        assert_same(tree, found["always"][1])


@pytest.mark.parametrize("start", ["axis", "oc1", "co2", "tao"])
def test_one_method_can_start_from_another(start):
    config = RunConfig("sgd", start=start, depth=3, epochs=2)
    events = list(Trainer(config, *IRIS).events())
    stages = [event.stage for event in events]
    assert stages[0] in (start, "axis")
    assert stages[-3:] == ["sgd"] * 3, "the start is measured, and two passes"
    grown = Trainer(RunConfig(start, depth=3), *IRIS).run()
    assert events[-3].accuracy == pytest.approx(evaluate(grown, *IRIS).accuracy, abs=0.01)


def test_digits_reach_94_percent_where_the_greedy_start_has_at_most_84():
    warm_up()
    X, X_test, y, y_test = DIGITS
    config = RunConfig("sgd", start="axis", depth=8, nu=10, epochs=200)
    trainer = Trainer(config, X, y, validation=(X_test, y_test))
    events = [event for event in trainer.events() if event.stage == "sgd"]
    assert 0.81 <= events[0].validation_accuracy <= 0.845
    assert np.mean(predict(trainer.model, X_test) == y_test) >= 0.94


@pytest.mark.parametrize(
    ("X", "y", "sentence"),
    [
        (np.zeros((3, 2)), [0, 1], "3 rows need as many labels"),
        (np.zeros((0, 2)), [], "no training rows"),
        (np.zeros((2, 0)), [0, 1], "no features"),
        (np.zeros((2, 2)), [0, -1], "class indices"),
        (np.zeros((2, 2)), [0.5, 1.0], "class indices"),
        (
            np.zeros((2, 2)),
            np.array([0, 2**63 + 5], dtype=np.uint64),
            "classes are allowed at most",
        ),
        (np.zeros((2, 2)), [0, 10**9], "classes are allowed at most"),
        (np.array([[np.inf, 1], [2, 3]]), [0, 1], "infinite"),
    ],
)
def test_bad_data_are_refused_with_a_sentence(X, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        Trainer(RunConfig("axis"), X, y)


def test_arguments_in_another_order_are_told():
    with pytest.raises(TypeError, match=r"takes a RunConfig, then X and y: .* type ndarray"):
        Trainer(*IRIS, RunConfig("axis"))


def test_validation_rows_must_have_the_features_of_the_training_rows():
    X, y = IRIS
    with pytest.raises(ValueError, match="validation rows have 3 features"):
        Trainer(RunConfig("sgd"), X, y, validation=(X[:, :3], y))


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ({"validation": 0.2}, r"validation: give rows and targets, .* RunConfig\(validation="),
        ({"validation": (np.zeros((2, 4)),)}, r"as \(X, y\) or \(X, y, weight\)"),
        ({"n_classes": "3"}, "n_classes: give a whole number, not '3'"),
        ({"n_classes": 2.5}, r"not 2\.5"),
    ],
)
def test_arguments_of_another_kind_are_refused_in_a_sentence(argument, sentence):
    with pytest.raises(ValueError, match=sentence):
        Trainer(RunConfig("axis"), *IRIS, **argument)


def test_leaf_values_beyond_learning_are_refused_and_measured_soundly():
    tree = Trainer(RunConfig("axis", depth=2), *IRIS).run()
    tree = tree._replace(values=np.sign(tree.values) * np.float32(3e38))
    assert np.isfinite(evaluate(tree, *IRIS).loss)
    with pytest.raises(ValueError, match="leaf values"):
        Trainer(RunConfig("sgd"), *IRIS, start=tree)


@pytest.mark.parametrize("method", TREES)
def test_a_tree_that_is_kept_stays_as_it_was(method):
    trainer = Trainer(quick(method, depth=3, seed=1), *IRIS)
    kept = []
    while not trainer.finished and len(kept) < 60:
        trainer.step(0.3)
        kept.append((trainer.model, copy.deepcopy(trainer.model)))
    for tree, then in kept:
        assert_same(tree, then)

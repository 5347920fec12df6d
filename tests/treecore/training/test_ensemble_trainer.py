"""The door for forests: states, steps, many trees at a time, and what is refused."""

import dataclasses
import json

import joblib
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tests.helpers.bagged import CANCER, IRIS, bagged, quick
from tests.helpers.same import assert_same
from treecore import RunConfig, Trainer
from treecore.ensembles.memory import check_memory, forest_bytes
from treecore.training import ensemble_trainer
from treecore.training.registry import BASES, METHODS, TREES

KINDS = {
    "bagging": bagged("sgd", 4, seed=5, feature_share=0.7),
    "random forest": bagged("axis", 4, split_features="root"),
    "boosting": RunConfig("samme", base=quick("axis"), n_trees=4),
    "drawn": RunConfig("adaboost-m1", base=quick("axis"), n_trees=4, sampling="draw"),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_run_goes_on_from_its_state_to_the_same_figures_and_more_trees(name):
    X, y = CANCER
    entire = Trainer(KINDS[name], X, y, validation=(X[:50], y[:50]))
    entire.run()
    started = Trainer(KINDS[name], X, y, validation=(X[:50], y[:50]))
    while started.step().done < 2:
        pass
    resumed = Trainer.from_state(started.state(), KINDS[name], X, y, validation=(X[:50], y[:50]))
    resumed.run()
    assert_same(resumed.model, entire.model)
    assert_array_equal(resumed.weights, entire.weights)
    for figure in ("error", "validation_error", "oob_error", "loss", "validation_loss"):
        assert getattr(resumed.history[-1], figure) == getattr(entire.history[-1], figure)
    more = KINDS[name].replace(n_trees=6)
    longer = Trainer.from_state(entire.state(), more, X, y).run()
    assert_same(longer, Trainer(more, X, y).run())


@pytest.mark.parametrize("name", KINDS)
def test_a_forest_measured_at_its_end_has_the_figures_of_its_trees_in_turn(name):
    X, y = CANCER
    in_turn, at_end = (Trainer(KINDS[name], X, y, validation=(X[:99], y[:99])) for _ in range(2))
    *_, expected = in_turn.events()
    at_end.run()
    assert dataclasses.replace(at_end.history[-1], seconds=0) == dataclasses.replace(
        expected, seconds=0
    )
    if in_turn.oob_scores is not None:
        assert_array_equal(at_end.oob_scores, in_turn.oob_scores)


def test_a_state_is_of_one_run_and_its_data():
    X, y = IRIS
    trainer = Trainer(bagged(), X, y)
    trainer.run()
    state = trainer.state()
    for config, broken, message in (
        (bagged(n_trees=3), {}, "has 4 trees already, but n_trees=3"),
        (bagged(), {"threshold": np.zeros(2)}, "threshold has shape"),
        (bagged(), {"left": 0 * state["trees"]["left"]}, "split 0 has the child split 0"),
        (bagged(), {"n_splits": -np.ones(4, int)}, "how large its trees are"),
    ):
        with pytest.raises(ValueError, match=message):
            Trainer.from_state(state | {"trees": state["trees"] | broken}, config, X, y)
    with pytest.raises(ValueError, match="of 4 trees and of 1 times"):
        Trainer.from_state(state | {"seconds": np.zeros(1)}, bagged(), X, y)
    for key in state["trees"]:
        rest = {name: value for name, value in state["trees"].items() if name != key}
        with pytest.raises(ValueError, match="lacks"):
            Trainer.from_state(state | {"trees": rest}, bagged(), X, y)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_trees_may_grow_side_by_side(backend):
    X, y = np.tile(CANCER[0], (12, 1)), np.tile(CANCER[1], 12)  # large enough to be mapped
    config = bagged("axis", 4, feature_share=0.5)
    with joblib.parallel_config(backend):
        trainer = Trainer(config, X, y)
        events = list(trainer.events(n_jobs=2))
    alone = Trainer(config, X, y)
    for ours, theirs in zip(events, alone.events(), strict=True):
        assert (ours.done, ours.error, ours.oob_error) == (
            theirs.done,
            theirs.error,
            theirs.oob_error,
        )
    assert_same(trainer.model, alone.model)


def test_a_run_begun_alone_may_go_on_side_by_side():
    config = bagged("sgd", 4)
    trainer = Trainer(config, *IRIS)
    while trainer.step().done < 2:
        pass
    trainer.step()  # in the midst of a tree
    with joblib.parallel_config("threading"):
        forest = trainer.run(n_jobs=2)
    assert_same(forest, Trainer(config, *IRIS).run())


def test_a_closed_run_keeps_its_forest():
    trainer = Trainer(bagged("axis", 50), *IRIS)
    with pytest.raises(RuntimeError, match="no forest before the first tree"):
        _ = trainer.model
    for event in trainer.events():
        if event.done == 3:
            trainer.close()
    assert trainer.model.n_trees == 3


def test_configs_are_told_and_read_back():
    for method in METHODS.values():
        config = RunConfig(method.name)
        reported = json.loads(json.dumps(config.as_dict()))
        assert RunConfig(**reported) == config
        if method.family != "ensemble":
            continue
        for name in ("bagging", "samme"):
            if config.base.method == "axis" or "split_features" not in reported:
                other = config.replace(method=name, n_trees=7)
                assert other.n_trees == 7
                assert other.base == config.base
    numbers = RunConfig("oc1-forest", loss="squared")
    assert numbers.base.loss == "squared"
    assert hash(numbers) == hash(RunConfig("oc1-forest").replace(loss="squared"))
    assert RunConfig("samme", base="tao", depth=3) == RunConfig(
        "samme", base=RunConfig("tao", depth=3)
    )


def test_settings_of_an_ensemble_and_of_its_trees_never_share_a_name():
    for method in METHODS.values():
        for base in (TREES[name] for name in BASES) if method.family == "ensemble" else [None]:
            names = [definition.name for definition in method.definitions(base)]
            assert len(names) == len(set(names)), (method.name, base)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RunConfig("stacking"), "there is no method 'stacking'; known are sgd"),
        (lambda: RunConfig("bagging", n_trees=0), "n_trees=0 must be between 1 and"),
        (lambda: RunConfig("samme", sampling="bootstrap"), "must be one of weights, draw"),
        (lambda: RunConfig("bagging", base="samme"), "base='samme' must be one of sgd"),
        (lambda: RunConfig("axis", base="axis"), "has no trees of another method"),
        (lambda: RunConfig("samme", base=quick(loss="squared")), "SAMME is for classes"),
        (lambda: RunConfig("bagging", base=quick(kernel="fourier")), "is for single trees"),
        (lambda: RunConfig("hinge-forest", kernel="fourier"), "is for single trees"),
        (lambda: bagged("sgd", split_features="root"), "is for axis-aligned trees"),
        (lambda: RunConfig("bagging", seed=-1), "seed=-1 must be"),
        (lambda: RunConfig("bagging", learning_rate=1), "there is no setting 'learning_rate'"),
        (lambda: RunConfig("boosted-tao", loss="squared"), "SAMME is for classes"),
        (lambda: KINDS["boosting"].replace(lag=1), "the setting 'lag' is gone: each boosted"),
    ],
)
def test_a_config_that_cannot_be_grown_gets_one_sentence(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_more_trees_than_memory_allows_are_refused_beforehand(monkeypatch):
    monkeypatch.setattr(ensemble_trainer, "free_bytes", lambda: 10**10)
    config = bagged("annealed", 100_000, base={"depth": 12, "start": "random"})
    with pytest.raises(ValueError, match=r"100,000 trees may need .* of memory, but 9 GB are free"):
        Trainer(config, *CANCER)
    with pytest.raises(ValueError, match="even one tree would not fit: make them"):
        check_memory(2000, 100, 2)
    check_memory(2000, None, 2)


@pytest.mark.parametrize("method", TREES)
def test_no_forest_takes_more_memory_than_was_told(method):
    forest = Trainer(bagged(method, 3, base={"depth": 4}), *CANCER).run()
    forest.scores(CANCER[0])
    arrays = [*(array for tree in forest.trees for array in tree[:-1]), *forest._packed]
    reported = forest_bytes(3, 16, 30, 2, method != "axis")
    assert sum(array.nbytes for array in arrays) <= reported

"""The door for forests: states, steps, many trees at a time, and what is refused."""

from __future__ import annotations

import json

import joblib
import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_matrix

from tests.helpers.bagged import CANCER, IRIS, bagged, quick
from tests.helpers.same import assert_same
from treecore import EnsembleConfig, ForestTrainer
from treecore.ensembles.memory import check_memory, forest_bytes
from treecore.forest_config import ENSEMBLES, PRESETS, find_ensemble
from treecore.methods import METHODS

KINDS = {
    "bagging": bagged("sgd", 4, seed=5, feature_share=0.7),
    "random forest": bagged("axis", 4, split_features="root"),
    "boosting": EnsembleConfig("samme", quick("axis"), n_trees=4),
    "drawn": EnsembleConfig("adaboost-m1", quick("axis"), n_trees=4, sampling="draw"),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_run_goes_on_from_its_state_to_the_same_forest(name):
    X, y = CANCER
    whole = ForestTrainer(KINDS[name], X, y, validation=(X[:50], y[:50]))
    whole.run()
    begun = ForestTrainer(KINDS[name], X, y, validation=(X[:50], y[:50]))
    for _ in range(4):
        state = begun.state()
        # It survives a file: arrays without objects, and what JSON can say.
        for value in state.values():
            if isinstance(value, np.ndarray):
                assert value.dtype.kind in "iuf"
            else:
                json.dumps(value)
        resumed = ForestTrainer(KINDS[name], X, y, validation=(X[:50], y[:50]), state=state)
        assert resumed.history[: len(begun.history)] == begun.history
        resumed.run()
        assert_same(resumed.forest, whole.forest)
        assert_array_equal(resumed.weights, whole.weights)
        for ours, theirs in zip(resumed.history, whole.history, strict=True):
            for figure in ("error", "validation_error", "oob_error", "loss", "validation_loss"):
                assert getattr(ours, figure) == getattr(theirs, figure)
        while not begun.step().complete:
            pass
    more = KINDS[name].replace(n_trees=6)
    longer = ForestTrainer(more, X, y, state=whole.state()).run()
    assert_same(longer, ForestTrainer(more, X, y).run())


def test_a_state_is_of_one_run_and_its_data():
    X, y = IRIS
    trainer = ForestTrainer(bagged(), X, y)
    trainer.run()
    state = trainer.state()
    for config, table, broken, message in (
        (bagged(seed=1), X, {}, "run with other settings"),
        (bagged(base={"depth": 3}), X, {}, "run with other settings"),
        (bagged(), X + 1, {}, "run on other data"),
        (bagged(n_trees=3), X, {}, "has 4 trees already, and n_trees=3"),
        (bagged(), X, {"threshold": np.zeros(2)}, "threshold of the state has shape"),
        (bagged(), X, {"seconds": np.zeros(1)}, "of 4 trees and of 1 times"),
        (bagged(), X, {"left": 0 * state["left"]}, "the children do not form one tree"),
        (bagged(), X, {"n_splits": -np.ones(4, int)}, "how large its trees are"),
        (bagged(), X, {"config": {}}, "does not tell how a forest is grown"),
    ):
        with pytest.raises(ValueError, match=message):
            ForestTrainer(config, table, y, state=state | broken)
    for key in state:
        rest = {k: v for k, v in state.items() if k != key}
        with pytest.raises(ValueError, match="lacks"):
            ForestTrainer(bagged(), X, y, state=rest)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_trees_may_grow_side_by_side(backend):
    X, y = np.tile(CANCER[0], (12, 1)), np.tile(CANCER[1], 12)  # large enough to be mapped
    config = bagged("axis", 4, feature_share=0.5)
    with joblib.parallel_config(backend):
        trainer = ForestTrainer(config, X, y)
        events = list(trainer.events(n_jobs=2))
    alone = ForestTrainer(config, X, y)
    for ours, theirs in zip(events, alone.events(), strict=True):
        assert (ours.done, ours.error, ours.oob_error) == (
            theirs.done,
            theirs.error,
            theirs.oob_error,
        )
    assert_same(trainer.forest, alone.forest)


def test_a_run_begun_alone_may_go_on_side_by_side():
    config = bagged("sgd", 4)
    trainer = ForestTrainer(config, *IRIS)
    while trainer.step().done < 2:
        pass
    trainer.step()  # in the midst of a tree
    with joblib.parallel_config("threading"):
        forest = trainer.run(n_jobs=2)
    assert_same(forest, ForestTrainer(config, *IRIS).run())


def test_boosted_trees_grow_one_after_the_other_whatever_is_asked():
    config = KINDS["boosting"]
    assert_same(ForestTrainer(config, *CANCER).run(2), ForestTrainer(config, *CANCER).run())


def test_steps_tell_how_far_the_run_is(monkeypatch):
    monkeypatch.setattr("treecore.pace.SLICE_SECONDS", 0.0)  # steps as small as they may be
    trainer = ForestTrainer(bagged("sgd", 3), *CANCER)
    with pytest.raises(RuntimeError, match="no forest before the first tree"):
        _ = trainer.forest
    events = []
    while not trainer.finished:
        events.append(trainer.step())
    progress = [event.progress for event in events]
    assert progress == sorted(progress)
    assert progress[-1] == 1.0
    assert sum(event.complete for event in events) == 3
    assert len(events) > 6
    assert trainer.history == [event for event in events if event.complete]
    seconds = [event.seconds for event in events]
    assert seconds == sorted(seconds)


def test_a_closed_run_keeps_its_forest():
    trainer = ForestTrainer(bagged("axis", 50), *IRIS)
    for event in trainer.events():
        if event.done == 3:
            trainer.close()
    assert trainer.forest.n_trees == 3


def test_a_share_of_the_rows_is_held_out():
    trainer = ForestTrainer(bagged(validation=0.2, seed=3), *IRIS)
    *_, event = trainer.events()
    assert len(trainer.held_out.y) == 30
    held = trainer.held_out
    assert event.validation_error == (trainer.forest.predict(held.X) != held.y).mean()


def test_balanced_classes_and_missing_values_reach_the_trees():
    X, y = IRIS
    X = X.copy()
    X[::7, 2] = np.nan
    kept = np.r_[0:50, 50:60]
    plain = bagged(sampling="all", n_trees=1)
    balanced = plain.replace(base=plain.base.replace(class_weight="balanced"))
    trainer = ForestTrainer(balanced, X[kept], y[kept])
    by_class = np.bincount(y[kept], trainer.weights)
    assert by_class[0] == pytest.approx(by_class[1])
    assert np.isfinite(trainer.run().scores(X)).all()


def test_configs_are_told_and_read_back():
    for preset in PRESETS.values():
        config = preset.config
        told = json.loads(json.dumps(config.as_dict()))
        assert EnsembleConfig.from_dict(told) == config
        assert preset.title
        for kind in ENSEMBLES:
            if config.base.method == "axis" or "split_features" not in told:
                assert config.replace(kind=kind, n_trees=7).n_trees == 7
    numbers = PRESETS["oc1-forest"].numbers()
    assert numbers.loss == "squared"
    assert hash(numbers) == hash(PRESETS["oc1-forest"].numbers())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: find_ensemble("stacking"), "there is no ensemble 'stacking'; known are bagging"),
        (lambda: EnsembleConfig("bagging", n_trees=0), "n_trees=0 must be between 1 and"),
        (lambda: EnsembleConfig("samme", sampling="bootstrap"), "must be one of weights, draw"),
        (lambda: EnsembleConfig("bagging", "axis"), "base='axis' must be the RunConfig"),
        (lambda: EnsembleConfig("samme", quick(loss="squared")), "SAMME is for classes"),
        (lambda: EnsembleConfig("bagging", quick(kernel="fourier")), "is for single trees"),
        (lambda: bagged("sgd", split_features="root"), "is for axis-aligned trees"),
        (lambda: EnsembleConfig(seed=-1), "seed=-1 must be"),
        (lambda: EnsembleConfig(learning_rate=1), "there is no setting 'learning_rate' here"),
        (lambda: PRESETS["boosted-tao"].numbers(), "SAMME is for classes"),
    ],
)
def test_a_config_that_cannot_be_grown_gets_one_sentence(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.empty((0, 2)), np.empty(0, int), "there are no training rows"),
        (np.zeros((3, 2)), [0, 1], "3 rows need as many labels"),
        (np.zeros((3, 2)), [0.5, 1, 2], "y must hold class indices"),
        (np.full((2, 2), np.inf), [0, 1], "infinite"),
    ],
)
def test_data_that_cannot_be_learnt_from_get_one_sentence(X, y, message):
    with pytest.raises(ValueError, match=message):
        ForestTrainer(bagged(), X, y)
    with pytest.raises(ValueError, match="all rows have weight 0"):
        ForestTrainer(bagged(), *IRIS, sample_weight=np.zeros(150))
    with pytest.raises(ValueError, match="needs a dense table"):
        ForestTrainer(bagged("oc1"), csr_matrix(IRIS[0]), IRIS[1])


def test_more_trees_than_memory_allows_are_refused_beforehand():
    config = bagged("annealed", 100_000, base={"depth": 12, "start": "random"})
    with pytest.raises(ValueError, match=r"100,000 trees may take .* of memory and 1 GB are free"):
        ForestTrainer(config, *CANCER, memory=10**9)
    with pytest.raises(ValueError, match="a single one would not fit"):
        check_memory(2000, 100, 2)
    check_memory(2000, None, 2)


@pytest.mark.parametrize("method", METHODS)
def test_no_forest_takes_more_memory_than_was_told(method):
    forest = ForestTrainer(bagged(method, 3, base={"depth": 4}), *CANCER).run()
    forest.scores(CANCER[0])
    arrays = [*(array for tree in forest.trees for array in tree[:-1]), *forest._packed]
    told = forest_bytes(3, 16, 30, 2, method != "axis")
    assert sum(array.nbytes for array in arrays) <= told

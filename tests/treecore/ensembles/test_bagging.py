"""Bagging: every method and loss, what is out of bag, rows and classes that are not drawn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from tests.helpers.bagged import CANCER, DIABETES, IRIS, bagged, quick
from tests.helpers.same import assert_same
from treecore import RunConfig, Trainer
from treecore.ensembles.bagging import draw_rows, generator_of
from treecore.training.registry import TREES


@pytest.mark.parametrize("loss", ["log", "squared"])
@pytest.mark.parametrize("method", TREES)
def test_every_method_is_bagged(method, loss):
    X, y = IRIS if loss == "log" else (DIABETES[0][:120, :4], DIABETES[1][:120])
    trainer = Trainer(bagged(method, 3, loss), X, y, validation=(X[:50], y[:50]))
    events = list(trainer.events())
    assert [event.done for event in events] == [1, 2, 3]
    assert [event.stage for event in events] == ["bagging"] * 3
    forest = trainer.model
    if loss == "log":
        assert forest.answer == "shares"
        own = forest.scores(X)[np.arange(len(y)), y]
        wrong = forest.predict(X) != y
        assert events[-1].error == pytest.approx(wrong.mean())
        assert events[-1].validation_error == pytest.approx(wrong[:50].mean())
        assert events[-1].loss == pytest.approx(-np.log(own).mean())
        assert 0 <= events[-1].oob_error < 0.5
    else:
        assert forest.answer == "mean"
        error = (forest.predict(X)[:, 0] - y) ** 2
        assert events[-1].error == pytest.approx(error.mean(), rel=1e-5)
        assert events[-1].validation_error == pytest.approx(error[:50].mean(), rel=1e-5)
        assert events[-1].loss == pytest.approx(error.mean() / y.var(), rel=1e-5)
        assert events[-1].r2 == pytest.approx(1 - error.mean() / y.var(), rel=1e-5)
    assert all(np.isfinite(tree.values).all() for tree in forest.trees)


@pytest.mark.parametrize("loss", ["log", "squared"])
def test_one_tree_on_all_rows_is_the_trainers_tree(loss, rng):
    X = rng.normal(size=(300, 4))  # where no two splits are equally good
    y = X @ [1.0, 0.7, -0.5, 0.2] + 0.1 * rng.normal(size=300)
    y = (y > 0).astype(int) if loss == "log" else y
    base = quick("axis", loss, depth=4, min_samples_leaf=20)
    config = RunConfig("bagging", base=base, n_trees=1, sampling="all")
    (tree,) = Trainer(config, X, y).run().trees
    assert_same(tree, Trainer(base, X, y).run())


def test_a_random_forest_is_as_good_as_scikit_learns():
    for (X, y), theirs in (
        (CANCER, RandomForestClassifier(60, random_state=0)),
        (DIABETES, RandomForestRegressor(60, random_state=0)),
    ):
        train = np.arange(len(y)) % 2 == 0
        config = RunConfig("random-forest", n_trees=60)
        if isinstance(theirs, RandomForestRegressor):
            config = config.replace(loss="squared", split_features="all")
        forest = Trainer(config, X[train], y[train]).run()
        theirs.fit(X[train], y[train])
        ours, theirs = forest.predict(X[~train]), theirs.predict(X[~train])
        if config.loss == "log":
            assert (ours == theirs).mean() > 0.96
        else:
            assert np.corrcoef(ours[:, 0], theirs)[0, 1] > 0.96


def test_features_that_compete_are_drawn_for_every_split():
    X, y = CANCER
    config = bagged("axis", n_trees=5, base={"depth": 1}, split_features="root")
    few = Trainer(config, X, y).run()
    full = Trainer(config.replace(split_features="all"), X, y).run()
    strong = {int(tree.feature[0]) for tree in full.trees}
    assert any(int(tree.feature[0]) not in strong for tree in few.trees)
    # As many as there are is all of them.
    for max_features in (30, 31):
        tree = Trainer(RunConfig("axis", depth=3, max_features=max_features), X, y).run()
        assert_same(tree, Trainer(RunConfig("axis", depth=3), X, y).run())
    # Where one competes, by how the gain is judged among features does not matter.
    alone = RunConfig("axis", depth=4, max_features=1)
    tree = Trainer(alone.replace(criterion="gain ratio"), X, y).run()
    assert_same(tree, Trainer(alone, X, y).run())


def test_a_class_may_be_missing_from_a_bootstrap(rng):
    X = rng.normal(size=(40, 2))
    y = np.where(np.arange(40) == 7, 2, (X[:, 0] > 0).astype(int))
    for method in TREES:
        config = bagged(method, n_trees=4)
        drawn = [draw_rows(np.ones(40), "bootstrap", 1.0, generator_of(0, t))[7] for t in range(4)]
        assert 0 in drawn
        forest = Trainer(config, X, y).run()
        assert forest.n_outputs == 3
        assert_allclose(forest.scores(X).sum(axis=1), 1)


@pytest.mark.parametrize("method", TREES)
def test_constant_targets_and_single_rows_are_learnt(method):
    X = np.random.default_rng(0).normal(size=(12, 2))
    forest = Trainer(bagged(method, 2), X, np.ones(12, int)).run()
    assert_array_equal(forest.predict(X), 1)
    forest = Trainer(bagged(method, 2, "squared"), X, np.full(12, 3.5)).run()
    assert_allclose(forest.predict(X), 3.5, atol=1e-5)
    forest = Trainer(bagged(method, 2), X[:1], np.zeros(1, int)).run()
    assert_array_equal(forest.predict(X), 0)

"""The estimators of forests: scikit-learn's conventions, and the same forests as the door's."""

import numpy as np
import pytest
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.helpers.estimators import DIABETES, IRIS, check_conventions
from tests.helpers.same import assert_same
from treecore import (
    AxisTreeClassifier,
    AxisTreeRegressor,
    BoostedTreeClassifier,
    ObliqueForestClassifier,
    ObliqueForestRegressor,
    RunConfig,
    SGDTreeClassifier,
    Trainer,
)
from treecore.ensembles.bagging import draw_rows, generator_of
from treecore.ensembles.forest import Forest
from treecore.estimators import bagged

TREE = AxisTreeClassifier(max_depth=3)
NUMBERS = AxisTreeRegressor(max_depth=3)
ALL = (
    ObliqueForestClassifier(TREE, n_estimators=4, random_state=0),
    BoostedTreeClassifier(TREE, n_estimators=4, random_state=0),
    ObliqueForestRegressor(NUMBERS, n_estimators=4, random_state=0),
)


def data_of(estimator):
    return DIABETES if isinstance(estimator, ObliqueForestRegressor) else IRIS


@pytest.mark.parametrize(
    "estimator",
    [
        ObliqueForestClassifier(TREE, n_estimators=3),
        pytest.param(
            ObliqueForestRegressor(NUMBERS, n_estimators=3, oob_score=True), marks=pytest.mark.slow
        ),
        BoostedTreeClassifier(AxisTreeClassifier(max_depth=5), n_estimators=3),
        pytest.param(
            BoostedTreeClassifier(
                AxisTreeClassifier(max_depth=5), n_estimators=3, algorithm="adaboost-m1"
            ),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_scikit_learn_finds_nothing_amiss(estimator):
    check_conventions(estimator)


def test_the_forest_is_the_doors():
    X, y = IRIS
    base = RunConfig("sgd", depth=2, epochs=3)
    config = RunConfig("bagging", base=base, n_trees=3, seed=7, feature_share=0.5, row_share=0.6)
    tree = SGDTreeClassifier(depth=2, epochs=3)
    estimator = ObliqueForestClassifier(
        tree, n_estimators=3, max_features=0.5, max_samples=0.6, random_state=7
    )
    # Iris has two equal rows, which estimators merge.
    X = X + np.arange(len(y))[:, None] * 1e-4
    assert_same(estimator.fit(X, y).forest_, Trainer(config, X, y).run())
    config = RunConfig("adaboost-m1", base=base, n_trees=3, seed=7, sampling="draw")
    boosted = BoostedTreeClassifier(
        tree, n_estimators=3, algorithm="adaboost-m1", sampling="draw", random_state=7
    )
    trainer = Trainer(config, X, y)
    assert_same(boosted.fit(X, y).forest_, trainer.run())
    assert_array_equal(boosted.estimator_errors_, [one.error for one in trainer.boosting.rounds])
    assert_array_equal(boosted.estimator_weights_, boosted.forest_.weights)


@pytest.mark.parametrize("estimator", ALL)
def test_warm_starts_add_trees(estimator):
    X, y = data_of(estimator)
    warm = clone(estimator).set_params(warm_start=True, n_estimators=2).fit(X, y)
    first = warm.forest_.trees[0]
    warm.set_params(n_estimators=4).fit(X, y)
    assert_array_equal(warm.forest_.trees[0].threshold, first.threshold)
    assert_same(warm.forest_, clone(estimator).fit(X, y).forest_)
    assert len(warm.history_) == 4
    with pytest.raises(ValueError, match="is less than the 4 trees"):
        warm.set_params(n_estimators=3).fit(X, y)
    with pytest.raises(ValueError, match=r"other data.*set warm_start to False"):
        warm.set_params(n_estimators=5).fit(X + 1, y)


@pytest.mark.parametrize("estimator", ALL)
def test_importances_of_a_forest_are_the_mean_of_its_trees(estimator):
    X, y = data_of(estimator)
    fitted = clone(estimator).fit(X, y)
    assert_allclose(fitted.feature_importances_.sum(), 1)
    assert fitted.feature_importances_.min() >= 0
    # Where no two splits are equally good: trees of a forest break ties by orders of their own.
    X = np.random.default_rng(0).normal(size=(300, 4))
    y, rules = X[:, 0] + 0.7 * X[:, 1] > 0.5 * X[:, 2], {"max_depth": 3, "min_samples_leaf": 20}
    tree = AxisTreeClassifier(**rules).fit(X, y)
    alone = ObliqueForestClassifier(tree, n_estimators=1, bootstrap=False).fit(X, y)
    assert_allclose(alone.feature_importances_, tree.feature_importances_)
    with pytest.raises(AttributeError, match="which a file does not hold"):
        _ = type(fitted).from_json(fitted.to_json()).feature_importances_


@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
def test_two_jobs_grow_the_forest_of_one(estimator):
    forests = []
    for n_jobs in (1, 2):
        with parallel_config(backend="threading"):  # processes would compile a second time
            model = clone(estimator).set_params(n_jobs=n_jobs).fit(*data_of(estimator))
        forests.append(model.forest_)
    assert_same(*forests)


@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
def test_two_threads_answer_as_one_and_each_takes_some_of_the_rows(estimator, monkeypatch):
    monkeypatch.setattr(bagged, "FEWEST_OF_A_THREAD", 20)
    X, y = data_of(estimator)
    fitted = clone(estimator).fit(X, y)
    answers = [fitted.predict, fitted.apply, getattr(fitted, "predict_proba", fitted.predict)]
    alone = [answer(X) for answer in answers]
    requested = []

    def scores(forest, rows):
        requested.append(len(rows))
        return answered(forest, rows)

    answered = Forest.scores
    monkeypatch.setattr(Forest, "scores", scores)
    for n_jobs in (2, -1):
        fitted.set_params(n_jobs=n_jobs)
        for answer, expected in zip(answers, alone, strict=True):
            assert_array_equal(answer(X), expected)
    assert len(X) // 2 in requested
    with pytest.raises(ValueError, match="n_jobs=0 must be"):
        fitted.set_params(n_jobs=0).predict(X)


@pytest.mark.parametrize("estimator", ALL)
def test_stages_end_with_the_forest_and_paths_are_those_of_its_trees(estimator):
    X, y = data_of(estimator)
    fitted = clone(estimator).fit(X, y)
    stages = list(fitted.staged_predict(X))
    assert len(stages) == 4
    assert_array_equal(stages[-1], fitted.predict(X))
    assert fitted.apply(X).shape == (len(y), 4)
    indicator, ends = fitted.decision_path(X)
    assert indicator.shape == (len(X), ends[-1])
    for i, tree in enumerate(fitted.estimators_):
        part = indicator[:, ends[i] : ends[i + 1]].toarray()
        assert_array_equal(part, tree.decision_path(X).toarray())


def test_settings_of_the_tree_are_searched_and_class_weights_reach_it():
    forest = ObliqueForestClassifier(TREE, n_estimators=3, random_state=0)
    Z = np.random.default_rng(0).uniform(-1, 1, size=(200, 2))
    search = GridSearchCV(forest, {"estimator__max_depth": [1, 3]}, cv=3).fit(Z, Z.prod(axis=1) > 0)
    assert search.best_params_ == {"estimator__max_depth": 3}
    X, y = IRIS
    light = clone(forest).set_params(estimator__class_weight={2: 0.0}).fit(X, y)
    assert 2 not in light.predict(X)
    assert forest.estimator.class_weight is None


def test_callbacks_see_every_tree_and_may_end_the_run():
    seen = []
    forest = ObliqueForestClassifier(TREE, callbacks=[seen.append, lambda e: e.done == 2])
    assert forest.fit(*IRIS).forest_.n_trees == 2
    assert [event.done for event in seen] == [1, 2]
    assert seen == forest.history_


def without_ties():
    """Rows of three classes and of numbers, and of which no two values are close."""
    rng = np.random.default_rng(0)
    X = rng.permuted(np.tile(np.arange(300.0)[:, None], 4), axis=0)
    score = X @ [1.0, 0.5, -0.5, 0] / 100 + rng.normal(size=300)
    return X, np.digitize(score, [0.5, 2.0]), score


@pytest.mark.parametrize("alpha", [0.015, 0.03, 0.05])
def test_pruned_trees_are_scikit_learns_on_the_rows_that_were_drawn(alpha):
    X, classes, numbers = without_ties()
    settings = {"n_estimators": 3, "ccp_alpha": alpha, "random_state": 1}
    for base, forest, other, y in (
        (AxisTreeClassifier, ObliqueForestClassifier, DecisionTreeClassifier, classes),
        (AxisTreeRegressor, ObliqueForestRegressor, DecisionTreeRegressor, numbers),
    ):
        gini = {} if y is numbers else {"criterion": "gini"}
        ours = forest(base(None, smoothing=1e-3, **gini), **settings).fit(X, y)
        whole = clone(ours).set_params(ccp_alpha=0.0).fit(X, y)
        for i, tree in enumerate(ours.estimators_):
            drawn = draw_rows(np.ones(300), "bootstrap", 1.0, generator_of(1, i))
            theirs = other(ccp_alpha=alpha, random_state=0).fit(X, y, sample_weight=drawn)
            assert tree.get_n_leaves() == theirs.get_n_leaves()
            assert tree.get_n_leaves() < whole.estimators_[i].get_n_leaves()
            part = drawn > 0  # others may go either way where a gap of drawn rows is halved
            assert_allclose(tree.predict(X[part]), theirs.predict(X[part]), atol=0.01)
    warm = clone(ours).set_params(n_estimators=1, warm_start=True).fit(X, numbers)
    assert_same(warm.set_params(n_estimators=3).fit(X, numbers).forest_, ours.forest_)
    with pytest.raises(ValueError, match="ccp_alpha=-1 must be a number from 0"):
        clone(ours).set_params(ccp_alpha=-1).fit(X, numbers)
    with pytest.raises(ValueError, match=r"max_depth is for .* estimator='axis' is none"):
        clone(ours).set_params(estimator="axis", estimator__max_depth=1)


def test_weights_of_classes_may_be_those_of_the_forest():
    X, y, _ = without_ties()
    for weight in ("balanced", {0: 5.0}):
        forest = ObliqueForestClassifier(TREE, n_estimators=3, random_state=0)
        inside = clone(forest).set_params(estimator__class_weight=weight).fit(X, y)
        forest.set_params(class_weight=weight).fit(X, y)
        assert_same(forest.forest_, inside.forest_)
        with pytest.raises(ValueError, match="class_weight is set twice"):
            inside.set_params(class_weight=weight).fit(X, y)


@pytest.mark.parametrize("alpha", [0.0, 0.01])
def test_answers_out_of_bag_are_those_of_the_trees_that_have_not_seen_a_row(alpha):
    X, classes, numbers = without_ties()
    for model, y, name in (
        (ALL[0], classes, "oob_decision_function_"),
        (ALL[2], numbers, "oob_prediction_"),
        (ALL[2], np.stack([numbers, -numbers], axis=1), "oob_prediction_"),
    ):
        weight = np.arange(300) % 3 > 0
        forest = clone(model).set_params(oob_score=True, ccp_alpha=alpha)
        forest.fit(X, y, sample_weight=weight.astype(float))
        answers = getattr(forest, name)
        answer = "predict" if name == "oob_prediction_" else "predict_proba"
        said = np.array([getattr(tree, answer)(X[weight]) for tree in forest.estimators_])
        bags = [draw_rows(np.ones(200), "bootstrap", 1.0, generator_of(0, i)) for i in range(4)]
        unseen = np.array(bags) == 0
        unseen = unseen.reshape(unseen.shape + (1,) * (said.ndim - 2))
        with np.errstate(invalid="ignore"):
            expected = (said * unseen).sum(axis=0) / unseen.sum(axis=0)
        assert len(answers) == 300
        assert_allclose(answers[weight], expected, rtol=1e-5)
        assert np.isnan(answers[~weight]).all()
        known = ~np.isnan(answers.reshape(300, -1)[:, 0])
        if y is classes:
            score = (answers[known].argmax(axis=1) == y[known]).mean()
            assert forest.history_[-1].oob_error == pytest.approx(1 - score)
        else:
            score = r2_score(y[known], answers[known])
        assert_allclose(forest.oob_score_, score, rtol=1e-5)
    forest.set_params(oob_score=False).fit(X, y)
    assert not hasattr(forest, name)


def test_boosting_with_a_learner_no_better_than_chance_is_an_error():
    X = np.ones((20, 2))
    with pytest.raises(ValueError, match="SAMME needs less than 50 % from the start"):
        BoostedTreeClassifier(TREE).fit(X, np.arange(20) % 2)

"""Hinge estimators: scikit-learn's conventions, warm starts, weights."""

import inspect

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_score

from tests.helpers.estimators import DIABETES, IRIS, check_conventions
from treecore import HingeForestClassifier, HingeForestRegressor
from treecore.learners.hinge.settings import VALIDATION, HingeSettings

BOTH = (HingeForestClassifier, HingeForestRegressor)
QUICK = {"n_estimators": 10, "depth": 3, "batches": 300, "random_state": 0, "eta": 0.02}


def test_a_small_one_passes_the_checks_of_scikit_learn():
    check_conventions(HingeForestClassifier(n_estimators=10, batches=200))


@pytest.mark.slow
@pytest.mark.parametrize("estimator", BOTH)
def test_the_defaults_pass_the_checks_of_scikit_learn(estimator):
    check_conventions(estimator())


@pytest.mark.parametrize("estimator", BOTH)
def test_parameters_are_the_settings_and_have_their_defaults(estimator):
    given = estimator().get_params()
    for known in HingeSettings.definitions():
        if known.name == "batches":
            assert given["batches"] is None
        else:
            name = "n_estimators" if known.name == "trees" else known.name
            assert given[name] == known.default, name
    assert given["validation"] == VALIDATION.default
    assert next(iter(inspect.signature(estimator).parameters)) == "kind"


def test_it_learns_numbers():
    X, y = DIABETES
    model = HingeForestRegressor(depth=2, n_estimators=20, random_state=0)
    assert cross_val_score(model, X, y, cv=3).mean() > 0.3
    two = HingeForestRegressor(**QUICK).fit(X, np.stack([y, -y], axis=1))
    assert two.predict(X).shape == (len(y), 2)


def test_probabilities_and_log_odds_agree():
    X, y = IRIS
    model = HingeForestClassifier(**QUICK).fit(X, y)
    share, out = model.predict_proba(X), model.decision_function(X)
    assert share.sum(axis=1) == pytest.approx(1)
    odds = share[:, 1:] / share[:, :1]
    assert np.log(odds) == pytest.approx(out[:, 1:] - out[:, :1], abs=1e-3)
    two = HingeForestClassifier(**QUICK).fit(X, y > 0)
    assert ((two.decision_function(X) > 0) == two.predict(X)).all()


def test_class_weights_move_the_boundary(rng):
    X, y = rng.standard_normal((300, 1)), np.repeat(["a", "b"], 150)
    for heavy, light in (("a", "b"), ("b", "a")):
        model = HingeForestClassifier(**QUICK, class_weight={heavy: 20.0}).fit(X, y)
        assert (model.predict(X) == heavy).mean() > 0.9, light
    few = np.concatenate([y, ["a"] * 3000])
    X = np.concatenate([X, rng.standard_normal((3000, 1))])
    model = HingeForestClassifier(**QUICK, class_weight="balanced").fit(X, few)
    assert (model.predict(X) == "b").mean() > 0.1
    assert (HingeForestClassifier(**QUICK).fit(X, few).predict(X) == "b").mean() < 0.1


def test_a_warm_start_goes_on_and_grows():
    X, y = load_digits(return_X_y=True)
    X, X_test, y, y_test = X[:1000], X[1000:], y[:1000], y[1000:]
    model = HingeForestClassifier(**QUICK | {"batches": 15}, warm_start=True).fit(X, y)
    short = model.score(X_test, y_test)
    model.set_params(n_estimators=20, batches=400).fit(X, y)
    assert model.forest_.n_trees == 20
    assert model.n_iter_ == 415
    assert model.score(X_test, y_test) > short + 0.05
    with pytest.raises(ValueError, match="it can only grow"):
        model.set_params(n_estimators=5).fit(X, y)
    with pytest.raises(ValueError, match="y holds 10, which is none of the classes"):
        model.set_params(n_estimators=20).fit(X, y + 1)
    cold = model.set_params(warm_start=False, n_estimators=5).fit(X, y)
    assert cold.forest_.n_trees == 5


def test_callbacks_hear_every_hundred_mini_batches_and_may_end_the_run():
    reported = []
    model = HingeForestClassifier(
        **QUICK, callbacks=[reported.append, lambda event: event.done >= 200]
    ).fit(*IRIS)
    assert [event.done for event in reported] == [0, 100, 200]
    assert reported == model.history_
    assert model.n_iter_ == 200


@pytest.mark.parametrize("loss", ["absolute_error", "quantile:0.8"])
def test_settings_come_back_from_a_file(loss):
    model = HingeForestRegressor(loss=loss, **QUICK | {"batches": 20}).fit(*IRIS)
    read = HingeForestRegressor.from_json(model.to_json())
    assert (read.loss, read.n_estimators, read.depth) == (loss, 10, 3)
    assert read.to_json() == HingeForestRegressor.from_json(read.to_json()).to_json()
    assert model._trained.loss in ("absolute", loss)


def test_a_forest_of_one_class_comes_back_from_its_file():
    model = HingeForestClassifier(**QUICK | {"batches": 20}).fit(IRIS[0], ["one"] * 150)
    read = HingeForestClassifier.from_json(model.to_json())
    assert (read.predict_proba(IRIS[0]) == model.predict_proba(IRIS[0])).all()

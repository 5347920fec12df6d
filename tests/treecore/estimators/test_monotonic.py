"""`monotonic_cst` of the estimators, by name and by position, and in forests."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone

from treecore import (
    AnnealedTreeClassifier,
    AnnealedTreeRegressor,
    AxisTreeClassifier,
    AxisTreeRegressor,
    BoostedTreeClassifier,
    ObliqueForestClassifier,
    ObliqueForestRegressor,
)

SIGNS = [1, -1, 0]
NAMES = ["price", "age", "size"]


@pytest.fixture
def sample(rng):
    X = rng.normal(size=(300, 3))
    return X, 2 * X[:, 0] + np.sin(3 * X).sum(axis=1) + rng.normal(size=300)


def n_falls(model, rng, frame=False):
    lower = rng.normal(size=(3000, 3))
    upper = lower + np.abs(rng.normal(size=lower.shape)) * SIGNS
    lower, upper = (pd.DataFrame(X, columns=NAMES) if frame else X for X in (lower, upper))
    if hasattr(model, "predict_proba"):
        return int((model.predict_proba(upper)[:, 1] < model.predict_proba(lower)[:, 1]).sum())
    return int((model.predict(upper) < model.predict(lower)).sum())


@pytest.mark.parametrize(
    ("of_numbers", "of_classes", "more"),
    [
        (AxisTreeRegressor, AxisTreeClassifier, {"max_depth": 9}),
        (AnnealedTreeRegressor, AnnealedTreeClassifier, {"depth": 4, "rounds": 10}),
    ],
)
def test_predictions_keep_the_order(rng, sample, of_numbers, of_classes, more):
    X, y = sample
    given = {"monotonic_cst": SIGNS, "min_weight_fraction_leaf": 0.02, "random_state": 0}
    number = of_numbers(**given, **more).fit(X, y)
    assert n_falls(number, rng) == 0
    assert number.score(X, y) > 0.5
    words = np.where(y > 1, "yes", "no")
    by_class = of_classes(class_weight="balanced", **given, **more).fit(X, words)
    assert n_falls(by_class, rng) == 0
    assert by_class.score(X, words) > 0.7


def test_columns_are_constrained_by_name_or_by_place(rng, sample):
    X, y = sample
    frame = pd.DataFrame(X, columns=NAMES)
    named = AxisTreeRegressor(monotonic_cst={"age": -1, "price": 1}).fit(frame, y)
    placed = clone(AxisTreeRegressor(monotonic_cst=np.array(SIGNS))).fit(frame, y)
    assert_array_equal(named.tree_.threshold, placed.tree_.threshold)
    assert_array_equal(named.tree_.values, placed.tree_.values)
    assert n_falls(named, rng, frame=True) == 0
    free = AxisTreeRegressor(monotonic_cst=[0, 0, 0]).fit(X, y)
    assert_array_equal(free.tree_.values, AxisTreeRegressor().fit(X, y).tree_.values)


def test_columns_beside_words_are_constrained(rng, sample):
    X, y = sample
    words = np.where(X[:, 2] > 0, "new", "old")
    frame = pd.DataFrame({"state": words, "price": X[:, 0], "age": X[:, 1]})
    tree = AxisTreeRegressor(monotonic_cst={"price": 1, "age": -1}).fit(frame, y)
    dearer = frame.assign(price=frame.price + np.abs(rng.normal(size=300)))
    assert (tree.predict(dearer) >= tree.predict(frame)).all()
    with pytest.raises(ValueError, match="column 'state', which holds categories"):
        AxisTreeRegressor(monotonic_cst=[1, 0, 0]).fit(frame, y)


def test_forests_and_boosted_trees_keep_the_order(rng, sample):
    X, y = sample
    more = {"n_estimators": 8, "max_features": 0.7, "random_state": 0}
    number_tree = AxisTreeRegressor(5, monotonic_cst=SIGNS)
    forest = ObliqueForestRegressor(number_tree, warm_start=True, **more).fit(X, y)
    assert n_falls(forest, rng) == 0
    assert n_falls(forest.set_params(n_estimators=10).fit(X, y), rng) == 0
    class_tree = AxisTreeClassifier(3, monotonic_cst=SIGNS)
    for kind in (ObliqueForestClassifier, BoostedTreeClassifier):
        assert n_falls(kind(class_tree, **more).fit(X, y > 0), rng) == 0


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"prize": 1}, "names 'prize', which is none of the columns of X"),
        ([1, 0], "for each of the 3 columns"),
        (1, "for each of the 3 columns"),
        ([[1, 0, 0]], "for each of the 3 columns"),
        ([1, 2, 0], "holds 2 for column 'age', and must hold -1, 0 or 1"),
        ({"age": "up"}, "holds 'up' for column"),
        ([0.5, 0, 0], "holds 0.5 for column"),
    ],
)
def test_bad_constraints_get_one_sentence(sample, given, sentence):
    X, y = sample
    with pytest.raises(ValueError, match=sentence):
        AxisTreeRegressor(monotonic_cst=given).fit(pd.DataFrame(X, columns=NAMES), y)


def test_what_cannot_keep_an_order_is_refused(sample):
    X, y = sample
    with pytest.raises(ValueError, match='set start to "axis"'):
        AnnealedTreeRegressor(monotonic_cst=SIGNS, start="oc1").fit(X, y)
    with pytest.raises(ValueError, match="needs all rows at once"):
        AnnealedTreeRegressor(monotonic_cst=SIGNS).partial_fit(X, y)
    forest = ObliqueForestClassifier(AxisTreeClassifier(monotonic_cst=SIGNS), n_estimators=2)
    with pytest.raises(ValueError, match="needs two classes, and y has 3"):
        forest.fit(X, np.arange(300) % 3)

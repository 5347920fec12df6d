"""Several outputs of classes: greedy trees and bagged forests of them, as scikit-learn has it."""

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

from treecore import (
    AnnealedTreeClassifier,
    AxisTreeClassifier,
    AxisTreeRegressor,
    BoostedTreeClassifier,
    ObliqueForestClassifier,
    ObliqueTreeClassifier,
    OC1TreeClassifier,
)


@pytest.fixture
def sample(rng):
    X = rng.normal(size=(400, 4))
    way = np.where(X[:, 0] + X[:, 1] > 0, "up", np.where(X[:, 2] > 0, "down", "flat"))
    size = (X[:, 1] > 0.5).astype(int) + (X[:, 3] > 0)
    return X, pd.DataFrame({"way": way, "size": size})


def test_the_tree_is_that_of_gini_summed_over_the_outputs(rng, sample):
    X, y = sample
    weight = rng.integers(1, 4, size=len(y)).astype(float)
    codes = np.column_stack([pd.factorize(y["way"], sort=True)[0], y["size"]])
    for sample_weight in (None, weight):
        tree = AxisTreeClassifier(4, smoothing=0.001).fit(X, y, sample_weight)
        theirs = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, codes, sample_weight)
        for ours, known in zip(tree.predict_proba(X), theirs.predict_proba(X), strict=True):
            assert_allclose(ours, known, atol=1e-3)
            assert_allclose(ours.sum(axis=1), 1.0)
        assert_allclose(tree.feature_importances_, theirs.feature_importances_, atol=1e-5)
    assert_array_equal(tree.predict(X)[:, 1].astype(int), theirs.predict(X)[:, 1])


@pytest.mark.parametrize(
    "model",
    [
        AxisTreeClassifier(4),
        OC1TreeClassifier(4, random_state=0),
        ObliqueForestClassifier(AxisTreeClassifier(8), n_estimators=5, random_state=0),
    ],
)
def test_classes_answers_score_files_and_copies(sample, model):
    X, y = sample
    fitted = clone(model).fit(X, y)
    assert [list(labels) for labels in fitted.classes_] == [["down", "flat", "up"], [0, 1, 2]]
    assert (fitted.n_classes_, fitted.n_outputs_) == ([3, 3], 2)
    said = fitted.predict(X)
    assert said.shape == (400, 2)
    right = [(said[:, k] == y[name]).mean() for k, name in enumerate(y)]
    assert 0.7 < fitted.score(X, y) <= min(right)
    for shares, logs in zip(fitted.predict_proba(X), fitted.predict_log_proba(X), strict=True):
        assert shares.shape == (400, 3)
        assert_allclose(np.exp(logs), shares)
    for again in (type(model).from_json(fitted.to_json()), pickle.loads(pickle.dumps(fitted))):
        assert_array_equal(again.predict(X), said)
        assert [list(labels) for labels in again.classes_] == [list(c) for c in fitted.classes_]


def test_the_file_is_one_of_numbers_which_the_shares_are(sample):
    X, y = sample
    tree = AxisTreeClassifier(3).fit(X, y)
    assert tree.to_document().output_names[2:4] == ("y0 = up", "y1 = 0")
    assert "predicts y0 = down" in str(tree)
    shares = AxisTreeRegressor.from_json(tree.to_json()).predict(X)
    assert_allclose(shares, np.hstack(tree.predict_proba(X)), atol=1e-6)
    assert_array_equal(ObliqueTreeClassifier.from_json(tree.to_json()).predict(X), tree.predict(X))


def test_files_of_other_numbers_are_refused_as_before(sample):
    X, y = sample
    text = AxisTreeClassifier(3).fit(X, y).to_json()
    for spoilt in ('["down", "flat"]', '["down", "flat", 3]', "[]", '"down"'):
        wrong = text.replace('["down","flat","up"]', spoilt)
        assert wrong != text
        with pytest.raises(ValueError, match="this file predicts numbers"):
            AxisTreeClassifier.from_json(wrong)


def test_rows_out_of_bag_and_stages(sample):
    X, y = sample
    tree = AxisTreeClassifier(8, max_features="sqrt")
    forest = ObliqueForestClassifier(tree, n_estimators=30, oob_score=True, random_state=0)
    forest.fit(X, y)
    favourites = [c[p.argmax(1)] for c, p in zip(forest.classes_, forest.oob_decision_function_)]
    right = (favourites[0] == y["way"].to_numpy()) & (favourites[1] == y["size"].to_numpy())
    assert forest.oob_score_ == pytest.approx(right.mean())
    assert 0.7 < forest.oob_score_ < forest.score(X, y)
    *_, last = forest.staged_predict(X)
    assert_array_equal(last, forest.predict(X))


def test_what_does_not_take_several_outputs_says_so(sample):
    X, y = sample
    for model in (
        AnnealedTreeClassifier(3),
        ObliqueTreeClassifier(),
        ObliqueForestClassifier("annealed"),
        BoostedTreeClassifier("axis"),
    ):
        with pytest.raises(ValueError, match=r"y has 2 outputs, and .* learns one of classes here"):
            model.fit(X, y)
    for tree, sentence in (
        (AxisTreeClassifier(leaf="linear"), 'set leaf to "constant"'),
        (AxisTreeClassifier(class_weight="balanced"), "class_weight is for one output"),
        (AxisTreeClassifier(monotonic_cst=[1, 0, 0, 0]), "monotonic_cst is for one output"),
    ):
        with pytest.raises(ValueError, match=sentence):
            tree.fit(X, y)
    tree = AxisTreeClassifier(3).fit(X, y)
    with pytest.raises(ValueError, match="calibrate is for one output"):
        tree.calibrate(X, y)
    with pytest.raises(ValueError, match="y has 1 output, and had 2 before"):
        tree.calibrate(X, y["way"])
    for model in (tree, ObliqueForestClassifier("axis", n_estimators=2).fit(X, y)):
        with pytest.raises(ValueError, match="counterfactual is for one output"):
            model.counterfactual(X[0], "up", X)
    with pytest.raises(ValueError, match="distil learns one output"):
        clone(tree).distil(DecisionTreeClassifier().fit(X, y["size"]), X, y)
    with pytest.raises(ValueError, match=r"y has shape \(400,\), and \(400, 2\) is predicted"):
        tree.score(X, y["way"])

"""Pipelines of scikit-learn answer as treecore does, and its tools read their trees."""

from dataclasses import replace
from io import BytesIO

import joblib
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.tree import DecisionTreeClassifier, export_text

from tests.helpers.cases import case
from tests.helpers.exports import (
    ANSWERS,
    hard_rows,
    labels_of,
    outputs_of,
    random_model,
    with_splines,
)
from tests.helpers.strategies import random_tree
from treecore.core.tree import OBLIQUE
from treecore.ensembles.forest import Forest
from treecore.export import FORMATS
from treecore.export.sklearn import to_sklearn
from treecore.persistence import Document


def frame(document, X):
    return pd.DataFrame(X, columns=list(document.feature_names))


@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(300), marks=pytest.mark.slow)])
def test_every_row_has_the_answer_of_treecore(seeds):
    for seed in seeds:
        with case(seed=seed):
            make = with_splines if seed % 10 < 2 else random_model
            document = make(seed, ANSWERS[seed % 5])
            X = hard_rows(document, 40, seed)
            pipeline = joblib.load(BytesIO(FORMATS["sklearn"].write(document)))
            wanted = outputs_of(document, X)
            if document.class_names:
                assert_array_equal(pipeline.predict(frame(document, X)), labels_of(document, X))
                found = pipeline.predict_proba(frame(document, X))
            else:
                found = pipeline.predict(frame(document, X)).reshape(wanted.shape)
            assert_allclose(found, wanted, rtol=1e-12, atol=1e-15)


def test_ties_of_equal_votes_go_to_the_first_class_there_too():
    for seed in range(10):
        with case(seed=seed):
            document = random_model(seed, "votes")
            trees = document.model.trees
            document = replace(document, model=Forest(trees, np.ones(len(trees)), "votes"))
            X = hard_rows(document, 60, seed)
            found = to_sklearn(document).predict(frame(document, X))
            assert_array_equal(found, labels_of(document, X))


@pytest.fixture
def wine():
    tree = random_tree(np.random.default_rng(0), 4, n_features=2, n_classes=2, share_axis=0.0)
    weights = np.array([[0.8, -0.5], [1, 2], [3, 4], [5, 6]], np.float32)
    counts = np.arange(1, 11).reshape(5, 2)
    return Document(tree._replace(weights=weights), ("alcohol", "hue"), ("a", "b"), counts=counts)


def test_text_and_plots_name_columns_by_their_weights(wine):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from sklearn.tree import plot_tree

    pipeline = to_sklearn(wine)
    assert type(pipeline[-1]) is DecisionTreeClassifier
    names = list(pipeline[:-1].get_feature_names_out())
    assert "0.8 alcohol − 0.5 hue" in names
    text = export_text(pipeline[-1], feature_names=names, class_names=list(wine.class_names))
    assert "0.8 alcohol − 0.5 hue <=" in text
    drawn = plot_tree(pipeline[-1], feature_names=names, class_names=list(wine.class_names))
    said = [box.get_text() for box in drawn]
    assert sum("samples" in text for text in said) == 9
    assert any("0.8 alcohol − 0.5 hue <=" in text for text in said)
    assert f"samples = {wine.counts.sum()}" in said[0]
    from matplotlib import pyplot

    pyplot.close("all")


def test_counts_of_rows_add_up_at_every_split(wine):
    nodes = to_sklearn(wine)[-1].tree_
    inner = nodes.children_left >= 0
    left, right = nodes.children_left[inner], nodes.children_right[inner]
    n = nodes.n_node_samples
    assert_array_equal(n[inner], n[left] + n[right])
    assert (wine.model.feature == OBLIQUE).all()


def test_frames_with_other_columns_are_refused(wine):
    with pytest.raises(ValueError, match="feature names"):
        to_sklearn(wine).predict(pd.DataFrame({"hue": [1.0], "alcohol": [2.0]}))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_treelite_reads_them():
    treelite = pytest.importorskip("treelite")
    for seed in range(20):
        with case(seed=seed):
            document = random_model(seed, "shares")
            trees = document.model.trees
            document = replace(document, model=Forest(trees, np.ones(len(trees)), "shares"))
            pipeline = to_sklearn(document)
            X = frame(document, hard_rows(document, 50, seed))
            model = treelite.sklearn.import_model(pipeline[-1])
            found = treelite.gtil.predict(model, pipeline[:-1].transform(X))
            wanted = outputs_of(document, X.to_numpy())
            assert_allclose(found.reshape(wanted.shape), wanted, atol=1e-6)

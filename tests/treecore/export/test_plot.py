"""A tree on matplotlib's axes, and as the text that print shows."""

import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, plot_tree

from tests.helpers.estimators import DIABETES, IRIS
from treecore import (
    AxisTreeClassifier,
    AxisTreeRegressor,
    ObliqueForestClassifier,
    TAOTreeClassifier,
    plot,
)

matplotlib = pytest.importorskip("matplotlib")


@pytest.fixture
def axes():
    matplotlib.use("agg")
    from matplotlib import pyplot

    yield pyplot.subplots()[1]
    pyplot.close("all")


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_a_tree_of_cuts_is_drawn_as_scikit_learns_own(axes):
    X, y = IRIS[0][:, [0, 1, 3]], IRIS[1]  # two columns would part the first class alike
    rules = {"max_depth": 2, "criterion": "gini", "random_state": 0}
    names = {"feature_names": list("abc"), "class_names": list("pqr")}
    plot_tree(DecisionTreeClassifier(**rules).fit(X, y), ax=axes, impurity=False, **names)
    theirs = [text.split("\nvalue")[0] for text in texts(axes)]
    assert plot(AxisTreeClassifier(**rules).fit(X, y), axes, **names) is axes
    assert [text.split("\nvalue")[0] for text in texts(axes)] == theirs
    assert "class = p" in "".join(texts(axes))


def test_oblique_splits_name_weights_and_leaves_may_be_linear(axes):
    tree = TAOTreeClassifier(3, random_state=0).fit(*IRIS)
    root = texts(plot(tree, axes, precision=1))[0].replace("\n", " ")
    assert f"<= {tree.tree_.threshold[0]:.1f} samples = 150" in root
    assert texts(plot(tree, axes, max_depth=0)).count("\n  (...)  \n") == 2
    assert "samples = 1" in "".join(texts(plot(tree.tree_, axes)))
    linear = AxisTreeRegressor(2, leaf="linear", random_state=0).fit(*DIABETES)
    assert "samples = 442" in texts(plot(linear, axes))[0]


def test_several_outputs_are_drawn(axes):
    X, y = DIABETES
    both = np.column_stack([y > 100, y > 200])
    for tree in (AxisTreeRegressor(2).fit(X, both), AxisTreeClassifier(2).fit(X, both)):
        assert "samples = 442" in texts(plot(tree, axes))[0]


def test_what_cannot_be_drawn_gets_one_sentence(axes, monkeypatch):
    tree = AxisTreeClassifier(2).fit(*IRIS)
    for bad in (ObliqueForestClassifier(tree, n_estimators=2).fit(*IRIS), 3):
        with pytest.raises(TypeError, match="plot draws one tree"):
            plot(bad, axes)
    for more in ({"feature_names": ["a"]}, {"class_names": ["a"]}):
        with pytest.raises(ValueError, match="names, but has 1"):
            plot(tree, axes, **more)
    with pytest.raises(ValueError, match="is not fitted yet"):
        plot(AxisTreeClassifier(), axes)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"plot needs matplotlib: pip install 'treecore\[plot\]'"):
        plot(tree)


def test_print_shows_a_fitted_tree_and_repr_stays_that_of_scikit_learn():
    tree = AxisTreeClassifier(max_depth=2)
    assert str(tree) == repr(tree) == "AxisTreeClassifier(max_depth=2)"
    lines = str(tree.fit(*IRIS)).splitlines()
    assert repr(tree) == "AxisTreeClassifier(max_depth=2)"
    assert lines[2] == f"x{tree.tree_.feature[0]} > {tree.tree_.threshold[0]:.2f}"
    assert sum("rows)" in line for line in lines) == tree.get_n_leaves()
    colour = pd.DataFrame({"colour": list("abcd") * 30})
    cut = AxisTreeRegressor(1, categorical_features=["colour"]).fit(colour, [1, 2, 1, 2] * 30)
    assert str(cut).splitlines()[2] == "colour in {b, d}"
    assert "├── no: 1.0" in str(cut)
    assert "└── yes: 1.9" in str(cut)
    lines = str(AxisTreeClassifier().fit([[0], [1], [2]], [0, 0, 1])).splitlines()
    assert lines[0] == "1 split, 2 leaves, depth 1, 1 feature; predicts 0, 1"
    assert lines[-1] == "└── > 1 75%  (1 row)"
    large = str(AxisTreeRegressor(None).fit(*DIABETES))
    assert max(line.count("│") for line in large.splitlines()) <= 6
    assert "…" in large

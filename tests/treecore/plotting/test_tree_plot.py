"""A tree on matplotlib's axes, and as the text that print shows."""

from __future__ import annotations

import sys

import numpy as np
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


def test_questions_and_rows_are_those_of_scikit_learn(axes):
    X, y = IRIS[0][:, [0, 1, 3]], IRIS[1]  # two columns would part the first class alike
    names = list("abc")
    settings = {"max_depth": 2, "criterion": "gini", "random_state": 0}
    theirs = plot_tree(
        DecisionTreeClassifier(**settings).fit(X, y), feature_names=names, precision=1, ax=axes
    )
    sklearn = [text.get_text().split("\n") for text in theirs if "\n" in text.get_text()]
    tree = AxisTreeClassifier(2, criterion="gini", random_state=0).fit(X, y)
    assert plot(tree, axes, precision=1, feature_names=names, class_names=["p", "q", "r"]) is axes
    ours = [text.split("\n") for text in texts(axes)]
    assert [one[0] for one in ours if "<=" in one[0]] == [
        one[0] for one in sklearn if "<=" in one[0]
    ]
    rows = [int(next(line for line in one if "rows" in line).split()[0]) for one in ours]
    assert rows == [int(line.split()[-1]) for one in sklearn for line in one if "samples" in line]
    assert ours[1][-1].startswith("p: ")


def test_oblique_splits_name_their_largest_weights_and_deep_nodes_are_dots(axes):
    tree = TAOTreeClassifier(3, random_state=0).fit(*IRIS)
    root = texts(plot(tree, axes, precision=1))[0].replace("\n", " ")
    weights = tree.tree_.weights[tree.tree_.row[0]]
    assert f"x{np.abs(weights).argmax()}" in root.split("<=")[0].split("+")[0]
    assert root.split("<= ")[1].split()[0] == f"{tree.tree_.threshold[0]:.1f}"
    assert texts(plot(tree, axes, max_depth=0))[1:] == ["(...)", "(...)"]
    alone = texts(plot(tree.tree_, axes))
    assert "rows" not in "".join(alone)
    assert len(alone) == tree.tree_.n_splits + tree.tree_.n_leaves


def test_numbers_are_means_of_rows_and_small_ones_keep_digits(axes):
    X, y = DIABETES
    tree = AxisTreeRegressor(2).fit(X, y / 1e6)
    root = texts(plot(tree, axes))[0].split("\n")
    assert root[1:] == ["442 rows", f"{y.mean() / 1e6:.2g}"]


def test_what_cannot_be_drawn_gets_one_sentence(axes, monkeypatch):
    tree = AxisTreeClassifier(2).fit(*IRIS)
    forest = ObliqueForestClassifier(tree, n_estimators=2).fit(*IRIS)
    for bad in (forest, 3):
        with pytest.raises(TypeError, match="plot draws a fitted tree"):
            plot(bad, axes)
    for more in ({"max_depth": -1}, {"precision": 1.5}, {"feature_names": ["a"]},
                 {"class_names": ["a"]}):  # fmt: skip
        with pytest.raises(ValueError, match=r"must be a whole number|names, but has 1"):
            plot(tree, axes, **more)
    with pytest.raises(ValueError, match="is not fitted yet"):
        plot(AxisTreeClassifier(), axes)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"plot needs matplotlib: pip install 'treecore\[plot\]'"):
        plot(tree)


def test_print_shows_a_fitted_tree_and_repr_stays_that_of_scikit_learn():
    tree = AxisTreeClassifier(max_depth=2)
    assert str(tree) == repr(tree) == "AxisTreeClassifier(max_depth=2)"
    tree.fit(*IRIS)
    assert repr(tree) == "AxisTreeClassifier(max_depth=2)"
    lines = str(tree).splitlines()
    assert lines[2] == f"x{tree.tree_.feature[0]} > {tree.tree_.threshold[0]:.2f}"
    assert sum("rows)" in line for line in lines) == tree.get_n_leaves()
    large = AxisTreeRegressor(None).fit(*DIABETES)
    assert large.get_n_leaves() > 256
    assert max(line.count("│") for line in str(large).splitlines()) <= 6
    assert "…" in str(large)

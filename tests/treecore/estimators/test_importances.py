"""Importances: scikit-learn's where definitions coincide, and what oblique splits add to them."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.helpers.cases import case
from tests.helpers.estimators import IRIS, quick
from treecore import ObliqueTreeClassifier, RunConfig, apply
from treecore.core.tree import make_tree
from treecore.estimators.methods import CLASSIFIERS
from treecore.export.readers import from_sklearn
from treecore.inspection.importances import feature_importances
from treecore.losses import find_loss
from treecore.rows.training_rows import TrainingRows
from treecore.selection.model_trees import with_linear_leaves
from treecore.training.registry import TREES
from treecore.training.tree_trainer import TreeTrainer


def rows_of(X, y, weight, loss):
    y = y if loss == "log" else y.reshape(len(y), -1).astype(np.float32)
    n_outputs = 1 + y.max() if loss == "log" else y.shape[1]
    return TrainingRows(X, y, weight / weight.mean(), n_outputs, find_loss(loss))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
def test_importances_of_axis_aligned_trees_are_those_of_scikit_learn(criterion):
    for seed in range(5):
        with case(seed=seed):
            rng = np.random.default_rng(seed)
            X = rng.integers(0, 9, size=(200, 5)).astype(np.float32)  # cuts between are exact
            weight = rng.uniform(0.5, 2, size=200)
            if criterion == "squared_error":
                y, loss = np.float32(rng.normal(size=(200, 2)) + X[:, :2]), "squared"
                other = DecisionTreeRegressor(max_depth=5, random_state=0)
            else:
                y, loss = rng.integers(0, 3, size=200) * (X[:, 0] > 3), "log"
                other = DecisionTreeClassifier(criterion=criterion, max_depth=5, random_state=0)
            other.fit(X, y, sample_weight=weight)
            tree, rows = from_sklearn(other).tree, rows_of(X, y, weight, loss)
            found = feature_importances(tree, rows, apply(tree, X), criterion)
            expected = other.feature_importances_
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("method", TREES)
def test_importances_sum_to_one_and_find_the_features_that_matter(method, rng):
    X = rng.normal(size=(400, 6))
    y = (X[:, 1] + X[:, 4] > 0).astype(int)
    importances = CLASSIFIERS[method](3, random_state=0).fit(X, y)
    importances = importances.feature_importances_
    assert importances.sum() == pytest.approx(1)
    assert (importances >= 0).all()
    assert set(np.argsort(importances)[-2:]) == {1, 4}


@pytest.mark.parametrize("loss", ["log", "squared"])
def test_the_model_of_a_linear_leaf_earns_what_it_explains(loss, rng):
    """A stump whose feature says half of it, and models of which one feature says the rest."""
    X = rng.standard_normal((4000, 3)).astype(np.float32)
    score = 2.0 * np.sign(X[:, 0]) + 2.0 * X[:, 1]
    y = (score > 0).astype(np.int64) if loss == "log" else score[:, None].astype(np.float32)
    rows = TrainingRows(X, y, np.ones(len(X)), 2 if loss == "log" else 1, find_loss(loss))
    stump = make_tree(np.empty((0, 3)), [0.0], [0], [-1], [~0], [~1], np.zeros((2, rows.n_outputs)))
    tree = with_linear_leaves(stump, rows)
    found = feature_importances(tree, rows, apply(tree, X), "entropy")
    assert found.sum() == pytest.approx(1)
    if loss == "squared":  # variances of both parts are equal, but for a third feature's chance
        np.testing.assert_allclose(found, [0.5, 0.5, 0.0], atol=0.02)
        other = tree._replace(linear=tree.linear.scaled(np.array([7.0]), np.array([-3.0])))
        again = feature_importances(other, rows, apply(other, X), "entropy")
        np.testing.assert_allclose(again, found, rtol=1e-5)
    assert found[2] < 0.02
    assert found[0] > 0.2
    assert found[1] > 0.2


def test_columns_of_one_feature_share_as_the_curve_that_they_sum_up_to(rng):
    """A column that takes all of a feature back, and two hinges that make one slope of another."""
    X = np.float32(rng.normal(size=(300, 2)) * [1, 3])
    below = np.minimum(X[:, 1], 0)
    made = np.column_stack([X, X[:, 0] + 9, np.maximum(X[:, 1], 0), below]).astype(np.float32)
    y = (X[:, 1] > 0.5).astype(int)
    rows, plain = (rows_of(part, y, rng.uniform(0.5, 2, 300), "log") for part in (made, X))
    weights = [[1, 0, -1, 2, 2]]
    tree = make_tree(weights, [1], [-1], [0], [-1], [-2], [[0, 0], [0, 0]])
    found = feature_importances(tree, rows, apply(tree, made), "gini", np.array([0, 1, 0, 1, 1]))
    np.testing.assert_allclose(found, [0, 1], atol=1e-6)

    tree = make_tree([[3, 0, -1, 2, 2]], [-8], [-1], [0], [-1], [-2], [[0, 0], [0, 0]])
    alone = make_tree([[2, 2]], [1], [-1], [0], [-1], [-2], [[0, 0], [0, 0]])
    found = feature_importances(tree, rows, apply(tree, made), "gini", np.array([0, 1, 0, 1, 1]))
    plain = replace(plain, weight=rows.weight)
    expected = feature_importances(alone, plain, apply(alone, X), "gini")
    np.testing.assert_allclose(found, expected, rtol=1e-5)


@pytest.mark.parametrize("leaf", ["constant", "linear"])
@pytest.mark.parametrize("loss", ["log", "squared"])
def test_behind_splines_the_features_of_rows_have_importances(loss, leaf):
    X, y = IRIS
    X = np.column_stack([X, np.cos(np.arange(150.0) * 7)])  # which says nothing
    splines = {"kernel": "spline", "components": 20}
    trainer = TreeTrainer(RunConfig("annealed", depth=3, loss=loss, leaf=leaf, **splines), X, y)
    tree, rows = trainer.run(), trainer.mapped_rows(trainer.feature_map)
    sources = trainer.feature_map.sources
    found = feature_importances(tree, rows, apply(tree, rows.X), "entropy", sources)
    assert found.shape == (5,)
    assert found.sum() == pytest.approx(1)
    assert found[:4].max() > 2 * found[4]


def test_a_file_has_no_importances():
    fitted = quick(ObliqueTreeClassifier).fit(*IRIS)
    assert fitted.feature_importances_.sum() == pytest.approx(1)
    with pytest.raises(AttributeError, match="training rows, which a file does not hold"):
        _ = type(fitted).from_json(fitted.to_json()).feature_importances_

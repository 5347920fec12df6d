"""Model trees: linear models in the leaves of trees that stand already."""

import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.planted import slanted
from treecore.core.routing import predict, predict_proba, predict_values
from treecore.core.tree import make_tree, single_leaf
from treecore.losses import find_loss
from treecore.rows.training_rows import TrainingRows
from treecore.selection.model_trees import with_linear_leaves


def rows_of(X, y, loss):
    n_outputs = int(y.max()) + 1 if loss == "log" else y.shape[1]
    return TrainingRows(X.astype(np.float32), y, np.ones(len(y)), n_outputs, find_loss(loss))


def single(rows):
    return single_leaf(np.zeros(rows.n_outputs), rows.X.shape[1])


def test_a_single_leaf_of_classes_is_logistic_regression():
    X, y = slanted(600)
    rows = rows_of(X, y, "log")
    tree = with_linear_leaves(single(rows), rows)
    other = LogisticRegression().fit(X, y)
    assert (predict(tree, rows.X) == other.predict(X)).mean() > 0.98
    np.testing.assert_allclose(predict_proba(tree, rows.X), other.predict_proba(X), atol=0.05)


def test_a_single_leaf_of_numbers_is_ridge_regression(rng):
    X = rng.standard_normal((200, 4))
    y = (X @ [[1.0], [-2.0], [0.0], [0.5]] + 3.0).astype(np.float32)
    rows = rows_of(X, y, "squared")
    tree = with_linear_leaves(single(rows), rows)
    np.testing.assert_allclose(predict_values(tree, rows.X), y, atol=0.01)
    np.testing.assert_allclose(tree.linear.weights[0, 0], [1, -2, 0, 0.5], atol=0.01)


def test_each_leaf_has_the_slope_of_its_rows():
    x = np.linspace(-1, 1, 400)[:, None]
    rows = rows_of(x, np.abs(x).astype(np.float32), "squared")
    stump = make_tree(np.empty((0, 1)), [0.0], [0], [-1], [~0], [~1], np.zeros((2, 1)))
    tree = with_linear_leaves(stump, rows)
    np.testing.assert_allclose(tree.linear.weights.ravel(), [-1, 1], atol=0.02)
    np.testing.assert_allclose(tree.values.ravel(), [0.5, 0.5], atol=0.01)

"""A tree is a plain tree over its own scores, to the last bit."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tests.helpers.cases import case
from tests.helpers.exports import hard_rows, random_model
from tests.helpers.strategies import random_tree
from treecore.core.routing import apply
from treecore.core.tree import OBLIQUE
from treecore.ensembles.forest import Forest
from treecore.export.scores import close_rows, score_view


def trees_of(model):
    return model.trees if isinstance(model, Forest) else (model,)


def test_plain_trees_put_every_row_into_the_same_leaf():
    for seed in range(40):
        with case(seed=seed):
            document = random_model(seed)
            X = hard_rows(document, 60, seed)
            view = score_view(document.model)
            scores = view.scores(X)
            for plain, tree in zip(view.trees, trees_of(document.model)):
                assert (plain.feature != OBLIQUE).all()
                assert_array_equal(apply(plain, scores), apply(tree, X))


def test_columns_are_named_by_their_weights_and_never_twice():
    tree = random_tree(np.random.default_rng(0), n_splits=6, n_features=2, share_axis=0.5)
    weights = np.zeros_like(tree.weights)
    weights[:] = [0.8, -0.5]
    view = score_view(tree._replace(weights=weights))
    names = view.names(["alcohol", "hue"])
    assert len(set(names)) == len(names)
    assert "0.8 alcohol − 0.5 hue" in names
    assert "0.8 alcohol − 0.5 hue #2" in names
    assert {"alcohol", "hue"} & set(names), "a column of one feature has its name"
    assert score_view(tree._replace(weights=-weights)).names(["a", "b"])[-1].startswith("−0.8 a + ")


def test_only_close_rows_are_decided_otherwise_in_float64():
    """Rows that lie within a few units in the last place of a split, where sums go astray."""
    astray = 0
    for seed in range(20):
        with case(seed=seed):
            tree = random_tree(
                np.random.default_rng(seed), n_splits=1, n_features=20, share_axis=0.0
            )
            w, b = tree.weights[0].astype(float), float(tree.threshold[0])
            X = np.random.default_rng(seed).standard_normal((500, 20))
            X = (X - np.outer(X @ w - b, w) / (w @ w)).astype(np.float32)  # all on the split
            exact = X.astype(float) @ w > b
            side = (apply(tree, X) == ~tree.right[0]).ravel()
            close = close_rows(tree, X)
            assert not (exact != side)[~close].any()
            astray += (exact != side).sum()
    assert astray > 100, "the rows were to be decided by rounding"


def test_what_has_no_scores_is_named():
    with pytest.raises(TypeError, match="a Tree or a Forest has a score view, not a str"):
        score_view("tree")

"""The message of a tree that stands for itself: all that the drawing reads, of any tree."""

import numpy as np
import pytest

from treecore import RunConfig, Trainer, apply
from treecore.core.tree import single_leaf
from treecore.data.generators import generate
from treecore.viewer.messages.standing_tree import standing_message
from treecore.viewer.messages.wire import unpack


@pytest.fixture(scope="module")
def spirals():
    data = generate("spirals", 200, seed=0)
    return data, Trainer(RunConfig("axis", depth=4), data.X, data.y, n_classes=2).run()


def test_shape_answers_and_counts_are_those_of_the_tree(spirals):
    data, tree = spirals
    leaf = apply(tree, data.X)
    counts = np.bincount(2 * leaf + data.y, minlength=2 * tree.n_leaves).reshape(-1, 2)
    meta, arrays = unpack(
        standing_message(tree, "one", data.feature_names, data.class_names, counts=counts, marked=3)
    )
    assert meta["alone"]
    assert meta["marked"] == 3
    assert meta["classes"] == list(data.class_names)
    np.testing.assert_array_equal(arrays["f0.children"], np.stack([tree.left, tree.right], axis=1))
    np.testing.assert_array_equal(arrays["f0.leaf"], tree.values.argmax(axis=1))
    np.testing.assert_array_equal(arrays["counts"], counts)
    lines = arrays["f0.split"] * arrays["f0.size"][:, None]
    on_line = lines[:, 2]
    np.testing.assert_allclose(on_line, tree.threshold, rtol=1e-6)
    np.testing.assert_array_equal(lines[:, :2].argmax(axis=1), tree.feature)


def test_one_feature_numbers_and_a_single_leaf_are_trees_too():
    tree = single_leaf(np.array([2.5]), 1)
    meta, arrays = unpack(standing_message(tree, "leaf", ("x",), (), target="price"))
    assert meta["task"] == "regression"
    assert meta["range"] == [2.5, 3.5]
    assert arrays["f0.value"].tolist() == [2.5]
    assert "counts" not in arrays

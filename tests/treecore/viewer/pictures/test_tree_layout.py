"""Where nodes stand in drawings of trees."""

import numpy as np
import pytest

from treecore import RunConfig, Trainer
from treecore.core.tree import split_depths
from treecore.pruning.subtrees import leaves_below
from treecore.viewer.pictures.tree_layout import layout, tree_layout


@pytest.fixture(scope="module")
def tree():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 2))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    trainer = Trainer(RunConfig("axis", depth=5), X, y)
    trainer.run()
    return trainer.learner.tree()


def test_leaves_stand_in_even_steps_and_splits_amid_them(tree):
    where, depths = tree_layout(tree), split_depths(tree)
    assert len(where) == tree.n_splits + tree.n_leaves > 8
    order = leaves_below(tree, tree.root)
    assert [where[~leaf][0] for leaf in order] == list(range(tree.n_leaves))
    for split in range(tree.n_splits):
        below = [where[~leaf][0] for leaf in leaves_below(tree, split)]
        assert where[split] == ((min(below) + max(below)) / 2, -depths[split])
        for child in (tree.left[split], tree.right[split]):
            assert where[int(child)][1] == -depths[split] - 1


def test_equal_nodes_have_places_of_their_own():
    places = layout("aa", lambda node: [node[1:]] * 2 if node else [])
    assert [place.node for place in places] == ["aa", "a", "", "", "a", "", ""]
    assert [place.x for place in places] == [1.5, 0.5, 0.0, 1.0, 2.5, 2.0, 3.0]
    assert [place.parent for place in places] == [-1, 0, 1, 1, 0, 4, 4]

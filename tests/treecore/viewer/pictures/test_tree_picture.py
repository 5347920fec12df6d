"""A tree as a picture that stands alone, and below scikit-learn's diagram."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from treecore import AxisTreeClassifier, AxisTreeRegressor
from treecore.core.tree import single_leaf, split_depths
from treecore.pruning.subtrees import leaves_below
from treecore.viewer.pictures.svg import SvgCanvas
from treecore.viewer.pictures.tree_layout import tree_layout
from treecore.viewer.pictures.tree_picture import LEVEL, tree_svg

X = np.random.default_rng(0).standard_normal((90, 2))


def count(svg, tag):
    return len([one for one in ET.fromstring(svg).iter() if one.tag.endswith(f"}}{tag}")])


@pytest.mark.parametrize(
    "fitted",
    [
        AxisTreeClassifier(max_depth=3).fit(X, np.arange(90) % 3),
        AxisTreeRegressor(max_depth=3).fit(X, X[:, 0]),
    ],
    ids=["classes", "numbers"],
)
def test_every_node_is_drawn_once_and_every_edge(fitted):
    tree = fitted.tree_
    svg = tree_svg(tree, "<b>", fitted._numeric)
    assert count(svg, "circle") == tree.n_splits
    assert count(svg, "rect") == tree.n_leaves + 1, "and the sheet"
    assert count(svg, "line") == 2 * tree.n_splits
    html = fitted._repr_mimebundle_()["text/html"]
    assert html.index("sk-top-container") < html.index("<svg", html.rindex("sk-top-container"))


def test_a_single_leaf_is_a_picture():
    svg = tree_svg(single_leaf([1.0], 2), "one", True)
    assert (count(svg, "circle"), count(svg, "rect")) == (0, 2)
    assert f'height="{LEVEL + 24}"' in svg


def test_names_from_a_file_cannot_break_a_picture():
    drawing = SvgCanvas(10, 10, "<b>&\x00", "#fff")
    drawing.text(1, 1, '</text><script>alert("x")</script>\ud800', "#000")
    assert count(drawing.svg(), "script") == 0
    assert count(drawing.svg(), "text") == 1


def test_leaves_stand_in_even_steps_and_splits_amid_them():
    tree = AxisTreeClassifier(5).fit(X, X[:, 0] * X[:, 1] > 0).tree_
    where, depths = tree_layout(tree), split_depths(tree)
    assert len(where) == tree.n_splits + tree.n_leaves > 8
    order = leaves_below(tree, tree.root)
    assert [where[~leaf][0] for leaf in order] == list(range(tree.n_leaves))
    for split in range(tree.n_splits):
        below = [where[~leaf][0] for leaf in leaves_below(tree, split)]
        assert where[split] == ((min(below) + max(below)) / 2, -depths[split])
        for child in (tree.left[split], tree.right[split]):
            assert where[int(child)][1] == -depths[split] - 1

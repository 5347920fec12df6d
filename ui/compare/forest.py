"""A forest in a comparison: how large it is, and what it says on the plane, as one picture.

A tree's regions are polygons, drawn by the browser; those of a forest are more than anyone would
draw, so its map is a picture of small squares, the same as on the page Forests.
"""

from __future__ import annotations

import numpy as np
import streamlit as st

from treecore import Forest, HingeForest, Tree
from treecore.core.tree import OBLIQUE, tree_depth
from treecore.learners.hinge.traversal import n_nodes
from ui.drawing.planes import Plane
from ui.drawing.png import as_address, png
from ui.drawing.svg import Drawing
from ui.drawing.target_style import Answers
from ui.drawing.theme import Paint
from ui.forests.snapshot import scores_of
from ui.forests.vote_map import SIDE, box_on, grid, shaded
from ui.widgets.dataset_picker import ChosenData

Model = Tree | Forest | HingeForest

WIDE, HIGH = 480, 366
"""Pixels of the picture; as high as the map of a tree beside it."""

MOST_POINTS = 500


def n_splits(model: Model) -> int:
    """Questions in all trees together."""
    if isinstance(model, HingeForest):
        return model.n_trees * n_nodes(model.kind, model.depth)
    return sum(tree.n_splits for tree in _trees(model))


def n_weights(model: Model) -> int:
    """Weights that are not zero, in all splits together; a split on one feature has one."""
    if isinstance(model, HingeForest):
        filters = int(np.count_nonzero(model.layer.filters))
        return filters or n_splits(model)
    found = 0
    for tree in _trees(model):
        oblique = tree.feature == OBLIQUE
        found += int(np.count_nonzero(tree.weights[tree.row[oblique]]))
        found += int(np.count_nonzero(~oblique))
    return found


def depth(model: Model) -> int:
    """The most splits between a root and a leaf."""
    if isinstance(model, HingeForest):
        return model.depth
    return max(map(tree_depth, _trees(model)))


def n_bytes(model: Model) -> int:
    """What a model takes in memory that an earlier one of its run does not hold already."""
    if isinstance(model, HingeForest):
        return 4 * model.n_parameters
    return sum(array.nbytes for array in _trees(model)[-1])


def _trees(model: Tree | Forest) -> tuple[Tree, ...]:
    return (model,) if isinstance(model, Tree) else model.trees


def forest_view(
    model: Forest | HingeForest | None, data: ChosenData, plane: Plane, colours
) -> None:
    """The picture of a forest, where the data have a map, and its size in words."""
    if model is None:
        st.caption("The first tree is growing.")
        return
    if data.train.n_features <= 2:
        st.html(f'<img style="width: 100%" src="{_picture(model, data, plane, colours)}">')
    else:
        st.caption("There are more than two features: a map has no room for them.")
    st.caption(f"{model.n_trees} trees, {n_splits(model):,} splits, depth {depth(model)}")


def _picture(model: Forest | HingeForest, data: ChosenData, plane: Plane, colours: Paint) -> str:
    """The address of the picture; that of the last few is remembered."""
    kept = st.session_state.setdefault("compare_pictures", [])
    for known, key, address in kept:
        if known is model and key == (plane.labels, colours.dark):
            return address
    kept.append((model, (plane.labels, colours.dark), forest_picture(model, data, plane, colours)))
    del kept[:-8]
    return kept[-1][2]


def forest_picture(
    model: Forest | HingeForest, data: ChosenData, plane: Plane, colours: Paint
) -> str:
    """What a forest says on the plane, and the points; as the address of an image."""
    train, answers = data.train, Answers(data.train, colours)
    if isinstance(model, Forest):  # a copy: what it packs to answer is not to be kept
        model = Forest(model.trees, model.weights, model.answer)
    box = box_on(plane, train.X)
    told = shaded(scores_of(model, grid(plane, box)), answers.low, answers.high, colours)
    drawing = Drawing(WIDE, HIGH, f"the map of a forest of {model.n_trees} trees", colours.back)
    squares = told.reshape(-1, SIDE, 3)[::-1]  # pictures begin at the top
    drawing.image(0, 0, WIDE, HIGH, as_address(png(squares)))
    for part, held in ((train, False), (data.held, True)):
        if part is None:
            continue
        rows = np.linspace(0, part.n_samples - 1, min(MOST_POINTS, part.n_samples)).astype(int)
        share = (plane.points(part.X[rows]) - box[0]) / (box[1] - box[0])
        for row, (x, y) in zip(rows, share, strict=True):
            label = 0 if answers.numbers else int(part.y[row])
            colour = answers.shade(part.y[row]) if answers.numbers else colours.of(label)
            at = WIDE * x, HIGH * (1 - y) if plane.labels[1] else HIGH / 2
            # Filled ones are learnt from, hollow ones are held out.
            fill, edge = (colours.back, colour) if held else (colour, colours.back)
            drawing.marker(label, *at, 3.4, fill, edge, 1.5 if held else 0.5)
    return drawing.address()

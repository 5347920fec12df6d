"""A forest in a comparison: how large it is, and what it says on the plane, as one picture.

A tree's regions are polygons, drawn by the browser; those of a forest are more than anyone would
draw, so its map is a picture of small squares, the same as on the page Forests.
"""

from __future__ import annotations

import numpy as np
import streamlit as st

from treecore import Forest, HingeForest
from ui.drawing.planes import Plane
from ui.drawing.png import as_address, png
from ui.drawing.squares import SIDE, box_on, grid, shaded
from ui.drawing.svg import SvgCanvas
from ui.drawing.target_style import Answers
from ui.drawing.theme import Paint
from ui.jobs.chosen_data import ChosenData
from ui.jobs.models import depth, n_splits, scores_of

WIDE, HIGH = 480, 366
"""Pixels of the picture; as high as the map of a tree beside it."""

MOST_POINTS = 500


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
    trees = "1 tree" if model.n_trees == 1 else f"{model.n_trees} trees"
    st.caption(f"{trees}, {n_splits(model):,} splits, depth {depth(model)}")


def _picture(model: Forest | HingeForest, data: ChosenData, plane: Plane, colours: Paint) -> str:
    """The address of the picture; that of the last few is remembered."""
    pictures = st.session_state.setdefault("compare_pictures", [])
    for known, key, address in pictures:
        if known is model and key == (plane.labels, colours.dark):
            return address
    pictures.append(
        (model, (plane.labels, colours.dark), forest_picture(model, data, plane, colours))
    )
    del pictures[:-8]
    return pictures[-1][2]


def forest_picture(
    model: Forest | HingeForest, data: ChosenData, plane: Plane, colours: Paint
) -> str:
    """What a forest says on the plane, and the points; as the address of an image."""
    train, answers = data.train, Answers(data.train, colours)
    if isinstance(model, Forest):  # a copy: what it packs to answer is not to be kept
        model = Forest(model.trees, model.weights, model.answer)
    box = box_on(plane, train.X)
    pixels = shaded(scores_of(model, grid(plane, box)), answers.low, answers.high, colours)
    drawing = SvgCanvas(WIDE, HIGH, f"the map of a forest of {model.n_trees} trees", colours.back)
    squares = pixels.reshape(-1, SIDE, 3)[::-1]  # pictures begin at the top
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

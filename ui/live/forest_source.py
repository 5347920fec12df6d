"""A forest in a comparison: how large it is, and what it says on the plane, as one picture.

A tree's regions are polygons, drawn by the browser; those of a forest are more than anyone would
draw, so its map is a picture of small squares, the same as on the page Inspect.
"""

from typing import Any

import numpy as np

from treecore import Forest, HingeForest
from treecore.viewer import News, Plane, SvgCanvas
from ui.drawing.png import as_address, png
from ui.drawing.squares import SIDE, box_on, grid, shaded
from ui.drawing.target_style import Answers
from ui.drawing.theme import Paint
from ui.jobs.chosen_data import ChosenData
from ui.jobs.models import depth, n_splits, scores_of
from ui.language.translate import _
from ui.live.channel import WholeSource
from ui.live.comparison import Comparison, Heading

SIDES = 400
"""Pixels of the picture, across and up: maps are squares."""

MOST_POINTS = 500

PICTURE_SECONDS = 0.3
"""Between two pictures while the clock goes."""


def forest_source(
    comparison: Comparison,
    number: int,
    words: Heading,
    data: ChosenData,
    plane: Plane,
    colours: Paint,
    known: list[tuple],
    *,
    from_nothing: bool = False,
) -> WholeSource:
    """A contestant's forest: its picture, of the last few ``known``, and its size in words."""
    names = data.train.class_names

    def make() -> News | None:
        scene = comparison.seen or comparison.refresh()
        if number >= len(scene.views):  # a browser may still ask for what another page showed
            return None
        snapshot = scene.views[number].snapshot
        failed = comparison.contestants[number].runner.look().state == "failed"  # its heading says
        model = None if snapshot is None else snapshot.model
        meta: dict[str, Any] = {
            "heading": list(words(scene, number)),
            "classes": () if any(one.is_tree for one in comparison.contestants) else names,
            "text": "" if failed else _("The first tree is growing."),
        }
        if from_nothing and scene.hand <= scene.axis.low:
            meta["text"] = _("No tree yet.")
            meta["image"] = _picture(None, data, plane, colours, known)
        elif isinstance(model, Forest | HingeForest):
            trees = (
                _("1 tree") if model.n_trees == 1 else _("{n_trees} trees", n_trees=model.n_trees)
            )
            meta["text"] = _(
                "{trees}, {model:,} splits, depth {model2}",
                trees=trees,
                model=n_splits(model),
                model2=depth(model),
            )
            if data.train.n_features > 2:
                meta["text"] += f". {_(plane.note)}"
            meta["image"] = _picture(model, data, plane, colours, known)
        return meta, {}

    return WholeSource(make, hurry=lambda: not comparison.playing, gap=PICTURE_SECONDS)


def _picture(
    model: Forest | HingeForest | None,
    data: ChosenData,
    plane: Plane,
    colours: Paint,
    known: list[tuple],
) -> str:
    """The address of the picture; that of the last few is remembered."""
    of = (plane.labels, colours.dark, data.key)
    for one, key, address in known:
        if one is model and key == of:
            return address
    address = forest_drawing(model, data, plane, colours).address()
    known.append((model, of, address))
    del known[:-8]
    return address


def forest_drawing(
    model: Forest | HingeForest | None, data: ChosenData, plane: Plane, colours: Paint
) -> SvgCanvas:
    """What a forest says on the plane, if there is one, and the points."""
    train, answers = data.train, Answers(data.train, colours)
    if isinstance(model, Forest):  # a copy: what it packs to answer is not to be kept
        model = Forest(model.trees, model.weights, model.answer)
    box = box_on(plane, train.X)
    n_trees = 0 if model is None else model.n_trees
    drawing = SvgCanvas(
        SIDES, SIDES, _("the map of a forest of {n_trees} trees", n_trees=n_trees), colours.back
    )
    if model is not None:
        pixels = shaded(scores_of(model, grid(plane, box)), answers.low, answers.high, colours)
        squares = pixels.reshape(-1, SIDE, 3)[::-1]  # pictures begin at the top
        drawing.image(0, 0, SIDES, SIDES, as_address(png(squares)))
    for part, held in ((train, False), (data.held, True)):
        if part is None:
            continue
        rows = np.linspace(0, part.n_samples - 1, min(MOST_POINTS, part.n_samples)).astype(int)
        share = (plane.points(part.X[rows]) - box[0]) / (box[1] - box[0])
        for row, (x, y) in zip(rows, share, strict=True):
            label = 0 if answers.numbers else int(part.y[row])
            colour = answers.shade(part.y[row]) if answers.numbers else colours.of(label)
            at = SIDES * x, SIDES * (1 - y if plane.labels[1] else 0.5)
            # Filled ones are learnt from, hollow ones are held out.
            fill, edge = (colours.back, colour) if held else (colour, colours.back)
            drawing.marker(label, *at, 3.4, fill, edge, 1.5 if held else 0.5)
    return drawing

"""Small multiples over seeds: the last tree of every run as a small map, or as a small tree."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import streamlit as st

from treecore import Tree, apply
from treecore.core.tree import tree_depth
from treecore.data.dataset import Dataset
from treecore.viewer.messages.planes import feature_plane
from treecore.viewer.pictures.svg import SvgCanvas
from treecore.viewer.pictures.tree_layout import tree_layout
from ui.drawing.map_figure import box_of, map_points
from ui.drawing.png import as_address, png
from ui.drawing.target_style import Answers
from ui.drawing.theme import Paint, rgb
from ui.jobs.metrics import good_name
from ui.lab.seed_study import MOST_LEAVES, SeedResult
from ui.language.translate import _, ngettext, written

SIDE = 96
"""Pixels of a small map."""

_STYLE = """
.tc-small { display: flex; flex-wrap: wrap; gap: 10px 12px; margin: 2px 0 14px }
.tc-small figure { margin: 0; width: 96px }
.tc-small img { width: 96px; height: 96px; display: block; border-radius: 3px }
.tc-small figcaption { font-size: 12px; line-height: 1.35; margin-top: 3px }
.tc-small .best { font-weight: 700 }
"""


class Sheet:
    """Pictures of runs, each made once.

    data: training rows of the first seed: they give the frame that all maps share.
    """

    def __init__(self, data: Dataset):
        self.data = data
        self._made: dict[tuple, str] = {}

    def picture(self, result: SeedResult, colours: Paint) -> str:
        """The address of a run's picture, empty where there is none."""
        key = result.contestant, result.seed, colours.dark
        if key not in self._made:
            self._made[key] = self._make(result.tree, Answers(self.data, colours))
        return self._made[key]

    def _make(self, tree: Tree | None, answers: Answers) -> str:
        if tree is None:
            return ""
        if self.data.n_features <= 2:
            plane = feature_plane(self.data, 0, self.data.n_features - 1)
            box = box_of(map_points(self.data, plane))
            return as_address(png(map_pixels(tree, box, answers)))
        return tree_address(tree, answers)


def map_pixels(tree: Tree, box: np.ndarray, answers: Answers, side: int = SIDE) -> np.ndarray:
    """Regions and boundaries of a tree on one or two features, uint8 (side, side, 3).

    box: float64 (2, 2), least and greatest coordinates.
    """
    middles = (np.arange(side) + 0.5) / side
    across = box[0, 0] + middles * (box[1, 0] - box[0, 0])
    up = box[1, 1] - middles * (box[1, 1] - box[0, 1])
    grid = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
    leaf = apply(tree, grid[:, : tree.n_features]).reshape(side, side)
    back, ink = (np.array(rgb(c)) for c in (answers.colours.back, answers.colours.text))
    fills = np.array([s * np.array(rgb(c)) + (1 - s) * back for c, s in strong(answers, tree)])
    pixels = fills[leaf]
    edge = np.zeros((side, side), dtype=bool)
    edge[:, 1:] |= leaf[:, 1:] != leaf[:, :-1]
    edge[1:] |= leaf[1:] != leaf[:-1]
    pixels[edge] = 0.55 * pixels[edge] + 0.45 * ink
    return np.rint(pixels).astype(np.uint8)


def _leaves(tree: Tree) -> str:
    n = tree.n_leaves
    return ngettext("a tree of {n} leaf", "a tree of {n} leaves", n)


def strong(answers: Answers, tree: Tree) -> list[tuple[str, float]]:
    """Tints of leaves for a map without points, which need not stand out from it."""
    return [(c, s if answers.numbers else min(1.0, 1.9 * s)) for c, s in answers.tints(tree)]


def tree_address(tree: Tree, answers: Answers) -> str:
    """A tree as a small drawing: edges, and leaves in the colours of what they say."""
    colours = answers.colours
    drawing = SvgCanvas(SIDE, SIDE, _leaves(tree), colours.back)
    where, levels = tree_layout(tree), max(1, tree_depth(tree))
    across = [x for x, _ in where.values()]
    low, span = min(across) - 0.5, max(across) - min(across) + 1.0
    size = max(0.7, min(3.5, 0.4 * SIDE / span))

    def at(node: int) -> tuple[float, float]:
        x, y = where[node]
        return SIDE * (x - low) / span, 6 - (SIDE - 12) * y / levels

    for split in range(tree.n_splits):
        for child in (int(tree.left[split]), int(tree.right[split])):
            drawing.line(*at(split), *at(child), colours.muted, 0.7)
    for node, (colour, _share) in enumerate(answers.leaves(tree)):
        x, y = at(~node)
        drawing.rect(x - size, y - size, 2 * size, 2 * size, colour)
    return drawing.address()


def multiples(
    sheet: Sheet, names: Sequence[str], results: Sequence[SeedResult], loss: str, colours: Paint
) -> None:
    """A row of small pictures for every contestant, in the order of the seeds."""
    flat = sheet.data.n_features <= 2
    good = good_name(loss)
    parts = []
    for number, name in enumerate(names):
        of_contestant = sorted((r for r in results if r.contestant == number), key=lambda r: r.seed)
        figures = [_figure(sheet, r, of_contestant, name, good, colours) for r in of_contestant]
        parts.append(f"<p><b>{escape(name)}</b></p><div class='tc-small'>{''.join(figures)}</div>")
    if flat:
        said = _(
            "The last map of every run, with its seed and {good}; the best of each row is in bold. "
            "Where rows look alike, the method finds the same tree whatever the chance.",
            good=good,
        )
    else:
        said = _(
            "The last tree of every run, with its seed and {good}; the best of each row is in "
            "bold. There are more than two features: a map has no room for them.",
            good=good,
        )
    st.caption(said)
    st.html(f"<style>{_STYLE}</style>{''.join(parts)}")


def _figure(sheet, result: SeedResult, row: Sequence[SeedResult], name, good, colours) -> str:
    best = result.good == max(r.good for r in row) and len(row) > 1
    seed = _("seed {seed}", seed=result.seed)
    caption = (
        f"{seed}<br><span class='{'best' if best else ''}'>{written(result.good, '.1%')}</span>"
    )
    address = sheet.picture(result, colours)
    alt = f"{name}, {seed}, {good} {written(result.good, '.1%')}"
    seen = f"<img src='{address}' alt='{escape(alt, quote=True)}'>"
    if not address:
        many = _("more than {most} leaves: too many for a small picture", most=MOST_LEAVES)
        seen = f"<p>{many}</p>"
    return f"<figure>{seen}<figcaption>{caption}</figcaption></figure>"

"""A tree as a standing picture: splits as circles, leaves as squares that wear their answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treecore.core.tree import Tree, tree_depth
from treecore.viewer.palette import PALETTE
from treecore.viewer.pictures.svg import SvgCanvas
from treecore.viewer.pictures.tree_layout import tree_layout

WIDE, LEVEL, MARGIN = 720, 44, 12
"""Pixels: of the picture of a tree alone, of each of its levels, and about it."""

_PAGE = PALETTE["page"]["light"]


def _draw_tree(drawing: SvgCanvas, tree: Tree, colours: Sequence[str]) -> None:
    """Draw a tree with leaves of some colours, within the margins."""
    wide, high = drawing.width - 2 * MARGIN, drawing.height - 2 * MARGIN
    where = tree_layout(tree)
    across = [x for x, _ in where.values()]
    low, span = min(across) - 0.5, max(across) - min(across) + 1.0
    levels = tree_depth(tree)
    radius = max(0.8, min(10.0, 0.42 * wide / span, 0.3 * high / (levels + 1)))

    def at(node: int) -> tuple[float, float]:
        x, y = where[node]
        inner = high - 2 * radius - 2
        return MARGIN + wide * (x - low) / span, MARGIN + radius + 1 - inner * y / max(1, levels)

    for split in range(tree.n_splits):
        for child in (int(tree.left[split]), int(tree.right[split])):
            drawing.line(*at(split), *at(child), _PAGE["faint"], max(0.4, min(1.4, radius / 5)))
    for node in where:
        x, y = at(node)
        if node < 0:
            size = 0.9 * radius
            drawing.rect(x - size, y - size, 2 * size, 2 * size, colours[~node])
            continue
        drawing.circle(x, y, radius, _PAGE["back"], _PAGE["muted"], min(1.2, radius / 4))
        # Numbers of more leaves would overlap.
        if tree.n_leaves <= 64 and radius > 5:
            drawing.text(x, y + 0.35 * radius, str(node), _PAGE["text"], 0.95 * radius, "middle")


def tree_svg(tree: Tree, title: str, numbers: bool) -> str:
    """A tree alone as SVG, on white. title: what it is, for readers of screens."""
    high = LEVEL * (tree_depth(tree) + 1) + 2 * MARGIN
    drawing = SvgCanvas(WIDE, high, title, _PAGE["back"])
    _draw_tree(drawing, tree, _shades(tree.values[:, 0]) if numbers else _classes(tree))
    return drawing.svg()


def _classes(tree: Tree) -> list[str]:
    colours = PALETTE["classes"]["light"]
    return [colours[i % len(colours)] for i in tree.values.argmax(axis=1).tolist()]


def _shades(values: np.ndarray) -> list[str]:
    """The nearest colour of the scale for every number."""
    ramp = PALETTE["ramps"]["number"]["light"]
    low, high = float(values.min()), float(values.max())
    share = (values - low) / (high - low) if high > low else np.zeros(len(values))
    return [ramp[i] for i in np.rint(share * (len(ramp) - 1)).astype(int)]

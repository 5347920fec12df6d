"""The tree as a drawing: who is above whom, and what a step did to each node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from treecore import Tree
from treecore.core.tree import tree_depth
from treecore.viewer.pictures.tree_layout import tree_layout
from ui.drawing.figure import Figure
from ui.drawing.target_style import Answers
from ui.drawing.theme import dress, rgb
from ui.language.translate import _

NUMBERED = 32
"""Leaves whose numbers have room beside each other; of more, only ringed ones have one."""


def node_name(node: int) -> str:
    """The name of a split, or of ``~leaf``, in figures: formulas find it by that."""
    return f"split{node}" if node >= 0 else f"leaf{~node}"


@dataclass(frozen=True)
class Mark:
    """How one node looks; what is None stays as it is for every node."""

    ring: str | None = None
    edge: str | None = None
    dash: str = "solid"
    faint: bool = False
    says: str = ""


def tree_figure(
    tree: Tree,
    answers: Answers,
    marks: Mapping[int, Mark],
) -> Figure:
    """Draw a tree; splits are circles with their numbers, leaves squares in their class's colour.

    marks: by split, or ``~leaf``.
    """
    where, colours = tree_layout(tree), answers.colours
    figure = Figure()
    for split in range(tree.n_splits):
        for child in (int(tree.left[split]), int(tree.right[split])):
            mark = marks.get(child, Mark())
            (x0, y0), (x1, y1) = where[split], where[child]
            figure.add_scatter(
                x=[x0, x1],
                y=[y0, y1],
                mode="lines",
                line={
                    "color": mark.edge or colours.faint,
                    "width": 3.5 if mark.edge else 1.5,
                    "dash": mark.dash,
                },
                hoverinfo="skip",
                showlegend=False,
            )
    leaves, crowded = answers.leaves(tree), tree.n_leaves > NUMBERED
    for node, (x, y) in where.items():
        mark = marks.get(node, Mark())
        fill, says = colours.back, _("split {node}", node=node)
        if node < 0:
            fill, answer = leaves[~node]
            says = _("leaf {value}: {answer}", value=~node, answer=answer)
        figure.add_scatter(
            x=[x],
            y=[y],
            meta=node_name(node),
            customdata=[node],
            mode="markers+text",
            text="" if node < 0 and crowded and not mark.ring else str(max(node, ~node)),
            textfont={
                "size": 10,
                "color": colours.text if node >= 0 or mark.faint else _ink(fill),
            },
            marker={
                "size": 21 if node >= 0 else 19,
                "symbol": "circle" if node >= 0 else "square",
                "color": fill,
                "opacity": 0.35 if mark.faint else 1.0,
                "line": {
                    "color": mark.ring or colours.muted,
                    "width": 4 if mark.ring else 1.2,
                },
            },
            selected={"marker": {"opacity": 0.35 if mark.faint else 1.0}},
            unselected={"marker": {"opacity": 0.35 if mark.faint else 1.0}},
            hovertemplate="<br>".join(filter(None, (says, mark.says))) + "<extra></extra>",
            showlegend=False,
        )
    depth = tree_depth(tree)
    dress(figure, colours, 400)
    xs = np.array([x for x, _ in where.values()])
    figure.update_xaxes(visible=False, range=[xs.min() - 0.7, xs.max() + 0.7], fixedrange=True)
    figure.update_yaxes(visible=False, range=[-depth - 0.4, 0.4], fixedrange=True)
    return figure


def _ink(fill: str) -> str:
    """Black or white, whichever reads better on a colour."""
    r, g, b = rgb(fill)
    return "black" if 0.299 * r + 0.587 * g + 0.114 * b > 120 else "white"

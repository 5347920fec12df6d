"""One tree of a hinge forest, drawn: its splits, its leaves, and how many rows come there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treecore import HingeForest
from treecore.inspection import smallest_margins
from treecore.viewer import layout
from ui.drawing.figure import Figure
from ui.drawing.theme import Paint, dress
from ui.inspect.forest_scene import alone
from ui.jobs.chosen_data import ChosenData
from ui.language.translate import _, written
from ui.shell.safe_text import in_figure

DEEPEST_DRAWN = 6
"""Levels of a tree in the drawing; what lies below is told by a triangle."""


@dataclass(frozen=True)
class MemberNode:
    """One thing in the drawing; label: of a leaf, else -1; says: the tooltip."""

    kind: str
    label: int
    value: str
    rows: int
    says: str
    children: tuple[MemberNode, ...] = ()


def hinge_node(forest: HingeForest, member: int, data: ChosenData) -> MemberNode:
    """The drawing of one tree of a hinge forest; ``member`` counts from 0."""
    train = data.train
    trees = forest.trees
    leaf, _margin = smallest_margins(alone(forest, member), train.X)
    counts = np.bincount(leaf[:, 0], minlength=2**forest.depth)
    features, thresholds = trees.feature[member], trees.threshold[member]
    fern = forest.kind == "fern"
    what = _("learnt feature") if len(forest.layer.tap) else "column"

    def node(at: int, path: int, depth: int) -> MemberNode:
        width = 2 ** (forest.depth - depth)
        rows = int(counts[path * width : (path + 1) * width].sum())
        text = _("{rows} of {n_samples} training rows", rows=rows, n_samples=train.n_samples)
        if depth == forest.depth:
            weights = trees.weights[member, path]
            if forest.task == "regression":
                value = written(weights[0], ".2g")
                return MemberNode(
                    "leaf",
                    -1,
                    value,
                    rows,
                    _("adds {value} × margin<br>{text}", value=value, text=text),
                )
            label = int(weights.argmax())
            name = in_figure(train.class_names[label]) if label < train.n_classes else str(label)
            return MemberNode(
                "leaf", label, "", rows, _("speaks most for {name}<br>{text}", name=name, text=text)
            )
        if depth == DEEPEST_DRAWN:
            return MemberNode(
                "more",
                -1,
                str(width),
                rows,
                _("{width} more leaves below<br>{text}", width=width, text=text),
            )
        place = depth if fern else at
        says = f"{what} {features[place]} &gt; {written(thresholds[place], '.3g')}<br>{text}"
        sides = tuple(node(2 * at + 1 + right, 2 * path + right, depth + 1) for right in (0, 1))
        return MemberNode("split", -1, "", rows, says, sides)

    return node(0, 0, 0)


def member_figure(root: MemberNode, paint: Paint, numbers: bool) -> Figure:
    """Draw a tree: the more rows, the larger its leaves and the broader its edges."""
    placed = layout(root, lambda node: node.children)
    total = max(1, root.rows)
    figure = Figure()
    for low, high, width in ((-1, 0.02, 1.0), (0.02, 0.2, 2.0), (0.2, 2.0, 3.5)):
        x, y = [], []
        for place in placed[1:]:
            if low < place.node.rows / total <= high:
                above = placed[place.parent]
                x += [above.x, place.x, None]
                y += [above.y, place.y, None]
        if x:
            figure.add_scatter(
                x=x, y=y, mode="lines", hoverinfo="skip", showlegend=False,
                line={"color": paint.faint if width == 1 else paint.muted, "width": width},
            )  # fmt: skip
    looks = {
        "split": ("circle", paint.back),
        "leaf": ("square", None),
        "more": ("triangle-down", paint.faint),
    }
    crowd = sum(not place.node.children for place in placed)
    most = 20.0 if crowd <= 24 else 13.0
    for kind, (shape, fill) in looks.items():
        shown = [place for place in placed if place.node.kind == kind]
        nodes = [place.node for place in shown]
        if not nodes:
            continue
        size, colours = [], []
        for node in nodes:
            share = (node.rows / total) ** 0.5
            size.append(max(5.0, most * (0.35 + 0.65 * share)) if kind == "leaf" else most * 0.6)
            quiet = numbers or node.label < 0
            colours.append(fill or (paint.accent if quiet else paint.of(node.label)))
        texts = [node.value for node in nodes] if crowd <= 16 else None
        figure.add_scatter(
            x=[place.x for place in shown],
            y=[place.y for place in shown],
            mode="markers+text" if texts else "markers",
            text=texts,
            textposition="bottom center",
            textfont={"size": 11, "color": paint.text},
            customdata=[node.says for node in nodes],
            hovertemplate="%{customdata}<extra></extra>",
            showlegend=False,
            marker={
                "symbol": shape,
                "size": size,
                "color": colours,
                "opacity": [1.0 if node.rows or kind != "leaf" else 0.35 for node in nodes],
                "line": {"color": paint.muted, "width": 1.2},
            },
        )
    depth = -min(place.y for place in placed)
    dress(figure, paint, 330)
    figure.update_xaxes(visible=False, fixedrange=True)
    figure.update_yaxes(visible=False, range=[-depth - 0.5, 0.4], fixedrange=True)
    return figure

"""One tree of a forest, drawn: its splits, its leaves, and how many rows come there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from treecore import Tree, apply
from treecore.core.routing import leaf_probabilities
from treecore.core.tree import OBLIQUE
from treecore.inspection.hinge_margins import smallest_margins
from treecore.learners.hinge import HingeForest
from ui.drawing.theme import Paint, dress
from ui.forests.snapshot import Scene, alone
from ui.jobs.chosen_data import ChosenData
from ui.shell.safe_text import in_figure

DEEPEST_DRAWN = 6
"""Levels of a tree in the drawing; what lies below is told by a triangle."""

NAMED = 3
"""Features of a split that are named; the others are counted."""


@dataclass(frozen=True)
class Node:
    """One thing in the drawing.

    Attributes
    ----------
    kind : "split", "leaf" or "more"
    label : int
        Class of a leaf; -1 for everything else.
    value : str
        What a leaf predicts, short.
    rows : int
        Training rows that come here.
    says : str
        The tooltip.
    children : tuple of Node
    """

    kind: str
    label: int
    value: str
    rows: int
    says: str
    children: tuple[Node, ...] = ()


def member_node(scene: Scene, member: int) -> Node:
    """The drawing of one tree of a forest; ``member`` counts from 0."""
    if isinstance(scene.forest, HingeForest):
        return _hinge_node(scene.forest, member, scene.data)
    return _tree_node(scene.forest.trees[member], scene.data, scene.numbers)


def _tree_node(tree: Tree, data: ChosenData, numbers: bool) -> Node:
    train = data.train
    counts = np.bincount(apply(tree, train.X), minlength=tree.n_leaves)
    chances = None if numbers else leaf_probabilities(tree)

    def below(child: int) -> tuple[int, int]:
        """Rows, and leaves, below a node."""
        if child < 0:
            return int(counts[~child]), 1
        sides = [below(int(tree.left[child])), below(int(tree.right[child]))]
        return sides[0][0] + sides[1][0], sides[0][1] + sides[1][1]

    def node(child: int, depth: int) -> Node:
        rows, n_leaves = below(child)
        told = f"{rows} of {train.n_samples} training rows"
        if child < 0:
            if numbers:
                value = f"{tree.values[~child, 0]:.3g}"
                return Node("leaf", -1, value, rows, f"predicts {value}<br>{told}")
            label = int(chances[~child].argmax())
            name = in_figure(train.class_names[label])
            says = f"{name}, {chances[~child, label]:.0%}<br>{told}"
            return Node("leaf", label, "", rows, says)
        if depth == DEEPEST_DRAWN:
            return Node("more", -1, str(n_leaves), rows, f"{n_leaves} more leaves below<br>{told}")
        sides = (node(int(tree.left[child]), depth + 1), node(int(tree.right[child]), depth + 1))
        says = f"{_question(tree, child, train.feature_names)}<br>{told}"
        return Node("split", -1, "", rows, says, sides)

    return node(tree.root, 0)


def _question(tree: Tree, split: int, names: tuple[str, ...]) -> str:
    """A split in words, for a tooltip."""
    threshold = float(tree.threshold[split])
    if tree.feature[split] != OBLIQUE:
        return f"{in_figure(names[tree.feature[split]])} &gt; {threshold:.3g}"
    weights = tree.weights[tree.row[split]]
    order = np.argsort(-np.abs(weights), kind="stable")
    used = [j for j in order if weights[j] != 0]
    parts = " ".join(f"{weights[j]:+.3g}·{in_figure(names[j])}" for j in used[:NAMED])
    more = f" and {len(used) - NAMED} more" if len(used) > NAMED else ""
    return f"{parts or '0'}{more} &gt; {threshold:.3g}"


def _hinge_node(forest: HingeForest, member: int, data: ChosenData) -> Node:
    train = data.train
    trees = forest.trees
    leaf, _ = smallest_margins(alone(forest, member), train.X)
    counts = np.bincount(leaf[:, 0], minlength=2**forest.depth)
    features, thresholds = trees.feature[member], trees.threshold[member]
    fern = forest.kind == "fern"
    what = "learnt feature" if len(forest.layer.tap) else "column"

    def node(at: int, path: int, depth: int) -> Node:
        width = 2 ** (forest.depth - depth)
        rows = int(counts[path * width : (path + 1) * width].sum())
        told = f"{rows} of {train.n_samples} training rows"
        if depth == forest.depth:
            weights = trees.weights[member, path]
            if forest.task == "regression":
                value = f"{weights[0]:.2g}"
                return Node("leaf", -1, value, rows, f"adds {value} × margin<br>{told}")
            label = int(weights.argmax())
            name = in_figure(train.class_names[label]) if label < train.n_classes else str(label)
            return Node("leaf", label, "", rows, f"speaks most for {name}<br>{told}")
        if depth == DEEPEST_DRAWN:
            return Node("more", -1, str(width), rows, f"{width} more leaves below<br>{told}")
        place = depth if fern else at
        says = f"{what} {features[place]} &gt; {thresholds[place]:.3g}<br>{told}"
        sides = tuple(node(2 * at + 1 + right, 2 * path + right, depth + 1) for right in (0, 1))
        return Node("split", -1, "", rows, says, sides)

    return node(0, 0, 0)


def _placed(root: Node) -> list[tuple[Node, float, float, tuple[float, float] | None]]:
    """Every node with its place and its parent's: ends in even steps, others midway above."""
    found = []
    ends = [0]

    def place(node: Node, depth: int) -> float:
        if not node.children:
            x = float(ends[0])
            ends[0] += 1
            found.append([node, x, -float(depth), None])
            return x
        before = len(found)
        xs = [place(child, depth + 1) for child in node.children]
        x = sum(xs) / len(xs)
        for entry in found[before:]:
            if entry[3] is None and entry[2] == -depth - 1:
                entry[3] = (x, -float(depth))
        found.append([node, x, -float(depth), None])
        return x

    place(root, 0)
    return [tuple(entry) for entry in found]


def member_figure(root: Node, paint: Paint, numbers: bool) -> go.Figure:
    """Draw a tree; squares are leaves in their class's colour, the larger the more rows end there.

    Edges are the broader the more rows take them.
    """
    placed = _placed(root)
    total = max(1, root.rows)
    figure = go.Figure()
    for low, high, width in ((-1, 0.02, 1.0), (0.02, 0.2, 2.0), (0.2, 2.0, 3.5)):
        x, y = [], []
        for node, x1, y1, parent in placed:
            if parent is not None and low < node.rows / total <= high:
                x += [parent[0], x1, None]
                y += [parent[1], y1, None]
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
    crowd = sum(not node.children for node, *_ in placed)
    most = 20.0 if crowd <= 24 else 13.0
    for kind, (shape, fill) in looks.items():
        own = [entry for entry in placed if entry[0].kind == kind]
        if not own:
            continue
        size, colours = [], []
        for node, *_ in own:
            share = (node.rows / total) ** 0.5
            size.append(max(5.0, most * (0.35 + 0.65 * share)) if kind == "leaf" else most * 0.6)
            quiet = numbers or node.label < 0
            colours.append(fill or (paint.accent if quiet else paint.of(node.label)))
        texts = [node.value for node, *_ in own] if crowd <= 16 else None
        figure.add_scatter(
            x=[x for _, x, _, _ in own],
            y=[y for _, _, y, _ in own],
            mode="markers+text" if texts else "markers",
            text=texts,
            textposition="bottom center",
            textfont={"size": 11, "color": paint.text},
            customdata=[node.says for node, *_ in own],
            hovertemplate="%{customdata}<extra></extra>",
            showlegend=False,
            marker={
                "symbol": shape,
                "size": size,
                "color": colours,
                "opacity": [1.0 if node.rows or kind != "leaf" else 0.35 for node, *_ in own],
                "line": {"color": paint.muted, "width": 1.2},
            },
        )
    depth = -min(y for _, _, y, _ in placed)
    dress(figure, paint, 330)
    figure.update_xaxes(visible=False, fixedrange=True)
    figure.update_yaxes(visible=False, range=[-depth - 0.5, 0.4], fixedrange=True)
    return figure

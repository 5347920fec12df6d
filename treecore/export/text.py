"""A tree, or one of a forest, as indented text."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Container, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.special import softmax

from treecore.base.units import shortest
from treecore.core.tree import counted, tree_depth
from treecore.ensembles.forest import Forest
from treecore.export.scores import sum_text
from treecore.export.written import cut_text, digits_apart, read_names, share_text, split_text
from treecore.learners.hinge.model import HingeForest
from treecore.persistence import Document
from treecore.persistence.document import MAX_DEPTH


class Line(NamedTuple):
    """A line of a tree: the guides before it, the side it lies on, and its split or leaf."""

    guides: str
    side: str
    text: str
    is_leaf: bool

    def __str__(self) -> str:
        return self.guides + self.side + self.text


def write_text(document: Document) -> bytes:
    """The whole model as indented text, every weight of every split."""
    lines = heading(document)
    for number in range(document.n_trees):
        if document.kind != "tree":
            lines.append(f"tree {number + 1}:")
        lines += map(str, tree_of_model(document, number, MAX_DEPTH, len(document.feature_names)))
    return ("\n".join(line.rstrip() for line in lines) + "\n").encode()


def tree_of_model(document: Document, number: int, depth: int, terms: int) -> list[Line]:
    """The lines of a model's tree by number: ``depth`` levels, ``terms`` weights a split."""
    model = document.model
    if isinstance(model, HingeForest):
        return _lines_of_hinge(model, document, number, depth)
    if isinstance(model, Forest):
        document = dataclasses.replace(document, model=model.trees[number])
    return _lines_of_tree(document, depth, terms)


def _draw(
    root: Any,
    depth: int,
    below: Callable[[Any], Sequence[Any]],
    line_of: Callable[[Any], str],
    sets: Container[Any] = (),
) -> list[Line]:
    """The lines of a tree, from the root down, left before right; sets: nodes that ask for one."""
    lines = []
    pending = [(root, 0, "", "", "")]
    while pending:
        node, level, guides, ahead, side = pending.pop()
        children = below(node)
        lines.append(Line(guides, side, line_of(node), not children))
        if children and level == depth:
            lines.append(Line(ahead + "└── ", "", "…", False))
        elif children:
            left, right = children
            no, yes = ("no: ", "yes: ") if node in sets else ("≤ ", "> ")
            pending.append((right, level + 1, ahead + "└── ", ahead + "    ", yes))
            pending.append((left, level + 1, ahead + "├── ", ahead + "│   ", no))
    return lines


def heading(document: Document) -> list[str]:
    """A few lines on a model."""
    model, training = document.model, document.training
    n_features, seed = len(document.feature_names), ""
    if isinstance(model, HingeForest):
        shape = _shape_of_hinge(model)
    elif isinstance(model, Forest):
        shape = _shape_of_forest(model)
    else:
        counts = counted(model.n_splits, "split"), counted(model.n_leaves, "leaf", "leaves")
        shape = f"{', '.join(counts)}, depth {tree_depth(model)}, "
        n_features = model.n_features
        seed = f", seed {training['seed']}" if "seed" in training else ""
    names = ", ".join(document.class_names[:8] or document.output_names[:8])
    lines = [f"{shape}{counted(n_features, 'feature')}; predicts {names}"]
    if "method" in training:
        lines.append(f"learnt by {training['method']}{seed}")
    return lines


def _shape_of_hinge(forest: HingeForest) -> str:
    what = "hinge ferns" if forest.kind == "fern" else "hinge trees"
    filters = ""
    if len(forest.layer.filters):
        filters = f"; {forest.layer.filters.shape[1]} filters make what they read"
    return (
        f"{forest.n_trees} {what}, depth {forest.depth}, {forest.n_parameters} numbers "
        f"learnt{filters}; "
    )


def _shape_of_forest(forest: Forest) -> str:
    depths = [tree_depth(tree) for tree in forest.trees]
    deep = f"{min(depths)} to {max(depths)}" if min(depths) < max(depths) else f"{depths[0]}"
    return (
        f"{counted(forest.n_trees, 'tree')}, {forest.n_leaves} leaves, depth {deep}; they predict "
        f"by their {forest.answer}; "
    )


def _lines_of_hinge(forest: HingeForest, document: Document, number: int, depth: int) -> list[Line]:
    """A hinge tree, or the one chain of splits of a fern; a node is (level, place in it)."""
    features, thresholds = forest.trees.feature[number], forest.trees.threshold[number]
    layer, digits = forest.layer, digits_apart(forest.trees.weights[number].ravel())

    def below(node: tuple[int, int]) -> list[tuple[int, int]]:
        level, place = node
        return [] if level == forest.depth else [(level + 1, 2 * place + right) for right in (0, 1)]

    def line_of(node: tuple[int, int]) -> str:
        level, place = node
        if level == forest.depth:
            values = ", ".join(
                f"{value:.{digits}g}" for value in forest.trees.weights[number, place]
            )
            return f"{values} × margin"
        split = level if forest.kind == "fern" else 2**level - 1 + place
        feature, threshold = features[split], thresholds[split]
        if len(layer.filters):  # columns mixed by filters have no units of their own
            return f"z{feature + 1} > {shortest(threshold)}"
        threshold = threshold / layer.scale[feature] + layer.centre[feature]
        return cut_text(document, feature, threshold)

    return _draw((0, 0), depth, below, line_of)


def _lines_of_tree(document: Document, depth: int, terms: int) -> list[Line]:
    tree = document.tree
    said = [tree.values] if tree.linear is None else tree.linear[1:]
    digits = digits_apart(np.concatenate([part.ravel() for part in said]))

    def line_of(node: int) -> str:
        if node < 0:
            return _leaf_line(document, ~node, terms, digits)
        return split_text(document, tree, node, terms, exact=True)

    def below(node: int) -> tuple[int, ...]:
        return () if node < 0 else (tree.left[node], tree.right[node])

    return _draw(tree.root, depth, below, line_of, document.level_sets())


def _leaf_line(document: Document, leaf: int, terms: int, digits: int) -> str:
    value = document.tree.values[leaf]
    counts = document.counts
    rows = "" if counts is None else f"  ({counted(counts[leaf].sum(), 'row')})"
    linear = document.tree.linear
    if linear is not None:
        named = read_names(document, document.tree.n_features)
        models = zip(*(part[leaf] for part in linear), strict=True)
        names = [f"log-odds of {name}: " for name in document.class_names] or [""] * len(value)
        said = (
            f"{name}{b:.{digits}g} + ({sum_text(w, named, terms, exact=True)}), "
            f"from {low:.{digits}g} to {high:.{digits}g}"
            for name, (w, b, low, high) in zip(names, models, strict=True)
        )
        return "; ".join(said) + rows
    if not document.class_names:
        return ", ".join(f"{v:.{digits}g}" for v in value) + rows
    shares = softmax(value.astype(np.float64))
    best = int(np.argmax(value))
    return f"{document.class_names[best]} {share_text(shares[best])}{rows}"

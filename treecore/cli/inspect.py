"""``treecore inspect``: a tree, or one of a forest, as text in the terminal."""

from __future__ import annotations

import dataclasses

import click
import numpy as np
from rich.console import Console
from rich.text import Text
from rich.tree import Tree as Branch
from scipy.special import softmax

from treecore.cli.models import read_model
from treecore.cli.paths import MODEL
from treecore.core.tree import OBLIQUE, tree_depth
from treecore.ensembles.forest import Forest
from treecore.learners.hinge.model import HingeForest
from treecore.persistence import Document

HELP = """\
Show the tree or forest in MODEL, a JSON file or a run folder, as text.

A split sends a row right where its sum is greater than the threshold. A leaf of a hinge forest
adds its numbers times the row's smallest margin on the way to it.

\b
  treecore inspect tree.json --depth 3
  treecore inspect forest.json --tree 2
"""


@click.command("inspect", help=HELP)
@click.argument("model", type=MODEL)
@click.option(
    "--depth",
    type=click.IntRange(min=0),
    default=4,
    show_default=True,
    help="Levels that are shown.",
)
@click.option(
    "--terms",
    type=click.IntRange(min=1),
    default=4,
    show_default=True,
    help="Most terms of an oblique split, those of greatest weight first.",
)
@click.option(
    "--tree",
    "number",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Which tree of a forest.",
)
def command(model, depth, terms, number):
    document = read_model(model)
    if number > document.n_trees:
        raise ValueError(f"there is no tree {number}: the model has {document.n_trees}")
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = 10_000  # whoever reads a file has lines of any length
    for line in heading(document):
        console.print(line)
    if document.kind != "tree":
        console.print(f"tree {number}:")
    console.print(tree_of_model(document, number - 1, depth, terms))


def tree_of_model(document: Document, number: int, depth: int, terms: int) -> Branch:
    """A model's tree of some number, from 0."""
    model = document.model
    if isinstance(model, HingeForest):
        return hinge_branch(model, document.feature_names, number, depth)
    if isinstance(model, Forest):
        document = dataclasses.replace(document, model=model.trees[number])
    return as_branch(document, depth, terms)


def heading(document: Document) -> list[str]:
    """A few lines on a model."""
    model, training = document.model, document.training
    n_features, seed = len(document.feature_names), ""
    if isinstance(model, HingeForest):
        shape = _shape_of_hinge(model)
    elif isinstance(model, Forest):
        shape = _shape_of_forest(model)
    else:
        shape = f"{model.n_splits} splits, {model.n_leaves} leaves, depth {tree_depth(model)}, "
        n_features, seed = model.n_features, f", seed {training.get('seed', '?')}"
    names = ", ".join(document.class_names[:8] or document.output_names[:8])
    lines = [f"{shape}{n_features} features; predicts {names}"]
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
        f"{forest.n_trees} trees, {forest.n_leaves} leaves, depth {deep}; they answer by their "
        f"{forest.answer}; "
    )


def hinge_branch(
    forest: HingeForest, feature_names: tuple[str, ...], number: int, depth: int
) -> Branch:
    """A hinge tree, or the one chain of splits of a fern, in rich's words."""
    features, thresholds = forest.trees.feature[number], forest.trees.threshold[number]
    layer = forest.layer

    def split(node: int) -> Text:
        feature, threshold = features[node], thresholds[node]
        if len(layer.filters):  # columns mixed by filters have no units of their own
            return Text(f"z{feature + 1} > {threshold:.4g}", style="bold")
        threshold = threshold / layer.scale[feature] + layer.centre[feature]
        return Text(f"{_plain(feature_names[feature])} > {threshold:.4g}", style="bold")

    def leaf(number_of_leaf: int) -> Text:
        values = ", ".join(f"{value:.4g}" for value in forest.trees.weights[number, number_of_leaf])
        return Text(f"{values} × margin", style="green")

    branch = Branch(split(0))
    pending = [(branch, 0, 0, 0)]
    while pending:
        at, node, level, number_of_leaf = pending.pop()
        if level == depth:
            at.add(Text("…", style="dim"))
            continue
        for side, right in (("≤ ", 0), ("> ", 1)):
            below, last = 2 * number_of_leaf + right, level + 1 == forest.depth
            child = level + 1 if forest.kind == "fern" else 2 * node + 1 + right
            line = Text(side, style="dim") + (leaf(below) if last else split(child))
            grown = at.add(line)
            if not last:
                pending.append((grown, child, level + 1, below))
    return branch


def as_branch(document: Document, depth: int, terms: int) -> Branch:
    """The tree in rich's words."""
    tree = document.tree
    root = 0 if tree.n_splits else ~0
    branch = Branch(_line(document, root, terms))
    pending = [(branch, root, 0)]
    while pending:
        at, node, level = pending.pop()
        if node < 0:
            continue
        if level == depth:
            at.add(Text("…", style="dim"))
            continue
        for side, child in (("≤ ", tree.left[node]), ("> ", tree.right[node])):
            line = Text(side, style="dim") + _line(document, child, terms)
            pending.append((at.add(line), child, level + 1))
    return branch


def _line(document: Document, node: int, terms: int) -> Text:
    tree = document.tree
    if node < 0:
        return _leaf_line(document, ~node)
    if tree.feature[node] != OBLIQUE:
        name = _name(document, tree.feature[node])
        return Text(f"{name} > {tree.threshold[node]:.4g}", style="bold")
    weights = tree.weights[tree.row[node]]
    largest = np.argsort(-np.abs(weights), kind="stable")
    largest = largest[weights[largest] != 0]
    parts = []
    for place, j in enumerate(largest[:terms]):
        sign = "-" if weights[j] < 0 else "" if place == 0 else "+"
        gap = " " if place else ""
        parts.append(f"{sign}{gap}{abs(weights[j]):.4g}·{_name(document, j)}")
    rest = len(largest) - len(parts)
    text = " ".join(parts) or "0"
    if rest > 0:
        text += f" + {rest} more"
    return Text(f"{text} > {tree.threshold[node]:.4g}", style="bold")


def _leaf_line(document: Document, leaf: int) -> Text:
    value = document.tree.values[leaf]
    counts = document.counts
    rows = "" if counts is None else f"  ({counts[leaf].sum():g} rows)"
    if not document.class_names:
        return Text(", ".join(f"{v:.4g}" for v in value) + rows, style="green")
    shares = softmax(value.astype(np.float64))
    best = int(np.argmax(value))
    return Text(f"{document.class_names[best]} {shares[best]:.0%}{rows}", style="green")


def _name(document: Document, feature: int) -> str:
    if document.feature_map is None:
        return _plain(document.feature_names[feature])
    return f"z{feature + 1}"


def _plain(name: str) -> str:
    """A name on one line, whatever spreadsheets put in it."""
    return " ".join(name.split())

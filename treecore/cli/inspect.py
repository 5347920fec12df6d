"""``treecore inspect``: a tree, or one of a forest, as text in the terminal."""

from __future__ import annotations

import click
import numpy as np
from rich.console import Console
from rich.text import Text
from rich.tree import Tree as Branch
from scipy.special import softmax

from treecore.cli.models import read_model
from treecore.core.tree import OBLIQUE, tree_depth
from treecore.persistence import ForestDocument, TreeDocument
from treecore.persistence.hinge import HingeDocument
from treecore.persistence.models import Document

HELP = """\
Show the tree or forest in MODEL, a JSON file or a run folder, as text.

A split sends a row right where its sum is greater than the threshold. A leaf of a hinge forest
adds its numbers times the row's smallest margin on the way to it.

\b
  treecore inspect tree.json --depth 3
  treecore inspect forest.json --tree 2
"""


@click.command("inspect", help=HELP)
@click.argument("model")
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
    n_trees = n_trees_of(document)
    if number > n_trees:
        raise ValueError(f"there is no tree {number}: the model has {n_trees}")
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = 10_000  # whoever reads a file has lines of any length
    for line in heading(document):
        console.print(line)
    if not isinstance(document, TreeDocument):
        console.print(f"tree {number}:")
    console.print(tree_of_model(document, number - 1, depth, terms))


def n_trees_of(document: Document) -> int:
    """Trees of a model."""
    return 1 if isinstance(document, TreeDocument) else document.forest.n_trees


def tree_of_model(document: Document, number: int, depth: int, terms: int) -> Branch:
    """One tree of a model, in rich's words.

    Parameters
    ----------
    document : Document
    number : int
        Of the tree, from 0.
    depth, terms : int
        Levels that are shown, and terms of an oblique split.
    """
    if isinstance(document, TreeDocument):
        return as_branch(document, depth, terms)
    if isinstance(document, HingeDocument):
        return hinge_branch(document, number, depth)
    training = {k: v for k, v in document.training.items() if k in ("method", "seed")}
    tree = document.forest.trees[number]
    names = {"class_names": document.class_names, "output_names": document.output_names}
    member = TreeDocument(tree, document.feature_names, training=training, **names)
    return as_branch(member, depth, terms)


def heading(document: Document) -> list[str]:
    """A few lines on the model."""
    if not isinstance(document, TreeDocument):
        return _forest_heading(document)
    tree, training = document.tree, document.training
    outputs = ", ".join(document.class_names[:8] or document.output_names[:8])
    lines = [
        f"{tree.n_splits} splits, {tree.n_leaves} leaves, depth {tree_depth(tree)}, "
        f"{tree.n_features} features; predicts {outputs}"
    ]
    if "method" in training:
        lines.append(f"learnt by {training['method']}, seed {training.get('seed', '?')}")
    return lines


def _forest_heading(document: ForestDocument | HingeDocument) -> list[str]:
    forest, training = document.forest, document.training
    outputs = ", ".join(document.class_names[:8] or document.output_names[:8])
    if isinstance(document, HingeDocument):
        what = "hinge ferns" if forest.kind == "fern" else "hinge trees"
        shape = f"depth {forest.depth}, {forest.n_parameters} numbers learnt"
        if len(forest.layer.filters):
            shape += f"; {forest.layer.filters.shape[1]} filters make what they read"
    else:
        what = "trees"
        depths = [tree_depth(tree) for tree in forest.trees]
        deep = f"{min(depths)} to {max(depths)}" if min(depths) < max(depths) else f"{depths[0]}"
        shape = f"{forest.n_leaves} leaves, depth {deep}; they answer by their {forest.answer}"
    lines = [
        f"{forest.n_trees} {what}, {shape}; {len(document.feature_names)} features; "
        f"predicts {outputs}"
    ]
    if "method" in training:
        lines.append(f"learnt by {training['method']}")
    return lines


def hinge_branch(document: HingeDocument, number: int, depth: int) -> Branch:
    """A hinge tree, or the one chain of splits of a fern, in rich's words.

    Parameters
    ----------
    document : HingeDocument
    number : int
        Of the tree, from 0.
    depth : int
        Levels that are shown.
    """
    forest = document.forest
    features, thresholds = forest.trees.feature[number], forest.trees.threshold[number]
    layer = forest.layer

    def split(node: int) -> Text:
        feature, threshold = features[node], thresholds[node]
        if len(layer.filters):  # columns mixed by filters have no units of their own
            return Text(f"z{feature + 1} > {threshold:.4g}", style="bold")
        threshold = threshold / layer.scale[feature] + layer.centre[feature]
        return Text(f"{_plain(document.feature_names[feature])} > {threshold:.4g}", style="bold")

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


def as_branch(document: TreeDocument, depth: int, terms: int) -> Branch:
    """The tree in rich's words.

    Parameters
    ----------
    document : TreeDocument
    depth, terms : int
        Levels that are shown, and terms of an oblique split.
    """
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


def _line(document: TreeDocument, node: int, terms: int) -> Text:
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


def _leaf_line(document: TreeDocument, leaf: int) -> Text:
    value = document.tree.values[leaf]
    counts = document.counts
    rows = "" if counts is None else f"  ({counts[leaf].sum():g} rows)"
    if not document.class_names:
        return Text(", ".join(f"{v:.4g}" for v in value) + rows, style="green")
    shares = softmax(value.astype(np.float64))
    best = int(np.argmax(value))
    return Text(f"{document.class_names[best]} {shares[best]:.0%}{rows}", style="green")


def _name(document: TreeDocument, feature: int) -> str:
    if document.feature_map is None:
        return _plain(document.feature_names[feature])
    return f"z{feature + 1}"


def _plain(name: str) -> str:
    """A name on one line, whatever spreadsheets put in it."""
    return " ".join(name.split())

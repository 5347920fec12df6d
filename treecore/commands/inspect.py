"""``treecore inspect``: a tree as text in the terminal."""

from __future__ import annotations

import click
import numpy as np
from rich.console import Console
from rich.text import Text
from rich.tree import Tree as Branch
from scipy.special import softmax

from treecore.commands.models import read_model
from treecore.persistence import TreeDocument
from treecore.tree import OBLIQUE, tree_depth

HELP = """\
Show the tree in MODEL, a JSON file or a run folder, as text.

A split sends a row right where its sum is greater than the threshold.

\b
  treecore inspect tree.json --depth 3
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
def command(model, depth, terms):  # fmt: skip
    document = read_model(model)
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 10_000  # whoever reads a file has lines of any length
    for line in heading(document):
        console.print(line)
    console.print(as_branch(document, depth, terms))


def heading(document: TreeDocument) -> list[str]:
    """A few lines on the whole."""
    tree, training = document.tree, document.training
    told = ", ".join(document.class_names[:8] or document.output_names[:8])
    lines = [
        f"{tree.n_splits} splits, {tree.n_leaves} leaves, depth {tree_depth(tree)}, "
        f"{tree.n_features} features; predicts {told}"
    ]
    if "method" in training:
        lines.append(f"learnt by {training['method']}, seed {training.get('seed', '?')}")
    return lines


def as_branch(document: TreeDocument, depth: int, terms: int) -> Branch:
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
        return document.feature_names[feature]
    return f"z{feature + 1}"

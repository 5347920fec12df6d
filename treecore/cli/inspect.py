"""``treecore inspect``: a tree, or one of a forest, as text in the terminal."""

from __future__ import annotations

import click
from rich.console import Console
from rich.text import Text

from treecore.cli.arguments import MODEL, read_model
from treecore.export.text import heading, tree_of_model

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
    for drawn in tree_of_model(document, number - 1, depth, terms):
        style = "green" if drawn.is_leaf else "bold"
        line_of_node = Text.assemble((drawn.guides + drawn.side, "dim"), (drawn.text, style))
        console.print(line_of_node, soft_wrap=True)

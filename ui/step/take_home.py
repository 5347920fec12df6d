"""The tree that a tab of *One step* shows, as a file."""

from __future__ import annotations

from treecore import Tree
from treecore.persistence import Document
from treecore.runs.result import data_of, trained_document
from ui.jobs.chosen_data import ChosenData
from ui.language.translate import _
from ui.shell.class_link import group
from ui.widgets.saved_tree import tree_export


def step_export(tree: Tree, data: ChosenData, method: str, n_steps: int) -> None:
    """The button that hands out a tree, in the target's own units, as it is before the next step.

    method: whose steps it has taken; n_steps: how many of them the visitor has applied.
    """

    def document() -> Document:
        table = data.train
        about = data_of(table)
        return trained_document(tree, None, table, about, {}, method=method, steps=n_steps)

    with group("export", method):
        hint = _("The tree with the steps that you have applied so far, as a file or a program.")
        tree_export(document, f"{data.train.name}-{method}-step", f"step_{method}_", hint)

"""The end of a race: a table of the forests, and each of them as a file."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from treecore.ensembles import Forest
from treecore.learners.hinge import HingeForest
from treecore.learners.hinge.traversal import n_nodes
from treecore.persistence import to_json
from treecore.runs.result import data_of, trained_document
from ui.forests.curves import Racer
from ui.forests.job import ForestStatus
from ui.forests.metrics import r2_of
from ui.jobs.chosen_data import ChosenData
from ui.jobs.metrics import duration
from ui.language.translate import N_, _, within, written
from ui.shell.safe_text import plain
from ui.widgets.file_download import file_button


def n_splits(forest: Forest | HingeForest) -> int:
    """Questions in all trees together."""
    if isinstance(forest, HingeForest):
        return forest.n_trees * n_nodes(forest.kind, forest.depth)
    return sum(tree.n_splits for tree in forest.trees)


SHAPE = (N_("Trees"), N_("Splits"), N_("Learning"))
"""Columns of a forest and its making, and not of how well it predicts."""


SQUARED = {
    "Held-out error": N_("Held-out MSE"),
    "Out-of-bag": N_("Out-of-bag MSE"),
    "Training": N_("Training MSE"),
}
"""What errors of numbers, which are mean squared ones, are called."""


def figures_of(look: ForestStatus, data: ChosenData) -> dict[str, float | None]:
    """The figures of a racer, by column; None where there is no such figure."""
    figures: dict[str, float | None] = dict.fromkeys(
        (N_("Test R²"), N_("Held-out error"), N_("Out-of-bag"), N_("Training"), *SHAPE)
    )
    if look.marks:
        last = look.marks[-1]
        figures["Held-out error"] = last.held
        figures["Out-of-bag"], figures["Training"] = last.event.oob_error, last.event.error
    if look.at_rest and look.training_error is not None:  # of what is handed out, all of them
        figures["Held-out error"], figures["Training"] = look.result, look.training_error
    if data.train.task == "regression":
        figures["Test R²"] = r2_of(figures["Held-out error"], data)
    if look.forest is not None:
        figures["Trees"], figures["Splits"] = look.forest.n_trees, n_splits(look.forest)
    if look.event is not None:
        figures["Learning"] = look.event.seconds
    return figures


def score_of(look: ForestStatus, data: ChosenData) -> tuple[str, str] | None:
    """How good the forest is that is there: the figure, and what it is one of."""
    figures = figures_of(look, data)
    name = "Test R²" if data.train.task == "regression" else "Held-out error"
    value = figures[name]
    return None if value is None else (_text(name, value, False), within(_(name)))


def table_text(racers: Sequence[Racer], data: ChosenData) -> str:
    """The table as Markdown; the best of a column is bold and marked, as in the Lab."""
    rows = [figures_of(racer.look, data) for racer in racers]
    columns = [name for name in rows[0] if any(row[name] is not None for row in rows)]
    numbers = data.train.task == "regression"
    heads = [_(SQUARED.get(name, name) if numbers else name) for name in columns]
    cells = [[plain(racer.label)] for racer in racers]
    good: list[bool] = []  # rows than which none predicts better
    for name in columns:
        known = [value for row in rows if (value := row[name]) is not None]
        best = max if name == "Test R²" else min
        texts = [_text(name, row[name], numbers) for row in rows]
        top = _text(name, best(known), numbers)
        good = good or [text == top for text in texts]
        for cell, text, well in zip(cells, texts, good, strict=True):
            # Small and quick is easy for a forest that predicts worse.
            first = text == top and len(set(texts) - {"–"}) > 1 and (well or name not in SHAPE)
            cell.append(f"**{text}** {_('best')}" if first else text)
    lines = [_("| Forest | ") + " | ".join(heads) + " |", "|---|" + "---:|" * len(columns)]
    lines += ["| " + " | ".join(cell) + " |" for cell in cells]
    return "\n".join(lines)


def _text(name: str, value: float | None, numbers: bool) -> str:
    if value is None or not math.isfinite(value):
        return "–"
    if name == "Learning":
        return duration(value)
    if name in SHAPE:
        return written(value, ",")
    if numbers and name in SQUARED:
        return written(value, ".4g")
    return written(value, ".1%")


def forest_json(racer: Racer, data: ChosenData) -> str:
    """The forest of a racer as it is now, as JSON, with how it was trained."""
    look, train, plan = racer.look, data.train, racer.plan
    if look.forest is None:
        raise ValueError(_("this forest has no tree yet"))
    metrics = {"error": look.training_error, "held_out_error": look.result}
    document = trained_document(look.forest, plan.config, train, data_of(train), metrics)
    return to_json(document, indent=1)


def download_control(racer: Racer, data: ChosenData) -> None:
    """The button that hands out the forest that is looked at."""
    name = re.sub(r"\W+", "-", f"{data.train.name}-{racer.plan.kind}").strip("-")
    file_button(
        _("Forest as JSON"),
        lambda: forest_json(racer, data),
        f"{name}.json",
        "application/json",
        icon=":material/download:",
        disabled=racer.look.forest is None,
        key="forest_download",
        help=_("All trees of the chosen forest as they are now, as a documented JSON file."),
    )

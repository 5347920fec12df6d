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
from ui.jobs.chosen_data import ChosenData
from ui.jobs.metrics import duration
from ui.language.translate import N_, _, written
from ui.shell.safe_text import plain
from ui.widgets.file_download import file_button


def n_splits(forest: Forest | HingeForest) -> int:
    """Questions in all trees together."""
    if isinstance(forest, HingeForest):
        return forest.n_trees * n_nodes(forest.kind, forest.depth)
    return sum(tree.n_splits for tree in forest.trees)


def rows_of(racers: Sequence[Racer]) -> list[dict[str, float | None]]:
    """The figures of every racer, by column; None where there is no such figure."""
    return [_figures_of(racer) for racer in racers]


def _figures_of(racer: Racer) -> dict[str, float | None]:
    look = racer.look
    figures: dict[str, float | None] = dict.fromkeys(
        (
            N_("Held-out error"),
            N_("Out-of-bag"),
            N_("Training"),
            N_("Trees"),
            N_("Splits"),
            N_("Learning"),
        )
    )
    if look.marks:
        last = look.marks[-1]
        figures["Held-out error"] = last.held
        figures["Out-of-bag"], figures["Training"] = last.event.oob_error, last.event.error
    if look.at_rest and look.training_error is not None:  # of what is handed out, all of them
        figures["Held-out error"], figures["Training"] = look.result, look.training_error
    if look.forest is not None:
        figures["Trees"], figures["Splits"] = look.forest.n_trees, n_splits(look.forest)
    if look.event is not None:
        figures["Learning"] = look.event.seconds
    return figures


def table_text(racers: Sequence[Racer], numbers: bool) -> str:
    """The table as Markdown; the best of a column is bold and has a star."""
    rows = rows_of(racers)
    columns = [name for name in rows[0] if any(row[name] is not None for row in rows)]
    lines = [
        _("| Forest | ") + " | ".join(map(_, columns)) + " |",
        "|---|" + "---:|" * len(columns),
    ]
    for racer, row in zip(racers, rows, strict=True):
        cells = []
        for name in columns:
            values = [value for other in rows if (value := other[name]) is not None]
            text = _text(name, row[name], numbers)
            best = row[name] in values and row[name] == min(values) and max(values) > min(values)
            cells.append(f"**{text}** ★" if best else text)
        lines.append(f"| {plain(racer.label)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _text(name: str, value: float | None, numbers: bool) -> str:
    if value is None or not math.isfinite(value):
        return "–"
    if name == "Learning":
        return duration(value)
    if name in ("Trees", "Splits"):
        return written(value, ",")
    return written(value, ".4g") if numbers else written(value, ".2%")


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

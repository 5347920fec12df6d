"""The end of a race: a table of the forests, and each of them as a file."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from treecore import __version__
from treecore.ensembles import Forest
from treecore.learners.hinge import HingeForest
from treecore.learners.hinge.traversal import n_nodes
from treecore.persistence import fingerprint
from treecore.persistence.models import document_json, make_document
from ui.forests.curves import Racer
from ui.jobs.chosen_data import ChosenData
from ui.jobs.metrics import duration
from ui.shell.safe_text import plain
from ui.widgets.file_download import file_button


def n_splits(forest: Forest | HingeForest) -> int:
    """Questions in all trees together."""
    if isinstance(forest, HingeForest):
        return forest.n_trees * n_nodes(forest.kind, forest.depth)
    return sum(tree.n_splits for tree in forest.trees)


def rows_of(racers: Sequence[Racer]) -> list[dict[str, float | None]]:
    """The figures of every racer, by column; None where there is no such figure."""
    rows = []
    for racer in racers:
        look = racer.look
        last = look.marks[-1] if look.marks else None
        held = look.result if look.at_rest and look.result is not None else last and last.held
        rows.append(
            {
                "Held-out error": held,
                "Out-of-bag": last and last.event.oob_error,
                "Training": last and last.event.error,
                "Trees": look.forest and look.forest.n_trees,
                "Splits": look.forest and n_splits(look.forest),
                "Learning": look.event and look.event.seconds,
            }
        )
    return rows


def table_text(racers: Sequence[Racer], numbers: bool) -> str:
    """The table as Markdown; the best of a column is bold and has a star."""
    rows = rows_of(racers)
    columns = [name for name in rows[0] if any(row[name] is not None for row in rows)]
    lines = ["| Forest | " + " | ".join(columns) + " |", "|---|" + "---:|" * len(columns)]
    for racer, row in zip(racers, rows, strict=True):
        cells = []
        for name in columns:
            values = [other[name] for other in rows if other[name] is not None]
            text = _text(name, row[name], numbers)
            best = row[name] is not None and row[name] == min(values) and max(values) > min(values)
            cells.append(f"**{text}** ★" if best else text)
        lines.append(f"| {plain(racer.label)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _text(name: str, value: float | None, numbers: bool) -> str:
    if value is None or not math.isfinite(value):
        return "–"
    if name == "Learning":
        return duration(value)
    if name in ("Trees", "Splits"):
        return f"{value:,}"
    return f"{value:.4g}" if numbers else f"{100 * value:.2f} %"


def forest_json(racer: Racer, data: ChosenData) -> str:
    """The forest of a racer as it is now, as JSON, with how it was trained."""
    look, train, plan = racer.look, data.train, racer.plan
    last = look.marks[-1]
    numbers = train.task == "regression"
    names = {
        "feature_names": train.feature_names,
        "class_names": () if numbers else _classes(train.class_names, look.forest.n_outputs),
        "output_names": (train.target_name,) if numbers else (),
        "training": {
            "method": plan.config.method,
            "settings": plan.config.as_dict(),
            "seed": plan.config.seed,
            "data": {
                "name": train.name,
                "fingerprint": fingerprint(train.X, train.y),
                "n_samples": train.n_samples,
            },
            "metrics": {"error": last.event.error, "held_out_error": look.result},
            "treecore": __version__,
        },
    }
    return document_json(make_document(look.forest, **names), indent=1)


def _classes(names: tuple[str, ...], n: int) -> tuple[str, ...]:
    """Names of all outputs: a forest has two at least, and the data may know one class alone."""
    return (*names, *(f"no class {i}" for i in range(len(names), n)))


def download_control(racer: Racer, data: ChosenData) -> None:
    """The button that hands out the forest that is looked at."""
    name = re.sub(r"\W+", "-", f"{data.train.name}-{racer.plan.kind}").strip("-")
    file_button(
        "Forest as JSON",
        lambda: forest_json(racer, data),
        f"{name}.json",
        "application/json",
        icon=":material/download:",
        disabled=racer.look.forest is None,
        key="forest_download",
        help="All trees of the chosen forest as they are now, as a documented JSON file.",
    )

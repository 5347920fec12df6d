"""What ``treecore train`` says of its table before it learns from it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich.console import Console

from treecore.core.tree import counted
from treecore.data.dataset import Dataset
from treecore.export.written import digits_apart

MAX_CLASSES = 12
"""Classes whose rows are counted one by one."""


def describe_table(parts: Sequence[Dataset | None], console: Console) -> None:
    """Print what is predicted, from how many rows, and what was left out, guessed or renamed."""
    tables = [part for part in parts if part is not None]
    train, y = tables[0], np.concatenate([part.y for part in tables])
    rows = f"{counted(len(y), 'row')}, {len(y) - len(train.y)} of them for the test"
    features = counted(train.n_features, "feature")
    said = f"Predicts {train.target_name!r}: {_kind(train, y)}. {rows}; {features}."
    console.print(said, markup=False, highlight=False)
    for note in train.notes:
        console.print(note, style="dim", markup=False)


def _kind(table: Dataset, y: np.ndarray) -> str:
    if not table.class_names:
        low, high = float(y.min()), float(y.max())
        if table.reports and table.reports[0].kind == "dates":
            days = np.array([low, high]).astype("datetime64[D]")
            return f"dates from {days[0]} to {days[1]}, in days since the beginning of 1970"
        digits = max(6, digits_apart([low, high]) + 2)
        return f"numbers from {low:.{digits}g} to {high:.{digits}g}"
    counts = np.bincount(y, minlength=table.n_classes)
    order = np.argsort(-counts, kind="stable") if len(counts) > MAX_CLASSES else range(len(counts))
    reported = [
        f"{table.class_names[i]!r} ({counted(int(counts[i]), 'row')})"
        for i in [*order][:MAX_CLASSES]
    ]
    more = f" and {len(counts) - MAX_CLASSES} more" if len(counts) > MAX_CLASSES else ""
    return f"{len(counts)} classes, {', '.join(reported)}{more}"

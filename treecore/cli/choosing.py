"""``treecore train --method auto``: the default tree, whose method is chosen by held-out rows."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from click import UsageError
from rich.console import Console
from rich.table import Table

from treecore.cli.options import loss_for, option_of
from treecore.core.routing import apply
from treecore.data.dataset import Dataset
from treecore.data.feature_maps import read_by
from treecore.data.sources import Source
from treecore.losses import find_loss
from treecore.persistence import Document
from treecore.persistence.evaluation import figures_on
from treecore.runs.result import data_of, trained_document
from treecore.selection import Decision, TeacherQuestion, choose_tree

AUTO = "auto"


def check_left_open(out: str | None, settings: dict[str, Any], **others: Any) -> None:
    """Refuse, by click.UsageError, the settings and options that auto has no use for."""
    said = [option_of(name) for name in [*settings, *(k for k, v in others.items() if v)]]
    if said:
        raise UsageError(
            f"--method auto makes this choice: leave out {', '.join(said)}, or leave out "
            "--method auto"
        )
    if out is None:
        raise UsageError("--method auto keeps no run folder: say --out FILE for the tree")


def choose(
    source: Source,
    parts: tuple[Dataset, Dataset | None],
    loss: str | None,
    class_weight: str,
    seed: int,
) -> tuple[Document, Decision]:
    """Learn the tree that :mod:`treecore.selection` chooses for a table's training rows."""
    train, held = parts
    started = time.perf_counter()
    loss = loss_for(loss, train.task)
    if find_loss(loss).is_quantile:
        raise ValueError(f"auto compares trees that predict means: for {loss!r} name a method")
    question = TeacherQuestion.of(train, loss, class_weight, seed)
    tree, decision, feature_map = choose_tree(question)
    seconds = time.perf_counter() - started
    document = trained_document(
        tree,
        None,
        train,
        data_of(train) | {"source": source.as_dict()},
        {},
        counts=_counts_of(apply(tree, read_by(feature_map, train).given), tree.n_leaves, train),
        feature_map=feature_map,
        method=AUTO,
        seed=seed,
        decision={"chosen": decision.chosen, "candidates": decision.table()},
    )
    metrics = figures_on(document, train.given, train.y)
    if held is not None:
        measured = figures_on(document, held.given, held.y)
        metrics |= {f"validation_{k}": v for k, v in measured.items() if k != "active_leaves"}
    document.training["metrics"] = metrics | {"n_leaves": tree.n_leaves, "seconds": seconds}
    return document, decision


def show_decision(decision: Decision, console: Console) -> None:
    """Print what was measured, and one sentence of what was decided."""
    table = Table("", "test", "± to the chosen one", "seconds", box=None)
    for candidate in decision.candidates:
        mark = "* " if candidate.chosen else "  "
        score = "" if candidate.score is None else f"{candidate.score:.3f}"
        error, seconds = f"{candidate.error:.3f}", f"{candidate.seconds:.1f}"
        table.add_row(mark + candidate.title, score, error, seconds)
    console.print(table)
    console.print(decision.summary(), markup=False, highlight=False)


def _counts_of(leaf: np.ndarray, n_leaves: int, train: Dataset) -> np.ndarray:
    """Training rows by leaf and class, or by leaf; int64 (n_leaves, n_classes or 1)."""
    n_columns = train.n_classes or 1
    column = train.y if train.n_classes else np.zeros(len(leaf), dtype=np.int64)
    counts = np.bincount(leaf * n_columns + column, minlength=n_leaves * n_columns)
    return counts.reshape(n_leaves, n_columns).astype(np.int64)

"""What each candidate of the default estimators is worth: the choice with it and without it.

Every candidate is measured by cross-validation inside the training rows of a fold, as the default
does it but without giving any up, and its tree of all these rows on the test rows. What would be
chosen among any of them follows from that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.lines import Lines
from benchmarks.marks import COLUMN
from benchmarks.pages import markdown, today, write_parts
from treecore.selection import CONTESTS, TeacherQuestion
from treecore.selection.choice import gather_evidence, held_rows, mapped
from treecore.selection.lesson import TeacherLesson
from treecore.selection.scoring import cost_of_mean, successes

RESULTS = Path(__file__).parent / "results" / "candidates.jsonl"
PAGE = RESULTS.with_suffix(".md")
KEYS = "kind", "table", "fold"


def measure(name: str, kind: str, X: np.ndarray, y: np.ndarray, folds: Iterable[Any]) -> list[dict]:
    """For each fold, training rows and test rows, what the candidates reach inside and outside."""
    task = "regression" if kind == "reg" else "classification"
    if task == "regression":
        question = TeacherQuestion(X, y[:, None], None, "squared", "none", None, 0)
    else:
        labels, index = np.unique(y, return_inverse=True)
        question = TeacherQuestion(X, index, None, "log", "none", len(labels), 0)
    found, everyone = [], question.read()[0]
    for fold, (train, test) in enumerate(folds):
        inside = question.take(train)
        lesson = TeacherLesson.of(inside)
        contest = CONTESTS[task].suited(lesson.rows)
        evidence = gather_evidence(inside, lesson.rows, contest.candidates, eliminate=False)
        outside = []
        for candidate in contest.candidates:
            tree, after = candidate.learn_from(lesson)
            part = mapped(held_rows(question, everyone, test, lesson), after.feature_map)
            most = cost_of_mean(part).sum() if task == "regression" else len(test)
            outside.append(float(successes(tree, part).sum() / most))
        found.append({
            "table": name, "kind": kind, "fold": fold,
            "candidates": [one.name for one in contest.candidates],
            "margin": contest.margin, "inside": evidence.scores.tolist(), "outside": outside,
            "leads": [evidence.lead(i, 0) for i in range(len(outside))],
            "seconds": evidence.seconds.tolist(), COLUMN: today(),
        })  # fmt: skip
    return found


def outcome(row: dict[str, Any], gone: str = "") -> float:
    """What the choice among the candidates, without one, reaches on the test rows."""
    places = [i for i, name in enumerate(row["candidates"]) if name != gone]
    sure = [lead - row["margin"] * error for lead, error in row["leads"]]
    return row["outside"][max(places, key=sure.__getitem__)]


def losses(rows: Sequence[dict[str, Any]], gone: str) -> dict[str, float]:
    """What each table loses, in points, without a candidate."""
    gaps: dict[str, list[float]] = {}
    for row in rows:
        gaps.setdefault(row["table"], []).append(outcome(row) - outcome(row, gone))
    return {table: 100 * float(np.mean(gap)) for table, gap in gaps.items()}


def report(rows: Sequence[dict[str, Any]]) -> str:
    """What is lost without each candidate, in the mean and on the worst table, in Markdown."""
    seconds: dict[str, float] = {}
    for row in rows:
        for name, spent in zip(row["candidates"], row["seconds"], strict=True):
            seconds[name] = seconds.get(name, 0.0) + spent
    day, lines = min(row[COLUMN] for row in rows), []
    for name, spent in seconds.items():
        lost = losses(rows, name)
        worst = max(lost, key=lost.__getitem__)
        most, share = f"{lost[worst]:+.1f} ({worst})", f"{spent / sum(seconds.values()):.0%}"
        lines.append([name, f"{np.mean([*lost.values()]):+.2f}", most, share, day])
    tables = f"{len({row['table'] for row in rows})} tables, without"
    head = tables, "mean loss, points", "worst", "share of the time", COLUMN
    return markdown(head, lines)


def write(path: Path = PAGE) -> None:
    """Write the page of all that was measured."""
    rows = Lines(RESULTS, *KEYS).rows
    parts = {
        f"Without each candidate, {title}": report([r for k, r in rows.items() if kind in k])
        for kind, title in (("cls", "classes"), ("reg", "numbers"))
        if any(kind in key for key in rows)
    }
    command = "python -m benchmarks.tables --ablate"
    write_parts(path, "The candidates of the default", command, parts)

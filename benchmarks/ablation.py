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


def measure(kind: str, name: str, X: np.ndarray, y: np.ndarray, folds: Iterable[Any]) -> list[dict]:
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


def outcome(row: dict[str, Any], kept: Sequence[str]) -> float:
    """What the choice among some candidates reaches on the test rows."""
    places = [i for i, name in enumerate(row["candidates"]) if name in kept]
    sure = [lead - row["margin"] * error for lead, error in row["leads"]]
    return row["outside"][max(places, key=sure.__getitem__)]


def losses(rows: Sequence[dict[str, Any]], kept: Sequence[str], among: Sequence[str]) -> np.ndarray:
    """What each table loses, in points, where only those kept are candidates; (n_tables,)."""
    gaps: dict[str, list[float]] = {}
    for row in rows:
        gaps.setdefault(row["table"], []).append(outcome(row, among) - outcome(row, kept))
    return 100 * np.array([np.mean(gap) for gap in gaps.values()])


def report(rows: Sequence[dict[str, Any]]) -> str:
    """What is lost without each candidate, in the mean and on the worst table, in Markdown."""
    names = list(dict.fromkeys(name for row in rows for name in row["candidates"]))
    tables = list(dict.fromkeys(row["table"] for row in rows))
    head = (f"{len(tables)} tables, without", "mean loss, points", "worst", "share of the time")
    day, lines = min(row[COLUMN] for row in rows), []
    seconds = dict.fromkeys(names, 0.0)
    for row in rows:
        for name, spent in zip(row["candidates"], row["seconds"], strict=True):
            seconds[name] += spent
    for name in names:
        gone = losses(rows, [other for other in names if other != name], names)
        worst = int(gone.argmax())
        most, share = f"{gone[worst]:+.1f} ({tables[worst]})", seconds[name] / sum(seconds.values())
        lines.append([name, f"{gone.mean():+.2f}", most, f"{share:.0%}", day])
    return markdown((*head, COLUMN), lines)


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

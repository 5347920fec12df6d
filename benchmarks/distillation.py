"""One small tree that histogram boosting teaches, beside the tree without a teacher.

    python -m benchmarks.distillation [TABLE ...] [--folds 3]
    python -m benchmarks.distillation --report

Tables and folds are those of :mod:`benchmarks.tables`. On the training rows of each fold a teacher
learns, ``HistGradientBoosting`` by its defaults, and trees are fitted to the rows' targets, to the
teacher's answers (``distil(teacher, X)``), and to both (``distil(teacher, X, y)``): an annealed
tree of depth 6, which has at most 64 leaves, and CART of depth 8, at most 256. Outcomes go to a
file of JSON lines as they come, and tables that stand there are not measured again. At the end the
tables are written into ``benchmarks/results/distillation.md``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks import tables
from benchmarks.lines import Lines
from benchmarks.marks import COLUMN
from benchmarks.pages import markdown, today, write_parts
from benchmarks.tables import KEYS, OF_ANY_SIZE, SEED, TITLES, Table, folds_of, read_tables
from treecore import AxisTreeClassifier, AxisTreeRegressor

RESULTS = Path(__file__).parent / "results" / "distillation.jsonl"
PAGE = RESULTS.with_suffix(".md")
WAYS = ("", ", distilled", ", distilled with y")
TREES: dict[str, Callable[[str], Any]] = {
    "annealed": OF_ANY_SIZE["annealed, depth 6"],
    "CART": lambda kind: (
        AxisTreeClassifier(8, criterion="gini", random_state=SEED)
        if kind == "Classifier"
        else AxisTreeRegressor(8, random_state=SEED)
    ),
}
"""The trees, and CART as treecore grows it, one made by its name."""
TEACHER = "teacher"
MODELS = (TEACHER, *(tree + way for tree in TREES for way in WAYS))


def measure(table: Table, n_folds: int) -> list[dict[str, Any]]:
    """Scores of all models on the first folds of a table: accuracy, or R²."""
    kind = "Classifier" if table.kind == "cls" else "Regressor"
    scores: dict[str, list[float]] = {model: [] for model in MODELS}
    with threadpool_limits(1):
        for train, test in folds_of(table, n_folds):
            X, y = table.X[train], table.y[train]
            teacher = tables.MODELS["histogram boosting"](kind).fit(X, y)
            fitted = {TEACHER: teacher}
            for name, make in TREES.items():
                alone, distilled, both = (name + way for way in WAYS)
                fitted[alone] = make(kind).fit(X, y)
                fitted[distilled] = make(kind).distil(teacher, X)
                fitted[both] = make(kind).distil(teacher, X, y)
            for model, one in fitted.items():
                scores[model].append(one.score(table.X[test], table.y[test]))
    same = {"table": table.name, "kind": table.kind, COLUMN: today()}
    return [{**same, "model": model, "scores": found} for model, found in scores.items()]


def report(kind: str) -> str:
    """Mean scores of a kind of table, in Markdown: of every table, and the mean of all."""
    rows = {key[1:]: row for key, row in Lines(RESULTS, *KEYS).rows.items() if key[0] == kind}
    names = [name for name, model in sorted(rows) if model == TEACHER]
    lines: list[list[object]] = []
    means = np.array([[100 * np.mean(rows[name, m]["scores"]) for m in MODELS] for name in names])
    for name, mean in zip(names, means, strict=True):
        one = rows[name, TEACHER]
        shown = (f"{score:.1f}" for score in mean)
        lines.append([name, len(one["scores"]), *shown, one[COLUMN]])
    day = min(rows[name, TEACHER][COLUMN] for name in names)
    of_all = {
        f"mean of {len(names)} tables": means.mean(axis=0),
        "median": np.median(means, axis=0),
    }
    lines += [[what, "", *(f"{s:.1f}" for s in shown), day] for what, shown in of_all.items()]
    plain = [MODELS.index(model.split(",")[0]) for model in MODELS]
    leads = [means[:, j] - means[:, i] for j, i in enumerate(plain)]
    wins = [f"{np.sum(lead > 1e-9)} / {np.sum(lead < -1e-9)}" for lead in leads]
    wins = [win if j != plain[j] else "–" for j, win in enumerate(wins)]
    lines.append(["better / worse than without a teacher", "", *wins, day])
    return markdown(("table", "folds", *MODELS, COLUMN), lines)


def write(path: Path = PAGE) -> None:
    """Write the page of all tables that stand in the file of results."""
    what = {"cls": "accuracy, %", "reg": "R² × 100"}
    parts = {f"Tables of {TITLES[kind]}: {what[kind]}": report(kind) for kind in what}
    command = "python -m benchmarks.distillation --report"
    write_parts(path, "Trees that histogram boosting teaches", command, parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    parser.add_argument("--folds", type=int, default=3, help="the first so many of the five")
    parser.add_argument("--report", action="store_true", help="measure nothing")
    given = parser.parse_args()
    lines = Lines(RESULTS, *KEYS)
    every = [table for kind in ("reg", "cls") for table in read_tables(kind, given.tables)]
    for table in () if given.report else sorted(every, key=lambda table: table.X.size):
        if (table.kind, table.name, TEACHER) in lines.rows:
            continue
        for row in measure(table, given.folds):
            lines.add(row)
        print(table.kind, table.name, flush=True)
    write()


if __name__ == "__main__":
    main()

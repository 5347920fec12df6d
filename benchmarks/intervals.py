"""Coverage of intervals and of sets of classes.

    python -m benchmarks.intervals [TABLE ...] [--kind reg|cls] [--divisions 10]
    python -m benchmarks.intervals --report

Tables are those of ``tables/cls`` and ``tables/reg`` in the folder that TREECORE_DATA names, three
large ones, scikit-learn's diabetes and four drawn surfaces. Those of fewer than 100 rows are left
out: of 43 rows 12 calibrate, whose ranks stand for steps of 8 points of coverage. Each is divided
at random ten times: half of the rows to learn from, 30 % to calibrate with, 20 % as new rows; of
more than 4,000 rows that many are drawn. Rows of a class that the tree has not learnt are left out.

An annealed tree with its defaults learns, and answers with intervals or sets of coverage 90 %.
Outcomes go to a file of JSON lines as they come, and what stands there is not measured again. At
the end the tables are written into ``benchmarks/results/intervals.md``.
"""

from __future__ import annotations

import argparse
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes
from threadpoolctl import threadpool_limits

from benchmarks.data import PaperData
from benchmarks.lines import Lines
from benchmarks.marks import COLUMN
from benchmarks.pages import markdown, today, write_parts
from benchmarks.tables import read_tables
from treecore import AnnealedTreeClassifier, AnnealedTreeRegressor
from treecore.data.generators import generate
from treecore.estimators.conformal import MIN_GROUP_ROWS, groups_of_leaves, rank_of

RESULTS = Path(__file__).parent / "results" / "intervals.jsonl"
PAGE = RESULTS.with_suffix(".md")
KEYS = "kind", "table", "division"
COVERAGE = 0.9
DIVISIONS = 10
MIN_ROWS, MAX_ROWS = 100, 4000
LARGE = ("abalone", "cpuact", "california_housing")
SURFACES = ("hill", "waves", "step", "quickening")
TITLES = {"reg": "numbers", "cls": "classes"}
Z = 3.2905
"""Deviations that a normal number exceeds, on either side, once in a thousand."""


@cache
def tables(kind: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Rows and targets of all tables of a kind that are at hand and large enough."""
    found = {table.name: (table.X, table.y) for table in read_tables(kind)}
    found = {name: table for name, table in found.items() if len(table[1]) >= MIN_ROWS}
    if kind == "reg":
        large = {name: PaperData().entire(name) for name in LARGE}
        found |= {name: tuple(table) for name, table in large.items() if table}
        found["diabetes"] = load_diabetes(return_X_y=True)
        drawn = {name: generate(name, 2000, 1.0) for name in SURFACES}
        found |= {name: (surface.X, surface.y) for name, surface in drawn.items()}
    return found


def outcome(kind: str, name: str, division: int) -> dict[str, Any]:
    """Measure one division of one table."""
    X, y = tables(kind)[name]
    order = np.random.default_rng(division).permutation(len(y))[:MAX_ROWS]
    train, kept, new = np.split(order, [round(0.5 * len(order)), round(0.8 * len(order))])
    if kind == "cls":
        kept, new = (rows[np.isin(y[rows], y[train])] for rows in (kept, new))
    made = AnnealedTreeRegressor if kind == "reg" else AnnealedTreeClassifier
    with threadpool_limits(1):
        tree: Any = made(random_state=0).fit(X[train], y[train]).calibrate(X[kept], y[kept])
    if kind == "reg":
        ends = tree.predict_interval(X[new], COVERAGE)
        inside = (ends[:, 0] <= y[new]) & (y[new] <= ends[:, 1])
    else:
        sets = tree.predict_set(X[new], COVERAGE)
        label = np.searchsorted(tree.classes_, y[new])
        inside = sets[np.arange(len(new)), label]
    n_rows = np.bincount(tree.calibration_.leaf, minlength=tree.tree_.n_leaves)
    group_of_leaf = groups_of_leaves(tree.tree_, n_rows, MIN_GROUP_ROWS)
    n_of_group = np.bincount(group_of_leaf[tree.calibration_.leaf])
    expected = rank_of(COVERAGE, n_of_group) / (n_of_group + 1)
    return {
        "kind": kind, "table": name, "division": division,
        "kept": len(kept), "new": len(new),
        "expected": float(expected[group_of_leaf[tree.apply(X[new])]].mean()),
        "inside": float(inside.mean()), COLUMN: today(),
    }  # fmt: skip


def report(every: list[dict[str, Any]], kind: str) -> str:
    """Write the table of a kind in Markdown, the worst coverage first.

    The error of a table's coverage is larger than the binomial one of its new rows, because which
    rows were drawn to calibrate with matters as well (beta-binomial: Vovk 2012).
    """
    lines = pd.DataFrame([line for line in every if line["kind"] == kind])
    if lines.empty:
        return "Nothing was measured."
    lines["variance"] = COVERAGE * (1 - COVERAGE) * (1 / (lines.kept + 2) + 1 / lines.new)
    means = lines.groupby("table")[["kept", "new", "inside", "expected"]].mean()
    of_table = lines.groupby("table").agg({"division": "size", "variance": "sum", COLUMN: "min"})
    means = means.join(of_table).sort_values("inside", kind="stable")
    error = Z * np.sqrt(means.variance) / means.division
    low, high = COVERAGE - error, means.expected + error
    rows = []
    for name, one in means.iterrows():
        cells = [name, one.division, f"{one.kept:.0f}, {one.new:.0f}"]
        cells += [f"{100 * one.inside:.1f}", f"{100 * one.expected:.1f}"]
        rows.append([*cells, f"{100 * low[name]:.1f} to {100 * high[name]:.1f}", one[COLUMN]])
    outside = f"{sum(means.inside < low)} below, {sum(means.inside > high)} above"
    over = [f"{100 * means[column].mean():.1f}" for column in ("inside", "expected")]
    rows.append([f"mean of {len(rows)} tables", "", "", *over, outside, lines[COLUMN].min()])
    head = ["table", "divisions", "rows kept, new", "coverage, %", "expected, %"]
    return markdown([*head, "99.9 % of chance", COLUMN], rows)


def write(path: Path = PAGE) -> None:
    """Write the page of both tables."""
    lines = list(Lines(RESULTS, *KEYS).rows.values())
    parts = {
        f"Coverage on tables of {title}": report(lines, kind) for kind, title in TITLES.items()
    }
    write_parts(path, "How sure", "python -m benchmarks.intervals --report", parts)


def main() -> None:
    """Measure what is not in the file yet, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*")
    parser.add_argument("--kind", action="append", choices=[*TITLES])
    parser.add_argument("--divisions", type=int, default=DIVISIONS)
    parser.add_argument("--report", action="store_true", help="measure nothing")
    given = parser.parse_args()
    tasks = [
        (kind, table, division)
        for division in range(0 if given.report else given.divisions)
        for kind in given.kind or TITLES
        for table in tables(kind)
        if not given.tables or table in given.tables
    ]
    if not (tasks or given.report):
        parser.error("no such table is at hand")
    Lines(RESULTS, *KEYS).measure(tasks, outcome)
    write()


if __name__ == "__main__":
    main()

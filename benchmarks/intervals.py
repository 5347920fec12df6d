"""Coverage of intervals and of sets of classes, by groups of leaves and by all rows in one group.

    python -m benchmarks.intervals [TABLE ...] [--kind reg|cls] [--divisions 10]
    python -m benchmarks.intervals --report

Tables are those of ``tables/cls`` and ``tables/reg`` in the folder that TREECORE_DATA names, three
large ones, scikit-learn's diabetes and four drawn surfaces. Those of fewer than 100 rows are left
out: of 43 rows 12 calibrate, whose ranks stand for steps of 8 points of coverage. Each is divided
at random ten times: half of the rows to learn from, 30 % to calibrate with, 20 % as new rows; of
more than 4,000 rows that many are drawn. Rows of a class that the tree has not learnt are left out.

An annealed tree with its defaults learns. Its intervals or sets of coverage 90 % are compared with
those of the same tree with all calibration rows in one group. Outcomes go to a file of JSON lines
as they come, and what stands there is not measured again. At the end the tables are written into
``benchmarks/results/intervals.md``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
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


def names(kind: str) -> list[str]:
    """Return all tables of a kind that are at hand and large enough."""
    tables = {table.name: len(table.y) for table in read_tables(kind)}
    found = [name for name, n_rows in tables.items() if n_rows >= MIN_ROWS]
    return [*found, *LARGE, "diabetes", *SURFACES] if kind == "reg" else found


def read(kind: str, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Read the rows and targets of a table."""
    if name in SURFACES:
        surface = generate(name, 2000, 1.0)
        return surface.X, surface.y
    if name == "diabetes":
        return load_diabetes(return_X_y=True)
    if name in LARGE:
        return PaperData().entire(name)
    (table,) = read_tables(kind, [name])
    return table.X, table.y


def outcome(kind: str, name: str, division: int) -> dict[str, Any]:
    """Measure one division of one table."""
    X, y = read(kind, name)
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
        size = ends[:, 1] - ends[:, 0]
    else:
        sets = tree.predict_set(X[new], COVERAGE)
        label = np.searchsorted(tree.classes_, y[new])
        inside, size = sets[np.arange(len(new)), label], sets.sum(axis=1)
    scores = np.sort(tree.calibration_.scores[:, 0])
    limit = scores[rank_of(COVERAGE, np.array(len(kept))) - 1]
    if kind == "reg":
        root_inside, root_size = np.abs(y[new] - tree.predict(X[new])) <= limit, 2 * limit
    else:
        share = tree.predict_proba(X[new])
        sets = (1 - share <= limit) | (share == share.max(axis=1, keepdims=True))
        root_inside, root_size = sets[np.arange(len(new)), label], sets.sum(axis=1)
    n_rows = np.bincount(tree.calibration_.leaf, minlength=tree.tree_.n_leaves)
    group_of_leaf = groups_of_leaves(tree.tree_, n_rows, MIN_GROUP_ROWS)
    size_of = np.bincount(group_of_leaf[tree.calibration_.leaf])
    group = group_of_leaf[tree.apply(X[new])]
    expected = rank_of(COVERAGE, size_of) / (size_of + 1)
    return {
        "kind": kind, "table": name, "division": division,
        "kept": len(kept), "new": len(new), "groups": len(size_of),
        "expected": float(expected[group].mean()),
        "inside": float(inside.mean()), "size": float(np.mean(size)),
        "short": _shortfall(inside, group),
        "root_inside": float(root_inside.mean()), "root_size": float(np.mean(root_size)),
        "root_short": _shortfall(root_inside, group), COLUMN: today(),
    }  # fmt: skip


def _shortfall(inside: np.ndarray, group: np.ndarray) -> float:
    """Return how far groups are below the target, as a mean over new rows; others count 0."""
    n_rows = np.bincount(group)
    there = n_rows > 0
    share = np.bincount(group, inside)[there] / n_rows[there]
    return float(np.average(np.maximum(COVERAGE - share, 0), weights=n_rows[there]))


def errors(lines: list[dict[str, Any]]) -> tuple[float, float]:
    """Return the standard error of a table's coverage over its divisions, and the binomial one.

    The binomial error is that of the new rows. The first one is larger, because which rows were
    drawn to calibrate with matters as well (beta-binomial: Vovk 2012).
    """
    of_one = COVERAGE * (1 - COVERAGE)
    kept = sum(of_one / (line["kept"] + 2) for line in lines)
    new = sum(of_one / line["new"] for line in lines)
    return float(np.sqrt(kept + new)) / len(lines), float(np.sqrt(new)) / len(lines)


def report(every: list[dict[str, Any]], kind: str) -> str:
    """Write the table of a kind in Markdown, the worst coverage first."""
    lines = [line for line in every if line["kind"] == kind]
    if not lines:
        return "Nothing was measured."
    what = "width" if kind == "reg" else "classes in a set"
    head = ["table", "divisions", "rows kept, new", "groups", "coverage, %", "expected, %"]
    head += ["99.9 % of chance", "one group: coverage, %", f"{what}, against one group"]
    head += ["groups below the target, points", "one group: below, points", COLUMN]
    columns = ("kept", "new", "groups", "inside", "expected", "root_inside", "short", "root_short")
    found, outside, outside_binomial = [], np.zeros(2, dtype=int), np.zeros(2, dtype=int)
    for table in sorted({line["table"] for line in lines}):
        of = [line for line in lines if line["table"] == table]
        mean = {name: float(np.mean([line[name] for line in of])) for name in columns}
        ratio = float(np.mean([line["size"] / line["root_size"] for line in of]))
        error, binomial = errors(of)
        below, above = mean["inside"] - COVERAGE, mean["inside"] - mean["expected"]
        outside += [below < -Z * error, above > Z * error]
        outside_binomial += [below < -Z * binomial, above > Z * binomial]
        found.append((mean, ratio, error, table, len(of), min(line[COLUMN] for line in of)))
    rows = []
    for mean, ratio, error, table, n, day in sorted(found, key=lambda one: one[0]["inside"]):
        low, high = COVERAGE - Z * error, mean["expected"] + Z * error
        bounds = f"{100 * low:.1f} to {100 * high:.1f}"
        kept = f"{mean['kept']:.0f}, {mean['new']:.0f}"
        rows.append([table, n, kept, *_cells(mean, ratio, bounds), day])
    over = {name: float(np.mean([one[0][name] for one in found])) for name in found[0][0]}
    ratio = float(np.mean([one[1] for one in found]))
    bounds = (
        f"{outside[0]} below, {outside[1]} above; by the binomial error of the new rows "
        f"{outside_binomial[0]}, {outside_binomial[1]}"
    )
    day = min(one[-1] for one in found)
    rows.append([f"mean of {len(found)} tables", "", "", *_cells(over, ratio, bounds), day])
    return markdown(head, rows)


def _cells(mean: dict[str, float], ratio: float, bounds: str) -> list[str]:
    cells = [f"{mean['groups']:.1f}", f"{100 * mean['inside']:.1f}"]
    cells += [f"{100 * mean['expected']:.1f}", bounds]
    cells += [f"{100 * mean['root_inside']:.1f}", f"{ratio:.3f}"]
    return [*cells, f"{100 * mean['short']:.1f}", f"{100 * mean['root_short']:.1f}"]


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
    tasks = (
        (kind, table, division)
        for division in range(0 if given.report else given.divisions)
        for kind in given.kind or TITLES
        for table in names(kind)
        if not given.tables or table in given.tables
    )
    Lines(RESULTS, *KEYS).measure(tasks, outcome)
    write()


if __name__ == "__main__":
    main()

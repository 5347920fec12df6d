"""Trees with linear leaves against constant ones, forests and boosting.

    python -m benchmarks.linear_leaves [TABLE ...] [--splits 5] [--models MODEL ...]
    python -m benchmarks.linear_leaves --report
    python -m benchmarks.linear_leaves --classes [TABLE ...] [--splits 5]

Tables are ``abalone``, ``cpuact``, ``california_housing`` and those of ``tables/reg`` of the
folder that TREECORE_DATA names. Each is split at random several times: 60 % of the rows of abalone
to learn from, as is published, 80 % of the others. Of the rows to learn from a quarter is held out
to choose among :data:`CANDIDATES` and :data:`DEEP`, the best one learns from all of them, and test
rows are looked at once; ``auto`` is the default tree, which chooses by itself. Seconds are those of
the processor, of the last fit alone and with the search. Outcomes go to a file of JSON lines as
they come, and what stands there is not measured again: a run can be made in pieces. At the end the
tables are written into ``benchmarks/results/linear_leaves.md``, each over the splits on which all
of its models were measured.

With ``--classes`` leaves are logistic regressions or constants, of annealed learning and TAO at
depth 3, all else by default: accuracy and log loss on a fifth of the rows of tables of classes.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import SplineTransformer
from threadpoolctl import threadpool_limits

from benchmarks.marks import COLUMN
from benchmarks.pages import markdown, today, write_parts
from treecore import ObliqueTreeRegressor
from treecore.estimators.methods import CLASSIFIERS, REGRESSORS

RESULTS = Path(__file__).parent / "results" / "linear_leaves.jsonl"
PAGE = RESULTS.with_suffix(".md")
OF_CLASSES = Path(__file__).parent / "results" / "logistic_leaves.jsonl"
LARGE = ("abalone", "cpuact", "california_housing")
SHARES = {"abalone": 0.6}
"""Share of the rows to learn from; 0.8 for tables that are not here."""

CANDIDATES: dict[str, tuple[dict[str, Any], ...]] = {
    "linear": tuple(
        [{"method": "annealed", "depth": depth} for depth in (1, 2, 3)]
        + [{"method": "annealed", "depth": depth, "decay": 1.0} for depth in (3, 5)]
        + [{"method": "tao", "depth": depth} for depth in (1, 3, 5)]
    ),
    "spline": tuple(
        {"method": "annealed", "depth": depth, "knots": knots}
        for depth, knots in ((1, 3), (1, 9), (2, 3), (2, 9), (3, 3))
    ),
    "constant": tuple(
        [{"method": "annealed", "depth": depth} for depth in (3, 5, 7)]
        + [{"method": "tao", "depth": depth} for depth in (3, 5, 7)]
    ),
}
"""Settings to choose among, by the kind of leaf: ``spline`` is a linear one behind splines of each
feature with so many ``knots``."""

DEEP: dict[str, tuple[dict[str, Any], ...]] = {
    "linear": tuple({"method": "annealed", "depth": depth} for depth in (5, 7))
}
"""More of them where there are at least :data:`MANY` rows to learn from."""

MANY = 10_000

OTHERS: dict[str, Callable[[], Any]] = {
    "auto": lambda: ObliqueTreeRegressor(random_state=0),
    "random forest": lambda: make_pipeline(
        SimpleImputer(), RandomForestRegressor(100, random_state=0)
    ),
    "histogram boosting": lambda: HistGradientBoostingRegressor(random_state=0),
}

OURS = (*CANDIDATES, "auto")
"""Whose day is that of a row: libraries do not change here."""

PARTS = {
    "Linear leaves beside a forest and boosting": ("linear", "random forest", "histogram boosting"),
    "The default on large tables": ("auto", "histogram boosting"),
    "Splines and the default": ("linear", "spline", "auto", "random forest", "histogram boosting"),
}
"""The tables of the page, by their headings, and the models of each."""


CLASSES = (
    "australian", "banana", "contraceptive", "german", "heart", "mammographic", "vowel", "yeast",
)  # fmt: skip
"""Tables of classes that are measured where none is named."""

LEARNERS = ("annealed, linear", "annealed, constant", "tao, linear", "tao, constant")
"""The trees of depth 3 that learn classes."""


def read(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The rows and targets of a table."""
    folder = Path(os.environ.get("TREECORE_DATA", "."))
    path = folder / f"{name}.npz" if name in LARGE else folder / "tables" / "reg" / f"{name}.npz"
    with np.load(path) as table:
        return table["X"].astype(np.float64), table["y"].astype(np.float64).ravel()


def names() -> list[str]:
    """All tables, the large ones last."""
    folder = Path(os.environ.get("TREECORE_DATA", "."))
    return [*sorted(path.stem for path in (folder / "tables" / "reg").glob("*.npz")), *LARGE]


def rmse(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    """Root of the mean squared error."""
    return float(np.sqrt(np.mean((model.predict(X) - y) ** 2)))


def chosen(kind: str, X: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    """The candidate that errs least on a quarter of the rows, learnt from the others."""
    n_held = len(y) // 4  # rows come in random order
    candidates = CANDIDATES[kind] + (DEEP.get(kind, ()) if len(y) >= MANY else ())
    rest = X[n_held:], y[n_held:]
    fits = (_tree(kind, candidate).fit(*rest) for candidate in candidates)
    errors = [rmse(fit, X[:n_held], y[:n_held]) for fit in fits]
    return candidates[int(np.argmin(errors))]


def _tree(kind: str, candidate: dict[str, Any]) -> Any:
    settings = dict(candidate)
    made, knots = REGRESSORS[settings.pop("method")], settings.pop("knots", 0)
    tree = made(leaf="constant" if kind == "constant" else "linear", random_state=0, **settings)
    if kind != "spline":
        return tree
    splines = SplineTransformer(knots + 2, degree=1, knots="quantile")
    return make_pipeline(SimpleImputer(), splines, tree)


def outcome(table: str, split: int, model: str) -> dict[str, Any]:
    """One model on one split of one table."""
    X, y = read(table)
    order = np.random.default_rng(split).permutation(len(y))
    n = round(SHARES.get(table, 0.8) * len(y))
    train, test = order[:n], order[n:]
    settings: dict[str, Any] = {}
    with threadpool_limits(1):
        started = time.process_time()
        if model in CANDIDATES:
            settings = chosen(model, X[train], y[train])
            made: Any = _tree(model, settings)
        else:
            made = OTHERS[model]()
        fitting = time.process_time()
        made.fit(X[train], y[train])
        done = time.process_time()
    error = rmse(made, X[test], y[test])
    return {
        "table": table, "split": split, "model": model, "rmse": error,
        "r2": 1 - error**2 / float(np.var(y[test])), "settings": settings,
        "fit_seconds": done - fitting, "seconds": done - started, COLUMN: today(),
    }  # fmt: skip


def outcome_of_classes(table: str, split: int, model: str) -> dict[str, Any]:
    """One tree of classes on one split of one table."""
    with np.load(Path(os.environ.get("TREECORE_DATA", ".")) / f"tables/cls/{table}.npz") as rows:
        X, y = rows["X"].astype(np.float64), rows["y"].ravel()
    order = np.random.default_rng(split).permutation(len(y))
    train, test = np.split(order, [round(0.8 * len(y))])
    method, leaf = model.split(", ")
    tree = CLASSIFIERS[method](3, leaf=leaf, random_state=0)
    with threadpool_limits(1):
        started = time.process_time()
        tree.fit(X[train], y[train])
        seconds = time.process_time() - started
    known = np.isin(y[test], tree.classes_)
    share = tree.predict_proba(X[test])
    return {
        "table": table, "split": split, "model": model,
        "accuracy": float(np.mean(tree.predict(X[test]) == y[test])),
        "log_loss": float(log_loss(y[test][known], share[known], labels=tree.classes_)),
        "fit_seconds": seconds, COLUMN: today(),
    }  # fmt: skip


def report_of_classes(lines: list[dict[str, Any]]) -> str:
    """Means over the splits that all trees have been measured on: accuracy, and log loss."""
    of = {(r["table"], r["split"], r["model"]): r for r in lines}
    rows: list[list[object]] = []
    means = []
    for table in sorted({r["table"] for r in lines}):
        splits = [
            split
            for split in sorted({r["split"] for r in lines})
            if all((table, split, model) in of for model in LEARNERS)
        ]
        if not splits:
            continue
        mean = np.array(
            [
                [np.mean([of[table, s, m][what] for s in splits]) for m in LEARNERS]
                for what in ("accuracy", "log_loss")
            ]
        )
        means.append(mean)
        shown = (f"{100 * a:.1f} %, {b:.3f}" for a, b in mean.T)
        day = min(of[table, s, m][COLUMN] for s in splits for m in LEARNERS)
        rows.append([table, len(splits), *shown, day])
    if means:
        shown = (f"{100 * a:.1f} %, {b:.3f}" for a, b in np.mean(means, axis=0).T)
        day = min(line[COLUMN] for line in lines)
        rows.append([f"mean of {len(means)} tables", "", *shown, day])
    return markdown(("table", "splits", *LEARNERS, COLUMN), rows)


def report(every: list[dict[str, Any]], models: tuple[str, ...]) -> str:
    """A table of means over the splits that all models have."""
    lines = [line for line in every if line["model"] in models]
    rows: list[list[object]] = []
    means = {}
    tables = {line["table"] for line in lines}
    for table in [*sorted(tables - set(LARGE)), *(name for name in LARGE if name in tables)]:
        of = {
            m: {r["split"]: r for r in lines if (r["table"], r["model"]) == (table, m)}
            for m in models
        }
        present = [set(found) for found in of.values() if found]
        splits = sorted(set.intersection(*present)) if present else []
        if not splits:
            continue
        what = "rmse" if table in LARGE else "r2"
        mean = {m: float(np.mean([of[m][s][what] for s in splits])) for m in models if of[m]}
        means[table] = mean
        shown = (f"{mean[m]:.4g}" if m in mean else "–" for m in models)
        day = min(of[m][s][COLUMN] for m in models if m in OURS and of[m] for s in splits)
        rows.append([f"{table} ({what})", len(splits), *shown, day])
    small = [mean for table, mean in means.items() if table not in LARGE]
    if small:
        entire = [m for m in models if all(m in mean for mean in small)]
        overall = (
            f"{np.mean([mean[m] for mean in small]):.4f}" if m in entire else "–" for m in models
        )
        day = min(line[COLUMN] for line in lines if line["model"] in OURS)
        rows.append([f"mean R² of {len(small)} tables", "", *overall, day])
    return markdown(("table", "splits", *models, COLUMN), rows)


def main() -> None:
    """Measure what is not in the file yet, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*")
    parser.add_argument("--classes", action="store_true", help="logistic leaves, of classes")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--models", nargs="+", choices=[*CANDIDATES, *OTHERS, *LEARNERS])
    parser.add_argument("--report", action="store_true", help="measure nothing")
    given = parser.parse_args()
    out = OF_CLASSES if given.classes else RESULTS
    measure = outcome_of_classes if given.classes else outcome
    models = given.models or ([*LEARNERS] if given.classes else [*CANDIDATES, *OTHERS])
    tables = given.tables or (CLASSES if given.classes else names())
    lines = read_lines(out)
    there = {(line["table"], line["split"], line["model"]) for line in lines}
    for split in range(0 if given.report else given.splits):
        for table in tables:
            for model in models:
                if (table, split, model) in there:
                    continue
                lines.append(measure(table, split, model))
                with out.open("a") as file:
                    file.write(json.dumps(lines[-1]) + "\n")
                print(json.dumps(lines[-1]), flush=True)
    write()


def read_lines(path: Path) -> list[dict[str, Any]]:
    """What was measured so far."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def write(path: Path = PAGE) -> None:
    """Write the page of all tables."""
    of_numbers = read_lines(RESULTS)
    parts = {name: report(of_numbers, models) for name, models in PARTS.items()}
    parts["Logistic leaves of classes"] = report_of_classes(read_lines(OF_CLASSES))
    command = "python -m benchmarks.linear_leaves --report"
    write_parts(path, "Linear leaves", command, parts)


if __name__ == "__main__":
    main()

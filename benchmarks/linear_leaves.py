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
import itertools
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

from benchmarks.lines import Lines, Rows
from benchmarks.marks import COLUMN
from benchmarks.pages import markdown, today, write_parts
from benchmarks.tables import entire, read_tables
from treecore import ObliqueTreeRegressor
from treecore.estimators.methods import CLASSIFIERS, REGRESSORS

RESULTS = Path(__file__).parent / "results" / "linear_leaves.jsonl"
PAGE = RESULTS.with_suffix(".md")
KEYS = "table", "split", "model"
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

OURS = (*CANDIDATES, "auto", *LEARNERS)
"""Whose day is that of a row: libraries do not change here."""


def read(name: str, kind: str = "reg") -> tuple[np.ndarray, np.ndarray]:
    """The rows and targets of a table."""
    folder = Path(os.environ.get("TREECORE_DATA", "."))
    path = folder / (f"{name}.npz" if name in LARGE else f"tables/{kind}/{name}.npz")
    X, y = entire(path)
    return X.astype(np.float64), y.ravel() if kind == "cls" else y.astype(np.float64).ravel()


def names() -> list[str]:
    """All tables, the large ones last."""
    return [*sorted(table.name for table in read_tables("reg")), *LARGE]


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
    X, y = read(table, "cls")
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


def report(rows: Rows, models: tuple[str, ...], of_classes: bool = False) -> str:
    """A table of means over the splits that all models have: of classes accuracy and log loss."""
    rows = {key: row for key, row in rows.items() if key[2] in models}
    tables = {name for name, _, _ in rows}
    lines: list[list[object]] = []
    small: list[dict[str, np.ndarray]] = []
    for table in [*sorted(tables - set(LARGE)), *(name for name in LARGE if name in tables)]:
        of: dict[str, dict[int, dict]] = {}
        for (name, split, model), row in rows.items():
            if name == table:
                of.setdefault(model, {})[split] = row
        splits = sorted(set.intersection(*map(set, of.values())))
        if not splits:
            continue
        what = "rmse" if table in LARGE else "r2"
        columns = ("accuracy", "log_loss") if of_classes else (what,)
        mean = {
            model: np.array([np.mean([found[s][column] for s in splits]) for column in columns])
            for model, found in of.items()
        }
        small += [mean] * (table not in LARGE)
        day = min(of[m][s][COLUMN] for m in of if m in OURS for s in splits)
        shown = (_cell(mean.get(model), ".4g") for model in models)
        lines.append([table if of_classes else f"{table} ({what})", len(splits), *shown, day])
    if small:
        of_all = [[mean[m] for mean in small if m in mean] for m in models]
        overall = [np.mean(found, axis=0) if len(found) == len(small) else None for found in of_all]
        day = min(row[COLUMN] for (_, _, model), row in rows.items() if model in OURS)
        title = f"mean{' R²' * (not of_classes)} of {len(small)} tables"
        lines.append([title, "", *(_cell(found, ".4f") for found in overall), day])
    return markdown(("table", "splits", *models, COLUMN), lines)


def _cell(mean: np.ndarray | None, form: str) -> str:
    if mean is None:
        return "–"
    return f"{mean[0]:{form}}" if len(mean) == 1 else f"{100 * mean[0]:.1f} %, {mean[1]:.3f}"


def main() -> None:
    """Measure what is not in the file yet, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*")
    parser.add_argument("--classes", action="store_true", help="logistic leaves, of classes")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--models", nargs="+", choices=[*CANDIDATES, *OTHERS, *LEARNERS])
    parser.add_argument("--report", action="store_true", help="measure nothing")
    given = parser.parse_args()
    models = given.models or ([*LEARNERS] if given.classes else [*CANDIDATES, *OTHERS])
    tables = given.tables or (CLASSES if given.classes else names())
    splits = range(0 if given.report else given.splits)
    lines = Lines(OF_CLASSES if given.classes else RESULTS, *KEYS)
    tasks = itertools.product(splits, tables, models)
    measure = outcome_of_classes if given.classes else outcome
    lines.measure(((table, split, model) for split, table, model in tasks), measure)
    write()


def write(path: Path = PAGE) -> None:
    """Write the page of all tables."""
    of_numbers = Lines(RESULTS, *KEYS).rows
    parts = {name: report(of_numbers, models) for name, models in PARTS.items()}
    of_classes = report(Lines(OF_CLASSES, *KEYS).rows, LEARNERS, of_classes=True)
    parts["Logistic leaves of classes"] = of_classes
    command = "python -m benchmarks.linear_leaves --report"
    write_parts(path, "Linear leaves", command, parts)


if __name__ == "__main__":
    main()

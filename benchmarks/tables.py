"""Defaults on small and middling tables: accuracy, log loss, calibration and seconds, five-fold.

    python -m benchmarks.tables [TABLE ...] [--kind cls|reg|planted] [--quick] [--jobs 2]

Tables are archives ``NAME.npz`` (``X, y``) in the folders ``tables/cls`` (classes) and
``tables/reg`` (numbers) of the folder that TREECORE_DATA names, and planted ones
(:mod:`benchmarks.planted`), which are drawn here. Every model has its defaults and the same five
folds; pruned CART chooses its ``ccp_alpha`` by an inner five-fold cross-validation. Seconds are
those of the processor, one core a model.

Outcomes go to a file of JSON lines as they come (``--out``), and what stands there is not measured
again; ``--renew auto`` forgets a model on these tables first. The tables are printed and written
into ``benchmarks/results/tables.md``; ``--report`` does so without measuring.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import rankdata, wilcoxon
from sklearn.base import clone, is_classifier
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import log_loss, r2_score
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from threadpoolctl import threadpool_limits

import treecore
from benchmarks import ablation
from benchmarks.marks import COLUMN
from benchmarks.pages import today, write_parts
from benchmarks.planted import PLANTED

FOLDS = 5
SEED = 0
MOST_ABLATED = 6000
"""Rows of the tables on which candidates are left out."""

BINS = 10
"""Bins of the greatest probability by which calibration is measured."""
MOST_ALPHAS = 20
QUICK = ("heart", "sonar", "wine", "tae", "monk-2", "vowel", "servo", "autoMPG6")
RESULTS = Path(__file__).parent / "results" / "tables.jsonl"
PAGE = RESULTS.with_suffix(".md")
TITLES = {"cls": "classes", "reg": "numbers", "planted": "planted rules"}


class Table(NamedTuple):
    """A table and what is asked of it: ``kind`` is ``"cls"``, ``"reg"`` or ``"planted"``."""

    name: str
    kind: str
    X: np.ndarray
    y: np.ndarray


class PrunedCART:
    """CART whose ``ccp_alpha`` is chosen by cross-validation along its own path."""

    def __init__(self, tree: Any):
        self.tree = tree

    def fit(self, X: np.ndarray, y: np.ndarray) -> Any:
        """Search, and give the best tree, grown from all rows."""
        alphas = np.maximum(self.tree.cost_complexity_pruning_path(X, y).ccp_alphas, 0)
        middle = np.unique(np.append(np.sqrt(alphas[:-1] * alphas[1:]), 0.0))
        if len(middle) > MOST_ALPHAS:
            middle = np.unique(np.quantile(middle, np.linspace(0, 1, MOST_ALPHAS)))
        cut = StratifiedKFold if is_classifier(self.tree) else KFold
        folds = cut(5, shuffle=True, random_state=SEED)
        return GridSearchCV(self.tree, {"ccp_alpha": middle}, cv=folds).fit(X, y)


def _filled(model: Any) -> Any:
    return make_pipeline(SimpleImputer(), model)


CLASSIFIERS: dict[str, Callable[[], Any]] = {
    "random forest": lambda: RandomForestClassifier(100, random_state=SEED),
    "histogram boosting": lambda: HistGradientBoostingClassifier(random_state=SEED),
    "logistic regression": lambda: make_pipeline(
        SimpleImputer(), StandardScaler(), LogisticRegression(max_iter=1000)
    ),
    "auto": lambda: treecore.ObliqueTreeClassifier(random_state=SEED),
    "annealed": lambda: treecore.AnnealedTreeClassifier(random_state=SEED),
    "tao": lambda: treecore.TAOTreeClassifier(random_state=SEED),
    "pruned CART": lambda: PrunedCART(DecisionTreeClassifier(random_state=SEED)),
    "CART": lambda: DecisionTreeClassifier(random_state=SEED),
}
REGRESSORS: dict[str, Callable[[], Any]] = {
    "random forest": lambda: RandomForestRegressor(100, random_state=SEED),
    "histogram boosting": lambda: HistGradientBoostingRegressor(random_state=SEED),
    "linear regression": lambda: _filled(LinearRegression()),
    "auto": lambda: treecore.ObliqueTreeRegressor(random_state=SEED),
    "annealed": lambda: treecore.AnnealedTreeRegressor(random_state=SEED),
    "tao": lambda: treecore.TAOTreeRegressor(random_state=SEED),
    "pruned CART": lambda: PrunedCART(DecisionTreeRegressor(random_state=SEED)),
    "CART": lambda: DecisionTreeRegressor(random_state=SEED),
}
OURS = ("auto", "annealed", "tao")


def read_tables(kind: str, names: Iterable[str] = ()) -> list[Table]:
    """Read the tables of a kind, all or those named, in the order of their size."""
    if kind == "planted":
        tables = [Table(name, kind, *draw()) for name, draw in PLANTED.items()]
    else:
        folder = os.environ.get("TREECORE_DATA")
        paths = sorted(Path(folder or ".").glob(f"tables/{kind}/*.npz")) if folder else []
        tables = []
        for path in paths:
            with np.load(path) as archive:
                tables.append(Table(path.stem, kind, archive["X"], archive["y"]))
    wanted = set(names)
    chosen = [table for table in tables if not wanted or table.name in wanted]
    return sorted(chosen, key=lambda table: table.X.size)


def expected_calibration_error(probability: np.ndarray, y: np.ndarray) -> float:
    """Mean distance of confidence and accuracy over bins of confidence (Guo et al. 2017).

    probability: (n_samples, n_classes); y: int (n_samples,).
    """
    confidence = probability.max(axis=1)
    right = probability.argmax(axis=1) == y
    bin_of = np.minimum((confidence * BINS).astype(int), BINS - 1)
    off = np.bincount(bin_of, confidence - right, BINS)
    return float(np.abs(off).sum() / len(y))


def measure(table: Table, model: str, n_folds: int = FOLDS) -> dict[str, Any]:
    """Fit a model on the first folds of a table: figures of each, and the calibration over all."""
    classes = table.kind != "reg"
    models = CLASSIFIERS if classes else REGRESSORS
    X, y = table.X, table.y
    folds = (StratifiedKFold if classes else KFold)(FOLDS, shuffle=True, random_state=SEED)
    out: dict[str, Any] = {"table": table.name, "kind": table.kind, "model": model}
    out[COLUMN] = today()
    scores, losses, seconds, said = [], [], [], []
    labels = np.unique(y)
    probability = np.zeros((len(y), len(labels)))
    requested, right = np.zeros((2, len(y)), dtype=bool)
    for train, test in itertools.islice(folds.split(X, y), n_folds):
        requested[test] = True
        estimator = models[model]()
        if not isinstance(estimator, PrunedCART):
            estimator = clone(estimator)
        started = time.process_time()
        fitted = estimator.fit(X[train], y[train])
        seconds.append(time.process_time() - started)
        if not classes:
            scores.append(r2_score(y[test], fitted.predict(X[test])))
        else:
            known = np.searchsorted(labels, fitted.classes_)
            probability[np.ix_(test, known)] = fitted.predict_proba(X[test])
            right[test] = fitted.predict(X[test]) == y[test]
            scores.append(float(right[test].mean()))
            losses.append(log_loss(y[test], probability[test], labels=labels))
        if hasattr(fitted, "decision_"):
            said.append(fitted.decision_.chosen)
    out |= {"scores": scores, "seconds": seconds}
    if classes:
        index = np.searchsorted(labels, y)
        ece = expected_calibration_error(probability[requested], index[requested])
        out |= {
            "log_loss": losses,
            "ece": ece,
            "right": np.packbits(right[requested]).tobytes().hex(),
        }
    return out | ({"chosen": said} if said else {})


def _measure_alone(table: Table, model: str, n_folds: int) -> dict[str, Any]:
    with threadpool_limits(1):
        return measure(table, model, n_folds)


def _warm(tasks: list[tuple[Table, str]]) -> None:
    """Compile what the models of ours need, so that seconds are those of learning."""
    X = np.random.default_rng(0).normal(size=(40, 3))
    for classes, name in {(table.kind != "reg", model) for table, model in tasks if model in OURS}:
        y = (X[:, 0] > X[:, 1]).astype(int) if classes else X[:, 0] + X[:, 1]
        (CLASSIFIERS if classes else REGRESSORS)[name]().fit(X, y)


class Outcomes:
    """What was measured so far, in a file of JSON lines; the last line of equals counts."""

    def __init__(self, path: Path):
        self.path = path
        self.rows: dict[tuple[str, str], dict[str, Any]] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._take(json.loads(line))

    def _take(self, row: dict[str, Any]) -> None:
        self.rows[f"{row['kind']}/{row['table']}", row["model"]] = row

    def add(self, row: dict[str, Any]) -> None:
        """Keep a row, in the file as well."""
        self._take(row)
        self.write()

    def forget(self, models: Iterable[str], tables: Iterable[Table]) -> None:
        """Drop the rows of some models on some tables."""
        gone = {(f"{table.kind}/{table.name}", model) for table in tables for model in models}
        self.rows = {key: row for key, row in self.rows.items() if key not in gone}

    def write(self) -> None:
        """Write all rows, sorted, so that a change of one is a change of one line."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(_rounded(self.rows[key])) for key in sorted(self.rows)]
        self.path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 5)
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return value


def report(outcomes: Outcomes, kind: str) -> str:
    """The table of a kind, in Markdown: ranks over all models, and ours against pruned CART."""
    rows = {key: row for key, row in outcomes.rows.items() if row["kind"] == kind}
    names = list(REGRESSORS if kind == "reg" else CLASSIFIERS)
    models = [name for name in names if any(model == name for _, model in rows)]
    tables = sorted({table for table, _ in rows})
    # Tables that all models have been measured on, by the same folds.
    of_table = {t: [rows[t, m]["scores"] for m in models if (t, m) in rows] for t in tables}
    tables = [
        table
        for table, scores in of_table.items()
        if len(scores) == len(models) and len(set(map(len, scores))) == 1
    ]
    if not tables or "pruned CART" not in models:
        return f"{kind}: nothing measured with all models and pruned CART"
    score = 100 * np.array([[np.mean(rows[t, m]["scores"]) for m in models] for t in tables])
    rank = np.array([rankdata(-row.round(6)) for row in score]).mean(axis=0)
    reference = models.index("pruned CART")
    what = "R² × 100" if kind == "reg" else "accuracy, %"
    head = (
        f"| {len(tables)} tables | mean rank | {what} | against pruned CART: mean | wins / losses "
    )
    head += "| worst, by its standard error | p | times its fit |"
    head += "" if kind == "reg" else " log loss | ECE, % |"
    lines = [f"{head} {COLUMN} |", "|" + " --- |" * head.count("|")]
    for j, model in enumerate(models):
        gap = score[:, j] - score[:, reference]
        error = np.array([_paired_error(rows[t, model], rows[t, "pruned CART"]) for t in tables])
        ratio = [
            np.mean(rows[t, model]["seconds"]) / np.mean(rows[t, "pruned CART"]["seconds"])
            for t in tables
        ]
        worst = int(gap.argmin())
        cells = [model, f"{rank[j]:.2f}", f"{score[:, j].mean():.1f}"]
        if j == reference:
            cells += ["–", "–", "–", "–"]
        else:
            p = wilcoxon(gap).pvalue if np.any(gap) else 1.0
            cells += [
                f"{gap.mean():+.2f}",
                f"{np.sum(gap > 1e-9)} / {np.sum(gap < -1e-9)}",
                f"{gap[worst]:+.1f} ± {error[worst]:.1f} ({tables[worst].split('/')[1]})",
                f"{p:.3f}",
            ]
        cells.append(f"{np.median(ratio):.1f}")
        if kind != "reg":
            cells.append(f"{np.mean([np.mean(rows[t, model]['log_loss']) for t in tables]):.3f}")
            cells.append(f"{100 * np.mean([rows[t, model]['ece'] for t in tables]):.1f}")
        cells.append(min(rows[t, model][COLUMN] for t in tables))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def by_table(outcomes: Outcomes, kind: str) -> str:
    """Every table's mean score by model, in Markdown, with what the default has chosen."""
    rows = {key: row for key, row in outcomes.rows.items() if row["kind"] == kind}
    models = [
        m for m in (REGRESSORS if kind == "reg" else CLASSIFIERS) if any(m == k[1] for k in rows)
    ]
    head = ("table", *models, "auto minus pruned CART", "auto chose", COLUMN)
    lines = [f"| {' | '.join(head)} |", "|" + " --- |" * len(head)]
    for table in sorted({table for table, _ in rows}):
        cells = [table.split("/")[1]]
        for model in models:
            row = rows.get((table, model))
            cells.append(f"{100 * np.mean(row['scores']):.1f}" if row else "")
        auto, cart = rows.get((table, "auto")), rows.get((table, "pruned CART"))
        if auto and cart and len(auto["scores"]) == len(cart["scores"]):
            gap = 100 * (np.mean(auto["scores"]) - np.mean(cart["scores"]))
            cells.append(f"{gap:+.1f} ± {_paired_error(auto, cart):.1f}")
            cells.append(", ".join(_counted(auto.get("chosen", []))))
        else:
            cells += ["", ""]
        cells.append((auto or cart or {}).get(COLUMN, "–"))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _counted(words: list[str]) -> list[str]:
    ranked = sorted(sorted(set(words)), key=words.count, reverse=True)
    return [f"{word} {words.count(word)}" for word in ranked]


def _paired_error(row: dict[str, Any], other: dict[str, Any]) -> float:
    """Standard error of the mean difference, in percent: over rows for classes, or over folds."""
    if "right" in row:
        ours, theirs = (
            np.unpackbits(np.frombuffer(bytes.fromhex(r["right"]), np.uint8)) for r in (row, other)
        )
        n = 8 * len(bytes.fromhex(row["right"]))
        differ = np.count_nonzero(ours != theirs) / n
        mean = ours.mean() - theirs.mean()
        return float(100 * np.sqrt(max(differ - mean**2, 0.0) / n))
    gap = 100 * (np.array(row["scores"]) - np.array(other["scores"]))
    return float(gap.std(ddof=1) / np.sqrt(len(gap))) if len(gap) > 1 else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    parser.add_argument("--kind", action="append", choices=("cls", "reg", "planted"))
    parser.add_argument("--models", nargs="*", metavar="MODEL")
    parser.add_argument("--renew", nargs="*", default=[], metavar="MODEL")
    parser.add_argument("--quick", action="store_true", help="eight small tables")
    parser.add_argument("--folds", type=int, default=FOLDS, help="the first so many of the five")
    parser.add_argument("--jobs", type=int, default=1, help="tables at a time")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--report", action="store_true", help="print what was measured before")
    parser.add_argument("--ablate", action="store_true", help="the default without each candidate")
    given = parser.parse_args()
    if given.ablate:
        _ablate(given)
        return
    outcomes = Outcomes(given.out)
    kinds = given.kind or ["cls", "reg", "planted"]
    if not given.report:
        _measure_all(outcomes, kinds, given)
    for kind in kinds:
        print(f"\n{report(outcomes, kind)}\n\n{by_table(outcomes, kind)}")
    if given.out == RESULTS:
        write(PAGE)


def _ablate(given: argparse.Namespace) -> None:
    """Measure what the default loses without each of its candidates, on two folds of five."""
    rows: list[dict[str, Any]] = []
    with threadpool_limits(1):
        for kind in ("reg", "cls"):
            for table in read_tables(kind, given.tables or (QUICK if given.quick else ())):
                if len(table.y) <= MOST_ABLATED:
                    rows += ablated(kind, table)
                    print(kind, table.name, flush=True)
    ablation.keep(rows)


def ablated(kind: str, table: Table) -> list[dict[str, Any]]:
    """What the candidates reach on two folds of a table."""
    cut = KFold if kind == "reg" else StratifiedKFold
    folds = cut(FOLDS, shuffle=True, random_state=SEED).split(table.X, table.y)
    return ablation.measure(kind, table.name, table.X, table.y, itertools.islice(folds, 2))


def write(path: Path) -> None:
    """Write the page of all tables that stand in the file of results."""
    outcomes, parts = Outcomes(RESULTS), {}
    for kind, title in TITLES.items():
        parts[f"Means over tables of {title}"] = report(outcomes, kind)
        parts[f"Every table of {title}"] = by_table(outcomes, kind)
    command = "python -m benchmarks.tables --report"
    write_parts(path, "The default on many tables", command, parts)


def _measure_all(outcomes: Outcomes, kinds: list[str], given: argparse.Namespace) -> None:
    names = given.tables or (QUICK if given.quick else ())
    tables = [table for kind in kinds for table in read_tables(kind, names)]
    if not tables:
        raise SystemExit(
            "no such table is at hand; TREECORE_DATA names a folder with tables/cls and tables/reg"
        )
    outcomes.forget(given.renew, tables)
    tasks = [
        (table, model)
        for table in tables
        for model in (given.models or (REGRESSORS if table.kind == "reg" else CLASSIFIERS))
        if (f"{table.kind}/{table.name}", model) not in outcomes.rows
    ]
    _warm(tasks)
    with ProcessPoolExecutor(given.jobs) as pool:
        waiting = [pool.submit(_measure_alone, table, model, given.folds) for table, model in tasks]
        for done, future in enumerate(as_completed(waiting), 1):
            row = future.result()
            outcomes.add(row)
            print(
                f"{done}/{len(tasks)} {row['table']:18} {row['model']:20} "
                f"{100 * np.mean(row['scores']):6.2f}  {np.mean(row['seconds']):7.2f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()

"""Defaults on small and middling tables: accuracy, log loss, calibration and seconds, five-fold.

    python -m benchmarks.tables [TABLE ...] [--kind KIND] [--models NAME ...] [--folds 3]

Tables are archives ``NAME.npz`` (``X, y``) in the folders ``tables/cls`` (classes) and
``tables/reg`` (numbers) of the folder that TREECORE_DATA names, and planted ones
(:mod:`benchmarks.planted`), which are drawn here. Every model has its defaults and the same five
folds; pruned CART chooses its ``ccp_alpha`` by an inner five-fold cross-validation. Seconds are
those of the processor, one core a model. LightGBM, XGBoost, interpret (EBM) and imodels (FIGS) are
measured where they are installed. Tables of ``efti`` and ``srbench`` are those of which others have
published results (``--models auto``).

Outcomes go to a file of JSON lines as they come, and what stands there is not measured again;
``--renew auto`` forgets a model on these tables first. The page, ``benchmarks/results/tables.md``,
is written at the end; ``--report`` does so without measuring.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import wilcoxon
from sklearn.base import is_classifier
from sklearn.datasets import make_friedman1
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.metrics import log_loss, r2_score
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from benchmarks import ablation
from benchmarks.data import PaperData
from benchmarks.evidence import (
    Rows,
    compared_with_published,
    mean_and_error,
    paired_error,
    ranks,
    score,
    verdicts,
)
from benchmarks.lines import Lines
from benchmarks.marks import COLUMN
from benchmarks.pages import markdown, today, write_parts
from benchmarks.planted import PLANTED

FOLDS = 5
SEED = 0
MOST_ABLATED = 6000
"""Rows of the tables on which candidates are left out."""

BINS = 10
"""Bins of the greatest probability by which calibration is measured."""
MOST_ALPHAS = 20
RESULTS = Path(__file__).parent / "results" / "tables.jsonl"
PAGE = RESULTS.with_suffix(".md")
KEYS = "kind", "table", "model"
TITLES = {
    "cls": "classes",
    "reg": "numbers",
    "planted": "planted rules",
    "redrawn": "planted rules drawn anew",
}
PLANTED_SEEDS = {"planted": 0, "redrawn": 1}
"""Nobody looked at tables of the second seed while the default was made."""
NUMBERS = ("reg", "srbench")
"""Kinds of tables whose targets are numbers; others have classes."""
PUBLISHED = {
    "efti": ("iris", "letter", "pendigits"),
    "srbench": ("california_housing", "cpuact", "fried"),
}
"""Tables beside those of the folders of which others have published results, by their kind."""


class Table(NamedTuple):
    """A table and what is asked of it; kind: of :data:`TITLES` or :data:`PUBLISHED`."""

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


def _of(module: str, name: str, **settings: Any) -> Callable[[str], Any]:
    """What makes an estimator of a library; the name has a gap for Classifier or Regressor."""
    return lambda kind: getattr(import_module(module), name.format(kind))(**settings)


def _linear(kind: str) -> Any:
    """A regularised linear model of scaled features; of numbers, its strength is chosen."""
    classes = kind == "Classifier"
    model = LogisticRegression(max_iter=1000) if classes else RidgeCV(np.logspace(-3, 3, 13))
    return make_pipeline(SimpleImputer(), StandardScaler(), model)


_tree = _of("sklearn.tree", "DecisionTree{}", random_state=SEED)
MODELS: dict[str, Callable[[str], Any]] = {
    "random forest": _of("sklearn.ensemble", "RandomForest{}", random_state=SEED),
    "histogram boosting": _of("sklearn.ensemble", "HistGradientBoosting{}", random_state=SEED),
    "LightGBM": _of("lightgbm", "LGBM{}", n_jobs=1, verbosity=-1),
    "XGBoost": _of("xgboost", "XGB{}", n_jobs=1),
    "EBM, one bag": _of(
        "interpret.glassbox", "ExplainableBoosting{}", outer_bags=1, n_jobs=1, random_state=SEED
    ),
    "FIGS": _of("imodels", "FIGS{}", random_state=SEED),
    "linear": _linear,
    "auto": _of("treecore", "ObliqueTree{}", random_state=SEED),
    "pruned CART": lambda kind: PrunedCART(_tree(kind)),
    "CART": _tree,
}
"""The defaults that are compared, one made by its name for "Classifier" or "Regressor". EBM has 14
bags by default, which take minutes on a table of 200 rows."""

SLOW, MOST_OF_SLOW = "EBM, one bag", 12_000
"""The model that is measured on tables of so many numbers, rows times features, alone."""


def read_tables(kind: str, names: Iterable[str] = ()) -> list[Table]:
    """Read the tables of a kind, all or those named, in the order of their size."""
    papers, wanted = PaperData(), set(names)
    if kind in PLANTED_SEEDS:
        known = {name: partial(draw, seed=PLANTED_SEEDS[kind]) for name, draw in PLANTED.items()}
    elif kind in PUBLISHED:
        known = {name: partial(papers.entire, name) for name in PUBLISHED[kind]}
        if "fried" in known:
            known["fried"] = partial(make_friedman1, 40_768, 10, noise=1.0, random_state=SEED)
    else:
        folder = (papers.folder or Path("/nowhere")) / "tables" / kind
        papers = PaperData(folder)
        known = {path.stem: partial(papers.entire, path.stem) for path in folder.glob("*.npz")}
    rows = {name: known[name]() for name in sorted(known) if not wanted or name in wanted}
    tables = [Table(name, kind, *of_table) for name, of_table in rows.items() if of_table]
    return sorted(tables, key=lambda table: table.X.size)


def folds_of(table: Table, n_folds: int) -> Iterable[tuple[np.ndarray, np.ndarray]]:
    """Training and test rows of the first folds of five; by class where there are classes."""
    cut = KFold if table.kind in NUMBERS else StratifiedKFold
    folds = cut(FOLDS, shuffle=True, random_state=SEED).split(table.X, table.y)
    return itertools.islice(folds, n_folds)


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
    classes = table.kind not in NUMBERS
    X, y = table.X, table.y
    out: dict[str, Any] = {"table": table.name, "kind": table.kind, "model": model}
    out[COLUMN] = today()
    scores, losses, seconds, said, leaves = [[] for _ in range(5)]
    labels = np.unique(y)
    probability = np.zeros((len(y), len(labels)))
    requested, right = np.zeros((2, len(y)), dtype=bool)
    for train, test in folds_of(table, n_folds):
        requested[test] = True
        estimator = MODELS[model]("Classifier" if classes else "Regressor")
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
            leaves.append(fitted.tree_.n_leaves)
    out |= {"scores": scores, "seconds": seconds}
    if classes:
        index = np.searchsorted(labels, y)
        ece = expected_calibration_error(probability[requested], index[requested])
        out |= {
            "log_loss": losses,
            "ece": ece,
            "right": np.packbits(right[requested]).tobytes().hex(),
        }
    return out | ({"chosen": said, "leaves": leaves} if said else {})


def _measure_alone(table: Table, model: str, n_folds: int) -> dict[str, Any]:
    with threadpool_limits(1):
        return measure(table, model, n_folds)


def _warm(tasks: list[tuple[Table, str]]) -> None:
    """Compile what the models of ours need, so that seconds are those of learning."""
    X = np.random.default_rng(0).normal(size=(40, 3))
    for classes in {table.kind not in NUMBERS for table, model in tasks if model == "auto"}:
        y = (X[:, 0] > X[:, 1]).astype(int) if classes else X[:, 0] + X[:, 1]
        MODELS["auto"]("Classifier" if classes else "Regressor").fit(X, y)


def outcomes() -> Rows:
    """All that was measured, as :mod:`benchmarks.evidence` reads it."""
    rows = Lines(RESULTS, *KEYS).rows
    return {(f"{kind}/{name}", model): row for (kind, name, model), row in rows.items()}


def compared(rows: Rows, kind: str, models: Sequence[str]) -> tuple[list[str], list[str]]:
    """Tables of a kind on which models have been measured by the same folds; those models."""
    known = [name for name in models if any(key == kind for key in _kinds(rows, name))]
    names = sorted({table for table, _ in rows if table.startswith(f"{kind}/")})
    of_table = {t: [len(rows[t, m]["scores"]) for m in known if (t, m) in rows] for t in names}
    whole = [t for t in names if len(of_table[t]) == len(known) and len(set(of_table[t])) == 1]
    return whole, known


def _kinds(rows: Rows, model: str) -> set[str]:
    return {table.split("/")[0] for table, name in rows if name == model}


def report(rows: Rows, kind: str, models: Sequence[str] = tuple(MODELS)) -> str:
    """The table of a kind, in Markdown: ranks over all models, and each against pruned CART."""
    tables, models = compared(rows, kind, models)
    if not tables or "pruned CART" not in models:
        return f"{kind}: nothing measured with all models and pruned CART"
    scores = np.array([[score(rows[t, m]) for m in models] for t in tables])
    of_table, reference = ranks(rows, tables, models), models.index("pruned CART")
    head = [f"{len(tables)} tables", "mean rank ± its standard error"]
    head.append("R² × 100" if kind == "reg" else "accuracy, %")
    head += ["against pruned CART: mean", "wins / losses", "worst, by its standard error", "p"]
    head += ["times its fit", *(() if kind == "reg" else ("log loss", "ECE, %")), COLUMN]
    lines = []
    for j, model in enumerate(models):
        gap = scores[:, j] - scores[:, reference]
        error = np.array([paired_error(rows[t, model], rows[t, "pruned CART"]) for t in tables])
        ratio = [
            np.mean(rows[t, model]["seconds"]) / np.mean(rows[t, "pruned CART"]["seconds"])
            for t in tables
        ]
        worst = int(gap.argmin())
        cells = [model, mean_and_error(of_table[:, j]), f"{scores[:, j].mean():.1f}"]
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
        lines.append([*cells, min(rows[t, model][COLUMN] for t in tables)])
    return markdown(head, lines)


def by_table(rows: Rows, kind: str) -> str:
    """Every table's mean score by model, in Markdown, with what the default has chosen."""
    models = [model for model in MODELS if kind in _kinds(rows, model)]
    lines = []
    for table in sorted({table for table, _ in rows if table.startswith(f"{kind}/")}):
        found = [rows.get((table, model)) for model in models]
        cells = [table.split("/")[1], *(f"{score(row):.1f}" if row else "" for row in found)]
        auto, cart = rows.get((table, "auto")), rows.get((table, "pruned CART"))
        if auto and cart and len(auto["scores"]) == len(cart["scores"]):
            cells.append(f"{score(auto) - score(cart):+.1f} ± {paired_error(auto, cart):.1f}")
            cells.append(", ".join(_counted(auto.get("chosen", []))))
        else:
            cells += ["", ""]
        lines.append([*cells, (auto or cart or {}).get(COLUMN, "–")])
    return markdown(("table", *models, "auto minus pruned CART", "auto chose", COLUMN), lines)


def _counted(words: list[str]) -> list[str]:
    return [f"{word} {count}" for word, count in Counter(sorted(words)).most_common()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    parser.add_argument("--kind", action="append", choices=(*TITLES, *PUBLISHED))
    parser.add_argument("--models", nargs="*", metavar="MODEL")
    parser.add_argument("--renew", nargs="*", default=[], metavar="MODEL")
    parser.add_argument("--folds", type=int, default=FOLDS, help="the first so many of the five")
    parser.add_argument("--jobs", type=int, default=1, help="tables at a time")
    parser.add_argument("--report", action="store_true", help="print what was measured before")
    parser.add_argument("--ablate", action="store_true", help="the default without each candidate")
    given = parser.parse_args()
    if given.ablate:
        _ablate(given)
        return
    if not given.report:
        _measure_all(given.kind or list(TITLES), given)
    write()


def _ablate(given: argparse.Namespace) -> None:
    """Measure what the default loses without each of its candidates, on two folds of five."""
    lines = Lines(ablation.RESULTS, *ablation.KEYS)
    with threadpool_limits(1):
        for kind in ("reg", "cls"):
            for table in read_tables(kind, given.tables):
                if len(table.y) <= MOST_ABLATED:
                    for row in ablation.measure(*table, folds_of(table, 2)):
                        lines.add(row)
                print(kind, table.name, flush=True)
    ablation.write()


def write(path: Path = PAGE) -> None:
    """Write the page of all tables that stand in the file of results."""
    rows, parts = outcomes(), {}
    quick = [model for model in MODELS if model != SLOW]
    asked = (verdicts(rows, TITLES[kind], *compared(rows, kind, quick)) for kind in TITLES)
    head = ("over", "what is asked of the default", "what was found", COLUMN)
    parts["Verdicts"] = markdown(head, itertools.chain(*asked))
    for kind, title in TITLES.items():
        parts[f"Means over tables of {title}"] = report(rows, kind, quick)
        if kind in _kinds(rows, SLOW):
            parts[f"Small tables of {title}, with EBM"] = report(rows, kind)
        parts[f"Every table of {title}"] = by_table(rows, kind)
    for name in PUBLISHED:
        parts[f"Beside published tables: {name}"] = compared_with_published(rows, name)
    command = "python -m benchmarks.tables --report"
    write_parts(path, "The default on many tables", command, parts)


def _absent() -> set[str]:
    """Name the models that cannot be made here, and print why each is left out."""
    away = set()
    for name, make in MODELS.items():
        try:
            make("Classifier")
        except Exception as error:  # a library made for other versions raises what it likes
            away.add(name)
            print(f"{name} is left out: {str(error).splitlines()[0]}")
    return away


def _measure_all(kinds: list[str], given: argparse.Namespace) -> None:
    lines = Lines(RESULTS, *KEYS)
    tables = [table for kind in kinds for table in read_tables(kind, given.tables)]
    if not tables:
        raise SystemExit(
            "no such table is at hand; TREECORE_DATA names a folder with tables/cls and tables/reg"
        )
    for table in tables:
        for model in given.renew:
            lines.rows.pop((table.kind, table.name, model), None)
    away = _absent()
    tasks = [
        (table, model)
        for table in tables
        for model in given.models or MODELS
        if model not in away
        and (table.kind, table.name, model) not in lines.rows
        and (model != SLOW or table.X.size <= MOST_OF_SLOW)
    ]
    _warm(tasks)
    with ProcessPoolExecutor(given.jobs) as pool:
        waiting = [pool.submit(_measure_alone, table, model, given.folds) for table, model in tasks]
        for done, future in enumerate(as_completed(waiting), 1):
            row = future.result()
            lines.add(row)
            print(
                f"{done}/{len(tasks)} {row['table']:18} {row['model']:20} "
                f"{100 * np.mean(row['scores']):6.2f}  {np.mean(row['seconds']):7.2f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()

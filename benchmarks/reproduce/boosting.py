"""Figure 1 of Gabidolla et al.: test error of forests by number of trees, and by seconds.

Settings are chosen by the rule of :mod:`benchmarks.protocol`, where a model has several; the choice
is a point of its own, before those of the seeds.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.data import as_float32
from benchmarks.protocol import choose
from benchmarks.reproduce import drawing
from benchmarks.reproduce.figure import Grid, Setup, over_runs
from benchmarks.reproduce.forest_models import LIBRARIES, OURS, Model, flat
from benchmarks.reproduce.verdicts import ABOVE, BELOW, EQUAL, mean_error, spread, verdict

SEEDS = 3
QUICK_ROWS, QUICK_TREES = 1000, 8
QUICK_ROUNDS, QUICK_EPOCHS, QUICK_DEPTH = 10, 3, 6

LOOKS = {
    "boosted TAO": (drawing.BLUE, "o"),
    "boosted TAO (M1)": (drawing.SKY, "o"),
    "boosted CART": (drawing.GREEN, "o"),
    "boosted CART (M1)": (drawing.YELLOW, "o"),
    "random forest": (drawing.BLACK, "s"),
    "XGBoost": (drawing.ORANGE, "s"),
    "gradient boosting (hist)": (drawing.PINK, "s"),
    "boosted annealed": (drawing.RED, "o"),
    "bagged TAO": ("#777777", "o"),
    "bagged annealed": ("#a0522d", "o"),
}
"""Colour of every model, and its mark: a square for those of other libraries."""


def models(dataset: str) -> dict[str, Model]:
    """Our models for a dataset, and those of the libraries, by name."""
    return {model.name: model for model in (*OURS[dataset], *LIBRARIES[dataset])}


def points(setup: Setup) -> list[dict]:
    """The choice of every model's settings, where there are several, then its seeds.

    The first seed of all models of a dataset comes before the second of any: a figure that is
    unfinished has every model.
    """
    keys = []
    for dataset in setup.datasets:
        own = []
        for name, model in models(dataset).items():
            shared = {"dataset": dataset, "model": name}
            if len(model.candidates) > 1 and not setup.quick:
                own.append({**shared, "step": "choice"})
            seeds = model.seeds(1 if setup.quick else SEEDS)
            own += [{**shared, "step": "test", "seed": seed} for seed in seeds]
        keys += sorted(own, key=lambda key: key.get("seed", 0))
    return keys


def measure(key: dict, setup: Setup) -> list[dict]:
    """Choose a model's settings, or measure the curve of one seed on the test rows."""
    model = models(key["dataset"])[key["model"]]
    training, test = as_float32(setup.load(key["dataset"], QUICK_ROWS))
    if key["step"] == "choice":
        chosen = choose(model.candidates, training, model.error)
        return [{**key, "chosen": model.candidates.index(chosen)}]
    chosen = setup.measured(dataset=key["dataset"], model=model.name, step="choice")
    settings = model.candidates[chosen[0]["chosen"] if chosen else 0]
    if setup.quick:
        settings = shorter(settings)
    curve = model.grow(settings, training, test, key["seed"])
    return [
        {
            **key,
            "trees": curve.trees.tolist(),
            "error": np.round(curve.error, 4).tolist(),
            "training": np.round(curve.training, 4).tolist(),
            "seconds": np.round(curve.seconds, 4).tolist(),
            "rows": len(test.y),
            "settings": ", ".join(f"{k}={v}" for k, v in flat(settings).items()),
        }
    ]


def shorter(settings: dict) -> dict:
    """The same settings with few trees, that are not deep and learn in few rounds or passes."""
    shorter = dict(settings)
    for name in {"n_trees", "n_estimators", "max_iter"} & set(settings):
        shorter[name] = min(settings[name], QUICK_TREES)
    if "base" in settings:
        most = {"rounds": QUICK_ROUNDS, "epochs": QUICK_EPOCHS, "depth": QUICK_DEPTH}
        base = settings["base"]
        shorter["base"] = base | {k: min(base[k], n) for k, n in most.items() if k in base}
    return shorter


def table(rows: pd.DataFrame) -> pd.DataFrame:
    """A row for each model: its last forest, mean and deviation over the seeds."""
    last = {c: rows[c].map(lambda values: values[-1]) for c in (*CURVES, "trees")}
    lines = over_runs(
        rows.assign(**last),
        ["dataset", "model"],
        trees=("trees", "mean"),
        error=("error", "mean"),
        deviation=("error", spread),
        training=("training", "mean"),
        seconds=("seconds", "mean"),
        rows=("rows", "first"),
        settings=("settings", "first"),
    )
    columns = (lines[name] for name in ("deviation", "runs", "error", "rows"))
    return lines.assign(uncertain=list(map(mean_error, *columns)))


def claims(lines: pd.DataFrame) -> list[str]:
    """Whether boosted TAO is first on every dataset, computed."""
    said = []
    for dataset, own in lines.groupby("dataset", sort=False):
        taos = own[own["model"].str.startswith("boosted TAO")]
        others = own[~own["model"].isin(taos["model"])]
        if taos.empty or others.empty:
            continue
        best, rival = (part.loc[part["error"].idxmin()] for part in (taos, others))
        errors = best["uncertain"], rival["uncertain"]
        found = verdict(best["error"], rival["error"], *errors, higher=False)
        outcome = {
            ABOVE: "it is first by more than a standard error",
            EQUAL: "the claim that it is first cannot be told from chance",
            BELOW: "the claim that it is first does not hold",
        }[found or EQUAL]
        fewer = "fewer trees" if best["trees"] < rival["trees"] else "no fewer trees"
        missing = ", ".join(name for name in models(str(dataset)) if name not in set(own["model"]))
        said.append(
            f"{dataset}: {best['model']} errs on {best['error']:.2f} %, the best of the others, "
            f"{rival['model']}, on {rival['error']:.2f} %: {outcome}, with {fewer} "
            f"({best['trees']:.0f} beside {rival['trees']:.0f})."
            + (f" Not measured yet: {missing}." if missing else "")
        )
    return said


CURVES = "error", "training", "seconds"


def mean_curve(seeds: pd.DataFrame) -> tuple[np.ndarray, ...]:
    """Trees, and mean test error, training error and seconds over the seeds of a model.

    Where boosting has stopped early in one of the seeds, the mean ends there.
    """
    n = seeds["trees"].map(len).min()
    means = (np.mean([line[:n] for line in seeds[name]], axis=0) for name in CURVES)
    return np.array(seeds["trees"].iloc[0][:n]), *means


def draw(canvas, rows: pd.DataFrame) -> None:
    """Draw the test error by trees in the upper row of axes, by seconds in the lower one."""
    groups = rows.groupby("dataset", sort=False)
    axes = canvas.subplots(2, len(groups), sharey="col", squeeze=False)
    for (by_trees, by_seconds), (dataset, own) in zip(axes.T, groups, strict=True):
        highest = 0.0
        for model, (colour, mark) in LOOKS.items():
            seeds = own[own["model"] == model]
            if seeds.empty:
                continue
            trees, error, training, seconds = mean_curve(seeds)
            label = f"{model}, {'ours' if mark == 'o' else 'library'}"
            for at, x in ((by_trees, trees), (by_seconds, seconds)):
                at.plot(x, error, color=colour, label=label)
                at.plot(x, training, color=colour, linestyle="--", linewidth=1.0)
                at.plot(x[-1], error[-1], color=colour, marker=mark)
            highest = max(highest, error[-1])
        by_trees.set_title(dataset, fontsize=10)
        for at, x_label in ((by_trees, "trees"), (by_seconds, "seconds of learning")):
            at.set_xlabel(x_label)
            at.set_xscale("log")
            # The first trees of some err three times as much as any forest at its end.
            at.set_ylim(0, min(100.0, 2.5 * highest))
            at.set_ylabel("error, %")
    drawing.legend_below(canvas, 4)


def notes(setup: Setup) -> list[str]:
    said = [
        "Solid: test errors; dashed: training errors. The poster shows curves without numbers, of "
        "datasets that its text does not name: there is nothing published to draw beneath.",
        "As on the poster: TAO and CART, each boosted by SAMME and by AdaBoost.M1 (M1), random "
        "forests, XGBoost where it is installed. TAO starts from complete random trees, but where "
        "the settings chosen on held-out training rows name another start. Annealed trees and "
        "bagging are beside it.",
        "Gradient boosting grows a tree for every class in each iteration, and is counted so; "
        "seconds of libraries are spread evenly over their trees. All models learn on one core, "
        "where the poster has eight, and seconds are the processor's, which other programs on the "
        "machine lengthen.",
    ]
    if setup.quick:
        said.append(
            f"Quick: at most {QUICK_ROWS} training rows and {QUICK_TREES} trees or iterations, "
            f"of depth {QUICK_DEPTH} at most, {QUICK_ROUNDS} rounds of annealing or {QUICK_EPOCHS} "
            "passes of TAO, the first candidate of every model without a choice, one seed."
        )
    else:
        said.append(
            "Settings are chosen on held-out training rows where a model has several. Curves are "
            f"means of {SEEDS} seeds when finished, of one where a seed decides nothing."
        )
    return said


NAME = "boosting"
TITLE = "Boosted oblique trees beside other forests"
CLAIM = (
    "The paper's claim: boosting oblique trees that are optimised as a whole needs far "
    "fewer of them, and ends lower, than boosting greedy axis-aligned ones."
)
SOURCE = "Gabidolla, Zharmagambetov and Carreira-Perpiñán, figure 1; no numbers are printed"
DATASETS = tuple(OURS)
TITLES = {
    "dataset": "data",
    "model": "model",
    "trees": "trees",
    "error": "test error, %",
    "deviation": "deviation",
    "training": "training error, %",
    "seconds": "seconds",
    "runs": "seeds",
    "settings": "settings chosen",
}
DIGITS = {"training": 2, "error": 2, "deviation": 2, "seconds": 2}
GRID = Grid("Test error, %", ("model",), "dataset", "error", "deviation")
SIZE = (10.0, 7.0)
DEPTHS = QUICK_DEPTHS = ()

"""The forests of Wang's slides: OC1 and CART on iris, by the share of rows they learn from."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

from benchmarks.reproduce.drawing import BLACK, BLUE, GREEN, legend_below
from benchmarks.reproduce.figure import Grid, Setup, over_runs
from treecore.training import Trainer
from treecore.training.config import RunConfig

TREES, QUICK_TREES = 50, 10
SEEDS, QUICK_SEEDS = 25, 3
TENTHS = range(1, 10)

LOOKS = {
    "OC1 forest": (BLUE, "-", "o"),
    "CART forest": (GREEN, "-", "s"),
    "scikit-learn's random forest": (BLACK, "--", "^"),
}


def points(setup: Setup) -> list[dict]:
    """A point for each division of the rows."""
    seeds = QUICK_SEEDS if setup.quick else SEEDS
    return [{"tenths": tenths, "seed": seed} for seed in range(seeds) for tenths in TENTHS]


def measure(key: dict, setup: Setup) -> list[dict]:
    """Measure the test accuracy in percent of three forests on one division."""
    seed, n_trees = key["seed"], QUICK_TREES if setup.quick else TREES
    training, test = setup.data.entire("iris").divide(1 - key["tenths"] / 10, seed)
    models = [
        Trainer(RunConfig(preset, n_trees=n_trees, seed=seed), *training, n_classes=3).run()
        for preset in ("oc1-forest", "cart-forest")
    ]
    models.append(RandomForestClassifier(n_trees, random_state=seed).fit(*training))
    rows = []
    for name, model in zip(LOOKS, models, strict=True):
        accuracy = 100 * float(np.mean(model.predict(test.X) == test.y))
        rows.append(key | {"forest": name, "accuracy": round(accuracy, 4)})
    return rows


def table(rows: pd.DataFrame) -> pd.DataFrame:
    """A row for each share and forest: mean and deviation over the divisions."""
    lines = over_runs(
        rows.assign(share=rows["tenths"] / 10),
        ["share", "forest"],
        accuracy=("accuracy", "mean"),
        deviation=("accuracy", lambda accuracy: accuracy.std(ddof=0)),
    )
    return lines.sort_values("share", kind="stable", ignore_index=True)


def claims(lines: pd.DataFrame) -> list[str]:
    """How steadily the two forests gain, computed: how far accuracy falls as the share rises."""
    falls = {
        name: float((-own.sort_values("share")["accuracy"].diff()).clip(lower=0).sum())
        for name, own in lines.groupby("forest")
    }
    oc1, cart = falls["OC1 forest"], falls["CART forest"]
    holds = "holds" if oc1 < cart else "does not hold"
    return [
        f"From one share to the next the mean accuracy of the OC1 forest falls by {oc1:.1f} points "
        f"in all, that of the CART forest by {cart:.1f}: the claim {holds}."
    ]


def draw(canvas, rows: pd.DataFrame) -> None:
    """Draw means with whiskers of one deviation, side by side."""
    axes = canvas.subplots()
    lines = table(rows)
    for i, (name, (colour, style, mark)) in enumerate(LOOKS.items()):
        own = lines[lines["forest"] == name]
        axes.errorbar(
            own["share"] + 0.008 * (i - 1),
            own["accuracy"],
            yerr=own["deviation"],
            color=colour,
            linestyle=style,
            marker=mark,
            elinewidth=0.8,
            capsize=2,
            label=name,
        )
    axes.set_xlabel("share of iris that the forest learns from")
    axes.set_ylabel("accuracy on the other rows, %")
    axes.set_xticks([tenths / 10 for tenths in TENTHS])
    legend_below(canvas, 3)


def notes(setup: Setup) -> list[str]:
    return [
        "The slides print no numbers, only a plot, and say: both forests do well, and that of OC1 "
        "gains more steadily with the rows. There is nothing to draw beneath.",
        f"Forests of {QUICK_TREES if setup.quick else TREES} trees on bootstraps, "
        f"{QUICK_SEEDS if setup.quick else SEEDS} divisions of the rows by class for every share; "
        "the slides have 50 trees and do not tell how many divisions.",
    ]


NAME = "oc1-forest"
TITLE = "Forests of OC1 and of CART trees on iris"
CLAIM = (
    "The slides' claim: the more rows are learnt from, the more steadily a forest of "
    "slanted trees gains, where one of axis-aligned trees wavers."
)
SOURCE = "Wang 2020, slides on optimal decision trees, page 22; no numbers are printed"
DATASETS = ("iris",)
TITLES = {
    "share": "share",
    "forest": "forest",
    "accuracy": "test accuracy, %",
    "deviation": "deviation",
    "runs": "divisions",
}
DIGITS = {"share": 1, "accuracy": 1, "deviation": 1}
GRID = Grid(
    "Test accuracy, %, by the share of rows learnt from",
    ("forest",),
    "share",
    "accuracy",
    "deviation",
)
SIZE = (8.0, 5.0)
DEPTHS = QUICK_DEPTHS = ()

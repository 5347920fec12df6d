"""The forests of Wang's slides: OC1 and CART on iris, by the share of rows they learn from."""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from treecore.config import RunConfig
from treecore.datasets import split_rows
from treecore.figures.drawing import BLACK, BLUE, GREEN, legend_below
from treecore.figures.figure import Figure, Setup
from treecore.figures.tables import Table, make_table
from treecore.training import Trainer

TREES, QUICK_TREES = 50, 10
SEEDS, QUICK_SEEDS = 25, 3
TENTHS = range(1, 10)

LOOKS = {
    "OC1 forest": (BLUE, "-", "o"),
    "CART forest": (GREEN, "-", "s"),
    "scikit-learn's random forest": (BLACK, "--", "^"),
}


def points(setup: Setup) -> list[dict]:
    """A division of the rows each."""
    seeds = QUICK_SEEDS if setup.quick else SEEDS
    return [{"tenths": tenths, "seed": seed} for seed in range(seeds) for tenths in TENTHS]


def measure(key: dict, setup: Setup) -> list[dict]:
    """Test accuracy in percent of three forests on one division."""
    whole, seed = setup.papers.whole("iris"), key["seed"]
    train, test = (whole.take(rows) for rows in split_rows(whole.y, 1 - key["tenths"] / 10, seed))
    n_trees = QUICK_TREES if setup.quick else TREES
    told = {}
    for name, preset in (("OC1 forest", "oc1-forest"), ("CART forest", "cart-forest")):
        config = RunConfig(preset, n_trees=n_trees, seed=seed)
        forest = Trainer(config, *train, n_classes=int(whole.y.max()) + 1).run()
        told[name] = forest.predict(test.X)
    library = RandomForestClassifier(n_trees, random_state=seed).fit(*train)
    told["scikit-learn's random forest"] = library.predict(test.X)
    return [
        {**key, "forest": name, "accuracy": round(100 * float(np.mean(found == test.y)), 4)}
        for name, found in told.items()
    ]


def summary(rows: list[dict]) -> list[dict]:
    """Mean and deviation over the divisions, by share and forest."""
    found = []
    for tenths in sorted({row["tenths"] for row in rows}):
        for name in LOOKS:
            accuracy = [r["accuracy"] for r in rows if (r["tenths"], r["forest"]) == (tenths, name)]
            if not accuracy:
                continue
            found.append(
                {
                    "share": tenths / 10,
                    "forest": name,
                    "accuracy": float(np.mean(accuracy)),
                    "deviation": float(np.std(accuracy)),
                    "runs": len(accuracy),
                }
            )
    return found


def table(rows: list[dict]) -> Table:
    """A line a share and forest."""
    columns = {
        "share": "share of rows learnt from",
        "forest": "forest",
        "accuracy": "test accuracy, %",
        "deviation": "deviation",
        "runs": "divisions",
    }
    return make_table(summary(rows), columns, {"share": 1, "accuracy": 1, "deviation": 1})


def draw(canvas, rows: list[dict]) -> None:
    """Means with whiskers of one deviation, side by side."""
    axes = canvas.subplots()
    lines = summary(rows)
    for i, (name, (colour, style, mark)) in enumerate(LOOKS.items()):
        own = [line for line in lines if line["forest"] == name]
        axes.errorbar(
            [line["share"] + 0.008 * (i - 1) for line in own],
            [line["accuracy"] for line in own],
            yerr=[line["deviation"] for line in own],
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
    legend_below(canvas, [axes], 3)


def notes(setup: Setup) -> list[str]:
    """How it was measured."""
    return [
        "The slides print no numbers, only a plot, and say: both forests do well, and that of OC1 "
        "gains more steadily with the rows. There is nothing to draw beneath.",
        f"Forests of {QUICK_TREES if setup.quick else TREES} trees on bootstraps, "
        f"{QUICK_SEEDS if setup.quick else SEEDS} divisions of the rows by class for every share; "
        "the slides have 50 trees and do not tell how many divisions.",
    ]


FIGURE = Figure(
    name="oc1-forest",
    title="Forests of OC1 and of CART trees on iris",
    sentence="The slides' claim: the more rows are learnt from, the more steadily a forest of "
    "slanted trees gains, where one of axis-aligned trees wavers.",
    source="Wang 2020, slides on optimal decision trees, page 22; no numbers are printed",
    datasets=("iris",),
    points=points,
    measure=measure,
    table=table,
    draw=draw,
    notes=notes,
    size=(8.0, 5.0),
)

"""Page 21 of Wang's slides: one tree of OC1 and one of CART on iris, their accuracy and height."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

from benchmarks.reproduce.drawing import BLACK, BLUE, GREEN, SKY, legend_below
from benchmarks.reproduce.figure import Setup, over_runs
from benchmarks.reproduce.verdicts import BELOW, mean_error, spread, verdict
from treecore.core.routing import predict
from treecore.core.tree import tree_depth
from treecore.training import Trainer
from treecore.training.config import RunConfig
from treecore.training.registry import METHODS

SEEDS, QUICK_SEEDS = 25, 5
TEST_SHARE = 0.2

WANG = {**METHODS["oc1"].paper, "jumps": 0, "depth": 20}
"""The slides' own OC1, which has no jumps: Gini impurity, pure leaves."""

TREES = {
    "OC1, as on the slides": RunConfig("oc1", **WANG),
    "OC1 from the axis split": RunConfig("oc1", **WANG | {"start": "axis"}),
    "CART, ours": RunConfig("axis", criterion="gini", depth=20),
}
CART = "CART, scikit-learn's"
COLOURS = dict(zip((*TREES, CART), (BLUE, SKY, GREEN, BLACK), strict=True))


def points(setup: Setup) -> list[dict]:
    """A point for each division of the rows."""
    return [{"seed": seed} for seed in range(QUICK_SEEDS if setup.quick else SEEDS)]


def measure(key: dict, setup: Setup) -> list[dict]:
    """Accuracy in percent and height of every tree on one division."""
    seed = key["seed"]
    training, test = setup.data.entire("iris").divide(TEST_SHARE, seed)
    found = {}
    for name, config in TREES.items():
        tree = Trainer(config.replace(seed=seed), *training, n_classes=3).run()
        found[name] = predict(tree, test.X), tree_depth(tree)
    library = DecisionTreeClassifier(random_state=seed).fit(*training)
    found[CART] = library.predict(test.X), library.get_depth()
    rows = []
    for name, (predicted, height) in found.items():
        accuracy = round(100 * float(np.mean(predicted == test.y)), 4)
        rows.append(key | {"tree": name, "accuracy": accuracy, "height": int(height)})
    return rows


def table(rows: pd.DataFrame) -> pd.DataFrame:
    """A row for each tree: means and deviations over the divisions."""
    return over_runs(
        rows,
        ["tree"],
        accuracy=("accuracy", "mean"),
        accuracy_spread=("accuracy", spread),
        height=("height", "mean"),
        height_spread=("height", spread),
    )


def claims(lines: pd.DataFrame) -> list[str]:
    """Judge the slides' two sentences, computed."""
    by, said = lines.set_index("tree"), []
    ours, cart = by.loc["OC1, as on the slides"], by.loc[CART]
    for column, unit, claim in (
        ("accuracy", " %", "OC1 achieves a similar level of accuracy"),
        ("height", "", "OC1 has much larger heights"),
    ):
        errors = (mean_error(one[f"{column}_spread"], one["runs"]) for one in (ours, cart))
        found = verdict(ours[column], cart[column], *errors)
        holds = found != BELOW if column == "accuracy" else ours[column] > 1.5 * cart[column]
        said.append(
            f"The slides say that {claim}; here it has {ours[column]:.1f}{unit} and scikit-learn's "
            f"CART {cart[column]:.1f}{unit}: the claim {'holds' if holds else 'does not hold'}."
        )
    return said


def draw(canvas, rows: pd.DataFrame) -> None:
    """Draw every division's accuracy and height, as the slides do."""
    axes = canvas.subplots(2, 1, sharex=True)
    for at, (column, label) in zip(
        axes, (("accuracy", "test accuracy, %"), ("height", "height of the tree")), strict=True
    ):
        for i, (name, own) in enumerate(rows.groupby("tree", sort=False)):
            at.plot(own["seed"] + 0.1 * i, own[column], "o-", color=COLOURS[name], label=name)
        at.set_ylabel(label)
    axes[1].set_xlabel("division of the rows")
    legend_below(canvas, 4)


def notes(setup: Setup) -> list[str]:
    return [
        "The slides print no numbers, only a plot. Four fifths of iris, drawn by class, are learnt "
        "from.",
        "*As on the slides*: no random jumps, no restarts, no pruning, Gini impurity, pure leaves. "
        "They start from a hyperplane that they do not tell; here it is random.",
    ]


NAME = "oc1-tree"
TITLE = "One tree of OC1 and one of CART on iris"
CLAIM = "The slides' claims: one tree of OC1 is as accurate as one of CART, and much higher."
SOURCE = "Wang 2020, slides on optimal decision trees, page 21; no numbers are printed"
DATASETS = ("iris",)
TITLES = {
    "tree": "tree",
    "accuracy": "test accuracy, %",
    "accuracy_spread": "deviation",
    "height": "height",
    "height_spread": "deviation of the height",
    "runs": "divisions",
}
DIGITS = dict.fromkeys(("accuracy", "accuracy_spread", "height", "height_spread"), 1)
SIZE = (8.0, 5.5)
DEPTHS = QUICK_DEPTHS = ()
GRID = None

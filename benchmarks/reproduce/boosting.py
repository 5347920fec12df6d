"""The figure of Gabidolla et al.: test error of forests by number of trees, and by seconds.

Settings are chosen on held-out training rows, every candidate a point of its own; the winner
learns from all training rows, once a seed, and only then are test rows looked at.
"""

from __future__ import annotations

import numpy as np

from benchmarks.reproduce.drawing import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    PINK,
    RED,
    SKY,
    YELLOW,
    legend_below,
)
from benchmarks.reproduce.figure import Figure, Setup
from benchmarks.reproduce.forest_models import LIBRARIES, OURS, Model, error_of, flat
from benchmarks.data import Part
from benchmarks.reproduce.tables import Table, make_table

SEEDS = 3
QUICK_ROWS, QUICK_TREES, QUICK_ROUNDS = 1500, 10, 15

LOOKS = {
    "boosted TAO": (BLUE, "-"),
    "boosted TAO (M1)": (SKY, "-"),
    "boosted annealed": (RED, "-"),
    "bagged annealed": (ORANGE, "-"),
    "bagged TAO": (YELLOW, "-"),
    "boosted CART": (GREEN, "-"),
    "AdaBoost over CART": (GREEN, "--"),
    "random forest": (BLACK, "--"),
    "gradient boosting (hist)": (PINK, "--"),
    "XGBoost": (YELLOW, "--"),
}
"""Colour and line of every model: ours solid, those of other libraries dashed."""


def models(dataset: str) -> tuple[Model, ...]:
    """Ours, then the libraries'."""
    return (*OURS[dataset], *LIBRARIES[dataset])


def points(setup: Setup) -> list[dict]:
    """The candidates of a model, where there are several, then its seeds."""
    keys = []
    for dataset in setup.datasets:
        for model in models(dataset):
            shared = {"dataset": dataset, "model": model.name}
            if len(model.candidates) > 1 and not setup.quick:
                keys += [{**shared, "candidate": i} for i in range(len(model.candidates))]
            keys += [{**shared, "seed": i} for i in range(1 if setup.quick else SEEDS)]
    return keys


def measure(key: dict, setup: Setup) -> list[dict]:
    """The held-out error of a candidate, or the curve of a seed on the test rows."""
    dataset, name = key["dataset"], key["model"]
    model = next(one for one in models(dataset) if one.name == name)
    training, test = (
        Part(part.X.astype(np.float32), part.y.astype(np.int64))
        for part in setup.papers.load(dataset)
    )
    training = training.sample(QUICK_ROWS if setup.quick else None)
    shared = {"dataset": dataset, "model": name}
    if "candidate" in key:
        given = model.candidates[key["candidate"]]
        error = error_of(model, given, training)
        return [{**shared, "candidate": key["candidate"], "held_out_error": round(error, 4)}]
    tried = [
        row
        for row in setup.rows
        if "candidate" in row and (row["dataset"], row["model"]) == (dataset, name)
    ]
    best = min(tried, key=lambda row: row["held_out_error"])["candidate"] if tried else 0
    given = model.candidates[best]
    if setup.quick:
        given = smaller(given)
    found = model.grow(given, key["seed"], training, test)
    return [
        {
            **shared,
            "seed": key["seed"],
            "trees": found.trees.tolist(),
            "error": np.round(found.error, 4).tolist(),
            "seconds": np.round(found.seconds, 4).tolist(),
            "settings": ", ".join(f"{k}={v}" for k, v in flat(given).items()),
        }
    ]


def smaller(given: dict) -> dict:
    """The same settings with few trees, and few rounds of annealing."""
    most = dict.fromkeys(("n_trees", "n_estimators", "max_iter"), QUICK_TREES)
    found = {k: min(v, most[k]) if k in most else v for k, v in given.items()}
    if "rounds" in given.get("base", {}):
        found["base"] = given["base"] | {"rounds": min(given["base"]["rounds"], QUICK_ROUNDS)}
    return found


def curves(rows: list[dict]) -> dict[tuple[str, str], tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Trees, mean error and mean seconds over the seeds, by dataset and model.

    Where boosting has stopped early in one of the seeds, all curves of the model end there.
    """
    found: dict[tuple[str, str], list[dict]] = {}
    for row in rows:
        if "seed" in row:
            found.setdefault((row["dataset"], row["model"]), []).append(row)
    result = {}
    for name, own in found.items():
        n = min(len(row["trees"]) for row in own)
        error, seconds = (np.mean([r[c][:n] for r in own], axis=0) for c in ("error", "seconds"))
        result[name] = np.array(own[0]["trees"][:n]), error, seconds
    return result


def table(rows: list[dict]) -> Table:
    """A line a model: its last forest, over the seeds."""
    columns = {
        "dataset": "data",
        "model": "model",
        "trees": "trees",
        "error": "test error, %",
        "deviation": "deviation",
        "seconds": "seconds",
        "runs": "seeds",
        "settings": "settings chosen",
    }
    lines = []
    for dataset, model in curves(rows):
        own = [r for r in rows if "seed" in r and (r["dataset"], r["model"]) == (dataset, model)]
        last = np.array([row["error"][-1] for row in own])
        lines.append(
            {
                "dataset": dataset,
                "model": model,
                "trees": round(float(np.mean([row["trees"][-1] for row in own]))),
                "error": float(last.mean()),
                "deviation": float(last.std()),
                "seconds": float(np.mean([row["seconds"][-1] for row in own])),
                "runs": len(own),
                "settings": own[0]["settings"],
            }
        )
    return make_table(lines, columns, {"error": 2, "deviation": 2, "seconds": 2})


def draw(canvas, rows: list[dict]) -> None:
    """Error by trees above, by seconds below; a column a dataset."""
    found = curves(rows)
    datasets = list(dict.fromkeys(dataset for dataset, _ in found))
    axes = canvas.subplots(2, len(datasets), sharey="col", squeeze=False)
    for column, dataset in enumerate(datasets):
        highest = 0.0
        for model, (colour, line) in LOOKS.items():
            if (dataset, model) not in found:
                continue
            trees, error, seconds = found[dataset, model]
            whose = "ours" if line == "-" else "library"
            for at, x in ((axes[0, column], trees), (axes[1, column], seconds)):
                at.plot(x, error, color=colour, linestyle=line, label=f"{model}, {whose}")
                at.plot(x[-1], error[-1], color=colour, marker="o")
            highest = max(highest, error[-1])
        axes[0, column].set_title(dataset, fontsize=10)
        axes[0, column].set_xlabel("trees")
        axes[1, column].set_xlabel("seconds of learning")
        for at in axes[:, column]:
            at.set_xscale("log")
            # The first trees of some err three times as much as any forest at its end.
            at.set_ylim(0, min(100.0, 2.5 * highest))
            at.set_ylabel("test error, %")
    legend_below(canvas, axes.flat, 4)


def notes(setup: Setup) -> list[str]:
    """How it was measured."""
    said = [
        "The paper shows curves without numbers, of datasets that it does not name in its text: "
        "there is nothing published to draw beneath. What is compared is the same: boosted TAO "
        "trees (SAMME and AdaBoost.M1), boosted CART, XGBoost and random forests, by number of "
        "trees and by seconds.",
        "Gradient boosting grows a tree for every class in each iteration, and is counted so; "
        "seconds of libraries are spread evenly over their trees. All models learn on one core, "
        "and seconds are the processor's: other programs on the machine hardly lengthen them.",
    ]
    if setup.quick:
        said.append(
            f"Quick: at most {QUICK_ROWS} training rows and {QUICK_TREES} trees or iterations, "
            f"{QUICK_ROUNDS} rounds of annealing, the first candidate of every model without a "
            "choice, one seed."
        )
    else:
        said.append(
            f"Settings are chosen on held-out training rows; curves are means of {SEEDS} seeds."
        )
    return said


FIGURE = Figure(
    name="boosting",
    title="Boosted oblique trees beside other forests",
    sentence="The paper's claim: boosting oblique trees that are optimised as a whole needs far "
    "fewer of them, and ends lower, than boosting greedy axis-aligned ones.",
    source="Gabidolla, Zharmagambetov and Carreira-Perpiñán, figure 1; no numbers are printed",
    datasets=tuple(OURS),
    points=points,
    measure=measure,
    table=table,
    draw=draw,
    notes=notes,
    size=(10.0, 7.0),
)

"""Table 3 of Lay et al. 2018, drawn as bars: hinge forests and ferns on letters and digits."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd

from benchmarks.protocol import choose
from benchmarks.published import published_values
from benchmarks.reproduce.drawing import BLACK, PINK, bars, legend_below
from benchmarks.reproduce.figure import Setup
from benchmarks.reproduce.hinge_runs import (
    ERROR_DIGITS,
    KINDS,
    RULES,
    config_of,
    errors_and_seconds,
    errors_grid,
    in_order,
    last_error,
    name_of,
    series,
    titles,
    with_published,
)
from benchmarks.reproduce.verdicts import mean_error, spread

RUNS, QUICK_RUNS = 10, 1
QUICK_SHARE = 40
"""A quick run has a share of the mini-batches: one in so many."""

STEADY, WIDE = {"eta": 0.01}, {"eta": 0.02, "dropout": 0.5}
FILTERS = {"features": "convolutions", "n_features": 80}
SETTINGS = {
    "usps": ({"depth": 10, "batch": 29, "batches": 8_000}, [STEADY, STEADY | {"shift": 0.5}]),
    "letter": ({"depth": 10, "batch": 53, "batches": 12_000}, [STEADY, WIDE]),
    "mnist": ({"depth": 10, "batch": 53, "batches": 12_000} | FILTERS, [STEADY]),
}
"""The paper's trees, depth, features and mini-batches by dataset, and candidates of ours: what is
ours are the start, the rate's schedule, dropout, and that images are moved."""

ADAM = {"eta": 0.005}
"""What the paper's text says of these runs, beside what the registry has of it."""

LARGE = "mnist_1000_trees"
"""Beside the datasets; it is run once."""


def points(setup: Setup) -> list[dict]:
    """The choice of settings, where there are several, then each row once a seed.

    Rows as in the paper come before ours, all first seeds before the second, and MNIST with 1000
    trees, half an hour each, last.
    """
    keys = []
    datasets = [name for name in SETTINGS if name in setup.datasets]
    for seed in range(QUICK_RUNS if setup.quick else RUNS):
        for rule, dataset, kind in itertools.product(RULES, datasets, KINDS):
            shared = {"dataset": dataset, "kind": kind, "rule": rule}
            several = rule == "ours" and len(SETTINGS[dataset][1]) > 1
            if seed == 0 and several and not setup.quick:
                keys.append({**shared, "step": "choice"})
            keys.append({**shared, "step": "test", "seed": seed})
    if "mnist" in setup.datasets and not setup.quick:
        shared = {"rule": "paper", "step": "test", "seed": 0}
        keys += [{"dataset": LARGE, "kind": kind, **shared} for kind in KINDS]
    return keys


def measure(key: dict, setup: Setup) -> list[dict]:
    """Choose the settings, or measure last and least test error in percent of one seed."""
    large = key["dataset"] == LARGE
    dataset = "mnist" if large else key["dataset"]
    fixed, changes = SETTINGS[dataset]
    shared = {"kind": key["kind"], "rule": key["rule"]}
    if key["rule"] == "paper":
        changes = [ADAM | ({"trees": 1000, "batches": 40_000} if large else {})]
    candidates = [{**fixed, **change, **shared} for change in changes]
    training, test = setup.data.load(dataset)
    if key["step"] == "choice":
        return [key | {"chosen": candidates.index(choose(candidates, training, last_error))}]
    chosen = setup.measured(dataset=key["dataset"], step="choice", **shared)
    config = config_of(**candidates[chosen[0]["chosen"] if chosen else 0])
    if setup.quick:
        config = config.replace(batches=config.settings.batches // QUICK_SHARE)
    last, smallest, seconds = errors_and_seconds(config, training, test, key["seed"])
    settings = config.settings
    return [
        {
            **key,
            "test": round(last, 4),
            "least": round(smallest, 4),
            "seconds": round(seconds, 2),
            "batches": settings.batches,
            "settings": f"η {settings.eta:g} {settings.schedule}, dropout {settings.dropout:g}, "
            f"start {settings.start}",
        }
    ]


def table(rows: pd.DataFrame) -> pd.DataFrame:
    """A row for every dataset, kind and rule, over the seeds, published values beside ours."""
    published = published_values("hinge2018_tables")["table3"]
    keys = {"forest": "hinge_forest", "fern": "hinge_ferns"}
    lines = []
    for (dataset, kind, rule), own in rows.groupby(["dataset", "kind", "rule"], sort=False):
        theirs, n = published[dataset][keys[kind]], len(own)
        line = {
            "problem": dataset,
            "method": name_of(kind, rule),
            "runs": n,
            "test": own["test"].mean(),
            "deviation": spread(own["least" if rule == "paper" else "test"]),
            "best": own["least"].mean(),
            "batches": own["batches"].iloc[0],
            "seconds": own["seconds"].mean(),
            "settings": own["settings"].iloc[0],
            "measured": own["measured"].min(),
        }
        error = mean_error(line["deviation"], n) if n > 1 else theirs[1]
        lines.append(with_published(line, theirs, RUNS, error))
    return in_order(lines, (*SETTINGS, LARGE))


def draw(canvas, rows: pd.DataFrame) -> None:
    """Draw ours, filled, beside the paper's methods, hollow."""
    lines, published = table(rows), published_values("hinge2018_tables")["table3"]
    datasets = list(lines["problem"].unique())
    axes = canvas.subplots()
    shown = series(lines, datasets)
    for key, colour in (("alternating_decision_forest", BLACK), ("neural_decision_forest", PINK)):
        known = (published[name].get(key, (np.nan, np.nan)) for name in datasets)
        values, deviations = zip(*known, strict=True)
        shown.append((f"{key.replace('_', ' ')}, published", colour, False, values, deviations))
    bars(axes, datasets, shown)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("test error, %")
    legend_below(canvas, 3)


def notes(setup: Setup) -> list[str]:
    said = [
        "Test error: after the last mini-batch; of ours with settings chosen on held-out training "
        "rows, and compared by it. Best state on test rows: the least error over all measured "
        "states, which has seen the test rows; the published numbers are of this kind, and rows "
        "*as in the paper* are compared by it. The deviation is of what is compared; with a single "
        "run the verdict takes the published one.",
        "100 trees or ferns of depth 10, 100 inner products (MNIST: 80 filters of 5 × 5, stride "
        "3). *As in the paper*: thresholds drawn from (-3, 3), Adam at a constant rate of 0.005; "
        "the number of mini-batches is printed for MNIST with 1000 trees alone.",
        f"{QUICK_RUNS if setup.quick else RUNS} runs when finished, 1 with 1000 trees.",
    ]
    if setup.quick:
        said.append(
            f"Quick: a {QUICK_SHARE}th of the mini-batches, and the first candidate of ours "
            "without a choice."
        )
    return said


def claims(lines: pd.DataFrame) -> list[str]:
    return []  # none that the verdicts do not tell


NAME = "hinge-table3"
TITLE = "Random hinge forests on letters and digits"
CLAIM = (
    "A hundred hinge trees or ferns of depth 10, with features that are learnt together "
    "with them, beside other forests that are learnt as a whole."
)
SOURCE = "Lay et al. 2018, table 3"
DATASETS = tuple(SETTINGS)
TITLES = titles(
    "test error, %",
    "best state on test rows, %",
    "published (best state), %",
    batches="mini-batches",
    seconds="seconds a run",
    settings="settings",
)
DIGITS = ERROR_DIGITS
GRID = errors_grid("Test error, %; as in the paper: of the best state on test rows")
SIZE = (9.0, 5.5)
DEPTHS = QUICK_DEPTHS = ()

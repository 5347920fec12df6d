"""Table 3 of Lay et al. 2018, drawn as bars: hinge forests and ferns on letters and digits."""

from __future__ import annotations

import pandas as pd

from benchmarks.protocol import choose
from benchmarks.published import published_values
from benchmarks.reproduce.drawing import BLACK, RED, bars, legend_below
from benchmarks.reproduce.figure import Figure, Setup
from benchmarks.reproduce.hinge_runs import (
    DIGITS,
    KINDS,
    NAMES,
    config_of,
    errors_and_seconds,
    last_error,
    series,
)

RUNS, QUICK_RUNS = 3, 1
QUICK_SHARE = 20
"""A quick run has a share of the mini-batches: one in so many."""

STEADY, WIDE = {"eta": 0.01}, {"eta": 0.02, "dropout": 0.5}
FILTERS = {"features": "convolutions", "n_features": 80}
SETTINGS = {
    "letter": ({"depth": 10, "batch": 53, "batches": 12_000}, [STEADY, WIDE]),
    "usps": ({"depth": 10, "batch": 29, "batches": 8_000}, [STEADY, STEADY | {"shift": 0.5}]),
    "mnist": ({"depth": 10, "batch": 53, "batches": 12_000} | FILTERS, [STEADY]),
}
"""The paper's trees, depth, features and mini-batches by dataset, and candidates: what is ours are
the rate's schedule, dropout, and that images are moved."""


def points(setup: Setup) -> list[dict]:
    """The choice of settings, where there are several, then the chosen ones once a seed."""
    keys = []
    for dataset in setup.datasets:
        for kind in KINDS:
            shared = {"dataset": dataset, "kind": kind}
            if len(SETTINGS[dataset][1]) > 1 and not setup.quick:
                keys.append({**shared, "step": "choice"})
            seeds = range(QUICK_RUNS if setup.quick else RUNS)
            keys += [{**shared, "step": "test", "seed": seed} for seed in seeds]
    return keys


def measure(key: dict, setup: Setup) -> list[dict]:
    """Choose the settings, or measure last and least test error in percent of one seed."""
    fixed, changes = SETTINGS[key["dataset"]]
    candidates = [{**fixed, **change, "kind": key["kind"]} for change in changes]
    training, test = setup.data.load(key["dataset"])
    if key["step"] == "choice":
        return [key | {"chosen": candidates.index(choose(candidates, training, last_error))}]
    chosen = [
        row["chosen"]
        for row in setup.rows
        if (row["dataset"], row["kind"], row["step"]) == (key["dataset"], key["kind"], "choice")
    ]
    config = config_of(**candidates[chosen[0] if chosen else 0])
    if setup.quick:
        config = config.replace(batches=config.settings.batches // QUICK_SHARE)
    last, smallest, seconds = errors_and_seconds(config, training, test, key["seed"])
    return [
        {
            **key,
            "test": round(last, 4),
            "least": round(smallest, 4),
            "seconds": round(seconds, 2),
            "batches": config.settings.batches,
            "settings": f"η {config.settings.eta:g}, dropout {config.settings.dropout:g}",
        }
    ]


def table(rows: pd.DataFrame) -> pd.DataFrame:
    """A row for every dataset and kind, over the seeds, published values beside ours."""
    published = published_values("hinge2018_tables")["table3"]
    keys = {"forest": "hinge_forest", "fern": "hinge_ferns"}
    lines = []
    for (dataset, kind), own in rows.groupby(["dataset", "kind"], sort=False):
        theirs, their_deviation = published[dataset][keys[kind]]
        lines.append(
            {
                "problem": dataset,
                "method": NAMES[kind],
                "runs": len(own),
                "test": own["test"].mean(),
                "deviation": own["test"].std(ddof=0),
                "best": own["least"].mean(),
                "published": theirs,
                "published_deviation": their_deviation,
                "batches": own["batches"].iloc[0],
                "seconds": own["seconds"].mean(),
                "settings": own["settings"].iloc[0],
                "measured": own["measured"].min(),
            }
        )
    return pd.DataFrame(lines)


def draw(canvas, rows: pd.DataFrame) -> None:
    """Draw ours, filled, beside the paper's methods, hollow."""
    lines, published = table(rows), published_values("hinge2018_tables")["table3"]
    datasets = list(lines["problem"].unique())
    axes = canvas.subplots()
    shown = series(lines, datasets, list(NAMES.values()), "ours")
    for key, colour in (("alternating_decision_forest", BLACK), ("neural_decision_forest", RED)):
        values, deviations = zip(*(published[name][key] for name in datasets), strict=True)
        shown.append((f"{key.replace('_', ' ')}, published", colour, False, values, deviations))
    bars(axes, datasets, shown)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("test error, %")
    legend_below(canvas, 3)


def notes(setup: Setup) -> list[str]:
    """Tell how it is measured."""
    said = [
        "Test error: after the last mini-batch, with settings chosen on held-out training rows. "
        "Best state on test rows: the least error over all measured states, which has seen the "
        "test rows; the published numbers are of this kind.",
        "100 trees or ferns of depth 10, 100 inner products (MNIST: 80 filters of 5 × 5, stride "
        f"3), as in the paper; {QUICK_RUNS if setup.quick else RUNS} runs where the paper has 10.",
    ]
    if setup.quick:
        said.append(
            f"Quick: a {QUICK_SHARE}th of the mini-batches, and the first candidate without a "
            "choice."
        )
    return said


FIGURE = Figure(
    name="hinge-table3",
    title="Random hinge forests on letters and digits",
    claim="A hundred hinge trees or ferns of depth 10, with features that are learnt together "
    "with them, beside other forests that are learnt as a whole.",
    source="Lay et al. 2018, table 3",
    datasets=tuple(SETTINGS),
    points=points,
    measure=measure,
    table=table,
    titles={
        "problem": "data",
        "method": "method",
        "runs": "runs",
        "test": "test error, %",
        "deviation": "deviation",
        "best": "best state on test rows, %",
        "published": "published (best state), %",
        "published_deviation": "deviation",
        "batches": "mini-batches",
        "seconds": "seconds a run",
        "settings": "settings",
        "measured": "measured",
    },
    digits=DIGITS,
    draw=draw,
    notes=notes,
    size=(9.0, 5.5),
)

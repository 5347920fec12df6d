"""Figure 3 of Lay et al. 2018: the loss on other rows while hinge forests learn.

Settings are those of the paper's tables. The paper draws curves without printing their numbers.
"""

from __future__ import annotations

import pandas as pd

from benchmarks.reproduce import drawing
from benchmarks.reproduce.figure import Grid, Setup
from benchmarks.reproduce.hinge_data import runs
from benchmarks.reproduce.hinge_runs import config_of
from benchmarks.reproduce.hinge_table3 import ADAM, SETTINGS
from treecore.training import Trainer

FORESTS = {
    "madelon": ((100, 1), (100, 5), (100, 10)),
    "mnist": ((10, 10), (100, 10), (1000, 10)),
}
"""Trees and depth of every curve; 1,000 trees, the slowest, come last."""

LEARNING = {
    "madelon": {"optimizer": "adagrad", "eta": 0.03, "batches": 8_000},  # the rate of table 2
    "mnist": SETTINGS["mnist"][0] | ADAM,
}
QUICK_BATCHES = 200

COLOURS = drawing.ORANGE, drawing.GREEN, drawing.BLUE
RISE = 1.05
"""A loss has risen where it ends so many times as high as it was."""


def points(setup: Setup) -> list[dict]:
    """A point for every forest; a quick reproduction leaves out the largest of a dataset."""
    return [
        {"dataset": name, "trees": trees, "depth": depth}
        for name in setup.datasets
        for trees, depth in FORESTS[name][: 2 if setup.quick else None]
    ]


def measure(key: dict, setup: Setup) -> list[dict]:
    """The losses of one run: of validation rows (madelon) or of test rows (MNIST)."""
    name, data = key["dataset"], setup.data
    training, held = runs(name, data, 1)[0][:2] if name == "madelon" else data.load(name)
    settings = LEARNING[name] | {"trees": key["trees"], "depth": key["depth"]}
    settings |= {"batches": QUICK_BATCHES} if setup.quick else {}
    config = config_of("forest", "paper", **settings).replace(seed=0)
    events = Trainer(config, *training, validation=held).events()
    seen = [event for event in events if event.loss is not None]
    curves = {
        "batches": [event.done for event in seen],
        "held": [round(event.validation_loss, 5) for event in seen],
        "learnt": [round(event.loss, 5) for event in seen],
    }
    error, seconds = round(100 * seen[-1].validation_error, 2), round(seen[-1].seconds, 1)
    return [key | curves | {"error": error, "seconds": seconds}]


def table(rows: pd.DataFrame) -> pd.DataFrame:
    """A row for each forest: where its loss on other rows was least, and where it ended."""
    pairs = (zip(*both, strict=True) for both in zip(rows["held"], rows["batches"], strict=True))
    least, at = zip(*map(min, pairs), strict=True)
    ends = {name: rows[name].str[-1] for name in ("learnt", "batches")}
    return rows.assign(least=least, at=at, last=rows["held"].str[-1], **ends)


def claims(lines: pd.DataFrame) -> list[str]:
    """Whether more trees or levels reach a smaller loss, and whether the loss rises, computed."""
    said = []
    for name, own in lines.groupby("dataset", sort=False):
        what, where = "trees", "with {} trees"
        if own["depth"].nunique() > 1:
            what, where = "depth", "at depth {}"
        best, risen = own.loc[own["least"].idxmin()], own["last"] > RISE * own["least"]
        rising = ", ".join(map(str, own.loc[risen, what])) or "none"
        more = "holds" if best[what] == own[what].max() else "does not hold"
        said.append(
            f"{name}: least loss {best['least']:.3f} {where.format(best[what])}: that more is "
            f"better {more}. It ends over {RISE - 1:.0%} higher {where.format(rising)}."
        )
    return said


def draw(canvas, rows: pd.DataFrame) -> None:
    """A chart for each dataset: losses on other rows, and dashed on training rows."""
    groups = rows.groupby("dataset", sort=False)
    axes = canvas.subplots(1, len(groups), squeeze=False)[0]
    for at, (name, own) in zip(axes, groups, strict=True):
        for line, colour in zip(own.to_dict("records"), COLOURS, strict=False):
            label = f"{name}: {line['trees']} trees, depth {line['depth']}"
            at.plot(line["batches"], line["held"], color=colour, label=label)
            at.plot(line["batches"], line["learnt"], color=colour, linestyle="--", linewidth=1.0)
        at.set_title(f"{name}, {'validation' if name == 'madelon' else 'test'} rows", fontsize=10)
        at.set_xlabel("mini-batches")
        at.set_yscale("log")
    axes[0].set_ylabel("loss; dashed: of training rows")
    drawing.legend_below(canvas, 3)


def notes(setup: Setup) -> list[str]:
    return [
        "As in the paper's tables: thresholds drawn from (-3, 3), 100 inner products and AdaGrad "
        "at a rate of 0.03 for madelon, 80 filters and Adam at 0.005 for MNIST. One run of each; "
        "the paper prints no numbers to draw beneath.",
        *(["Quick: few mini-batches, and without the largest forests."] if setup.quick else []),
    ]


NAME = "hinge-figure3"
TITLE = "Loss of hinge forests while they learn"
CLAIM = (
    "Deeper and more trees can generalize better, and can over-fit: the loss on other rows rises."
)
SOURCE = "Lay et al. 2018, figure 3; no numbers are printed"
DATASETS = tuple(FORESTS)
DEPTHS = QUICK_DEPTHS = ()
TITLES = {
    "dataset": "data",
    "trees": "trees",
    "depth": "depth",
    "least": "least loss on other rows",
    "at": "at mini-batch",
    "last": "last loss on other rows",
    "learnt": "last training loss",
    "error": "error at the end, %",
    "batches": "mini-batches",
    "seconds": "seconds",
}
DIGITS = {"least": 3, "last": 3, "learnt": 4, "error": 2}
GRID = Grid("Least loss on other rows", ("trees", "depth"), "dataset", "least")
SIZE = (9.0, 4.6)

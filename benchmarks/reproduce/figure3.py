"""Figure 3 of Norouzi et al. 2015: a small ν leaves parts of the tree without rows, on MNIST.

The paper does not say which of its two algorithms drew the figure, nor for how long it learnt: both
are drawn, from the CO2 tree that section 7 starts from, and SGD (Algorithm 1) from the axis-aligned
tree that CO2 itself starts from. ν is in units of pixels from 0 to 1.
"""

from __future__ import annotations

import functools

import numpy as np
import pandas as pd

from benchmarks.data import Part
from benchmarks.published import published_values
from benchmarks.reproduce import drawing
from benchmarks.reproduce.figure import Grid, Setup
from benchmarks.reproduce.verdicts import ABOVE, BELOW, FEWER, MORE, verdict
from treecore.core.scaling import Scaling
from treecore.core.tree import Tree
from treecore.training import Trainer
from treecore.training.config import RunConfig

METHODS = {
    "SGD from CO2": ("sgd", "co2", drawing.BLUE),
    "Stable SGD from CO2": ("stable-sgd", "co2", drawing.GREEN),
    "SGD from cuts": ("sgd", "axis", drawing.ORANGE),
}
"""What learns from which greedy tree, and its colour."""

EPOCHS, QUICK_ROWS = 20, 4000
QUICK_NU = (1, 10, 100, 1000)
LEARNING = {"eta": 0.01, "inference": "fast", "schedule": "linear"}
READ_OFF = 15
"""Leaves to which the published curves could be read off the paper."""


def points(setup: Setup) -> list[dict]:
    """Every ν at every depth, by all methods."""
    nus = QUICK_NU if setup.quick else published_values("norouzi2015_figures")["figure3"]["nu"]
    return [
        {"depth": depth, "method": method, "nu": nu}
        for depth in setup.depths
        for method in METHODS
        for nu in nus
    ]


@functools.lru_cache(maxsize=1)
def rows_of(setup: Setup) -> tuple[Part, Part, float]:
    """Training rows and test rows, pixels from 0 to 1; what ν in pixels is divided by for ours."""
    training, test = setup.load("mnist", QUICK_ROWS)
    largest = np.float32(training.X.max())
    training, test = (Part(part.X / largest, part.y) for part in (training, test))
    return training, test, in_training_units(training.X)


def in_training_units(X: np.ndarray) -> float:
    """How much longer a squared weight is in raw units than in those of training.

    treecore constrains weights of features divided by their deviations (``Scaling``); here by the
    mean square of these over the features.
    """
    scaling = Scaling.fit(X)
    varies = X.min(axis=0) < X.max(axis=0)
    return float(scaling.factor**2 / np.mean(scaling.deviation[varies] ** 2))


@functools.lru_cache(maxsize=2)
def starts(setup: Setup, method: str) -> list[Tree]:
    """Grow greedy trees of depth 0, 1, ... up to the greatest, or to where they stop growing.

    They grow level by level, so that all of them are on the way to the last.
    """
    training, _, _ = rows_of(setup)
    trainer = Trainer(RunConfig(method, depth=setup.depths[-1], seed=0), *training)
    return [trainer.model for _ in trainer.events()]


def measure(key: dict, setup: Setup) -> list[dict]:
    """Learn from the greedy tree of the point's depth; count the leaves that rows reach."""
    training, test, units = rows_of(setup)
    method, grower, _ = METHODS[key["method"]]
    grown = starts(setup, grower)
    start = grown[min(key["depth"], len(grown) - 1)]
    config = RunConfig(
        method, depth=key["depth"], nu=key["nu"] / units, epochs=EPOCHS, seed=0, **LEARNING
    )
    *_, event = Trainer(config, *training, validation=test, start=start).events()
    return [
        {
            **key,
            "leaves": event.active_leaves,
            "start": start.n_leaves,
            "test": round(100 * event.validation_accuracy, 4),
            "seconds": round(event.seconds, 3),
        }
    ]


def table(rows: pd.DataFrame) -> pd.DataFrame:
    """A row for each tree, the published numbers of leaves beside ours."""
    theirs = published_values("norouzi2015_figures")["figure3"]
    leaves = {
        (depth, nu): count
        for depth, counts in theirs["active_leaves"].items()
        for nu, count in zip(theirs["nu"], counts, strict=True)
    }
    depths = rows["depth"].astype(str)
    trees = zip(depths, rows["nu"], strict=True)
    found = rows.assign(
        published=[leaves.get(tree, np.nan) for tree in trees],
        start_published=depths.map(theirs["axis_aligned_leaves"]),
    )
    errors = [READ_OFF] * len(found)
    verdicts = map(verdict, found["leaves"], found["published"], errors)
    more = {ABOVE: MORE, BELOW: FEWER}
    return found.assign(compared=[more.get(one or "", one) for one in verdicts])


def claims(lines: pd.DataFrame) -> list[str]:
    """Whether a small ν makes leaves inactive, computed."""
    said = []
    for method, trees in lines.sort_values("nu").groupby("method", sort=False):
        found, held = [], []
        for depth, own in trees.groupby("depth"):
            start, small, large = own["start"].iloc[0], *own["leaves"].iloc[[0, -1]]
            if len(own) > 1:
                found.append(f"{small} of {start} at depth {depth}")
                held.append(small < large and small < start / 2)
        if found:
            said.append(
                f"{method}, leaves at the smallest ν: {', '.join(found)}. "
                f"The claim holds at {sum(held)} of {len(held)} depths."
            )
    return said


def draw(canvas, rows: pd.DataFrame) -> None:
    """Draw axes for each depth, ν on a logarithmic axis; the starts are dotted lines."""
    rows = table(rows)
    groups = rows.groupby("depth")
    axes = canvas.subplots(1, len(groups), sharey=True, squeeze=False)[0]
    for at, (depth, trees) in zip(axes, groups, strict=True):
        for name, (_, grower, colour) in METHODS.items():
            line = trees[trees["method"] == name]
            drawing.curve(at, line["nu"], line["leaves"], f"{name}, ours", colour)
            if len(line):
                label = f"the start, {'CO2' if grower == 'co2' else 'cuts'}, ours"
                at.axhline(line["start"].iloc[0], color=colour, linestyle=":", label=label)
        theirs = trees.drop_duplicates("nu")
        x, y = theirs["nu"], theirs["published"]
        drawing.curve(at, x, y, "published", drawing.RED, **drawing.PUBLISHED)
        if theirs["start_published"].notna().all():
            label, level = "cuts, published", theirs["start_published"].iloc[0]
            at.axhline(level, color=drawing.RED, linestyle=":", label=label)
        at.set_xscale("log")
        at.set_title(f"depth {depth}", fontsize=10)
        at.set_xlabel("ν, greatest ‖w‖² of a split of pixels")
    axes[0].set_ylabel("leaves that training rows reach")
    axes[0].set_ylim(bottom=0)
    drawing.legend_below(canvas, 5)


def notes(setup: Setup) -> list[str]:
    said = [
        f"Learnt for {EPOCHS} epochs with fast inference, η = {LEARNING['eta']:g} falling to zero; "
        "the paper says neither for how long nor with which η. From CO2 as in its section 7, and "
        "from the cuts that CO2 starts from: CO2 leaves fewer leaves to begin with.",
        "ν is in units of pixels from 0 to 1, by the mean square over the pixels, since treecore "
        "constrains weights of features divided by their deviations.",
        "The paper does not say which of its algorithms drew the figure: both are here.",
    ]
    if setup.quick:
        said.append(f"Quick: {QUICK_ROWS} training rows in place of 60,000, so fewer leaves.")
    return said


NAME = "figure3"
TITLE = "Active leaves by ν on MNIST"
CLAIM = (
    "A small ν asks for wide margins, and leaves become inactive: the tree that is learnt "
    "as a whole uses fewer leaves than the axis-aligned one it starts from (dotted line)."
)
SOURCE = "Norouzi et al. 2015, figure 3, read off the paper to about 15 leaves"
DATASETS = ("mnist",)
DEPTHS, QUICK_DEPTHS = (10, 13, 16), (10,)
TITLES = {
    "depth": "depth",
    "method": "method",
    "nu": "ν",
    "leaves": "active leaves",
    "published": "published",
    "compared": "beside the published",
    "start": "leaves of the start",
    "start_published": "published",
    "test": "test accuracy, %",
    "seconds": "seconds",
}
DIGITS = {"nu": 2, "test": 1, "seconds": 1}
GRID = Grid(
    "Active leaves; ▲ more than published, ▼ fewer",
    ("depth", "method"),
    "nu",
    "leaves",
    published="published",
    verdict="compared",
)
SIZE = (10.0, 4.6)

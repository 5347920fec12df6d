"""Figure 4 of Norouzi et al. 2015: seconds for 1000 epochs of SGD on Connect4, by depth.

Four loops make the same updates on the same trees: with exact and with fast inference, each as
the paper's text has it (:mod:`benchmarks.reproduce.textbook`) and by branch and bound. They are
timed on the trees that learning passes through, a part of an epoch each, and scaled.
"""

from __future__ import annotations

import copy
import time

import numpy as np
import pandas as pd

from benchmarks.data import Part
from benchmarks.published import published_values
from benchmarks.reproduce import drawing
from benchmarks.reproduce.figure import Grid, Setup
from benchmarks.reproduce.textbook import textbook_rows
from treecore.core.scaling import Scaling
from treecore.learners.nongreedy.joint_tree import TrainingTree, make_joint
from treecore.learners.nongreedy.sgd.updates import StepRule
from treecore.learners.nongreedy.sgd.visits import sgd_rows
from treecore.losses import LOG
from treecore.training import RunConfig, Trainer

EPOCHS = 1000
NU, ETA = 10.0, 0.02
WARM, QUICK_WARM = (0, 2, 10), (0, 2)
"""Epochs after which the loops are timed."""
SECONDS, QUICK_SECONDS = 2.0, 0.5
"""About what one timing lasts."""
FEWEST = 50
"""The least number of visits of one timing."""

LOOPS = {
    "exact, textbook": (True, True),
    "fast, textbook": (True, False),
    "exact, ours": (False, True),
    "fast, ours": (False, False),
}
"""Whether a loop is the textbook's, and whether its inference is exact."""


def points(setup: Setup) -> list[dict]:
    """A point for each depth, at which the four loops are timed by turns."""
    return [{"depth": depth} for depth in setup.depths]


def measure(key: dict, setup: Setup) -> list[dict]:
    """Time every loop, and give its seconds for 1000 epochs over the training rows."""
    training, _ = setup.data.load("connect4")
    start = Trainer(RunConfig("axis", depth=key["depth"], seed=0), *training).run()
    scaling = Scaling.fit(training.X)
    rows = Part(scaling.transform(training.X), training.y)
    joint = make_joint(start, (np.sqrt(NU) * scaling.rows_of(start)).astype(np.float32), LOG)
    rng = np.random.default_rng(0)
    timings = {name: [] for name in LOOPS}
    epochs = 0
    for stop in QUICK_WARM if setup.quick else WARM:
        for _ in range(epochs, stop):
            visit(joint, rows, rng.permutation(len(rows.y)), False, True)
        epochs = stop
        order = rng.permutation(len(rows.y))
        for name, loop in LOOPS.items():
            seconds = QUICK_SECONDS if setup.quick else SECONDS
            timings[name].append(seconds_a_visit(joint, rows, order, loop, seconds))
    return [
        {
            "depth": key["depth"],
            "loop": name,
            "splits": start.n_splits,
            "microseconds": round(1e6 * float(np.mean(seconds)), 3),
            "seconds": round(EPOCHS * len(rows.y) * float(np.mean(seconds)), 1),
        }
        for name, seconds in timings.items()
    ]


def visit(joint: TrainingTree, rows: Part, order: np.ndarray, textbook: bool, exact: bool) -> None:
    """Update ``joint`` once for every row of ``order``."""
    if textbook:
        penalty = np.empty(len(joint.left), dtype=np.float32)
        textbook_rows(joint, *rows, order, exact, ETA, NU, penalty)
    else:
        weight = np.ones(len(rows.y))
        sgd_rows(joint, *rows, weight, order, StepRule(exact, ETA, NU))


def seconds_a_visit(
    joint: TrainingTree, rows: Part, order: np.ndarray, loop: tuple[bool, bool], seconds: float
) -> float:
    """Mean seconds of a visit by one loop, on a copy of the tree as it is.

    They are the processor's, so that other programs on the machine are not counted.
    """

    def timed(n_visits: int) -> float:
        tree = copy.deepcopy(joint)
        started = time.thread_time()
        visit(tree, rows, order[:n_visits], *loop)
        return (time.thread_time() - started) / len(order[:n_visits])

    timed(FEWEST)  # compiles, and brings the tree into the processor's cache
    return timed(max(FEWEST, int(seconds / max(timed(FEWEST), 1e-9))))


def table(rows: pd.DataFrame) -> pd.DataFrame:
    """A row for each loop and depth, the published seconds beside those of the textbook's loops."""
    theirs = published_values("norouzi2015_figures")["figure4"]
    seconds = {
        (f"{kind}, textbook", depth): value
        for kind, values in theirs["seconds"].items()
        for depth, value in zip(theirs["depth"], values, strict=True)
    }
    loops = zip(rows["loop"], rows["depth"], strict=True)
    return rows.assign(published=[seconds.get(loop) for loop in loops])


def claims(lines: pd.DataFrame) -> list[str]:
    """How exact inference grows beside fast one, and what branch and bound spares, computed."""
    by = lines.pivot(index="depth", columns="loop", values="seconds")
    first, last = by.index.min(), by.index.max()
    exact = by["exact, textbook"] / by["fast, textbook"]
    ours = by["exact, ours"] / by["exact, textbook"]
    return [
        f"As in the text, exact inference takes {exact[first]:.1f} times as long as fast one at "
        f"depth {first} and {exact[last]:.1f} times at {last}. By branch and bound exact inference "
        f"takes {ours[first]:.2f} and {ours[last]:.3f} of the textbook's time.",
        "The published seconds are of another machine: compare the shapes of the curves.",
    ]


def draw(canvas, rows: pd.DataFrame) -> None:
    """Draw the seconds on a logarithmic axis."""
    rows = table(rows)
    axes = canvas.subplots()
    thin = {"marker": "s", "linewidth": 1.0}
    for kind, colour in (("exact", drawing.RED), ("fast", drawing.BLUE)):
        book = rows[rows["loop"] == f"{kind}, textbook"]
        ours = rows[rows["loop"] == f"{kind}, ours"]
        for loop, column, label, style in (
            (book, "published", "published", drawing.PUBLISHED),
            (book, "seconds", "textbook, measured here", thin),
            (ours, "seconds", "branch and bound (ours)", {"linewidth": 2.6}),
        ):
            drawing.curve(axes, loop["depth"], loop[column], f"{kind}: {label}", colour, **style)
    axes.set_yscale("log")
    axes.set_xticks(sorted(rows["depth"].unique()))
    axes.set_xlabel("greatest depth of the tree")
    axes.set_ylabel("seconds for 1000 epochs")
    drawing.legend_below(canvas, 2)


def notes(setup: Setup) -> list[str]:
    warm = QUICK_WARM if setup.quick else WARM
    return [
        f"Not 1000 epochs were run: every loop was timed for about "
        f"{QUICK_SECONDS if setup.quick else SECONDS:g} s on copies of the tree as it was after "
        f"{', '.join(map(str, warm))} epochs of exact SGD, and the mean time of an update was "
        "multiplied by 1000 × the training rows, four fifths of all.",
        "All loops make the same updates on the same trees, which start from axis-aligned ones "
        f"of each depth (ν = {NU:g}, η = {ETA:g}), in one process on one core. Seconds are the "
        "processor's, so that other programs do not count.",
    ]


NAME = "figure4"
TITLE = "Seconds for 1000 epochs of SGD on Connect4"
CLAIM = (
    "Scoring every split costs more with every level of the tree, following every "
    "sibling less so; branch and bound finds the same leaves for less, and exact inference costs "
    "hardly more than fast."
)
SOURCE = "Norouzi et al. 2015, figure 4, read off the paper to about 15 seconds"
DATASETS = ("connect4",)
DEPTHS, QUICK_DEPTHS = (6, 8, 10, 12, 14, 16, 18), (6, 10, 14, 18)
TITLES = {
    "depth": "depth",
    "splits": "splits",
    "loop": "inference",
    "microseconds": "microseconds an update",
    "seconds": "seconds for 1000 epochs",
    "published": "published, seconds",
}
DIGITS = {"microseconds": 2}
GRID = Grid("Seconds for 1000 epochs", ("loop",), "depth", "seconds", published="published")
SIZE = (8.0, 5.5)

"""Figure 4 of Norouzi et al. 2015: seconds for 1000 epochs of SGD on Connect4, by depth.

Four loops make the same updates on the same trees: with exact and with fast inference, each as
the paper's text has it (:mod:`benchmarks.reproduce.textbook`) and by branch and bound. They are timed
on the trees that learning passes through, a part of an epoch each, and scaled.
"""

from __future__ import annotations

import time

import numpy as np

from benchmarks.reproduce.drawing import BLUE, RED, curve, legend_below
from benchmarks.reproduce.figure import Figure, Setup
from benchmarks.data import published
from benchmarks.protocol import greedy_trees
from benchmarks.reproduce.tables import Table, make_table
from treecore.losses import LOG
from treecore.nongreedy.joint import make_joint
from treecore.nongreedy.sgd import sgd_rows
from benchmarks.reproduce.textbook import textbook_rows
from treecore.scaling import Scaling

DEPTHS, QUICK_DEPTHS = (6, 8, 10, 12, 14, 16, 18), (6, 10, 14, 18)
EPOCHS = 1000
NU, ETA = 10.0, 0.02
WARM, QUICK_WARM = (0, 2, 10), (0, 2)
"""Epochs after which the loops are timed."""
SECONDS, QUICK_SECONDS = 2.0, 0.5
"""What one timing lasts, about."""
FEWEST = 50
"""Visits of one timing at least."""

LOOPS = {
    "exact, textbook": (True, True),
    "fast, textbook": (True, False),
    "exact, ours": (False, True),
    "fast, ours": (False, False),
}
"""Whether a loop is the textbook's, and whether its inference is exact."""


def points(setup: Setup) -> list[dict]:
    """One for every depth: its four loops are timed by turns."""
    chosen = setup.depths or (QUICK_DEPTHS if setup.quick else DEPTHS)
    return [{"depth": depth} for depth in chosen]


def measure(key: dict, setup: Setup) -> list[dict]:
    """Seconds of every loop for 1000 epochs over the training rows."""
    depth = key["depth"]
    training, _ = setup.papers.load("connect4")
    deepest = max(other["depth"] for other in points(setup))
    trees = setup.once("starts", lambda: greedy_trees(training, deepest))
    start = trees[min(depth, len(trees) - 1)]
    scaling = Scaling.fit(training.X)
    X, y = setup.once("rows", lambda: (scaling.transform(training.X), training.y))
    joint = make_joint(start, (np.sqrt(NU) * scaling.rows_of(start)).astype(np.float32), LOG)
    rng = np.random.default_rng(0)
    work = Work(X, y)
    spent = {name: [] for name in LOOPS}
    passed = 0
    for stop in QUICK_WARM if setup.quick else WARM:
        for _ in range(passed, stop):
            work.visit(joint, rng.permutation(len(y)), False, True)
        passed = stop
        order = rng.permutation(len(y))
        for name, loop in LOOPS.items():
            seconds = QUICK_SECONDS if setup.quick else SECONDS
            spent[name].append(work.seconds_a_visit(joint, order, loop, seconds))
    figure = published("norouzi2015_figures")["figure4"]
    rows = []
    for name in LOOPS:
        kind = name.partition(",")[0]
        theirs = None
        if name.endswith("textbook") and depth in figure["depth"]:
            theirs = figure["seconds"][kind][figure["depth"].index(depth)]
        visit = float(np.mean(spent[name]))
        rows.append(
            {
                "depth": depth,
                "loop": name,
                "splits": start.n_splits,
                "microseconds": round(1e6 * visit, 3),
                "seconds": round(EPOCHS * len(y) * visit, 1),
                "published": theirs,
            }
        )
    return rows


class Work:
    """Visits of SGD by one loop or another, on rows in training coordinates."""

    def __init__(self, X: np.ndarray, y: np.ndarray):
        self._X, self._y = X, y
        self._weight = np.ones(len(y))

    def visit(self, joint, order: np.ndarray, textbook: bool, exact: bool) -> None:
        """One update for every row of ``order``; ``joint`` is changed."""
        if textbook:
            penalty = np.empty(len(joint.left), dtype=np.float32)
            textbook_rows(joint, self._X, self._y, order, exact, ETA, NU, penalty)
        else:
            sgd_rows(joint, self._X, self._y, self._weight, order, exact, ETA, 0.0, 0, NU)

    def seconds_a_visit(self, joint, order: np.ndarray, loop: tuple, seconds: float) -> float:
        """Mean seconds of a visit by one loop, on a copy of the tree as it is.

        They are the processor's, so that other programs on the machine are not counted.
        """
        few = order[:FEWEST]
        self.visit(copied(joint), few, *loop)  # compiled, and the tree in the processor's cache
        begun = time.thread_time()
        self.visit(copied(joint), few, *loop)
        guess = (time.thread_time() - begun) / len(few)
        rows = order[: max(FEWEST, int(seconds / max(guess, 1e-9)))]
        own = copied(joint)
        begun = time.thread_time()
        self.visit(own, rows, *loop)
        return (time.thread_time() - begun) / len(rows)


def copied(joint):
    """A tree that can be learnt on without changing the other one."""
    tables = type(joint.tables)(*(array.copy() for array in joint.tables))
    arrays = {name: array.copy() for name, array in joint._asdict().items() if name != "tables"}
    return type(joint)(**arrays, tables=tables)


def table(rows: list[dict]) -> Table:
    """One line a loop and depth."""
    columns = {
        "depth": "depth",
        "splits": "splits",
        "loop": "inference",
        "microseconds": "microseconds an update",
        "seconds": "seconds for 1000 epochs",
        "published": "published, seconds",
    }
    return make_table(rows, columns, {"microseconds": 2})


def draw(canvas, rows: list[dict]) -> None:
    """Seconds on a logarithmic axis."""
    axes = canvas.subplots()
    for kind, colour in (("exact", RED), ("fast", BLUE)):
        book = [row for row in rows if row["loop"] == f"{kind}, textbook"]
        ours = [row for row in rows if row["loop"] == f"{kind}, ours"]
        depths = [row["depth"] for row in book]
        theirs = [row["published"] for row in book]
        curve(axes, depths, theirs, f"{kind}: published", colour, False)
        axes.plot(
            depths,
            [row["seconds"] for row in book],
            color=colour,
            marker="s",
            linewidth=1.0,
            label=f"{kind}: textbook, measured here",
        )
        curve(
            axes,
            depths,
            [row["seconds"] for row in ours],
            f"{kind}: branch and bound (ours)",
            colour,
            True,
        )
        axes.lines[-1].set_linewidth(2.6)
    axes.set_yscale("log")
    axes.set_xticks(sorted({row["depth"] for row in rows}))
    axes.set_xlabel("greatest depth of the tree")
    axes.set_ylabel("seconds for 1000 epochs")
    legend_below(canvas, [axes], 2)


def notes(setup: Setup) -> list[str]:
    """How it was measured."""
    warm = QUICK_WARM if setup.quick else WARM
    training, _ = setup.papers.load("connect4")
    return [
        f"Not 1000 epochs were run: every loop was timed for about "
        f"{QUICK_SECONDS if setup.quick else SECONDS:g} s on copies of the tree as it was after "
        f"{', '.join(map(str, warm))} epochs of exact SGD, and the mean time of an update was "
        f"multiplied by 1000 × {len(training.y)} training rows.",
        "All loops make the same updates on the same trees, which start from axis-aligned ones "
        f"of each depth (ν = {NU:g}, η = {ETA:g}), in one process on one core. Seconds are the "
        "processor's, so that other programs do not count.",
        "The published seconds are of another machine and program: compare the shapes of the "
        "curves, not their heights.",
    ]


FIGURE = Figure(
    name="figure4",
    title="Seconds for 1000 epochs of SGD on Connect4",
    sentence="Scoring every split costs more with every level of the tree, following every "
    "sibling less so; branch and bound finds the same leaves for less, and exact inference costs "
    "hardly more than fast.",
    source="Norouzi et al. 2015, figure 4, read off the paper to about 15 seconds",
    datasets=("connect4",),
    points=points,
    measure=measure,
    table=table,
    draw=draw,
    notes=notes,
    depths=True,
    size=(8.0, 5.5),
)

"""What loss-augmented inference spends per example, against the textbook's, and what it reaches.

The textbook's exact inference scores every split, O(2^d p). Its fast inference follows the
sibling of every split on the plain path down to a leaf, O(d^2 p); its inner products are counted
here on the same trees and examples, whose paths need not all be d long.

Run with ``python -m benchmarks.inference [DATASET ...]``; rows are written into
``benchmarks/results/inference.md`` and ``reached.md``.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np

from benchmarks.data import PaperData
from benchmarks.marks import RESULTS
from benchmarks.pages import Page
from benchmarks.reproduce.textbook import infer_siblings
from treecore import RunConfig, Trainer, warm_up
from treecore.compiling.kernels import kernel
from treecore.learners.nongreedy.bounds import bound_rows
from treecore.learners.nongreedy.inference import infer

DEPTH, EPOCHS, START = 12, 20, "axis"
SHALLOW, NUS, ETA = 6, (1.0, 10.0), 0.03  # of what inference reaches

PAGE = Page(
    RESULTS / "inference.md",
    "Inner products of loss-augmented inference",
    "How many inner products an example takes, as a ratio: mean over the trees after each epoch.\n"
    "Written by `python -m benchmarks.inference`.",
    ("data", "depth", "epochs", "start", "fast, ours to the textbook's", "exact to fast, ours"),
    4,
)
REACHED = Page(
    RESULTS / "reached.md",
    "What fast and exact inference reach",
    "Mean bounds and loss over training rows after SGD with either, from an axis-aligned tree.\n"
    "Written by `python -m benchmarks.inference`.",
    ("data", "depth", "epochs", "ν", "learnt by", "fast bound", "exact bound", "training loss",
     "training accuracy, %", "test accuracy, %"),
    5,
)  # fmt: skip


@kernel
def textbook_fast(tree, X, y):
    """Inner products of the textbook's fast inference over all rows."""
    total = 0
    for i in range(X.shape[0]):
        total += infer_siblings(tree, X[i], y[i])[3]
    return total


@kernel
def branch_and_bound(tree, X, y, exact):
    """Inner products of ours over all rows."""
    total = 0
    for i in range(X.shape[0]):
        total += infer(tree, X[i], y[i], exact)[3]
    return total


def measure(name: str) -> tuple[str, str]:
    """Return the figures of a row, after its keys."""
    X, y = PaperData().require(name)[0]
    trainer = Trainer(RunConfig("sgd", depth=DEPTH, epochs=EPOCHS, start=START), X, y)
    counts = []
    for event in trainer.events():
        if event.stage != "sgd" or event.done == 0:  # the start has not been learnt on yet
            continue
        joint, rows = trainer.learner.joint, trainer.learner.train_rows[:]
        fast, exact = (branch_and_bound(joint, rows, y, exact) for exact in (False, True))
        counts.append((fast, exact, textbook_fast(joint, rows, y)))
    fast, exact, textbook = np.mean(counts, axis=0)
    return f"{fast / textbook:.2f}", f"{exact / fast:.2f}"


def reached(name: str, nu: float, inference: str) -> tuple[str, ...]:
    """Return the figures of a row of the second page, after its keys."""
    (X, y), test = PaperData().require(name)[:2]
    settings = {"depth": SHALLOW, "epochs": EPOCHS, "start": START, "nu": nu, "eta": ETA}
    trainer = Trainer(RunConfig("sgd", **settings, inference=inference), X, y, validation=test)
    *_, end = trainer.events()
    bounds, bound = [], np.empty(len(y), dtype=np.float32)
    for exact in (False, True):
        bound_rows(trainer.learner.joint, trainer.learner.train_rows[:], y, exact, bound)
        bounds.append(bound.mean(dtype=np.float64))
    accuracies = (100 * end.accuracy, 100 * end.validation_accuracy)
    return *(f"{x:.3f}" for x in (*bounds, end.loss)), *(f"{x:.2f}" for x in accuracies)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="*", default=["mnist", "digits"], metavar="DATASET")
    given = parser.parse_args()
    warm_up()
    for name in given.datasets:
        PAGE.keep(name, DEPTH, EPOCHS, START, *measure(name))
        for nu, inference in itertools.product(NUS, ("fast", "exact")):
            found = reached(name, nu, inference)
            REACHED.keep(name, SHALLOW, EPOCHS, f"{nu:g}", inference, *found)


if __name__ == "__main__":
    main()

"""One tree on scikit-learn's digits: the greedy start, and SGD on the bound from it.

Run with ``python -m benchmarks.digits``. Each of ten seeds divides the rows anew, a quarter of them
for the test. The row is written into ``benchmarks/results/digits.md``.
"""

from __future__ import annotations

import numpy as np

from benchmarks.data import PaperData
from benchmarks.marks import RESULTS
from benchmarks.pages import Page
from treecore import RunConfig, Trainer, warm_up

SEEDS = 10
CONFIG = RunConfig("sgd", depth=8, start="axis", nu=10, epochs=200)

PAGE = Page(
    RESULTS / "digits.md",
    "From a greedy tree to a joint one",
    f"Mean and deviation of test accuracy over {SEEDS} divisions of the digits.\n"
    "Written by `python -m benchmarks.digits`.",
    (
        "data",
        "depth",
        "greedy start, %",
        "200 epochs of SGD on the bound, %",
        "active leaves",
    ),
    2,
)


def measure() -> tuple[str, str, str]:
    """Return the figures of the row, after its keys."""
    data, rows = PaperData(), []
    for seed in range(SEEDS):
        training, test = data.division("digits", seed)
        trainer = Trainer(CONFIG.replace(seed=seed), *training, validation=test)
        first, *_, last = [event for event in trainer.events() if event.stage == "sgd"]
        accuracies = first.validation_accuracy, last.validation_accuracy
        rows.append((*(100 * accuracy for accuracy in accuracies), last.active_leaves))
    start, end, leaves = np.array(rows).T
    return (
        f"{start.mean():.1f} ± {start.std():.1f}",
        f"{end.mean():.1f} ± {end.std():.1f}",
        f"{leaves.mean():.0f}",
    )


def main() -> None:
    warm_up()
    PAGE.keep("digits", CONFIG.depth, *measure())


if __name__ == "__main__":
    main()

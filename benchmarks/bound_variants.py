"""What brings SGD on the bound from CO2 closest to annealed learning: one change at a time.

Run with ``python -m benchmarks.bound_variants [CHANGE ...] [--data NAME] [--depth N]``. Four fifths
of the training rows are learnt from, the others measured; test rows are not looked at. Rows are
written into ``benchmarks/results/bound_variants.md``, other rows stay.
"""

from __future__ import annotations

import argparse
from typing import Any

from benchmarks.data import PaperData
from benchmarks.marks import RESULTS
from benchmarks.pages import Page
from benchmarks.protocol import HELD_OUT, train_tree
from treecore import RunConfig, warm_up

PAGE = Page(
    RESULTS / "bound_variants.md",
    "SGD on the bound, one change at a time",
    "Accuracy in percent on a held-out fifth of the training rows, and on the others.\n"
    "Written by `python -m benchmarks.bound_variants`.",
    ("data", "depth", "what", "held out", "training", "active leaves"),
    3,
)

USUAL: dict[str, Any] = {"method": "sgd", "start": "co2", "nu": 200, "eta": 0.1, "epochs": 40}
VARIANTS: dict[str, dict[str, Any]] = {
    "SGD from CO2, ν 200, η 0.1, 40 epochs": {},
    "ν 20": {"nu": 20},
    "ν 1000": {"nu": 1000},
    "η 0.03": {"eta": 0.03},
    "160 epochs": {"epochs": 160},
    "start filled up to a complete tree": {"shape": "complete"},
    "start from cuts on one feature": {"start": "axis"},
    "start from random splits": {"start": "random"},
    "Stable SGD": {"method": "stable-sgd"},
    "fast inference": {"inference": "fast"},
    "momentum 0.9, batches of 16": {"momentum": 0.9, "batch": 16},
    "L1 proximal step, 0.0001": {"sparsity": 0.0001},
}
OTHERS: dict[str, dict[str, Any]] = {
    "CO2, the start": {"method": "co2"},
    "annealed": {"method": "annealed", "rounds": 40},
}


RUNS = OTHERS | {name: USUAL | change for name, change in VARIANTS.items()}


def measure(data: str, depth: int, what: str) -> tuple[str, str, str]:
    """Return the figures of a row, after its keys."""
    training, held = PaperData().require(data)[0].divide(HELD_OUT, 0)
    of = train_tree(RunConfig(**RUNS[what], depth=depth, seed=0), training, held)
    return f"{of.accuracy:.1f}", f"{of.training_accuracy:.1f}", f"{of.active_leaves}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", nargs="*", default=list(RUNS), metavar="CHANGE")
    parser.add_argument("--data", default="letter")
    parser.add_argument("--depth", type=int, default=8)
    given = parser.parse_args()
    warm_up()
    for what in given.what:
        PAGE.keep(given.data, given.depth, what, *measure(given.data, given.depth, what))


if __name__ == "__main__":
    main()

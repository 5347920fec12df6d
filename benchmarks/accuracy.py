"""One annealed tree per dataset at the height of the published trees, beside the best of these.

Run with ``python -m benchmarks.accuracy [DATASET ...]``. Settings are chosen by the rule of
:mod:`benchmarks.protocol` among six: three strengths of weight decay, and both scalings of the
features. Every seed learns one tree. The digits have few test rows, so every seed divides them
anew and chooses anew; the other datasets have one division. Rows are written into
``benchmarks/results/accuracy.md``. Datasets whose archive is not at hand are left out.
"""

from __future__ import annotations

import argparse
import functools
import itertools

import numpy as np

from benchmarks.data import PaperData, Part
from benchmarks.marks import RESULTS
from benchmarks.pages import Page
from benchmarks.protocol import choose
from benchmarks.published import published_values
from treecore import RunConfig, Trainer, warm_up

ANCHORS = published_values("single_tree_anchors")
HEIGHTS = {"mnist": 8, "connect4": 8, "letter": 10, "pendigits": 8, "digits": 8, "usps": 6}
TITLES = {"mnist": "MNIST", "connect4": "Connect4", "usps": "USPS"}
"""Names as people write them; the others begin with a capital letter."""

CANDIDATES = [
    {"method": "annealed", "start": "random", "decay": decay, "scaling": scaling}
    for decay, scaling in itertools.product((0.3, 0.1, 1.0), ("together", "each"))
]

SEEDS = 5

PAGE = Page(
    RESULTS / "accuracy.md",
    "One tree at the height of the published ones",
    f"Mean and deviation of test accuracy over {SEEDS} seeds. Settings are chosen among six on "
    "held-out training rows; every seed divides the digits anew.\n"
    "Written by `python -m benchmarks.accuracy`.",
    (
        *("data", "height", "annealed tree, %", "active leaves", "training rows"),
        *("best published single tree, %", "its training rows", "settings"),
    ),
    1,
)


def published(name: str) -> tuple[str, str]:
    """Return the best published accuracy of one tree, with its method, and its training rows."""
    if name not in ANCHORS:
        return "–", "–"
    _, n_train, *accuracies = ANCHORS[name]
    methods = ANCHORS["columns"][2:]
    best, method = max((a, m) for a, m in zip(accuracies, methods, strict=True) if a is not None)
    return f"{best:.2f} ({method})", f"{n_train:,}"


def train(candidate: dict, training: Part, held: Part, seed: int) -> tuple[float, int]:
    """Train one tree; its error in percent on other rows, and its active leaves."""
    config = RunConfig(**candidate, seed=seed)
    *_, event = Trainer(config, *training, validation=held).events()
    return 100 * event.validation_error, event.active_leaves


@functools.cache
def chosen(name: str, division: int) -> tuple[dict, Part, Part]:
    """Return the settings that are chosen on a division of a dataset, and its two parts."""
    training, test = PaperData().division(name, division)
    candidates = [{**c, "depth": HEIGHTS[name]} for c in CANDIDATES]
    return choose(candidates, training, lambda *given: train(*given)[0]), training, test


def measure(name: str) -> tuple[str, ...]:
    """Return the figures of a row, after its key."""
    outcomes, settings = [], {}
    for seed in range(SEEDS):
        best, training, test = chosen(name, seed if name == "digits" else 0)
        outcomes.append(train(best, training, test, seed))
        settings[f"decay {best['decay']}, scaled {best['scaling']}"] = None
    errors, leaves = np.array(outcomes).T
    return (
        f"{HEIGHTS[name]}",
        f"{100 - errors.mean():.2f} ± {errors.std():.2f}",
        f"{leaves.mean():.0f}",
        f"{len(training.y):,}",
        *published(name),
        "; ".join(settings),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="*", default=list(HEIGHTS), metavar="DATASET")
    arguments = parser.parse_args()
    if unknown := set(arguments.datasets) - set(HEIGHTS):
        parser.error(f"no heights are known for {', '.join(sorted(unknown))}; {', '.join(HEIGHTS)} "
                     "have them")  # fmt: skip
    warm_up()
    for name in arguments.datasets:
        if PaperData().load(name) is None:
            print(PaperData().why_absent(name))
            continue
        PAGE.keep(TITLES.get(name, name.capitalize()), *measure(name))


if __name__ == "__main__":
    main()

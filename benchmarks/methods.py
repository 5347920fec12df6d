"""Every method of the registry as it comes, on three sets of data: what its page is measured by.

Run with ``python -m benchmarks.methods [METHOD ...]``. All settings have their defaults. A seed
draws the points, divides the rows and decides the run. Rows of the methods named are written into
``benchmarks/results/methods.md``, the others stay.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks.data import PaperData, Part
from benchmarks.marks import RESULTS
from benchmarks.pages import Page
from treecore import Forest, HingeForest, RunConfig, Trainer, Tree, predict, warm_up
from treecore.data.dataset import split
from treecore.data.generators import generate
from treecore.training.registry import METHODS

DATA = {"spirals": 600, "stripes": 600, "digits": 1797}
TEST_SHARE = 0.25
SEEDS = 5

PAGE = Page(
    RESULTS / "methods.md",
    "Every method as it comes",
    "All settings at their defaults, mean and deviation over so many seeds. Each seed divides the "
    "rows anew: "
    + ", ".join(f"{name} {size} rows" for name, size in DATA.items())
    + ", a quarter of them for the test.\nWritten by `python -m benchmarks.methods`.",
    ("method", "data", "test accuracy, %", "deviation", "leaves of a tree", "seeds"),
    2,
)


def parts(name: str, seed: int) -> tuple[Part, Part]:
    """Training and test rows of one draw."""
    if name == "digits":
        return PaperData().division(name, seed)
    drawn = generate(name, DATA[name], seed=seed)
    return tuple(Part(rows.X, rows.y) for rows in split(drawn, TEST_SHARE, seed))


def mean_leaves(model: Tree | Forest | HingeForest) -> float:
    """Leaves of a tree, or of the mean tree of a forest; all of those of a hinge tree."""
    if isinstance(model, HingeForest):
        return 2.0**model.depth
    return model.n_leaves if isinstance(model, Tree) else model.n_leaves / model.n_trees


def measure(method: str, data: str) -> tuple[str, ...]:
    """Figures of a row, after its keys."""
    outcomes = []
    for seed in range(SEEDS):
        (X, y), (X_test, y_test) = parts(data, seed)
        model = Trainer(RunConfig(method, seed=seed), X, y).run()
        predicted = predict(model, X_test) if isinstance(model, Tree) else model.predict(X_test)
        outcomes.append((100 * float(np.mean(predicted == y_test)), mean_leaves(model)))
    accuracies, leaves = np.array(outcomes).T
    figures = f"{accuracies.mean():.1f}", f"{accuracies.std():.1f}", f"{leaves.mean():.0f}"
    return *figures, f"{SEEDS}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("methods", nargs="*", default=list(METHODS), metavar="METHOD")
    given = parser.parse_args()
    if unknown := set(given.methods) - set(METHODS):
        parser.error(f"no such method: {', '.join(sorted(unknown))}")
    warm_up()
    for name in given.methods:
        for data in DATA:
            PAGE.keep(name, data, *measure(name, data))


if __name__ == "__main__":
    main()

"""Every method of the registry as it comes, on three sets of data: what its page is measured by.

Run with ``python -m benchmarks.methods [METHOD ...]``. All settings have their defaults, three
seeds draw the points and decide the run, and a quarter of the points is for the test; the digits
have the one division of the other benchmarks. Rows of the methods named are written anew into
``benchmarks/results/methods.md``, the others stay. Seconds are the processor's.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.data import PaperData, Part
from treecore import Forest, HingeForest, RunConfig, Trainer, Tree, predict, warm_up
from treecore.data.dataset import split
from treecore.data.generators import generate
from treecore.training.registry import METHODS, find_method

RESULTS = Path(__file__).with_name("results") / "methods.md"
DATA = {"spirals": 600, "stripes": 600, "digits": 1797}
TEST_SHARE = 0.25
SEEDS = 3
COLUMNS = "method | data | test accuracy, % | deviation | leaves of a tree | seconds"


def parts(name: str, seed: int) -> tuple[Part, Part]:
    """Training and test rows of one draw."""
    if name == "digits":
        return PaperData().load(name)
    drawn = generate(name, DATA[name], seed=seed)
    return tuple(Part(rows.X, rows.y) for rows in split(drawn, TEST_SHARE, seed))


def mean_leaves(model: Tree | Forest | HingeForest) -> float:
    """Leaves of a tree, or of the mean tree of a forest; all of those of a hinge tree."""
    if isinstance(model, HingeForest):
        return 2.0**model.depth
    return model.n_leaves if isinstance(model, Tree) else model.n_leaves / model.n_trees


def measure(method: str, data: str) -> str:
    """One row of the table."""
    outcomes = []
    for seed in range(SEEDS):
        (X, y), (X_test, y_test) = parts(data, seed)
        begun = time.process_time()
        model = Trainer(RunConfig(method, seed=seed), X, y).run()
        seconds = time.process_time() - begun
        predicted = predict(model, X_test) if isinstance(model, Tree) else model.predict(X_test)
        accuracy = 100 * float(np.mean(predicted == y_test))
        outcomes.append((accuracy, mean_leaves(model), seconds))
    accuracy, leaves, seconds = np.mean(outcomes, axis=0)
    deviation = np.std([outcome[0] for outcome in outcomes])
    return (
        f"| {method} | {data} | {accuracy:.1f} | {deviation:.1f} | {leaves:.0f} | {seconds:.2f} |"
    )


def rows_of(text: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Method, data and line of every row that a page of results has."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0] in METHODS:
            yield (cells[0], cells[1]), line


def page(rows: dict[tuple[str, str], str]) -> str:
    """The page of results, in the registry's order."""
    lines = [rows[m, d] for m in METHODS for d in DATA if (m, d) in rows]
    sizes = ", ".join(f"{name} {size} rows" for name, size in DATA.items())
    return "\n".join(
        [
            "# Every method as it comes",
            "",
            f"All settings at their defaults, mean and deviation over {SEEDS} seeds; {sizes}, a "
            "quarter of them for the test; seconds of one processor's time, learning only.",
            "Written by `python -m benchmarks.methods`; what has no row has not been measured.",
            "",
            f"| {COLUMNS} |",
            "|" + " --- |" * (COLUMNS.count("|") + 1),
            *lines,
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("methods", nargs="*", default=list(METHODS), metavar="METHOD")
    parser.add_argument("--data", nargs="+", choices=DATA, default=list(DATA))
    arguments = parser.parse_args()
    names = [find_method(name).name for name in arguments.methods]
    warm_up()
    for name in names:
        for data in arguments.data:
            row = measure(name, data)
            print(row, flush=True)
            text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
            rows = dict(rows_of(text)) | {(name, data): row}  # others may have come meanwhile
            RESULTS.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Memory of fitting and predicting, beside the table itself: each method in a process of its own.

    python -m benchmarks.memory [METHOD ...] [--tables NAME ...] [--depth 8]

A table is drawn (:data:`TABLES`), or one of the papers'; it is float32 and C-contiguous, as trees
read it. The peak (``VmHWM`` of Linux) is set back before each of the two, so that neither compiling
nor drawing the table is in it. A ratio of 1 is the table alone; what the package and its libraries
take is subtracted. Rows are written anew into ``benchmarks/results/memory.md``; other rows stay.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import PaperData, as_float32
from benchmarks.growth import METHODS, table
from benchmarks.marks import RESULTS
from benchmarks.pages import Page
from treecore import RunConfig, Trainer, Tree, predict
from treecore.estimators.methods import CLASSIFIERS
from treecore.training.warmup import warm_up

STATUS = Path("/proc/self/status")

TABLES = {"drawn": (581_000, 54), "small": (100_000, 54), "long": (1_000_000, 40)}
"""Rows and features of the tables that are drawn, of seven classes."""

SETTINGS = METHODS | {
    "axis-estimator": METHODS["axis"],
    "sgd-estimator": METHODS["sgd"],
}
"""What is set of every method that is measured, and what scikit-learn's interface takes besides."""

PAGE = Page(
    RESULTS / "memory.md",
    "Memory of fitting and predicting",
    "Peak of a process by the size of the table, float32 and C-contiguous (1 is the table alone), "
    "and processor seconds of the fit.\nWritten by `python -m benchmarks.memory`.",
    ("table", "size", "depth", "method", "fit", "predict", "seconds"),
    4,
)


def kilobytes(name: str) -> int:
    """A figure of this process that Linux keeps: ``VmHWM``, the peak, or ``VmRSS``."""
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(name))
    return int(line.split()[1])


def peak_of(work: Callable[[], object]) -> tuple[int, object]:
    """Greatest memory while ``work`` runs less that before, in bytes, and what it gives."""
    before = kilobytes("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # sets the peak back
    result = work()
    return 1024 * (kilobytes("VmHWM") - before), result


def rows_of(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The table of that name in :data:`TABLES`, drawn or read."""
    if name in TABLES:
        return table(*TABLES[name], 7)
    X, y = as_float32(PaperData().require(name))[0]
    return np.ascontiguousarray(X), y


def measure(method: str, table_name: str, depth: int) -> dict[str, Any]:
    """Ratios of fit and prediction to the table, and seconds of the fit, in this process."""
    name, settings = method.removesuffix("-estimator"), SETTINGS[method]
    config = RunConfig(name, depth=depth, **settings)

    def learnt(X: np.ndarray, y: np.ndarray, n_classes: int | None = None) -> Any:
        if method.endswith("-estimator"):
            return CLASSIFIERS[name](depth, random_state=0, **settings).fit(X, y)
        return Trainer(config, X, y, n_classes=n_classes).run()

    warm_up(config=config)
    X, y = rows_of(table_name)
    few = X[:2000].copy()
    answer(learnt(few, y[:2000], n_classes=int(y.max()) + 1), few)
    started = time.process_time()
    fit, model = peak_of(lambda: learnt(X, y))  # all that checks the rows as well
    seconds = time.process_time() - started
    found, _ = peak_of(lambda: answer(model, X))
    ratios = {"fit": 1 + fit / X.nbytes, "predict": 1 + found / X.nbytes}
    return ratios | {"seconds": seconds, "shape": X.shape}


def answer(model: Any, X: np.ndarray) -> np.ndarray:
    """What a tree or a forest says of rows."""
    return predict(model, X) if isinstance(model, Tree) else model.predict(X)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("methods", nargs="*", default=list(SETTINGS), metavar="METHOD")
    parser.add_argument("--tables", nargs="+", default=["drawn", "mnist"], metavar="TABLE")
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.here:
        print(json.dumps(measure(given.methods[0], given.tables[0], given.depth)))
        return
    for name in given.tables:
        for method in given.methods:
            words = [method, "--tables", name, "--depth", str(given.depth), "--here"]
            command = [sys.executable, "-m", "benchmarks.memory", *words]
            found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
            size = "{:,} × {:,}".format(*found["shape"])
            ratios = (f"{found[key]:.2f}" for key in ("fit", "predict"))
            PAGE.keep(name, size, given.depth, method, *ratios, f"{found['seconds']:.1f}")


if __name__ == "__main__":
    main()

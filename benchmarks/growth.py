"""How the time of a fit grows with rows, features, classes and depth: an exponent for each.

    python -m benchmarks.growth [METHOD ...] [--along NAME ...] [--repeat 2]

One size is varied while the others keep their middle values; the exponent is the slope of the
least squares of log seconds by log size (of depth: the factor a level), and the steepest is that
between two neighbouring sizes. Seconds are those of all threads on processors, the least of a few
fits. Rows of the methods named are written anew into ``benchmarks/results/growth.md``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.marks import RESULTS
from benchmarks.pages import Page
from treecore import RunConfig, Trainer
from treecore.training.registry import find_method
from treecore.training.warmup import warm_up

METHODS: dict[str, dict[str, Any]] = {
    "axis": {},
    "sgd": {"epochs": 3},
    "annealed": {"rounds": 20},
    "tao": {"epochs": 2},
    "co2": {"epochs": 2},
    "oc1": {},
    "random-oblique": {},
    "stable-sgd": {"epochs": 3},
    "random-forest": {"n_trees": 4},
    "samme": {"n_trees": 4},
    "hinge-forest": {"trees": 10, "batches": 300},
}
"""Settings with which the time of each method is that of its kernels, and moderate."""

SIZES = {
    "rows": (10_000, 30_000, 100_000, 300_000, 580_000),
    "features": (16, 64, 256, 1000, 2000),
    "features, all of which tell": (16, 64, 256, 1000, 2000),
    "classes": (2, 10, 30, 100),
    "depth": (4, 6, 8, 10, 12, 14, 16, 18),
}
MIDDLE = {"rows": 20_000, "features": 32, "classes": 7, "depth": 6}
SLOW = {"co2": 10, "oc1": 10}
"""Methods that get so many times fewer rows."""
GROWN = {"sgd": {"start": "axis"}, "stable-sgd": {"start": "axis"}}
"""What a deep tree needs besides: a start that is not complete."""

TELLING = 16
"""Features that classes follow from where features vary: others are noise, for the same task."""

PAGE = Page(
    RESULTS / "growth.md",
    "How the time of a fit grows",
    "Processor seconds of a fit where one size varies, the others being "
    + ", ".join(f"{size:,} {name}" for name, size in MIDDLE.items() if name != "depth")
    + f" and depth {MIDDLE['depth']}; "
    + " and ".join(SLOW)
    + " learn from a tenth of the rows. The exponent is the slope of log seconds by log size "
    "(of depth: the factor a level), the steepest the greatest between neighbours. Classes follow "
    f"from all features, but from {TELLING} where features vary, of which others are noise.\n"
    "Written by `python -m benchmarks.growth`.",
    ("method", "along", "sizes", "seconds", "exponent", "steepest"),
    2,
)


def table(
    n_rows: int, n_features: int, n_classes: int, telling: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Normal features, and classes that follow from chance and slanted cuts of the first few.

    telling: how many features the cuts are of; None: all.
    """
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_rows, n_features), dtype=np.float32)
    weights = rng.standard_normal((n_features, n_classes), dtype=np.float32)
    scores = X[:, :telling] @ weights[:telling]
    scores += rng.gumbel(size=scores.shape).astype(np.float32)
    return X, scores.argmax(axis=1)


def seconds(config: RunConfig, repeat: int, X: np.ndarray, y: np.ndarray, n_classes: int) -> float:
    """Least processor seconds of a fit."""
    taken = []
    for _ in range(repeat):
        started = time.process_time()
        Trainer(config, X, y, n_classes=n_classes).run()
        taken.append(time.process_time() - started)
    return min(taken)


def along(name: str, method: str, repeat: int) -> None:
    """One row of the page: a method's times where the size of that name varies."""
    more = GROWN.get(method, {}) if name == "depth" else {}
    size_name, taken = name.partition(",")[0], []
    highest = {setting.name: setting.high for setting in find_method(method).definitions()}
    sizes = [size for size in SIZES[name] if size_name != "depth" or size <= highest["depth"]]
    for size in sizes:
        n_rows, n_features, n_classes, depth = (MIDDLE | {size_name: size}).values()
        n_rows //= SLOW.get(method, 1)
        config = RunConfig(method, depth=depth, **METHODS[method], **more)
        rows = table(n_rows, n_features, n_classes, TELLING if name == "features" else None)
        taken.append(seconds(config, repeat, *rows, n_classes))
    shown = ", ".join(f"{size:,}" for size in sizes)
    rates = ", ".join(f"{second:.2f}" for second in taken)
    PAGE.keep(method, name, shown, rates, *exponents(size_name, sizes, taken))


def exponents(name: str, sizes: Sequence[int], taken: Sequence[float]) -> tuple[str, str]:
    """The slope over all sizes and the greatest between neighbours, as the page has them."""
    scale = np.asarray(sizes, float) if name == "depth" else np.log(sizes)
    slope = np.polyfit(scale, np.log(taken), 1)[0]
    steepest = (np.diff(np.log(taken)) / np.diff(scale)).max()
    if name == "depth":
        return f"{np.exp(slope):.2f} a level", f"{np.exp(steepest):.2f}"
    return f"{slope:.2f}", f"{steepest:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("methods", nargs="*", default=list(METHODS), metavar="METHOD")
    parser.add_argument("--along", nargs="+", default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--repeat", type=int, default=2)
    given = parser.parse_args()
    for method in given.methods:
        warm_up(config=RunConfig(method, **METHODS[method]))
        for name in given.along:
            along(name, method, given.repeat)


if __name__ == "__main__":
    main()

"""How the time of a fit grows with rows, features, classes and depth: an exponent for each.

    python -m benchmarks.growth [METHOD ...] [--along rows features classes depth] [--repeat 2]

One size is varied while the others keep their middle values; the exponent is the slope of the
least squares of log seconds by log size (of depth: the factor a level). Seconds are those of the
thread on the processor, the least of a few fits.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from treecore import RunConfig, Trainer
from treecore.training.warmup import warm_up

METHODS: dict[str, dict[str, Any]] = {
    "axis": {},
    "sgd": {"epochs": 3},
    "annealed": {"rounds": 20},
    "tao": {"epochs": 2, "solver": "newton"},
    "co2": {"epochs": 2},
    "oc1": {},
}
"""Settings with which the time of each method is that of its kernels, and moderate."""

SIZES = {
    "rows": (10_000, 30_000, 100_000, 300_000),
    "features": (16, 64, 256, 1024),
    "classes": (2, 10, 30, 100),
    "depth": (4, 6, 8, 10, 12),
}
MIDDLE = {"rows": 20_000, "features": 32, "classes": 7, "depth": 6}
SLOW = {"co2": 10, "oc1": 10}
"""Methods that get so many times fewer rows."""


def table(n_rows: int, n_features: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Normal features, and classes that follow from slanted cuts and chance."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_rows, n_features), dtype=np.float32)
    weights = rng.standard_normal((n_features, n_classes), dtype=np.float32)
    scores = X @ weights
    scores += rng.gumbel(size=scores.shape).astype(np.float32)
    return X, scores.argmax(axis=1)


def seconds(method: str, repeat: int, rows: int, features: int, classes: int, depth: int) -> float:
    """Least processor seconds of a fit."""
    X, y = table(rows // SLOW.get(method, 1), features, classes)
    config = RunConfig(method, depth=depth, **METHODS[method])
    taken = []
    for _ in range(repeat):
        begun = time.thread_time()
        Trainer(config, X, y, n_classes=classes).run()
        taken.append(time.thread_time() - begun)
    return min(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("methods", nargs="*", default=list(METHODS), metavar="METHOD")
    parser.add_argument("--along", nargs="+", default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--repeat", type=int, default=2)
    given = parser.parse_args()
    print("| method | along | sizes | seconds | exponent |\n| --- | --- | --- | --- | --- |")
    for method in given.methods:
        warm_up(config=RunConfig(method, depth=2, **METHODS[method]))
        for along in given.along:
            sizes = SIZES[along]
            taken = [seconds(method, given.repeat, **MIDDLE | {along: size}) for size in sizes]
            scale = np.asarray(sizes, float) if along == "depth" else np.log(sizes)
            slope = np.polyfit(scale, np.log(taken), 1)[0]
            found = f"{np.exp(slope):.2f} a level" if along == "depth" else f"{slope:.2f}"
            cells = method, along, ", ".join(f"{size:,}" for size in sizes)
            rates = ", ".join(f"{second:.2f}" for second in taken)
            print(f"| {' | '.join(cells)} | {rates} | {found} |", flush=True)


if __name__ == "__main__":
    main()

"""Memory of fitting and predicting, beside the table itself: each method in a process of its own.

    python -m benchmarks.memory [METHOD ...] [--rows 100000] [--features 54] [--depth 8]

The table is float32 and C-contiguous, as trees read it. The peak (``VmHWM`` of Linux) is set back
before each of the two, so that neither compiling nor drawing the table is in it. A ratio of 1 is
the table alone; what the package and its libraries take is subtracted.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.growth import METHODS, table
from treecore import RunConfig, Trainer, predict
from treecore.training.warmup import warm_up

STATUS = Path("/proc/self/status")


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


def measure(method: str, n_rows: int, n_features: int, depth: int) -> dict[str, float]:
    """Ratios of fit and prediction to the table, in this process."""
    config = RunConfig(method, depth=depth, **METHODS[method])
    warm_up(config=config)
    X, y = table(n_rows, n_features, 7)
    few = X[:2000].copy()
    predict(Trainer(config, few, y[:2000]).run(), few)
    fit, tree = peak_of(Trainer(config, X, y).run)
    found, _ = peak_of(lambda: predict(tree, X))
    return {"fit": 1 + fit / X.nbytes, "predict": 1 + found / X.nbytes}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("methods", nargs="*", default=list(METHODS), metavar="METHOD")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--features", type=int, default=54)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    size = given.rows, given.features, given.depth
    if given.here:
        print(json.dumps(measure(given.methods[0], *size)))
        return
    shape = f"{given.rows:,} rows of {given.features} features, depth {given.depth}"
    print(f"Peak memory by the size of the table: {shape}\n\n| method | fit | predict |")
    print("| --- | --- | --- |")
    for method in given.methods:
        words = ["--rows", given.rows, "--features", given.features, "--depth", given.depth]
        command = [sys.executable, "-m", "benchmarks.memory", method, "--here", *map(str, words)]
        found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        print(f"| {method} | {found['fit']:.2f} | {found['predict']:.2f} |", flush=True)


if __name__ == "__main__":
    main()

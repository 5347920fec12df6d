"""What the first fit of each method costs where nothing is compiled yet, and the second process.

    python -m benchmarks.compiling [METHOD ...]

Every method is fitted in processes of its own, on 400 rows: with an empty folder for compiled code,
and once more with what the first has left there. Seconds are those of the processor, imports not
included; the last column is importing what a run needs. Rows are written anew into
``benchmarks/results/compiling.md``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from typing import Any

from benchmarks.marks import RESULTS
from benchmarks.pages import Page
from treecore.compiling.kernel_cache import shipped_folder, sources_digest

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
"""Settings with which a fit is short and calls every kernel that the method needs."""

PAGE = Page(
    RESULTS / "compiling.md",
    "The first fit",
    "Processor seconds of a fit on 400 rows where nothing is in the user's cache yet, of one in "
    "the next process, and of imports. Kernels are compiled by the first fit, or shipped in the "
    "package (`make wheel-with-kernels`; here `python -m treecore.training.shipping` first)."
    "\nWritten by `python -m benchmarks.compiling`.",
    ("method", "kernels", "first, s", "again, s", "imports, s"),
    2,
)

FIT = """
import time
imported = time.process_time()
from treecore import RunConfig, Trainer
imported = time.process_time() - imported
import numpy as np
X = np.random.default_rng(0).standard_normal((400, 4)).astype(np.float32)
started = time.process_time()
Trainer(RunConfig({method!r}, depth=3, **{settings!r}), X, (X[:, 0] > X[:, 1]).astype(int)).run()
print(time.process_time() - started, imported)
"""


def first_fit(method: str, folder: str) -> tuple[float, float]:
    """Processor seconds of a fit and of the imports before it, in a new process."""
    program = FIT.format(method=method, settings=METHODS[method])
    environment = os.environ | {"NUMBA_CACHE_DIR": folder}
    words = [sys.executable, "-c", program]
    said = subprocess.run(words, env=environment, check=True, capture_output=True, text=True).stdout
    fit, imported = map(float, said.split())
    return fit, imported


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("methods", nargs="*", default=list(METHODS), metavar="METHOD")
    given = parser.parse_args()
    if unknown := set(given.methods) - set(METHODS):
        parser.error(f"no such method: {', '.join(sorted(unknown))}")
    kernels = "shipped" if shipped_folder(sources_digest()).is_dir() else "compiled"
    for method in given.methods:
        with tempfile.TemporaryDirectory() as folder:
            first, _ = first_fit(method, folder)
            again, imported = first_fit(method, folder)
        PAGE.keep(method, kernels, f"{first:.1f}", f"{again:.2f}", f"{imported:.2f}")


if __name__ == "__main__":
    main()

"""What the first fit of each method costs where nothing is compiled yet, and the second process.

    python -m benchmarks.compiling [METHOD ...]

Every method is fitted in processes of its own, on 60 rows: with an empty folder for compiled code,
and once more with what the first has left there. Seconds are those of the processor, imports not
included; the last column is importing what a run needs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile

from benchmarks.growth import METHODS

FIT = """
import time
imported = time.process_time()
from treecore import RunConfig, Trainer
imported = time.process_time() - imported
import numpy as np
X = np.random.default_rng(0).standard_normal((60, 4)).astype(np.float32)
begun = time.process_time()
Trainer(RunConfig({method!r}, depth=3, **{settings!r}), X, (X[:, 0] > X[:, 1]).astype(int)).run()
print(time.process_time() - begun, imported)
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
    print("| method | first, s | again, s | imports, s |\n| --- | --- | --- | --- |")
    for method in given.methods:
        with tempfile.TemporaryDirectory() as folder:
            first, _ = first_fit(method, folder)
            again, imported = first_fit(method, folder)
        print(f"| {method} | {first:.1f} | {again:.2f} | {imported:.2f} |", flush=True)


if __name__ == "__main__":
    main()

"""A table of 200,000 rows and 50 columns, read by treecore, pandas and Arrow: seconds and memory.

    python -m benchmarks.reading [--rows 200000] [--columns 50]

Every reading has a process of its own, which has read a few rows before. Seconds are those of its
processor, and memory is what the process has grown by at its peak, as Linux counts it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

READERS = {
    "treecore": "from treecore.data.sources import *; read = lambda: read_table(Source(path))",
    "pandas": "import pandas; read = lambda: getattr(pandas, 'read_' + kind)(path)",
    "Arrow": "import pyarrow.csv, pyarrow.parquet as parquet; "
    "read = lambda: pyarrow.csv.read_csv(path) if kind == 'csv' else parquet.read_table(path)",
}
FEW = 100
"""Rows of the table that is read before."""

MEASURE = r"""
import re, sys, time
peak = lambda: int(re.search(r'VmHWM:\s*(\d+)', open('/proc/self/status').read())[1]) // 1024
path, kind = sys.argv[1:]
{}
path, whole = path.replace("table.", "few."), path
read()  # what is imported and compiled for the first table is no part of this one
path = whole
before, begun = peak(), time.process_time()
table = read()
print(time.process_time() - begun, peak() - before)
"""


def measure(reader: str, path: Path) -> tuple[float, float]:
    """Seconds and MiB of the better of three processes."""
    words = [sys.executable, "-c", MEASURE.format(READERS[reader]), str(path), path.suffix[1:]]
    more = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    found = [
        subprocess.run(words, check=True, capture_output=True, text=True, env=more).stdout.split()
        for _ in range(3)
    ]
    return min(float(seconds) for seconds, _ in found), min(float(mib) for _, mib in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--columns", type=int, default=50)
    given = parser.parse_args()
    X = np.random.default_rng(0).standard_normal((given.rows, given.columns), dtype=np.float32)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(given.columns)])
    frame = frame.assign(y=(X[:, 0] > 0).astype(int))
    size = 8 * X.size / 2**20
    print(f"the table itself: {size:.0f} MiB")
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("parquet", "csv"):
            path = Path(folder) / f"table.{kind}"
            getattr(frame, f"to_{kind}")(path, index=False)
            getattr(frame[:FEW], f"to_{kind}")(path.with_stem("few"), index=False)
            found = {reader: measure(reader, path) for reader in READERS}
            for reader, (seconds, mib) in found.items():
                ratios = [found[reader][i] / found["pandas"][i] for i in (0, 1)]
                print(
                    f"{kind:8}{reader:9} {seconds:5.2f} s, {mib:4.0f} MiB; "
                    f"{ratios[0]:.1f} and {ratios[1]:.1f} times pandas; "
                    f"{mib / size:.1f} times the table"
                )


if __name__ == "__main__":
    main()

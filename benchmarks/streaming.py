"""Five million rows of 54 columns from a Parquet file, in a fresh process: seconds and peak memory.

    python -m benchmarks.streaming [--rows 5000000] [--method sgd] [--keep FOLDER]

The rows are made in row groups, never all at once: ten columns of numbers and 44 of zeros and
ones, as in Covertype, and seven classes that follow from slanted cuts through them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet

ROW_GROUP = 100_000
N_NUMBERS, N_FLAGS, N_CLASSES = 10, 44, 7


def make(path: Path, n_rows: int) -> None:
    """Write the file."""
    rng = np.random.default_rng(0)
    W = rng.standard_normal((N_CLASSES, N_NUMBERS + N_FLAGS))
    names = [f"x{j}" for j in range(1, N_NUMBERS + N_FLAGS + 1)]
    schema = pa.schema([(name, pa.float64()) for name in names] + [("class", pa.int64())])
    with parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, n_rows, ROW_GROUP):
            n = min(ROW_GROUP, n_rows - start)
            numbers = rng.standard_normal((n, N_NUMBERS)) * 100 + 1000
            X = np.hstack([numbers, rng.random((n, N_FLAGS)) < 0.2])
            score = np.hstack([(numbers - 1000) / 100, X[:, N_NUMBERS:]]) @ W.T
            columns = [*X.T, (score + rng.gumbel(size=score.shape)).argmax(axis=1)]
            writer.write_table(pa.table(columns, schema=schema))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--method", default="sgd")
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--keep", type=Path, help="folder for the file, to be used again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = (given.keep or Path(folder)) / f"rows-{given.rows}.parquet"
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            make(place, given.rows)
        size = place.stat().st_size
        print(f"{given.rows} rows x {N_NUMBERS + N_FLAGS} columns, {size / 2**20:.0f} MiB on disk")
        begun = time.perf_counter()
        words = [str(place), "--stream", "--method", given.method, "--depth", str(given.depth)]
        process = subprocess.run(
            [sys.executable, "-m", "treecore", "train", *words, "--run", f"{folder}/run"],
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
            check=True,
            stderr=subprocess.PIPE,
            text=True,
        )
        seconds = time.perf_counter() - begun
        figures = json.loads(Path(folder, "run", "metrics.json").read_text())
    peak = next(line for line in process.stderr.splitlines() if line.startswith("Peak memory"))
    load = os.getloadavg()[0]
    print(f"{peak} (the aim is under 1024 MiB); {seconds:.0f} s in all, load {load:.1f}")
    print(f"held-out accuracy {figures['validation_accuracy']:.4f}, "
          f"{figures['seconds']:.0f} s of learning")  # fmt: skip


if __name__ == "__main__":
    main()

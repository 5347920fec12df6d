"""A sweep of 64 runs with one worker and with two: seconds of each, and their ratio.

    python -m benchmarks.sweep [--runs 64] [--epochs 300] [--workers 2]

Both do the same runs in new folders; one worker is this process, several are joblib's. Before,
small sweeps go on until every worker has done a run, so that its start and the loading of its
compiled code are told apart: the second ratio counts them in. The aim is 1.8 on two cores that
have nothing else to do; the load beside says whether they had.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time

from treecore.sweeps import LocalPool, Sweep, read_spec


def spec(n_runs: int, epochs: int):
    """A sweep of that many candidates on the digits, all of one length."""
    nus = [round(1.1**k, 4) for k in range(n_runs)]
    return read_spec(
        {
            "data": {"name": "sklearn:digits", "test": 0.25, "validation": 0.2},
            "final": {"seeds": [0]},
            "methods": [{"method": "sgd", "depth": 6, "epochs": epochs, "nu": nus}],
        }
    )


def timed(n_workers: int, n_runs: int, epochs: int) -> tuple[float, float]:
    """Seconds until the processes are at work, and of the sweep after that."""
    with tempfile.TemporaryDirectory() as folder:
        started, seen, attempt = time.perf_counter(), set(), 0
        while len(seen) < n_workers:
            attempt += 1
            small = spec(8 * n_workers, 5)
            with Sweep(small, f"{folder}/small-{attempt}", LocalPool(n_workers)) as sweep:
                seen |= {step.row["worker"] for step in sweep.run()}
        ready = time.perf_counter()
        # Its last run, the chosen tree's, has nobody to share the time with: not counted.
        with Sweep(spec(n_runs, epochs), f"{folder}/whole", LocalPool(n_workers)) as sweep:
            for step in sweep.run():
                if step.row["stage"] == "search":
                    done = time.perf_counter()
        return ready - started, done - ready


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=300)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    print(f"{os.cpu_count()} cores, load before {os.getloadavg()[0]:.1f}")
    found, entire = {}, {}
    for n in (1, given.workers):
        start, found[n] = timed(n, given.runs, given.epochs)
        entire[n] = start + found[n]
        print(f"{n} workers: {given.runs} runs in {found[n]:.1f} s, after {start:.1f} s of "
              f"starting; load {os.getloadavg()[0]:.1f}")  # fmt: skip
    n = given.workers
    print(f"{n} workers are {found[1] / found[n]:.2f} times as fast as one; with their start, "
          f"{entire[1] / entire[n]:.2f} times")  # fmt: skip


if __name__ == "__main__":
    main()

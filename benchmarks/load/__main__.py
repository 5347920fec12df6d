"""Many visitors at once: how long pages and clicks take, pictures a second, and what it costs.

    python -m benchmarks.load --visitors 30 --minutes 10
    python -m benchmarks.load --visitors 1 10 30 --minutes 1

It serves the app itself, anew for every number of visitors. The visitors are one process, and take
a part of the same processors. Everything ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from pathlib import Path

from benchmarks.load.figures import Cost, Measured, header, row
from benchmarks.load.visitor import Visitor, arrive
from tests.helpers.browser import serving
from ui.server.metrics import Usage, cores, usage

ARRIVE_SECONDS = 15.0
"""Within which all visitors open their page."""

WARM_SECONDS = 4.0
FORGET_SECONDS = 135.0
"""After which Streamlit has forgotten a session without a tab (``disconnectedSessionTTL``)."""

SETTLE_SECONDS = 10.0


async def watch(pid: int, seen: list[Usage]) -> None:
    """Look at a process once a second."""
    while True:
        seen.append(usage(pid))
        await asyncio.sleep(1.0)


async def one_visit(address: str, seconds: float) -> None:
    """Somebody comes, plays, and leaves."""
    await arrive([Visitor(address, 10_000)], 0.0, time.monotonic() + seconds)


async def measure(
    address: str, pid: int, n_visitors: int, seconds: float
) -> tuple[list[Measured], Cost]:
    """Have them come, use the app and leave; gives what they saw and what it cost."""
    await one_visit(address, WARM_SECONDS)  # what is loaded for the first visitor is no one's cost
    visitors = [Visitor(address, number) for number in range(n_visitors)]
    seen: list[Usage] = []
    watching = asyncio.create_task(watch(pid, seen))
    await arrive(visitors, min(ARRIVE_SECONDS, seconds / 4), time.monotonic() + seconds)
    watching.cancel()
    end = usage(pid)
    # Streamlit drops what it has forgotten when the next visitor comes or goes.
    await asyncio.sleep(FORGET_SECONDS)
    await one_visit(address, WARM_SECONDS)
    await asyncio.sleep(SETTLE_SECONDS)
    moments = seen[0], max(seen, key=lambda one: one.mebibytes), usage(pid)
    threads = seen[0].threads, max(one.threads for one in seen), moments[-1].threads
    memory = tuple(one.mebibytes for one in moments)
    return [visitor.measured for visitor in visitors], Cost(cores(seen[0], end), memory, threads)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--visitors", type=int, nargs="+", default=[30])
    parser.add_argument("--minutes", type=float, default=1.0, help="of every number of visitors")
    options = parser.parse_args()
    print(header(), flush=True)
    for n_visitors in options.visitors:
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as served:
            who = served.address, served.process.pid
            measured, cost = asyncio.run(measure(*who, n_visitors, 60 * options.minutes))
        print(row(measured, cost, 60 * options.minutes), flush=True)
        print(f"<!-- {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} -->")
        for reason in sorted({one.lost for one in measured if one.lost}):
            print(f"<!-- lost: {reason} -->")


if __name__ == "__main__":
    main()

"""How long things take beside one another, on a machine that has other work as well."""

from __future__ import annotations

import time
from collections.abc import Callable


def processor_seconds(run: Callable[[], object]) -> float:
    """Seconds of processor time that one call takes, of all threads together."""
    started = time.process_time()
    run()
    return time.process_time() - started


def least_seconds(turns: int, **runs: Callable[[], object]) -> dict[str, float]:
    """Least processor seconds of each, which take turns; a turn before them warms up."""
    taken = [{name: processor_seconds(run) for name, run in runs.items()} for _ in range(turns + 1)]
    return {name: min(turn[name] for turn in taken[1:]) for name in runs}

"""The memory that a forest will take at most, estimated before the first tree is grown."""

from __future__ import annotations

import os


def forest_bytes(
    n_trees: int, n_leaves: int, n_features: int, n_outputs: int, oblique: bool
) -> int:
    """Most bytes that the trees of a forest take, also those laid end to end for predicting."""
    per_split = 20 + (4 * n_features if oblique else 0)
    per_leaf = 4 * n_outputs
    once = n_leaves * (per_split + per_leaf)
    again = n_leaves * (per_split + 2 * per_leaf)
    return n_trees * (once + again)


def free_bytes() -> int | None:
    """Memory that is free now; None where the system does not say."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return 1024 * int(line.split()[1])
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return None


def check_memory(needed: int, free: int | None, n_trees: int) -> None:
    """Raise ValueError, with both, where a forest needs more than nine tenths of the free bytes."""
    if needed > (most := needed if free is None else free * 9 // 10):
        fitting = n_trees * most // needed
        advice = "even one tree would not fit: make them shallower"
        if fitting:
            advice = f"take at most {fitting:,} trees, or make them shallower"
        raise ValueError(
            f"{n_trees:,} trees may need {_size(needed)} of memory, but {_size(most)} are free; "
            f"{advice}"
        )


def _size(n_bytes: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB"):
        if n_bytes < 1000:
            return f"{n_bytes:.3g} {unit}"
        n_bytes /= 1000
    return f"{n_bytes:,.3g} TB"

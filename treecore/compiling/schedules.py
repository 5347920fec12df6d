"""How a learning rate falls over a run."""

from __future__ import annotations

import math

from treecore.compiling.kernels import kernel

SCHEDULES = ("constant", "linear", "cosine")
"""By name; kernels know a schedule by its place."""


@kernel
def share_left(schedule, progress):
    """The share of the learning rate that is left, by the share of the run that is done."""
    if schedule == 1:
        return 1.0 - progress
    return 0.5 * (1.0 + math.cos(math.pi * progress)) if schedule == 2 else 1.0

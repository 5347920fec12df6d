"""How much work fits into one step of a run, so that whoever drives it can react."""

from __future__ import annotations

import time

SLICE_SECONDS = 0.004
"""Time that one :meth:`Trainer.step` aims for: a click is answered between two of them."""


_is_fine = time.get_clock_info("thread_time").resolution <= 1e-4
work_time = time.thread_time if _is_fine else time.perf_counter
"""Clock of what portions take, in seconds; only differences within one thread mean anything. On the
wall a portion that waits for Python's lock would look slow, be cut smaller, and wait more."""


class TimeBudget:
    """How many units fit into ``SLICE_SECONDS`` of work, learnt from the portions so far."""

    def __init__(self):
        self.budget = 64
        self.elapsed = 0.0

    def adapt(self, units: int, seconds: float) -> None:
        """Learn from one portion of so many units and seconds of :data:`work_time`."""
        self.elapsed += seconds
        fitting = SLICE_SECONDS * units / max(seconds, 1e-7)
        # Grows by steps, so that one lucky measurement cannot make a slice a second long.
        self.budget = int(min(max(fitting, self.budget / 4, 16), self.budget * 4))

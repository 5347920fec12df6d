"""How much work fits into one step of a run, so that whoever drives it can react."""

from __future__ import annotations

import time

SLICE_SECONDS = 0.004
"""Time that one :meth:`Trainer.step` aims for: a click is answered between two of them."""

FINEST_TICK = 1e-4


def _worker_clock():
    """The present thread's processor seconds, or those on the wall where they come in large steps.

    Beside other threads a portion waits for Python's lock, up to 5 ms each time. On the wall it
    looked slow then, was cut smaller, and so waited all the more often: fifty rows at a time.
    """
    fine = time.get_clock_info("thread_time").resolution <= FINEST_TICK
    return time.thread_time if fine else time.perf_counter


work_time = _worker_clock()
"""Clock of what portions take, in seconds; only differences within one thread mean anything."""


class TimeBudget:
    """How many units of work fit into a slice of time, learnt from the portions done so far.

    budget: units that should fit into ``SLICE_SECONDS`` of :data:`work_time`; elapsed: seconds of
    all portions so far.
    """

    def __init__(self):
        self.budget = 64
        self.elapsed = 0.0

    def adapt(self, units: int, seconds: float) -> None:
        """Learn from one portion.

        units: units of work done; seconds: time that they took, by :data:`work_time`.
        """
        self.elapsed += seconds
        fitting = SLICE_SECONDS * units / max(seconds, 1e-7)
        # Grows by steps, so that one lucky measurement cannot make a slice a second long.
        self.budget = int(min(max(fitting, self.budget / 4, 16), self.budget * 4))

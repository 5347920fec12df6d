"""How much work fits into one step of a run, so that whoever drives it can react."""

from __future__ import annotations

SLICE_SECONDS = 0.004
"""Time that one :meth:`Trainer.step` aims for: a click is answered between two of them."""


class TimeBudget:
    """How many units of work fit into a slice of time, learnt from the portions done so far.

    Attributes
    ----------
    budget : int
        Units that should fit into ``SLICE_SECONDS``.
    spent : float
        Seconds of all portions so far.
    """

    def __init__(self):
        self.budget = 64
        self.spent = 0.0

    def adapt(self, units: int, seconds: float) -> None:
        """Learn from one portion.

        Parameters
        ----------
        units : int
            Units of work done.
        seconds : float
            Time that they took.
        """
        self.spent += seconds
        fitting = SLICE_SECONDS * units / max(seconds, 1e-7)
        # Grows by steps, so that one lucky measurement cannot make a slice a second long.
        self.budget = int(min(max(fitting, self.budget / 4, 16), self.budget * 4))

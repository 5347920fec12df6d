"""What makes the steps of several jobs wait for one another."""

from __future__ import annotations

from typing import Protocol


class Turns(Protocol):
    """What makes steps of several jobs wait: :class:`ui.jobs.machine.scheduler.ProcessorTurn`."""

    def take(self, elapsed: float) -> bool:
        """Wait until a step may be done; False where a nudge has come first."""
        ...

    def leave(self) -> None:
        """No step will be done for a while."""
        ...

    def nudge(self) -> None:
        """A command has come."""
        ...

    def busy(self) -> str:
        """How long the wait is, in a sentence, where it is worth one."""
        ...

    def n_others(self) -> int:
        """Other sessions that learn now."""
        ...


class NoTurns:
    """Turns of a job that waits for no other."""

    def take(self, elapsed: float) -> bool:
        return True

    def leave(self) -> None:
        pass

    def nudge(self) -> None:
        pass

    def busy(self) -> str:
        return ""

    def n_others(self) -> int:
        return 0

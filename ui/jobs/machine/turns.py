"""What makes the steps of several jobs wait for one another."""


class Turns:
    """Turns of a job that waits for no other; see :class:`.ProcessorTurn` for one that does."""

    def take(self, elapsed: float) -> bool:
        """Wait until a step may be done; False where a nudge has come first."""
        return True

    def leave(self) -> None:
        """No step will be done for a while."""

    def nudge(self) -> None:
        """A command has come."""

    def busy(self) -> str:
        """How long the wait is, in a sentence, where it is worth one."""
        return ""

    def n_others(self) -> int:
        return 0

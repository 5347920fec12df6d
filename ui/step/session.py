"""Where a visitor of the page *One step* stands: the steps applied, the example shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from treecore.inspection.sgd_debugger import REASSIGN


@dataclass
class Walk:
    """Steps taken by hand, and the examples looked at.

    - visits: rows whose steps have been applied, and ``REASSIGN``.
    - place: how many places of the run's order have been passed.
    - chosen: a row picked out of the order.
    - hardest: whether the row of greatest bound is shown, whichever that is.
    - first: the place at which the walk began.
    """

    visits: list[int] = field(default_factory=list)
    place: int = 0
    chosen: int | None = None
    hardest: bool = False
    first: int = 0

    def row(self, order: Sequence[int] | np.ndarray, bounds: Sequence[float] | np.ndarray) -> int:
        """The row that is shown."""
        if self.hardest:
            return int(max(range(len(bounds)), key=bounds.__getitem__))
        if self.chosen is not None:
            return self.chosen % len(order)
        return int(order[self.place % len(order)])

    @property
    def at_the_beginning(self) -> bool:
        """Whether nothing has been chosen, so that the usual example is shown."""
        return not self.hardest and self.chosen is None and self.place == self.first

    def next(self) -> None:
        """Show the next example of the run's order."""
        if not (self.hardest or self.chosen is not None):
            self.place += 1
        self.back_to_order()

    def next_turning(
        self, order: Sequence[int] | np.ndarray, turning: Sequence[bool] | np.ndarray
    ) -> None:
        """Show the next example of the order whose step turns a split; the next, if none does."""
        self.next()
        for ahead in range(len(order)):
            if turning[order[(self.place + ahead) % len(order)]]:
                self.place += ahead
                return

    def previous(self) -> None:
        """Show the example before it in the order."""
        if not (self.hardest or self.chosen is not None):
            self.place = max(0, self.place - 1)
        self.back_to_order()

    def back_to_order(self) -> None:
        self.chosen, self.hardest = None, False

    def to_hardest(self) -> None:
        """Show the example of greatest bound."""
        self.chosen, self.hardest = None, True

    def choose(self, row: int) -> None:
        """Show one example."""
        self.chosen, self.hardest = row, False

    def apply(self, row: int) -> None:
        """Really take this example's step, and go on: in the order, or to what is hardest then."""
        self.visits.append(row)
        if not self.hardest:
            if self.chosen is None:
                self.place += 1
            self.chosen = None

    def reassign(self) -> None:
        """Stable SGD: assign all examples anew."""
        self.visits.append(REASSIGN)

    def undo(self) -> None:
        """Take the last step back and show its example."""
        if self.visits:
            row = self.visits.pop()
            if row != REASSIGN:
                self.choose(row)


def begin(order: Sequence[int] | np.ndarray, turning: Sequence[bool] | np.ndarray) -> Walk:
    """A walk that begins where there is something to see."""
    walk = Walk(place=-1)
    walk.next_turning(order, turning)
    walk.first = walk.place
    return walk

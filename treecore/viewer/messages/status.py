"""What is seen of a run at one moment: its state, its figures so far, and its latest trees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treecore.core.tree import Tree
from treecore.training.events import Event

History = tuple[Event, ...]
"""One event for every measured tree of a run's own method, oldest first."""


@dataclass(frozen=True)
class Frame:
    """The tree at one moment; number: counts up in a run; time: seconds on the server's clock.

    - assigned: int32 (n_samples,) or None, the leaf that the gradient uses for every training row.
    - points: what a message says of the points, where that is known already.
    """

    number: int
    time: float
    event: Event
    tree: Tree
    assigned: np.ndarray | None = None
    points: dict[str, np.ndarray] | None = None


@dataclass(frozen=True)
class Status:
    """What there is to see, taken at one moment.

    - state: ``"waiting"`` (no tree yet), ``"running"``, ``"paused"``, ``"finished"``, ``"failed"``.
    - message: what the thread is busy with, what it waits for, or what went wrong; or empty.
    - event, frames: the latest, frames oldest first; history: one for every measured tree, thinned.
    - counts: int64 (n_leaves, n_classes) or None, rows by leaf and class, of the last measured
      tree.
    """

    state: str
    message: str
    event: Event | None
    frames: tuple[Frame, ...]
    history: History
    counts: np.ndarray | None

    @property
    def resting(self) -> str:
        """The state, and of a run at rest which tree: a page that tells of it is drawn for that."""
        if self.state in ("waiting", "running"):
            return self.state
        return f"{self.state} {self.frames[-1].number if self.frames else -1}"

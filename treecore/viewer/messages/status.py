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
    """The tree at one moment.

    - number: counts up within a run.
    - time: seconds since the run began, on the server's clock.
    - tree: reads raw features.
    - assigned: int32 (n_samples,) or None, the leaf that the gradient uses for every training row,
      where the method keeps them; frames between two assignments share it.
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

    - state: ``"waiting"`` (no tree yet), ``"running"``, ``"paused"``, ``"finished"`` or
      ``"failed"``.
    - message: what the thread is busy with, what it waits for, or what went wrong; empty when there
      is nothing to say.
    - event: the latest.
    - frames: the latest ones, oldest first.
    - history: one for every measured tree of the run's own method, thinned when there are many.
    - counts: int64 (n_leaves, n_classes) or None, training rows by leaf and class, of the last
      measured tree.
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

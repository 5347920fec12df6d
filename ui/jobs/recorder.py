"""What is recorded of a run: models it went through, each with all that a clock could ask for.

Runs that are compared are recorded as they learn and shown from that, so that any clock can put
them side by side, forwards and backwards, and a change of clock learns nothing anew.
"""

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np

from treecore import Event, Trainer, Tree
from treecore.training import ForestTrainer, find_method
from ui.jobs.machine.memory import Account
from ui.jobs.models import Model, depth, n_bytes, n_leaves, n_splits, n_weights

MOST_SNAPSHOTS = 600
"""Shots kept of one run."""

MIN_SNAPSHOTS = 12
MOST_BYTES = 64 << 20
"""What the models of one run may take, or less where many visitors share the server's memory, as
long as that is ``MIN_SNAPSHOTS`` of them."""

GAP, GAP_RATIO = 1 / 64, 1 / 200
"""Passes between two snapshots, at least, and as a share of the passes done."""

MOST_DRAWN = 1500
"""Points on the map of a forest; more would hide it, and each other."""


Recorded = TypeVar("Recorded", bound=Model)


@dataclass(frozen=True, eq=False)
class Snapshot(Generic[Recorded]):
    """The model of a run at one moment, with the figures of the last measured tree.

    counts: int64 (n_leaves, n_classes), of a measured tree; row_weights: of the :func:`drawn_rows`.
    """

    event: Event
    model: Recorded
    counts: np.ndarray | None = None
    share: float = 0.0
    row_weights: np.ndarray | None = None
    points: dict[str, np.ndarray] | None = None

    @cached_property
    def n_leaves(self) -> int | None:
        """Active leaves of a tree, as they were measured; all leaves of a forest's trees."""
        found = self.event.active_leaves
        if found is None and not isinstance(self.model, Tree):
            return n_leaves(self.model)
        return found

    @cached_property
    def n_weights(self) -> int:
        """Weights that are not zero; a split on one feature has one."""
        return n_weights(self.model)

    @cached_property
    def n_splits(self) -> int:
        return n_splits(self.model)

    @cached_property
    def depth(self) -> int:
        return depth(self.model)


class Recorder:
    """Keeps at most ``MOST_SNAPSHOTS`` of a run, densely at its beginning."""

    def __init__(self, method: str, memory: Account | None = None):
        self._method, self._memory = method, memory
        self._lock = threading.Lock()
        self.forget()

    def forget(self) -> None:
        with self._lock:
            self._earlier: tuple[Snapshot, ...] = ()
            self._snapshots: list[Snapshot] = []
            self._finished = self._measured = False

    def share(self, trainer: Trainer, event: Event | None) -> float | None:
        """The share of a pass to do before the next event; None for a full slice."""
        if find_method(self._method).family != "tree":
            return None
        if event is not None and find_method(event.stage).unit == "level":
            return 1 / 64  # of a level between two looks for new nodes
        return min(1.0, _gap(0.0 if event is None else event.done))

    def note(self, trainer: Trainer, event: Event) -> None:
        """Keep the present tree if it is a new one and its time has come."""
        self._measured |= event.complete
        last = self._snapshots[-1] if self._snapshots else None
        if not self._measured or not (event.complete or self._due(trainer, event, last)):
            return
        snapshot = Snapshot(
            event,
            trainer.present,
            getattr(trainer, "counts", None) if event.complete else None,
            event.progress if event.stage == self._method else 0.0,
            _row_weights(trainer),
        )
        with self._lock:
            moment = (event.stage, event.done)
            if last is not None and (last.event.stage, last.event.done) == moment:
                self._snapshots[-1] = snapshot  # the same tree, measured now
            else:
                self._snapshots.append(snapshot)
            self._finished = trainer.finished
            if len(self._snapshots) > (limit := self._limit(snapshot.model)):
                self._snapshots = thinned(self._snapshots, limit // 2)

    def show(self, earlier: Sequence[Snapshot]) -> None:
        """Give these of the same run, learnt before, until they are taken away by none."""
        with self._lock:
            self._earlier = tuple(earlier)

    @property
    def shows_earlier(self) -> bool:
        return bool(self._earlier)

    def snapshots(self) -> tuple[tuple[Snapshot, ...], bool]:
        """All snapshots, oldest first, and whether the last one is the finished tree."""
        with self._lock:
            if self._earlier:
                return self._earlier, True
            return tuple(self._snapshots), self._finished

    def _due(self, trainer: Trainer, event: Event, last: Snapshot | None) -> bool:
        if last is None or event.stage != last.event.stage:
            return True
        if find_method(event.stage).family != "tree":
            return False  # but for what is measured
        if find_method(event.stage).unit == "level":
            return n_splits(trainer.present) != last.n_splits
        return event.done - last.event.done >= 0.99 * _gap(last.event.done)

    def _limit(self, tree: Model) -> int:
        most = MOST_BYTES if self._memory is None else min(MOST_BYTES, self._memory.run_bytes)
        return max(MIN_SNAPSHOTS, min(MOST_SNAPSHOTS, most // max(1, n_bytes(tree))))


def drawn_rows(n: int) -> np.ndarray:
    """Which of n training rows are drawn on the map of a forest: all, or some evenly among them."""
    return np.arange(n) if n <= MOST_DRAWN else np.linspace(0, n - 1, MOST_DRAWN).astype(int)


def _row_weights(trainer: Trainer) -> np.ndarray | None:
    if not isinstance(trainer, ForestTrainer) or trainer.boosting is None:
        return None
    weights = trainer.weights
    return (weights[drawn_rows(len(weights))] * len(weights)).astype(np.float32)


def thinned(snapshots: list[Snapshot], n: int) -> list[Snapshot]:
    """About ``n`` snapshots with both ends, half evenly over seconds, half over their logarithm."""
    seconds = np.array([snapshot.event.seconds for snapshot in snapshots])
    end = max(seconds[-1], 1e-12)
    begin = min(seconds[seconds > 0], default=end)
    log = np.log(np.maximum(seconds, begin) / begin) / max(math.log(end / begin), 1e-12)
    bins = np.floor(n * (seconds / end + log) / 2).astype(int)
    best: dict[int, Snapshot] = {}
    for place, snapshot in zip(bins, snapshots, strict=True):
        # A measured tree has figures: it comes before one that has not.
        if snapshot.event.complete or place not in best or not best[place].event.complete:
            best[place] = snapshot
    chosen = {id(snapshot) for snapshot in (snapshots[0], *best.values(), snapshots[-1])}
    return [snapshot for snapshot in snapshots if id(snapshot) in chosen]


def _gap(epoch: float) -> float:
    return max(GAP, GAP_RATIO * epoch)

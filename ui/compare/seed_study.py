"""The spread over seeds: the same comparison again and again, each time with another seed.

One run says little: another division into training and held-out rows, another order of the
examples, and the better method may be the worse one. The runs are done in a background thread,
after those on the screen, and what is done stays when the thread is stopped.
"""

from __future__ import annotations

import logging
import statistics
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from treecore import RunConfig, Trainer, Tree
from ui.jobs.background import UNWATCHED_SECONDS
from ui.jobs.chosen_data import ChosenData
from ui.jobs.metrics import goodness
from ui.jobs.pacing import WallClock
from ui.jobs.scheduler import Turns

FORGOTTEN_SECONDS = 600.0
"""Runs that nobody has asked about for so long end, with what they have done."""

MOST_LEAVES = 128
"""Leaves of a tree that a small drawing can show."""

LAST_IN_LINE = float("inf")
"""Turns go first to whoever has spent least: these runs wait for those that are watched."""


@dataclass(frozen=True)
class Result:
    """One finished run: its contestant's number, its seed, and its figures.

    ``good`` is the accuracy on held-out classes, or R² of held-out numbers. ``tree`` is None where
    no small picture could show it; of more than two features it has no weights.
    """

    contestant: int
    seed: int
    good: float
    loss: float
    seconds: float
    tree: Tree | None = None


@dataclass(frozen=True)
class Progress:
    """How far the runs are, taken at one moment.

    Attributes
    ----------
    results : tuple of Result
        In the order in which the runs ended.
    share : float
        How much is done, 0 to 1.
    seconds_left : float or None
        None while too little is known.
    running : bool
    message : str
        What went wrong; empty when nothing did.
    """

    results: tuple[Result, ...]
    share: float
    seconds_left: float | None
    running: bool
    message: str


class Spread:
    """Runs of all contestants for several seeds, in a thread.

    Parameters
    ----------
    data : callable (seed) -> ChosenData
        With held-out rows.
    configs : sequence of RunConfig
        One a contestant; their seeds are replaced.
    seeds : sequence of int
    turns : Turns
    wall : WallClock or None
        None: the real one.
    """

    def __init__(
        self,
        data: Callable[[int], ChosenData],
        configs: Sequence[RunConfig],
        seeds: Sequence[int],
        turns: Turns,
        wall: WallClock | None = None,
    ):
        self._data, self._configs, self._seeds, self._turns = data, tuple(configs), seeds, turns
        self._wall = wall or WallClock()
        self._changed = threading.Condition()
        self._stopped = False
        self._results: list[Result] = []
        self._present = (0, 0.0)  # contestant and share of the run being done
        self._took: list[list[float]] = [[] for _ in configs]  # wall seconds of finished runs
        self._message = ""
        self._last_look = self._wall.now()
        self._thread = threading.Thread(target=self._run, name="treecore-seeds", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End soon; what is done stays."""
        with self._changed:
            self._stopped = True
            self._changed.notify()

    def join(self, seconds: float) -> None:
        """Wait for the end."""
        self._thread.join(seconds)

    def progress(self) -> Progress:
        """How far the runs are. They wait while nobody asks, as when a tab is gone."""
        with self._changed:
            self._last_look = self._wall.now()
            self._changed.notify()
            contestant, share = self._present
            n = len(self._configs) * len(self._seeds)
            done = len(self._results)
            running = self._thread.is_alive()
            left = None
            if running and all(self._took):
                mean = [statistics.fmean(took) for took in self._took]
                left = sum(
                    mean[i] * (len(self._seeds) - len(self._took[i])) for i in range(len(mean))
                )
                left = max(0.0, left - share * mean[contestant])
            share = min(1.0, (done + (share if running else 0.0)) / n)
            return Progress(tuple(self._results), share, left, running, self._message)

    def _run(self) -> None:
        try:
            for seed in self._seeds:  # all contestants of a seed before the next one
                data = self._data(seed)
                for number, config in enumerate(self._configs):
                    begun = self._wall.now()
                    result = self._one(number, config.replace(seed=seed), data)
                    if result is None:
                        return
                    with self._changed:
                        self._results.append(result)
                        self._took[number].append(self._wall.now() - begun)
                        self._present = (number, 0.0)
        except ValueError as error:  # a seed whose rows no tree can be learnt from
            self._tell(str(error))
        except Exception:  # a defect: say so on the screen, and in full in the log
            logging.getLogger(__name__).exception("a run over seeds has failed")
            self._tell("Something went wrong; the log of the server says what.")

    def _one(self, number: int, config: RunConfig, data: ChosenData) -> Result | None:
        trainer = Trainer(
            config,
            data.train.X,
            data.train.y,
            validation=(data.held.X, data.held.y),
            n_classes=data.train.n_classes,
        )
        event = None
        while not trainer.finished:
            if not self._may_go_on():
                return None
            with self._turns.turn(LAST_IN_LINE):
                event = trainer.step()
            with self._changed:
                own = event.stage == config.method
                self._present = (number, event.progress if own else 0.0)
        return Result(
            number,
            config.seed,
            goodness(event),
            event.validation_loss,
            event.seconds,
            _sketch(trainer.present) if isinstance(trainer.present, Tree) else None,
        )

    def _may_go_on(self) -> bool:
        """Wait while nobody asks; False when the runs should end."""
        with self._changed:
            while not self._stopped:
                alone = self._wall.now() - self._last_look
                if alone < UNWATCHED_SECONDS:
                    return True
                if alone >= FORGOTTEN_SECONDS:
                    break
                self._wall.wait(self._changed, FORGOTTEN_SECONDS - alone)
            return False

    def _tell(self, message: str) -> None:
        with self._changed:
            self._message = message


def _sketch(tree: Tree) -> Tree | None:
    """What a small picture needs of a tree; runs over seeds are many, and weights may be large."""
    if tree.n_features <= 2:
        return tree
    return tree._replace(weights=tree.weights[:0]) if tree.n_leaves <= MOST_LEAVES else None


@dataclass(frozen=True)
class Summary:
    """What one contestant got right over seeds; see :class:`Result`.

    Attributes
    ----------
    deviation : float or None
        Of the sample, with n - 1 below; None for a single run.
    """

    values: tuple[float, ...]
    seeds: tuple[int, ...]
    mean: float
    deviation: float | None


def summary(results: Sequence[Result], contestant: int) -> Summary | None:
    """What the finished runs of a contestant say; None before the first."""
    own = [result for result in results if result.contestant == contestant]
    if not own:
        return None
    values = tuple(result.good for result in own)
    deviation = statistics.stdev(values) if len(values) > 1 else None
    return Summary(values, tuple(r.seed for r in own), statistics.fmean(values), deviation)


def wins(results: Sequence[Result], first: int, second: int) -> tuple[int, int, int]:
    """Seeds on which the first is better, equally good, less good."""
    found = {(r.contestant, r.seed): r.good for r in results}
    both = [
        (found[first, seed], found[second, seed])
        for who, seed in found
        if who == first and (second, seed) in found
    ]
    return (
        sum(a > b for a, b in both),
        sum(a == b for a, b in both),
        sum(a < b for a, b in both),
    )

"""The one door: settings go in, a trainer steps, an event comes out of every step.

::

    RunConfig ──> Trainer ── step() ──> Event ──> page | progress bar | test
                     └── tree, finished

The page, the estimators, the command line and the tests all come through here, so what a screen
shows is what the tests check.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore.datasets import split_rows
from treecore.methods import TrainingRows, find_method
from treecore.metrics import figures_of
from treecore.routing import as_rows
from treecore.settings import Settings
from treecore.trainer import Event, Learner
from treecore.tree import Tree

SLICE_SECONDS = 0.004
"""Time that one :meth:`Trainer.step` aims for: a click is answered between two of them."""

MAX_LOG_ODDS = 1e4
"""Greatest leaf value of a starting tree: a probability of e^-10000 is beyond learning."""

MAX_CLASSES = 10_000
"""Most classes of a tree; more are a sign of numbers that were never class indices."""


@dataclass(frozen=True, init=False)
class RunConfig:
    """Everything that decides a run, besides its data. Equal configs give equal trees.

    ``RunConfig("sgd", depth=8, nu=10, seed=0)`` takes the method's settings by name; they are
    the URL, the header of the exported JSON and the id of a test.

    Attributes
    ----------
    method : str
        A name of :data:`treecore.methods.METHODS`.
    seed : int
        Seed of everything random: held-out rows, random starts, the order of the examples.
    validation : float
        Share of the rows held out to be measured only, 0 to 0.9. Ignored where the trainer is
        given validation rows.
    settings : Settings
        Settings of the method.
    """

    method: str
    seed: int
    validation: float
    settings: Settings

    def __init__(self, method: str = "sgd", *, seed: int = 0, validation: float = 0.0, **settings):
        if (
            isinstance(seed, bool)
            or not isinstance(seed, int | np.integer)
            or not 0 <= seed < 2**32
        ):
            raise ValueError(f"seed={seed!r} must be a whole number from 0 to 2^32 - 1")
        number = isinstance(validation, int | float | np.number) and not isinstance(
            validation, bool
        )
        if not number or not 0 <= validation <= 0.9:
            raise ValueError(f"validation={validation!r} must be a share between 0 and 0.9")
        object.__setattr__(self, "method", method)
        object.__setattr__(self, "seed", int(seed))
        object.__setattr__(self, "validation", float(validation))
        object.__setattr__(self, "settings", find_method(method).settings.of(**settings))

    def as_dict(self) -> dict[str, Any]:
        """Method, seed, validation and all settings in one flat dictionary."""
        own = {"method": self.method, "seed": self.seed, "validation": self.validation}
        return own | dataclasses.asdict(self.settings)

    def replace(self, **changes) -> RunConfig:
        """The same config with some entries of :meth:`as_dict` changed.

        Another method keeps the settings that it has too, and its own defaults for the others.
        """
        kept = self.as_dict()
        if changes.get("method", self.method) != self.method:
            known = {known.name for known in find_method(changes["method"]).settings.known()}
            kept = {k: v for k, v in kept.items() if k in known | {"seed", "validation"}}
        return RunConfig(**(kept | changes))


class Trainer:
    """One run: grows a tree by ``config`` from rows and labels, a few milliseconds a step.

    Parameters
    ----------
    config : RunConfig
    X : array of numbers, shape (n_samples, n_features)
    y : int array, shape (n_samples,)
        Class indices from 0.
    validation : (X, y) or None
        Rows to be measured only. None: ``config.validation`` of the rows are held out.
    n_classes : int or None
        Classes there are, where y might not show all of them.
    start : Tree or None
        A tree to go on from, instead of the one the method would start with.

    Raises
    ------
    ValueError
        In one sentence, for rows or labels that no tree can be learnt from.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> trainer = Trainer(RunConfig("sgd", depth=2, epochs=5), X, (X[:, 0] > X[:, 1]).astype(int))
    >>> for event in trainer.events():
    ...     pass
    >>> event.epoch, event.accuracy > 0.9
    (5.0, True)
    """

    def __init__(
        self,
        config: RunConfig,
        X,
        y,
        *,
        validation=None,
        n_classes: int | None = None,
        start: Tree | None = None,
    ):
        self.config = config
        rng = np.random.default_rng(config.seed)
        X, y = _labelled_rows(X, y, "training")
        if validation is None and config.validation > 0:
            train, held = split_rows(y, config.validation, config.seed)
            X, held_X, y, held_y = X[train], X[held], y[train], y[held]
        elif validation is not None:
            held_X, held_y = _labelled_rows(*validation, "validation")
            if held_X.shape[1] != X.shape[1]:
                raise ValueError(
                    f"the validation rows have {held_X.shape[1]} features, the training rows "
                    f"{X.shape[1]}"
                )
        else:
            held_X, held_y = X[:0], y[:0]
        present = 1 + int(max(y.max(), held_y.max(initial=0)))
        n_classes = max(n_classes or 2, 2)
        if present > n_classes:
            n_classes = present
        _check_start(start, X.shape[1], n_classes)
        self.rows = TrainingRows(X, y, n_classes)
        self.held_out = TrainingRows(held_X, held_y, n_classes)
        self.counts = np.zeros((1, n_classes), dtype=np.int64)
        self.finished = False
        self._rng = rng
        self._start = start
        self._share: float | None = None
        self.learner: Learner | None = None
        self._seconds = 0.0
        self._figures: dict[str, Any] = dict.fromkeys(
            ("bound", "loss", "validation_loss", "accuracy", "validation_accuracy")
        ) | {"active_leaves": 0, "n_leaves": 1}
        self._portions = self._run()

    @property
    def tree(self) -> Tree:
        """The present tree; it reads raw features. Changes with every step."""
        if self.learner is None:
            raise RuntimeError("there is no tree before the first step")
        return self.learner.tree()

    def step(self, share: float | None = None) -> Event:
        """Work for a few milliseconds.

        Parameters
        ----------
        share : float or None
            Do not do more than this share of a pass (at least one unit), so that a viewer can
            see every pass in as many pictures as wanted. How a run is cut into steps never
            changes its tree.

        Returns
        -------
        Event

        Raises
        ------
        StopIteration
            When the run was finished before this step; see ``finished``.
        ValueError
            When ``share`` is not a positive number.
        """
        if share is not None and not 0 < share < np.inf:
            raise ValueError(f"share={share!r} must be a positive number, or None")
        self._share = share
        return next(self._portions)

    def events(self) -> Iterator[Event]:
        """Run to the end; give the event of every measured tree."""
        while not self.finished:
            event = self.step()
            if event.complete:
                yield event

    def run(self) -> Tree:
        """Run to the end; give the finished tree."""
        for _ in self.events():
            pass
        return self.tree

    def _run(self) -> Iterator[Event]:
        stages = self._stages()
        for number, (name, settings) in enumerate(stages):
            begun = time.perf_counter()
            start = None if self.learner is None else self.learner.tree()
            self.learner = find_method(name).build(
                settings, self.rows, self._start if start is None else start, self._rng
            )
            self._seconds += time.perf_counter() - begun
            held_rows = self.learner.prepare(self.held_out.X)
            last = number == len(stages) - 1
            yield from self._measured(held_rows, last)
            yield from self._work(held_rows, last)

    def _stages(self) -> list[tuple[str, Settings]]:
        """Methods to run one after another: the one asked for, and before it its start."""
        stages = [(self.config.method, self.config.settings)]
        while self._start is None:
            name, settings = stages[0]
            method = find_method(name)
            earlier = method.start(settings) if method.takes_start else None
            if earlier is None:
                break
            stages.insert(0, earlier)
        return stages

    def _work(self, held_rows: np.ndarray, last: bool) -> Iterator[Event]:
        learner = self.learner
        pace = _Pace()
        while not learner.finished:
            budget = pace.budget
            if self._share is not None:
                budget = min(budget, max(1, round(self._share * learner.pass_units)))
            begun = time.perf_counter()
            done = learner.advance(budget)
            spent = time.perf_counter() - begun
            pace.adapt(done, spent)
            self._seconds += spent
            if learner.epoch == int(learner.epoch) or learner.finished:
                yield from self._measured(held_rows, last)
            else:
                yield self._event(complete=False)

    def _measured(self, held_rows: np.ndarray, last: bool) -> Iterator[Event]:
        for event in self._measure(held_rows):
            # A run is over once its last tree is measured, not when it is made.
            self.finished = last and self.learner.finished and event.complete
            yield event

    def _measure(self, held_rows: np.ndarray) -> Iterator[Event]:
        """Measure the present tree on all rows, a portion a step."""
        learner = self.learner
        values = learner.values()
        counts = np.zeros(values.shape, dtype=np.int64)
        held_counts = np.zeros_like(counts)
        bound: float | None = 0.0
        pace = _Pace()
        for rows, y, table in (
            (learner.train_rows, self.rows.y, counts),
            (held_rows, self.held_out.y, held_counts),
        ):
            start = 0
            while start < len(y):
                stop = min(len(y), start + pace.budget)
                begun = time.perf_counter()
                part = learner.measure(rows[start:stop], y[start:stop], table, table is counts)
                pace.adapt(stop - start, time.perf_counter() - begun)
                if table is counts:
                    bound = None if part is None else bound + part
                start = stop
                if pace.spent > SLICE_SECONDS and start < len(y):
                    pace.spent = 0.0
                    yield self._event(complete=False)
        figures = figures_of(counts, values)
        held = figures_of(held_counts, values) if len(self.held_out.y) else None
        self.counts = counts
        self._figures = {
            "bound": None if bound is None else bound / len(self.rows.y),
            "loss": figures.loss,
            "validation_loss": held.loss if held else None,
            "accuracy": figures.accuracy,
            "validation_accuracy": held.accuracy if held else None,
            "active_leaves": figures.active_leaves,
            "n_leaves": len(values),
        }
        yield self._event(complete=True)

    def _event(self, complete: bool) -> Event:
        learner = self.learner
        return Event(
            stage=learner.name,
            epoch=float(learner.epoch),
            complete=complete,
            progress=min(1.0, learner.epoch / learner.n_epochs) if not learner.finished else 1.0,
            row_norm=learner.row_norm,
            inner_products=learner.inner_products,
            seconds=self._seconds,
            reassignment=getattr(learner, "reassignment", None) if complete else None,
            **self._figures,
        )


class _Pace:
    """How many units of work fit into a slice, learnt from the portions done so far."""

    def __init__(self):
        self.budget = 64
        self.spent = 0.0

    def adapt(self, units: int, seconds: float) -> None:
        self.spent += seconds
        fitting = SLICE_SECONDS * units / max(seconds, 1e-7)
        # Grows by steps, so that one lucky measurement cannot make a slice a second long.
        self.budget = int(min(max(fitting, self.budget / 4, 16), self.budget * 4))


def _labelled_rows(X, y, what: str) -> tuple[np.ndarray, np.ndarray]:
    X = as_rows(X)
    y = np.asarray(y)
    if X.shape[1] == 0:
        raise ValueError(f"the {what} rows have no features")
    if X.shape[0] == 0:
        raise ValueError(f"there are no {what} rows")
    if y.shape != (X.shape[0],):
        raise ValueError(f"{what}: {X.shape[0]} rows need as many labels, y has shape {y.shape}")
    if y.dtype.kind not in "iu" or y.min() < 0:
        raise ValueError(f"{what}: y must hold class indices 0, 1, 2, ... as whole numbers")
    if y.max() >= MAX_CLASSES:  # kernels use labels as addresses
        raise ValueError(f"{what}: y holds class {y.max()}, but {MAX_CLASSES} classes are the most")
    return np.ascontiguousarray(X, dtype=np.float32), y.astype(np.int64)


def _check_start(start: Tree | None, n_features: int, n_classes: int) -> None:
    if start is None:
        return
    if start.n_features != n_features:
        raise ValueError(
            f"the starting tree reads {start.n_features} features, the data have {n_features}"
        )
    if np.abs(start.values).max() > MAX_LOG_ODDS:
        raise ValueError(
            f"the starting tree has leaf values beyond {MAX_LOG_ODDS:g}, from which nothing can "
            "be learnt"
        )
    if start.n_outputs != n_classes:
        raise ValueError(
            f"the starting tree knows {start.n_outputs} classes, the data have {n_classes}"
        )

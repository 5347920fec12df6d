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
from typing import Any

import numpy as np

from treecore.checkpoints import CheckpointError, freeze, thaw
from treecore.config import RunConfig
from treecore.events import Event
from treecore.features import FeatureMap, fit_map
from treecore.inputs import Units, check_start, read_training
from treecore.losses import LOSSES
from treecore.methods import find_method
from treecore.metrics import Tally
from treecore.moments import Moments
from treecore.pace import SLICE_SECONDS, Pace
from treecore.preparing import Given, divide, read_held_out, stages_of
from treecore.rows import n_columns, n_rows, take_rows
from treecore.trainer import Learner
from treecore.tree import Tree

_STATE = (
    "learner",
    "counts",
    "finished",
    "_rng",
    "_seconds",
    "_figures",
    "_number",
    "_measuring",
)
"""What changes in a trainer while it runs."""


class Trainer:
    """One run: grows a tree by ``config`` from rows and targets, a few milliseconds a step.

    Parameters
    ----------
    config : RunConfig
    X : array of numbers or SciPy sparse table, shape (n_samples, n_features)
        NaN stands for a missing value, which is read as its column's mean, here and by the tree.
    y : array
        Class indices from 0, shape (n_samples,); for a loss on numbers those, of shape
        (n_samples,) or (n_samples, n_outputs).
    sample_weight : array, shape (n_samples,), or None
        What each row counts, not negative; only ratios matter. None: all the same.
    validation : (X, y), (X, y, weight) or None
        Rows to be measured only. None: ``config.validation`` of the rows are held out.
    n_classes : int or None
        Classes there are, where y might not show all of them.
    start : Tree or None
        A tree to go on from, instead of the one the method would start with.
    feature_map : FeatureMap or None
        The map to use where ``config.kernel`` asks for one; None: one made for these rows.
    moments : Moments or None
        Statistics of a stream of which the rows are the latest piece, already counted. Learning
        goes on from ``start`` as it is, in the coordinates of the whole stream.

    Attributes
    ----------
    feature_map : FeatureMap or None
        What maps rows to those that the tree reads; None where it reads them as they are.

    Raises
    ------
    ValueError
        In one sentence, for rows, targets or weights that no tree can be learnt from.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> trainer = Trainer(RunConfig("sgd", depth=2, epochs=5), X, (X[:, 0] > X[:, 1]).astype(int))
    >>> for event in trainer.events():
    ...     pass
    >>> event.done, event.accuracy > 0.9
    (5.0, True)
    """

    def __init__(
        self,
        config: RunConfig,
        X,
        y,
        *,
        sample_weight=None,
        validation=None,
        n_classes: int | None = None,
        start: Tree | None = None,
        feature_map: FeatureMap | None = None,
        moments: Moments | None = None,
    ):
        self.config = config
        rng = np.random.default_rng(config.seed)
        X, y, weight, validation, n_classes = divide(
            config, Given(X, y, sample_weight, validation, n_classes)
        )
        self.feature_map = None
        if config.kernel != "none":
            self.feature_map = feature_map or fit_map(
                X, config.kernel, config.components, config.gamma, config.seed
            )
            X = self.feature_map(X)
            if validation is not None:
                validation = (self.feature_map(validation[0]), *validation[1:])
        self.rows, self._units = read_training(
            X, y, weight, config.class_weight, LOSSES[config.loss], n_classes, moments
        )
        if self.feature_map is not None:  # which fills what is missing
            nothing = np.zeros_like(self._units.missing)
            self._units = dataclasses.replace(self._units, missing=nothing)
        self.held_out = read_held_out(validation, self.rows, self._units)
        check_start(start, self.rows)
        shape = n_rows(self.rows.X), n_columns(self.rows.X)
        self._stages = stages_of(config, start, self.rows, shape)
        self.counts = np.zeros((1, 1), dtype=np.int64)
        self.finished = False
        self._rng = rng
        self._start = None if start is None else self._units.inward(start)
        self._more = {}
        if moments is not None:
            if start is None:
                raise ValueError("a stream goes on from a tree: give start as well as moments")
            find_method(config.method).check_streams()
            self._more["scaling"] = moments.scaling()
        self._share: float | None = None
        self.learner: Learner | None = None
        self._seconds = 0.0
        self._figures: dict[str, Any] = dict.fromkeys(
            (
                "bound",
                "loss",
                "validation_loss",
                "accuracy",
                "validation_accuracy",
                "r2",
                "validation_r2",
            )
        ) | {"active_leaves": 0, "n_leaves": 1}
        self._number = -1  # of the stage at work
        self._measuring = False
        self._portions = self._run()

    def state(self) -> bytes:
        """All that :meth:`restore` needs to go on from here, without the rows."""
        state = {name: getattr(self, name) for name in _STATE}
        return freeze({"config": self.config, **state}, self._known())

    def restore(self, state: bytes) -> None:
        """Go on where another trainer was that had the same config and rows.

        What comes out is bit for bit what that trainer would have made.

        Parameters
        ----------
        state : bytes
            What its :meth:`state` gave.

        Raises
        ------
        CheckpointError
            Where the state cannot be read, or is that of another config.
        """
        found = thaw(state, self._known())
        if not isinstance(found, dict) or set(found) != {"config", *_STATE}:
            raise CheckpointError("this is not the state of a trainer")
        if found["config"] != self.config:
            raise CheckpointError(
                f"the checkpoint is of a run with other settings, {found['config']}; this one "
                f"has {self.config}"
            )
        for name in _STATE:
            setattr(self, name, found[name])
        if self.learner is not None and self.learner.train_rows is None:
            self.learner.train_rows = self.learner.prepare(self.rows.X)
        self._portions = self._run(self._number)

    def _known(self) -> dict[str, Any]:
        """What a state does not carry, because whoever restores it has it."""
        known = {f"loss {name}": loss for name, loss in LOSSES.items()}
        known |= {"rows": self.rows, "X": self.rows.X, "y": self.rows.y}
        known |= {"weight": self.rows.weight}
        # Rows in a learner's own coordinates are made again from its own state.
        learner = self.learner
        own = learner is not None and learner.train_rows is not self.rows.X
        return known | {"prepared": learner.train_rows if own else None}

    @property
    def tree(self) -> Tree:
        """The present tree; it reads raw features. Changes with every step."""
        if self.learner is None:
            raise RuntimeError("there is no tree before the first step")
        return self._units.outward(self.learner.tree())

    @property
    def units(self) -> Units:
        """How numbers are scaled for training: a learner's tree is in these units."""
        return self._units

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

    def close(self) -> None:
        """End the run where it is. Its tree stays, and its rows may be forgotten at once."""
        self.finished = True
        self._portions.close()  # which holds the trainer, as the trainer holds it

    def _run(self, resumed: int = -1) -> Iterator[Event]:
        """All stages; those up to the resumed one are over or under way."""
        for number, (name, settings) in enumerate(self._stages):
            last = number == len(self._stages) - 1
            if number < resumed:
                continue
            if number == resumed:
                held_rows = self.learner.prepare(self.held_out.X)
                if self._measuring:
                    yield from self._measured(held_rows, last)
                yield from self._work(held_rows, last)
                continue
            begun = time.perf_counter()
            start = None if self.learner is None else self.learner.tree()
            start = self._start if start is None else start
            self.learner = find_method(name).build(
                settings, self.rows, start, self._rng, **self._more
            )
            self._seconds += time.perf_counter() - begun
            held_rows = self.learner.prepare(self.held_out.X)
            self._number = number
            yield from self._measured(held_rows, last)
            yield from self._work(held_rows, last)

    def _work(self, held_rows: np.ndarray, last: bool) -> Iterator[Event]:
        learner = self.learner
        pace = Pace()
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
            self._measuring = not event.complete
            # A run is over once its last tree is measured, not when it is made.
            self.finished = last and self.learner.finished and event.complete
            yield event

    def _measure(self, held_rows: np.ndarray) -> Iterator[Event]:
        """Measure the present tree on all rows, a portion a step."""
        learner = self.learner
        values = learner.values()
        bound: float | None = 0.0
        tallies = []
        pace = Pace()
        for rows, given in ((learner.train_rows, self.rows), (held_rows, self.held_out)):
            training = given is self.rows
            tally = Tally(values, given.loss)
            tallies.append(tally)
            start, n = 0, len(given.y)
            while start < n:
                part = slice(start, min(n, start + pace.budget))
                y, weight = given.y[part], given.weight[part]
                begun = time.perf_counter()
                leaf, share = learner.measure(take_rows(rows, part), y, weight, training)
                tally.add(leaf, y, weight)
                pace.adapt(len(y), time.perf_counter() - begun)
                if training:
                    bound = None if share is None else bound + share
                start = part.stop
                if pace.spent > SLICE_SECONDS and start < n:
                    pace.spent = 0.0
                    yield self._event(complete=False)
        figures = tallies[0].figures()
        held = tallies[1].figures() if len(self.held_out.y) else None
        self.counts = tallies[0].counts
        self._figures = {
            "bound": None if bound is None else bound / self.rows.weight.sum(),
            "loss": figures.loss,
            "validation_loss": held.loss if held else None,
            "accuracy": figures.accuracy,
            "validation_accuracy": held.accuracy if held else None,
            "r2": figures.r2,
            "validation_r2": held.r2 if held else None,
            "active_leaves": figures.active_leaves,
            "n_leaves": len(values),
        }
        yield self._event(complete=True)

    def _event(self, complete: bool) -> Event:
        learner = self.learner
        return Event(
            stage=learner.name,
            unit=find_method(learner.name).unit,
            done=float(learner.epoch),
            total=learner.n_epochs,
            complete=complete,
            progress=min(1.0, learner.epoch / learner.n_epochs) if not learner.finished else 1.0,
            row_norm=learner.row_norm,
            inner_products=learner.inner_products,
            seconds=self._seconds,
            reassignment=getattr(learner, "reassignment", None) if complete else None,
            **self._figures,
        )

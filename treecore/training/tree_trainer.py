"""The trainer of single trees: one method after another, and the present tree measured."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Generator, Iterator, Mapping
from typing import Any

import numpy as np

from treecore.base.state_file import State
from treecore.base.time_budget import SLICE_SECONDS, TimeBudget, work_time
from treecore.core.running_stats import RunningStats
from treecore.core.tree import Tree
from treecore.data.feature_maps import FeatureMap, fit_map
from treecore.data.validation import check_start, read_training
from treecore.learners.base import Learner
from treecore.learners.states import copied, load_state, read_tree, state_of
from treecore.losses import find_loss
from treecore.losses.metrics import Tally
from treecore.rows.training_rows import TrainingRows
from treecore.training.config import RunConfig
from treecore.training.events import Event
from treecore.training.prepare import constrain, divide, read_held_out, stages_of
from treecore.training.registry import check_streams, find_method
from treecore.training.trainer import Trainer

_STATE = ("finished", "_seconds", "_figures", "_number", "_measuring")
"""What changes in a trainer while it runs, besides its learner, its random numbers and counts."""


class TreeTrainer(Trainer):
    """One run of one tree; see :class:`treecore.training.trainer.Trainer`.

    - learner: what is at work; None before the first step.
    - counts: int64 (n_leaves, n_classes), rows by leaf and class, of the last measured tree.
    - start: a tree to go on from. feature_map: what maps rows, in place of the config's, or None.
    - moments: statistics of a stream of which the rows are the latest piece, already counted.
    - monotonic: int8 (n_features,) or None, see ``TrainingRows``.
    - categories: int (n_features,) or None, see ``TrainingRows``; all but axis-aligned trees read
      levels one by one.
    - one_unit: whether numbers to be predicted are in one unit, as shares of classes are.
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
        moments: RunningStats | None = None,
        monotonic: np.ndarray | None = None,
        categories: np.ndarray | None = None,
        one_unit: bool = False,
    ):
        self.config = config
        given = X, y, sample_weight, validation, n_classes
        X, y, weight, validation, n_classes = divide(config, *given)
        self.feature_map: FeatureMap | None = None
        if config.kernel != "none":
            self.feature_map = feature_map or fit_map(
                X, config.kernel, config.components, config.gamma, config.seed
            )
            X = self.feature_map(X)
            if validation is not None:
                validation = (self.feature_map(validation[0]), *validation[1:])
        self.rows, self.units = read_training(
            X, y, weight, config.class_weight, find_loss(config.loss), n_classes, moments, one_unit
        )
        if self.feature_map is not None:  # it fills what is missing, and makes other features
            categories = None
            nothing = np.zeros_like(self.units.missing)
            self.units = dataclasses.replace(self.units, missing=nothing)
            self.rows = dataclasses.replace(self.rows, means=None)
        self.held_out = read_held_out(validation, self.rows, self.units)
        check_start(start, self.rows)
        self._stages = stages_of(config, start, self.rows, self.rows.X.shape)
        self.rows = constrain(self.rows, monotonic, categories, self._stages, config)
        self.counts = np.zeros((1, 1), dtype=np.int64)
        self.finished = False
        self._rng = np.random.default_rng(config.seed)
        self._start = None if start is None else self.units.transform(start)
        self._more = {}
        if moments is not None:
            if start is None:
                raise ValueError("a stream continues from a tree: give start as well as moments")
            check_streams(find_method(config.method), config.settings)
            self._more["scaling"] = moments.scaling()
        self._share: float | None = None
        self.learner: Learner | None = None
        self._begun: tuple[Mapping[str, Any], Tree | None] = {}, None
        self._seconds = 0.0
        self._figures: dict[str, Any] = {"active_leaves": 0, "n_leaves": 1}
        self._number = -1  # of the stage at work
        self._measuring = False
        self._measuring_pace = TimeBudget()
        self._portions = self._run()

    def _state(self) -> State:
        state = {name: getattr(self, name) for name in _STATE}
        state |= {"_figures": dict(self._figures), "counts": self.counts.copy()}
        state["rng"] = self._rng.bit_generator.state
        if self.learner is not None:
            rng, start = self._begun
            state["begun"] = {"rng": rng, "start": None if start is None else copied(start)}
            state["learner"] = state_of(self.learner)
        return state

    def _load_state(self, state: State) -> None:
        for name in _STATE:
            setattr(self, name, state[name])
        self.counts = state["counts"].copy()
        if self._number >= 0:
            # The learner is built anew as it was at first, and then takes what has changed since.
            started = state["begun"]
            start = None if started["start"] is None else read_tree(started["start"])
            self._rng.bit_generator.state = started["rng"]
            self._build(start)
            self._rng.bit_generator.state = state["rng"]  # which a search begun again may set back
            load_state(self._at_work, state["learner"])
        self._portions = self._run(self._number)

    @property
    def model(self) -> Tree:
        """The present tree, which reads raw features. Raises RuntimeError before the first step."""
        if self.learner is None:
            raise RuntimeError("there is no tree before the first step")
        return self.units.inverse_transform(self.learner.tree())

    def mapped_rows(self, feature_map: FeatureMap | None) -> TrainingRows:
        """The training rows as a tree of this run with this ``feature_map`` reads them."""
        if feature_map is None or self.feature_map is not None:  # they are mapped already
            return self.rows
        return dataclasses.replace(self.rows, X=feature_map(self.rows.X), means=None)

    @property
    def started(self) -> bool:
        return self.learner is not None

    @property
    def _at_work(self) -> Learner:
        assert self.learner is not None, "a stage has begun"
        return self.learner

    def close(self) -> None:
        super().close()
        self._portions.close()  # which holds the trainer, as the trainer holds it

    def _step(self, share: float | None) -> Event:
        self._share = share
        return next(self._portions)

    def _build(self, start: Tree | None) -> None:
        """The learner of the stage at work, and what is needed to build it once more."""
        name, settings = self._stages[self._number]
        self._begun = self._rng.bit_generator.state, start
        self.learner = find_method(name).build(settings, self.rows, start, self._rng, **self._more)

    def beginning(self, config: RunConfig) -> Learner:
        """The learner before the first step of a run on these rows with other settings."""
        rng, start, learner = np.random.default_rng(config.seed), self._start, None
        for name, settings in stages_of(config, start, self.rows, self.rows.X.shape):
            if learner is not None:
                while not learner.finished:
                    learner.advance(self.rows.X.shape[0])
                start = learner.tree()
            learner = find_method(name).build(settings, self.rows, start, rng, **self._more)
        assert learner is not None, "there is a stage at least"
        return learner

    @property
    def has_start(self) -> bool:
        """Whether it goes on from a tree that it was given."""
        return self._start is not None

    def _run(self, resumed: int = -1) -> Generator[Event, None, None]:
        """All stages; those up to the resumed one are over or under way."""
        for number in range(max(0, resumed), len(self._stages)):
            last = number == len(self._stages) - 1
            if number > resumed:
                started = time.perf_counter()
                start = self._start if self.learner is None else self.learner.tree()
                self._number = number
                self._build(start)
                self._seconds += time.perf_counter() - started
            held_rows = self._at_work.prepare(self.held_out)
            if self._measuring or (number > resumed and self._is_due(last)):
                yield from self._measured(held_rows, last)
            yield from self._work(held_rows, last)

    def _work(self, held_rows: np.ndarray, last: bool) -> Iterator[Event]:
        learner = self._at_work
        pace = TimeBudget()
        while not learner.finished:
            budget = pace.budget
            if self._share is not None:
                budget = min(budget, max(1, round(self._share * learner.pass_units)))
            started, worked = time.perf_counter(), work_time()
            done = learner.advance(budget)
            pace.adapt(done, work_time() - worked)
            self._seconds += time.perf_counter() - started
            if self._is_due(last):
                yield from self._measured(held_rows, last)
            else:
                yield self._event(complete=False)

    def _is_due(self, last: bool) -> bool:
        """Whether the present tree is to be measured, see ``measuring``."""
        learner = self._at_work
        if learner.finished:
            return last or self.measuring != "last"
        if self.measuring == "last" or learner.epoch != int(learner.epoch):
            return False
        n, seen = len(self.rows.y), learner.pass_units
        if self.measuring == "always" or seen >= n:
            return True
        # Measuring a row takes a quarter to a thirtieth of the time of learning from it, so all
        # rows are seen eight times between two measurements.
        return learner.epoch % -(-8 * n // seen) == 0

    def _measured(self, held_rows: np.ndarray, last: bool) -> Iterator[Event]:
        for event in self._measure(held_rows):
            self._measuring = not event.complete
            # A run is over once its last tree is measured, not when it is made.
            self.finished = last and self._at_work.finished and event.complete
            yield event

    def _measure(self, held_rows: np.ndarray) -> Iterator[Event]:
        """Measure the present tree on all rows, a portion a step."""
        learner = self._at_work
        values = learner.values()
        bound: float | None = 0.0
        tallies = []
        pace = self._measuring_pace
        pace.elapsed = 0.0
        pairs = ((learner.train_rows, self.rows), (held_rows, self.held_out))
        for prepared, rows in pairs:
            training = rows is self.rows
            tally = Tally(values, rows.loss)
            tallies.append(tally)
            start, n = 0, len(rows.y)
            while start < n:
                part = slice(start, min(n, start + pace.budget))
                y, weight = rows.y[part], rows.weight[part]
                started = work_time()
                portion = prepared[part]
                leaf, share = learner.measure(portion, y, weight, training)
                tally.add(leaf, y, weight, learner.predictions(portion, leaf))
                pace.adapt(len(y), work_time() - started)
                if training:
                    bound = None if share is None else bound + share
                start = part.stop
                if pace.elapsed > SLICE_SECONDS and start < n:
                    pace.elapsed = 0.0
                    yield self._event(complete=False)
        self.counts = tallies[0].counts
        self._figures = dataclasses.asdict(tallies[0].figures()) | {"n_leaves": len(values)}
        self._figures["bound"] = None if bound is None else float(bound / self.rows.weight.sum())
        if len(self.held_out.y):
            held = tallies[1].figures()
            for name in ("loss", "accuracy", "r2"):
                self._figures[f"validation_{name}"] = getattr(held, name)
        yield self._event(complete=True)

    def _event(self, complete: bool) -> Event:
        learner = self._at_work
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

"""The trainer of hinge forests: mini-batches in small steps, an event for every hundred of them."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from treecore.base.state_file import CheckpointError, State
from treecore.data.validation import read_training
from treecore.ensembles.metrics import explained, variance
from treecore.learners.hinge.model import HingeForest
from treecore.learners.hinge.run import ROUND, advance, changing_arrays, learnt_arrays, make_run
from treecore.learners.hinge.settings import HingeSettings
from treecore.learners.states import copied, load_arrays
from treecore.losses import find_loss
from treecore.rows.training_rows import TrainingRows
from treecore.training.config import RunConfig
from treecore.training.events import Event
from treecore.training.hinge_validation import ValidationPass
from treecore.training.prepare import divide, read_held_out
from treecore.training.prepare_hinge import check_settings, initialize
from treecore.training.registry import find_method
from treecore.training.trainer import Trainer

SLICE = 0.02
"""Seconds of one step, about."""


class HingeTrainer(Trainer):
    """One run of a hinge forest; with validation rows it keeps the forest that errs least.

    start: a forest of the same kind, depth and features to go on from; new trees may join it.
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
        start: HingeForest | None = None,
    ):
        assert isinstance(config.settings, HingeSettings), "of every method of this family"
        self.config, self._settings = config, config.settings
        method = find_method(config.method)
        self._kind = method.algorithm
        given = X, y, sample_weight, validation, n_classes
        X, y, weight, validation, n_classes = divide(config, *given, weighted=True, fewest=10)
        rows, self.units = read_training(
            X, y, weight, config.class_weight, find_loss(config.loss), n_classes
        )
        self.rows = rows.complete
        check_settings(self._settings, self.rows)
        self.held_out = read_held_out(validation, self.rows, self.units).complete
        spread = self.units.spread
        k = self.rows.n_outputs
        self._unit = (spread**2 / k) if spread.size else np.ones(k)
        self._validation_pass = None
        if len(self.held_out.y):
            self._validation_pass = ValidationPass(self.held_out, self._unit)
        self._closed = False
        first = initialize(self._kind, self._settings, self.rows, self.units, config.seed, start)
        rng = np.random.default_rng([config.seed, 1])
        self._run = make_run(*first, self.rows, self._unit, self._settings, rng)
        self._seconds = 0.0
        # Mini-batches so far when the forest was measured, and when it was best; -1: never.
        self._measured_at, self.best_at = -1, -1
        self._best: dict[str, np.ndarray] | None = None
        self._figures: dict[str, Any] = {}
        self._best_figures = (np.inf, np.inf)

    @property
    def _done(self) -> int:
        """Mini-batches so far."""
        return int(self._run.clock[2])

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return self._closed or (
            self._done == self._settings.batches and self._measured_at == self._done
        )

    @finished.setter
    def finished(self, closed: bool) -> None:
        self._closed = closed

    def _step(self, share: float | None) -> Event:
        """About 20 ms of work; complete events come once in a round."""
        due = self._done % ROUND == 0 or self._done == self._settings.batches
        if due and self._measured_at != self._done:
            return self._event(self._measure())
        self._learn(share)
        return self._event(False)

    def _learn(self, share: float | None) -> None:
        """Mini-batches up to the end of the round, of the share of a pass, or of the slice."""
        began, left, budget = time.perf_counter(), ROUND, 1
        if share is not None:
            per_pass = len(self._run.order) // len(self._run.work.x)
            left = max(1, round(share * per_pass))
        while True:  # at least one, however short a slice is
            done = advance(self._run, min(budget, left))
            left, budget = left - done, 2 * budget
            ended = left == 0 or self._done % ROUND == 0 or self._done == self._settings.batches
            if ended or time.perf_counter() - began >= SLICE:
                break
        self._seconds += time.perf_counter() - began

    def _measure(self) -> bool:
        """Go on measuring; whether that is done."""
        held = None
        if self._validation_pass is not None:
            held = self._validation_pass.advance(
                self._run.layer, self._run.trees, self._settings.depth, self._run.base, SLICE
            )
            if held is None:
                return False
        self._measured_at = self._done
        loss, error, weight = self._run.sums
        figures = {}
        if weight > 0:
            figures = self._figures_of(loss / weight, error / weight, self.rows)
        self._run.sums[:] = 0.0
        if held is not None:
            validation = self._figures_of(*held, self.held_out)
            figures |= {f"validation_{name}": value for name, value in validation.items()}
            figures_held = held if self.rows.loss.is_quantile else held[::-1]
            if figures_held < self._best_figures:
                self._best_figures, self.best_at = figures_held, self._done
                self._best = copied(learnt_arrays(self._run))
        self._figures = figures
        return True

    def _figures_of(self, loss: float, error: float, rows: TrainingRows) -> dict[str, float]:
        """Figures by their names in an event; an error is a share, or in the targets' units."""
        if rows.loss.task == "classification":
            return {"loss": float(loss), "accuracy": 1.0 - float(error)}
        spread = variance(rows.y * self.units.spread, rows.weight)
        return {"loss": float(loss), "mse": float(error), "r2": explained(float(error), spread)}

    def _event(self, complete: bool) -> Event:
        total = self._settings.batches
        return Event(
            stage=self.config.method,
            unit="batch",
            done=self._done,
            total=total,
            progress=self._done / total,
            complete=complete,
            seconds=self._seconds,
            n_leaves=self._settings.trees * 2**self._settings.depth,
            **self._figures,
        )

    @property
    def present(self) -> HingeForest:
        """The forest as the last mini-batch left it."""
        return self._forest_of(learnt_arrays(self._run))

    @property
    def model(self) -> HingeForest:
        """The forest that erred least on the validation rows; the present one without such."""
        return self.present if self._best is None else self._forest_of(self._best)

    started = True

    def measures_model(self, event: Event) -> bool:
        return self._best is None or event.done == self.best_at

    def _forest_of(self, learnt: dict[str, np.ndarray]) -> HingeForest:
        run, units = self._run, self.units
        if not all(np.isfinite(array).all() for array in learnt.values()):
            raise ValueError("the numbers of the forest grew without limit: lower eta")
        weights, base = learnt["weights"], run.base
        filters = {name: learnt[name] for name in ("filters", "mean", "deviation")}
        if units.spread.size:
            weights = (weights * units.spread).astype(np.float32)
            base = base * units.spread + units.centre
        return HingeForest(
            self._kind,
            self._settings.depth,
            self.rows.loss.task,
            run.layer._replace(**filters),
            run.trees._replace(threshold=learnt["threshold"], weights=weights),
            base,
            units.missing.astype(np.float32),
        )

    def _state(self) -> State:
        return {
            "run": copied(changing_arrays(self._run)),
            "best": copied(self._best),
            "measured_at": self._measured_at,
            "best_at": self.best_at,
            "best_figures": [float(x) for x in self._best_figures] if self._best else None,
            "figures": dict(self._figures),
            "seconds": self._seconds,
        }

    def _load_state(self, state: State) -> None:
        load_arrays(changing_arrays(self._run), state["run"])
        _, position, done = self._run.clock
        if not (0 <= position <= len(self._run.order) and 0 <= done <= self._settings.batches):
            raise CheckpointError("clock of the state is beyond the end of the run")
        self._seconds = float(state["seconds"])
        self._measured_at, self.best_at = int(state["measured_at"]), int(state["best_at"])
        self._figures, self._best = dict(state["figures"]), None
        best, figures = state["best"], state["best_figures"]
        self._best_figures = (np.inf, np.inf) if figures is None else tuple(figures)
        if figures is not None:
            self._best = copied(learnt_arrays(self._run))
            load_arrays(self._best, best)

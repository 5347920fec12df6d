"""The trainer of hinge forests: mini-batches in small steps, an event for every hundred of them."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from treecore.base.state_file import CheckpointError, State
from treecore.data.validation import read_training
from treecore.ensembles.metrics import explained, variance
from treecore.learners.hinge.augmentation import (
    MOST_NUMBERS,
    Augmentation,
    draw_augmentation,
    no_augmentation,
)
from treecore.learners.hinge.batches import HingeRun, learn_batches
from treecore.learners.hinge.gradients import make_buffers
from treecore.learners.hinge.layer import Layer, n_features
from treecore.learners.hinge.model import HingeForest
from treecore.learners.hinge.optimizers import OPTIMIZERS, zero_state
from treecore.learners.hinge.settings import HingeSettings
from treecore.learners.hinge.traversal import Trees
from treecore.learners.states import copied, restored_as
from treecore.losses import LOSSES
from treecore.rows.training_rows import TrainingRows
from treecore.training.config import RunConfig
from treecore.training.events import Event
from treecore.training.hinge_validation import ValidationPass
from treecore.training.prepare import PreparedData, divide, read_held_out
from treecore.training.prepare_hinge import check_settings, image_width, initialize
from treecore.training.registry import check_rows, find_method
from treecore.training.trainer import Trainer

SLICE = 0.02
"""Seconds of one step, about."""


class HingeTrainer(Trainer, family="hinge"):
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
        X, y, weight, validation, n_classes = divide(
            config,
            PreparedData(X, y, sample_weight, validation, n_classes),
            weighted=True,
            fewest=10,
        )
        rows, self._units = read_training(
            X, y, weight, config.class_weight, LOSSES[config.loss], n_classes
        )
        self.rows = rows.complete
        check_rows(method, self.rows)
        check_settings(self._settings, self.rows)
        self.held_out = read_held_out(validation, self.rows, self._units).complete
        self._weight = self.rows.weight.astype(np.float32)
        n = len(self._weight)
        self._size = min(self._settings.batch, n)
        self._per_pass = n // self._size
        k = self.rows.n_outputs
        spread = self._units.spread
        self._unit = (spread**2 / k) if spread.size else np.ones(k)
        self._validation_pass = None
        if len(self.held_out.y):
            self._validation_pass = ValidationPass(self.held_out, self._unit)
        self._closed = False
        self._order, self._pass = np.empty(0, np.int64), -1
        self._begin(start)
        width = n_features(self._layer)
        self._work = make_buffers(self._trees, self._layer, self._size, width)

    # ------------------------------------------------------------------------------- the beginning

    def _begin(self, start: HingeForest | None) -> None:
        beginning = initialize(
            self._kind, self._settings, self.rows, self._units, self.config.seed, start
        )
        self._layer, self._variance, self._trees, self._base = beginning
        self._memory = zero_state(self._layer.filters, self._trees.threshold, self._trees.weights)
        self._sums, self._done, self._seconds = np.zeros(4), 0, 0.0
        self._measured_at, self._best_at = -1, -1
        self._best: tuple[Layer, Trees] | None = None
        self._figures: dict[str, Any] = {}
        self._best_figures = (np.inf, np.inf)

    # ------------------------------------------------------------------------------------- the run

    @property
    def seconds(self) -> float:
        """Time spent learning so far, measuring not included."""
        return self._seconds

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
        """About 20 ms of work; complete events come once in a hundred mini-batches."""
        due = self._done % 100 == 0 or self._done == self._settings.batches
        if due and self._measured_at != self._done:
            return self._event(self._measure())
        self._learn(share)
        return self._event(False)

    def _learn(self, share: float | None) -> None:
        """Mini-batches up to the next halt, the end of the pass, its share, or of the slice."""
        settings, began = self._settings, time.perf_counter()
        stop = min(settings.batches, (self._done // 100 + 1) * 100)
        if share is not None:
            stop = min(stop, self._done + max(1, round(share * self._per_pass)))
        run = HingeRun(
            self._layer, self._variance, self._trees, self._memory, self._work, self._base,
            self.rows.X, self.rows.y, self._weight, self._unit, self._sums,
            settings.depth, self._size, OPTIMIZERS[settings.optimizer], pace=0.03,
        )  # fmt: skip
        pieces, most = 1, max(1, MOST_NUMBERS // (self._size * self.rows.X.shape[1]))
        while True:  # at least one, however short a slice is
            passes, position = divmod(self._done, self._per_pass)
            if passes != self._pass:
                rng = np.random.default_rng([self.config.seed, 1, passes])
                self._order, self._pass = rng.permutation(len(self._weight)), passes
            last = min(position + min(pieces, stop - self._done), self._per_pass)
            rates = [settings.rate(self._done + i) for i in range(last - position)]
            learn_batches(
                run, self._order, position, last, np.array(rates),
                self._tree_weights(position, last), self._augmentation(last - position),
            )  # fmt: skip
            self._done += last - position
            pieces = min(2 * pieces, most)
            if self._done >= stop or time.perf_counter() - began >= SLICE:
                break
        self._seconds += time.perf_counter() - began

    def _tree_weights(self, first: int, last: int) -> np.ndarray:
        """What each tree counts in some mini-batches of the pass, float32 (n_batches, n_trees)."""
        dropout, n_trees = self._settings.dropout, self._settings.trees
        if dropout == 0:
            return np.ones((last - first, n_trees), dtype=np.float32)
        weights = np.empty((last - first, n_trees), dtype=np.float32)
        for i in range(last - first):
            drawn = np.random.default_rng([self.config.seed, 2, self._done + i]).random(n_trees)
            weights[i] = (drawn >= dropout) / (1.0 - dropout)
        return weights

    def _augmentation(self, n_batches: int) -> Augmentation:
        noise, shift, p = self._settings.noise, self._settings.shift, self.rows.X.shape[1]
        if noise == 0 and shift == 0:
            return no_augmentation()
        batches = range(self._done, self._done + n_batches)
        width = image_width(p) if shift > 0 else 1
        return draw_augmentation(noise, shift, width, self._size, p, self.config.seed, batches)

    def _measure(self) -> bool:
        """Go on measuring; whether that is done."""
        held = None
        if self._validation_pass is not None:
            held = self._validation_pass.advance(
                self._layer, self._trees, self._settings.depth, self._base, SLICE
            )
            if held is None:
                return False
        self._measured_at = self._done
        _, loss, error, weight = self._sums
        figures = {}
        if weight > 0:
            figures = self._figures_of(loss / weight, error / weight, self.rows)
        self._sums[1:] = 0.0
        if held is not None:
            validation = self._figures_of(*held, self.held_out)
            figures |= {f"validation_{name}": value for name, value in validation.items()}
            figures_held = held[1], held[0]
            if figures_held < self._best_figures:
                self._best_figures, self._best_at = figures_held, self._done
                self._best = _copied(self._layer), _copied(self._trees)
        self._figures = figures
        return True

    def _figures_of(self, loss: float, error: float, rows: TrainingRows) -> dict[str, float]:
        """Figures by their names in an event; an error is a share, or in the targets' units."""
        if rows.loss.task == "classification":
            return {"loss": float(loss), "accuracy": 1.0 - float(error)}
        spread = variance(rows.y * self._units.spread, rows.weight)
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

    # --------------------------------------------------------------------------------- what it gave

    @property
    def present(self) -> HingeForest:
        """The forest as the last mini-batch left it."""
        return self._forest_of(self._layer, self._trees)

    @property
    def model(self) -> HingeForest:
        """The forest that erred least on the validation rows; the present one without such."""
        return self.present if self._best is None else self._forest_of(*self._best)

    started = True

    def measures_model(self, event: Event) -> bool:
        return self._best is None or event.done == self._best_at

    @property
    def best_at(self) -> int:
        """Mini-batches after which :attr:`model` was measured; -1 without validation rows."""
        return self._best_at

    def _forest_of(self, layer: Layer, trees: Trees) -> HingeForest:
        weights, base, units = trees.weights, self._base, self._units
        if units.spread.size:
            weights = (weights * units.spread).astype(np.float32)
            base = base * units.spread + units.centre
        return HingeForest(
            self._kind,
            self._settings.depth,
            self.rows.loss.task,
            layer,
            trees._replace(weights=weights),
            base,
            units.missing.astype(np.float32),
        )

    def _state(self) -> State:
        groups = {"layer": self._layer, "trees": self._trees, "memory": self._memory}
        if self._best is not None:
            groups |= {"best_layer": self._best[0], "best_trees": self._best[1]}
        return {name: copied(arrays) for name, arrays in groups.items()} | {
            "variance": self._variance.copy(),
            "base": self._base.copy(),
            "sums": self._sums.copy(),
            "done": self._done,
            "measured_at": self._measured_at,
            "best_at": self._best_at,
            "best_figures": [float(x) for x in self._best_figures] if self._best else None,
            "figures": dict(self._figures),
            "seconds": self._seconds,
        }

    def _load_state(self, state: State) -> None:
        def group(name: str, now):
            return restored_as(now, state[name], name)

        self._layer, self._trees = group("layer", self._layer), group("trees", self._trees)
        self._memory = group("memory", self._memory)
        read = self._trees.feature
        if not np.all((read >= 0) & (read < n_features(self._layer))):
            raise CheckpointError("the trees of the state read features that there are none")
        for name in ("variance", "base", "sums"):
            setattr(self, f"_{name}", restored_as(getattr(self, f"_{name}"), state[name], name))
        self._done, self._seconds = int(state["done"]), float(state["seconds"])
        self._measured_at, self._best_at = int(state["measured_at"]), int(state["best_at"])
        self._figures, self._best = dict(state["figures"]), None
        self._best_figures = (np.inf, np.inf)
        if state["best_figures"] is not None:
            self._best = group("best_layer", self._layer), group("best_trees", self._trees)
            self._best_figures = tuple(state["best_figures"])


def _copied(arrays):
    return type(arrays)(*(array.copy() for array in arrays))

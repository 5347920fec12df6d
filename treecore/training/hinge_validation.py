"""A hinge forest on rows that are only measured, in slices as short as those of learning."""

from __future__ import annotations

import time

import numpy as np

from treecore.learners.hinge.gradients import loss_gradient
from treecore.learners.hinge.layer import Layer
from treecore.learners.hinge.traversal import Trees, decide_rows
from treecore.rows.training_rows import TrainingRows

_BLOCK_ROWS = 256


class ValidationPass:
    """The outputs of a forest on some rows, block by block; unit: see :func:`loss_and_error`."""

    def __init__(self, rows: TrainingRows, unit: np.ndarray):
        self._rows, self._unit = rows, unit
        self._done = 0
        self._out = np.empty((len(rows.weight), rows.n_outputs), dtype=np.float32)

    def advance(
        self, layer: Layer, trees: Trees, depth: int, base: np.ndarray, seconds: float
    ) -> tuple[float, float] | None:
        """Predict at least one block, for about ``seconds``; the forest must not change."""
        began = time.perf_counter()
        while True:  # one block at least, however short a slice is
            block = slice(self._done, self._done + _BLOCK_ROWS)
            decide_rows(layer, trees, depth, base, self._rows.X[block], self._out[block])
            self._done += _BLOCK_ROWS
            if self._done >= len(self._out):
                self._done = 0
                return loss_and_error(self._out, self._rows, self._unit)
            if time.perf_counter() - began >= seconds:
                return None


def loss_and_error(out: np.ndarray, held: TrainingRows, unit: np.ndarray) -> tuple[float, float]:
    """Weighted mean loss and error of outputs (n_rows, n_outputs); unit: of a squared error."""
    weight, rows, pull = held.weight.astype(np.float32), np.arange(len(out)), held.loss.pull
    data = held.y, weight, rows, unit, np.array(pull), np.empty_like(out)
    loss, error = loss_gradient(out, *data)
    total = weight.sum(dtype=np.float64)
    return float(loss / total), float(error / total)

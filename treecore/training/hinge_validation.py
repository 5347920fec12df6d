"""A hinge forest on rows that are only measured, in slices as short as those of learning."""

from __future__ import annotations

import time

import numpy as np

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
    out = out.astype(np.float64)
    if held.loss.task == "classification":
        top = out.max(axis=1)
        total = np.log(np.exp(out - top[:, None]).sum(axis=1))
        losses = total + top - out[np.arange(len(out)), held.y]
        errors = out.argmax(axis=1) != held.y
    else:
        away, (below, above, near) = out - held.y, held.loss.pull
        far, limit = np.abs(away), np.where(away > 0, below, above)
        inside = (near > 0) & (far <= limit)
        with np.errstate(invalid="ignore"):  # squares have no limit
            one = np.where(inside, 0.5 * far**2, limit * (far - 0.5 * near * limit))
        losses, errors = one.sum(axis=1), (far**2 * unit).sum(axis=1)
    weight = held.weight
    return float((losses * weight).sum() / weight.sum()), float(
        (errors * weight).sum() / weight.sum()
    )

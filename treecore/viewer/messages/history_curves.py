"""The history of a run as the curves that the live view draws: all of them, or what is new."""

from __future__ import annotations

import numpy as np

from treecore.viewer.messages.status import History, Status
from treecore.viewer.messages.wire import Have


def new_curves(status: Status, known: Have) -> tuple[int, np.ndarray]:
    """How many points of the curves the view keeps, and those that follow."""
    curves = known.get("curves")
    n_known, last = curves if isinstance(curves, list) and len(curves) == 2 else (0, 0.0)
    history = status.history
    if not (isinstance(n_known, int) and 0 < n_known <= len(history)):
        return 0, _curves(history)
    if not isinstance(last, int | float) or np.float32(history[n_known - 1].done) != last:
        return 0, _curves(history)  # thinned meanwhile, or told wrongly
    return n_known, _curves(history[n_known:])


def _curves(history: History) -> np.ndarray:
    """Events as float32 (n, 8), NaN where there is none.

    Epoch, bound, loss, validation loss, accuracy or r2, the same of validation, active leaves,
    norm.
    """
    rows = [
        (
            event.done,
            event.bound,
            event.loss,
            event.validation_loss,
            event.r2 if event.accuracy is None else event.accuracy,
            event.validation_r2 if event.accuracy is None else event.validation_accuracy,
            event.active_leaves,
            event.row_norm,
        )
        for event in history
    ]
    return np.array(rows, dtype=np.float32).reshape(-1, 8)

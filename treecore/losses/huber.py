"""Huber's loss: squares up to ``DELTA``, beyond it the line ``rho(r) = DELTA (2 |r| - DELTA)``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.dispatch import implements
from treecore.losses.separable import psi, rho, separable_loss

DELTA = 1.0
"""In standard deviations of the output: targets are scaled before training."""


class HuberTables(NamedTuple):
    """The box of leaf values below every split, float32 (n_splits, n_outputs)."""

    low: np.ndarray
    high: np.ndarray


@implements(rho, HuberTables)
def _rho(tables, residual):
    size = abs(residual)
    return size * size if size <= DELTA else DELTA * (2.0 * size - DELTA)


@implements(psi, HuberTables)
def _psi(tables, residual):
    return 2.0 * min(max(residual, -DELTA), DELTA)


HUBER = separable_loss(
    name="huber",
    title="Huber loss",
    sentence="Like squared loss for small errors; large errors count in proportion, which limits "
    "the influence of outliers.",
    make_tables=HuberTables,
    pull=(DELTA, DELTA, 1.0),
)

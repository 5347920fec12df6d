"""Absolute loss, by which a leaf predicts a median: every error pulls with the same force."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from treecore.compiling.dispatch import implements
from treecore.losses.separable import psi, rho, separable_loss


class AbsoluteTables(NamedTuple):
    """The box of leaf values below every split, float32 (n_splits, n_outputs)."""

    low: np.ndarray
    high: np.ndarray


@implements(rho, AbsoluteTables)
def _rho(tables, residual):
    return abs(residual)


@implements(psi, AbsoluteTables)
def _psi(tables, residual):
    if residual == 0.0:
        return 0.0
    return 1.0 if residual > 0.0 else -1.0


def quantiles(level: float) -> Callable:
    """The ``Loss.constants`` that are weighted quantiles, the middle of two."""
    return functools.partial(_quantiles, level)


def _quantiles(level, leaf, y, weight, n_leaves, n_outputs, smoothing):
    leaves = np.arange(n_leaves)
    of_row = np.append(leaf, leaves)
    weight = np.append(weight, np.full(n_leaves, smoothing, dtype=np.float64))
    values = np.zeros((n_leaves, n_outputs), dtype=np.float32)
    for q in range(n_outputs):
        target = np.append(y[:, q], np.zeros(n_leaves, dtype=np.float32))
        order = np.lexsort((target, of_row))
        target, total = target[order], np.cumsum(weight[order])
        start = np.searchsorted(of_row[order], leaves)
        end = np.searchsorted(of_row[order], leaves, side="right") - 1
        before = total[start] - weight[order][start]
        part = (1.0 - level) * before + level * total[end]
        lower = np.clip(np.searchsorted(total, part), start, end)
        upper = np.clip(np.searchsorted(total, part, side="right"), start, end)
        values[:, q] = (target[lower] + target[upper]) / 2
    return values


ABSOLUTE = separable_loss(
    name="absolute",
    title="Absolute loss",
    sentence="Distance between the leaf's numbers and an example's; leaves predict medians.",
    make_tables=AbsoluteTables,
    pull=(1.0, 1.0, 0.0),
    constants=quantiles(0.5),
)

"""Squared loss for one output or several (Norouzi et al. 2015, section 2): ``||theta - y||^2``."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treecore.compiling.dispatch import implements
from treecore.losses.separable import psi, rho, separable_loss


class SquaredTables(NamedTuple):
    """The box of leaf values below every split, float32 (n_splits, n_outputs)."""

    low: np.ndarray
    high: np.ndarray


@implements(rho, SquaredTables)
def _rho(tables, residual):
    return residual * residual


@implements(psi, SquaredTables)
def _psi(tables, residual):
    return 2.0 * residual


SQUARED = separable_loss(
    name="squared",
    title="Squared loss",
    sentence="Squared distance between the leaf's numbers and an example's.",
    make_tables=SquaredTables,
    pull=(math.inf, math.inf, 1.0),
)

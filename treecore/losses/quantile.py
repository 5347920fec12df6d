"""The pinball loss, by which a leaf predicts a quantile (Koenker and Bassett 1978)."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

import numpy as np

from treecore.compiling.dispatch import implements
from treecore.losses.absolute import quantiles
from treecore.losses.base import Loss
from treecore.losses.separable import psi, rho, separable_loss

PREFIX = "quantile:"
"""Of a loss's name, before its level: "quantile:0.9" is exceeded by a tenth of the rows."""


class QuantileTables(NamedTuple):
    """The box of leaf values below every split, float32 (n_splits, n_outputs); level: (1,)."""

    low: np.ndarray
    high: np.ndarray
    level: np.ndarray


@implements(rho, QuantileTables)
def _rho(tables, residual):
    return max((1.0 - tables.level[0]) * residual, -tables.level[0] * residual)


@implements(psi, QuantileTables)
def _psi(tables, residual):
    if residual == 0.0:
        return 0.0
    return 1.0 - tables.level[0] if residual > 0.0 else -tables.level[0]


@functools.cache
def quantile_loss(name: str) -> Loss | None:
    """The loss of a name as "quantile:0.9"; None where it names none, or no level in (0, 1)."""
    level = name.removeprefix(PREFIX)
    if level == name or not re.fullmatch(r"0?\.\d+", level) or not float(level):
        return None
    share = float(level)
    return separable_loss(
        name=name,
        title=f"Quantile loss, {share:g}",
        sentence=f"Leaves predict what {share:.4g} of their examples stay below.",
        make_tables=lambda low, high: QuantileTables(low, high, np.array([share])),
        pull=(1.0 - share, share, 0.0),
        constants=quantiles(share),
    )

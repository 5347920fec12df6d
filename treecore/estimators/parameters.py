"""The parameters that several estimators have, and the losses of numbers.

They are dataclasses apart from scikit-learn's: below a class without types, of which these are
some, a type checker would let any parameter pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from treecore.losses import find_loss
from treecore.losses.quantile import quantile_loss

LOSSES = {"squared_error": "squared", "huber": "huber", "absolute_error": "absolute"}
"""The losses of numbers: what scikit-learn calls them, and what the registry does."""


@dataclass(kw_only=True, eq=False, repr=False)
class RunParameters:
    """Of every estimator."""

    callbacks: Sequence[Callable[..., Any]] | None = None
    random_state: int | np.random.RandomState | np.random.Generator | None = None
    verbose: int = 0


@dataclass(kw_only=True, eq=False, repr=False)
class TreeParameters(RunParameters):
    """Of every estimator of one tree."""

    categorical_features: (
        str | Sequence[str] | Sequence[int] | Sequence[bool] | np.ndarray | None
    ) = None
    min_weight_fraction_leaf: float = 0.0


@dataclass(kw_only=True, eq=False, repr=False)
class MethodParameters(TreeParameters):
    """Of the estimators of one method."""

    early_stopping: bool = False


@dataclass(kw_only=True, eq=False, repr=False)
class ClassParameters(RunParameters):
    """Of classifiers."""

    class_weight: dict[Any, float] | Literal["balanced"] | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class NumberParameters(RunParameters):
    """Of regressors."""

    loss: Literal["squared_error", "huber", "absolute_error"] | str = "squared_error"


def loss_of(said: str, among: Sequence[str] = tuple(LOSSES)) -> str:
    """What the registry calls a loss; ValueError, in one sentence, for one that is not ``among``.

    Whoever can learn medians can learn quantiles.
    """
    takes_levels = any(find_loss(LOSSES[name]).is_quantile for name in among)
    if said not in among and not (takes_levels and quantile_loss(str(said))):
        more = ", or quantile:LEVEL, with a level above 0 and below 1" if takes_levels else ""
        raise ValueError(f"loss={said!r} must be one of {', '.join(among)}{more}")
    return LOSSES.get(said, said)


def said_loss(name: str) -> str:
    return {ours: said for said, ours in LOSSES.items()}.get(name, name)

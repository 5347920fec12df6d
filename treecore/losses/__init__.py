"""Losses on leaf values; :mod:`treecore.losses.base` says what one is and how another joins."""

from treecore.losses.absolute import ABSOLUTE
from treecore.losses.base import Loss, cost_below, gradient_step, grow_bound, leaf_cost
from treecore.losses.calibration import Reliability, reliability
from treecore.losses.huber import HUBER
from treecore.losses.log import LOG, class_log_odds
from treecore.losses.metrics import leaf_counts
from treecore.losses.quantile import quantile_loss
from treecore.losses.squared import SQUARED


class _Losses(dict[str, Loss]):
    """Losses by name, also those of a quantile, of which there are as many as levels."""

    def __missing__(self, name: str) -> Loss:
        loss = quantile_loss(name)
        if loss is None:
            raise KeyError(name)
        return loss

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (
            isinstance(name, str) and quantile_loss(name) is not None
        )


LOSSES = _Losses({loss.name: loss for loss in (LOG, SQUARED, HUBER, ABSOLUTE)})
"""All losses by name; "quantile:0.9" is one as well, but not listed."""


def find_loss(name: object) -> Loss:
    """The loss of a name; ValueError, in one sentence, for what is none."""
    if isinstance(name, str) and name in LOSSES:
        return LOSSES[name]
    known = ", ".join(LOSSES)
    raise ValueError(
        f"loss={name!r} must be one of {known}, or quantile:LEVEL, with a level above 0 and below 1"
    )


__all__ = [
    "ABSOLUTE",
    "HUBER",
    "LOG",
    "LOSSES",
    "SQUARED",
    "Loss",
    "Reliability",
    "class_log_odds",
    "cost_below",
    "find_loss",
    "gradient_step",
    "grow_bound",
    "leaf_cost",
    "leaf_counts",
    "reliability",
]

"""Losses on leaf values; :mod:`treecore.losses.base` says what one is and how another joins."""

from treecore.losses.absolute import ABSOLUTE
from treecore.losses.base import Loss, cost_below, gradient_step, grow_bound, leaf_cost
from treecore.losses.calibration import Reliability, reliability
from treecore.losses.huber import HUBER
from treecore.losses.log import LOG, class_log_odds
from treecore.losses.metrics import leaf_counts
from treecore.losses.quantile import quantile_loss
from treecore.losses.squared import SQUARED

LOSSES = {loss.name: loss for loss in (LOG, SQUARED, HUBER, ABSOLUTE)}
"""Losses by name but those of quantiles, of which :func:`find_loss` knows any."""


def find_loss(name: object) -> Loss:
    """The loss of a name, as "quantile:0.9" too; ValueError, in one sentence, for what is none."""
    found = (LOSSES.get(name) or quantile_loss(name)) if isinstance(name, str) else None
    if found is not None:
        return found
    known = ", ".join(LOSSES)
    raise ValueError(
        f"loss={name!r} must be one of {known}, or quantile:LEVEL, with a level above 0 and below 1"
    )

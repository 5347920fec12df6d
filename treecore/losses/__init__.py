"""Losses on leaf values; :mod:`treecore.losses.base` says what one is and how another joins."""

from treecore.losses.absolute import ABSOLUTE
from treecore.losses.base import Loss, cost_below, gradient_step, grow_bound, leaf_cost
from treecore.losses.huber import HUBER
from treecore.losses.log import LOG, class_log_odds
from treecore.losses.squared import SQUARED

LOSSES = {loss.name: loss for loss in (LOG, SQUARED, HUBER, ABSOLUTE)}
"""All losses by name."""

__all__ = [
    "ABSOLUTE",
    "HUBER",
    "LOG",
    "LOSSES",
    "SQUARED",
    "Loss",
    "class_log_odds",
    "cost_below",
    "gradient_step",
    "grow_bound",
    "leaf_cost",
]

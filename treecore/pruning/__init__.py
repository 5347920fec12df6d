"""Prunings: functions from a tree to a smaller one, for any tree, whatever has grown it.

=============================  ===============================================================
:func:`prune_dead`             branches that no row reaches, subtrees that say the same everywhere
:func:`prune_reduced_error`    subtrees that do no better than a leaf on other rows (Quinlan)
:func:`prune_cost_complexity`  subtrees whose leaves gain less than alpha each (Breiman et al.)
:func:`cost_complexity_path`   all trees of the last, from the whole one to a leaf
:func:`prune_impurity`         subtrees below nodes that are nearly pure (OC1)
:func:`restore_order`          nothing: makes a monotonic tree monotonic again after the others
=============================  ===============================================================

What is cut off becomes a leaf; other splits and leaves stay as they are, in their order.
"""

from typing import TYPE_CHECKING

from treecore.base.public import public_names

if TYPE_CHECKING:
    from treecore.pruning.cost_complexity import (
        PruningPath,
        cost_complexity_path,
        prune_cost_complexity,
    )
    from treecore.pruning.dead import prune_dead
    from treecore.pruning.impurity import prune_impurity
    from treecore.pruning.monotonic import restore_order
    from treecore.pruning.reduced_error import prune_reduced_error
    from treecore.pruning.subtrees import leaves_below, sums_below

__all__ = [
    "PruningPath",
    "cost_complexity_path",
    "leaves_below",
    "prune_cost_complexity",
    "prune_dead",
    "prune_impurity",
    "prune_reduced_error",
    "restore_order",
    "sums_below",
]

__getattr__, __dir__ = public_names(__name__)

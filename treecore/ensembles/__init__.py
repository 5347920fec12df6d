"""Forests: trees that answer together, and two ways to make them different, bagging and boosting.

Nothing here grows a tree: :mod:`treecore.training.ensemble_trainer` does, by any method.
"""

from typing import TYPE_CHECKING

from treecore.base.public import public_names

if TYPE_CHECKING:
    from treecore.ensembles.forest import Forest, margins
    from treecore.ensembles.memory import forest_bytes

__getattr__, __dir__ = public_names(__name__)

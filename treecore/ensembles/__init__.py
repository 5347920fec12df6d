"""Forests: trees that answer together, and two ways to make them different, bagging and boosting.

Nothing here grows a tree: :mod:`treecore.training.ensemble_trainer` does, by any method.
"""

from treecore.ensembles.forest import Forest, margins
from treecore.ensembles.memory import forest_bytes

__all__ = ["Forest", "forest_bytes", "margins"]

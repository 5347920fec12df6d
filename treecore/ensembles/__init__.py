"""Forests: trees that answer together, and two ways to make them different, bagging and boosting.

Nothing here grows a tree: :mod:`treecore.training.ensemble_trainer` does, by any method.
"""

from treecore.ensembles.forest import Forest

__all__ = ["Forest"]

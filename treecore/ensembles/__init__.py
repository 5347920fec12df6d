"""Forests: trees that answer together, and the two ways to make them different.

::

    forest.py     trees with the weights of their votes; answers of many rows at once
    bagging.py    every tree sees rows of its own; what the others say of those it has not seen
    boosting.py   every tree minds the rows that those before it got wrong
    metrics.py    sums over the trees so far, error and loss
    settings.py   what can be set, with ranges
    memory.py     the memory of a forest, estimated before it is grown

Nothing here grows a tree: :mod:`treecore.training.ensemble_trainer` does, by any method of the
registry.
"""

from treecore.ensembles.forest import Forest

__all__ = ["Forest"]

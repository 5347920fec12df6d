"""The door: ``Trainer(config, X, y)`` trains whatever the config's method is.

Imported from here, :class:`treecore.trainers.Trainer` knows the trainers of all families.
"""

from __future__ import annotations

from treecore.config import RunConfig
from treecore.forests import ForestTrainer
from treecore.hinge_trainer import HingeTrainer
from treecore.trainers import Trainer
from treecore.tree_trainer import TreeTrainer

__all__ = ["ForestTrainer", "HingeTrainer", "RunConfig", "Trainer", "TreeTrainer"]

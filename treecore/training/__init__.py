"""Training: ``Trainer(config, X, y)``, imported from here, knows the trainers of all families."""

from __future__ import annotations

from treecore.training.config import RunConfig
from treecore.training.ensemble_trainer import ForestTrainer
from treecore.training.hinge_trainer import HingeTrainer
from treecore.training.trainer import Trainer
from treecore.training.tree_trainer import TreeTrainer

__all__ = ["ForestTrainer", "HingeTrainer", "RunConfig", "Trainer", "TreeTrainer"]

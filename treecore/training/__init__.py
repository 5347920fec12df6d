"""Training: ``Trainer(config, X, y)``, imported from here, knows the trainers of all families."""

from __future__ import annotations

from treecore.learners.greedy.settings import OC1Settings
from treecore.learners.hinge.settings import HingeSettings
from treecore.learners.nongreedy.settings import SGDSettings, TAOSettings
from treecore.training.config import CLASS_WEIGHTS, RunConfig, gone_settings, left_out
from treecore.training.ensemble_trainer import ForestTrainer
from treecore.training.events import read_event
from treecore.training.hinge_trainer import HingeTrainer
from treecore.training.registry import BASES, METHODS, TREES, find_method
from treecore.training.trainer import Trainer
from treecore.training.tree_trainer import TreeTrainer

__all__ = [
    "BASES",
    "CLASS_WEIGHTS",
    "METHODS",
    "TREES",
    "ForestTrainer",
    "HingeSettings",
    "HingeTrainer",
    "OC1Settings",
    "RunConfig",
    "SGDSettings",
    "TAOSettings",
    "Trainer",
    "TreeTrainer",
    "find_method",
    "gone_settings",
    "left_out",
    "read_event",
]

"""Training: settings, methods, and ``Trainer(config, X, y)``, the one protocol of every run."""

from typing import TYPE_CHECKING

from treecore.base.public import public_names

if TYPE_CHECKING:
    from treecore.training.config import CLASS_WEIGHTS, RunConfig, gone_settings, left_out
    from treecore.training.ensemble_trainer import ForestTrainer
    from treecore.training.events import read_event
    from treecore.training.hinge_trainer import HingeTrainer
    from treecore.training.registry import (
        BASES,
        METHODS,
        TREES,
        HingeSettings,
        OC1Settings,
        SGDSettings,
        TAOSettings,
        find_method,
    )
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

__getattr__, __dir__ = public_names(__name__)

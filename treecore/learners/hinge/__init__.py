"""Random hinge forests and ferns (Lay et al. 2018); ``training.hinge_trainer`` drives a run."""

from treecore.learners.hinge.model import HingeForest
from treecore.learners.hinge.settings import HingeSettings

__all__ = ["HingeForest", "HingeSettings"]

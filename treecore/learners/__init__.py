"""Everything that grows or turns one tree, or all trees of a hinge forest."""

from typing import TYPE_CHECKING

from treecore.base.public import public_names

if TYPE_CHECKING:
    from treecore.learners.greedy.finders.axis import AxisFinder
    from treecore.learners.greedy.finders.co2 import CO2Finder
    from treecore.learners.greedy.finders.model_cuts import ModelCutFinder
    from treecore.learners.greedy.finders.oc1 import OC1Finder
    from treecore.learners.greedy.finders.random_oblique import RandomFinder
    from treecore.learners.greedy.growth import Growth
    from treecore.learners.hinge.model import HingeForest
    from treecore.learners.nongreedy.annealed.annealed import Annealed
    from treecore.learners.nongreedy.sgd.sgd import SGD
    from treecore.learners.nongreedy.start import random_tree
    from treecore.learners.nongreedy.tao.tao import TAO

__getattr__, __dir__ = public_names(__name__)

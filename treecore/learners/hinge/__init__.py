"""Random hinge forests and ferns (Lay et al. 2018).

::

    layer.py       features that are learnt: inner products, convolutions; running normalisation
    traversal.py   where a row goes and its smallest margin (Algorithm 3); outputs
    gradients.py   losses, and backwards through the trees: sparse, a leaf and a threshold each
    optimizers.py  AdaGrad and Adam for such gradients
    augmentation.py  rows changed a little each time they are met: noise, moved images
    batches.py     mini-batches: all of the above in turn
    random_features.py  a forest before learning (Algorithm 1)
    settings.py    what can be set
    model.py       HingeForest: arrays that do not change

Nothing here drives a run: :mod:`treecore.training.hinge_trainer` does.
"""

from treecore.learners.hinge.model import HingeForest
from treecore.learners.hinge.settings import HingeSettings

__all__ = ["HingeForest", "HingeSettings"]

"""Decision trees with oblique splits, learnt as a whole.

The door is :class:`RunConfig` and :class:`Trainer`; a :class:`Tree` comes out, to be read by
:func:`predict` and written by :mod:`treecore.persistence`. :class:`ObliqueTreeClassifier` and
:class:`ObliqueTreeRegressor` are scikit-learn estimators over the same door.
"""

from treecore.estimators import ObliqueTreeClassifier, ObliqueTreeRegressor
from treecore.metrics import Figures, evaluate
from treecore.routing import apply, predict, predict_proba
from treecore.trainer import Event
from treecore.training import RunConfig, Trainer
from treecore.tree import Tree
from treecore.warmup import warm_up

__version__ = "0.1.0"

__all__ = [
    "Event",
    "Figures",
    "ObliqueTreeClassifier",
    "ObliqueTreeRegressor",
    "RunConfig",
    "Trainer",
    "Tree",
    "apply",
    "evaluate",
    "predict",
    "predict_proba",
    "warm_up",
]

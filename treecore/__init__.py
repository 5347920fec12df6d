"""Decision trees with oblique splits, learnt as a whole.

The door is :class:`RunConfig` and :class:`Trainer`; a :class:`Tree`, to be read by
:func:`predict`, a :class:`Forest` or a :class:`HingeForest` comes out, to be written by
:mod:`treecore.persistence`. :class:`ObliqueTreeClassifier` and
:class:`ObliqueTreeRegressor` are scikit-learn estimators over the same door. The functions named
``prune_...`` make smaller trees from trees.
"""

from treecore.core.routing import apply, predict, predict_proba
from treecore.core.tree import Tree
from treecore.ensembles import Forest
from treecore.estimators import (
    BoostedTreeClassifier,
    HingeForestClassifier,
    HingeForestRegressor,
    ObliqueForestClassifier,
    ObliqueForestRegressor,
    ObliqueTreeClassifier,
    ObliqueTreeRegressor,
)
from treecore.learners.hinge import HingeForest
from treecore.losses.metrics import Figures, evaluate
from treecore.pruning import (
    PruningPath,
    cost_complexity_path,
    prune_cost_complexity,
    prune_dead,
    prune_impurity,
    prune_reduced_error,
)
from treecore.training import Trainer
from treecore.training.config import RunConfig
from treecore.training.events import Event
from treecore.training.warmup import warm_up

__version__ = "0.1.0"

__all__ = [
    "BoostedTreeClassifier",
    "Event",
    "Figures",
    "Forest",
    "HingeForest",
    "HingeForestClassifier",
    "HingeForestRegressor",
    "ObliqueForestClassifier",
    "ObliqueForestRegressor",
    "ObliqueTreeClassifier",
    "ObliqueTreeRegressor",
    "PruningPath",
    "RunConfig",
    "Trainer",
    "Tree",
    "apply",
    "cost_complexity_path",
    "evaluate",
    "predict",
    "predict_proba",
    "prune_cost_complexity",
    "prune_dead",
    "prune_impurity",
    "prune_reduced_error",
    "warm_up",
]

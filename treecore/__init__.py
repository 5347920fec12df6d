"""Decision trees with oblique splits, learnt as a whole.

The door is :class:`RunConfig` and :class:`Trainer`; a :class:`Tree`, to be read by
:func:`predict`, a :class:`Forest` or a :class:`HingeForest` comes out, to be written by
:mod:`treecore.persistence`. :class:`ObliqueTreeClassifier` and
:class:`ObliqueTreeRegressor` are scikit-learn estimators over the same door that choose a method;
:class:`SGDTreeClassifier`, :class:`TAOTreeRegressor` and so on are those of one method. The
functions named ``prune_...`` make smaller trees from trees.

What runs and sweeps do is logged under ``treecore``, to nobody unless the caller adds a handler.

A name is imported when it is asked for: whoever wants one part does not wait for the others. Inside
the package nobody imports from here.
"""

from __future__ import annotations

import logging
from importlib import import_module
from typing import TYPE_CHECKING, Any

from treecore._version import __version__ as __version__

if TYPE_CHECKING:
    from treecore.core.routing import apply, predict, predict_proba
    from treecore.core.tree import Tree
    from treecore.ensembles.forest import Forest
    from treecore.estimators.bagged import ObliqueForestClassifier, ObliqueForestRegressor
    from treecore.estimators.boosted import BoostedTreeClassifier
    from treecore.estimators.choosing import ObliqueTreeClassifier, ObliqueTreeRegressor
    from treecore.estimators.methods import (
        AnnealedTreeClassifier,
        AnnealedTreeRegressor,
        AxisTreeClassifier,
        AxisTreeRegressor,
        CO2TreeClassifier,
        CO2TreeRegressor,
        HingeForestClassifier,
        HingeForestRegressor,
        OC1TreeClassifier,
        OC1TreeRegressor,
        RandomObliqueTreeClassifier,
        RandomObliqueTreeRegressor,
        SGDTreeClassifier,
        SGDTreeRegressor,
        StableSGDTreeClassifier,
        StableSGDTreeRegressor,
        TAOTreeClassifier,
        TAOTreeRegressor,
    )
    from treecore.export.plot import plot
    from treecore.learners.hinge.model import HingeForest
    from treecore.losses.metrics import Figures, evaluate
    from treecore.notebook import watch
    from treecore.pruning import (
        PruningPath,
        cost_complexity_path,
        prune_cost_complexity,
        prune_dead,
        prune_impurity,
        prune_reduced_error,
    )
    from treecore.training.config import RunConfig
    from treecore.training.events import Event
    from treecore.training.trainer import Trainer
    from treecore.training.warmup import warm_up

logging.getLogger(__name__).addHandler(logging.NullHandler())

_HOME = {
    "AnnealedTreeClassifier": "estimators.methods",
    "AnnealedTreeRegressor": "estimators.methods",
    "AxisTreeClassifier": "estimators.methods",
    "AxisTreeRegressor": "estimators.methods",
    "BoostedTreeClassifier": "estimators.boosted",
    "CO2TreeClassifier": "estimators.methods",
    "CO2TreeRegressor": "estimators.methods",
    "Event": "training.events",
    "Figures": "losses.metrics",
    "Forest": "ensembles.forest",
    "HingeForest": "learners.hinge.model",
    "HingeForestClassifier": "estimators.methods",
    "HingeForestRegressor": "estimators.methods",
    "OC1TreeClassifier": "estimators.methods",
    "OC1TreeRegressor": "estimators.methods",
    "ObliqueForestClassifier": "estimators.bagged",
    "ObliqueForestRegressor": "estimators.bagged",
    "ObliqueTreeClassifier": "estimators.choosing",
    "ObliqueTreeRegressor": "estimators.choosing",
    "PruningPath": "pruning",
    "RandomObliqueTreeClassifier": "estimators.methods",
    "RandomObliqueTreeRegressor": "estimators.methods",
    "RunConfig": "training.config",
    "SGDTreeClassifier": "estimators.methods",
    "SGDTreeRegressor": "estimators.methods",
    "StableSGDTreeClassifier": "estimators.methods",
    "StableSGDTreeRegressor": "estimators.methods",
    "TAOTreeClassifier": "estimators.methods",
    "TAOTreeRegressor": "estimators.methods",
    "Trainer": "training.trainer",
    "Tree": "core.tree",
    "apply": "core.routing",
    "cost_complexity_path": "pruning",
    "evaluate": "losses.metrics",
    "plot": "export.plot",
    "predict": "core.routing",
    "predict_proba": "core.routing",
    "prune_cost_complexity": "pruning",
    "prune_dead": "pruning",
    "prune_impurity": "pruning",
    "prune_reduced_error": "pruning",
    "warm_up": "training.warmup",
    "watch": "notebook",
}
"""Where every public name is defined; type checkers read the imports above."""

__all__ = [
    "AnnealedTreeClassifier",
    "AnnealedTreeRegressor",
    "AxisTreeClassifier",
    "AxisTreeRegressor",
    "BoostedTreeClassifier",
    "CO2TreeClassifier",
    "CO2TreeRegressor",
    "Event",
    "Figures",
    "Forest",
    "HingeForest",
    "HingeForestClassifier",
    "HingeForestRegressor",
    "OC1TreeClassifier",
    "OC1TreeRegressor",
    "ObliqueForestClassifier",
    "ObliqueForestRegressor",
    "ObliqueTreeClassifier",
    "ObliqueTreeRegressor",
    "PruningPath",
    "RandomObliqueTreeClassifier",
    "RandomObliqueTreeRegressor",
    "RunConfig",
    "SGDTreeClassifier",
    "SGDTreeRegressor",
    "StableSGDTreeClassifier",
    "StableSGDTreeRegressor",
    "TAOTreeClassifier",
    "TAOTreeRegressor",
    "Trainer",
    "Tree",
    "apply",
    "cost_complexity_path",
    "evaluate",
    "plot",
    "predict",
    "predict_proba",
    "prune_cost_complexity",
    "prune_dead",
    "prune_impurity",
    "prune_reduced_error",
    "warm_up",
    "watch",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value  # asked for once only
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

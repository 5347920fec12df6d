"""Quick estimators for tests, and the data that they learn."""

from __future__ import annotations

from sklearn.datasets import load_diabetes, load_iris

from treecore import ObliqueTreeClassifier, ObliqueTreeRegressor
from treecore.estimators.parameters import setting_names

BOTH = (ObliqueTreeClassifier, ObliqueTreeRegressor)
QUICK = {"depth": 3, "epochs": 5}

IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def quick(estimator, method="sgd", **more):
    """An estimator of few passes, as far as the method knows them."""
    settings = {k: v for k, v in QUICK.items() if k in setting_names(method)}
    return estimator(method, **({"random_state": 0} | settings | more))

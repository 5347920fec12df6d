"""Configs of quick bagged trees for tests, and the data that they learn."""

from __future__ import annotations

from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris
from sklearn.model_selection import train_test_split

from treecore import RunConfig
from treecore.training.registry import TREES

IRIS = load_iris(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
DIGITS = train_test_split(*load_digits(return_X_y=True), random_state=0)  # rows, then labels
QUICK = {"depth": 2, "epochs": 2, "rounds": 2}


def quick(method="axis", loss="log", **more):
    known = {setting.name for setting in TREES[method].settings.definitions()}
    chosen = {k: v for k, v in QUICK.items() if k in known}
    return RunConfig(method, loss=loss, **(chosen | more))


def bagged(method="axis", n_trees=4, loss="log", base=None, **settings):
    base = quick(method, loss, **(base or {}))
    return RunConfig("bagging", base=base, n_trees=n_trees, **settings)

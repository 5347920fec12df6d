"""Models of ours and of other libraries, as measurements run them: on one core, defaults elsewhere.

No other library than scikit-learn is needed: :func:`absent` says in a line which ones are not
installed, and what needs them is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from treecore import RunConfig, Trainer, Tree, predict

Predictor = Callable[[np.ndarray], np.ndarray]
"""Labels of rows, float32 and C-contiguous."""

MODULES = {
    "XGBoost": "xgboost",
    "LightGBM": "lightgbm",
    "obliquetree": "obliquetree",
    "STree": "stree",
}


def absent(makers: Mapping[str, Callable[[], object]]) -> dict[str, str]:
    """Print and return why each thing that cannot be made here is left out."""
    reasons = {}
    for name, make in makers.items():
        try:
            make()
        except Exception as error:  # a library made for other versions raises what it likes
            reasons[name] = str(error).splitlines()[0]
            print(f"{name} is left out: {reasons[name]}")
    return reasons


def absent_libraries() -> dict[str, str]:
    """Print and return why each library that cannot be imported is left out."""
    return absent({name: partial(import_module, module) for name, module in MODULES.items()})


class Learner(NamedTuple):
    """What learns more, and for longer, the greater an effort is."""

    library: str  # whose it is, a name of MODULES; empty: it is always there
    fit: Callable[[np.ndarray, np.ndarray, int], Predictor]
    unit: str  # what an effort counts
    efforts: tuple[int, ...]  # in rising order


def _ours(
    method: str, setting: str, efforts: tuple[int, ...], unit: str = "", **more: Any
) -> Learner:
    def fit(X: np.ndarray, y: np.ndarray, effort: int) -> Predictor:
        model = Trainer(RunConfig(method, **{setting: effort}, **more), X, y).run()
        return partial(predict, model) if isinstance(model, Tree) else model.predict

    return Learner("", fit, unit or setting, efforts)


def _sklearn(kind: type, setting: str, efforts: tuple[int, ...], unit: str) -> Learner:
    def fit(X: np.ndarray, y: np.ndarray, effort: int) -> Predictor:
        return kind(**{setting: effort}, random_state=0).fit(X, y).predict

    return Learner("", fit, unit, efforts)


def _obliquetree(X: np.ndarray, y: np.ndarray, effort: int) -> Predictor:
    kind = import_module("obliquetree").Classifier
    model = kind(max_depth=effort, random_state=0)
    model.fit(X.astype(np.float64), y)
    return lambda rows: model.predict(rows.astype(np.float64))


def _stree(X: np.ndarray, y: np.ndarray, effort: int) -> Predictor:
    return import_module("stree").Stree(max_depth=effort, random_state=0).fit(X, y).predict


def _xgboost(X: np.ndarray, y: np.ndarray, rounds: int) -> Predictor:
    xgboost = import_module("xgboost")
    options = {"objective": "multi:softmax", "num_class": int(y.max()) + 1, "nthread": 1}
    booster = xgboost.train(options, xgboost.QuantileDMatrix(X, y, nthread=1), rounds)
    return booster.inplace_predict


def _lightgbm(X: np.ndarray, y: np.ndarray, rounds: int) -> Predictor:
    lightgbm = import_module("lightgbm")
    options = {"objective": "multiclass", "num_class": int(y.max()) + 1, "num_threads": 1}
    options["verbosity"] = -1
    booster = lightgbm.train(options, lightgbm.Dataset(X, y), rounds)
    return lambda rows: booster.predict(rows, num_threads=1).argmax(axis=1)


ROUNDS = (1, 3, 10, 30, 100, 300, 1000)

LEARNERS: dict[str, Learner] = {
    "treecore, axis": _ours("axis", "depth", (8, 12, 20)),
    "treecore, SGD, depth 10": _ours("sgd", "epochs", ROUNDS, depth=10, start="axis"),
    "treecore, annealed, depth 8": _ours("annealed", "rounds", ROUNDS, depth=8),
    "treecore, TAO, depth 8": _ours("tao", "epochs", (1, 3, 10, 30), depth=8),
    "treecore, random forest": _ours("random-forest", "n_trees", ROUNDS, "trees"),
    "treecore, hinge forest": _ours("hinge-forest", "batches", (100, 300, 1000, 3000, 10_000)),
    "scikit-learn, tree": _sklearn(DecisionTreeClassifier, "max_depth", (8, 12, 20), "depth"),
    "scikit-learn, forest": _sklearn(RandomForestClassifier, "n_estimators", ROUNDS, "trees"),
    "scikit-learn, histogram boosting": _sklearn(
        HistGradientBoostingClassifier, "max_iter", ROUNDS, "rounds"
    ),
    "XGBoost": Learner("XGBoost", _xgboost, "rounds", ROUNDS),
    "LightGBM": Learner("LightGBM", _lightgbm, "rounds", ROUNDS),
    "obliquetree": Learner("obliquetree", _obliquetree, "depth", (4, 6, 8, 10, 14)),
    "STree": Learner("STree", _stree, "depth", (2, 4, 6, 8, 12)),
}
"""What learns under a limit of time, :mod:`benchmarks.budgets`."""

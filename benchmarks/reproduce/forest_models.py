"""Forests of ours and of well-kept libraries, with the settings that are chosen among.

Every model gives a :class:`Curve`: its error after so many trees and seconds. Gradient boosting
grows a tree for every class in each iteration, and is counted so. All of them learn on one core,
and seconds are the processor's, so that they can nearly be compared on a busy machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from threadpoolctl import threadpool_limits

from benchmarks.data import Part
from treecore.training import Trainer
from treecore.training.config import RunConfig

SHOWN = (1, 2, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10_000)
"""Numbers of trees, or of rounds, after which an error is shown."""


class Curve(NamedTuple):
    """Test and training error in percent after so many trees, and the seconds that they took."""

    trees: np.ndarray
    error: np.ndarray
    seconds: np.ndarray
    training: np.ndarray


@dataclass(frozen=True)
class Model:
    """One way to make a forest, with the settings to choose among."""

    name: str
    grow: Callable[[dict, Part, Part, int], Curve]
    candidates: tuple[dict, ...]  # the first one is that of --quick
    random: bool = True  # whether a seed decides anything; without, one run tells all

    def seeds(self, n_seeds: int) -> range:
        """The seeds to run it with, where random ones are run with so many."""
        return range(n_seeds if self.random else 1)

    def error(self, settings: dict, training: Part, held: Part, seed: int) -> float:
        """Error in percent of the whole forest."""
        return self.grow(settings, training, held, seed).error[-1]


def ours(settings: dict, training: Part, held: Part, seed: int) -> Curve:
    """Grow a forest of ours by the arguments of a config, and those of its base."""
    config, few = _config(settings, seed), training.sample(100)
    Trainer(config.replace(n_trees=2), *few).run()  # compiles what is not yet
    started = time.process_time()
    measured = [
        (event.done, 100 * event.validation_error, time.process_time() - started, 100 * event.error)
        for event in Trainer(config, *training, validation=held).events()
    ]
    return Curve(*(np.array(column) for column in zip(*measured, strict=True)))


def _config(settings: dict, seed: int) -> RunConfig:
    settings = dict(settings)
    base = RunConfig(settings.pop("method"), **settings.pop("base"))
    return RunConfig(settings.pop("kind"), base=base, seed=seed, **settings)


def _timed(model, training: Part) -> float:
    started = time.process_time()
    model.fit(*training)
    return time.process_time() - started


def _staged_curve(
    predict: Callable, parts: tuple[Part, Part], seconds: float, stages: np.ndarray, n_trees: int
) -> Curve:
    """The curve of predictions by the first stages, of which each took the same time.

    predict: gives those of rows, stage by stage; parts: training rows, others; stages: their
    numbers; n_trees: of a stage.
    """
    training, held = (
        np.array([100 * np.mean(classes != part.y) for classes in predict(part.X)])
        for part in parts
    )
    return Curve(n_trees * stages, held, seconds * stages / stages[-1], training)


def random_forest(settings: dict, training: Part, held: Part, seed: int) -> Curve:
    """Grow scikit-learn's random forest."""
    model = RandomForestClassifier(random_state=seed, **settings)
    seconds = _timed(model, training)

    def predict(X):
        share = 0.0
        for tree in model.estimators_:
            share = share + tree.predict_proba(X)
            yield model.classes_[share.argmax(axis=1)]

    stages = np.arange(1, len(model.estimators_) + 1)
    return _staged_curve(predict, (training, held), seconds, stages, 1)


def _trees_a_round(model) -> int:
    n_classes = len(model.classes_)
    return 1 if n_classes == 2 else n_classes


def histogram(settings: dict, training: Part, held: Part, seed: int) -> Curve:
    """Grow scikit-learn's histogram gradient boosting."""
    model = HistGradientBoostingClassifier(early_stopping=False, random_state=seed, **settings)
    with threadpool_limits(1, "openmp"):
        seconds = _timed(model, training)
    stages = np.arange(1, model.n_iter_ + 1)
    parts = training, held
    return _staged_curve(model.staged_predict, parts, seconds, stages, _trees_a_round(model))


def xgboost(settings: dict, training: Part, held: Part, seed: int) -> Curve:
    """Grow XGBoost's trees, where it is installed."""
    from xgboost import XGBClassifier

    model = XGBClassifier(random_state=seed, n_jobs=1, tree_method="hist", **settings)
    seconds = _timed(model, training)
    n_rounds = model.get_booster().num_boosted_rounds()
    # A prediction by n rounds goes through all of their trees: not after every round.
    rounds = np.array([n for n in SHOWN if n < n_rounds] + [n_rounds])

    def predict(X):
        return (model.predict(X, iteration_range=(0, n)) for n in rounds.tolist())

    return _staged_curve(predict, (training, held), seconds, rounds, _trees_a_round(model))


def _ours(kind: str, method: str, ensemble: dict, base: dict) -> dict:
    """Arguments of a config and its base: 30 trees, if nothing else is said."""
    ending = {} if kind == "bagging" else {"ending": "restart"}
    return {"kind": kind, "method": method, "base": base, "n_trees": 30, **ending, **ensemble}


def tao(kind, depth, C, path=1.0, start="random", epochs=10, ensemble=None, **base) -> dict:
    """Settings of a forest of TAO trees, from complete random trees as in Gabidolla et al."""
    base = {"path": path, "start": start, "epochs": epochs, **base}
    return _ours(kind, "tao", ensemble or {}, {"depth": depth, "C": C, **base})


def annealed(kind, depth, rounds=30, scaling="auto", ensemble=None, start="random") -> dict:
    """Settings of a forest of annealed trees."""
    base = {"depth": depth, "rounds": rounds, "start": start, "scaling": scaling}
    return _ours(kind, "annealed", ensemble or {}, base)


def cart(kind: str, depth: int) -> dict:
    """Settings of a hundred boosted CART trees of ours."""
    return {"kind": kind, "method": "axis", "base": {"depth": depth}, "n_trees": 100}


KINDS = {"": "samme", " (M1)": "adaboost-m1"}
"""The two algorithms of the paper, by what stands behind a model's name."""


def both(name: str, candidates: Callable[[str], tuple[dict, ...]]) -> tuple[Model, ...]:
    """A model by SAMME, and one by AdaBoost.M1, with the same candidates."""
    return tuple(Model(name + end, ours, candidates(kind)) for end, kind in KINDS.items())


DRAW = {"sampling": "draw"}
"""Boosting by rows that are drawn with their weights."""

RIDGE = {"start": "axis", "epochs": 3, "ridge": 10.0, "max_iter": 5}
"""TAO from cuts along the axes, with a ridge beside the L1 penalty."""

OURS = {
    "digits": (
        *both("boosted CART", lambda kind: tuple(cart(kind, depth) for depth in (6, 8))),
        Model(
            "boosted annealed",
            ours,
            tuple(annealed("samme", depth, ensemble=DRAW) for depth in (5, 4)),
        ),
        Model("bagged TAO", ours, (tao("bagging", 8, 3.0, 30.0),)),
        Model("bagged annealed", ours, (annealed("bagging", 6),)),
        *both("boosted TAO", lambda kind: tuple(tao(kind, d, 3.0, 30.0) for d in (7, 6))),
    ),
    "letter": (
        *both(
            "boosted TAO",
            lambda kind: (
                tao(kind, 10, 100.0, epochs=5, ensemble=DRAW),
                tao(kind, 12, 1e3, start="axis", epochs=2, ensemble=DRAW),
            ),
        ),
        *both("boosted CART", lambda kind: tuple(cart(kind, depth) for depth in (16, 12))),
        Model(
            "boosted annealed",
            ours,
            tuple(annealed("adaboost-m1", depth, 10, ensemble=DRAW) for depth in (10, 9)),
        ),
    ),
    "mnist": (
        Model("boosted annealed", ours, (annealed("adaboost-m1", 8, 10, "together", DRAW),)),
        # From 20,000 training rows, judged by 10,000 others, three passes from cuts of depth 10
        # end at 2.54 %; complete random trees of depth 8, as the paper starts, come first.
        *both(
            "boosted TAO",
            lambda kind: (
                tao(kind, 8, 6.0, epochs=3, scaling="together", ensemble=DRAW),
                tao(kind, 10, 6.0, **RIDGE, scaling="together", ensemble=DRAW),
            ),
        ),
        *both("boosted CART", lambda kind: (cart(kind, 12),)),
    ),
}
"""Our forests for each dataset."""


def libraries() -> tuple[Model, ...]:
    """The forests of the libraries."""
    shares = ("sqrt", 0.1, 0.3)
    forest = Model(
        "random forest",
        random_forest,
        tuple({"n_estimators": 300, "max_features": share} for share in shares),
    )
    rounds = ((200, 0.3, 6), (200, 0.3, 3), (500, 0.2, 8))
    gradients = Model(
        "XGBoost",
        xgboost,
        tuple(
            {"n_estimators": n_rounds, "learning_rate": rate, "max_depth": depth}
            for n_rounds, rate, depth in rounds
        ),
        random=False,
    )
    bins = Model(
        "gradient boosting (hist)",
        histogram,
        tuple(
            {"max_iter": 200, "learning_rate": 0.1, "max_leaf_nodes": leaves} for leaves in (31, 8)
        ),
        random=False,
    )
    return (forest, *[gradients] * bool(find_spec("xgboost")), bins)


LIBRARIES = {
    "digits": libraries(),
    "letter": libraries(),
    # A choice among them takes hours of a core here: the first candidate of each.
    "mnist": tuple(replace(model, candidates=model.candidates[:1]) for model in libraries()),
}
"""The libraries' forests for each dataset."""


def flat(settings: dict) -> dict:
    """Settings of the ensemble and of its trees in one dictionary."""
    alone = {k: v for k, v in settings.items() if k != "base"}
    return alone | settings.get("base", {})

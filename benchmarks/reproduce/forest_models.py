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
from joblib import Parallel, delayed
from sklearn.ensemble import (
    AdaBoostClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from benchmarks.data import Part
from treecore.training import Trainer
from treecore.training.config import RunConfig

SHOWN = (1, 2, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10_000)
"""Numbers of trees, or of rounds, after which an error is shown."""


class Curve(NamedTuple):
    """Test error in percent after so many trees, and the seconds that they took."""

    trees: np.ndarray
    error: np.ndarray
    seconds: np.ndarray


@dataclass(frozen=True)
class Model:
    """One way to make a forest, with the settings to choose among.

    candidates: the first one is that of ``--quick``; random: whether a seed decides anything;
    without, one run tells all.
    """

    name: str
    grow: Callable[[dict, Part, Part, int], Curve]
    candidates: tuple[dict, ...]
    random: bool = True

    def seeds(self, n_seeds: int) -> range:
        """The seeds to run it with, where random ones are run with so many."""
        return range(n_seeds if self.random else 1)

    def error(self, settings: dict, training: Part, held: Part, seed: int) -> float:
        """Error in percent of the whole forest."""
        return self.grow(settings, training, held, seed).error[-1]


def ours(settings: dict, training: Part, held: Part, seed: int) -> Curve:
    """Grow a forest of ours by the arguments of a config, and those of its base."""
    return _grown(_config(settings, seed), training, held, time.process_time)


def ours_side_by_side(settings: dict, training: Part, held: Part, seed: int) -> Curve:
    """As :func:`ours` on two cores, with seconds of the clock."""
    return _grown(_config(settings, seed), training, held, time.perf_counter, n_jobs=2)


def ferns(settings: dict, training: Part, held: Part, seed: int) -> Curve:
    """Learn hinge ferns, all at once, by the arguments of a config; seconds are the clock's."""
    config = RunConfig("hinge-ferns", seed=seed, **settings)
    curve = _grown(config, training, held, time.perf_counter)
    n_trees = settings["trees"]
    return Curve(np.array([n_trees]), curve.error[-1:], curve.seconds[-1:])


def halves(settings: dict, training: Part, held: Part, seed: int) -> Curve:
    """Learn half of the members as hinge trees and half as ferns, side by side; answer by the mean.

    They err on other rows: ferns ask one question of a row at each depth, trees one by branch.
    """
    n_half = settings["trees"] // 2
    configs = [
        RunConfig(kind, seed=seed, **settings | {"trees": n_half})
        for kind in ("hinge-forest", "hinge-ferns")
    ]
    for config in configs:
        Trainer(config.replace(batches=2), *training.sample(100)).run()  # compiles what is not yet
    started = time.perf_counter()
    probabilities = Parallel(n_jobs=2)(
        delayed(_probabilities)(config, training, held.X) for config in configs
    )
    seconds = time.perf_counter() - started
    error = 100 * np.mean(sum(probabilities).argmax(axis=1) != held.y)
    return Curve(np.array([2 * n_half]), np.array([error]), np.array([seconds]))


def _probabilities(config: RunConfig, training: Part, X: np.ndarray) -> np.ndarray:
    return Trainer(config, *training).run().predict_proba(X)


def _config(settings: dict, seed: int) -> RunConfig:
    settings = dict(settings)
    base = RunConfig(settings.pop("method"), **settings.pop("base"))
    return RunConfig(settings.pop("kind"), base=base, seed=seed, **settings)


def _grown(config: RunConfig, training: Part, held: Part, clock, n_jobs=None) -> Curve:
    few = training.sample(100)
    shorter = {"batches": 2} if config.base is None else {"n_trees": 2}
    Trainer(config.replace(**shorter), *few).run()  # compiles what is not yet
    started = clock()
    measured = [
        (event.done, 100 * event.validation_error, clock() - started)
        for event in Trainer(config, *training, validation=held).events(n_jobs)
    ]
    return Curve(*(np.array(column) for column in zip(*measured, strict=True)))


def _timed(model, training: Part) -> float:
    started = time.process_time()
    model.fit(*training)
    return time.process_time() - started


def _staged_curve(predictions, held: Part, seconds: float, trees_a_stage: int = 1) -> Curve:
    """The curve of staged predictions, of which each took the same time."""
    error = np.array([100 * np.mean(classes != held.y) for classes in predictions])
    stage = np.arange(1, len(error) + 1)
    return Curve(trees_a_stage * stage, error, seconds * stage / len(error))


def random_forest(settings: dict, training: Part, held: Part, seed: int) -> Curve:
    """Grow scikit-learn's random forest."""
    model = RandomForestClassifier(random_state=seed, **settings)
    seconds = _timed(model, training)
    shares = np.cumsum([tree.predict_proba(held.X) for tree in model.estimators_], axis=0)
    return _staged_curve((model.classes_[share.argmax(axis=1)] for share in shares), held, seconds)


def adaboost(settings: dict, training: Part, held: Part, seed: int) -> Curve:
    """Grow scikit-learn's AdaBoost (SAMME) over CART."""
    settings = dict(settings)
    tree = DecisionTreeClassifier(max_depth=settings.pop("depth"), random_state=seed)
    model = AdaBoostClassifier(tree, random_state=seed, **settings)
    seconds = _timed(model, training)
    return _staged_curve(model.staged_predict(held.X), held, seconds)


def _trees_a_round(model) -> int:
    n_classes = len(model.classes_)
    return 1 if n_classes == 2 else n_classes


def histogram(settings: dict, training: Part, held: Part, seed: int) -> Curve:
    """Grow scikit-learn's histogram gradient boosting."""
    model = HistGradientBoostingClassifier(early_stopping=False, random_state=seed, **settings)
    with threadpool_limits(1, "openmp"):
        seconds = _timed(model, training)
    return _staged_curve(model.staged_predict(held.X), held, seconds, _trees_a_round(model))


def xgboost(settings: dict, training: Part, held: Part, seed: int) -> Curve:
    """Grow XGBoost's trees, where it is installed."""
    from xgboost import XGBClassifier

    model = XGBClassifier(random_state=seed, n_jobs=1, tree_method="hist", **settings)
    seconds = _timed(model, training)
    n_rounds = model.get_booster().num_boosted_rounds()
    # A prediction by n rounds goes through all of their trees: not after every round.
    rounds = np.array([n for n in SHOWN if n < n_rounds] + [n_rounds])
    predictions = (model.predict(held.X, iteration_range=(0, n)) for n in rounds.tolist())
    error = np.array([100 * np.mean(classes != held.y) for classes in predictions])
    return Curve(_trees_a_round(model) * rounds, error, seconds * rounds / n_rounds)


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


def cart(depth: int) -> dict:
    """Settings of a hundred boosted CART trees of ours."""
    return {"kind": "samme", "method": "axis", "base": {"depth": depth}, "n_trees": 100}


DRAW = {"sampling": "draw"}
"""Boosting by rows that are drawn with their weights."""

RIDGE = {"start": "axis", "epochs": 4, "ridge": 10.0, "max_iter": 5}
"""TAO from cuts along the axes, with a ridge beside the L1 penalty."""

OURS = {
    "digits": (
        Model(
            "boosted TAO",
            ours,
            (
                # Without draws its one run was luck: over 31 values of C between 2.45 and 3.95 it
                # erred on 1.6 % of the test rows, with a deviation of 0.4.
                tao("samme", 6, 3.0, **RIDGE, ensemble=DRAW),
                tao("samme", 7, 3.0, 30.0),
                tao("samme", 6, 3.0, 30.0),
                tao("samme", 5, 1.0, 1.0),
            ),
        ),
        Model("boosted TAO (M1)", ours, (tao("adaboost-m1", 7, 3.0, 30.0),)),
        Model("bagged TAO", ours, (tao("bagging", 8, 3.0, 30.0),)),
        Model(
            "boosted annealed",
            ours,
            tuple(annealed("samme", depth, ensemble=DRAW) for depth in (5, 4)),
        ),
        Model("bagged annealed", ours, (annealed("bagging", 6),)),
        Model("boosted CART", ours, tuple(cart(depth) for depth in (6, 8))),
    ),
    "letter": (
        Model(
            "boosted TAO",
            ours,
            (
                tao("adaboost-m1", 12, 1e3, start="axis", epochs=2, ensemble=DRAW),
                tao(
                    "adaboost-m1",
                    14,
                    30.0,
                    start="axis",
                    epochs=3,
                    ensemble=DRAW | {"feature_share": 0.75},
                ),
            ),
        ),
        Model(
            "boosted annealed",
            ours,
            tuple(annealed("adaboost-m1", depth, 10, ensemble=DRAW) for depth in (10, 9)),
        ),
    ),
    "mnist": (
        Model("boosted annealed", ours, (annealed("adaboost-m1", 8, 10, "together", DRAW),)),
        # From 20,000 training rows, judged by 10,000 others, two passes of TAO end at 2.54 %, at
        # depth 8 at 2.72 %; and four passes of depth 8 over all rows by their weights, with C at 1,
        # at 2.59 %, in four times the time.
        Model(
            "boosted TAO",
            ours,
            (
                tao(
                    "adaboost-m1",
                    10,
                    6.0,
                    **RIDGE | {"epochs": 3},
                    scaling="together",
                    ensemble=DRAW,
                ),
            ),
        ),
    ),
}
"""Our forests for each dataset."""


HUNDRED = DRAW | {"n_trees": 100, "lag": 1}
"""A hundred boosted trees, two at a time."""


HINGE = {"trees": 100, "depth": 10, "batch": 53, "eta": 0.02, "dropout": 0.5, "noise": 0.1}
"""Hinge trees and ferns for Letter."""

LOWEST = {
    "digits": (
        Model(
            "a hundred, boosted",
            ours_side_by_side,
            tuple(
                annealed("samme", depth, ensemble=HUNDRED | {"shift": shift})
                for depth, shift in ((5, 0.5), (6, 0.5), (5, 0.0))
            ),
        ),
    ),
    "letter": (
        Model(
            "a hundred, boosted",
            ours_side_by_side,
            (annealed("adaboost-m1", 12, 4, start="axis", ensemble=HUNDRED),),
        ),
        Model("fifty hinge trees and fifty ferns", halves, (HINGE | {"batches": 30_000},)),
        Model(
            "a hundred hinge ferns",
            ferns,
            tuple(HINGE | {"batches": 24_000, "noise": noise} for noise in (0.1, 0.2, 0.0)),
        ),
    ),
    "mnist": (
        Model(
            "a hundred, boosted",
            ours_side_by_side,
            tuple(
                annealed("adaboost-m1", 8, 10, "together", HUNDRED | {"shift": shift})
                for shift in (1.0, 0.0)
            ),
        ),
    ),
}
"""At most a hundred members, for the lowest error that two cores reach in a minute or two."""


def libraries(boosted_depths: tuple[int, ...]) -> tuple[Model, ...]:
    """The forests of the libraries; AdaBoost over CART where depths are given to choose from."""
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
    boosted = Model(
        "AdaBoost over CART",
        adaboost,
        tuple({"n_estimators": 100, "depth": depth} for depth in boosted_depths),
    )
    own_packages = [gradients] * bool(find_spec("xgboost"))
    return (forest, *own_packages, bins, *[boosted] * bool(boosted_depths))


LIBRARIES = {
    "digits": libraries((8, 6, 10)),
    "letter": libraries((16,)),
    # A choice among them takes hours of a core here: the first candidate of each, as of ours.
    "mnist": tuple(replace(model, candidates=model.candidates[:1]) for model in libraries(())),
}
"""The libraries' forests for each dataset."""


def flat(settings: dict) -> dict:
    """Settings of the ensemble and of its trees in one dictionary."""
    alone = {k: v for k, v in settings.items() if k != "base"}
    return alone | settings.get("base", {})

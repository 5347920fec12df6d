"""The registry: everything that learns, what it is called, what can be set, how to build it.

Single trees, ensembles of trees and hinge forests are entries of one kind. Pages, command line,
sweeps, tests, the generated estimators and the documentation read this table and nothing else, so a
new method is one entry and, in :mod:`treecore.training.builders`, the function that builds its
learner.
"""

from __future__ import annotations

from treecore.base.settings import Settings, find_named
from treecore.ensembles.boosting import ALGORITHMS
from treecore.ensembles.settings import BaggingSettings, BoostingSettings
from treecore.learners.greedy.settings import (
    AxisSettings,
    CO2Settings,
    OC1Settings,
    RandomSettings,
)
from treecore.learners.hinge.settings import HingeSettings
from treecore.learners.nongreedy.settings import (
    AnnealedSettings,
    SGDSettings,
    StableSGDSettings,
    TAOSettings,
)
from treecore.losses import LOSSES
from treecore.training.builders import (
    build_annealed,
    build_axis,
    build_co2,
    build_oc1,
    build_random,
    build_sgd,
    build_tao,
    one_pass,
    one_round,
)
from treecore.training.method import Method

ROWS_A_LEAF = 15
"""Rows for each leaf of a complete tree from which on it is the better start; cuts on one feature
are with fewer. Splits of few features need one and a half rows a weight."""


def _grown_start(settings, shape: tuple[int, int]) -> tuple[str, Settings] | None:
    """The method that grows the starting tree, as deep; its other settings at their defaults."""
    start = settings.start
    if start == "auto":
        n_rows, n_features = shape
        enough = min(ROWS_A_LEAF, 1.5 * (n_features + 1)) * 2**settings.depth
        start = "random" if n_rows >= enough else "axis"
    if start == "random":
        return None
    grower = TREES[start]
    shared = [name for name in ("depth", "smoothing") if hasattr(settings, name)]
    return grower.name, grower.settings.of(**{name: getattr(settings, name) for name in shared})


TREES = {
    method.name: method
    for method in (
        Method(
            name="sgd",
            title="Non-greedy SGD",
            short="SGD",
            sentence="Adjusts every split at once, one example at a time, to lower a bound on the "
            "whole tree's loss.",
            claim="the loss never exceeds the bound. Not guaranteed: every step lowers the bound. "
            "A step lowers it for one example and may raise it for others.",
            colour=1,
            estimator="SGDTree",
            source="Norouzi et al., Efficient Non-greedy Optimization of Decision Trees, 2015.",
            unit="epoch",
            settings=SGDSettings,
            build=build_sgd,
            start=_grown_start,
            piece=one_pass,
        ),
        Method(
            name="stable-sgd",
            title="Non-greedy Stable SGD",
            short="Stable SGD",
            sentence="Like SGD, but each example keeps its leaf until the bound stops falling, and "
            "fewer leaves become inactive.",
            claim="the loss never exceeds the bound. Not guaranteed: every step lowers the bound. "
            "A step lowers only the bound of its own example.",
            colour=5,
            estimator="StableSGDTree",
            source="Norouzi et al., Efficient Non-greedy Optimization of Decision Trees, 2015.",
            unit="epoch",
            settings=StableSGDSettings,
            build=build_sgd,
            start=_grown_start,
            piece=one_pass,
        ),
        Method(
            name="annealed",
            title="Annealed (soft to hard)",
            short="Annealed",
            sentence="Adjusts every split at once; at first each example goes partly down both "
            "branches, by the end down only one.",
            claim="in the end every example goes down one branch only. Not guaranteed: every step "
            "lowers the loss, or hardening the splits keeps it.",
            colour=3,
            estimator="AnnealedTree",
            unit="round",
            settings=AnnealedSettings,
            build=build_annealed,
            start=_grown_start,
            piece=one_round,
        ),
        Method(
            name="tao",
            title="Alternating (TAO)",
            short="TAO",
            sentence="Improves one split at a time from the leaves to the root; the training error "
            "never rises, and splits use few features.",
            claim="no change to a split increases the training error. Not guaranteed: the best "
            "tree of all. A split that cannot be improved stays.",
            colour=4,
            estimator="TAOTree",
            source="Carreira-Perpiñán and Tavallali, Alternating Optimization of Decision Trees, "
            "2018.",
            unit="epoch",
            settings=TAOSettings,
            build=build_tao,
            start=_grown_start,
        ),
        Method(
            name="axis",
            title="Greedy axis-aligned",
            short="Axis-aligned",
            sentence="Grows the tree from the root; each node takes the best split on one "
            "feature and never revisits it.",
            claim="no split on a single feature is better at its node. Not guaranteed: the best "
            "tree of its depth. A split is never revisited.",
            colour=0,
            estimator="AxisTree",
            unit="level",
            settings=AxisSettings,
            build=build_axis,
        ),
        Method(
            name="random-oblique",
            title="Greedy random oblique",
            short="Random oblique",
            sentence="Grows the tree from the root; each node draws random oblique splits and "
            "takes the best of them.",
            claim="each split is the best of those drawn. Not guaranteed: the best split at its "
            "node, or for the tree.",
            colour=7,
            estimator="RandomObliqueTree",
            unit="level",
            settings=RandomSettings,
            build=build_random,
        ),
        Method(
            name="oc1",
            title="Greedy oblique (OC1)",
            short="OC1",
            sentence="Grows the tree from the root; each node tunes one coefficient at a time, "
            "keeps what helps, and tries several starts.",
            claim="no split is less pure than the best split on one feature. Not guaranteed: the "
            "best slant at its node, or for the tree.",
            colour=2,
            estimator="OC1Tree",
            source="Murthy, Kasif and Salzberg, A System for Induction of Oblique Decision Trees, "
            "1994.",
            unit="level",
            settings=OC1Settings,
            build=build_oc1,
            paper={"criterion": "gini", "start": "random", "restarts": 0},
        ),
        Method(
            name="co2",
            title="Greedy oblique (CO2)",
            short="CO2",
            sentence="Grows the tree from the root; each node takes the best split on one feature "
            "and adjusts it by SGD to lower a bound on its own loss.",
            claim="no split is less pure than the best split on one feature. Not guaranteed: the "
            "best split at its node, or for the tree.",
            colour=6,
            estimator="CO2Tree",
            source="Norouzi et al., CO2 Forest, 2015.",
            unit="level",
            settings=CO2Settings,
            build=build_co2,
        ),
    )
}
"""The methods that learn one tree, by name, in the order in which a menu should show them."""

BASES = tuple(TREES)
"""Methods that may grow the trees of an ensemble."""


def _ensemble(
    name: str, title: str, sentence: str, algorithm: str, base: str, **defaults
) -> Method:
    is_boosting = algorithm in ALGORITHMS
    return Method(
        name=name,
        title=title,
        sentence=sentence,
        unit="tree",
        settings=BoostingSettings if is_boosting else BaggingSettings,
        family="ensemble",
        losses=("log",) if is_boosting else tuple(LOSSES),
        algorithm=algorithm,
        colour=TREES[base].colour,
        base=base,
        base_settings=TREES[base].settings,
        defaults=defaults,
    )


def _hinge(name: str, title: str, sentence: str, algorithm: str, colour: int) -> Method:
    return Method(
        name=name,
        title=title,
        sentence=sentence,
        unit="batch",
        settings=HingeSettings,
        family="hinge",
        algorithm=algorithm,
        colour=colour,
        paper={"depth": 10, "start": "drawn", "schedule": "constant"},
    )


METHODS = TREES | {
    method.name: method
    for method in (
        _ensemble(
            "bagging",
            "Bagging",
            "Every tree learns from examples drawn for it, and all trees predict together. Each "
            "tree's memorised noise is missing in the others.",
            "bagging",
            "axis",
            depth=20,
        ),
        _ensemble(
            "adaboost-m1",
            "AdaBoost.M1",
            "Examples that a tree misclassifies weigh more for the next tree; better trees have "
            "more votes. Each tree must be right on more than half of the weight.",
            "adaboost-m1",
            "axis",
            depth=6,
        ),
        _ensemble(
            "samme",
            "SAMME",
            "Like AdaBoost.M1, but with many classes a tree need only be better than chance.",
            "samme",
            "axis",
            depth=6,
        ),
        _ensemble(
            "random-forest",
            "Random forest",
            "Deep axis-aligned trees on bootstraps; every split chooses among a few random "
            "features (Breiman 2001).",
            "bagging",
            "axis",
            depth=20,
            smoothing=0.01,
            split_features="root",
        ),
        _ensemble(
            "cart-forest",
            "CART forest",
            "Deep axis-aligned trees on bootstraps, with all features.",
            "bagging",
            "axis",
            depth=20,
            smoothing=0.01,
        ),
        _ensemble(
            "oc1-forest",
            "OC1 forest",
            "Greedy oblique trees, by OC1, on bootstraps.",
            "bagging",
            "oc1",
            depth=12,
            smoothing=0.01,
            n_trees=50,
        ),
        _ensemble(
            "tao-forest",
            "TAO forest",
            "Sparse oblique trees, improved by TAO, on bootstraps.",
            "bagging",
            "tao",
            depth=8,
            epochs=5,
            n_trees=30,
        ),
        _ensemble(
            "sgd-forest",
            "Non-greedy forest",
            "Trees learnt as a whole by SGD on a bound, each on a bootstrap of the examples.",
            "bagging",
            "sgd",
            depth=8,
            start="axis",
            nu=100,
            epochs=50,
            n_trees=30,
        ),
        _ensemble(
            "annealed-forest",
            "Annealed forest",
            "Trees learnt as a whole, from soft splits to hard ones, on bootstraps.",
            "bagging",
            "annealed",
            depth=8,
            rounds=60,
            n_trees=30,
        ),
        _ensemble(
            "boosted-tao",
            "Boosted TAO",
            "SAMME over sparse oblique trees, improved by TAO (Gabidolla et al.).",
            "samme",
            "tao",
            depth=7,  # MNIST prefers cuts with C 1 and ridge 10, which stay cuts in the plane
            C=10,
            ridge=1,
            start="random",
            epochs=4,
            max_iter=5,
            n_trees=30,
            ending="restart",
        ),
        _ensemble(
            "boosted-sgd",
            "Boosted SGD",
            "SAMME over trees learnt as a whole by SGD on a bound.",
            "samme",
            "sgd",
            depth=6,
            start="axis",
            nu=100,
            epochs=50,
            n_trees=30,
        ),
        _ensemble(
            "boosted-annealed",
            "Boosted annealed trees",
            "SAMME over trees learnt as a whole, from soft splits to hard ones.",
            "samme",
            "annealed",
            depth=5,
            start="random",
            rounds=30,
            n_trees=30,
            sampling="draw",
            ending="restart",
        ),
        _ensemble(
            "boosted-cart",
            "Boosted CART",
            "SAMME over axis-aligned trees: the best-known form of AdaBoost.",
            "samme",
            "axis",
            depth=6,
            n_trees=100,
        ),
        _hinge(
            "hinge-forest",
            "Random hinge forest",
            "All trees learn at once, by gradient descent; each predicts with its smallest margin.",
            "forest",
            colour=8,
        ),
        _hinge(
            "hinge-ferns",
            "Random hinge ferns",
            "Like a hinge forest, but all nodes of a level share one split.",
            "fern",
            colour=9,
        ),
    )
}
"""All methods by name, in the order in which a menu should show them."""


def find_method(name: str) -> Method:
    """Return the method of that name; ValueError, with the names there are, if there is none."""
    return find_named(METHODS, name, "method")


def find_tree(name: str) -> Method:
    """As :func:`find_method`, of those that learn one tree."""
    return find_named(TREES, name, "method")


def check_streams(method: Method, settings: object = None) -> None:
    """Raise ValueError, with the methods that can, where one cannot learn from rows in chunks."""
    if getattr(settings, "leaf", None) == "linear":
        raise ValueError("leaf='linear' needs all rows at once; take leaf='constant'")
    if not method.streams:
        able = ", ".join(name for name, other in TREES.items() if other.streams)
        raise ValueError(
            f"the method {method.name!r} needs all rows at once; for rows in parts choose one "
            f"of {able}"
        )

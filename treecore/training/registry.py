"""The registry: everything that learns, what it is called, what can be set, how to build it.

Single trees, ensembles of trees and hinge forests are entries of one kind. Pages, command line,
sweeps and tests read this table and nothing else, so a new method is one entry.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treecore.base.settings import Setting, Settings, find_named
from treecore.core.impurity import Criterion
from treecore.core.rows import SparseRows, TrainingRows
from treecore.core.scaling import Scaling, have_one_unit
from treecore.core.tree import Tree
from treecore.ensembles.boosting import ALGORITHMS
from treecore.ensembles.settings import BaggingSettings, BoostingSettings
from treecore.learners.base import Learner
from treecore.learners.greedy.finders.axis import AxisFinder
from treecore.learners.greedy.finders.co2 import CO2Finder
from treecore.learners.greedy.finders.oc1 import OC1Finder
from treecore.learners.greedy.finders.random_oblique import RandomFinder
from treecore.learners.greedy.finders.sparse_axis import SparseAxisFinder
from treecore.learners.greedy.growth import Growth
from treecore.learners.greedy.settings import (
    AxisSettings,
    CO2Settings,
    GreedySettings,
    OC1Settings,
    RandomSettings,
)
from treecore.learners.greedy.splitter import SplitFinder
from treecore.learners.hinge.settings import HingeSettings
from treecore.learners.nongreedy.annealed.annealed import Annealed
from treecore.learners.nongreedy.settings import (
    AnnealedSettings,
    SGDSettings,
    StableSGDSettings,
    TAOSettings,
)
from treecore.learners.nongreedy.sgd.sgd import SGD
from treecore.learners.nongreedy.sgd.stable import StableSGD
from treecore.learners.nongreedy.start import random_tree
from treecore.learners.nongreedy.tao.tao import TAO
from treecore.losses import LOSSES


@dataclass(frozen=True)
class Method:
    """One way to learn.

    Attributes
    ----------
    name, title, sentence : str
        Name in code and on the command line; name on screen; what it does, for a newcomer.
    unit : str
        What its events count: ``"epoch"``, ``"round"`` (of mini-batches), ``"level"``, ``"tree"``
        or ``"batch"``.
    settings : type of Settings
        Its settings, with ranges and defaults.
    family : str
        ``"tree"``, ``"ensemble"`` (of trees of another method) or ``"hinge"``: which trainer
        learns by it.
    build : callable (settings, rows, start, rng) -> Learner, or None
        Of a single tree. ``start`` is the tree to start from, None for a method that needs none.
    start : callable (settings, shape) -> (name, settings) or None, or None
        The method, with its settings, that grows the starting tree first; a method without this
        entry grows from nothing and cannot go on from a given tree.
    sparse : bool
        Whether it takes sparse tables without filling them; an ensemble, where its trees do.
    piece : callable (n_rows) -> dict, or None
        The settings with which it goes on from a tree as it is, with one more piece of so many
        rows; its ``build`` takes the stream's ``scaling`` as well. A ``start`` among them is a
        default. None: it needs all rows at once.
    losses : tuple of str
        Names of the losses that it can make small.
    algorithm : str
        Of an ensemble: ``"bagging"`` or one of :data:`treecore.ensembles.boosting.ALGORITHMS`.
        Of a hinge forest: ``"forest"`` or ``"fern"``.
    base : str or None
        The usual method of an ensemble's trees.
    defaults : mapping
        Settings, of an ensemble's usual trees as well, that are not what is usual elsewhere.
    """

    name: str
    title: str
    sentence: str
    unit: str
    settings: type[Settings]
    family: str = "tree"
    build: Callable[[Settings, TrainingRows, Tree | None, np.random.Generator], Learner] = None
    start: Callable[[Any, tuple[int, int]], tuple[str, Settings] | None] | None = None
    sparse: bool = False
    piece: Callable[[int], dict] | None = None
    losses: tuple[str, ...] = tuple(LOSSES)
    algorithm: str = ""
    base: str | None = None
    defaults: Mapping[str, Any] = field(default_factory=dict)

    def known(self, base: str | None = None) -> tuple[Setting, ...]:
        """What is known of every setting, those of an ensemble's trees by ``base`` after its own.

        Names never repeat, so a run can be told by one list of them.
        """
        if self.family == "ensemble":
            usual = base in (None, self.base)
            trees = METHODS[self.base if usual else base].settings.known()
            own = self.settings.known()
            return self._changed(own) + (self._changed(trees) if usual else trees)
        return self._changed(self.settings.known())

    def _changed(self, settings: tuple[Setting, ...]) -> tuple[Setting, ...]:
        return tuple(
            dataclasses.replace(known, default=self.defaults.get(known.name, known.default))
            for known in settings
        )

    def own_defaults(self) -> dict[str, Any]:
        """Those of ``defaults`` that are settings of its own."""
        names = {known.name for known in self.settings.known()}
        return {name: value for name, value in self.defaults.items() if name in names}

    @property
    def is_boosting(self) -> bool:
        """Whether a tree depends on those before it: such trees cannot grow side by side."""
        return self.algorithm in ALGORITHMS

    @property
    def is_preset(self) -> bool:
        """Whether it is an ensemble with a name of its own, with trees of one method."""
        return self.family == "ensemble" and self.name != self.algorithm

    def takes(self, task: str) -> bool:
        """Whether it learns for a task, ``"classification"`` or ``"regression"``."""
        return any(LOSSES[loss].task == task for loss in self.losses)

    @property
    def takes_start(self) -> bool:
        """Whether it can go on from a given tree."""
        return self.start is not None

    @property
    def streams(self) -> bool:
        """Whether it can learn from rows that come in pieces."""
        return self.piece is not None

    def check_streams(self) -> None:
        """Raise ValueError, in one sentence, where the method cannot learn from pieces."""
        if not self.streams:
            able = ", ".join(name for name, method in TREES.items() if method.streams)
            raise ValueError(
                f"the method {self.name!r} needs all rows at once; for rows that come in pieces "
                f"choose one of {able}"
            )

    def check_rows(self, rows: TrainingRows) -> None:
        """Raise ValueError, in one sentence, where the method cannot read such rows."""
        if isinstance(rows.X, SparseRows) and not self.sparse:
            able = ", ".join(name for name, method in TREES.items() if method.sparse)
            raise ValueError(
                f"the method {self.name!r} needs a dense table; make X dense (X.toarray()) or "
                f"choose one of {able}"
            )

    def n_epochs(self, settings: Settings) -> int:
        """How many of its units a run has at most."""
        return getattr(settings, LENGTHS[self.unit])


LENGTHS = {
    "epoch": "epochs",
    "round": "rounds",
    "level": "depth",
    "tree": "n_trees",
    "batch": "batches",
}
"""The setting that says how many units a run has at most, by the unit."""


def _grow(settings: GreedySettings, rows: TrainingRows, finder: SplitFinder) -> Learner:
    criterion = Criterion[settings.criterion.upper().replace(" ", "_")]
    return Growth(rows, criterion, finder=finder, **settings.rules())


def _build_axis(settings: AxisSettings, rows: TrainingRows, start, rng) -> Learner:
    if isinstance(rows.X, SparseRows):
        if settings.max_features:
            raise ValueError(
                "max_features needs a dense table where splits are axis-aligned; make X dense "
                "(X.toarray()) or let all features compete (0)"
            )
        return _grow(settings, rows, SparseAxisFinder())
    finder = AxisFinder(settings.max_features, rng)
    return _grow(settings, rows, finder)


def _build_random(settings: RandomSettings, rows: TrainingRows, start, rng) -> Learner:
    return _grow(settings, rows, RandomFinder(settings.n_directions, rng))


def _build_oc1(settings: OC1Settings, rows: TrainingRows, start, rng) -> Learner:
    finder = OC1Finder(settings.order, settings.restarts, settings.jumps, rng)
    return _grow(settings, rows, finder)


def _build_co2(settings: CO2Settings, rows: TrainingRows, start, rng) -> Learner:
    finder = CO2Finder(settings.nu, settings.eta, settings.epochs, rng)
    return _grow(settings, rows, finder)


def _build_sgd(settings: SGDSettings, rows: TrainingRows, start, rng, scaling=None) -> Learner:
    if start is None:
        start = random_tree(rows, settings.depth, settings.smoothing, rng)
    more = {}
    learner = SGD
    if isinstance(settings, StableSGDSettings):
        learner, more = StableSGD, {"tolerance": settings.tolerance}
    return learner(
        rows,
        start,
        n_epochs=settings.epochs,
        nu=settings.nu,
        eta=settings.eta,
        schedule=settings.schedule,
        exact=settings.inference == "exact",
        rng=rng,
        options=settings.options(),
        scaling=scaling,
        **more,
    )


def _build_annealed(
    settings: AnnealedSettings, rows: TrainingRows, start, rng, scaling=None
) -> Learner:
    goes_on = scaling is not None
    if scaling is None:
        scaling = Scaling.fit(rows.X, _together(settings.scaling, rows.X), robust=True)
    if start is None:
        start = random_tree(rows, settings.depth, settings.smoothing, rng, scaling)
    return Annealed(
        rows,
        start,
        n_rounds=settings.rounds,
        batch=settings.batch,
        eta=settings.eta,
        leaf_eta=settings.eta * 5 / 3,
        decay=settings.decay,
        power=settings.power,
        beta=(1.0, settings.sharpness),
        smoothing=settings.smoothing,
        scaling=scaling,
        goes_on=goes_on,
        rng=rng,
    )


def _together(scaling: str, X) -> bool:
    """Whether features keep their proportions, by the word of a setting."""
    return scaling == "together" or (scaling == "auto" and have_one_unit(X))


def _one_pass(n_rows: int) -> dict:
    """Settings of SGD for a piece of a stream: the learning rate does not fall."""
    return {"epochs": 1, "schedule": "constant"}


def _one_round(n_rows: int) -> dict:
    """Settings of annealed learning for a piece of a stream: one pass in small batches.

    A tree grown on the first piece would be too small for those that follow.
    """
    return {"rounds": 1, "batch": min(n_rows, 32), "start": "random"}


def _build_tao(settings: TAOSettings, rows: TrainingRows, start, rng) -> Learner:
    if start is None:
        start = random_tree(rows, settings.depth, settings.smoothing, rng)
    return TAO(
        rows,
        start,
        n_epochs=settings.epochs,
        C=settings.C,
        path=settings.path,
        smoothing=settings.smoothing,
        max_iter=settings.max_iter,
        nodes=settings.nodes,
        solver=settings.solver,
        ridge=settings.ridge,
        scaling=Scaling.fit(rows.X, _together(settings.scaling, rows.X)),
        rng=rng,
    )


ROWS_A_LEAF = 15
"""Rows for each leaf of a complete tree from which on it is the better start: on Letter, USPS and
the digits by one point. With fewer, on 14 small tables, cuts on one feature are, by two. Splits
of few features have few weights to overfit with: one and a half rows a weight are enough."""


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
    return grower.name, grower.settings.of(depth=settings.depth, smoothing=settings.smoothing)


TREES = {
    method.name: method
    for method in (
        Method(
            name="sgd",
            title="Non-greedy SGD",
            sentence="Turns all oblique splits together, one example at a time, so that a bound "
            "on the loss of the whole tree falls.",
            unit="epoch",
            settings=SGDSettings,
            build=_build_sgd,
            start=_grown_start,
            sparse=True,
            piece=_one_pass,
        ),
        Method(
            name="stable-sgd",
            title="Non-greedy Stable SGD",
            sentence="As SGD, but every example keeps its leaf until the bound no longer falls: "
            "fewer leaves fall asleep.",
            unit="epoch",
            settings=StableSGDSettings,
            build=_build_sgd,
            start=_grown_start,
            sparse=True,
            piece=_one_pass,
        ),
        Method(
            name="annealed",
            title="Annealed (soft to hard)",
            sentence="Turns all oblique splits together; examples take both sides of a split in "
            "part, at first, and one of them in the end.",
            unit="round",
            settings=AnnealedSettings,
            build=_build_annealed,
            start=_grown_start,
            piece=_one_round,
        ),
        Method(
            name="tao",
            title="Alternating (TAO)",
            sentence="Improves one split at a time from the leaves to the root, so that the error "
            "on the training examples never rises; its splits use few features.",
            unit="epoch",
            settings=TAOSettings,
            build=_build_tao,
            start=_grown_start,
            sparse=True,
        ),
        Method(
            name="axis",
            title="Greedy axis-aligned",
            sentence="Grows the tree from the root; each node takes the best split on one "
            "feature and never looks back.",
            unit="level",
            settings=AxisSettings,
            build=_build_axis,
            sparse=True,
        ),
        Method(
            name="random-oblique",
            title="Greedy random oblique",
            sentence="Grows the tree from the root; each node draws random slanted splits and "
            "takes the best of them.",
            unit="level",
            settings=RandomSettings,
            build=_build_random,
            sparse=True,
        ),
        Method(
            name="oc1",
            title="Greedy oblique (OC1)",
            sentence="Grows the tree from the root; each node turns its split by one coefficient "
            "at a time while that helps, from several starts.",
            unit="level",
            settings=OC1Settings,
            build=_build_oc1,
        ),
        Method(
            name="co2",
            title="Greedy oblique (CO2)",
            sentence="Grows the tree from the root; each node takes the best split on one feature "
            "and turns it by SGD, so that a bound on its own loss falls.",
            unit="level",
            settings=CO2Settings,
            build=_build_co2,
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
        sparse=True,
        losses=("log",) if is_boosting else tuple(LOSSES),
        algorithm=algorithm,
        base=base,
        defaults=defaults,
    )


def _hinge(name: str, title: str, sentence: str, algorithm: str) -> Method:
    return Method(
        name=name,
        title=title,
        sentence=sentence,
        unit="batch",
        settings=HingeSettings,
        family="hinge",
        losses=("log", "squared"),
        algorithm=algorithm,
    )


METHODS = TREES | {
    method.name: method
    for method in (
        _ensemble(
            "bagging",
            "Bagging",
            "Every tree learns from rows drawn for it, and all of them answer together; what one "
            "learns by heart, the others do not know.",
            "bagging",
            "axis",
            depth=20,
        ),
        _ensemble(
            "adaboost-m1",
            "AdaBoost.M1",
            "Rows that a tree gets wrong weigh more for the next one; trees that err less have "
            "more votes. Each must be right on more than half of the weight.",
            "adaboost-m1",
            "axis",
            depth=20,
        ),
        _ensemble(
            "samme",
            "SAMME",
            "As AdaBoost.M1, but with many classes a tree need only be better than chance.",
            "samme",
            "axis",
            depth=20,
        ),
        _ensemble(
            "random-forest",
            "Random forest",
            "Deep axis-aligned trees on bootstraps; every split has only a few features to choose "
            "from (Breiman 2001).",
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
            "Greedy trees with slanted splits, by OC1, on bootstraps.",
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
            solver="newton",
            epochs=5,
            n_trees=30,
        ),
        _ensemble(
            "sgd-forest",
            "Non-greedy forest",
            "Trees learnt as a whole by SGD on a bound, from random starts on bootstraps.",
            "bagging",
            "sgd",
            depth=8,
            start="axis",
            nu=10,
            epochs=50,
            n_trees=30,
        ),
        _ensemble(
            "annealed-forest",
            "Annealed forest",
            "Trees learnt as a whole, from soft turns to hard ones, on bootstraps.",
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
            # Held-out errors, and those from cuts with C 1, ridge 10, which MNIST prefers:
            # digits (30 trees) 1.7 and 1.9 %, 6,000 rows of Letter (10) 14.6 and 14.0 %. In
            # the plane, at depth 3, cuts stay cuts: spirals 0.8 and 5.6, stripes 6.4 and 11.2.
            depth=7,
            C=10,
            ridge=1,
            start="random",
            solver="newton",
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
            nu=10,
            epochs=50,
            n_trees=30,
        ),
        _ensemble(
            "boosted-annealed",
            "Boosted annealed trees",
            "SAMME over trees learnt as a whole, from soft turns to hard ones.",
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
            "SAMME over axis-aligned trees: AdaBoost as it is best known.",
            "samme",
            "axis",
            depth=6,
            n_trees=100,
        ),
        _hinge(
            "hinge-forest",
            "Random hinge forest",
            "All trees learn at once, by gradient descent: each answers with its smallest margin.",
            "forest",
        ),
        _hinge(
            "hinge-ferns",
            "Random hinge ferns",
            "As a hinge forest, but all nodes of a level ask the same question.",
            "fern",
        ),
    )
}
"""All methods by name, in the order in which a menu should show them."""


def find_method(name: str) -> Method:
    """The method of that name.

    Raises
    ------
    ValueError
        When there is none, with the names that there are.
    """
    return find_named(METHODS, name, "method")


def find_tree(name: str) -> Method:
    """As :func:`find_method`, of those that learn one tree."""
    return find_named(TREES, name, "method")

"""The registry: every way to grow a tree, what it is called, what can be set, how to build it.

Pages, command line and tests read this table and nothing else, so a new method is one entry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.greedy.axis import AxisFinder
from treecore.greedy.co2 import CO2Finder
from treecore.greedy.finder import SplitFinder
from treecore.greedy.growth import Growth
from treecore.greedy.oc1 import OC1Finder
from treecore.greedy.random_oblique import RandomFinder
from treecore.greedy.settings import (
    AxisSettings,
    CO2Settings,
    GreedySettings,
    OC1Settings,
    RandomSettings,
)
from treecore.greedy.sparse_axis import SparseAxisFinder
from treecore.impurity import Criterion
from treecore.nongreedy.annealed import Annealed
from treecore.nongreedy.settings import (
    AnnealedSettings,
    SGDSettings,
    StableSGDSettings,
    TAOSettings,
)
from treecore.nongreedy.sgd import SGD
from treecore.nongreedy.stable import StableSGD
from treecore.nongreedy.start import random_tree
from treecore.nongreedy.tao import TAO
from treecore.rows import SparseRows, TrainingRows
from treecore.scaling import Scaling, have_one_unit
from treecore.settings import Settings, find_named
from treecore.trainer import Learner
from treecore.tree import Tree


@dataclass(frozen=True)
class Method:
    """One way to grow a tree.

    Attributes
    ----------
    name, title, sentence : str
        Name in code and on the command line; name on screen; what it does, for a newcomer.
    unit : str
        What its events count: ``"epoch"``, ``"round"`` (of mini-batches) or ``"level"``.
    settings : type of Settings
        Its settings, with ranges and defaults.
    build : callable (settings, rows, start, rng) -> Learner
        ``start`` is the tree to start from, None for a method that needs none.
    start : callable (settings, shape) -> (name, settings) or None, or None
        The method, with its settings, that grows the starting tree first; a method without this
        entry grows from nothing and cannot go on from a given tree.
    sparse : bool
        Whether it takes sparse tables without filling them.
    piece : callable (n_rows) -> dict, or None
        The settings with which it goes on from a tree as it is, with one more piece of so many
        rows; its ``build`` takes the stream's ``scaling`` as well. A ``start`` among them is a
        default. None: it needs all rows at once.
    """

    name: str
    title: str
    sentence: str
    unit: str
    settings: type[Settings]
    build: Callable[[Settings, TrainingRows, Tree | None, np.random.Generator], Learner]
    start: Callable[[Settings, int], tuple[str, Settings] | None] | None = None
    sparse: bool = False
    piece: Callable[[int], dict] | None = None

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
            able = ", ".join(name for name, method in METHODS.items() if method.streams)
            raise ValueError(
                f"the method {self.name!r} needs all rows at once; for rows that come in pieces "
                f"choose one of {able}"
            )

    def check_rows(self, rows: TrainingRows) -> None:
        """Raise ValueError, in one sentence, where the method cannot read such rows."""
        if isinstance(rows.X, SparseRows) and not self.sparse:
            able = ", ".join(name for name, method in METHODS.items() if method.sparse)
            raise ValueError(
                f"the method {self.name!r} needs a dense table; make X dense (X.toarray()) or "
                f"choose one of {able}"
            )

    def n_epochs(self, settings: Settings) -> int:
        """How many of its units a run has at most."""
        lengths = {"epoch": "epochs", "round": "rounds", "level": "depth"}
        return getattr(settings, lengths[self.unit])


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
    grower = METHODS[start]
    return grower.name, grower.settings.of(depth=settings.depth, smoothing=settings.smoothing)


METHODS = {
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
"""All methods by name, in the order in which a menu should show them."""


def find_method(name: str) -> Method:
    """The method of that name.

    Raises
    ------
    ValueError
        When there is none, with the names that there are.
    """
    return find_named(METHODS, name, "method")

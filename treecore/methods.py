"""The registry: every way to grow a tree, what it is called, what can be set, how to build it.

Pages, command line and tests read this table and nothing else, so a new method is one entry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.greedy.axis import AxisFinder
from treecore.greedy.co2 import CO2Finder
from treecore.greedy.growth import Growth, SplitFinder
from treecore.greedy.oc1 import OC1Finder
from treecore.greedy.random_oblique import RandomFinder
from treecore.greedy.settings import (
    DEPTH_HELP,
    SMOOTHING_HELP,
    AxisSettings,
    CO2Settings,
    GreedySettings,
    OC1Settings,
    RandomSettings,
)
from treecore.impurity import Criterion
from treecore.losses import Loss
from treecore.nongreedy.annealed import Annealed
from treecore.nongreedy.sgd import SCHEDULES, SGD
from treecore.nongreedy.stable import StableSGD
from treecore.nongreedy.start import random_tree
from treecore.nongreedy.tao import TAO
from treecore.rows import SparseRows, TrainingRows
from treecore.settings import Settings, setting
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
    start : callable (settings) -> (name, settings) or None, or None
        The method, with its settings, that grows the starting tree first; a method without this
        entry grows from nothing and cannot go on from a given tree.
    tasks : tuple of str
        What it can learn: ``"classification"``, ``"regression"``.
    sparse : bool
        Whether it takes sparse tables without filling them.
    """

    name: str
    title: str
    sentence: str
    unit: str
    settings: type[Settings]
    build: Callable[[Settings, TrainingRows, Tree | None, np.random.Generator], Learner]
    start: Callable[[Settings], tuple[str, Settings] | None] | None = None
    tasks: tuple[str, ...] = ("classification",)
    sparse: bool = False

    @property
    def takes_start(self) -> bool:
        """Whether it can go on from a given tree."""
        return self.start is not None

    def check_loss(self, loss: Loss) -> None:
        """Raise ValueError, in one sentence, where the method cannot lower this loss."""
        if loss.task not in self.tasks:
            raise ValueError(
                f"the method {self.name!r} learns {' and '.join(self.tasks)} only, and "
                f"loss={loss.name!r} is for {loss.task}"
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


@dataclass(frozen=True)
class SGDSettings(Settings):
    """Settings of joint learning by SGD on the surrogate bound."""

    depth: int = setting(6, "Depth", DEPTH_HELP, low=1, high=16)
    start: str = setting(
        "random",
        "Start from",
        "The tree that learning starts from: a complete tree of random oblique splits, or one "
        "that another method has grown first, with fewer leaves to work with. The paper takes "
        "CO2, which itself starts from axis-aligned splits.",
        choices=("random", "axis", "oc1", "co2", "tao"),
    )
    nu: float = setting(
        20.0,
        "ν (greatest squared norm)",
        "Every split's weights keep ‖w‖² ≤ ν. A small ν forces wide margins and lets leaves fall "
        "asleep; a large ν ties the bound closely to the loss, and the splits hardly move.",
        low=0.01,
        high=10_000.0,
        log=True,
    )
    eta: float = setting(
        0.1,
        "η (learning rate)",
        "How far one example moves the splits it disagrees with.",
        low=1e-5,
        high=10.0,
        log=True,
    )
    schedule: str = setting(
        "linear",
        "Schedule of η",
        "How the learning rate falls over the run: not at all, on a straight line to zero, or "
        "along half a cosine to zero.",
        choices=tuple(SCHEDULES),
    )
    inference: str = setting(
        "exact",
        "Inference",
        "Which leaves may challenge an example's own: all of them (exact), or those one changed "
        "decision away (fast). The exact bound is never below the fast one.",
        choices=("exact", "fast"),
    )
    epochs: int = setting(100, "Epochs", "Passes over the training rows.", low=1, high=100_000)
    smoothing: float = setting(1.0, "Leaf smoothing", SMOOTHING_HELP, low=1e-3, high=1e3, log=True)


@dataclass(frozen=True)
class StableSGDSettings(SGDSettings):
    """Settings of Stable SGD."""

    tolerance: float = setting(
        0.01,
        "Tolerance",
        "Examples are assigned to leaves anew after a pass that lowered the bound by less than "
        "this share of it.",
        low=0.0,
        high=1.0,
    )


@dataclass(frozen=True)
class AnnealedSettings(Settings):
    """Settings of annealed learning."""

    depth: int = setting(6, "Depth", DEPTH_HELP, low=1, high=12)
    start: str = setting(
        "random",
        "Start from",
        "The tree that learning starts from: a complete tree of random oblique splits, or one "
        "that another method has grown first, with fewer leaves to work with.",
        choices=("random", "axis", "oc1", "co2", "tao"),
    )
    decay: float = setting(
        0.3,
        "Weight decay",
        "How strongly weights are drawn to zero. More of it makes broader margins and protects "
        "from learning the training rows by heart; less follows them more closely.",
        low=0.0,
        high=10.0,
    )
    eta: float = setting(
        0.03,
        "η (learning rate)",
        "How far a mini-batch moves the splits at most.",
        low=1e-5,
        high=1.0,
        log=True,
    )
    power: float = setting(
        0.7,
        "Power of the loss",
        "What a leaf costs an example: near 0 the log loss, which a hopeless example can fill; "
        "at 1 the chance of a mistake, which counts all the same. Classes only.",
        low=0.01,
        high=1.0,
    )
    sharpness: float = setting(
        3.0,
        "Last sharpness β",
        "Examples turn right with probability 1 / (1 + exp(-β s)). β rises from 1 to this over "
        "the run, so that turns become hard.",
        low=1.0,
        high=100.0,
        log=True,
    )
    scaling: str = setting(
        "each",
        "Scale features",
        "Each by its own deviation, or all by one, which keeps their proportions: right where "
        "they have one unit, as pixels do.",
        choices=("each", "together"),
    )
    rounds: int = setting(100, "Rounds", "Rounds of 50 mini-batches each.", low=1, high=100_000)
    batch: int = setting(
        256, "Mini-batch", "Examples of a mini-batch.", low=1, high=65_536, log=True
    )
    smoothing: float = setting(1.0, "Leaf smoothing", SMOOTHING_HELP, low=1e-3, high=1e3, log=True)


@dataclass(frozen=True)
class TAOSettings(Settings):
    """Settings of tree alternating optimisation."""

    depth: int = setting(6, "Depth", DEPTH_HELP, low=1, high=16)
    start: str = setting(
        "axis",
        "Start from",
        "The tree that learning starts from: one that a greedy method has grown first, or a "
        "complete tree of random oblique splits.",
        choices=("axis", "co2", "random"),
    )
    C: float = setting(
        10.0,
        "C (weight of the loss)",
        "How much a misrouted example counts against the sum of a split's weights. A small C "
        "makes sparse splits, which use few features.",
        low=1e-3,
        high=1e4,
        log=True,
    )
    path: float = setting(
        1.0,
        "Path of C",
        "The first iteration works with C divided by this, so with sparser splits. Over half "
        "of the run it rises to C; at 1 it is C all along.",
        low=1.0,
        high=1e4,
        log=True,
    )
    epochs: int = setting(
        20,
        "Iterations",
        "Visits to every split, from the deepest to the root. The run ends before, when one "
        "changes nothing.",
        low=1,
        high=1000,
    )
    max_iter: int = setting(
        100,
        "Newton steps",
        "The most steps that LIBLINEAR may take at one split. One that needs more gets the "
        "weights it has by then.",
        low=1,
        high=10_000,
    )
    smoothing: float = setting(1.0, "Leaf smoothing", SMOOTHING_HELP, low=1e-3, high=1e3, log=True)


def _grow(settings: GreedySettings, rows: TrainingRows, finder: SplitFinder) -> Learner:
    return Growth(rows.X, rows.y, rows.n_outputs, finder=finder, **settings.rules())


def _criterion(settings: GreedySettings) -> Criterion:
    return Criterion[settings.criterion.upper().replace(" ", "_")]


def _build_axis(settings: AxisSettings, rows: TrainingRows, start, rng) -> Learner:
    return _grow(settings, rows, AxisFinder(_criterion(settings)))


def _build_random(settings: RandomSettings, rows: TrainingRows, start, rng) -> Learner:
    return _grow(settings, rows, RandomFinder(_criterion(settings), settings.n_directions, rng))


def _build_oc1(settings: OC1Settings, rows: TrainingRows, start, rng) -> Learner:
    finder = OC1Finder(_criterion(settings), settings.order, settings.restarts, settings.jumps, rng)
    return _grow(settings, rows, finder)


def _build_co2(settings: CO2Settings, rows: TrainingRows, start, rng) -> Learner:
    finder = CO2Finder(_criterion(settings), settings.nu, settings.eta, settings.epochs, rng)
    return _grow(settings, rows, finder)


def _build_sgd(settings: SGDSettings, rows: TrainingRows, start, rng) -> Learner:
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
        **more,
    )


def _build_annealed(settings: AnnealedSettings, rows: TrainingRows, start, rng) -> Learner:
    together = settings.scaling == "together"
    if start is None:
        start = random_tree(rows, settings.depth, settings.smoothing, rng, together)
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
        together=together,
        rng=rng,
    )


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
        rng=rng,
    )


def _grown_start(settings: SGDSettings | TAOSettings) -> tuple[str, Settings] | None:
    """The method that grows the starting tree, as deep; its other settings at their defaults."""
    if settings.start == "random":
        return None
    grower = METHODS[settings.start]
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
            tasks=("classification", "regression"),
            sparse=True,
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
            tasks=("classification", "regression"),
            sparse=True,
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
            tasks=("classification", "regression"),
        ),
        Method(
            name="tao",
            title="Alternating (TAO)",
            sentence="Improves one split at a time from the leaves to the root, so that the number "
            "of misclassified examples never rises; its splits use few features.",
            unit="epoch",
            settings=TAOSettings,
            build=_build_tao,
            start=_grown_start,
        ),
        Method(
            name="axis",
            title="Greedy axis-aligned",
            sentence="Grows the tree from the root; each node takes the best split on one "
            "feature and never looks back.",
            unit="level",
            settings=AxisSettings,
            build=_build_axis,
        ),
        Method(
            name="random-oblique",
            title="Greedy random oblique",
            sentence="Grows the tree from the root; each node draws random slanted splits and "
            "takes the best of them.",
            unit="level",
            settings=RandomSettings,
            build=_build_random,
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
    if not isinstance(name, str) or name not in METHODS:
        raise ValueError(f"there is no method {name!r}; known are {', '.join(METHODS)}")
    return METHODS[name]

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
    DEPTH_HELP,
    SMOOTHING_HELP,
    AxisSettings,
    CO2Settings,
    GreedySettings,
    OC1Settings,
    RandomSettings,
)
from treecore.greedy.sparse_axis import SparseAxisFinder
from treecore.impurity import Criterion
from treecore.losses import Loss
from treecore.nongreedy.annealed import Annealed
from treecore.nongreedy.sgd import SCHEDULES, SGD, Options
from treecore.nongreedy.stable import StableSGD
from treecore.nongreedy.start import random_tree
from treecore.nongreedy.tao import TAO
from treecore.rows import SparseRows, TrainingRows
from treecore.scaling import have_one_unit
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
    streams : bool
        Whether it can go on from a tree as it is, with rows that come in pieces: its ``build``
        takes the stream's ``scaling`` as well.
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
    streams: bool = False

    @property
    def takes_start(self) -> bool:
        """Whether it can go on from a given tree."""
        return self.start is not None

    def check_streams(self) -> None:
        """Raise ValueError, in one sentence, where the method cannot learn from pieces."""
        if not self.streams:
            able = ", ".join(name for name, method in METHODS.items() if method.streams)
            raise ValueError(
                f"the method {self.name!r} needs all rows at once; for rows that come in pieces "
                f"choose one of {able}"
            )

    def check_loss(self, loss: Loss, settings: Settings) -> None:
        """Raise ValueError, in one sentence, where the method or its start cannot lower a loss."""
        if loss.task not in self.tasks:
            able = ", ".join(name for name, method in METHODS.items() if loss.task in method.tasks)
            raise ValueError(
                f"the method {self.name!r} learns {' and '.join(self.tasks)} only, and "
                f"loss={loss.name!r} is for {loss.task}; choose one of {able}"
            )
        earlier = self.start(settings) if self.takes_start else None
        if earlier is None:
            return
        name, more = earlier
        if loss.task not in METHODS[name].tasks:
            (known,) = (known for known in settings.known() if known.name == "start")
            able = [c for c in known.choices if c == "random" or loss.task in METHODS[c].tasks]
            raise ValueError(
                f"start={name!r} grows trees for {' and '.join(METHODS[name].tasks)} only, and "
                f"loss={loss.name!r} is for {loss.task}; choose start={' or '.join(able)}"
            )
        METHODS[name].check_loss(loss, more)

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
        choices=("random", "axis", "random-oblique", "oc1", "co2", "tao"),
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
    batch: int = setting(
        1,
        "Mini-batch",
        "Examples whose mean step is made as one. More make the path smoother and slower: raise η "
        "with them.",
        low=1,
        high=1024,
    )
    momentum: float = setting(
        0.0,
        "Momentum",
        "Share of its last step that a split repeats with the next one. At 0.9 steps add up to "
        "ten times η: lower η with it.",
        low=0.0,
        high=0.99,
    )
    averaging: float = setting(
        0.0,
        "Averaging",
        "Share of the epochs, the last ones, whose trees are averaged into the final one. Helps "
        "where η does not fall to zero; 0 keeps the last tree as it is.",
        low=0.0,
        high=1.0,
    )
    sparsity: float = setting(
        0.0,
        "Sparsity (L1 penalty)",
        "Pulls weights towards zero, so that splits use fewer features; those that do not pay "
        "for themselves become exactly zero. 0.001 is a gentle pull.",
        low=0.0,
        high=1.0,
    )
    max_features: int = setting(
        0,
        "Most features per split",
        "Every split keeps only so many of its weights, the largest; 0 keeps all.",
        low=0,
        high=1_000_000,
    )

    def options(self) -> Options:
        """What SGD does besides Algorithm 1."""
        names = ("momentum", "batch", "averaging", "sparsity", "max_features")
        return Options(**{name: getattr(self, name) for name in names})


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
        "auto",
        "Scale features",
        "Each by its own deviation, or all together by one, which keeps their proportions: right "
        "where they have one unit, as pixels do. Automatic: together where most features have "
        "about the same range.",
        choices=("auto", "each", "together"),
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
    criterion = Criterion[settings.criterion.upper().replace(" ", "_")]
    return Growth(rows, criterion, finder=finder, **settings.rules())


def _build_axis(settings: AxisSettings, rows: TrainingRows, start, rng) -> Learner:
    finder = SparseAxisFinder() if isinstance(rows.X, SparseRows) else AxisFinder()
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


def _build_annealed(settings: AnnealedSettings, rows: TrainingRows, start, rng) -> Learner:
    together = settings.scaling == "together"
    if settings.scaling == "auto":
        together = have_one_unit(rows.X)
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
            streams=True,
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
            streams=True,
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
            tasks=("classification", "regression"),
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
            tasks=("classification", "regression"),
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
            tasks=("classification", "regression"),
        ),
        Method(
            name="co2",
            title="Greedy oblique (CO2)",
            sentence="Grows the tree from the root; each node takes the best split on one feature "
            "and turns it by SGD, so that a bound on its own loss falls.",
            unit="level",
            settings=CO2Settings,
            build=_build_co2,
            tasks=("classification", "regression"),
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

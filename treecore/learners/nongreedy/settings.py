"""The settings of the learners that change all splits of a tree together."""

from __future__ import annotations

from dataclasses import dataclass

from treecore.base.schedules import SCHEDULES
from treecore.base.settings import DEPTH_HELP, SMOOTHING_HELP, TreeSettings, setting

NODES = ("oblique", "axis", "both")
"""What TAO may make of a split."""

SCALINGS = ("auto", "each", "together")
SCALING_HELP = (
    "Each by its own deviation, or all together by one, which keeps their proportions: right "
    "where they have one unit, as pixels do. Automatic: together where most features have "
    "about the same range."
)


LEAVES = ("constant", "linear")
LINEAR_SETTINGS = ("leaf", "leaf_price")
"""Settings of trees that answer alone."""

LEAF_HELP = (
    "What a leaf says: the same to all of its examples, or by a linear model of their features, "
    "learnt together with the splits. Of classes that is a logistic regression."
)


@dataclass(frozen=True)
class SGDSettings(TreeSettings):
    """Settings of joint learning by SGD on the surrogate bound."""

    depth: int = setting(6, "Depth", DEPTH_HELP, low=1, high=20)
    start: str = setting(
        "random",
        "Start from",
        "The tree that learning starts from: a complete tree of random oblique splits, or one "
        "that another method has grown first, with fewer leaves to work with. The paper takes "
        "CO2, which itself starts from axis-aligned splits.",
        choices=("random", "axis", "random-oblique", "oc1", "co2", "tao"),
    )
    shape: str = setting(
        "grown",
        "Shape of the start",
        "A grown tree ends where its examples are of one class, and joint learning adds no leaves: "
        "it may start from the tree as it has grown, or filled up with random splits to a complete "
        "one, which has room to turn. The paper's trees are complete.",
        choices=("grown", "complete"),
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
    sparsity: float = setting(
        0.0,
        "Sparsity (L1 penalty)",
        "Pulls weights towards zero, so that splits use fewer features; those that do not pay "
        "for themselves become exactly zero. 0.001 is a gentle pull.",
        low=0.0,
        high=1.0,
    )


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
class AnnealedSettings(TreeSettings):
    """Settings of annealed learning."""

    depth: int = setting(6, "Depth", DEPTH_HELP, low=1, high=20)
    start: str = setting(
        "auto",
        "Start from",
        "The tree that learning starts from: a complete tree of random oblique splits, or one "
        "that another method has grown first, with fewer leaves to work with. Automatic: complete "
        "where there are rows enough for its leaves, otherwise grown by axis-aligned splits.",
        choices=("auto", "random", "axis", "oc1", "co2", "tao"),
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
    scaling: str = setting("auto", "Scale features", SCALING_HELP, choices=SCALINGS)
    rounds: int = setting(
        100, "Rounds", "Rounds of 50 mini-batches, fewer on a small table.", low=1, high=100_000
    )
    batch: int = setting(
        256, "Mini-batch", "Examples of a mini-batch.", low=1, high=65_536, log=True
    )
    smoothing: float = setting(1.0, "Leaf smoothing", SMOOTHING_HELP, low=1e-3, high=1e3, log=True)
    leaf: str = setting("constant", "Leaves", LEAF_HELP, choices=LEAVES)


@dataclass(frozen=True)
class TAOSettings(TreeSettings):
    """Settings of tree alternating optimisation."""

    depth: int = setting(6, "Depth", DEPTH_HELP, low=1, high=20)
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
        "of the run it rises to C, each iteration from the tree of the last; at 1 it is C all "
        "along.",
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
        5,
        "Newton steps",
        "The most steps that the solver may take at one split. One that needs more gets the "
        "weights it has by then.",
        low=1,
        high=10_000,
    )
    nodes: str = setting(
        "oblique",
        "Splits",
        "What a split may become: slanted, with few features (oblique); a cut on one feature, the "
        "best there is (axis); or whichever of the two sends fewer examples astray (both).",
        choices=NODES,
    )
    ridge: float = setting(
        0.0,
        "Ridge (L2 penalty)",
        "A second penalty, on the squares of the weights, so that features that say much the same "
        "share one weight: 10 with C at 1 where they are pixels.",
        low=0.0,
        high=10_000.0,
    )
    scaling: str = setting("each", "Scale features", SCALING_HELP, choices=SCALINGS)
    smoothing: float = setting(1.0, "Leaf smoothing", SMOOTHING_HELP, low=1e-3, high=1e3, log=True)
    leaf: str = setting("constant", "Leaves", LEAF_HELP, choices=LEAVES)

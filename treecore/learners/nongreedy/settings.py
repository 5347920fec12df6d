"""The settings of the learners that change all splits of a tree together."""

from __future__ import annotations

from dataclasses import dataclass

from treecore.base.settings import DEPTH_HELP, SMOOTHING_HELP, TreeSettings, setting
from treecore.compiling.schedules import SCHEDULES

SCALINGS = ("auto", "each", "together")
SCALING_HELP = (
    "Divides each feature by its own standard deviation, or all features by one, which keeps "
    "their proportions. Automatic chooses one when most features have about the same range. "
    "Choose one yourself when all features have the same unit, as pixels do."
)


LEAVES = ("constant", "linear")
LINEAR_SETTINGS = ("leaf", "leaf_price")
"""Settings of trees that answer alone."""

LEAF_HELP = (
    "A leaf predicts the same for all its examples (constant), or by a linear model of their "
    "features (for classes, a logistic regression), learnt together with the splits. Choose "
    "linear for small trees on smooth data."
)


@dataclass(frozen=True)
class SGDSettings(TreeSettings):
    """Settings of joint learning by SGD on the surrogate bound."""

    depth: int = setting(6, "Depth", DEPTH_HELP, low=1, high=20)
    start: str = setting(
        "random",
        "Start",
        "The tree at the start of learning: a complete tree of random oblique splits, or a tree "
        "grown by another method. The paper uses CO2. Choose a grown start on large data, where "
        "a random one takes many epochs.",
        choices=("random", "axis", "random-oblique", "oc1", "co2", "tao"),
    )
    shape: str = setting(
        "grown",
        "Start shape",
        "A grown start stays as it is, or random splits fill it up to a complete tree. Choose "
        "complete when the start has few leaves, because learning adds none. The paper's trees "
        "are complete.",
        choices=("grown", "complete"),
    )
    nu: float = setting(
        20.0,
        "ν (norm limit)",
        "Limit on every split's weights: ‖w‖² ≤ ν. A small ν forces wide margins and leaves more "
        "leaves inactive; with a large ν the bound follows the loss and splits hardly move. "
        "Lower it when test accuracy falls behind training accuracy.",
        low=0.01,
        high=10_000.0,
        log=True,
    )
    eta: float = setting(
        0.1,
        "η (learning rate)",
        "How far one example moves the splits. Lower it when the bound jumps up and down; raise "
        "it when the bound falls too slowly.",
        low=1e-5,
        high=10.0,
        log=True,
    )
    schedule: str = setting(
        "linear",
        "Schedule of η",
        "How the learning rate falls over the run: not at all, in a straight line to zero, or "
        "along half a cosine to zero. Choose constant to watch steps of equal size.",
        choices=SCHEDULES,
    )
    inference: str = setting(
        "exact",
        "Inference",
        "Which leaves compete with the leaf that an example reaches: all of them (exact), or "
        "those one changed decision away (fast). Exact takes little longer here; choose fast to "
        "follow the paper.",
        choices=("exact", "fast"),
    )
    epochs: int = setting(
        100,
        "Epochs",
        "How often learning goes through all training examples. Raise it while the bound still "
        "falls at the end.",
        low=1,
        high=100_000,
    )
    batch: int = setting(
        1,
        "Mini-batch",
        "The number of examples whose mean gradient makes one step. Raise it, and η with it, for "
        "a smoother path.",
        low=1,
        high=1024,
    )
    momentum: float = setting(
        0.0,
        "Momentum",
        "The share of its last step that a split repeats in the next one. Raise it with small "
        "batches; at 0.9 steps add up to ten times η, so lower η too.",
        low=0.0,
        high=0.99,
    )
    sparsity: float = setting(
        0.0,
        "Sparsity (L1 penalty)",
        "Pulls weights towards zero, which makes splits use fewer features. Raise it when few of "
        "many features matter; 0.001 is a gentle pull.",
        low=0.0,
        high=1.0,
    )


@dataclass(frozen=True)
class StableSGDSettings(SGDSettings):
    """Settings of Stable SGD."""

    tolerance: float = setting(
        0.01,
        "Tolerance",
        "Examples are assigned to leaves again after an epoch that lowered the bound by less "
        "than this share. Lower it to keep assignments longer.",
        low=0.0,
        high=1.0,
    )


@dataclass(frozen=True)
class AnnealedSettings(TreeSettings):
    """Settings of annealed learning."""

    depth: int = setting(6, "Depth", DEPTH_HELP, low=1, high=20)
    start: str = setting(
        "auto",
        "Start",
        "The tree at the start of learning: a complete tree of random oblique splits, or a tree "
        "grown by another method. Automatic chooses complete when there are enough examples for "
        "its leaves. Choose a grown start for deep trees on small data.",
        choices=("auto", "random", "axis", "oc1", "co2", "tao"),
    )
    decay: float = setting(
        0.3,
        "Weight decay",
        "How strongly weights are pulled to zero. Raise it when the tree overfits; lower it when "
        "the tree misses the training examples.",
        low=0.0,
        high=10.0,
    )
    eta: float = setting(
        0.03,
        "η (learning rate)",
        "The largest change that one mini-batch makes to a split's weights. Lower it when the "
        "loss jumps; raise it when few rounds are left.",
        low=1e-5,
        high=1.0,
        log=True,
    )
    power: float = setting(
        0.7,
        "Loss power",
        "Which loss is used for classes: near 0 the log loss, at 1 the probability of an error. "
        "Raise it when some labels are wrong, because it makes hopeless examples count less.",
        low=0.01,
        high=1.0,
    )
    sharpness: float = setting(
        3.0,
        "Final sharpness β",
        "Examples go right with probability 1 / (1 + exp(-β s)). β rises from 1 to this value "
        "over the run, which makes decisions hard. Raise it when the final tree is worse than "
        "the soft one was.",
        low=1.0,
        high=100.0,
        log=True,
    )
    scaling: str = setting("auto", "Scale features", SCALING_HELP, choices=SCALINGS)
    rounds: int = setting(
        100,
        "Rounds",
        "Rounds of 50 mini-batches, fewer on small data. Raise it while accuracy still rises "
        "at the end.",
        low=1,
        high=100_000,
    )
    batch: int = setting(
        256,
        "Mini-batch",
        "Examples in a mini-batch. Lower it on small data; raise it when the loss is noisy.",
        low=1,
        high=65_536,
        log=True,
    )
    smoothing: float = setting(1.0, "Leaf smoothing", SMOOTHING_HELP, low=1e-3, high=1e3, log=True)
    leaf: str = setting("constant", "Leaves", LEAF_HELP, choices=LEAVES)


@dataclass(frozen=True)
class TAOSettings(TreeSettings):
    """Settings of tree alternating optimisation."""

    depth: int = setting(6, "Depth", DEPTH_HELP, low=1, high=20)
    start: str = setting(
        "axis",
        "Start",
        "The tree at the start of learning: a tree grown by a greedy method, or a complete tree "
        "of random oblique splits. Choose random when a grown start leaves almost nothing to "
        "improve.",
        choices=("axis", "co2", "random"),
    )
    C: float = setting(
        10.0,
        "C (loss weight)",
        "How much an error counts against the sum of a split's weights. Lower it for splits "
        "that use few features; raise it when the training error stays high.",
        low=1e-3,
        high=1e4,
        log=True,
    )
    path: float = setting(
        1.0,
        "Path of C",
        "The first iteration divides C by this number; C then rises to its value over half of "
        "the run. Raise it when features are many and splits should stay sparse.",
        low=1.0,
        high=1e4,
        log=True,
    )
    epochs: int = setting(
        20,
        "Iterations",
        "Visits to every split, from the deepest to the root. The run ends earlier when an "
        "iteration changes nothing. Raise it when the last iteration still changes splits.",
        low=1,
        high=1000,
    )
    max_iter: int = setting(
        5,
        "Newton steps",
        "The largest number of solver steps at one split. Raise it for more exact weights, which "
        "take longer.",
        low=1,
        high=10_000,
    )
    ridge: float = setting(
        0.0,
        "Ridge (L2 penalty)",
        "A second penalty, on squared weights, which makes similar features share their weight. "
        "Raise it for pixels: 10 with C at 1.",
        low=0.0,
        high=10_000.0,
    )
    scaling: str = setting("each", "Scale features", SCALING_HELP, choices=SCALINGS)
    smoothing: float = setting(1.0, "Leaf smoothing", SMOOTHING_HELP, low=1e-3, high=1e3, log=True)
    leaf: str = setting("constant", "Leaves", LEAF_HELP, choices=LEAVES)

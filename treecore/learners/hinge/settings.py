"""The settings of random hinge forests and ferns."""

from __future__ import annotations

from dataclasses import dataclass

from treecore.base.settings import Setting, TreeSettings, setting
from treecore.compiling.schedules import SCHEDULES
from treecore.learners.hinge.optimizers import OPTIMIZERS
from treecore.learners.hinge.random_features import STARTS

VALIDATION = Setting(
    "validation",
    "Held out",
    "Share of the rows that is only measured. The forest that errs least on them is kept; 0 keeps "
    "the last one.",
    0.1,
    low=0.0,
    high=0.5,
)
"""The share of held-out rows, a part of every config, and what is usual for hinge forests."""


@dataclass(frozen=True)
class HingeSettings(TreeSettings):
    """Settings of a random hinge forest, or of ferns, and of its training."""

    trees: int = setting(
        100,
        "Trees",
        "How many trees or ferns answer together. Raise it for better answers, which take longer.",
        low=1,
        high=5000,
    )
    depth: int = setting(
        8,
        "Depth",
        "Decisions between the root and a leaf; each of the 2^d leaves learns its own weights. "
        "Raise it with the number of examples.",
        low=1,
        high=16,
    )
    features: str = setting(
        "inner products",
        "Features",
        "What decisions read: the columns as they are (raw), inner products learnt with the "
        "trees, or small filters learnt and moved across an image. Choose filters for images, "
        "and raw where few of many columns matter.",
        choices=("inner products", "raw", "convolutions"),
    )
    n_features: int = setting(
        100,
        "Inner products or filters",
        "How many inner products or filters there are. Each decision reads one, drawn at "
        "random. Raise it where classes are many.",
        low=1,
        high=10_000,
    )
    filter_size: int = setting(
        5,
        "Filter size",
        "Height and width of a filter, in pixels. Raise it for larger images.",
        low=1,
        high=64,
    )
    stride: int = setting(
        3,
        "Stride",
        "Pixels between two places of a filter. Lower it for more places, which takes longer.",
        low=1,
        high=64,
    )
    scale: str = setting(
        "each",
        "Scale of columns",
        "Each column by its own deviation, or all by one, so that a column that varies more "
        "counts more. Choose one where all have the same unit; images always do.",
        choices=("each", "one"),
    )
    start: str = setting(
        "between rows",
        "Start of thresholds",
        "Between two rows that come to the decision, so that none is empty; or drawn from (-3, 3) "
        "deviations, and a fern may ask about a feature twice. Choose drawn to follow the paper.",
        choices=STARTS,
    )
    optimizer: str = setting(
        "adam",
        "Optimizer",
        "How steps are scaled: not at all (sgd), or so that what is seldom met gets long ones, "
        "which in AdaGrad only get shorter. Choose AdaGrad or sgd to follow the paper.",
        choices=tuple(OPTIMIZERS),
    )
    eta: float = setting(
        0.005,
        "η (learning rate)",
        "How far one mini-batch moves what it meets. Lower it when the loss jumps; raise it "
        "when the loss falls too slowly.",
        low=1e-6,
        high=10.0,
        log=True,
    )
    schedule: str = setting(
        "cosine",
        "Schedule of η",
        "How the learning rate falls over the run: not at all, in a straight line to zero, or "
        "along half a cosine to zero. Choose constant to follow the paper.",
        choices=SCHEDULES,
    )
    batches: int = setting(
        3000,
        "Mini-batches",
        "Steps of the whole run. Raise it while the test error still falls at the end.",
        low=1,
        high=10_000_000,
        log=True,
    )
    batch: int = setting(
        32,
        "Mini-batch",
        "Examples whose gradients make one step. Raise it when the loss is noisy.",
        low=1,
        high=4096,
    )
    dropout: float = setting(
        0.0,
        "Trees left out",
        "Share of the trees, drawn anew, that each mini-batch leaves out. Raise it to 0.5 when "
        "training error is far below test error.",
        low=0.0,
        high=0.95,
    )
    noise: float = setting(
        0.0,
        "Noise",
        "Noise added to the columns each time an example is met, in their deviations. Raise it "
        "on small data.",
        low=0.0,
        high=10.0,
    )
    shift: float = setting(
        0.0,
        "Moved images",
        "The most pixels by which an image is moved, anew each time it is met; examples must "
        "be images. Raise it to 0.5 or 1 for handwriting.",
        low=0.0,
        high=64.0,
    )

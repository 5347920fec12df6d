"""The settings of random hinge forests and ferns."""

from __future__ import annotations

from dataclasses import dataclass

from treecore.base.settings import Setting, TreeSettings, setting
from treecore.compiling.schedules import SCHEDULES
from treecore.learners.hinge.optimizers import OPTIMIZERS

STARTS = ("between rows", "drawn")
"""Where thresholds begin: in reach of some rows, or as the paper has them."""

VALIDATION = Setting(
    "validation",
    "Validation share",
    "The share of rows kept for validation. Training returns the forest with the lowest "
    "validation error; 0 returns the last one. Raise it when the last forest overfits.",
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
        "How many trees or ferns predict together. Raise it for better predictions, which take "
        "longer.",
        low=1,
        high=5000,
    )
    depth: int = setting(
        8,
        "Depth",
        "Splits between the root and a leaf; each of the 2^d leaves learns its own weights. "
        "Raise it with the number of examples.",
        low=1,
        high=16,
    )
    features: str = setting(
        "inner products",
        "Features",
        "Splits read the features as they are (raw), weighted sums learnt with the trees (inner "
        "products), or small filters moved across an image (convolutions). Choose convolutions "
        "for images, and raw when few of many features matter.",
        choices=("inner products", "raw", "convolutions"),
    )
    n_features: int = setting(
        100,
        "Learnt features",
        "The number of inner products or filters. Each split reads one of them, drawn at random. "
        "Raise it when there are many classes.",
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
        "Feature scaling",
        "Divides each feature by its own standard deviation, or all by one, which lets features "
        "with a larger range count more. Choose one when all features have the same unit; images "
        "always use one.",
        choices=("each", "one"),
    )
    start: str = setting(
        "between rows",
        "Initial thresholds",
        "Places each threshold between two examples that reach the split, or draws it from (-3, "
        "3) standard deviations. Drawn thresholds may leave a side empty, and a fern may use a "
        "feature twice. Choose drawn to follow the paper.",
        choices=STARTS,
    )
    optimizer: str = setting(
        "adam",
        "Optimizer",
        "How steps are scaled: not at all (sgd), or longer for rarely used weights (Adam, "
        "AdaGrad); AdaGrad's steps only shrink. Choose AdaGrad or sgd to follow the paper.",
        choices=tuple(OPTIMIZERS),
    )
    eta: float = setting(
        0.005,
        "η (learning rate)",
        "How far one mini-batch moves the weights. Lower it when the loss jumps; raise it when "
        "the loss falls too slowly.",
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
        "The number of steps of the whole run. Raise it while the test error still falls at the "
        "end.",
        low=1,
        high=10_000_000,
        log=True,
    )
    batch: int = setting(
        32,
        "Mini-batch",
        "The number of examples whose gradients make one step. Raise it when the loss is noisy.",
        low=1,
        high=4096,
    )
    dropout: float = setting(
        0.0,
        "Tree dropout",
        "The share of the trees that each mini-batch leaves out, drawn each time. Raise it to 0.5 "
        "when training error is far below test error.",
        low=0.0,
        high=0.95,
    )
    noise: float = setting(
        0.0,
        "Noise",
        "Noise added to the features whenever learning uses an example, in standard deviations. "
        "Raise it on small data.",
        low=0.0,
        high=10.0,
    )
    shift: float = setting(
        0.0,
        "Moved images",
        "The largest shift of an image in pixels, drawn each time; examples must be images. "
        "Raise it to 0.5 or 1 for handwriting.",
        low=0.0,
        high=64.0,
    )

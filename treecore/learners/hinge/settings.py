"""The settings of random hinge forests and ferns."""

from __future__ import annotations

from dataclasses import dataclass

from treecore.base.schedules import SCHEDULES
from treecore.base.settings import Setting, TreeSettings, setting
from treecore.learners.hinge.optimizers import OPTIMIZERS

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

    trees: int = setting(100, "Trees", "How many trees or ferns answer together.", low=1, high=5000)
    depth: int = setting(
        8,
        "Depth",
        "Decisions between the root and a leaf. Each of the 2^d leaves learns its own weights.",
        low=1,
        high=16,
    )
    features: str = setting(
        "inner products",
        "Features",
        "What the decisions read: the columns as they are, inner products that are learnt with "
        "the trees, or small filters that are learnt and moved across an image.",
        choices=("inner products", "raw", "convolutions"),
    )
    n_features: int = setting(
        100,
        "Inner products or filters",
        "How many of them there are. Trees share them: each decision reads one, drawn at random.",
        low=1,
        high=10_000,
    )
    filter_size: int = setting(
        5, "Filter size", "Height and width of a filter, in pixels.", low=1, high=64
    )
    stride: int = setting(
        3, "Stride", "Pixels between two places where filters are laid.", low=1, high=64
    )
    width: int = setting(
        0,
        "Image width",
        "Pixels in a line of an image; 0 where images are square.",
        low=0,
        high=100_000,
    )
    scale: str = setting(
        "each",
        "Scale of columns",
        "Each column in its own deviations; or all in one, so that a column that varies more "
        "counts for more, as it should where all have the same unit. Images always have one.",
        choices=("each", "one"),
    )
    optimizer: str = setting(
        "adam",
        "Optimizer",
        "How steps are scaled. Both give long steps to what is seldom met; AdaGrad's only get "
        "shorter.",
        choices=tuple(OPTIMIZERS),
    )
    eta: float = setting(
        0.005,
        "η (learning rate)",
        "How far one mini-batch moves what it meets.",
        low=1e-6,
        high=10.0,
        log=True,
    )
    schedule: str = setting(
        "cosine",
        "Schedule of η",
        "How the learning rate falls over the run: not at all (the paper's), on a straight line "
        "to zero, or along half a cosine to zero.",
        choices=tuple(SCHEDULES),
    )
    batches: int = setting(
        3000, "Mini-batches", "Steps of the whole run.", low=1, high=10_000_000, log=True
    )
    batch: int = setting(32, "Mini-batch", "Rows whose gradients make one step.", low=1, high=4096)
    decay: float = setting(
        0.0,
        "Weight decay",
        "How much leaves shrink when they are met, in units of the learning rate: keeps a forest "
        "from being surer than its rows allow.",
        low=0.0,
        high=10.0,
    )
    dropout: float = setting(
        0.0,
        "Trees left out",
        "Share of the trees, drawn anew, that each mini-batch leaves out, so that trees learn not "
        "to lean on each other.",
        low=0.0,
        high=0.95,
    )
    smoothing: float = setting(
        0.0,
        "Label smoothing",
        "Share of each row's class that is spread over all classes while learning, so that leaves "
        "do not grow without end on rows they are right about.",
        low=0.0,
        high=0.9,
    )
    noise: float = setting(
        0.0,
        "Noise",
        "Noise added to the columns each time a row is met, in their deviations.",
        low=0.0,
        high=10.0,
    )
    shift: float = setting(
        0.0,
        "Moved images",
        "Pixels by which an image is moved at most, anew each time it is met and by parts of a "
        "pixel; rows must be images.",
        low=0.0,
        high=64.0,
    )
    average: float = setting(
        0.0,
        "Averaged",
        "Share of the run, its last, over which all that is learnt is averaged: the forest between "
        "the states of a run errs less than each of them, above all at a constant learning rate.",
        low=0.0,
        high=1.0,
    )
    pace: float = setting(
        0.03,
        "Pace of normalisation",
        "What a mini-batch counts in the running means and deviations of the features; 0 keeps "
        "those of the start.",
        low=0.0,
        high=1.0,
    )

    def rate(self, batch: int) -> float:
        """The learning rate of a mini-batch, counted from 0."""
        return self.eta * SCHEDULES[self.schedule](batch / self.batches)

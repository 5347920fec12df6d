"""The settings of bagging and of boosting; those of the trees are the methods' own."""

from __future__ import annotations

from dataclasses import dataclass

from treecore.base.settings import Settings, setting

TREES_HELP = "How many trees the forest has at most."
SHIFT_HELP = (
    "Pixels by which an image is moved at most, anew for each tree and each time it is drawn, by "
    "parts of a pixel; rows must be square images."
)


@dataclass(frozen=True)
class BaggingSettings(Settings):
    """Settings of bagging."""

    n_trees: int = setting(100, "Trees", TREES_HELP, low=1, high=100_000, log=True)
    sampling: str = setting(
        "bootstrap",
        "Rows of a tree",
        "Drawn with replacement, so that some come twice and about a third not at all (bootstrap); "
        "drawn without replacement (subsample); or all of them for every tree.",
        choices=("bootstrap", "subsample", "all"),
    )
    row_share: float = setting(
        1.0, "Share of rows", "How many rows are drawn for a tree, of all.", low=0.001, high=1.0
    )
    feature_share: float = setting(
        1.0,
        "Share of features",
        "How many features are drawn for a tree, of all; it reads no others.",
        low=0.001,
        high=1.0,
    )
    shift: float = setting(0.0, "Moved images", SHIFT_HELP, low=0.0, high=64.0)
    split_features: str = setting(
        "all",
        "Features of a split",
        "Every split may take any feature, or one of a few that are drawn for it: as many as the "
        "square root of all, as in a random forest. Axis-aligned trees only.",
        choices=("all", "root"),
    )


@dataclass(frozen=True)
class BoostingSettings(Settings):
    """Settings of AdaBoost.M1 and SAMME."""

    n_trees: int = setting(30, "Trees", TREES_HELP, low=1, high=100_000, log=True)
    sampling: str = setting(
        "weights",
        "Weights of rows",
        "Trees learn from all rows and mind their weights; or from rows drawn with probabilities "
        "in the ratio of the weights, so that even a strong tree does not see, and get right, "
        "all of them.",
        choices=("weights", "draw"),
    )
    ending: str = setting(
        "stop",
        "After a perfect tree",
        "A tree without error ends the boosting, and so does one no better than chance, which is "
        "not kept: that is how the algorithms are defined. Or all rows begin anew with random "
        "weights (restart), which gives strong trees company.",
        choices=("stop", "restart"),
    )
    feature_share: float = setting(
        1.0,
        "Share of features",
        "How many features are drawn for a tree, of all; it reads no others.",
        low=0.001,
        high=1.0,
    )
    shift: float = setting(0.0, "Moved images", SHIFT_HELP, low=0.0, high=64.0)
    lag: int = setting(
        0,
        "Lag",
        "How many trees before it a tree does not know of: it learns from the weights before them, "
        "so that one tree more than these can grow at a time.",
        low=0,
        high=1000,
    )

"""The settings of bagging and of boosting; those of the trees are the methods' own."""

from __future__ import annotations

from dataclasses import dataclass

from treecore.base.settings import Settings, setting

TREES_HELP = (
    "The largest number of trees in the forest. Raise it until the test error no longer falls."
)


@dataclass(frozen=True)
class BaggingSettings(Settings):
    """Settings of bagging."""

    n_trees: int = setting(100, "Trees", TREES_HELP, low=1, high=100_000, log=True)
    sampling: str = setting(
        "bootstrap",
        "Examples per tree",
        "Examples of a tree: drawn with replacement, which leaves out about a third (bootstrap), "
        "drawn without (subsample), or all. Choose all to see the effect of the trees' own "
        "randomness.",
        choices=("bootstrap", "subsample", "all"),
    )
    row_share: float = setting(
        1.0,
        "Share of examples",
        "The share of the examples drawn for a tree. Lower it for faster trees that differ more.",
        low=0.001,
        high=1.0,
    )
    feature_share: float = setting(
        1.0,
        "Share of features",
        "The share of the features drawn for a tree; it uses no others. Lower it for trees that "
        "differ more.",
        low=0.001,
        high=1.0,
    )
    split_features: str = setting(
        "all",
        "Feature choice",
        "Every split may use any feature (all), or one of a few drawn for it: the square root of "
        "their number, as in a random forest. Choose root for axis-aligned trees on many "
        "features.",
        choices=("all", "root"),
    )


@dataclass(frozen=True)
class BoostingSettings(Settings):
    """Settings of AdaBoost.M1 and SAMME."""

    n_trees: int = setting(30, "Trees", TREES_HELP, low=1, high=100_000, log=True)
    sampling: str = setting(
        "weights",
        "Example weights",
        "Trees learn from all examples with weights, or from examples drawn in proportion to "
        "their weights. Choose draw for strong trees, which would otherwise make no mistakes.",
        choices=("weights", "draw"),
    )
    ending: str = setting(
        "stop",
        "Perfect tree",
        "After a tree without mistakes, boosting stops, as the algorithms are defined, or starts "
        "again with random weights (restart). Choose restart for strong trees.",
        choices=("stop", "restart"),
    )
    feature_share: float = setting(
        1.0,
        "Share of features",
        "The share of the features drawn for a tree; it uses no others. Lower it for trees that "
        "differ more.",
        low=0.001,
        high=1.0,
    )

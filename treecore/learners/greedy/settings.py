"""The settings of the greedy methods: when a node stays a leaf, and how the others are split."""

from __future__ import annotations

from dataclasses import dataclass

from treecore.base.settings import DEPTH_HELP, SMOOTHING_HELP, TreeSettings, setting
from treecore.learners.nongreedy.settings import LEAVES

ORDERS = ("sequential", "random")
"""Orders in which OC1 perturbs coefficients: in turn until none moves, or 50 drawn at random."""


def max_levels(depth: int, max_leaf_nodes: int) -> int:
    """Greatest number of levels, of which growth best first has one for each split."""
    return max(1, min(max_leaf_nodes, 1 << depth) - 1) if max_leaf_nodes else depth


@dataclass(frozen=True)
class GreedySettings(TreeSettings):
    """Settings of all greedy methods."""

    depth: int = setting(6, "Depth", DEPTH_HELP, low=1, high=20)
    criterion: str = setting(
        "entropy",
        "Impurity",
        "What a split should lower: the entropy of the classes or their Gini impurity. With "
        "numbers as targets it is always their squared error.",
        choices=("entropy", "gini"),
    )
    min_samples_split: int = setting(
        2, "Least rows to split", "A node with fewer rows becomes a leaf.", low=2, high=10_000
    )
    min_samples_leaf: int = setting(
        1, "Least rows in a leaf", "A split may not leave a side with fewer.", low=1, high=10_000
    )
    min_gain: float = setting(
        0.0,
        "Least gain",
        "The least fall of impurity, weighted by the node's share of all rows, worth a split.",
        low=0.0,
        high=1.0,
    )
    min_impurity: float = setting(
        0.0,
        "Least impurity",
        "A node that is purer than this becomes a leaf. Its impurity is the entropy of its classes "
        "in bits, their Gini impurity, or the variance of its numbers (that of all rows is 1 for "
        "every output).",
        low=0.0,
        high=100.0,
    )
    significance: float = setting(
        0.0,
        "Significance",
        "A split is made only if sides as different would come about with at most this probability "
        "were the targets shuffled, by a chi-squared test of classes or an F-test of numbers. 0 "
        "makes every split.",
        low=0.0,
        high=1.0,
    )
    smoothing: float = setting(1.0, "Leaf smoothing", SMOOTHING_HELP, low=1e-3, high=1e3, log=True)
    max_leaf_nodes: int = setting(
        0,
        "Maximum leaves",
        "With a limit, the split that lowers the impurity most is made next, until there are so "
        "many leaves: for trees of one size whatever their shape. 0: no limit.",
        low=0,
        high=1_000_000,
    )

    def rules(self) -> dict:
        """The arguments of ``Growth`` that say when to stop."""
        names = ("depth", "min_samples_split", "min_samples_leaf", "min_gain", "min_impurity")
        more = ("significance", "smoothing", "max_leaf_nodes")
        return {name: getattr(self, name) for name in names + more}


@dataclass(frozen=True)
class AxisSettings(GreedySettings):
    """Settings of greedy axis-aligned induction."""

    criterion: str = setting(
        "entropy",
        "Impurity",
        "What a split should lower: the entropy of the classes or their Gini impurity. The gain "
        "ratio sets the fall of entropy against how evenly the split divides the rows. With "
        "numbers as targets it is always their squared error.",
        choices=("entropy", "gini", "gain ratio"),
    )
    max_features: int = setting(
        0,
        "Features tried per split",
        "Only so many features compete at a node, drawn anew for each: trees differ more, as the "
        "trees of a random forest must. 0: all compete.",
        low=0,
        high=1_000_000,
    )
    leaf: str = setting(
        "constant",
        "Leaves",
        "What a leaf says: the same to all of its examples, or by a linear model of their features "
        "(of classes a logistic regression). With linear leaves each split is the one behind which "
        "two regressions err least, where that pays.",
        choices=LEAVES,
    )
    leaf_price: float = setting(
        2.0,
        "Price of a split with linear leaves",
        "Such a split is made only where it spares more than this for every number of a leaf's "
        "model, in mean squared errors of the node. 2 is Akaike's criterion, 5 makes few splits; "
        "it takes the place of a test of significance.",
        low=0.0,
        high=1e3,
    )


@dataclass(frozen=True)
class RandomSettings(GreedySettings):
    """Settings of greedy induction by random hyperplanes."""

    n_directions: int = setting(
        64,
        "Directions",
        "Random directions tried at every node; the best cut along any of them is taken.",
        low=1,
        high=10_000,
        log=True,
    )


@dataclass(frozen=True)
class OC1Settings(GreedySettings):
    """Settings of OC1."""

    order: str = setting(
        "sequential",
        "Order",
        "Which coefficients are perturbed: one after another until none moves, or 50 of them "
        "drawn at random.",
        choices=ORDERS,
    )
    restarts: int = setting(
        2,
        "Restarts",
        "Random hyperplanes to climb from at every node, besides the axis-aligned split.",
        low=0,
        high=100,
    )
    jumps: int = setting(
        5,
        "Random jumps",
        "Random directions tried from each start where no single coefficient helps any more.",
        low=0,
        high=100,
    )


@dataclass(frozen=True)
class CO2Settings(GreedySettings):
    """Settings of CO2."""

    nu: float = setting(
        3.0,
        "ν (greatest squared norm)",
        "Every split's weights keep ‖w‖² ≤ ν. A small ν forces a wide margin; a large ν ties the "
        "bound closely to the loss, and the split hardly moves.",
        low=0.01,
        high=10_000.0,
        log=True,
    )
    eta: float = setting(
        0.03,
        "η (learning rate)",
        "How far one example moves the split at first; it falls to zero on a straight line.",
        low=1e-5,
        high=10.0,
        log=True,
    )
    epochs: int = setting(30, "Epochs", "Passes over each node's rows.", low=1, high=10_000)

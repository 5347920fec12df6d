"""The settings of the greedy methods: when a node stays a leaf, and how the others are split."""

from __future__ import annotations

from dataclasses import dataclass

from treecore.base.limits import DEEPEST_TREE
from treecore.base.settings import DEPTH_HELP, SMOOTHING_HELP, TreeSettings, setting
from treecore.learners.nongreedy.settings import LEAVES, SCALING_HELP, SCALINGS

ORDERS = ("sequential", "random")
"""Orders in which OC1 perturbs coefficients: in turn until none moves, or 50 drawn at random."""


def max_levels(depth: int, max_leaf_nodes: int) -> int:
    """Greatest number of levels, of which growth best first has one for each split."""
    return max(1, min(max_leaf_nodes, 1 << depth) - 1) if max_leaf_nodes else depth


@dataclass(frozen=True)
class GreedySettings(TreeSettings):
    """Settings of all greedy methods."""

    depth: int = setting(6, "Depth", DEPTH_HELP, low=1, high=DEEPEST_TREE, slider=20)
    criterion: str = setting(
        "entropy",
        "Impurity",
        "The measure that a split lowers: the entropy of the classes or their Gini impurity; for "
        "numbers always the squared error. The two seldom differ; choose Gini as in scikit-learn.",
        choices=("entropy", "gini"),
    )
    min_samples_leaf: int = setting(
        1,
        "Minimum per leaf",
        "A split must leave this many examples on each side. Raise it against overfitting, above "
        "all with noisy numbers.",
        low=1,
        high=1_000_000,
    )
    min_gain: float = setting(
        0.0,
        "Minimum gain",
        "A split must lower the impurity by this much, weighted by the node's share of the "
        "examples. Raise it to stop growth where splits gain little.",
        low=0.0,
        high=1.0,
    )
    min_impurity: float = setting(
        0.0,
        "Minimum impurity",
        "A purer node becomes a leaf. Impurity is the entropy in bits, the Gini impurity, or "
        "the variance of the numbers (1 for all examples). Raise it to prune as OC1 does.",
        low=0.0,
        high=100.0,
    )
    significance: float = setting(
        0.0,
        "Significance",
        "The largest p-value of a split: how probable it is that chance divides the targets as "
        "well (chi-squared test of classes, F-test of numbers). Lower it to stop growth on "
        "noise, 0.01 for example; 0 makes every split.",
        low=0.0,
        high=1.0,
    )
    smoothing: float = setting(1.0, "Leaf smoothing", SMOOTHING_HELP, low=1e-3, high=1e3, log=True)
    max_leaf_nodes: int = setting(
        0,
        "Maximum leaves",
        "With a limit, the split that lowers the impurity most is made next, up to this number "
        "of leaves. Set it to compare trees of one size; 0 means no limit.",
        low=0,
        high=1_000_000,
    )


@dataclass(frozen=True)
class AxisSettings(GreedySettings):
    """Settings of greedy axis-aligned induction."""

    criterion: str = setting(
        "entropy",
        "Impurity",
        "The measure that a split lowers: the entropy of the classes or their Gini impurity; for "
        "numbers always the squared error. Gain ratio divides the fall of entropy by how evenly "
        "the split divides the examples. Gini is scikit-learn's default; choose gain ratio to "
        "follow C4.5.",
        choices=("entropy", "gini", "gain ratio"),
    )
    max_features: int = setting(
        0,
        "Features per split",
        "How many features compete at a node, drawn for each node; 0 means all. Lower it "
        "for the trees of a random forest, which should differ.",
        low=0,
        high=1_000_000,
    )
    leaf: str = setting(
        "constant",
        "Leaves",
        "A leaf predicts the same for all its examples (constant), or by a linear model of their "
        "features (for classes, a logistic regression). With linear leaves, the error of the two "
        "regressions decides on a split. Choose linear for small trees on smooth data.",
        choices=LEAVES,
    )
    leaf_price: float = setting(
        2.0,
        "Split price",
        "A split with linear leaves must save this much for every number of a leaf's model, in "
        "mean squared errors of the node. 2 is Akaike's criterion; raise it to 5 for fewer "
        "splits.",
        low=0.0,
        high=1e3,
    )


@dataclass(frozen=True)
class RandomSettings(GreedySettings):
    """Settings of greedy induction by random hyperplanes."""

    n_directions: int = setting(
        64,
        "Directions",
        "Random directions tried at every node; the node takes the best split along any of them. "
        "Raise it with the number of features.",
        low=1,
        high=10_000,
        log=True,
    )
    scaling: str = setting("each", "Scale features", SCALING_HELP, choices=SCALINGS)


@dataclass(frozen=True)
class OC1Settings(GreedySettings):
    """Settings of OC1."""

    order: str = setting(
        "sequential",
        "Order",
        "Which coefficients are changed: one after another until none moves, or 50 drawn at "
        "random. Choose random with many features, where going through all of them takes long.",
        choices=ORDERS,
    )
    restarts: int = setting(
        2,
        "Restarts",
        "Random hyperplanes to start from at every node, besides the best axis-aligned split. "
        "Raise it for better splits, which take longer.",
        low=0,
        high=100,
    )
    jumps: int = setting(
        5,
        "Random jumps",
        "Random directions tried when changing one coefficient no longer helps. Raise it to "
        "escape more local optima.",
        low=0,
        high=100,
    )
    start: str = setting(
        "axis",
        "Start",
        "The first split to perturb at every node: the best axis-aligned split, which stays "
        "unless another gains more, or one more random hyperplane. Choose random to see how far "
        "perturbation gets without help.",
        choices=("axis", "random"),
    )


@dataclass(frozen=True)
class CO2Settings(GreedySettings):
    """Settings of CO2."""

    nu: float = setting(
        3.0,
        "ν (norm limit)",
        "Limit on the split's weights: ‖w‖² ≤ ν. A small ν forces a wide margin; with a large "
        "ν the split hardly moves. Lower it when test accuracy falls behind training accuracy.",
        low=0.01,
        high=10_000.0,
        log=True,
    )
    eta: float = setting(
        0.03,
        "η (learning rate)",
        "How far one example moves the split at first; it falls to zero in a straight line. "
        "Lower it when splits end up worse than axis-aligned ones.",
        low=1e-5,
        high=10.0,
        log=True,
    )
    epochs: int = setting(
        30,
        "Epochs",
        "How often a node goes through its examples. Raise it on small data.",
        low=1,
        high=10_000,
    )

"""Model trees: linear models in the leaves of a tree whose splits are there already."""

from __future__ import annotations

from treecore.core.routing import apply
from treecore.core.tree import Tree
from treecore.learners.greedy.grown_leaves import GrownLeaves
from treecore.learners.greedy.settings import AxisSettings
from treecore.rows.training_rows import TrainingRows

SETTINGS = AxisSettings(leaf="linear")

MOST_FEATURES = 100
"""A Gram matrix costs their square for every row, its Cholesky factor their cube; hinges count."""

MOST_NUMBERS = 500_000
"""Rows times columns times outputs up to which models are fitted; two classes are one output."""


def has_room(rows: TrainingRows, n_hinges: int = 0) -> bool:
    """Whether linear models of the rows and their hinges take seconds, not minutes."""
    p = rows.X.shape[1] * (1 + n_hinges)
    two_classes = rows.loss.task == "classification" and rows.n_outputs == 2
    n_models = 1 if two_classes else rows.n_outputs
    return p <= MOST_FEATURES and len(rows.y) * p * n_models <= MOST_NUMBERS


MOST_PRODUCTS = 500_000_000
"""Rows times the cube of features up to which cuts are grown for linear leaves."""


def has_room_for_cuts(rows: TrainingRows) -> bool:
    """Whether cuts can be grown for linear leaves in seconds."""
    return has_room(rows) and len(rows.y) * rows.X.shape[1] ** 3 <= MOST_PRODUCTS


MOST_SQUARES = 60_000_000
"""Rows times the square of columns up to which the leaves of such cuts read hinges."""


def has_room_for_curves(rows: TrainingRows, n_hinges: int) -> bool:
    """Whether cuts can be grown and leaves read so many hinges a feature as well, in seconds."""
    columns = rows.X.shape[1] * (1 + n_hinges)
    return has_room_for_cuts(rows) and len(rows.y) * columns**2 <= MOST_SQUARES


def with_linear_leaves(tree: Tree, rows: TrainingRows) -> Tree:
    """The tree with a linear model in each leaf, in the units of the (dense) rows."""
    return GrownLeaves(rows, SETTINGS.smoothing).on(tree, apply(tree, rows.X))

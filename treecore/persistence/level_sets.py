"""Splits that ask whether the level of a column is in a set, by the names of files.

See :mod:`treecore.learners.greedy.finders.levels`: their weights are all 1 or all -1. A split on
the zeros and ones of a single level asks for a set as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.base.units import one_line
from treecore.core.tree import OBLIQUE, Tree
from treecore.data.readers.columns import CategoryColumn, Column


class NamedSet(NamedTuple):
    """A column, and the levels one of which sends a row right, or left where is_in is False."""

    column: str
    levels: tuple[str, ...]
    is_in: bool

    def text(self, most: int | None = None) -> str:
        """The question, ``colour in {red, green}``; most: levels that are named, None: all."""
        levels = self.levels[:most]
        rest = len(self.levels) - len(levels)
        listed = ", ".join(map(one_line, levels)) + (f" and {rest} more" if rest else "")
        return f"{one_line(self.column)} {'in' if self.is_in else 'not in'} {{{listed}}}"


def named_set(
    columns: Sequence[Column], names: Sequence[str], weights: np.ndarray, threshold
) -> NamedSet | None:
    """The set of levels that an oblique split asks for; None where it asks anything else.

    columns: none where the tree reads mapped features; names, weights: (n_features,).
    """
    features = np.flatnonzero(weights)
    if not columns or abs(threshold) != 0.5 or not (weights[features] == 2 * threshold).all():
        return None
    widths = np.cumsum([len(column.feature_names) for column in columns])
    read = np.unique(np.searchsorted(widths, features, side="right"))
    if len(read) != 1 or not isinstance(columns[read[0]], CategoryColumn):
        return None
    name = columns[read[0]].name
    levels = tuple(names[j][len(name) + 1 :] for j in features.tolist())
    return NamedSet(name, levels, bool(threshold > 0))


def set_of_split(
    tree: Tree, split: int, columns: Sequence[Column], names: Sequence[str]
) -> NamedSet | None:
    """As :func:`named_set`, of any split."""
    feature, threshold = tree.feature[split], tree.threshold[split]
    if feature == OBLIQUE:
        return named_set(columns, names, tree.weights[tree.row[split]], threshold)
    alone = np.arange(tree.n_features) == feature
    return named_set(columns, names, alone, 0.5) if 0 <= threshold < 1 else None


def named_sets(tree: Tree, columns: Sequence[Column], names: Sequence[str]) -> dict[int, NamedSet]:
    """The sets of levels that splits of a tree ask for, by split."""
    categories = [isinstance(column, CategoryColumn) for column in columns]
    if not any(categories):
        return {}
    is_level = np.repeat(categories, [len(column.feature_names) for column in columns])
    is_sum = (tree.feature == OBLIQUE) & (np.abs(tree.threshold) == 0.5)
    likely = is_sum | (tree.feature != OBLIQUE) & is_level[tree.feature]
    splits = np.flatnonzero(likely).tolist()
    found = {i: set_of_split(tree, i, columns, names) for i in splits}
    return {i: one for i, one in found.items() if one is not None}

"""What is opened on the page: a tree, or a forest, and by which impurity it is judged."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treecore import Forest, HingeForest, RunConfig, Tree
from treecore.persistence import Document
from treecore.training import METHODS
from ui.jobs.chosen_data import ChosenData
from ui.language.translate import N_, _

PARTS = {"training": "training", "held": "held-out"}
"""Rows that may be laid over a tree, and how the drawing calls them."""

REQUESTED_MOVES = "tree_moves_asked"
"""The session's key of the features that a link moves, until they are."""

WANTED = {"tree_wanted", "tree_low", "tree_high", "tree_fixed", "tree_whole"}
"""Keys of what is wanted of a row and what may change: they are about columns of some data."""

REQUESTED_WANTED = "tree_wanted_asked"
"""The session's key of whether a link has set any of them."""

TWO = N_("Two trees")
"""The tab that has a second tree beside the first."""

OF_A_ROW = (N_("One example"), N_("What would change it"))
"""Tabs on which the path of a row is marked in the drawing."""

FOREST = N_("The forest")
"""The tab of all trees together."""

TABS = (FOREST, N_("Examples"), *OF_A_ROW, N_("What it asks"), N_("Pruning"), TWO)

SECOND = "beside"
"""Where the second tree is chosen and drawn."""


def state_key(name: str, place: str = "") -> str:
    """The session's key of a control; ``place`` tells the second tree's from the first one's."""
    return f"tree_{name}{place and '_'}{place}"


class Learnt:
    """What learnt from data that are known by their key; None where nobody knows."""

    data_key: tuple | None

    def learnt_from(self, data: ChosenData) -> bool:
        """Whether it learnt from the training rows of these data, perhaps behind a map."""
        return self.data_key is not None and data.key[: len(self.data_key)] == self.data_key


@dataclass(frozen=True, eq=False)
class OpenedTree(Learnt):
    """A tree on the page; key: of equal trees only; criterion: by which it was grown, if known.

    over: the document with splines, of a tree behind them; data_key: of the rows it learnt from.
    """

    key: tuple
    title: str
    document: Document
    note: str = ""
    over: Document | None = None
    data_key: tuple | None = None
    criterion: str | None = None
    forest: OpenedForest | None = None

    @property
    def tree(self) -> Tree:
        return self.document.tree

    @property
    def sources(self) -> np.ndarray | None:
        """The feature behind splines, or else the column of a table, that each feature is made of;
        None where they are the same.
        """
        found = None if self.over is None else self.over.feature_map
        if found is not None:
            return found.sources
        widths = [len(column.feature_names) for column in self.document.columns]
        return np.repeat(np.arange(len(widths)), widths) if widths else None

    @property
    def exported(self) -> Document:
        if self.over is None:
            return self.document
        return replace(self.over, model=self.document.model, counts=self.document.counts)

    @property
    def numbers(self) -> bool:
        return bool(self.document.output_names)


@dataclass(frozen=True, eq=False)
class OpenedForest(Learnt):
    """A forest on the page; member: the tree looked at, from 0; weights: of rows for the next."""

    key: tuple
    title: str
    document: Document
    member: int
    data_key: tuple | None = None
    weights: np.ndarray | None = None

    @property
    def forest(self) -> Forest | HingeForest:
        assert not isinstance(self.document.model, Tree), "it is made of forests"
        return self.document.model

    @property
    def file_name(self) -> str:
        return re.sub(r"\W+", "-", self.title).strip("-")


Opened = OpenedTree | OpenedForest
"""What is on the page: a tree, perhaps one of a forest, or a forest whose trees are not drawn."""


def is_log_odds(document: Document) -> bool:
    """Whether its outputs are log-odds of classes, which readers of boosted trees so call."""
    names = document.output_names
    return bool(names) and all(name.startswith("log-odds of ") for name in names)


CRITERIA = {"gini": N_("Gini"), "entropy": N_("entropy")}
"""Impurities of classes that trees are grown by."""


def criterion_of(config: RunConfig) -> str:
    """The impurity that a method grows trees by; entropy where it has none, as in estimators."""
    return getattr((config.base or config).settings, "criterion", "entropy")


def criterion_from(training: Mapping[str, Any]) -> str | None:
    """The impurity that what a file tells of its training leads to; None where it tells nothing."""
    settings = training.get("settings")
    if training.get("method") not in METHODS or settings is None:
        return None
    found = settings.get("criterion", "entropy")  # as of a config that has none
    return found if found in tuple(CRITERIA) else None


def measure_text(criterion: str | None, numbers: bool, rows: str) -> str:
    if numbers:
        return _("Measured by: variance, {rows}.", rows=rows)
    if criterion is None:
        return _(
            "Measured by: Gini, {rows}. The file does not say which measure grew the tree.",
            rows=rows,
        )
    return _("Measured by: {criterion}, {rows}.", criterion=_(CRITERIA[criterion]), rows=rows)

"""By which impurity a tree was grown, and how a page says by which it is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treecore import RunConfig
from treecore.training import METHODS
from ui.language.translate import N_, _

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
    """By which impurity and rows a tree is judged, in a sentence."""
    if numbers:
        return _("Measured by: variance, {rows}.", rows=rows)
    if criterion is None:
        return _(
            "Measured by: Gini, {rows}. The file does not say which measure grew the tree.",
            rows=rows,
        )
    return _("Measured by: {criterion}, {rows}.", criterion=_(CRITERIA[criterion]), rows=rows)

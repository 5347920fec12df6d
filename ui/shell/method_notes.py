"""What each method guarantees, and what it does not: shown wherever it is offered."""

from __future__ import annotations

from ui.language.translate import N_, _

CLAIMS = {
    "sgd": N_(
        "the loss never exceeds the bound. Not guaranteed: every step lowers the bound. A step "
        "lowers it for one example and may raise it for others."
    ),
    "stable-sgd": N_(
        "the loss never exceeds the bound. Not guaranteed: every step lowers the bound. A step "
        "lowers only the bound of its own example."
    ),
    "annealed": N_(
        "in the end every example goes down one branch only. Not guaranteed: every step lowers "
        "the loss, or hardening the splits keeps it."
    ),
    "tao": N_(
        "no change to a split increases the training error. Not guaranteed: the best tree of "
        "all. A split that cannot be improved stays."
    ),
    "axis": N_(
        "no split on a single feature is better at its node. Not guaranteed: the best tree of "
        "its depth. A split is never revisited."
    ),
    "random-oblique": N_(
        "each split is the best of those drawn. Not guaranteed: the best split at its node, or "
        "for the tree."
    ),
    "oc1": N_(
        "no split is less pure than the best split on one feature. Not guaranteed: the best "
        "slant at its node, or for the tree."
    ),
    "co2": N_(
        "no split is less pure than the best split on one feature. Not guaranteed: the best "
        "split at its node, or for the tree."
    ),
}
"""What is guaranteed and what is not, by the name of the method."""


def claim(method: str) -> str:
    """The line of a method, as Markdown; empty for a forest, which promises nothing."""
    return (
        _(":material/verified: **Guaranteed:** {claims}", claims=_(CLAIMS[method]))
        if method in CLAIMS
        else ""
    )

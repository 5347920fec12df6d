"""What each method promises, and what it does not: said beside it on every page that offers it."""

from __future__ import annotations

from ui.language.translate import N_, _

CLAIMS = {
    "sgd": N_(
        "the loss is never above the bound. No promise: that the bound falls with every step. A "
        "step lowers it for one example and may raise it for others."
    ),
    "stable-sgd": N_(
        "the loss is never above the bound. No promise: that the bound falls with every step; only "
        "that of the example at hand is stepped down."
    ),
    "annealed": N_(
        "in the end every example takes one side of each split alone. No promise: that "
        "the loss falls with every step, or stays as it is while the splits harden."
    ),
    "tao": N_(
        "what the examples it learns from cost never rises, not even by one split. No promise: "
        "the best tree of all. A split that cannot be improved stays."
    ),
    "axis": N_(
        "no cut on a single feature is better at its node. No promise: that the tree is the "
        "best of its depth. A split is never looked at again."
    ),
    "random-oblique": N_(
        "each split is the best of those drawn. No promise: that there is no better "
        "one at its node, or for the tree."
    ),
    "oc1": N_(
        "no split is less pure than the best cut on one feature. No promise: that no other "
        "slant is better at its node, or for the tree."
    ),
    "co2": N_(
        "no split is less pure than the best cut on one feature. No promise: that there is no "
        "better one at its node, or for the tree."
    ),
}
"""A promise that always holds, and what is not promised, by the name of the method."""


def claim(method: str) -> str:
    """The line of a method, as Markdown; empty for a forest, which promises nothing."""
    return (
        _(":material/verified: **Always:** {claims}", claims=_(CLAIMS[method]))
        if method in CLAIMS
        else ""
    )

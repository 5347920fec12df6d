"""The losses of numbers, as scikit-learn calls them."""

from __future__ import annotations

from collections.abc import Sequence

from treecore.losses import find_loss
from treecore.losses.quantile import quantile_loss

LOSSES = {"squared_error": "squared", "huber": "huber", "absolute_error": "absolute"}
"""The losses of numbers: what scikit-learn calls them, and what the registry does."""


def loss_of(said: str, among: Sequence[str] = tuple(LOSSES)) -> str:
    """What the registry calls a loss; ValueError, in one sentence, for one that is not ``among``.

    Whoever can learn medians can learn quantiles.
    """
    takes_levels = any(find_loss(LOSSES[name]).is_quantile for name in among)
    if said not in among and not (takes_levels and quantile_loss(str(said))):
        more = ", or quantile:LEVEL, with a level above 0 and below 1" if takes_levels else ""
        raise ValueError(f"loss={said!r} must be one of {', '.join(among)}{more}")
    return LOSSES.get(said, said)


def said_loss(name: str) -> str:
    """The inverse of :func:`loss_of`."""
    return {ours: said for said, ours in LOSSES.items()}.get(name, name)

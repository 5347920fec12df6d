"""What would have to change, in words: the features that move, and from where to where."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from treecore.inspection.counterfactual import Counterfactual
from ui.drawing.theme import number
from ui.language.translate import _


def changes_text(
    names: Sequence[str],
    x: np.ndarray,
    found: Counterfactual,
    most: int,
    strong: Callable[[str], str] = str,
) -> str:
    """The features that move furthest, as in ``width from 1 to 2 and height from 3 to 4``.

    Parameters
    ----------
    names : sequence of str
        Of the features, as they are to be written.
    x : float64 array, shape (n_features,)
        The row that is to be changed.
    found : Counterfactual
        At least one feature has changed.
    most : int
        Features that are named; the others are counted.
    strong : callable
        Sets off what a feature becomes.
    """
    parts = [
        _(
            "{name} from {before} to {after}",
            name=names[j],
            before=number(x[j]),
            after=strong(number(found.x[j])),
        )
        for j in found.changed[:most]
    ]
    if more := len(found.changed) - len(parts):
        parts.append(_("{more} other features by less", more=more))
    if len(parts) == 1:
        return parts[0]
    return _("{first} and {last}", first=", ".join(parts[:-1]), last=parts[-1])

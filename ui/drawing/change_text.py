"""What would have to change, in words: the features that move, and from where to where."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from treecore.base.units import in_unit
from treecore.inspection.counterfactual import Counterfactual
from ui.drawing.theme import number
from ui.language.translate import _


def changes_text(
    names: Sequence[str],
    units: Sequence[str],
    x: np.ndarray,
    found: Counterfactual,
    most: int,
    strong: Callable[[str], str] = str,
) -> str:
    """The features that move furthest, as in ``width from 1 to 2 and height from 3 to 4``.

    x: float64 (n_features,), the row that is to be changed; found: at least one feature has
    changed; most: features that are named; the others are counted; strong: sets off what a feature
    becomes.
    """
    parts = [
        _(
            "{name} from {before} to {after}",
            name=names[j],
            before=_("missing") if np.isnan(x[j]) else in_unit(x[j], units[j], number),
            after=strong(in_unit(found.x[j], units[j], number)),
        )
        for j in found.changed[:most]
    ]
    if more := len(found.changed) - len(parts):
        parts.append(_("{more} other features by less", more=more))
    if len(parts) == 1:
        return parts[0]
    return _("{first} and {last}", first=", ".join(parts[:-1]), last=parts[-1])

"""How settings are chosen: on held-out training rows, so that test rows are seen once, at the end.

1. A fifth of the training rows, drawn by class, is held out; where there are few rows, which tell
   little at a time, four such draws are made.
2. Every candidate learns from the rest. The least mean error on the held-out rows wins, the first
   one of equals.
3. The winner learns from all training rows, once a seed; only then are test rows looked at.

Trees, forests and hinge forests are chosen by this one rule. `treecore.sweeps.selection` has the
same three steps for candidates that are a RunConfig, of which a sweep keeps every run in its
table; the candidates here are settings of other libraries, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.data import Part

HELD_OUT = 0.2
FEW_ROWS, DRAWS = 5000, 4

ErrorOf = Callable[[Any, Part, Part, int], float]
"""The error of a candidate that has learnt from the first part, on the second, with a seed."""


def held_out_error(candidate: Any, part: Part, error_of: ErrorOf) -> float:
    """Mean error of a candidate on the draws of held-out rows; the draw's number is the seed."""
    draws = range(DRAWS if len(part.y) < FEW_ROWS else 1)
    errors = [error_of(candidate, *part.divide(HELD_OUT, draw), draw) for draw in draws]
    return round(float(np.mean(errors)), 9)  # the same errors in another order are equal


def choose(candidates: Sequence[Any], part: Part, error_of: ErrorOf) -> Any:
    """Choose the candidate of least error on held-out rows; a single one needs no measurement."""
    if len(candidates) == 1:
        return candidates[0]
    return min(candidates, key=lambda candidate: held_out_error(candidate, part, error_of))

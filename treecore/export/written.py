"""Numbers of a model as people read them, with as many digits as it takes to tell them apart."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from treecore.base.units import DATE, limit_in
from treecore.core.tree import OBLIQUE, Tree
from treecore.data.feature_maps import SplineMap
from treecore.data.readers.columns import DateColumn
from treecore.data.readers.dates import DIGITS
from treecore.export.score_view import one_line
from treecore.persistence import Document


def cut_text(document: Document, feature: int, threshold: float | np.float32) -> str:
    """The question of a split on one feature, ``width > 0.8``, as the table writes its numbers."""
    spline = document.feature_map
    if isinstance(spline, SplineMap):
        last = spline.last_below(feature, threshold)
        if last is not None:
            feature, threshold, spline = int(spline.sources[feature]), last, None
    name = (
        document.feature_names[feature]
        if spline is None
        else spline.name_of(feature, document.feature_names)
    )
    unit = document.units[feature] if spline is None else ""
    limit = limit_in(threshold, unit)
    if unit == DATE and _is_of_digits(document, name):
        limit = limit.replace("-", "")
    return f"{one_line(name)} > {one_line(limit)}"


def missing_text(tree: Tree, split: int) -> str:
    """Words behind a cut that sends a missing value to the right, where the tree tells sides."""
    has_side = tree.feature[split] != OBLIQUE and tree.has_directions
    return " or missing" if has_side and not tree.missing_left[split] else ""


def _is_of_digits(document: Document, name: str) -> bool:
    dates = (column for column in document.columns if isinstance(column, DateColumn))
    return any(column.name == name and column.form == DIGITS for column in dates)


def digits_apart(numbers: Iterable[float]) -> int:
    """The significant digits that tell the numbers apart, four at least."""
    different = np.unique(np.asarray([*numbers]))
    for digits in range(4, 17):
        if len({f"{number:.{digits}g}" for number in different.tolist()}) == len(different):
            return digits
    return 17


def share_text(share: float) -> str:
    """A share in percent; 100 % and 0 % are said only of all and of none."""
    for places in range(4):
        text = f"{share:.{places}%}"
        if share in (0.0, 1.0) or 0 < float(text[:-1]) < 100:
            return text
    return ">99.99%" if share > 0.5 else "<0.01%"

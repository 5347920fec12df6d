"""A split put into words: the question that it asks of an example."""

from collections.abc import Mapping, Sequence

import numpy as np

from treecore import Tree
from treecore.base import in_unit
from treecore.core import OBLIQUE
from treecore.persistence import NamedSet
from ui.language.translate import _, number


def split_text(
    tree: Tree,
    split: int,
    names: Sequence[str],
    units: Sequence[str],
    scale: np.ndarray | float = 1.0,
    most: int = 3,
    digits: int = 3,
    sets: Mapping[int, NamedSet] | None = None,
) -> str:
    """The question of a split, as in ``+0.5·width −0.2·height and 3 more > 1.2``."""
    if sets and split in sets:
        name, levels, is_in = sets[split]
        listed = ", ".join(levels[:most])
        if len(levels) > most:
            listed += _(" and {terms} more", terms=len(levels) - most)
        listed = f"{{{listed}}}"
        asks = _("in {levels}", levels=listed) if is_in else _("not in {levels}", levels=listed)
        return f"{name} {asks}"
    threshold = float(tree.threshold[split])
    feature = tree.feature[split]
    if feature != OBLIQUE:
        requested = question_text([(names[feature], 1.0)], 1, threshold, digits, units[feature])
        missing_right = tree.has_directions and not tree.missing_left[split]
        return requested + _(" or missing") * missing_right
    weights = tree.weights[tree.row[split]]
    order = [j for j in np.argsort(-np.abs(weights) * scale, kind="stable") if weights[j] != 0]
    terms = [(names[j], float(weights[j])) for j in order[:most]]
    return question_text(terms, len(order), threshold, digits)


def question_text(
    terms: Sequence[tuple[str, float]],
    n_terms: int,
    threshold: float,
    digits: int = 3,
    unit: str = "",
) -> str:
    """A weighted sum (of ``n_terms``) and its threshold in words; a feature alone is its name."""
    parts = [f"{number(weight, digits, '+')}·{name}" for name, weight in terms]
    if is_alone := n_terms == 1 and bool(terms) and terms[0][1] == 1.0:
        parts = [terms[0][0]]
    more = _(" and {terms} more", terms=n_terms - len(terms)) if n_terms > len(terms) else ""
    digits = limit_digits(threshold, digits)
    limit = in_unit(threshold, unit if is_alone else "", lambda value: number(value, digits))
    return f"{' '.join(parts) or '0'}{more} > {limit}"


def limit_digits(threshold: float, digits: int = 3) -> int:
    """Of a threshold with three decimals or fewer all: it lies between values that have fewer."""
    short = float(f"{threshold:.7g}")
    is_short = round(short, 3) == short and np.float32(short) == np.float32(threshold)
    return 7 if is_short and abs(short) < 1e6 else digits

"""Drawn points as text for a link: six letters each, in the order in which they were drawn.

The order is kept and so is every digit, so that whoever opens the link learns the same tree, bit
for bit. A link should stay one that can be sent: of more points it says nothing.
"""

import string

import numpy as np

from ui.language.translate import _
from ui.widgets.data.points import CLASSES, DIGITS, Points

MOST_SENT = 250
"""Points that a link carries; 1500 letters."""

FARTHEST_SENT = 5.0
"""Greatest coordinate that six letters can tell."""

_ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
_LETTERS = 6
_UNIT = 10**DIGITS
_STEPS = 2 * round(FARTHEST_SENT * _UNIT) + 1  # places along one axis
assert _STEPS**2 * len(CLASSES) <= 64**_LETTERS


def can_be_sent(points: Points) -> bool:
    """Whether a link can carry these points."""
    near = bool((np.abs(points.X) <= FARTHEST_SENT).all())
    return 0 < len(points) <= MOST_SENT and near


def encoded(points: Points) -> str:
    """Points that :func:`can_be_sent`, as text."""
    places = np.round((points.X + FARTHEST_SENT) * _UNIT).astype(np.int64)
    codes = (places[:, 0] * _STEPS + places[:, 1]) * len(CLASSES) + points.y
    shifts = range(6 * (_LETTERS - 1), -1, -6)
    return "".join(_ALPHABET[code >> shift & 63] for code in codes.tolist() for shift in shifts)


def decoded(text: str) -> Points:
    """The inverse of :func:`encoded`. Raises ValueError: what is wrong with them, a clause."""
    value = {letter: place for place, letter in enumerate(_ALPHABET)}
    if not text or len(text) % _LETTERS or set(text) - value.keys():
        raise ValueError(_("they are not six letters each"))
    if len(text) > _LETTERS * MOST_SENT:
        raise ValueError(_("there are more than {most}", most=MOST_SENT))
    letters = np.array([value[letter] for letter in text]).reshape(-1, _LETTERS)
    codes = letters @ 64 ** np.arange(_LETTERS - 1, -1, -1)
    places, y = np.divmod(codes, len(CLASSES))
    first, second = np.divmod(places, _STEPS)
    if (first >= _STEPS).any():
        raise ValueError(_("one lies farther out than {farthest:g}", farthest=FARTHEST_SENT))
    return Points((np.column_stack([first, second]) - _STEPS // 2) / _UNIT, y)

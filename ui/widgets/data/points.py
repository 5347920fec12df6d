"""Points drawn by hand: what the browser may send, and the table that is learnt from.

Nothing that arrives is trusted: a message either becomes :class:`Points` or one sentence that says
what was wrong with it.
"""

import hashlib
import secrets
import string
from dataclasses import dataclass, field

import numpy as np
import streamlit as st

from treecore.data import NOISE_SCALE, Dataset, subsample
from ui.language.translate import _

MOST_POINTS = 2000
CLASSES = tuple("ABCDEF")
"""Names of the classes there are colours for, as the generators name theirs."""

BROUGHT = "drawing_brought"
"""Key of the session for :class:`Points` that a link has brought, until the canvas has them."""

FEATURES = ("x1", "x2")

FARTHEST = 1000.0
"""Greatest coordinate; the canvas shows about -1 to 1."""

DIGITS = 4
"""Digits after the point, in the browser as here: equal drawings have equal digests."""


@dataclass(frozen=True, eq=False)
class Points:
    """Drawn points: X, float64 (n_points, 2), none beyond ``FARTHEST``; y, of ``CLASSES``."""

    X: np.ndarray = field(default_factory=lambda: np.empty((0, 2)))
    y: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.y)

    def digest(self) -> str:
        """Equal for equal points only."""
        return hashlib.sha256(self.X.tobytes() + self.y.tobytes()).hexdigest()[:16]


def read_points(message) -> Points:
    """The points of a flat list of x, y and class; ValueError, in one sentence, for others."""
    if not isinstance(message, list) or len(message) % 3:
        raise ValueError(_("Each drawn point needs three numbers: x, y and class."))
    if len(message) > 3 * MOST_POINTS:
        raise ValueError(
            _(
                "There are {message_} drawn points, but at most {most_points} are allowed. Erase "
                "some.",
                message_=len(message) // 3,
                most_points=MOST_POINTS,
            )
        )
    for number in message:
        # A bool counts as an int in Python, and an int of a thousand digits breaks a float.
        if type(number) not in (int, float) or not abs(number) <= FARTHEST:
            raise ValueError(
                _(
                    "Drawn points must be finite numbers between -{farthest:g} and {farthest:g}.",
                    farthest=FARTHEST,
                )
            )
    table = np.array(message, dtype=np.float64).reshape(-1, 3)
    label = table[:, 2]
    if not ((label == np.floor(label)) & (label >= 0) & (label < len(CLASSES))).all():
        raise ValueError(
            _("The class of a drawn point must be one of {classes}.", classes=len(CLASSES))
        )
    return Points(_rounded(table[:, :2]), label.astype(np.int64))


@dataclass
class DrawnPoints:
    """The drawing of a session; revision: counts drawings from here, not from the canvas."""

    session: str = field(default_factory=lambda: secrets.token_hex(4))
    revision: int = 0
    points: Points = field(default_factory=Points)
    problem: str = ""

    def take(self, message) -> None:
        """Points of the canvas. What cannot be read leaves all as it was, and is told."""
        try:
            self.points, self.problem = read_points(message), ""
        except ValueError as error:
            self.problem = str(error)

    def replace(self, points: Points) -> None:
        """Put other points on the canvas, where that can be undone."""
        self.points, self.problem = points, ""
        self.revision += 1


def drawing() -> DrawnPoints:
    return st.session_state.setdefault("drawing", DrawnPoints())


def is_drawing(dataset: Dataset) -> bool:
    """Whether the rows of a file are those of a drawing, as :func:`csv_of` writes them."""
    return (
        dataset.feature_names == FEATURES
        and dataset.task == "classification"
        and set(dataset.class_names) <= set(CLASSES)
        and bool((np.abs(dataset.X) <= FARTHEST).all())  # which a missing number is not
    )


def points_of(dataset: Dataset) -> Points:
    """A dataset's points, at most ``MOST_POINTS``; ValueError: no plane, or too many classes."""
    classes = dataset.task == "classification" and dataset.n_classes <= len(CLASSES)
    if dataset.n_features != 2 or not classes:
        raise ValueError(
            _(
                "You can edit only points with two features and at most {classes} classes.",
                classes=len(CLASSES),
            )
        )
    part = subsample(dataset, MOST_POINTS, 0)
    ours = CLASSES if set(part.class_names) <= set(CLASSES) else part.class_names
    colour = np.array([ours.index(name) for name in part.class_names])
    return Points(_rounded(part.X), colour[part.y])


def drawn_dataset(points: Points, noise: float, seed: int) -> Dataset:
    """What a tree learns from: the points, moved at random; ValueError while they are too few."""
    if len(points) < 2 or len(np.unique(points.y)) < 2:
        raise ValueError(
            _("A tree needs at least two points of two classes. Click on the canvas to add them.")
        )
    rng = np.random.default_rng(seed)
    moved = points.X + rng.normal(scale=NOISE_SCALE * noise, size=points.X.shape)
    return Dataset(
        name="drawn points",
        X=moved,
        y=points.y,
        feature_names=FEATURES,
        class_names=CLASSES[: points.y.max() + 1],
    )


def csv_of(dataset: Dataset) -> bytes:
    """A dataset of two features as a file that the upload reads back, number for number."""
    lines = [",".join((*dataset.feature_names, "class"))]
    for (x1, x2), label in zip(dataset.X.tolist(), dataset.y.tolist(), strict=True):
        lines.append(f"{x1!r},{x2!r},{dataset.class_names[label]}")
    return ("\n".join(lines) + "\n").encode()


def _rounded(X: np.ndarray) -> np.ndarray:
    # Adding 0 makes a negative zero positive, which is equal but has other bytes.
    return np.ascontiguousarray(np.round(X, DIGITS)) + 0.0


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
    near = bool((np.abs(points.X) <= FARTHEST_SENT).all())
    return 0 < len(points) <= MOST_SENT and near


def encoded(points: Points) -> str:
    """Points that :func:`can_be_sent`, in their order and with every digit, six letters each."""
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

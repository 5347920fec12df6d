"""Shapes and surfaces, drawn on demand: data on which one can watch a tree learn.

A generator draws clean points of one class inside the square from -1 to 1. A surface has a number
at every point of the square, or of the line from -1 to 1. Noise is the same for all of them and
comes afterwards: the points of a shape stray, and the numbers of a surface; see :func:`generate`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.data.dataset import Dataset

NOISE_SCALE = 0.2
"""Standard deviation of a coordinate's error at noise 1, a tenth of the square's side."""

ROTATION = np.pi / 6
"""Angle of the checkerboard and the stripes, far from both axes and from the diagonals."""


@dataclass(frozen=True)
class Generator:
    """A shape one can draw points from.

    - name, title: for settings and for menus.
    - sentence: what the shape shows, for a newcomer.
    - noise: the noise at which it looks crisp without being trivial.
    - make: ``make(n, label, rng)`` draws n clean points of class ``label``, shape (n, 2).
    """

    name: str
    title: str
    sentence: str
    n_classes: int
    noise: float
    make: Callable[[int, int, np.random.Generator], np.ndarray]

    def draw(self, n: int, noise: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Points, float64 (n, 2), and their classes, int64 (n,).

        noise: deviation of what is added to every coordinate, in units of ``NOISE_SCALE``.
        """
        y = np.arange(n) % self.n_classes
        X = np.empty((n, 2))
        for label in range(self.n_classes):
            X[y == label] = self.make(int(np.count_nonzero(y == label)), label, rng)
        X += rng.normal(scale=NOISE_SCALE * noise, size=X.shape)
        order = rng.permutation(n)
        return X[order], y[order].astype(np.int64)


@dataclass(frozen=True)
class Surface:
    """A number for every point.

    - name, title, sentence, noise: as those of a :class:`Generator`.
    - n_features: 1 or 2.
    - height: ``height(X)`` gives the clean numbers of points X (n, n_features), shape (n,).
    """

    name: str
    title: str
    sentence: str
    n_features: int
    noise: float
    height: Callable[[np.ndarray], np.ndarray]
    n_classes: int = 0

    def draw(self, n: int, noise: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Points, float64 (n, n_features), and their numbers, float64 (n,).

        noise: deviation of what is added to the numbers, in deviations of the clean ones.
        """
        X = rng.uniform(-1, 1, size=(n, self.n_features))
        y = self.height(X)
        # In deviations of the clean numbers: at noise s, no tree explains more than 1 / (1 + s^2).
        return X, y + noise * y.std() * rng.normal(size=n)


def generate(name: str, n_samples: int = 500, noise: float | None = None, seed: int = 0) -> Dataset:
    """Points of the generator ``name``: the same arguments give the same points.

    name: a key of ``GENERATORS``; n_samples: number of points, at least two a class, or two; seed:
    not negative.
    """
    if name not in GENERATORS:
        raise ValueError(f"there is no generator {name!r}, choose one of {', '.join(GENERATORS)}")
    generator = GENERATORS[name]
    noise = generator.noise if noise is None else noise
    smallest = 2 * max(1, generator.n_classes)
    if n_samples < smallest:
        each = ", two for each class" if generator.n_classes else ""
        raise ValueError(f"n_samples={n_samples} must be at least {smallest}{each}")
    if not 0 <= noise <= 1:
        raise ValueError(f"noise={noise} must lie between 0 and 1")
    if seed < 0:
        raise ValueError(f"seed={seed} must not be negative")
    X, y = generator.draw(n_samples, noise, np.random.default_rng(seed))
    return Dataset(
        name=name,
        X=X,
        y=y,
        feature_names=("x1", "x2")[: X.shape[1]],
        class_names=tuple("ABC"[: generator.n_classes]),
        target_name="class" if generator.n_classes else "height",
    )


def _polar(radius, angle):
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def _moons(n, label, rng):
    # Half circles of radius 2/3, the lower one moved so that each tip lies inside the other.
    points = _polar(2 / 3, rng.uniform(0, np.pi, n)) - np.array([1 / 3, 1 / 6])
    return points if label == 0 else -points


def _spirals(n, label, rng):
    # The root spreads points evenly along the arm: its length grows with the square of t.
    t = np.sqrt(rng.uniform(0.02, 1, n))
    return _polar(t, 3.5 * np.pi * t + np.pi * label)


def _pinwheel(n, label, rng):
    radius = np.sqrt(rng.uniform(0.02, 1, n))
    across = rng.uniform(-0.55, 0.55, n)
    return _polar(radius, 2 * np.pi * label / 3 + 2 * radius + across)


def _rings(n, label, rng):
    # Bands of equal width with gaps of half that width; class 0 is the disc in the middle.
    inner, outer = [(0.0, 0.25), (0.375, 0.625), (0.75, 1.0)][label]
    radius = np.sqrt(rng.uniform(inner**2, outer**2, n))
    return _polar(radius, rng.uniform(0, 2 * np.pi, n))


def _square(n, label, rng, label_of):
    """Draw from the square evenly until n points have ``label`` by ``label_of``."""
    drawn_points = np.empty((0, 2))
    while drawn_points.shape[0] < n:
        points = rng.uniform(-1, 1, size=(2 * n, 2))
        drawn_points = np.concatenate([drawn_points, points[label_of(points) == label]])
    return drawn_points[:n]


def _rotated(points):
    # Written out: a matrix product may round differently on another machine.
    (x1, x2), cos, sin = points.T, np.cos(ROTATION), np.sin(ROTATION)
    return np.column_stack([cos * x1 + sin * x2, cos * x2 - sin * x1])


def _checkerboard(n, label, rng):
    return _square(
        n, label, rng, lambda points: np.floor(1.5 * _rotated(points)).sum(axis=1).astype(int) % 2
    )


def _xor(n, label, rng):
    return _square(n, label, rng, lambda points: (points.prod(axis=1) < 0).astype(int))


def _stripes(n, label, rng):
    return _square(
        n, label, rng, lambda points: np.floor(2 * _rotated(points)[:, 0]).astype(int) % 2
    )


def _hill(X):
    x1, x2 = X.T
    return np.exp(-((x1 - 0.2) ** 2 + (x2 - 0.1) ** 2) / 0.3)


def _waves(X):
    return np.sin(2 * np.pi * _rotated(X)[:, 0])


def _plateaus(X):
    across, along = _rotated(X).T
    return np.where(across < -0.2, 0.0, np.where(along < 0.1, 1.0, 2.0))


def _quickening(X):
    return np.sin(np.pi * (X[:, 0] + 1.2) ** 2)


GENERATORS: dict[str, Generator | Surface] = {
    generator.name: generator
    for generator in (
        Generator(
            "moons",
            "Two moons",
            "Two crescents reach into each other: no single straight line separates them, but a "
            "few oblique ones do.",
            n_classes=2,
            noise=0.4,
            make=_moons,
        ),
        Generator(
            "spirals",
            "Two spirals",
            "Two arms wind around each other. A tree needs many lines, each at its own angle.",
            n_classes=2,
            noise=0.15,
            make=_spirals,
        ),
        Generator(
            "checkerboard",
            "Rotated checkerboard",
            "No first line helps on its own, so greedy trees need many leaves.",
            n_classes=2,
            noise=0.1,
            make=_checkerboard,
        ),
        Generator(
            "pinwheel",
            "Pinwheel",
            "Three curved arms meet in the middle; good lines turn with them.",
            n_classes=3,
            noise=0.2,
            make=_pinwheel,
        ),
        Generator(
            "xor",
            "Exclusive or",
            "Opposite corners belong together: the eye sees the two best lines at once, but "
            "neither helps without the other.",
            n_classes=2,
            noise=0.2,
            make=_xor,
        ),
        Generator(
            "stripes",
            "Rotated stripes",
            "Oblique bands need one oblique line per border, or a long staircase of upright ones.",
            n_classes=2,
            noise=0.1,
            make=_stripes,
        ),
        Generator(
            "rings",
            "Nested rings",
            "One class encloses another, and the lines must form polygons around the middle.",
            n_classes=3,
            noise=0.2,
            make=_rings,
        ),
        Surface(
            "hill",
            "Round hill",
            "A number at every point, highest on top of the hill. A tree builds the hill in flat "
            "steps, and chooses where their edges run.",
            n_features=2,
            noise=0.1,
            height=_hill,
        ),
        Surface(
            "waves",
            "Oblique waves",
            "A number that rises and falls in one oblique direction; splits along the axes can "
            "only follow it by a staircase.",
            n_features=2,
            noise=0.2,
            height=_waves,
        ),
        Surface(
            "step",
            "Three plateaus",
            "Three heights with oblique edges. Three leaves are enough when the two splits find "
            "their angles.",
            n_features=2,
            noise=0.2,
            height=_plateaus,
        ),
        Surface(
            "quickening",
            "Quickening wave",
            "One feature only: the tree becomes a staircase, and should place most steps where "
            "the wave is fast.",
            n_features=1,
            noise=0.1,
            height=_quickening,
        ),
    )
}
"""Every generator by its name, in the order of the menus."""

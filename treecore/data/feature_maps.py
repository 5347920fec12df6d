"""Splines of the features: a fixed map in front of a tree, so that its splits are curved.

A tree behind it reads every feature, ``z_j = (x_j - centre_j) / deviation_j``, and its hinges
``max(z_j - t, 0)`` for knots t at quantiles of the rows (Wahba 1990, section 1.2). Sums of these
are the functions that are linear between knots, so a linear leaf behind it is an additive model,
and a split a sum of curves. It computes in float64 and rounds to float32 in the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from treecore.base.array_types import Rows
from treecore.core.routing import as_rows
from treecore.core.scaling import Scaling
from treecore.data.dataset import Dataset
from treecore.rows.column_sums import column_means, row_parts
from treecore.rows.finite import filled

KERNELS = ("none", "spline")


@dataclass(frozen=True, eq=False)
class SplineMap:
    """Features and their hinges: first every ``z_j``, then ``max(z_j - t, 0)`` for every knot t.

    missing: float64 (n_features,), what a missing value (NaN) of each feature is read as; centre,
    deviation: float64 (n_features,); features: int64 (n_knots,), the feature of every knot, from 0;
    knots: float64 (n_knots,), the places t, as z. Call it with rows to map them.
    """

    missing: np.ndarray
    centre: np.ndarray
    deviation: np.ndarray
    features: np.ndarray
    knots: np.ndarray

    @property
    def n_features(self) -> int:
        """Features that it reads."""
        return len(self.missing)

    @property
    def n_components(self) -> int:
        """Features that it makes."""
        return self.n_features + len(self.knots)

    @property
    def sources(self) -> np.ndarray:
        """The feature, from 0, that each component is made of; int64 (n_components,)."""
        return np.concatenate([np.arange(self.n_features), self.features])

    def __call__(self, X: Rows) -> np.ndarray:
        """Mapped rows, float32 (n_samples, n_components).

        X: array of numbers, shape (n_samples, n_features). Raises ValueError: see
        :func:`treecore.core.routing.as_rows`.
        """
        X = as_rows(X, self.n_features, missing=True)
        mapped = np.empty((len(X), self.n_components), dtype=np.float32)
        for block in row_parts(*mapped.shape):
            Z = (filled(X[block], self.missing) - self.centre) / self.deviation
            mapped[block] = np.hstack([Z, np.maximum(Z[:, self.features] - self.knots, 0.0)])
        return mapped

    def last_below(self, component: int, threshold: float | np.float32) -> np.float32 | None:
        """The greatest number of its feature of which a component is at most a threshold.

        Every component is monotone in its feature, rounding included, so a cut on the one is a cut
        on the other.
        """
        row = np.full((1, self.n_features), np.nan, dtype=np.float32)

        def number(place: int) -> np.float32:  # float32 numbers in their order, 0 in the middle
            size = np.float32(np.array(abs(place), dtype=np.int32).view(np.float32))
            return np.float32(-size if place < 0 else size)

        def above(place: int) -> bool:
            row[0, self.sources[component]] = number(place)
            return bool(self(row)[0, component] > threshold)

        right = int(np.array(np.finfo(np.float32).max).view(np.int32))
        left = -right
        with np.errstate(over="ignore"):  # far from the rows a component may be infinite
            if above(left):
                return None
            if not above(right):
                return number(right)
            while right - left > 1:
                middle = (left + right) // 2
                left, right = (left, middle) if above(middle) else (middle, right)
        return number(left)

    def names(self, read: Sequence[str]) -> tuple[str, ...]:
        """What the features that it makes are called; read: names of those that it reads."""
        return tuple(self.name_of(component, read) for component in range(self.n_components))

    def name_of(self, component: int, read: Sequence[str]) -> str:
        """What a feature that it makes is called, by its number from 0; read as in ``names``."""
        hinge = component - self.n_features
        if hinge < 0:
            return self._from(component, self.centre[component], read)
        j = int(self.features[hinge])
        place = self.centre[j] + self.deviation[j] * self.knots[hinge]
        return f"max({self._from(j, place, read)}, 0)"

    def _from(self, feature: int, place: float, read: Sequence[str]) -> str:
        """How far a feature is from a place, in its deviations."""
        name, sign = read[feature], "+" if place < 0 else "-"
        return f"({name} {sign} {abs(place):.4g}) / {self.deviation[feature]:.4g}"


def _spline_knots(Z: np.ndarray, n_components: int) -> tuple[np.ndarray, np.ndarray]:
    """Knots at quantiles, so many for every feature as there is room for, one at least.

    A feature of two values has none, nor has one a knot at its least or greatest value: such hinges
    would say nothing new.

    Z: float64 (n_samples, n_features). Returns features: int64 (n_knots,); knots: float64
    (n_knots,).
    """
    bent = [j for j, column in enumerate(Z.T) if len(np.unique(column)) > 2]
    each = max(1, (n_components - Z.shape[1]) // max(1, len(bent)))
    shares = np.arange(1, each + 1) / (each + 1)
    knots = [np.unique(np.quantile(Z[:, j], shares)) for j in bent]
    inside = [
        t[(t > Z[:, j].min()) & (t < Z[:, j].max())] for j, t in zip(bent, knots, strict=True)
    ]
    features = np.repeat(np.array(bent, dtype=np.int64), list(map(len, inside)))
    return features, np.concatenate([np.empty(0), *inside])


def fit_map(X: Rows, n_components: int) -> SplineMap:
    """A map for rows like these, float (n_samples, n_features), that makes ``n_components``.

    Missing values (NaN) are read as the mean of their column.
    """
    X = as_rows(X, missing=True)
    if len(X) == 0 or X.shape[1] == 0:
        raise ValueError("a map needs at least one row and one feature")
    missing = column_means(X)
    X = filled(X, missing)
    scaling = Scaling.fit(X)
    Z = (X - scaling.mean) / scaling.deviation
    knots = _spline_knots(Z, n_components)
    return SplineMap(missing, scaling.mean, scaling.deviation, *knots)


def check_map(feature_map: SplineMap) -> None:
    """Check that the numbers of a map fit together.

    Raises ValueError with one sentence that names the array.
    """
    p, n_knots = feature_map.n_features, len(feature_map.knots)
    if not np.isin(feature_map.features, np.arange(p)).all():
        raise ValueError(f"a knot of a map belongs to none of its {p} features")
    for name, length in {"centre": p, "deviation": p, "features": n_knots}.items():
        shape = getattr(feature_map, name).shape
        if shape != (length,):
            raise ValueError(f"the {name} of a map must have shape {(length,)}, not {shape}")
    for name in ("missing", "centre", "deviation", "knots"):
        if not np.isfinite(getattr(feature_map, name)).all():
            raise ValueError(f"the {name} of a map hold a number that is not finite")
    if p == 0:
        raise ValueError("a map needs at least one feature")
    if not (feature_map.deviation > 0).all():
        raise ValueError("the deviation of a map must be positive for every feature")


def read_by(feature_map: SplineMap | None, rows: Dataset) -> Dataset:
    """Return the table that a map makes of rows, by its names; without a map the table itself."""
    if feature_map is None:
        return rows
    X, names = feature_map(rows.X).astype(np.float64), feature_map.names(rows.feature_names)
    return replace(rows, X=X, feature_names=names, image_shape=None, columns=(), holes=None)

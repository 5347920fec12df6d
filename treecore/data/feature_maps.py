"""Features of a kernel: a fixed map in front of a tree, so that its splits are curved.

Two maps give every row ``m`` new features whose inner products approximate the Gaussian kernel

    k(x, x') = exp(-gamma ||z - z'||^2)         with  z = (x - centre) / deviation

so a linear split of the new features is a split by a kernel machine in the old ones.

- **Fourier** (Rahimi and Recht 2007): ``sqrt(2 / m) cos(w_k . z + b_k)`` for random ``w_k, b_k``.
- **Nystroem** (Williams and Seeger 2001): ``N k(x, c)`` for ``m`` training rows c, where N is the
  inverse root of their kernel matrix. With all rows as c, nothing is approximated.

The third one is additive: a function of one feature and one of another, never of both.

- **Spline** (Wahba 1990, section 1.2): every feature, ``z_j``, and its hinges ``max(z_j - t, 0)``
  for knots t at quantiles of the rows. Sums of these are the functions that are linear between
  knots, so a linear leaf behind it is an additive model, and a split a sum of curves.

Distances are between features divided by their deviations: ``gamma`` means the same on every
dataset, as ``nu`` does. Maps compute in float64 and round to float32 in the end.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from treecore.base.array_types import Rows
from treecore.core.routing import as_rows
from treecore.core.scaling import Scaling
from treecore.data.dataset import Dataset
from treecore.rows.column_sums import column_means, row_parts
from treecore.rows.finite import filled

KERNELS = ("none", "fourier", "nystroem", "spline")


@dataclass(frozen=True, eq=False)
class FeatureMap:
    """What all maps share; call one with rows to map them.

    missing: float64 (n_features,), what a missing value (NaN) of each feature is read as; centre,
    deviation: float64 (n_features,), rows are read as ``z = (x - centre) / deviation``.
    """

    missing: np.ndarray
    centre: np.ndarray
    deviation: np.ndarray

    kind: ClassVar[str]
    """One of :data:`KERNELS`."""

    title = "features of a kernel"
    """What it makes, in a sentence: "this tree reads ..."."""

    named = False
    """Whether words tell what each feature is that it makes."""

    @property
    def sources(self) -> np.ndarray | None:
        """The feature, from 0, that each component is made of; None where they are mixtures."""
        return None

    @property
    def n_features(self) -> int:
        """Features that it reads."""
        return len(self.missing)

    @property
    def n_components(self) -> int:
        """Features that it makes."""
        raise NotImplementedError

    def name_of(self, component: int, read: Sequence[str]) -> str:
        """What a feature that it makes is called, by its number from 0 and the names it reads."""
        return f"z{component + 1}"

    def names(self, read: Sequence[str]) -> tuple[str, ...]:
        """What the features that it makes are called; ``read`` as in :meth:`name_of`."""
        return tuple(self.name_of(component, read) for component in range(self.n_components))

    def _map(self, X) -> np.ndarray:
        """Some rows mapped, whose missing values are still there."""
        raise NotImplementedError

    def _scaled(self, X):
        return (filled(X, self.missing) - self.centre) / self.deviation

    def __call__(self, X: Rows) -> np.ndarray:
        """Mapped rows, float32 (n_samples, n_components); ValueError as by :func:`as_rows`."""
        X = as_rows(X, self.n_features, missing=True)
        mapped = np.empty((len(X), self.n_components), dtype=np.float32)
        for block in row_parts(*mapped.shape):
            mapped[block] = self._map(X[block])
        return mapped


@dataclass(frozen=True, eq=False)
class FourierMap(FeatureMap):
    """Random Fourier features.

    weights: float64 (n_components, n_features); offsets: float64 (n_components,).
    """

    weights: np.ndarray
    offsets: np.ndarray

    kind = "fourier"

    @property
    def n_components(self) -> int:
        return len(self.offsets)

    def _map(self, X) -> np.ndarray:
        angle = self._scaled(X) @ self.weights.T + self.offsets
        return np.sqrt(2.0 / self.n_components) * np.cos(angle)


@dataclass(frozen=True, eq=False)
class NystroemMap(FeatureMap):
    """Nystroem features.

    components: float64 (n_components, n_features), the rows c, as z; normalization: float64
    (n_components, n_components), N.
    """

    gamma: float
    components: np.ndarray
    normalization: np.ndarray

    kind = "nystroem"

    @property
    def n_components(self) -> int:
        return len(self.components)

    def _map(self, X) -> np.ndarray:
        from sklearn.metrics.pairwise import rbf_kernel

        near = rbf_kernel(self._scaled(X), self.components, gamma=self.gamma)
        return near @ self.normalization.T


@dataclass(frozen=True, eq=False)
class SplineMap(FeatureMap):
    """Features and their hinges: first every ``z_j``, then ``max(z_j - t, 0)`` for every knot t.

    features: int64 (n_knots,), the feature of every knot, from 0; knots: float64 (n_knots,), the
    places t, as z.
    """

    features: np.ndarray
    knots: np.ndarray

    kind = "spline"
    title = "features of a spline kernel"
    named = True

    @property
    def n_components(self) -> int:
        return self.n_features + len(self.knots)

    @property
    def sources(self) -> np.ndarray:
        """The feature, from 0, that each component is made of; int64 (n_components,)."""
        return np.concatenate([np.arange(self.n_features), self.features])

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

        largest = int(np.array(np.finfo(np.float32).max).view(np.int32))
        places = range(-largest, largest + 1)
        with np.errstate(over="ignore"):  # far from the rows a component may be infinite
            first = bisect_left(places, True, key=above)
        return number(places[first - 1]) if first else None

    def name_of(self, component: int, read: Sequence[str]) -> str:
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

    def _map(self, X) -> np.ndarray:
        Z = self._scaled(X)
        return np.hstack([Z, np.maximum(Z[:, self.features] - self.knots, 0.0)])


def _spline_knots(Z: np.ndarray, n_components: int) -> tuple[np.ndarray, np.ndarray]:
    """Knots at quantiles, so many for every feature as there is room for, one at least.

    No knot is at a feature's least or greatest value: such a hinge would say nothing new.
    Z: float64 (n_samples, n_features). Returns features, int64, and knots, float64; (n_knots,).
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


def fit_map(X: Rows, kind: str, n_components: int, gamma: float | str, seed: int) -> FeatureMap:
    """A map for rows like these.

    X: array of numbers, shape (n_samples, n_features), missing values (NaN) are read as the mean of
    their column; kind: ``"fourier"``, ``"nystroem"`` or ``"spline"``; n_components: features to
    make; gamma: width of the Gaussian kernel; ``"scale"`` is 1 / n_features.
    """
    X = as_rows(X, missing=True)
    if len(X) == 0 or X.shape[1] == 0:
        raise ValueError("a map needs at least one row and one feature")
    missing = column_means(X)
    scaling = Scaling.fit(filled(X, missing))
    shared = missing, scaling.mean, scaling.deviation
    if kind == "spline":
        Z = FeatureMap(*shared)._scaled(X)
        return SplineMap(*shared, *_spline_knots(Z, n_components))
    # Imported here because it takes a second, and most runs have no map.
    from sklearn.kernel_approximation import Nystroem, RBFSampler

    if gamma == "scale":
        gamma = 1.0 / X.shape[1]
    if kind == "fourier":
        sampler = RBFSampler(gamma=gamma, n_components=n_components, random_state=seed)
        sampler.fit(np.zeros((1, X.shape[1])))
        weights = np.ascontiguousarray(sampler.random_weights_.T)
        return FourierMap(*shared, weights, sampler.random_offset_)
    Z = FeatureMap(*shared)._scaled(X)
    n_components = min(n_components, len(X))
    sampler = Nystroem(gamma=gamma, n_components=n_components, random_state=seed).fit(Z)
    return NystroemMap(*shared, float(gamma), sampler.components_, sampler.normalization_)


def check_map(feature_map: FeatureMap) -> None:
    """Refuse, by a ValueError that names the array, numbers of a map that do not fit together."""
    p, m = feature_map.n_features, feature_map.n_components
    shapes: dict[str, tuple[int, ...]] = {"missing": (p,), "centre": (p,), "deviation": (p,)}
    if isinstance(feature_map, FourierMap):
        shapes |= {"weights": (m, p), "offsets": (m,)}
    elif isinstance(feature_map, NystroemMap):
        shapes |= {"components": (m, p), "normalization": (m, m)}
        if not 0 < feature_map.gamma < np.inf:
            raise ValueError(f"the gamma of a map is {feature_map.gamma}, and must be positive")
    elif isinstance(feature_map, SplineMap):
        shapes["features"] = shapes["knots"] = (len(feature_map.knots),)
        if not np.isin(feature_map.features, np.arange(p)).all():
            raise ValueError(f"a knot of a map belongs to none of its {p} features")
    for name, shape in shapes.items():
        numbers = getattr(feature_map, name)
        if numbers.shape != shape:
            raise ValueError(f"the {name} of a map must have shape {shape}, not {numbers.shape}")
        if not np.isfinite(numbers).all():
            raise ValueError(f"the {name} of a map hold a number that is not finite")
    if p == 0 or m == 0:
        raise ValueError("a map needs at least one feature and one component")
    if not (feature_map.deviation > 0).all():
        raise ValueError("the deviation of a map must be positive for every feature")


def read_by(feature_map: FeatureMap | None, rows: Dataset) -> Dataset:
    """Return the table that a map makes of rows, by its names; without a map the table itself."""
    if feature_map is None:
        return rows
    X, names = feature_map(rows.X).astype(np.float64), feature_map.names(rows.feature_names)
    return replace(rows, X=X, feature_names=names, image_shape=None, columns=(), holes=None)

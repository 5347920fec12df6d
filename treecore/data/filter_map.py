"""The map of a tree over learnt filters: images in, the pooled answers of small filters out.

Filters are learnt with the tree behind them (:mod:`treecore.learners.nongreedy.annealed.filtered`);
here they are fixed, and map rows as they were mapped in training, to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from treecore.core.filters import FilterShape, empty_planes, filter_features
from treecore.core.routing import filled
from treecore.data.dataset import Dataset
from treecore.data.feature_maps import FeatureMap
from treecore.rows.tables import SparseRows, n_columns, n_rows

FARTHEST = 1e6
"""Where pixels are cut off, in units: beyond, sums of their products could overflow."""

MAX_FILTERS = 1000
"""Most filters of a map: more are an accident."""


@dataclass(frozen=True, eq=False)
class FilterMap(FeatureMap):
    """Filters over images; see :mod:`treecore.core.filters`.

    Feature ``i * n_filters + c`` is what filter c answers in patch i, and patches go line by line.

    Attributes
    ----------
    width : int
        Pixels in a line of an image.
    unit : float
        Pixels are divided by it, all by one, so that what is dark stays 0.
    pool : int
        Height and width of a patch.
    filters : float32 array, shape (n_filters, size, size)
    bias : float32 array, shape (n_filters,)
    """

    width: int
    unit: float
    pool: int
    filters: np.ndarray
    bias: np.ndarray

    title = "learnt filters"

    @property
    def shape(self) -> FilterShape:
        """The sizes of filters and images."""
        n_filters, size = self.filters.shape[:2]
        return FilterShape(self.n_features // self.width, self.width, n_filters, size, self.pool)

    @property
    def n_components(self) -> int:
        return self.shape.n_features

    def name_of(self, component: int, read: Sequence[str]) -> str:
        return name_in(self.shape, component)

    @property
    def n_weights(self) -> int:
        """Numbers that every row is multiplied with, or added to, before a split reads it."""
        return self.filters.size + self.bias.size

    def _map(self, X) -> np.ndarray:
        if isinstance(X, SparseRows):
            from scipy.sparse import csr_array  # slow to import, and seldom needed

            shape = n_rows(X), n_columns(X)
            X = csr_array((X.values, X.where, X.start), shape=shape).toarray()
        images = in_units(filled(X, self.missing), self.unit)
        return features_of(images, self.filters, self.bias, self.shape)


def name_in(shape: FilterShape, feature: int) -> str:
    """What a feature that filters of these sizes make is called, by its number from 0."""
    place, c = divmod(feature, shape.n_filters)
    i, j = divmod(place, shape.places[1])
    return f"filter {c + 1} at ({i + 1}, {j + 1})"


def read_by(feature_map: FeatureMap | None, rows: Dataset) -> Dataset:
    """A table of what a map makes of rows, by the names of that; of none the table itself.

    Parameters
    ----------
    feature_map : FeatureMap or None
    rows : Dataset
    """
    if feature_map is None:
        return rows
    X, names = feature_map(rows.X).astype(np.float64), feature_map.names(rows.feature_names)
    return replace(rows, X=X, feature_names=names, image_shape=None, columns=())


def in_units(X: np.ndarray, unit: float) -> np.ndarray:
    """Images as filters read them, float32 of the shape of X."""
    images = np.empty(X.shape, dtype=np.float32)
    with np.errstate(over="ignore"):
        np.divide(X, unit, out=images, casting="same_kind")
    return np.clip(images, -FARTHEST, FARTHEST, out=images)


def features_of(
    images: np.ndarray, filters: np.ndarray, bias: np.ndarray, shape: FilterShape
) -> np.ndarray:
    """The features of images, float32 (n_samples, n_features).

    Parameters
    ----------
    images : float32 array, shape (n_samples, height * width)
        From :func:`in_units`.
    filters : float32 array, shape (n_filters, size, size)
    bias : float32 array, shape (n_filters,)
    shape : FilterShape
    """
    features = np.empty((len(images), shape.n_features), dtype=np.float32)
    source = np.empty(features.shape, dtype=np.int32)
    filter_features(images, filters, bias, shape, features, source, empty_planes(shape))
    return features


def check_filters(filter_map: FilterMap) -> None:
    """Check that the numbers of a map fit together.

    Raises
    ------
    ValueError
        In one sentence.
    """
    p, filters, bias = filter_map.n_features, filter_map.filters, filter_map.bias
    if p == 0 or filter_map.width < 1 or p % filter_map.width:
        raise ValueError(f"{p} features are no image with lines of {filter_map.width} pixels")
    if filters.ndim != 3 or filters.shape[1] != filters.shape[2] or not filters.size > 0:
        raise ValueError(f"filters must be squares, at least one, and not of shape {filters.shape}")
    if len(filters) > MAX_FILTERS:
        raise ValueError(f"there are {len(filters)} filters, and {MAX_FILTERS} are the most")
    if bias.shape != (len(filters),):
        raise ValueError(f"{len(filters)} filters need as many biases, not {bias.shape}")
    if not (np.isfinite(filters).all() and np.isfinite(bias).all()):
        raise ValueError("the filters hold a number that is not finite")
    if not np.isfinite(filter_map.missing).all():
        raise ValueError("what is missing is read as a number that is not finite")
    if not 0 < filter_map.unit < np.inf:
        raise ValueError(f"pixels are divided by {filter_map.unit}, which must be positive")
    if filter_map.pool < 1 or filter_map.n_components < 1:
        shape = filter_map.shape
        raise ValueError(
            f"filters of {shape.size} x {shape.size} in patches of {shape.pool} x {shape.pool} "
            f"have no place in an image of {shape.height} x {shape.width}"
        )

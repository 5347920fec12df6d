"""Annealed learning of a tree over small filters, which are learnt together with its splits.

Splits read what filters make of an image (:mod:`treecore.core.filters`): rectified answers, the
greatest of every patch. The gradient of the expected cost by the score of a split goes on
through the weights of the split to the features, and from each feature to the filter that made it.
So one path is taken through the finished tree, and a row meets every filter once and the weights of
one path, nothing else.

Features change while filters are learnt, so they are standardised by running statistics: each by
its mean, all of one filter by one deviation. Both count as constants for the gradient, as in random
hinge forests, and their pace falls to zero over the run, so that splits settle. In the end
they are folded into the weights, as any scaling is.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np

from treecore.core.filters import FilterShape, empty_planes, filter_features
from treecore.core.scaling import RADIUS, Scaling
from treecore.data.filter_map import FilterMap, features_of, in_units
from treecore.learners.hinge.augmentation import move_images
from treecore.learners.nongreedy.annealed.adam import adam_step
from treecore.learners.nongreedy.annealed.annealed import Annealed, Batch
from treecore.learners.nongreedy.annealed.filter_gradients import (
    feature_gradients,
    filter_gradients,
)
from treecore.learners.nongreedy.inference import plain_leaves
from treecore.learners.nongreedy.settings import AnnealedSettings
from treecore.learners.nongreedy.start import random_tree
from treecore.rows.tables import SparseRows, n_columns
from treecore.rows.training_rows import TrainingRows

START_ROWS = 2000
"""Rows at most from which the first statistics and the first splits are taken."""

PACE = 0.02
"""What a mini-batch counts in the running statistics, at first."""

FILTER_RATE = 0.5
"""Learning rate of filters, in that of the splits."""

LEAST_VARIANCE = 1e-6
"""A filter whose answers vary less does not vary; pixels have a deviation of about 1."""

_BLOCK_ROWS = 1024


class FilterLayer(NamedTuple):
    """The filters of a run, and what their features are standardised by; all float32.

    Attributes
    ----------
    filters : array, shape (n_filters, size, size)
    bias : array, shape (n_filters,)
    mean : array, shape (n_features,)
        Of every feature.
    variance : array, shape (n_filters,)
        Of the features of a filter, each about its own mean.
    """

    filters: np.ndarray
    bias: np.ndarray
    mean: np.ndarray
    variance: np.ndarray

    def scaling(self) -> Scaling:
        """The coordinates in which splits are learnt."""
        n_features = len(self.mean)
        variance = np.maximum(self.variance.astype(np.float64), LEAST_VARIANCE)
        deviation = np.tile(np.sqrt(variance), n_features // len(self.variance))
        factor = min(1.0, RADIUS / np.sqrt(1.0 + n_features))
        return Scaling(self.mean.astype(np.float64), deviation, factor)


def filter_shape(settings: AnnealedSettings, n_pixels: int) -> FilterShape:
    """The sizes that settings ask for, or those usual for images of that size.

    Parameters
    ----------
    settings : AnnealedSettings
    n_pixels : int
        Of an image, the columns of a row.

    Raises
    ------
    ValueError
        In one sentence, where rows are no images, or filters have no place in them.
    """
    width = settings.image_width or round(n_pixels**0.5)
    if n_pixels % width or (not settings.image_width and width**2 != n_pixels):
        asked = f"image of width {width}" if settings.image_width else "square image"
        raise ValueError(
            f"filters={settings.filters} needs images, and {n_pixels} features are no {asked}; "
            "set image_width to the pixels of a line, or filters to 0"
        )
    height = n_pixels // width
    side = min(height, width)
    size = settings.filter_size or (5 if side >= 12 else min(3, side))
    # Six places a side are enough to tell digits, and their features few enough for long paths.
    pool = settings.pool_size or max(1, min(2, side - size + 1), (side - size + 1) // 6)
    shape = FilterShape(height, width, settings.filters, size, pool)
    if size > side or shape.n_features < 1:
        raise ValueError(
            f"filters of {size} x {size} in patches of {pool} x {pool} have no place in an image "
            f"of {height} x {width}; lower filter_size or pool_size"
        )
    return shape


def shared_deviation(X: np.ndarray) -> float:
    """The root of the mean square of all pixels, about their mean; 1 where they are all equal."""
    X = X[:: max(1, len(X) // START_ROWS)].astype(np.float64)
    deviation = float(np.sqrt(((X - X.mean()) ** 2).mean()))
    return deviation if np.isfinite(deviation) and deviation > 0 else 1.0


class FilteredAnnealed(Annealed):
    """A :class:`treecore.learners.base.Learner`: annealed learning of splits and filters together.

    Its tree reads the features of :attr:`feature_map`, and rows are images.

    Parameters
    ----------
    rows : TrainingRows
        Dense; images, line by line.
    settings : AnnealedSettings
        ``filters`` is at least 1, leaves are constant.
    rng : numpy.random.Generator
        Gives filters and splits to begin with, mini-batches, and how images are moved.
    """

    def __init__(self, rows: TrainingRows, settings: AnnealedSettings, rng: np.random.Generator):
        X = rows.X
        assert isinstance(X, np.ndarray), "the registry has checked it"
        self.shape = filter_shape(settings, n_columns(X))
        self._unit = shared_deviation(X)
        size, n_filters = self.shape.size, self.shape.n_filters
        filters = rng.standard_normal((n_filters, size, size)) / size
        self._layer = FilterLayer(
            filters.astype(np.float32),
            np.zeros(n_filters, dtype=np.float32),
            np.zeros(self.shape.n_features, dtype=np.float32),
            np.ones(n_filters, dtype=np.float32),
        )
        self._filter_moments = [
            np.zeros(part.size, np.float32) for part in self._layer[:2] for _ in range(2)
        ]
        some = np.arange(0, len(X), max(1, len(X) // START_ROWS))
        features = features_of(in_units(X[some], self._unit), *self._layer[:2], self.shape)
        self._take_statistics(features, 1.0)
        scaling = self._layer.scaling()
        few = dataclasses.replace(rows.take(some), X=features)
        start = random_tree(few, settings.depth, settings.smoothing, rng, scaling)
        n, width = min(settings.batch, len(X)), scaling.width
        self._features, self._by_feature = np.zeros((2, n, width), dtype=np.float32)
        self._source = np.empty((n, self.shape.n_features), dtype=np.int32)
        self._planes = empty_planes(self.shape)
        self._images = np.empty((n, X.shape[1]), dtype=np.float32)
        self._filter_gradient = [np.empty_like(part) for part in self._layer[:2]]
        self._shift = settings.image_shift
        super().__init__(rows, start, settings, scaling=scaling, goes_on=False, rng=rng)

    def _take_statistics(self, features: np.ndarray, share: float) -> None:
        """Let some features count in the running statistics.

        Parameters
        ----------
        features : float32 array, shape (n_rows, n_features)
        share : float
            What they count against all before them.
        """
        layer = self._layer
        mean = features.mean(axis=0, dtype=np.float64)
        layer.mean[:] += share * (mean - layer.mean)
        square = ((features - layer.mean) ** 2).mean(axis=0, dtype=np.float64)
        variance = square.reshape(-1, self.shape.n_filters).mean(axis=0)
        layer.variance[:] += share * (variance - layer.variance)

    def _standardise(self, features: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Write features in training coordinates, float32 (n_rows, width)."""
        scaling, p = self._scaling, self.shape.n_features
        scale = (scaling.factor / scaling.deviation).astype(np.float32)
        np.subtract(features, self._layer.mean, out=out[:, :p])
        out[:, :p] *= scale
        out[:, p] = -scaling.factor
        return out

    def _take(self, rows: np.ndarray) -> Batch:
        """The features of some training images, each moved a little."""
        images = super()._take(rows)
        if self._shift > 0:
            moves = self._rng.uniform(-self._shift, self._shift, (len(rows), 2))
            move_images(images.Z, self.shape.width, moves.astype(np.float32), self._images)
        else:
            self._images[:] = images.Z
        features = np.empty(self._source.shape, dtype=np.float32)
        filter_features(
            self._images, *self._layer[:2], self.shape, features, self._source, self._planes
        )
        done = self._n_steps / (self._round * self.n_epochs)
        self._take_statistics(features, PACE * (1.0 - min(1.0, done)))
        self._scaling = self._layer.scaling()
        return images._replace(Z=self._standardise(features, self._features))

    def _step_features(self, rate: float) -> None:
        """A step of the filters, by the gradient that comes to them through the splits."""
        layer, scaling = self._layer, self._scaling
        feature_gradients(self.joint.W, self._routing, self._by_feature)
        scale = (scaling.factor / scaling.deviation[: self.shape.n_filters]).astype(np.float32)
        gradients, moments = self._filter_gradient, self._filter_moments
        filter_gradients(
            self._images, self._by_feature, self._source, scale, self.shape.width, *gradients
        )
        for k, part in enumerate((layer.filters, layer.bias)):
            pair = moments[2 * k], moments[2 * k + 1]
            step = FILTER_RATE * rate, self._n_steps, 0.0
            adam_step(part.reshape(-1), gradients[k].reshape(-1), *pair, *step)

    def _some_rows(self, n: int) -> np.ndarray:
        """The features of about ``n`` training images, evenly spaced, in training coordinates."""
        return self._transform(np.ascontiguousarray(super()._some_rows(n)))

    def _transform(self, images: np.ndarray) -> np.ndarray:
        """What splits read of images, float32 (n_rows, width)."""
        features = features_of(images, *self._layer[:2], self.shape)
        out = np.zeros((len(images), self._scaling.width), dtype=np.float32)
        return self._standardise(features, out)

    @property
    def feature_map(self) -> FilterMap:
        """The present filters, as the map that :meth:`tree` stands behind."""
        layer = self._layer
        nothing = np.zeros(self.train_rows.shape[1])
        unit, pool, width = self._unit, self.shape.pool, self.shape.width
        return FilterMap(nothing, width, unit, pool, layer.filters.copy(), layer.bias.copy())

    def prepare(self, X: np.ndarray | SparseRows) -> np.ndarray:
        """Raw images as filters read them, float32 (n_samples, n_pixels)."""
        assert isinstance(X, np.ndarray), "the registry has checked it"
        return in_units(X, self._unit)

    def measure(self, rows, y, weight, bounded):
        """The leaf of every image by hard turns; there is no bound.

        Parameters are those of :meth:`treecore.learners.base.Learner.measure`.
        """
        leaf = np.empty(len(y), dtype=np.int32)
        for first in range(0, len(y), _BLOCK_ROWS):
            block = slice(first, first + _BLOCK_ROWS)
            plain_leaves(
                self.joint, self._transform(np.ascontiguousarray(rows[block])), leaf[block]
            )
        return leaf, None

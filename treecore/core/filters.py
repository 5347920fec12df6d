"""Small filters laid over images, and their greatest answers in patches: what a split may read.

An image is a row of numbers, line by line. A filter answers at every place where it lies wholly
inside; the answers of one filter are a *plane*, and the greatest in a square patch of it, less
nothing and plus a bias, is one feature (max pooling of rectified answers)::

    image (height, width)  ──filters──>  planes  ──pooling──>  features, filter by filter at a place
     28 x 28, 20 of 5 x 5                20 of 24 x 24          6 x 6 places of 20

A plane is kept in lines as long as those of the image: the last columns of a line, where a filter
would lie across the edge, hold numbers that nobody reads. So one loop goes through all of a plane,
which is eight times as fast as one through each line; it adds the taps of a filter line by line, in
an order that no compiler changes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel

TAPS_AT_ONCE = 5
"""Taps of a line that are added in one pass over a plane."""


class FilterShape(NamedTuple):
    """The sizes of filters and of the images that they are laid over, in pixels.

    Attributes
    ----------
    height, width : int
        Of an image.
    n_filters : int
    size : int
        Height and width of a filter.
    pool : int
        Height and width of a patch. What is left over at the lower and right edge is not read.
    """

    height: int
    width: int
    n_filters: int
    size: int
    pool: int

    @property
    def places(self) -> tuple[int, int]:
        """Rows and columns of patches."""
        down, right = self.height - self.size + 1, self.width - self.size + 1
        return max(0, down // self.pool), max(0, right // self.pool)

    @property
    def n_features(self) -> int:
        """Features of an image: filter c at place i is feature ``i * n_filters + c``."""
        down, right = self.places
        return down * right * self.n_filters


@kernel
def _add_five(x, at, taps, first, plane):
    """Add five neighbouring taps of a filter to its plane."""
    a, b, c = taps[first], taps[first + 1], taps[first + 2]
    d, e = taps[first + 3], taps[first + 4]
    for p in range(plane.shape[0]):
        q = np.uintp(p)
        j = np.uintp(at) + q
        total = (a * x[j] + b * x[j + np.uintp(1)]) + (
            c * x[j + np.uintp(2)] + d * x[j + np.uintp(3)]
        )
        plane[q] += total + e * x[j + np.uintp(4)]


@kernel
def _add_one(x, at, tap, plane):
    """Add one tap of a filter to its plane."""
    for p in range(plane.shape[0]):
        q = np.uintp(p)
        plane[q] += tap * x[np.uintp(at) + q]


@kernel
def filter_planes(x, width, filters, planes):
    """Write the answers of all filters at all places of an image.

    Parameters
    ----------
    x : float32 array, shape (height * width,)
    width : int
    filters : float32 array, shape (n_filters, size, size)
    planes : OUT float32 array, shape (n_filters, n_positions)
        The answer at line i, column j is entry ``i * width + j``, up to the last one:
        ``n_positions = (height - size) * width + width - size + 1``.
    """
    size = filters.shape[1]
    for c in range(filters.shape[0]):
        plane = planes[c]
        plane[:] = np.float32(0.0)
        for line in range(size):
            taps = filters[c, line]
            in_fives = size // TAPS_AT_ONCE * TAPS_AT_ONCE
            for tap in range(0, in_fives, TAPS_AT_ONCE):
                _add_five(x, line * width + tap, taps, tap, plane)
            for tap in range(in_fives, size):
                _add_one(x, line * width + tap, taps[tap], plane)


@kernel
def pooled_features(planes, bias, shape, features, source):
    """Write the greatest answer of each filter in each patch, plus its bias, or 0 if that is less.

    Parameters
    ----------
    planes : float32 array, shape (n_filters, n_positions)
        From :func:`filter_planes`.
    bias : float32 array, shape (n_filters,)
    shape : FilterShape
    features : OUT float32 array, shape (n_features,) or longer
        What comes after them stays as it is.
    source : OUT int32 array, shape (n_features,)
        The entry of the plane that was the greatest, the first of several; -1 where the feature
        is 0.
    """
    n_filters, width, pool = planes.shape[0], shape.width, shape.pool
    down = (shape.height - shape.size + 1) // pool
    right = (shape.width - shape.size + 1) // pool
    zero = np.float32(0.0)
    for c in range(n_filters):
        for i in range(down):
            for j in range(right):
                first = i * pool * width + j * pool
                best, at = planes[c, first], first
                for line in range(pool):
                    for p in range(first + line * width, first + line * width + pool):
                        if planes[c, p] > best:
                            best, at = planes[c, p], p
                k = (i * right + j) * n_filters + c
                value = best + bias[c]
                features[k] = value if value > zero else zero
                source[k] = at if value > zero else -1


@kernel
def filter_features(X, filters, bias, shape, features, source, planes):
    """Write the features of images.

    Parameters
    ----------
    X : float32 array, shape (n_rows, height * width)
    filters : float32 array, shape (n_filters, size, size)
    bias : float32 array, shape (n_filters,)
    shape : FilterShape
    features : OUT float32 array, shape (n_rows, n_features) or wider
    source : OUT int32 array, shape (n_rows, n_features)
        See :func:`pooled_features`.
    planes : float32 array, shape (n_filters, n_positions)
        Work space.
    """
    for row in range(X.shape[0]):
        filter_planes(X[row], shape.width, filters, planes)
        pooled_features(planes, bias, shape, features[row], source[row])


def empty_planes(shape: FilterShape) -> np.ndarray:
    """Work space for the planes of one image, float32 (n_filters, n_positions)."""
    n_positions = (shape.height - shape.size) * shape.width + shape.width - shape.size + 1
    return np.empty((shape.n_filters, n_positions), dtype=np.float32)

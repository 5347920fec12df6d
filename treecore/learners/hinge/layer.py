"""The layer before the trees: features that are learnt, each brought to mean 0 and deviation 1.

A feature is a filter laid over some places of a row: an inner product has one place, a convolution
many. Without filters the standardised row is itself the features.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.scaling import Scaling

FARTHEST = np.float32(1e6)
"""Where standardised numbers are cut off: beyond, products of them would overflow."""

SMALLEST_DEVIATION = np.float32(1e-3)
"""A filter's answer that varies less does not vary: standardised rows have deviation 1."""


class Layer(NamedTuple):
    """Arrays of the layer; all float32 but the indices, int32.

    - centre, scale: (p,), a raw row is standardised to ``(x - centre) * scale``.
    - filters: (n_taps, n_filters), or (0, p) without filters; tap: (n_taps,), relative to the
      place; place: (n_places,), where a filter is laid.
    - mean, deviation: (n_filters,), running ones of each filter's answers over all places.
    """

    centre: np.ndarray
    scale: np.ndarray
    filters: np.ndarray
    tap: np.ndarray
    place: np.ndarray
    mean: np.ndarray
    deviation: np.ndarray


def n_features(layer: Layer) -> int:
    taps, filters = layer.filters.shape
    return filters * (len(layer.place) if taps else 1)


def plain_layer(centre: np.ndarray, scale: np.ndarray) -> Layer:
    """No filters: features are the standardised columns."""
    p = len(centre)
    none = np.zeros(0, dtype=np.int32)
    zeros = np.zeros(p, dtype=np.float32)
    filters = np.zeros((0, p), dtype=np.float32)
    return Layer(centre, scale, filters, none, none, zeros, np.ones(p, dtype=np.float32))


def inner_product_layer(centre, scale, n_filters: int, rng: np.random.Generator) -> Layer:
    """Random filters over whole rows, of length about 1."""
    p = len(centre)
    tap, place = np.arange(p, dtype=np.int32), np.zeros(1, dtype=np.int32)
    return _random_filters(centre, scale, tap, place, n_filters, rng)


def convolution_layer(
    centre, scale, n_filters: int, size: int, stride: int, width: int, rng: np.random.Generator
) -> Layer:
    """Random square filters without padding; size, stride, width of an image, in pixels."""
    height = len(centre) // width
    down, right = np.arange(0, height - size + 1, stride), np.arange(0, width - size + 1, stride)
    place = (down[:, None] * width + right).ravel().astype(np.int32)
    tap = (np.arange(size)[:, None] * width + np.arange(size)).ravel().astype(np.int32)
    return _random_filters(centre, scale, tap, place, n_filters, rng)


def _random_filters(centre, scale, tap, place, n_filters, rng) -> Layer:
    filters = rng.standard_normal((len(tap), n_filters)) / np.sqrt(len(tap))
    zeros, ones = np.zeros(n_filters, np.float32), np.ones(n_filters, np.float32)
    return Layer(centre, scale, filters.astype(np.float32), tap, place, zeros, ones)


def standardisation(X: np.ndarray, weight: np.ndarray, together: bool, keep_zero: bool = False):
    """``centre`` and ``scale`` (p,) of a layer; together: all columns share one deviation."""
    mean = _column_mean(X, weight, lambda rows: rows)
    spread = np.sqrt(_column_mean(X, weight, lambda rows: (rows - mean) ** 2))
    span = X.max(axis=0).astype(np.float64) - X.min(axis=0)
    scaling = Scaling.of(mean, spread, span, together)
    if keep_zero:
        mean = np.zeros_like(mean)
    # Columns of 1e-40 ask for a scale that float32 does not have; they differ by nothing.
    scale = np.minimum(1.0 / scaling.deviation, 1e30)
    return mean.astype(np.float32), scale.astype(np.float32)


def _column_mean(X: np.ndarray, weight: np.ndarray, of) -> np.ndarray:
    """Weighted mean of a function of every column, in float64 but never of all rows at once."""
    total = np.zeros(X.shape[1])
    for first in range(0, len(X), 4096):
        block = slice(first, first + 4096)
        total += (weight[block, None] * of(X[block].astype(np.float64))).sum(axis=0)
    return total / weight.sum()


@kernel
def standardise(layer, x, out):
    """Write a row standardised. x: float32 (p,), a raw row; out: float32 (p,), written."""
    for j in range(x.shape[0]):
        v = (x[j] - layer.centre[j]) * layer.scale[j]
        out[j] = min(max(v, -FARTHEST), FARTHEST)


@kernel
def _add_four(out, place, a, b, c, d, rows, t):
    """Add four rows of a table, times a number each, to a part of ``out`` that starts at place."""
    one, two, three, four = np.uintp(t), np.uintp(t + 1), np.uintp(t + 2), np.uintp(t + 3)
    for i in range(rows.shape[1]):
        k = np.uintp(i)
        total = (a * rows[one, k] + b * rows[two, k]) + (c * rows[three, k] + d * rows[four, k])
        out[np.uintp(place) + k] += total


@kernel
def _add_one(out, place, a, rows, t):
    for i in range(rows.shape[1]):
        out[np.uintp(place) + np.uintp(i)] += a * rows[np.uintp(t), np.uintp(i)]


@kernel
def filter_responses(layer, x, out):
    """Write the response (n_features,) of every filter at every place of a standardised row."""
    filters, tap, place = layer.filters, layer.tap, layer.place
    n_taps, n_filters = filters.shape
    if n_taps == 0:
        for j in range(x.shape[0]):
            out[j] = x[j]
        return
    zero = np.float32(0.0)
    out[:] = zero
    last_full = n_taps // 4 * 4
    for i in range(place.shape[0]):
        first, base = i * n_filters, place[i]
        for t in range(0, last_full, 4):
            a, b = x[base + tap[t]], x[base + tap[t + 1]]
            c, d = x[base + tap[t + 2]], x[base + tap[t + 3]]
            if a != zero or b != zero or c != zero or d != zero:
                _add_four(out, first, a, b, c, d, filters, t)
        for t in range(last_full, n_taps):
            a = x[base + tap[t]]
            if a != zero:
                _add_one(out, first, a, filters, t)


@kernel
def normalise(layer, out):
    """Turn the responses of a row into features of mean 0 and deviation 1, in place."""
    n_taps, n_filters = layer.filters.shape
    if n_taps == 0:
        return
    for i in range(layer.place.shape[0]):
        row = out[i * n_filters : (i + 1) * n_filters]
        for c in range(n_filters):
            row[c] = np.divide(row[c] - layer.mean[c], layer.deviation[c])


@kernel(allocates=True)
def update_statistics(layer, variance, answers, share):
    """Update running means and deviations by responses (n_rows, n_features), which count share."""
    n_filters = layer.mean.shape[0]
    n_places = layer.place.shape[0]
    if n_places == 0:
        return
    n = np.float32(answers.shape[0] * n_places)
    total = np.zeros(n_filters, dtype=np.float32)
    for b in range(answers.shape[0]):
        for i in range(n_places):
            row = answers[b, i * n_filters : (i + 1) * n_filters]
            for c in range(n_filters):
                total[c] += row[c] - layer.mean[c]
    share = np.float32(share)
    for c in range(n_filters):
        layer.mean[c] += share * (total[c] / n)
        total[c] = 0.0
    for b in range(answers.shape[0]):
        for i in range(n_places):
            row = answers[b, i * n_filters : (i + 1) * n_filters]
            for c in range(n_filters):
                away = row[c] - layer.mean[c]
                total[c] += away * away
    for c in range(n_filters):
        variance[c] += share * (total[c] / n - variance[c])
        layer.deviation[c] = max(np.sqrt(variance[c]), SMALLEST_DEVIATION)


@kernel
def filter_gradient(layer, rows, dz, gradient):
    """Write the gradient (n_taps, n_filters) by the filters; means and deviations are constants."""
    n_taps, n_filters = layer.filters.shape
    zero = np.float32(0.0)
    gradient[:, :] = zero
    if layer.place.shape[0] == 1:
        for b in range(rows.shape[0]):
            for c in range(n_filters):
                dz[b, c] = np.divide(dz[b, c], layer.deviation[c])
        last_full = rows.shape[0] // 4 * 4
        for t in range(n_taps):
            at = layer.place[0] + layer.tap[t]
            for b in range(0, last_full, 4):
                one, two, three, four = (
                    rows[b, at],
                    rows[b + 1, at],
                    rows[b + 2, at],
                    rows[b + 3, at],
                )
                _add_four(gradient[t], 0, one, two, three, four, dz, b)
            for b in range(last_full, rows.shape[0]):
                _add_one(gradient[t], 0, rows[b, at], dz, b)
        return
    for b in range(rows.shape[0]):
        for i in range(layer.place.shape[0]):
            base = layer.place[i]
            for c in range(n_filters):
                g = dz[b, i * n_filters + c]
                if g != zero:
                    g /= layer.deviation[c]
                    for t in range(n_taps):
                        gradient[t, c] += g * rows[b, base + layer.tap[t]]

"""The initial state of a hinge forest: a layer that fits the rows, trees in their reach."""

from __future__ import annotations

import numpy as np

from treecore.data.validation import TargetScaling
from treecore.ensembles.memory import check_memory, free_bytes
from treecore.learners.hinge.layer import (
    Layer,
    convolution_layer,
    filter_responses,
    inner_product_layer,
    n_features,
    normalise,
    plain_layer,
    standardisation,
    standardise,
    update_statistics,
)
from treecore.learners.hinge.model import HingeForest
from treecore.learners.hinge.random_features import random_trees
from treecore.learners.hinge.settings import HingeSettings
from treecore.learners.hinge.traversal import Trees
from treecore.losses.log import class_log_odds
from treecore.rows.training_rows import TrainingRows

MAX_NUMBERS = 400_000_000
"""Most leaf weights of a forest: with the optimizer's two moments they take five gigabytes."""


def check_settings(settings: HingeSettings, rows: TrainingRows) -> None:
    """Raise ValueError for a forest beyond memory, or for shifts of rows that are no images."""
    k = rows.n_outputs
    numbers = settings.trees * 2**settings.depth * k
    if numbers > MAX_NUMBERS:
        raise ValueError(
            f"{settings.trees} trees of depth {settings.depth} with {k} outputs have {numbers} "
            f"leaf weights, {numbers * 12 / 1e9:.0f} GB with what the optimizer remembers; "
            f"take fewer trees or a smaller depth, {MAX_NUMBERS} weights are the most"
        )
    # The weights, the optimizer's two moments and the best state, all float32.
    check_memory(16 * numbers, free_bytes(), settings.trees)
    if settings.shift > 0:
        image_width(rows.X.shape[1])


def initialize(
    kind: str,
    settings: HingeSettings,
    rows: TrainingRows,
    units: TargetScaling,
    seed: int,
    start: HingeForest | None,
) -> tuple[Layer, np.ndarray, Trees, np.ndarray]:
    """A layer and trees for some rows, drawn by the seed; or those of ``start``, and more trees.

    Returns layer, variance of its features, trees and base, see ``HingeRun``.
    """
    rng = np.random.default_rng([seed, 0])
    some = rng.permutation(len(rows.y))[:2000]
    if start is None:
        layer = _new_layer(settings, rows.X, rows.weight, rng)
        variance = np.ones_like(layer.mean)
    else:
        _check_start(start, kind, settings, rows)
        layer = Layer(*(array.copy() for array in start.layer))
        variance = layer.deviation**2
    answers = _responses(layer, rows.X[some])
    if start is None:
        update_statistics(layer, variance, answers, 1.0)
    for row in answers:
        normalise(layer, row)
    k, n_new = rows.n_outputs, settings.trees - (start.n_trees if start else 0)
    trees = random_trees(kind, n_new, settings.depth, k, answers, rng, settings.start)
    if rows.loss.task == "classification":
        counts = np.bincount(rows.y, rows.weight, k)
        base = class_log_odds(counts[None])[0].astype(np.float32)
    else:
        base = _centre(rows)
    if start is not None:
        start_trees, base = _in_training_units(start, units)
        trees = Trees(*(np.concatenate(pair) for pair in zip(start_trees, trees, strict=True)))
    return layer, variance, trees, base


def _centre(rows: TrainingRows) -> np.ndarray:
    """The constants that a forest of numbers begins with, float32 (n_outputs,); means are 0."""
    if not rows.loss.is_quantile:
        return np.zeros(rows.n_outputs, dtype=np.float32)
    leaf = np.zeros(len(rows.y), dtype=np.int32)
    return rows.loss.constants(leaf, rows.y, rows.weight, 1, rows.n_outputs, 0.0)[0]


def _in_training_units(start: HingeForest, units: TargetScaling) -> tuple[Trees, np.ndarray]:
    """Trees and base of a forest in the units of training."""
    weights, base = start.trees.weights, start.base
    if units.spread.size:
        weights = (weights / units.spread).astype(np.float32)
        base = ((base - units.centre) / units.spread).astype(np.float32)
    return start.trees._replace(weights=weights), base.copy()


def _new_layer(settings: HingeSettings, X, weight, rng) -> Layer:
    images = settings.features == "convolutions"
    together = images or settings.scale == "one"
    centre, scale = standardisation(X, weight, together, keep_zero=images)
    if settings.features == "raw":
        return plain_layer(centre, scale)
    if not images:
        return inner_product_layer(centre, scale, settings.n_features, rng)
    p = X.shape[1]
    width, size = image_width(p), settings.filter_size
    if size > width:
        raise ValueError(f"filter_size={size} is more than the image, {width} x {width}, has")
    return convolution_layer(centre, scale, settings.n_features, size, settings.stride, width, rng)


def image_width(p: int) -> int:
    """Pixels in a line of a square image of ``p`` pixels; ValueError where there is none."""
    width = round(p**0.5)
    if width**2 != p:
        raise ValueError(
            f"{p} columns are not a square image; fill the images up to squares of pixels"
        )
    return width


def _check_start(start: HingeForest, kind: str, settings: HingeSettings, rows) -> None:
    if start.n_features_in != rows.X.shape[1] or start.n_outputs != rows.n_outputs:
        raise ValueError(
            f"the starting forest reads {start.n_features_in} columns and has {start.n_outputs} "
            f"outputs, the data have {rows.X.shape[1]} and {rows.n_outputs}"
        )
    if (start.kind, start.depth, start.task) != (kind, settings.depth, rows.loss.task):
        raise ValueError(
            f"the starting forest is a {start.kind} of depth {start.depth} for {start.task}, the "
            f"settings ask for a {kind} of depth {settings.depth} for {rows.loss.task}"
        )
    taps = len(start.layer.tap)
    n_filters = rows.X.shape[1] if settings.features == "raw" else settings.n_features
    if (taps == 0) != (settings.features == "raw") or start.layer.filters.shape[1] != n_filters:
        raise ValueError("the starting forest has other features than the settings ask for")
    if start.n_trees > settings.trees:
        raise ValueError(
            f"the starting forest has {start.n_trees} trees and trees={settings.trees}; it can "
            "only grow"
        )


def _responses(layer: Layer, X: np.ndarray) -> np.ndarray:
    """What every filter answers on raw rows, float32 (n_rows, n_features)."""
    answers = np.empty((len(X), n_features(layer)), dtype=np.float32)
    x = np.empty(X.shape[1], dtype=np.float32)
    for i in range(len(X)):
        standardise(layer, X[i], x)
        filter_responses(layer, x, answers[i])
    return answers

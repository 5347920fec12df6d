"""The map of a tree: splines of its features, whose numbers are float64."""

from __future__ import annotations

from typing import Any

import numpy as np

from treecore.data.feature_maps import SplineMap
from treecore.persistence.values import TreeFormatError, Values


def read_map(content: Values, n_features: int) -> SplineMap:
    """The map in a file that has one; TreeFormatError, with the place, for others."""
    found = content.at("map").all_of(dict)
    if {"fourier", "nystroem"} & found.items[0].keys():
        raise TreeFormatError(
            "the tree reads features of a Gaussian kernel, which treecore no longer has: use "
            "version 0.1 for it, or train it again behind a Nystroem of scikit-learn"
        )
    record = found.records({"centre", "deviation", "spline"})
    inner = record.at("spline").records({"features", "knots"})

    def vector(values: Values, key: str) -> np.ndarray:
        return values.at(key).vector(n_features, np.float64)

    has_missing = "missing" in content.items[0]
    missing = vector(content, "missing") if has_missing else np.zeros(n_features)
    features, knots = (
        inner.at(key).all_of(list).entries(", knot {}") for key in ("features", "knots")
    )
    shared = missing, vector(record, "centre"), vector(record, "deviation")
    return SplineMap(*shared, features.integers(n_features), knots.floats(np.float64))


def write_map(feature_map: SplineMap) -> dict[str, Any]:
    """A map as plain values; Python writes a float64 with the fewest digits that give it back."""

    def plain(*names: str) -> dict[str, Any]:
        return {name: np.asarray(getattr(feature_map, name)).tolist() for name in names}

    return plain("centre", "deviation") | {"spline": plain("features", "knots")}

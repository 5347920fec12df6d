"""The map of a tree: features of a kernel, whose numbers are float64."""

from __future__ import annotations

from typing import Any

import numpy as np

from treecore.data.feature_maps import FeatureMap, FourierMap, NystroemMap, SplineMap
from treecore.persistence.values import Values

_KINDS = {
    "fourier": {"weights", "offsets"},
    "nystroem": {"gamma", "components", "normalization"},
    "spline": {"features", "knots"},
}


def read_map(content: Values, n_features: int) -> FeatureMap:
    """The map in a file that has one; TreeFormatError, with the place, for others."""
    record = content.at("map").records(*({"centre", "deviation", kind} for kind in _KINDS))
    (kind,) = record.items[0].keys() & _KINDS.keys()
    inner = record.at(kind).records(_KINDS[kind])

    def vector(values: Values, key: str, length: int) -> np.ndarray:
        return values.at(key).vector(length, np.float64)

    def matrix(key: str, length: int) -> np.ndarray:
        return inner.at(key).lists().entries(", row {}").matrix(length, np.float64)

    missing = np.zeros(n_features)
    if "missing" in content.items[0]:
        missing = vector(content, "missing", n_features)
    centre = vector(record, "centre", n_features)
    deviation = vector(record, "deviation", n_features)
    if kind == "fourier":
        weights = matrix("weights", n_features)
        offsets = vector(inner, "offsets", len(weights))
        return FourierMap(missing, centre, deviation, weights, offsets)
    if kind == "spline":
        features, knots = (
            inner.at(key).all_of(list).entries(", knot {}") for key in ("features", "knots")
        )
        places, numbers = features.integers(n_features), knots.floats(np.float64)
        return SplineMap(missing, centre, deviation, places, numbers)
    components = matrix("components", n_features)
    gamma = float(inner.at("gamma").floats(np.float64)[0])
    normalization = matrix("normalization", len(components))
    return NystroemMap(missing, centre, deviation, gamma, components, normalization)


def write_map(feature_map: FeatureMap) -> dict[str, Any]:
    """A map as plain values; Python writes a float64 with the fewest digits that give it back."""

    def plain(*names: str) -> dict[str, Any]:
        return {name: np.asarray(getattr(feature_map, name)).tolist() for name in names}

    inner = plain(*sorted(_KINDS[feature_map.kind]))
    return plain("centre", "deviation") | {feature_map.kind: inner}

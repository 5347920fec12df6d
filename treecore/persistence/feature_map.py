"""The map of a tree: features of a kernel, whose numbers are float64, or learnt filters."""

from __future__ import annotations

from typing import Any

import numpy as np

from treecore.data.feature_maps import FourierMap, KernelMap, NystroemMap, SplineMap
from treecore.data.filter_map import FilterMap
from treecore.persistence.text import matrix_text, object_text, vector_text
from treecore.persistence.values import TreeFormatError, Values

_KINDS = {
    "fourier": {"weights", "offsets"},
    "nystroem": {"gamma", "components", "normalization"},
    "spline": {"features", "knots"},
}


def read_map(content: Values, n_features: int) -> KernelMap:
    """The map in a file that has one.

    Raises
    ------
    TreeFormatError
        For values that are no map, with their place.
    """
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


def write_map(feature_map: KernelMap) -> dict[str, Any]:
    """A map as plain values; Python writes a float64 with the fewest digits that give it back."""

    def plain(*names: str) -> dict[str, Any]:
        return {name: np.asarray(getattr(feature_map, name)).tolist() for name in names}

    inner = plain(*sorted(_KINDS[feature_map.kind]))
    return plain("centre", "deviation") | {feature_map.kind: inner}


_FILTERS = {"width", "unit", "pool", "weights", "bias"}
_LARGEST_SIDE = 100_000


def read_filters(content: Values, missing: np.ndarray) -> FilterMap:
    """The learnt filters in a file that has some.

    Parameters
    ----------
    content : Values
        The file.
    missing : float32 array, shape (n_features,)

    Raises
    ------
    TreeFormatError
        For values that are no filters, with their place.
    """
    record = content.at("filters").records(_FILTERS)
    width, pool = (int(record.at(name).integers(_LARGEST_SIDE)[0]) for name in ("width", "pool"))
    if not width or len(missing) % width:
        record.at("width").refuse(0, f"is {width}, which is no line of {len(missing)} pixels")
    height = len(missing) // width
    unit = float(record.at("unit").floats(np.float64)[0])
    each = record.at("weights").lists().entries(", filter {}").lists()
    size = len(each.items[0])
    if not pool or size > min(width, height) or pool > min(width, height) - size + 1:
        raise TreeFormatError(
            f'"filters": filters of {size} x {size} in patches of {pool} x {pool} have no place '
            f"in an image of {height} x {width}"
        )
    weights = each.lists(size).entries(", line {}").matrix(size)
    bias = record.at("bias").vector(len(each.items))
    filters = weights.reshape(-1, size, size)
    return FilterMap(missing.astype(np.float64), width, unit, pool, filters, bias)


def filters_text(filter_map: FilterMap) -> str:
    """Learnt filters as JSON."""
    members = {
        "width": str(filter_map.width),
        "unit": repr(float(filter_map.unit)),
        "pool": str(filter_map.pool),
        "weights": f"[{','.join(matrix_text(one) for one in filter_map.filters)}]",
        "bias": vector_text(filter_map.bias),
    }
    return object_text(members)

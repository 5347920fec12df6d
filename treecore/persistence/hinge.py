"""A whole hinge forest as one JSON file: a format of its own, its writer and its checks.

``hinge.schema.json`` beside this module describes every key. This is a complete
reader, for the outputs of ``x``, a list of numbers, None where one is missing::

    import json
    from math import inf

    def outputs(text, x):
        forest = json.loads(text)
        layer, depth = forest["layer"], forest["depth"]
        x = [fill if number is None else number for fill, number in zip(forest["missing"], x)]
        x = [(number - c) * s for number, c, s in zip(x, layer["centre"], layer["scale"])]
        z = [max(-1e6, min(1e6, number)) for number in x]
        if "filters" in layer:
            filters = list(zip(layer["filters"], layer["mean"], layer["deviation"]))
            z = [(sum(w * z[place + tap] for w, tap in zip(row, layer["taps"])) - mean) / deviation
                 for place in layer["places"] for row, mean, deviation in filters]
        out = forest["base"]
        for tree in forest["trees"]:
            node = leaf = 0
            margin = inf
            for level in range(depth):
                r = z[tree["feature"][node]] - tree["threshold"][node]
                margin = min(margin, abs(r))
                leaf = 2 * leaf + (r > 0)
                node = level + 1 if forest["kind"] == "fern" else 2 * node + 1 + (r > 0)
            out = [o + margin * w for o, w in zip(out, tree["leaves"][leaf])]
        return out

Classes are told by the greatest output, their probabilities by a softmax. Numbers are float32
(``base`` of a forest for numbers float64); treecore computes in float32 and may decide otherwise
than this reader where a margin is zero up to rounding. Versions and unknown keys are as of
:mod:`treecore.persistence`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from treecore.learners.hinge.layer import Layer, plain_layer
from treecore.learners.hinge.model import KINDS, MAX_DEPTH, HingeForest
from treecore.learners.hinge.traversal import Trees, n_nodes
from treecore.persistence.codec import Codec, Decoded
from treecore.persistence.document import MAX_WEIGHTS, Document, check_size
from treecore.persistence.text import plain, plain_rows
from treecore.persistence.tree import read_numbers
from treecore.persistence.values import TreeFormatError, Values, shown

MAX_WIDTH = 1_000_000
"""Most features that a layer may make: rows are read 32 at a time, and so many fit memory."""

_PLAIN = {"centre", "scale"}
_FILTERED = _PLAIN | {"filters", "taps", "places", "mean", "deviation"}
_TREE = {"feature", "threshold", "leaves"}


def _read(content: Values, n_features: int, n_outputs: int, numeric: bool) -> Decoded:
    record = content.items[0]
    kind, depth = record["kind"], record["depth"]
    if kind not in KINDS:
        raise TreeFormatError(f'"kind" must be "forest" or "fern", not {shown(kind)}')
    if type(depth) is not int or not 1 <= depth <= MAX_DEPTH:
        raise TreeFormatError(f'"depth" must be a whole number from 1 to {MAX_DEPTH}')
    if not record["trees"]:
        raise TreeFormatError('"trees" is empty; a forest has one tree at least')
    n_numbers = len(record["trees"]) * 2**depth * n_outputs
    check_size("hinge forest", n_numbers, MAX_WEIGHTS, "numbers")
    layer = _read_layer(content.at("layer"), n_features)
    width = layer.filters.shape[1] * max(1, len(layer.place))
    trees = _read_trees(record["trees"], n_nodes(kind, depth), 2**depth, width, n_outputs)
    base = read_numbers(Values([record["base"]], lambda _: '"base"'), n_outputs, numeric)[0]
    missing = content.at("missing").vector(n_features)
    task = "regression" if numeric else "classification"
    return Decoded(HingeForest(kind, depth, task, layer, trees, base, missing))


def _read_layer(values: Values, p: int) -> Layer:
    record = values.records(_PLAIN, _FILTERED).items[0]
    centre, scale = values.at("centre").vector(p), values.at("scale").vector(p)
    if "filters" not in record:
        return plain_layer(centre, scale)
    taps, places = (
        values.at(key).lists().entries().integers(p).astype(np.int32) for key in ("taps", "places")
    )
    rows = values.at("filters").lists().entries(", row {}")
    n_filters = len(rows.items)
    check_size("layer", n_filters * len(places), MAX_WIDTH, "features")
    filters = np.ascontiguousarray(rows.matrix(len(taps)).T)
    mean, deviation = (values.at(key).vector(n_filters) for key in ("mean", "deviation"))
    return Layer(centre, scale, filters, taps, places, mean, deviation)


def _read_trees(
    records: list[Any], n_nodes: int, n_leaves: int, width: int, n_outputs: int
) -> Trees:
    feature = np.empty((len(records), n_nodes), dtype=np.int32)
    threshold = np.empty((len(records), n_nodes), dtype=np.float32)
    # Every tree is read before the next one: a file that promises much and holds little is refused
    # at the first that falls short, and nothing of the promised size has been touched.
    weights = np.empty((len(records), n_leaves, n_outputs), dtype=np.float32)
    for m in range(len(records)):
        tree = Values(records, "tree {}".format).pick([m]).records(_TREE)
        feature[m] = tree.at("feature").lists(n_nodes).entries().integers(width)
        threshold[m] = tree.at("threshold").vector(n_nodes)
        leaves = tree.at("leaves").lists(n_leaves).entries(", row {}")
        weights[m] = leaves.matrix(n_outputs)
    return Trees(feature, threshold, weights)


def _write(document: Document) -> dict[str, Any]:
    forest = document.model
    assert isinstance(forest, HingeForest)
    return {
        "kind": forest.kind,
        "depth": forest.depth,
        "missing": plain(forest.missing),
        "layer": _write_layer(forest.layer),
        "base": plain(forest.base),
        "trees": _tree_records(forest.trees),
    }


def _write_layer(layer: Layer) -> dict[str, Any]:
    members: dict[str, Any] = {"centre": plain(layer.centre), "scale": plain(layer.scale)}
    if len(layer.tap):
        members |= {
            "filters": [*plain_rows(layer.filters.T)],
            "taps": layer.tap.tolist(),
            "places": layer.place.tolist(),
            "mean": plain(layer.mean),
            "deviation": plain(layer.deviation),
        }
    return members


def _tree_records(trees: Trees) -> Iterator[dict[str, Any]]:
    for feature, threshold, weights in zip(*trees, strict=True):
        yield {
            "feature": feature.tolist(),
            "threshold": plain(threshold),
            "leaves": [*plain_rows(weights)],
        }


HINGE = Codec(
    kind="hinge forest",
    format="treecore-hinge-forest",
    version=1,
    required={
        "kind": object,
        "depth": object,
        "layer": dict,
        "missing": list,
        "base": list,
        "trees": list,
    },
    optional=(),
    advice="train fewer trees, or less deep ones",
    read=_read,
    write=_write,
)

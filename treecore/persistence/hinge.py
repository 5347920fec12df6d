"""A whole hinge forest as one JSON file: a format of its own, its writer and its checks.

This is a complete reader, for the outputs of ``x``, a list of numbers, None where one is missing::

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

Classes are told by the greatest output, their probabilities by a softmax. Numbers are float32,
written with the fewest digits that read back to the same bits; treecore computes in float32 and
may decide otherwise than this reader where a margin is zero up to rounding.

Unknown keys are ignored at the top level and under ``training``, and refused elsewhere. A change of
meaning raises ``version``, and a reader refuses versions that it does not know.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from treecore.base.atomic_write import replace_file
from treecore.learners.hinge.layer import Layer
from treecore.learners.hinge.model import KINDS, MAX_DEPTH, HingeForest
from treecore.learners.hinge.traversal import Trees, n_nodes
from treecore.persistence.document import (
    MAX_FEATURES,
    MAX_WEIGHTS,
    TreeFormatError,
    check_names,
    json_text,
    kind,
    show,
    training_text,
)
from treecore.persistence.envelope import Header, block, read_file
from treecore.persistence.numbers import digit_rows, float32_rows, integers
from treecore.persistence.reader import parse

HEADER = Header("treecore-hinge-forest", 1, "hinge forest")
MAX_WIDTH = 1_000_000
"""Most features that a layer may make: rows are read 32 at a time, and so many fit memory."""

_PLAIN = {"centre", "scale"}
_FILTERED = _PLAIN | {"filters", "taps", "places", "mean", "deviation"}
_TREE = {"feature", "threshold", "leaves"}
_REQUIRED = ("kind", "depth", "features", "missing", "layer", "base", "trees")


@dataclass(frozen=True, eq=False)
class HingeDocument:
    """A hinge forest with what a stranger needs to use it, checked when made.

    Attributes
    ----------
    forest : HingeForest
    feature_names : tuple of str, all different
        One for each column of a row.
    class_names, output_names : tuple of str, all different
        One for each output; classes for a forest that classifies, outputs for one of numbers, and
        the other empty.
    training : dict
        How it was trained, as in :class:`treecore.persistence.TreeDocument`.
    """

    forest: HingeForest
    feature_names: tuple[str, ...]
    class_names: tuple[str, ...] = ()
    output_names: tuple[str, ...] = ()
    training: dict = field(default_factory=dict)

    def __post_init__(self):
        forest = self.forest
        _check_sizes(forest.n_features_in, forest.n_parameters)
        check_names(self.feature_names, "feature", forest.n_features_in)
        own, other = self.class_names, self.output_names
        if forest.task == "regression":
            own, other = other, own
        check_names(own, "class" if forest.task == "classification" else "output", forest.n_outputs)
        if other:
            raise TreeFormatError("a hinge forest has classes or outputs, not both")
        training_text(self.training)


def hinge_to_json(document: HingeDocument, indent: int | None = None) -> str:
    """The document as JSON text, in ASCII; :func:`hinge_from_json` gives it back bit-equal.

    Parameters
    ----------
    document : HingeDocument
    indent : int, optional
        Spaces to indent by, with a line for each tree; None for a single line.

    Raises
    ------
    TreeFormatError
        When the text would be longer than a reader accepts.
    """
    forest = document.forest
    layer, names = forest.layer, document.class_names or document.output_names
    members = {
        "kind": json.dumps(forest.kind),
        "depth": str(forest.depth),
        "features": json.dumps(document.feature_names),
        "classes" if document.class_names else "outputs": json.dumps(names),
        "missing": _vector(forest.missing),
        "layer": _layer_text(layer),
        "base": _vector(forest.base),
        "trees": block("[]", list(_tree_texts(forest.trees)), indent, level=2),
    }
    if document.training:
        members["training"] = training_text(document.training)
    return HEADER.text(HEADER.version, members, indent, "train fewer trees, or less deep ones")


def _vector(array: np.ndarray) -> str:
    (digits,) = digit_rows(array[None])
    return f"[{','.join(digits)}]"


def _rows(matrix: np.ndarray) -> str:
    rows = [f"[{','.join(digits)}]" for digits in digit_rows(matrix)]
    return f"[{','.join(rows)}]"


def _layer_text(layer: Layer) -> str:
    members = {"centre": _vector(layer.centre), "scale": _vector(layer.scale)}
    if len(layer.tap):
        members |= {
            "filters": _rows(layer.filters.T),
            "taps": json.dumps(layer.tap.tolist()),
            "places": json.dumps(layer.place.tolist()),
            "mean": _vector(layer.mean),
            "deviation": _vector(layer.deviation),
        }
    return "{" + ",".join(f'"{key}":{value}' for key, value in members.items()) + "}"


def _tree_texts(trees: Trees) -> Iterator[str]:
    for feature, threshold, weights in zip(*trees, strict=True):
        yield (
            f'{{"feature":{json.dumps(feature.tolist())},"threshold":{_vector(threshold)},'
            f'"leaves":{_rows(weights)}}}'
        )


def hinge_from_json(text: str | bytes) -> HingeDocument:
    """The document in a JSON text (UTF-8 when in bytes), after checking everything about it.

    Raises
    ------
    TreeFormatError
        With one sentence that says what is wrong and where. Nothing else is raised, whatever the
        text.
    """
    content = parse(text)
    _check_header(content)
    task = "outputs" if "outputs" in content else "classes"
    features, names = content["features"], content[task]
    check_names(features, "feature")
    check_names(names, "output" if task == "outputs" else "class")
    p, k, depth = len(features), len(names), content["depth"]
    _check_sizes(p, len(content["trees"]) * 2**depth * k)
    layer = _read_layer(content["layer"], p)
    width = layer.filters.shape[1] * max(1, len(layer.place))
    try:
        forest = HingeForest(
            content["kind"],
            depth,
            "regression" if task == "outputs" else "classification",
            layer,
            _read_trees(content["trees"], content["kind"], depth, width, k),
            _floats(content["base"], k, '"base"'),
            _floats(content["missing"], p, '"missing"'),
        )
    except TreeFormatError:
        raise
    except ValueError as error:  # what check_forest says of arrays that do not fit together
        raise TreeFormatError(str(error)) from None
    known = {"format", "version", "classes", "outputs", "training", *_REQUIRED}
    json_text({key: content[key] for key in content.keys() - known}, "what the file adds")
    return HingeDocument(
        forest,
        tuple(features),
        training=content.get("training", {}),
        **{"output_names" if task == "outputs" else "class_names": tuple(names)},
    )


def _check_header(content: object) -> None:
    HEADER.check(content)
    HEADER.check_keys(content, _REQUIRED)
    if ("classes" in content) == ("outputs" in content):
        raise TreeFormatError('a hinge forest has "classes" or "outputs", one of the two')
    own = "outputs" if "outputs" in content else "classes"
    HEADER.check_lists(content, ("features", "missing", "base", "trees", own))
    if content["kind"] not in KINDS:
        raise TreeFormatError(f'"kind" must be "forest" or "fern", not {show(content["kind"])}')
    depth = content["depth"]
    if type(depth) is not int or not 1 <= depth <= MAX_DEPTH:
        raise TreeFormatError(f'"depth" must be a whole number from 1 to {MAX_DEPTH}')
    if not content["trees"]:
        raise TreeFormatError('"trees" is empty; a forest has one tree at least')


def _check_sizes(n_columns: int, n_numbers: int) -> None:
    for size, limit, things in (
        (n_columns, MAX_FEATURES, "features"),
        (n_numbers, MAX_WEIGHTS, "numbers"),
    ):
        if size > limit:
            raise TreeFormatError(f"the forest has {size} {things}, but at most {limit} fit")


def _record(record: object, where: str, *shapes: set[str]) -> dict:
    if type(record) is not dict:
        raise TreeFormatError(f"{where} must be an object, not {kind(record)}")
    if record.keys() not in shapes:
        wanted = " or ".join(show(sorted(shape)) for shape in shapes)
        raise TreeFormatError(
            f"{where} must have exactly the keys {wanted}; it has {show(sorted(record))}"
        )
    return record


def _floats(numbers: object, length: int, where: str) -> np.ndarray:
    return float32_rows([numbers], length, lambda _: where)[0]


def _indices(numbers: object, limit: int, where: str, length: int | None = None) -> np.ndarray:
    if type(numbers) is not list:
        raise TreeFormatError(f"{where} must be a list, not {kind(numbers)}")
    if length is not None and len(numbers) != length:
        raise TreeFormatError(f"{where} has {len(numbers)} entries and must have {length}")
    return integers(numbers, limit, lambda i: f"{where}, entry {i},").astype(np.int32)


def _read_layer(record: object, p: int) -> Layer:
    record = _record(record, '"layer"', _PLAIN, _FILTERED)
    centre = _floats(record["centre"], p, '"layer": "centre"')
    scale = _floats(record["scale"], p, '"layer": "scale"')
    none, zeros = np.zeros(0, dtype=np.int32), np.zeros(p, dtype=np.float32)
    if "filters" not in record:
        filters = np.zeros((0, p), dtype=np.float32)
        return Layer(centre, scale, filters, none, none, zeros, zeros + np.float32(1.0))
    taps = _indices(record["taps"], p, '"layer": "taps"')
    places = _indices(record["places"], p, '"layer": "places"')
    rows = record["filters"]
    if type(rows) is not list or not rows or not len(taps) or not len(places):
        raise TreeFormatError('"layer": "filters", "taps" and "places" must be lists, not empty')
    width = len(rows) * len(places)
    if width > MAX_WIDTH:
        raise TreeFormatError(f"the layer makes {width} features, but at most {MAX_WIDTH} fit")
    filters = float32_rows(rows, len(taps), lambda i: f'"layer": "filters", row {i}')
    mean = _floats(record["mean"], len(rows), '"layer": "mean"')
    deviation = _floats(record["deviation"], len(rows), '"layer": "deviation"')
    return Layer(centre, scale, np.ascontiguousarray(filters.T), taps, places, mean, deviation)


def _read_trees(records: list, forest_kind: str, depth: int, width: int, k: int) -> Trees:
    nodes = n_nodes(forest_kind, depth)
    feature = np.empty((len(records), nodes), dtype=np.int32)
    threshold = np.empty((len(records), nodes), dtype=np.float32)
    # Every tree is read before the next one: a file that promises much and holds little is refused
    # at the first that falls short, and nothing of the promised size has been touched.
    weights = np.empty((len(records), 2**depth, k), dtype=np.float32)
    for m, record in enumerate(records):
        record = _record(record, f"tree {m}", _TREE)
        feature[m] = _indices(record["feature"], width, f'tree {m}: "feature"', nodes)
        threshold[m] = _floats(record["threshold"], nodes, f'tree {m}: "threshold"')
        leaves = record["leaves"]
        if type(leaves) is not list or len(leaves) != 2**depth:
            raise TreeFormatError(f'tree {m}: "leaves" must be a list of {2**depth} rows')
        weights[m] = float32_rows(leaves, k, lambda i, m=m: f'tree {m}: "leaves", row {i}')
    return Trees(feature, threshold, weights)


def save_hinge(document: HingeDocument, path: str | os.PathLike) -> None:
    """Write ``document`` to ``path``, which holds the old file or the new one but never half."""
    replace_file(path, hinge_to_json(document, indent=1).encode("ascii"))


def load_hinge(path: str | os.PathLike) -> HingeDocument:
    """Read the forest in the file ``path``.

    Raises
    ------
    TreeFormatError
        As :func:`hinge_from_json`, with the path before the sentence.
    """
    return read_file(path, hinge_from_json)

"""Tree ensembles in ONNX, as skl2onnx, onnxmltools and others write them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from treecore.export.readers.nodes import (
    Nodes,
    at_most,
    check_classes,
    class_forest,
    decimal_edges,
    less_than,
    margin_document,
    number_forest,
    numbered_names,
)
from treecore.persistence import Document, TreeFormatError

_ENSEMBLES = ("TreeEnsembleClassifier", "TreeEnsembleRegressor")
_AFTERWARDS = {"Cast", "Identity", "ZipMap", "Normalizer", "Reshape"}
"""Operators beside an ensemble that change the form of its answer, or of its rows, only."""

_MODES = {
    b"BRANCH_LEQ": (True, False),
    b"BRANCH_LT": (False, False),
    b"BRANCH_GT": (True, True),
    b"BRANCH_GTE": (False, True),
}
"""How a split asks: whether its threshold lies on the left, and whether "true" is the right."""


def from_onnx(content: bytes) -> Document:
    """The one tree ensemble of an ONNX model; TreeFormatError for other operators.

    Comparisons of all kinds become ``<=`` of the float32 number that divides alike. Sums are equal
    to 1e-6. ValueError where the package ``onnx`` is not installed.
    """
    try:
        import onnx
    except ImportError:
        raise ValueError("ONNX needs its package: pip install 'treecore[onnx]'") from None
    try:
        model = onnx.load_from_string(content)
    except Exception as error:  # protobuf has several
        raise TreeFormatError(
            f"this is not a complete ONNX model: {str(error).splitlines()[0]}"
        ) from None
    kinds = [node.op_type for node in model.graph.node]
    ensembles = [node for node in model.graph.node if node.op_type in _ENSEMBLES]
    if len(ensembles) != 1 or (others := {*kinds} - {*_ENSEMBLES} - _AFTERWARDS):
        what = "no tree ensemble" if not ensembles else "several tree ensembles"
        if len(ensembles) == 1:
            what = "other operators beside its trees: " + ", ".join(sorted(others))
        raise TreeFormatError(
            f"the ONNX model has {what}; treecore reads models with exactly one tree ensemble"
        )
    props = {entry.key: entry.value for entry in model.metadata_props}
    try:
        given = model.graph.input[0].type.tensor_type
        shape = given.shape.dim
        width = shape[1].dim_value if len(shape) == 2 else 0
        names = json.loads(props.get("features", "null"))
        wide = given.elem_type == onnx.TensorProto.DOUBLE and "Cast" not in kinds
        return _document(ensembles[0], width, names, wide)
    except TreeFormatError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise TreeFormatError(f"the trees of the ONNX model are not complete: {error!r}") from None


def _document(node: Any, width: int, names: Any, wide: bool) -> Document:
    """``wide`` says whether rows are compared as float64 numbers."""
    from onnx import helper

    facts = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    classifier = node.op_type == "TreeEnsembleClassifier"
    prefix = "class" if classifier else "target"
    ids = _ints(facts[f"{prefix}_ids"])
    weights = _numbers(facts, f"{prefix}_weights")
    classes = [
        *(label.decode() for label in facts.get("classlabels_strings", ())),
        *map(str, facts.get("classlabels_int64s", ())),
    ]
    k = len(classes) if classifier else check_classes(int(facts["n_targets"]))
    p = max(width, 1 + int(_ints(facts["nodes_featureids"]).max(initial=0)))
    names = numbered_names(names if names and len(names) == p else None, p)
    trees = _trees(facts, _edges(facts, names, wide), prefix, ids, weights, k)
    transform = facts.get("post_transform", b"NONE").decode()
    base = np.zeros(k)
    given = _numbers(facts, "base_values")
    base[: len(given)] = given
    training = {"method": f"ONNX {node.op_type}"}
    if not classifier:
        if transform != "NONE" or facts.get("aggregate_function", b"SUM") not in (
            b"SUM",
            b"AVERAGE",
        ):
            raise TreeFormatError(f"treecore does not support {transform} after a regression")
        if facts.get("aggregate_function") == b"AVERAGE":
            trees = [tree._replace(values=tree.values / len(trees)) for tree in trees]
        outputs = ("y",) if k == 1 else tuple(f"y{i}" for i in range(1, k + 1))
        return number_forest(trees, base, names, outputs, training)
    one_sided = k == 2 and len(set(ids.tolist())) == 1
    if transform == "NONE" and not base.any():
        shares = [tree._replace(values=tree.values * len(trees)) for tree in trees]
        if one_sided:  # of two classes the second's share alone is told
            shares = [tree._replace(values=_completed(tree.values, ids[0])) for tree in shares]
        return class_forest(shares, names, classes, training)
    if transform != ("LOGISTIC" if one_sided else "SOFTMAX"):
        raise TreeFormatError(
            f"the ONNX model computes probabilities of {k} classes by {transform}; treecore "
            "supports only softmax"
        )
    if one_sided:
        trees = [tree._replace(values=tree.values[:, ids[:1]]) for tree in trees]
        return margin_document(trees, base[:1], names, classes, training)
    return margin_document(trees, base, names, classes, training)


def _completed(values: np.ndarray, k: int) -> np.ndarray:
    second = values[:, k]
    return np.stack([1.0 - second, second], axis=1)


def _edges(facts: dict[str, Any], names: Sequence[str], wide: bool) -> np.ndarray:
    """The thresholds of all nodes for ``x <= threshold`` in float32, of leaves 0."""
    modes = facts["nodes_modes"]
    unknown = {*modes} - {*_MODES, b"LEAF"}
    if unknown:
        raise TreeFormatError(
            f"a split is {min(unknown).decode()}; treecore supports only <=, <, > and >= of numbers"
        )
    splits = np.array([mode != b"LEAF" for mode in modes])
    asks_equal = np.array([_MODES[mode][0] for mode in modes if mode != b"LEAF"])
    exact = _numbers(facts, "nodes_values")[splits]
    edges = np.zeros(len(modes), dtype=np.float32)
    if wide:
        feature = _ints(facts["nodes_featureids"])[splits]
        edges[splits] = decimal_edges(exact, asks_equal, feature, names, "the ONNX model")
    else:
        edges[splits] = np.where(asks_equal, at_most(exact), less_than(exact))
    return edges


def _trees(
    facts: dict[str, Any], edges: np.ndarray, prefix: str, ids: np.ndarray, weights: np.ndarray,
    k: int,
) -> list[Nodes]:  # fmt: skip
    of, number = _ints(facts["nodes_treeids"]), _ints(facts["nodes_nodeids"])
    modes = facts["nodes_modes"]
    feature = _ints(facts["nodes_featureids"])
    when_true, when_false = _ints(facts["nodes_truenodeids"]), _ints(facts["nodes_falsenodeids"])
    tracks = facts.get("nodes_missing_value_tracks_true")
    missing_true = np.array(tracks, dtype=bool) if tracks else np.zeros(len(of), dtype=bool)
    leaf_of, leaf_number = _ints(facts[f"{prefix}_treeids"]), _ints(facts[f"{prefix}_nodeids"])
    trees = []
    for tree in np.unique(of):
        mine = np.flatnonzero(of == tree)
        place = {int(n): i for i, n in enumerate(number[mine])}
        n = len(mine)
        left, right = np.full(n, -1), np.full(n, -1)
        missing_left = np.zeros(n, dtype=bool)
        for i, at in enumerate(mine):
            if modes[at] == b"LEAF":
                continue
            swapped = _MODES[modes[at]][1]
            children = [place[int(when_true[at])], place[int(when_false[at])]]
            left[i], right[i] = children[::-1] if swapped else children
            missing_left[i] = bool(missing_true[at]) != swapped
        values = np.zeros((n, k))
        for at in np.flatnonzero(leaf_of == tree):
            values[place[int(leaf_number[at])], ids[at]] += weights[at]
        trees.append(Nodes(left, right, feature[mine], edges[mine], values, missing_left))
    return trees


def _ints(numbers: Any) -> np.ndarray:
    return np.array(numbers, dtype=np.int64)


def _numbers(facts: dict[str, Any], name: str) -> np.ndarray:
    """Numbers of an attribute, which version 3 of the operator has as a tensor too."""
    from onnx import numpy_helper

    if f"{name}_as_tensor" in facts:
        return numpy_helper.to_array(facts[f"{name}_as_tensor"]).astype(np.float64)
    return np.array(facts.get(name, ()), dtype=np.float64)

"""A tree or a forest as ONNX, which runs in onnxruntime on servers, phones and in browsers.

::

    X (N, p) float ── missing values filled ──┬─────────────────────────────> features ─┐
                                              └─ Gemm(W, -b) in double ─ sign ─> sides ──┤
                                                                                        │
    outputs <─ sum over trees of votes[leaf] <─ leaf of each tree <─ TreeEnsembleRegressor

The tree ensemble says which leaf of each tree a row reaches; what the leaves say is looked up and
added in double, in treecore's order, so that classes that are nearly tied stay in their order.
Splits on one feature are decided by the very comparison of treecore. An oblique split is decided by
a sum in double, exact to 1e-16, treecore's own sum is of float32: rows within its rounding of a
split (:func:`treecore.export.score_view.close_rows` names them) may fall to the other side.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from treecore._version import __version__
from treecore.core.tree import OBLIQUE
from treecore.export.tables import ExportTables, export_tables
from treecore.persistence import Document

OPSETS = {"": 17, "ai.onnx.ml": 3}
"""Versions of the operators, old enough for runtimes of 2022."""

IR_VERSION = 8


def write_onnx(document: Document) -> bytes:
    """The model of a document: input ``X``; outputs ``label`` and ``probabilities``, or ``values``.

    ``X`` is float (N, n_features), NaN where a value is missing; ``label`` holds names of classes,
    string (N,); ``probabilities`` and ``values`` are float (N, n_outputs).

    Raises
    ------
    TreeFormatError
        For a model that has no such trees.
    ValueError
        Where the package ``onnx`` is not installed.
    """
    try:
        import onnx
        from onnx import helper, numpy_helper
    except ImportError:
        raise ValueError("ONNX needs its package: pip install 'treecore[onnx]'") from None
    tables = export_tables(document, "ONNX")
    graph = _Graph(helper, numpy_helper)
    _add_model(graph, tables)
    p, k = len(tables.feature_names), len(tables.names)
    floats, texts = onnx.TensorProto.FLOAT, onnx.TensorProto.STRING
    outputs: list[tuple[str, Any, Any]] = [("values", floats, ["N", k])]
    if not tables.numeric:
        outputs = [("label", texts, ["N"]), ("probabilities", floats, ["N", k])]
    made = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "treecore",
            [helper.make_tensor_value_info("X", floats, ["N", p])],
            [helper.make_tensor_value_info(*output) for output in outputs],
            graph.constants,
        ),
        producer_name="treecore",
        producer_version=__version__,
        ir_version=IR_VERSION,
        opset_imports=[helper.make_opsetid(*opset) for opset in OPSETS.items()],
    )
    names = {"outputs" if tables.numeric else "classes": tables.names}
    described = {"features": tables.feature_names, **names}
    helper.set_model_props(made, {key: json.dumps(value) for key, value in described.items()})
    return made.SerializeToString(deterministic=True)


class _Graph:
    """Nodes and constants of a graph; every method gives back the name of what it adds."""

    def __init__(self, helper: Any, numpy_helper: Any):
        self._helper, self._numpy_helper = helper, numpy_helper
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, name: str, value: np.ndarray) -> str:
        """A constant array."""
        self.constants.append(self._numpy_helper.from_array(np.asarray(value), name))
        return name

    def add(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        """A node with one output."""
        self.nodes.append(self._helper.make_node(kind, inputs, [output], **attributes))
        return output

    def cast(self, given: str, output: str, dtype: type) -> str:
        """Numbers as another type."""
        to = self._helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        return self.add("Cast", [given], output, to=to)


def _add_model(graph: _Graph, tables: ExportTables) -> None:
    missing = graph.constant("missing", tables.missing[None])
    holes = graph.add("IsNaN", ["X"], "holes")
    columns = graph.add("Where", [holes, missing, "X"], "features")
    if tables.n_oblique:
        columns = _add_sides(graph, tables, columns)
    leaves = _add_trees(graph, tables, columns)
    leaves = graph.cast(leaves, "leaves", np.int64)
    total = ""
    for number in range(len(tables.trees)):
        votes = graph.constant(f"votes_{number}", tables.votes_of(number))
        place = graph.constant(f"place_{number}", np.array(number, dtype=np.int64))
        leaf = graph.add("Gather", [leaves, place], f"leaf_{number}", axis=1)
        said = graph.add("Gather", [votes, leaf], f"said_{number}", axis=0)
        total = graph.add("Add", [total, said], f"sum_{number}") if total else said
    outputs = graph.add("Div", [total, graph.constant("total", np.array(tables.total))], "outputs")
    if tables.numeric:
        graph.cast(outputs, "values", np.float32)
        return
    names = graph.constant("names", np.array(tables.names, dtype=object))
    best = graph.add("ArgMax", [outputs], "best", axis=1, keepdims=0)
    graph.add("Gather", [names, best], "label", axis=0)
    graph.cast(outputs, "probabilities", np.float32)


def _add_sides(graph: _Graph, tables: ExportTables, features: str) -> str:
    """The features, and beside them the sign of each oblique split's score."""
    packed = tables.packed
    oblique = np.flatnonzero(packed.feature == OBLIQUE)
    bias = np.empty(tables.n_oblique)
    bias[packed.row[oblique]] = -packed.threshold[oblique].astype(np.float64)
    wide = graph.cast(features, "wide_features", np.float64)
    weights = graph.constant("weights", packed.weights.astype(np.float64))
    scores = graph.add("Gemm", [wide, weights, graph.constant("bias", bias)], "scores", transB=1)
    # The sign, because a score may be too small for float32.
    sides = graph.cast(graph.add("Sign", [scores], "signs"), "sides", np.float32)
    return graph.add("Concat", [features, sides], "columns", axis=1)


def _add_trees(graph: _Graph, tables: ExportTables, columns: str) -> str:
    """The leaf of every tree, as numbers: one target a tree, to which its leaves give theirs."""
    p, first_row = len(tables.feature_names), 0
    nodes: dict[str, list] = {
        key: []
        for key in ("treeids", "nodeids", "featureids", "values", "truenodeids", "falsenodeids")
    }
    modes: list[str] = []
    target: dict[str, list] = {"treeids": [], "nodeids": [], "ids": [], "weights": []}
    for number, tree in enumerate(tables.trees):
        n = tree.n_splits
        oblique = tree.feature == OBLIQUE
        none = np.zeros(tree.n_leaves)
        children = (
            np.concatenate([np.where(side >= 0, side, n + ~side), none])
            for side in (tree.left, tree.right)
        )
        column = np.where(oblique, p + first_row + tree.row, tree.feature)
        edge = np.where(oblique, np.float32(0), tree.threshold)
        for key, part in zip(
            nodes,
            (
                np.full(n + tree.n_leaves, number),
                np.arange(n + tree.n_leaves),
                np.concatenate([column, none]),
                np.concatenate([edge, none]),
                *children,  # true is at most, that is, left
            ),
            strict=True,
        ):
            nodes[key] += part.astype(np.float32 if key == "values" else np.int64).tolist()
        modes += ["BRANCH_LEQ"] * n + ["LEAF"] * tree.n_leaves
        target["treeids"] += [number] * tree.n_leaves
        target["nodeids"] += range(n, n + tree.n_leaves)
        target["ids"] += [number] * tree.n_leaves
        target["weights"] += map(float, range(tree.n_leaves))
        first_row += len(tree.weights)
    return graph.add(
        "TreeEnsembleRegressor",
        [columns],
        "leaf_numbers",
        domain="ai.onnx.ml",
        n_targets=len(tables.trees),
        aggregate_function="SUM",
        post_transform="NONE",
        nodes_modes=modes,
        **{f"nodes_{key}": value for key, value in nodes.items()},
        **{f"target_{key}": value for key, value in target.items()},
    )

"""A tree or a forest as ONNX, which runs in onnxruntime on servers, phones and in browsers.

::

    X (N, p) float ──┬──────────────────────────────────────────────────────────> X ───┐
                     └─ missing values filled ─ Gemm(W, -b) in double ─ sign ─> sides ──┤
                                                                                        │
    outputs <─ sum over trees of votes[leaf] <─ leaf of each tree <─ TreeEnsembleRegressor

What leaves (or their linear models) say is looked up and added in double, in treecore's order. A
split on one feature is decided as in treecore; an oblique one by a sum in double, so that rows
within rounding (:func:`treecore.export.scores.close_rows`) may fall to the other side.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from treecore.core.tree import OBLIQUE
from treecore.data.feature_maps import SplineMap
from treecore.export.onnx_graph import Graph
from treecore.export.onnx_hinge import write_onnx_hinge
from treecore.export.tables import ExportTables, child_places, export_tables
from treecore.persistence import Document


def write_onnx(document: Document) -> bytes:
    """The model of a document: input ``X``; outputs ``label`` and ``probabilities``, or ``values``.

    All (N, ...) and float, NaN where missing; ``values`` are double where float would lose
    differences.
    """
    if document.kind == "hinge forest":
        return write_onnx_hinge(document)
    tables, graph = export_tables(document, "ONNX", linear=True), Graph()
    wide = tables.numeric and _needs_float64(tables)
    _add_model(graph, tables, wide)
    return graph.model(document, wide)


def _needs_float64(tables: ExportTables) -> bool:
    """Whether what the leaves say is so far from 0 that float32 loses what they differ by."""
    said = tables.packed.votes
    if tables.linear is not None:
        said = np.concatenate([tables.linear.low, tables.linear.high]).astype(np.float64)
    spread, largest = np.ptp(said, axis=0), np.abs(said).max(axis=0)
    lost = np.spacing(np.minimum(largest, np.finfo(np.float32).max).astype(np.float32))
    return bool(((spread > 0) & (lost > 1e-5 * spread)).any())


def _add_model(graph: Graph, tables: ExportTables, wide_values: bool) -> None:
    columns, features = "X", graph.filled_rows(tables.missing)
    if tables.spline is not None:
        columns = features = _add_spline(graph, tables.spline, features)
    wide = ""
    if tables.n_oblique or tables.linear:
        wide = graph.cast(features, "wide_features", np.float64)
    if tables.n_oblique:
        columns = _add_sides(graph, tables, columns, wide)
    leaves = _add_trees(graph, tables, columns)
    leaves = graph.cast(leaves, "leaves", np.int64)
    if tables.linear is not None:
        outputs = _add_linear_leaves(graph, tables, wide, leaves)
    else:
        outputs = _add_votes(graph, tables, leaves)
    if tables.numeric:
        graph.cast(outputs, "values", np.float64 if wide_values else np.float32)
        return
    graph.label(outputs, tables.names)
    if tables.logistic:
        outputs = graph.add("Softmax", [outputs], "shares", axis=1)
    graph.cast(outputs, "probabilities", np.float32)


def _add_spline(graph: Graph, spline: SplineMap, features: str) -> str:
    """What a spline makes of the features, float."""
    wide = graph.cast(features, "wide_rows", np.float64)
    away = graph.add("Sub", [wide, graph.constant("centre", spline.centre)], "from_centre")
    made = graph.add("Div", [away, graph.constant("deviation", spline.deviation)], "scaled")
    if len(spline.knots):
        of = graph.constant("knot_features", spline.features)
        above = graph.add("Gather", [made, of], "at_knots", axis=1)
        above = graph.add("Sub", [above, graph.constant("knots", spline.knots)], "above_knots")
        hinges = graph.add("Max", [above, graph.constant("nothing", np.array(0.0))], "hinges")
        made = graph.add("Concat", [made, hinges], "spline", axis=1)
    return graph.cast(made, "read_features", np.float32)


def _add_votes(graph: Graph, tables: ExportTables, leaves: str) -> str:
    """What the leaves of all trees say, added and divided by the trees' weights."""
    total = ""
    for number in range(len(tables.trees)):
        votes = graph.constant(f"votes_{number}", tables.votes_of(number))
        place = graph.constant(f"place_{number}", np.array(number, dtype=np.int64))
        leaf = graph.add("Gather", [leaves, place], f"leaf_{number}", axis=1)
        said = graph.add("Gather", [votes, leaf], f"said_{number}", axis=0)
        total = graph.add("Add", [total, said], f"sum_{number}") if total else said
    return graph.add("Div", [total, graph.constant("total", np.array(tables.total))], "outputs")


def _add_linear_leaves(graph: Graph, tables: ExportTables, wide: str, leaves: str) -> str:
    """What the models of the rows' leaves say, (N, n_outputs)."""
    assert tables.linear is not None, "leaves are linear"
    first = graph.constant("first_tree", np.array(0, dtype=np.int64))
    leaf = graph.add("Gather", [leaves, first], "leaf", axis=1)
    of_leaf = {}
    for name, part in zip(tables.linear._fields, tables.linear, strict=True):
        models = graph.constant(f"models_{name}", part.astype(np.float64))
        of_leaf[name] = graph.add("Gather", [models, leaf], f"leaf_{name}", axis=0)
    last = graph.constant("last_axis", np.array([2], dtype=np.int64))
    upright = graph.add("Unsqueeze", [wide, last], "upright_features")
    products = graph.add("MatMul", [of_leaf["weights"], upright], "products")
    products = graph.add("Squeeze", [products, last], "flat_products")
    total = graph.add("Add", [products, of_leaf["intercept"]], "unbounded")
    total = graph.add("Max", [total, of_leaf["low"]], "not_below")
    return graph.add("Min", [total, of_leaf["high"]], "outputs")


def _add_sides(graph: Graph, tables: ExportTables, columns: str, wide: str) -> str:
    """What splits on one feature read, and beside it the sign of each oblique split's score."""
    packed = tables.packed
    oblique = np.flatnonzero(packed.feature == OBLIQUE)
    bias = np.empty(tables.n_oblique)
    bias[packed.row[oblique]] = -packed.threshold[oblique].astype(np.float64)
    weights = graph.constant("weights", packed.weights.astype(np.float64))
    scores = graph.add("Gemm", [wide, weights, graph.constant("bias", bias)], "scores", transB=1)
    # The sign, because a score may be too small for float32.
    sides = graph.cast(graph.add("Sign", [scores], "signs"), "sides", np.float32)
    return graph.add("Concat", [columns, sides], "columns", axis=1)


def _add_trees(graph: Graph, tables: ExportTables, columns: str) -> str:
    """The leaf of every tree, as numbers: one target a tree, to which its leaves give theirs."""
    nodes: dict[str, list[Any]] = defaultdict(list)
    target: dict[str, list[Any]] = defaultdict(list)
    first_score = tables.n_read
    for number, tree in enumerate(tables.trees):
        n, n_leaves = tree.n_splits, tree.n_leaves
        oblique, none = tree.feature == OBLIQUE, [0] * n_leaves
        column = np.where(oblique, first_score + tree.row, tree.feature)
        edge = np.where(oblique, np.float32(0), tree.threshold)
        nodes["treeids"] += [number] * (n + n_leaves)
        nodes["nodeids"] += range(n + n_leaves)
        nodes["featureids"] += column.tolist() + none
        nodes["values"] += edge.tolist() + [0.0] * n_leaves
        nodes["missing_value_tracks_true"] += tree.missing_left.astype(int).tolist() + none
        for side, places in zip(
            ("true", "false"), child_places(tree), strict=True
        ):  # true: at most
            nodes[f"{side}nodeids"] += places.tolist() + none
        nodes["modes"] += ["BRANCH_LEQ"] * n + ["LEAF"] * n_leaves
        target["treeids"] += [number] * n_leaves
        target["nodeids"] += range(n, n + n_leaves)
        target["ids"] += [number] * n_leaves
        target["weights"] += map(float, range(n_leaves))
        first_score += len(tree.weights)
    return graph.add(
        "TreeEnsembleRegressor",
        [columns],
        "leaf_numbers",
        domain="ai.onnx.ml",
        n_targets=len(tables.trees),
        aggregate_function="SUM",
        post_transform="NONE",
        **{f"nodes_{key}": value for key, value in nodes.items()},
        **{f"target_{key}": value for key, value in target.items()},
    )

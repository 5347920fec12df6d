"""A hinge forest as ONNX, of standard operators alone.

No tree ensemble of ONNX can multiply a leaf by its row's smallest margin, so paths are followed
level by level, all rows and trees at once. Answers are continuous across splits, so rounding turns
none over.
"""

from __future__ import annotations

import numpy as np

from treecore.export.onnx_graph import Graph
from treecore.learners.hinge.layer import FARTHEST, Layer
from treecore.learners.hinge.model import HingeForest
from treecore.persistence import Document, TreeFormatError


def write_onnx_hinge(document: Document) -> bytes:
    """The model of a document; input and outputs as of :func:`treecore.export.onnx.write_onnx`."""
    forest = document.model
    if not isinstance(forest, HingeForest):
        raise TreeFormatError(f"this is a {document.kind}, where a hinge forest is wanted")
    graph = Graph()
    z = _add_layer(graph, forest.layer, graph.filled_rows(forest.missing))
    leaf, margin = _add_paths(graph, forest, z)
    outputs = _add_leaves(graph, forest, leaf, margin)
    is_far = False
    if forest.task == "classification":
        graph.label(outputs, document.class_names)
        graph.add("Softmax", [outputs], "probabilities", axis=1)
    else:
        wide = graph.cast(outputs, "wide_outputs", np.float64)
        moved = graph.add("Add", [wide, graph.constant("base", forest.base)], "moved")
        # float32 would lose what the leaves add to a base that is far from 0.
        lost = np.spacing(np.abs(forest.base).clip(max=1e38).astype(np.float32))
        is_far = bool((lost > 1e-5 * np.abs(forest.trees.weights).max()).any())
        graph.cast(moved, "values", np.float64 if is_far else np.float32)
    return graph.model(document, is_far)


def _add_layer(graph: Graph, layer: Layer, rows: str) -> str:
    """What the trees read, float (N, n_features)."""
    centred = graph.add("Sub", [rows, graph.constant("centre", layer.centre)], "centred")
    scaled = graph.add("Mul", [centred, graph.constant("scale", layer.scale)], "scaled")
    ends = [
        graph.constant("least", np.array(-FARTHEST)),
        graph.constant("most", np.array(FARTHEST)),
    ]
    z = graph.add("Clip", [scaled, *ends], "standardised")
    n_taps, n_filters = layer.filters.shape
    if not n_taps:
        return z
    places = (layer.place[:, None] + layer.tap).astype(np.int64)  # (n_places, n_taps)
    seen = graph.add("Gather", [z, graph.constant("places", places)], "seen", axis=1)
    said = graph.add("MatMul", [seen, graph.constant("filters", layer.filters)], "said")
    centred = graph.add("Sub", [said, graph.constant("mean", layer.mean)], "said_centred")
    scaled = graph.add(
        "Div", [centred, graph.constant("deviation", layer.deviation)], "said_scaled"
    )
    shape = graph.constant("flat", np.array([-1, len(layer.place) * n_filters], dtype=np.int64))
    return graph.add("Reshape", [scaled, shape], "learnt_features")


def _add_paths(graph: Graph, forest: HingeForest, z: str) -> tuple[str, str]:
    """The leaf of every row in every tree, int64 (N, n_trees), and its smallest margin, float."""
    trees, n_nodes = forest.trees, forest.trees.feature.shape[1]
    two = graph.constant("two", np.array(2, dtype=np.int64))
    zero = graph.constant("zero", np.array(0, dtype=np.float32))
    if forest.kind == "forest":
        features = graph.constant("feature_table", trees.feature.reshape(-1).astype(np.int64))
        thresholds = graph.constant("threshold_table", trees.threshold.reshape(-1))
        first = np.arange(forest.n_trees, dtype=np.int64) * n_nodes
        first_node = graph.constant("first_node", first)
    leaf = margin = node = ""
    for level in range(forest.depth):
        if level == 0 or forest.kind == "fern":
            # The same node for all rows: its feature and threshold are constants.
            column = graph.constant(f"column_{level}", trees.feature[:, level].astype(np.int64))
            edge = graph.constant(f"edge_{level}", trees.threshold[:, level])
            value = graph.add("Gather", [z, column], f"value_{level}", axis=1)
        else:
            place = graph.add("Add", [node, first_node], f"place_{level}")
            column = graph.add("Gather", [features, place], f"columns_{level}")
            edge = graph.add("Gather", [thresholds, place], f"edges_{level}")
            value = graph.add("GatherElements", [z, column], f"value_{level}", axis=1)
        r = graph.add("Sub", [value, edge], f"r_{level}")
        size = graph.add("Abs", [r], f"size_{level}")
        margin = graph.add("Min", [margin, size], f"margin_{level}") if margin else size
        right = graph.add("Greater", [r, zero], f"goes_{level}")
        right = graph.cast(right, f"right_{level}", np.int64)
        twice = graph.add("Mul", [leaf, two], f"twice_{level}") if leaf else ""
        leaf = graph.add("Add", [twice, right], f"leaf_{level}") if twice else right
        if forest.kind == "forest":  # node 2 i + 1 + right, and the i-th of its level is the leaf
            below = graph.constant(f"below_{level}", np.array(2 ** (level + 1) - 1, dtype=np.int64))
            node = graph.add("Add", [leaf, below], f"node_{level}")
    return leaf, margin


def _add_leaves(graph: Graph, forest: HingeForest, leaf: str, margin: str) -> str:
    """The outputs, float (N, n_outputs): tree by tree, in treecore's order."""
    shape = graph.constant("as_column", np.array([-1, 1], dtype=np.int64))
    numeric = forest.task == "regression"  # whose base, in float64, comes last
    total = graph.constant(
        "start", np.zeros_like(forest.base, np.float32) if numeric else forest.base
    )
    for number, weights in enumerate(forest.trees.weights):
        tree = graph.constant(f"tree_{number}", np.array(number, dtype=np.int64))
        mine = graph.add("Gather", [leaf, tree], f"leaf_of_{number}", axis=1)
        numbers = graph.constant(f"weights_{number}", weights)
        said = graph.add("Gather", [numbers, mine], f"numbers_{number}", axis=0)
        near = graph.add("Gather", [margin, tree], f"margin_of_{number}", axis=1)
        near = graph.add("Reshape", [near, shape], f"strength_{number}")
        part = graph.add("Mul", [said, near], f"part_{number}")
        total = graph.add("Add", [total, part], f"total_{number}")
    return total

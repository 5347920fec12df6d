"""Graphs of ONNX: nodes and constants by name, and the model around them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from treecore._version import __version__
from treecore.persistence import Document
from treecore.persistence.columns import write_columns

OPSETS = {"": 17, "ai.onnx.ml": 3}
"""Versions of the operators, old enough for runtimes of 2022."""


class Graph:
    """Nodes and constants of a graph; every method gives back the name of what it adds."""

    def __init__(self) -> None:
        try:
            from onnx import helper, numpy_helper
        except ImportError:
            raise ValueError("ONNX needs its package: pip install 'treecore[onnx]'") from None
        self._helper, self._numpy_helper = helper, numpy_helper
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, name: str, value: np.ndarray) -> str:
        """A constant array. value: array."""
        self.constants.append(self._numpy_helper.from_array(np.asarray(value), name))
        return name

    def add(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        """A node of a kind with one output, after which it is called."""
        self.nodes.append(self._helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def cast(self, given: str, output: str, dtype: type) -> str:
        """Numbers as another type."""
        to = self._helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        return self.add("Cast", [given], output, to=to)

    def model(self, document: Document, wide: bool = False) -> bytes:
        """The model, whose graph has made ``values``, or ``label`` and ``probabilities``."""
        from onnx import TensorProto

        helper, floats = self._helper, TensorProto.FLOAT
        names = document.output_names or document.class_names
        numbers = TensorProto.DOUBLE if wide else floats
        outputs: list[tuple[str, Any, Any]] = [("values", numbers, ["N", len(names)])]
        if document.class_names:
            outputs = [
                ("label", TensorProto.STRING, ["N"]),
                ("probabilities", floats, ["N", len(names)]),
            ]
        rows = helper.make_tensor_value_info("X", floats, ["N", len(document.feature_names)])
        made = helper.make_model(
            helper.make_graph(
                self.nodes,
                "treecore",
                [rows],
                [helper.make_tensor_value_info(*output) for output in outputs],
                self.constants,
            ),
            producer_name="treecore",
            producer_version=__version__,
            ir_version=8,
            opset_imports=[helper.make_opsetid(*opset) for opset in OPSETS.items()],
        )
        named = "classes" if document.class_names else "outputs"
        described: dict[str, Any] = {"features": document.feature_names, named: names}
        if document.columns:
            described["columns"] = write_columns(document.columns)
        helper.set_model_props(made, {key: json.dumps(value) for key, value in described.items()})
        return made.SerializeToString(deterministic=True)

    def filled_rows(self, missing: np.ndarray) -> str:
        holes = self.add("IsNaN", ["X"], "holes")
        return self.add("Where", [holes, self.constant("missing", missing[None]), "X"], "features")

    def label(self, outputs: str, names: tuple[str, ...]) -> None:
        """Make ``label``, the name of the first of the greatest outputs (n_rows, n_outputs)."""
        best = self.add("ArgMax", [outputs], "best", axis=1, keepdims=0)
        texts = self.constant("names", np.array(names, dtype=object))
        self.add("Gather", [texts, best], "label", axis=0)

"""What every exported model is made of: the arrays of its trees, end to end, with their names.

A tree alone is the forest of itself, so that the answer to a row is always ::

    outputs = (votes[leaf of tree 1] + votes[leaf of tree 2] + ...) / total

and a label the first of the greatest outputs. A tree alone may have linear leaves in place of
votes (for classes their softmax are the outputs), and stand behind splines, of which a program
makes in float64, rounded to float32 in the end, ::

    z = (x - centre) / deviation
    read = [*z, *(max(z[j] - t, 0) for j, t in zip(spline.features, spline.knots))]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treecore.core.linear_leaves import LinearLeaves
from treecore.core.routing import leaf_labels, leaf_probabilities
from treecore.core.tree import Tree
from treecore.data.feature_maps import SplineMap
from treecore.ensembles.forest import Forest, leaf_votes
from treecore.ensembles.packed import Packed, pack
from treecore.persistence import Document, TreeFormatError
from treecore.persistence.document import check_model


@dataclass(frozen=True, eq=False)
class ExportTables:
    """The trees of a document as one set of arrays, ``packed`` end to end.

    total: what sums of votes are divided by; numeric: else outputs are shares, which sum to 1;
    feature_names, missing: of a row; names: of classes or numbers; spline: makes the features, or
    None.
    """

    model: Tree | Forest
    packed: Packed
    total: float
    numeric: bool
    feature_names: tuple[str, ...]
    names: tuple[str, ...]
    missing: np.ndarray
    spline: SplineMap | None = None

    @property
    def n_read(self) -> int:
        return self.trees[0].n_features

    @property
    def trees(self) -> tuple[Tree, ...]:
        return (self.model,) if isinstance(self.model, Tree) else self.model.trees

    @property
    def linear(self) -> LinearLeaves | None:
        """The linear leaves of a tree alone that has them."""
        return self.model.linear if isinstance(self.model, Tree) else None

    @property
    def logistic(self) -> bool:
        """Whether its linear leaves give log-odds of classes."""
        return self.linear is not None and not self.numeric

    @property
    def n_oblique(self) -> int:
        return len(self.packed.weights)

    def votes_of(self, number: int) -> np.ndarray:
        """What the leaves of one tree add, float64 (n_leaves, n_outputs)."""
        first = sum(tree.n_leaves for tree in self.trees[:number])
        return self.packed.votes[first : first + self.trees[number].n_leaves]

    def model_rows(self) -> np.ndarray:
        """The linear leaves as low, high, intercept and weights, (n_leaves, n_outputs, 3 + p)."""
        assert self.linear is not None, "leaves are linear"
        numbers = [self.linear.low, self.linear.high, self.linear.intercept]
        return np.concatenate([np.stack(numbers, axis=-1), self.linear.weights], axis=-1)

    def sparse_weights(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The oblique splits' weights in compressed sparse rows: start, column, weight."""
        row, column = np.nonzero(self.packed.weights)
        start = np.searchsorted(row, np.arange(self.n_oblique + 1))
        return start, column, self.packed.weights[row, column]


def export_tables(document: Document, target: str, linear: bool = False) -> ExportTables:
    """The arrays of a document's trees; TreeFormatError, with the ``target``, where it has none."""
    check_model(document.model)
    model, splines = document.model, document.feature_map
    if splines is not None and not isinstance(splines, SplineMap):
        raise TreeFormatError(
            f"this tree reads {splines.title}, which {target} has no place for: export it as JSON, "
            "or train without them"
        )
    if isinstance(model, Tree):
        numeric = bool(document.output_names)
        if model.linear is not None and not linear:
            raise TreeFormatError(
                f"this tree has linear leaves, which {target} has no place for: export it as "
                "JSON, Python, C, JavaScript, SQL or ONNX, or learn with leaf='constant'"
            )
        trees: tuple[Tree, ...] = (model,)
        total = 1.0
        votes = model.values.astype(np.float64) if numeric else leaf_shares(model)
    elif isinstance(model, Forest):
        numeric, trees = model.answer == "mean", model.trees
        total = float(model.weights.cumsum()[-1])
        weights = zip(trees, model.weights.tolist(), strict=True)
        votes = np.concatenate([leaf_votes(tree, model.answer, w) for tree, w in weights])
    else:
        raise TreeFormatError(
            f"the leaves of a hinge forest are multiplied by margins, which {target} has no place "
            "for: export it as ONNX or JSON"
        )
    return ExportTables(
        model,
        pack(trees, votes),
        total,
        numeric,
        document.feature_names,
        document.output_names or document.class_names,
        trees[0].missing if splines is None else splines.missing.astype(np.float32),
        splines,
    )


def child_places(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """The left and right children of splits in one table of nodes: all splits, then all leaves."""
    left, right = (np.where(c >= 0, c, tree.n_splits + ~c) for c in (tree.left, tree.right))
    return left, right


def leaf_shares(tree: Tree) -> np.ndarray:
    """Class probabilities of leaves (n_leaves, n_classes), of which the label's is the greatest."""
    shares, labels = leaf_probabilities(tree), leaf_labels(tree)
    lost = np.flatnonzero(shares.argmax(axis=1) != labels)
    shares[lost, labels[lost]] = np.nextafter(shares[lost].max(axis=1), 1.0)
    return shares

"""Writes a document as JSON text."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from treecore.core.tree import OBLIQUE, Tree, check_tree
from treecore.data.feature_maps import FeatureMap, FourierMap
from treecore.persistence.document import TreeDocument, json_text, training_text
from treecore.persistence.envelope import TREE, block
from treecore.persistence.numbers import digit_rows


def to_json(document: TreeDocument, indent: int | None = None) -> str:
    """The document as JSON text, in ASCII.

    What comes back from :func:`from_json` is bit-equal, with one liberty: rows of ``weights``
    are stored with their splits and come back in the order of the splits.

    Parameters
    ----------
    document : TreeDocument
    indent : int, optional
        Spaces to indent by, with a line for each split and each leaf; None for a single line.

    Raises
    ------
    ValueError
        When the tree's numbers are no longer finite (its arrays may have been trained on since
        the document was made), or the text would be longer than a reader accepts.
    """
    tree = document.tree
    check_tree(tree)
    members = {"features": json.dumps(document.feature_names)}
    if document.output_names:
        members["outputs"] = json.dumps(document.output_names)
        leaves = number_leaf_texts(tree.values, document.counts)
    else:
        members["classes"] = json.dumps(document.class_names)
        leaves = leaf_texts(tree.values, document.counts)
    if document.feature_map is not None:
        if document.feature_map.missing.any():
            members["missing"] = json_text(document.feature_map.missing.tolist(), '"missing"')
        members["map"] = json_text(_map_content(document.feature_map), '"map"')
    elif tree.missing.any():
        (digits,) = digit_rows(tree.missing[None])
        members["missing"] = f"[{','.join(digits)}]"
    members |= {
        "splits": block("[]", list(split_texts(tree)), indent, level=2),
        "leaves": block("[]", list(leaves), indent, level=2),
        "training": training_text(document.training),
    }
    return TREE.text(document.version, members, indent, "prune it, or make its weights sparse")


def split_texts(tree: Tree) -> Iterator[str]:
    oblique = tree.feature == OBLIQUE
    weight_rows = digit_rows(tree.weights[tree.row[oblique]])
    threshold_rows = digit_rows(tree.threshold[:, None])
    columns = zip(
        tree.feature.tolist(), threshold_rows, tree.left.tolist(), tree.right.tolist(), strict=True
    )
    for feature, (threshold,), left, right in columns:
        if feature == OBLIQUE:
            test = f'"weights":{_weights_text(next(weight_rows))}'
        else:
            test = f'"feature":{feature}'
        children = f'"left":{_child_text(left)},"right":{_child_text(right)}'
        yield f'{{{test},"threshold":{threshold},{children}}}'


def _child_text(child: int) -> str:
    return f'{{"split":{child}}}' if child >= 0 else f'{{"leaf":{~child}}}'


def _weights_text(digits: list[str]) -> str:
    """One row of weights: dense, or the entries that are not zero where that is shorter."""
    dense = f"[{','.join(digits)}]"
    kept = [i for i, number in enumerate(digits) if number != "0.0"]  # "-0.0" is kept
    values = ",".join([digits[i] for i in kept])
    sparse = f'{{"indices":[{",".join(map(str, kept))}],"values":[{values}]}}'
    return min(dense, sparse, key=len)


def leaf_texts(values: np.ndarray, counts: np.ndarray | None) -> Iterator[str]:
    if counts is None:
        for digits in digit_rows(values):
            yield f'{{"value":[{",".join(digits)}],"samples":null,"impurity":null}}'
        return
    impurities = digit_rows(_entropy(counts)[:, None])
    for digits, samples, (impurity,) in zip(
        digit_rows(values), counts.tolist(), impurities, strict=True
    ):
        known = impurity if any(samples) else "null"
        row = ",".join(map(str, samples))
        yield f'{{"value":[{",".join(digits)}],"samples":[{row}],"impurity":{known}}}'


def number_leaf_texts(values: np.ndarray, counts: np.ndarray | None) -> Iterator[str]:
    samples = ["null"] * len(values) if counts is None else map(str, counts[:, 0].tolist())
    for digits, number in zip(digit_rows(values), samples, strict=True):
        yield f'{{"value":[{",".join(digits)}],"samples":{number},"impurity":null}}'


def _map_content(feature_map: FeatureMap) -> dict:
    """The numbers of a map; Python writes a float64 with the fewest digits that give it back."""
    names = ("weights", "offsets")
    kind, rest = "fourier", {}
    if not isinstance(feature_map, FourierMap):
        kind, rest = "nystroem", {"gamma": feature_map.gamma}
        names = ("components", "normalization")
    own = rest | {name: getattr(feature_map, name).tolist() for name in names}
    shared = {name: getattr(feature_map, name).tolist() for name in ("centre", "deviation")}
    return shared | {kind: own}


def _entropy(counts: np.ndarray) -> np.ndarray:
    """Entropy in bits of each row of ``counts``, float32 array of shape (n_leaves,)."""
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True, dtype=np.float64), 1)
    bits = -share * np.log2(share, out=np.zeros_like(share), where=share > 0)
    return np.abs(bits.sum(axis=1)).astype(np.float32)  # abs: a pure leaf has -0.0

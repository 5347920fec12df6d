"""A tree as two lists of a file, splits and leaves, and back; the format of a single tree."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np

from treecore.core.linear_leaves import LinearLeaves
from treecore.core.tree import OBLIQUE, Tree, means_go_left
from treecore.data.feature_maps import FeatureMap
from treecore.persistence.codec import Codec, Decoded
from treecore.persistence.document import MAX_COUNT, Document
from treecore.persistence.feature_map import read_map, write_map
from treecore.persistence.text import plain, plain_rows
from treecore.persistence.values import TreeFormatError, Values

_AXIS_ALIGNED = {"feature", "threshold", "left", "right"}
_DIRECTED = {*_AXIS_ALIGNED, "missing"}
_OBLIQUE = {"weights", "threshold", "left", "right"}
_LEAF = {"value", "samples", "impurity"}


def read_missing(content: Values, n_features: int) -> np.ndarray:
    """What NaN is read as, float32 of shape (n_features,); zeros where a file does not say."""
    if "missing" not in content.items[0]:
        return np.zeros(n_features, dtype=np.float32)
    return content.at("missing").vector(n_features)


def read_tree(
    splits: list[Any], leaves: list[Any], missing: np.ndarray, n_outputs: int, numeric: bool
) -> tuple[Tree, np.ndarray | None]:
    """A tree, and the counts of its leaves or None, from two lists; TreeFormatError for others.

    What only the tree as a whole can show is left to :class:`Document`, which checks it.
    """
    every = Values(splits, "split {}".format).all_of(dict)
    for i in (i for i, record in enumerate(splits) if "levels" in record):
        every.refuse(
            i, "sends sets of categories to its sides, which this treecore cannot read; update it"
        )
    split = every.records(_AXIS_ALIGNED, _DIRECTED, _OBLIQUE)
    leaf = Values(leaves, "leaf {}".format).records(_LEAF)
    oblique = [i for i, record in enumerate(splits) if "weights" in record]
    axis_aligned = [i for i, record in enumerate(splits) if "feature" in record]
    if len(leaves) != len(splits) + 1:
        raise TreeFormatError(
            f"a tree with {len(splits)} splits has {len(splits) + 1} leaves, "
            f"but the file lists {len(leaves)}; were some lost?"
        )
    feature = np.full(len(splits), OBLIQUE, dtype=np.int32)
    feature[axis_aligned] = split.pick(axis_aligned).at("feature").integers(len(missing))
    row = np.full(len(splits), -1, dtype=np.int32)
    row[oblique] = np.arange(len(oblique))
    tree = Tree(
        weights=_read_weights(split.pick(oblique), len(missing)),
        threshold=split.at("threshold").floats(),
        feature=feature,
        row=row,
        left=_read_children(split, "left"),
        right=_read_children(split, "right"),
        values=read_numbers(leaf.at("value"), n_outputs, numeric),
        missing=missing,
        missing_left=np.zeros(len(splits), dtype=bool),
    )
    tree = tree._replace(missing_left=_read_sides(split, means_go_left(tree)))
    return tree, _read_counts(leaf, 1 if numeric else n_outputs, numeric)


def _read_children(split: Values, side: str) -> np.ndarray:
    """One child reference a split, as in ``Tree.left``, int32 array of shape (n_splits,)."""
    children = split.at(side)
    for i, child in enumerate(children.items):
        if type(child) is not dict or len(child) != 1 or not child.keys() <= {"split", "leaf"}:
            children.refuse(i, 'must be an object with one key, "split" or "leaf", and its number')
    is_split = np.array(["split" in child for child in children.items], dtype=bool)
    references = Values([*chain.from_iterable(map(dict.values, children.items))], children.place)
    numbers = references.integers(np.where(is_split, len(is_split), len(is_split) + 1))
    return np.where(is_split, numbers, ~numbers).astype(np.int32)


def _read_sides(split: Values, of_means: np.ndarray) -> np.ndarray:
    """Whether splits send a missing value left, bool (n_splits,): as they say, or as the means."""
    said = [i for i, record in enumerate(split.items) if "missing" in record]
    sides = split.pick(said).at("missing")
    for i, side in enumerate(sides.items):
        if side not in ("left", "right"):
            sides.refuse(i, 'must be "left" or "right", the side of a missing value')
    of_means[said] = [side == "left" for side in sides.items]
    return of_means


def _read_weights(split: Values, n_features: int) -> np.ndarray:
    """The weights of oblique splits, float32 array (n_oblique, n_features)."""
    rows = split.at("weights")
    weights = np.zeros((len(rows.items), n_features), dtype=np.float32)
    dense = [i for i, row in enumerate(rows.items) if type(row) is not dict]
    weights[dense] = rows.pick(dense).matrix(n_features)
    pairs = [i for i, row in enumerate(rows.items) if type(row) is dict]
    sparse = rows.pick(pairs)
    for k, row in enumerate(sparse.items):
        lists = [row.get("indices"), row.get("values")]
        if len(row) != 2 or {*map(type, lists)} != {list} or len({*map(len, lists)}) != 1:
            raise TreeFormatError(
                f'{split.place(pairs[k])}: sparse "weights" must be the two lists "indices" and '
                '"values", of one length'
            )
    entries = Values([row["indices"] for row in sparse.items], sparse.place).entries("")
    indices = entries.integers(n_features)
    values = Values([*chain.from_iterable(row["values"] for row in sparse.items)], entries.place)
    places = np.repeat(np.array(pairs, dtype=np.int64), [len(r["indices"]) for r in sparse.items])
    places = places * n_features + indices  # rise through the rows if they do within each
    for k in np.flatnonzero(np.diff(places) <= 0)[:1] + 1:
        entries.refuse(
            k,
            f"has index {indices[k]} after {indices[k - 1]}; sort the indices and give each once",
        )
    weights.reshape(-1)[places] = values.floats()
    return weights


def _read_counts(leaf: Values, width: int, numeric: bool) -> np.ndarray | None:
    """The counts of all leaves; their impurities follow from them and are only checked."""
    impurity, samples = leaf.at("impurity"), leaf.at("samples")
    impurity = impurity.pick([i for i, x in enumerate(impurity.items) if x is not None])
    for i in np.flatnonzero(impurity.floats() < 0)[:1]:
        impurity.refuse(i, "is an entropy and cannot be negative")
    unknown = [i for i, row in enumerate(samples.items) if row is None]
    if len(unknown) == len(samples.items):
        return None
    if unknown:
        samples.refuse(unknown[0], "is null; give the samples of all leaves or of none")
    if not numeric:
        samples = samples.lists(width).entries("")
    return samples.integers(MAX_COUNT + 1).reshape(-1, width)


def split_records(tree: Tree) -> Iterator[dict[str, Any]]:
    """The splits of a tree as a file has them, in their order."""
    oblique = tree.weights[tree.row[tree.feature == OBLIQUE]]
    weights = map(_weights, oblique, plain_rows(oblique))
    is_said = np.not_equal(tree.missing_left, means_go_left(tree))
    for i, threshold in enumerate(plain(tree.threshold)):
        feature = int(tree.feature[i])
        record: dict[str, Any] = {"feature": feature}
        if feature == OBLIQUE:
            record = {"weights": next(weights)}
        record["threshold"] = threshold
        if is_said[i]:
            record["missing"] = "left" if tree.missing_left[i] else "right"
        yield record | {"left": _child(int(tree.left[i])), "right": _child(int(tree.right[i]))}


def _child(child: int) -> dict[str, int]:
    return {"split": child} if child >= 0 else {"leaf": ~child}


def _weights(weights: np.ndarray, numbers: list[float]) -> list[float] | dict[str, list[Any]]:
    """One row of weights: dense, or, where most of them are zero, those that are not."""
    places = np.flatnonzero(weights.view(np.int32)).tolist()  # -0.0 stays
    if 2 * len(places) >= len(numbers):
        return numbers
    return {"indices": places, "values": [numbers[i] for i in places]}


def leaf_records(
    values: np.ndarray, counts: np.ndarray | None, numeric: bool
) -> Iterator[dict[str, Any]]:
    """The leaves of a tree as a file has them, in order, with the entropy of counts of classes."""
    samples: list[Any] = [None] * len(values)
    impurities: list[float | None] = [None] * len(values)
    if counts is not None and numeric:
        samples = counts[:, 0].tolist()
    elif counts is not None:
        samples, entropies = counts.tolist(), plain(_entropy(counts))
        impurities = [e if any(n) else None for e, n in zip(entropies, samples, strict=True)]
    for value, sample, impurity in zip(
        plain_rows(number_rows(values, numeric)), samples, impurities, strict=True
    ):
        yield {"value": value, "samples": sample, "impurity": impurity}


def _entropy(counts: np.ndarray) -> np.ndarray:
    """Entropy in bits of each row of ``counts``, float32 array of shape (n_leaves,)."""
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True, dtype=np.float64), 1)
    bits = -share * np.log2(share, out=np.zeros_like(share), where=share > 0)
    return np.abs(bits.sum(axis=1)).astype(np.float32)  # abs: a pure leaf has -0.0


def _linear_records(linear: LinearLeaves, numeric: bool) -> Iterator[dict[str, Any]]:
    """The linear models of the leaves as a file has them, in their order."""
    columns = (plain_rows(number_rows(part, numeric)) for part in linear[1:])
    for weights, *rest in zip(linear.weights, *columns, strict=True):
        yield dict(zip(linear._fields, ([*plain_rows(weights)], *rest), strict=True))


def read_numbers(rows: Values, length: int, numeric: bool) -> np.ndarray:
    """Log-odds, float32 (n_rows, length), or numbers of the targets, float64 within its range."""
    found = rows.matrix(length)
    return rows.matrix(length, np.float64) if numeric else found


def number_rows(matrix: np.ndarray, numeric: bool) -> np.ndarray:
    """What is written so that :func:`read_numbers` gives back the same numbers."""
    return matrix.astype(np.float64 if numeric else np.float32)


def read_linear(models: list[Any], n_outputs: int, n_features: int, numeric: bool) -> LinearLeaves:
    """Linear models from a list; TreeFormatError with the first place that is wrong."""
    leaf = Values(models, "linear leaf {}".format).records({*LinearLeaves._fields})
    weights = leaf.at("weights").lists(n_outputs).entries(", output {},").matrix(n_features)
    rest = (read_numbers(leaf.at(name), n_outputs, numeric) for name in LinearLeaves._fields[1:])
    return LinearLeaves(weights.reshape(-1, n_outputs, n_features), *rest)


def _read(content: Values, n_features: int, n_outputs: int, numeric: bool) -> Decoded:
    record = content.items[0]
    feature_map: FeatureMap | None = None
    if "filters" in record:
        raise TreeFormatError(
            "the tree reads learnt filters, which treecore no longer has: use version 0.1 for "
            "it, or train it again without filters"
        )
    if "map" in record:
        feature_map = read_map(content, n_features)
        missing = np.zeros(feature_map.n_components, dtype=np.float32)
    else:
        missing = read_missing(content, n_features)
    tree, counts = read_tree(record["splits"], record["leaves"], missing, n_outputs, numeric)
    if "linear" in record:
        content.at("linear").all_of(list)
        linear = read_linear(record["linear"], n_outputs, tree.n_features, numeric)
        tree = tree._replace(linear=linear)
    return Decoded(tree, counts, feature_map)


def _write(document: Document) -> dict[str, Any]:
    tree, feature_map, numeric = document.tree, document.feature_map, bool(document.output_names)
    members: dict[str, Any] = {}
    if isinstance(feature_map, FeatureMap):
        if feature_map.missing.any():
            members["missing"] = feature_map.missing.tolist()
        members["map"] = write_map(feature_map)
    elif tree.missing.any():
        members["missing"] = plain(tree.missing)
    members["splits"] = split_records(tree)
    members["leaves"] = leaf_records(tree.values, document.counts, numeric)
    if tree.linear is not None:
        members["linear"] = _linear_records(tree.linear, numeric)
    return members


TREE = Codec(
    kind="tree",
    format="treecore-tree",
    version=5,
    needed=lambda document: 5 if document.tree.has_directions else 1,
    required={"splits": list, "leaves": list},
    optional=("missing", "map", "filters", "linear"),
    since={"outputs": 2, "map": 2, "linear": 3, "filters": 4},
    advice="prune it, or make its weights sparse",
    read=_read,
    write=_write,
)

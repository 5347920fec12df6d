"""A forest as one JSON file: what its trees share, then the trees, and how they answer together.

``forest.schema.json`` beside this module describes every key. A tree of the list with what is
beside the list is a tree of :mod:`treecore.persistence`, so its reader is all that is missing
here; for the most probable class of ``x``, or for the numbers of a forest of regression trees::

    import json

    def predict_together(text, x):
        forest = json.loads(text)
        sums = [0.0] * len(forest.get("classes", forest.get("outputs")))
        for tree, weight in zip(forest["trees"], forest["weights"]):
            said = answer(forest["answer"], value_of(forest | tree, x))
            sums = [a + weight * b for a, b in zip(sums, said)]
        if forest["answer"] == "mean":
            return [a / sum(forest["weights"]) for a in sums]
        return forest["classes"][sums.index(max(sums))]

    def answer(kind, value):
        if kind == "votes":
            return [float(i == value.index(max(value))) for i in range(len(value))]
        if kind == "shares":
            odds = [exp(v - max(value)) for v in value]
            return [odd / sum(odds) for odd in odds]
        return value

where ``value_of`` walks down a tree to the ``value`` of its leaf, as :mod:`treecore.persistence`
shows. What may be added to the format, and what not, is as said there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from treecore.ensembles.forest import ANSWERS, Forest
from treecore.persistence.codec import Codec, Decoded
from treecore.persistence.document import MAX_TREES, Document
from treecore.persistence.text import plain
from treecore.persistence.tree import leaf_records, read_missing, read_tree, split_records
from treecore.persistence.values import TreeFormatError, Values


def _read(content: Values, n_features: int, n_outputs: int, numeric: bool) -> Decoded:
    record = content.items[0]
    answer, trees = record["answer"], record["trees"]
    if answer not in ANSWERS:
        raise TreeFormatError(f'"answer" must be one of {", ".join(ANSWERS)}')
    if (answer == "mean") != numeric:
        right, wrong = ("classes", "outputs") if numeric else ("outputs", "classes")
        raise TreeFormatError(f'a forest that answers by "{answer}" has "{right}", not "{wrong}"')
    if "map" in record:
        raise TreeFormatError('a forest has no "map"')
    if not 1 <= len(trees) <= MAX_TREES:
        raise TreeFormatError(f"a forest has 1 to {MAX_TREES} trees, not {len(trees)}")
    listed = Values(trees, "tree {}".format).records({"splits", "leaves"})
    for key in ("splits", "leaves"):
        listed.at(key).all_of(list)
    weights = content.at("weights").entries().floats(np.float64)
    missing = read_missing(content, n_features)
    members = []
    for number, tree in enumerate(trees):
        try:
            member, _ = read_tree(tree["splits"], tree["leaves"], missing, n_outputs, numeric)
        except TreeFormatError as error:
            raise TreeFormatError(f"tree {number}: {error}") from None
        members.append(member)
    return Decoded(Forest(tuple(members), weights, answer))


def _write(document: Document) -> dict[str, Any]:
    forest = document.model
    assert isinstance(forest, Forest)
    missing = forest.trees[0].missing
    return {
        **({"missing": plain(missing)} if missing.any() else {}),
        "answer": forest.answer,
        "weights": forest.weights.tolist(),
        "trees": _tree_records(forest, bool(document.output_names)),
    }


def _tree_records(forest: Forest, numeric: bool) -> Iterator[dict[str, Any]]:
    for tree in forest.trees:
        leaves = leaf_records(tree.values, None, numeric)
        yield {"splits": [*split_records(tree)], "leaves": [*leaves]}


def _needed_version(document: Document) -> int:
    assert isinstance(document.model, Forest)
    return 2 if any(tree.has_directions for tree in document.model.trees) else 1


FOREST = Codec(
    kind="forest",
    format="treecore-forest",
    version=2,
    needed=_needed_version,
    required={"answer": object, "weights": list, "trees": list},
    optional=("missing",),
    advice="prune its trees, or write fewer",
    read=_read,
    write=_write,
)

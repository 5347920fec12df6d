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

import os
from dataclasses import dataclass, field

from treecore.base.atomic_write import replace_file
from treecore.core.tree import check_tree, tree_depth
from treecore.ensembles.forest import ANSWERS, Forest
from treecore.persistence.document import (
    MAX_DEPTH,
    MAX_FEATURES,
    MAX_SPLITS,
    MAX_WEIGHTS,
    TreeFormatError,
    check_names,
    check_sizes,
    json_text,
    kind,
    training_text,
)
from treecore.persistence.envelope import Header, block, read_file
from treecore.persistence.numbers import digit_rows, float64
from treecore.persistence.reader import parse, read_missing, read_tree
from treecore.persistence.writer import leaf_texts, number_leaf_texts, split_texts

HEADER = Header("treecore-forest", 1, "forest")

MAX_TREES = 100_000

_SHARED = {"format", "version", "features", "answer", "weights", "trees", "training"}
_KEYS = _SHARED | {"classes", "outputs", "missing"}


@dataclass(frozen=True, eq=False)
class ForestDocument:
    """A forest with what a stranger needs to use it, checked when made.

    Attributes
    ----------
    forest : Forest
    feature_names : tuple of str, one for each of ``forest.n_features``, all different
    class_names : tuple of str, one for each of ``forest.n_outputs``, all different
        Empty for a forest of numbers.
    output_names : tuple of str, one for each of ``forest.n_outputs``, all different
        What a forest of numbers predicts. Empty for one of classes.
    training : dict
        How it was trained, as JSON; see :class:`treecore.persistence.TreeDocument`.
    """

    forest: Forest
    feature_names: tuple[str, ...]
    class_names: tuple[str, ...] = ()
    output_names: tuple[str, ...] = ()
    training: dict = field(default_factory=dict)

    def __post_init__(self):
        forest = self.forest
        if forest.n_trees > MAX_TREES:
            raise TreeFormatError(f"a file holds at most {MAX_TREES} trees, not {forest.n_trees}")
        n_splits = n_oblique = 0
        for number, tree in enumerate(forest.trees):
            n_splits, n_oblique = n_splits + tree.n_splits, n_oblique + len(tree.weights)
            try:
                check_tree(tree)
            except ValueError as error:
                raise TreeFormatError(f"tree {number}: {error}") from None
            depth = tree_depth(tree)
            if depth > MAX_DEPTH:
                raise TreeFormatError(
                    f"tree {number} is {depth} splits deep, but at most {MAX_DEPTH} fit"
                )
        _check_whole(n_splits, forest.n_features, n_oblique)
        check_names(self.feature_names, "feature", forest.n_features)
        if bool(self.output_names) != (forest.answer == "mean"):
            raise TreeFormatError(
                f'a forest that answers by "{forest.answer}" has '
                + ("outputs" if forest.answer == "mean" else "classes")
            )
        if self.class_names and self.output_names:
            raise TreeFormatError("a forest has classes or outputs, not both")
        names = self.output_names or self.class_names
        check_names(names, "output" if self.output_names else "class", forest.n_outputs)
        training_text(self.training)


def forest_to_json(document: ForestDocument, indent: int | None = None) -> str:
    """The forest as JSON text, in ASCII; what is read back is bit-equal, as of a tree.

    Parameters
    ----------
    document : ForestDocument
    indent : int, optional
        Spaces to indent by, with a line for each tree; None for a single line.

    Raises
    ------
    ValueError
        When the text would be longer than a reader accepts.
    """
    forest = document.forest
    numbers = bool(document.output_names)
    own = {"outputs": document.output_names} if numbers else {"classes": document.class_names}
    members = {
        "features": json_text(document.feature_names, '"features"'),
        **{key: json_text(names, f'"{key}"') for key, names in own.items()},
    }
    missing = forest.trees[0].missing
    if missing.any():
        (digits,) = digit_rows(missing[None])
        members["missing"] = f"[{','.join(digits)}]"
    texts = number_leaf_texts if numbers else leaf_texts
    trees = [
        f'{{"splits":[{",".join(split_texts(tree))}],'
        f'"leaves":[{",".join(texts(tree.values, None))}]}}'
        for tree in forest.trees
    ]
    members |= {
        "answer": f'"{forest.answer}"',
        "weights": json_text(forest.weights.tolist(), '"weights"'),
        "trees": block("[]", trees, indent, level=2),
        "training": training_text(document.training),
    }
    return HEADER.text(HEADER.version, members, indent, "prune its trees, or write fewer")


def forest_from_json(text: str | bytes) -> ForestDocument:
    """The forest in a JSON text (UTF-8 when in bytes), after checking everything about it.

    Raises
    ------
    TreeFormatError
        With one sentence that says what is wrong and where. Nothing else is raised, whatever
        the text.
    """
    content = parse(text)
    _check_header(content)
    features, answer, trees = content["features"], content["answer"], content["trees"]
    names = content["outputs" if answer == "mean" else "classes"]
    check_names(features, "feature")
    check_names(names, "output" if answer == "mean" else "class")
    if len(features) > MAX_FEATURES:
        raise TreeFormatError(
            f"the forest has {len(features)} features, but at most {MAX_FEATURES} fit"
        )
    _check_trees(trees, len(features))
    weights = float64(content["weights"], lambda i: f'"weights", entry {i},')
    missing = read_missing(content, len(features))
    read = []
    for number, tree in enumerate(trees):
        try:
            read.append(
                read_tree(tree["splits"], tree["leaves"], missing, len(names), answer != "mean")[0]
            )
        except TreeFormatError as error:
            raise TreeFormatError(f"tree {number}: {error}") from None
    unknown = {key: content[key] for key in content.keys() - _KEYS}
    json_text(unknown, "what the file adds to the format")
    try:
        forest = Forest(tuple(read), weights, answer)
    except ValueError as error:
        raise TreeFormatError(str(error)) from None
    return ForestDocument(
        forest,
        tuple(features),
        training=content.get("training", {}),
        **{"output_names" if answer == "mean" else "class_names": tuple(names)},
    )


def save_forest(document: ForestDocument, path: str | os.PathLike) -> None:
    """Write the forest to ``path``, which holds the old file or the new one but never half."""
    replace_file(path, forest_to_json(document, indent=1).encode("ascii"))


def load_forest(path: str | os.PathLike) -> ForestDocument:
    """Read the forest in the file ``path``.

    Raises
    ------
    TreeFormatError
        As :func:`forest_from_json`, with the path before the sentence.
    """
    return read_file(path, forest_from_json)


def _check_header(content: object) -> None:
    HEADER.check(content)
    answer = content.get("answer")
    if type(answer) is not str or answer not in ANSWERS:
        raise TreeFormatError(f'"answer" must be one of {", ".join(ANSWERS)}')
    own, other = ("outputs", "classes") if answer == "mean" else ("classes", "outputs")
    if other in content:
        raise TreeFormatError(f'a forest that answers by "{answer}" has "{own}", not "{other}"')
    HEADER.check_lists(content, ("features", own, "weights", "trees"))
    if "map" in content:
        raise TreeFormatError('a forest has no "map"')


def _check_trees(trees: list, n_features: int) -> None:
    """Refuse what is no list of trees, or asks for too much before any of it is made."""
    if not 1 <= len(trees) <= MAX_TREES:
        raise TreeFormatError(f"a forest has 1 to {MAX_TREES} trees, not {len(trees)}")
    n_splits = n_oblique = 0
    for number, tree in enumerate(trees):
        if type(tree) is not dict or tree.keys() != {"splits", "leaves"}:
            raise TreeFormatError(
                f'tree {number} must be an object with exactly the keys "splits" and "leaves"'
            )
        for key in ("splits", "leaves"):
            if type(tree[key]) is not list:
                raise TreeFormatError(
                    f'tree {number}: "{key}" must be a list, not {kind(tree[key])}'
                )
        n_splits += len(tree["splits"])
        n_oblique += sum(type(s) is dict and "weights" in s for s in tree["splits"])
    _check_whole(n_splits, n_features, n_oblique)


def _check_whole(n_splits: int, n_features: int, n_oblique: int) -> None:
    try:
        # Many small trees may have more splits than one large tree, which routes deeper.
        check_sizes(min(n_splits, MAX_SPLITS), n_features, n_oblique)
    except TreeFormatError as error:
        raise TreeFormatError(str(error).replace("the tree has", "the forest has")) from None
    if n_splits > MAX_WEIGHTS:
        raise TreeFormatError(f"the forest has {n_splits} splits, but at most {MAX_WEIGHTS} fit")

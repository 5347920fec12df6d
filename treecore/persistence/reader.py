"""Reads a document from JSON text, and says what is wrong where that is not one."""

from __future__ import annotations

import json
from collections import Counter
from itertools import chain

import numpy as np

from treecore.core.tree import OBLIQUE, Tree
from treecore.data.feature_maps import FeatureMap, FourierMap, NystroemMap
from treecore.persistence.document import (
    MAX_BYTES,
    MAX_COUNT,
    TreeDocument,
    TreeFormatError,
    check_names,
    check_sizes,
    json_text,
    kind,
    show,
)
from treecore.persistence.envelope import TREE
from treecore.persistence.numbers import (
    Where,
    flatten,
    float32,
    float32_rows,
    float64,
    float64_rows,
    integers,
)

_AXIS_ALIGNED = {"feature", "threshold", "left", "right"}
_OBLIQUE = {"weights", "threshold", "left", "right"}
_LEAF = {"value", "samples", "impurity"}
_FOURIER = {"weights", "offsets"}
_NYSTROEM = {"gamma", "components", "normalization"}
_LISTS = ("features", "splits", "leaves")
_KEYS = {"format", "version", *_LISTS, "classes", "outputs", "missing", "map", "training"}


def from_json(text: str | bytes) -> TreeDocument:
    """The document in a JSON text (UTF-8 when in bytes), after checking everything about it.

    Raises
    ------
    TreeFormatError
        With one sentence that says what is wrong and where. Nothing else is raised, whatever
        the text.
    """
    content = parse(text)
    _check_header(content)
    features, names = content["features"], content["outputs" if "outputs" in content else "classes"]
    check_names(features, "feature")
    check_names(names, "output" if "outputs" in content else "class")
    feature_map, missing = _read_map(content, len(features)), read_missing(content, len(features))
    if feature_map is not None:
        missing = np.zeros(feature_map.n_components, dtype=np.float32)
    tree, counts = read_tree(
        content["splits"], content["leaves"], missing, len(names), "outputs" not in content
    )
    unknown = {key: content[key] for key in content.keys() - _KEYS}
    json_text(unknown, "what the file adds to the format")
    return TreeDocument(
        tree,
        tuple(features),
        counts=counts,
        training=content.get("training", {}),
        feature_map=feature_map,
        **{"output_names" if "outputs" in content else "class_names": tuple(names)},
    )


def read_tree(
    splits: list, leaves: list, missing: np.ndarray, n_outputs: int, classes: bool
) -> tuple[Tree, np.ndarray | None]:
    """A tree, and the examples in its leaves where they are told, from two lists of a file.

    What only the tree as a whole can show is left to :func:`treecore.core.tree.check_tree`.

    Parameters
    ----------
    splits, leaves : list
        Of anything.
    missing : float32 array, shape (n_features,)
    n_outputs : int
    classes : bool
        Whether leaves count examples of each class.

    Raises
    ------
    TreeFormatError
    """
    n_columns = len(missing)
    _check_records(splits, "split", _AXIS_ALIGNED, _OBLIQUE)
    _check_records(leaves, "leaf", _LEAF)
    oblique = [i for i, split in enumerate(splits) if "weights" in split]
    check_sizes(len(splits), n_columns, len(oblique))
    if len(leaves) != len(splits) + 1:
        raise TreeFormatError(
            f"a tree with {len(splits)} splits has {len(splits) + 1} leaves, "
            f"but the file lists {len(leaves)}; were some lost?"
        )
    left, right = _read_children(splits, "left"), _read_children(splits, "right")
    _check_children(left, right)
    feature = np.full(len(splits), OBLIQUE, dtype=np.int32)
    axis_aligned = [i for i, split in enumerate(splits) if "feature" in split]
    feature[axis_aligned] = integers(
        [splits[i]["feature"] for i in axis_aligned],
        n_columns,
        lambda k: f'split {axis_aligned[k]}: "feature"',
    )
    row = np.full(len(splits), -1, dtype=np.int32)
    row[oblique] = np.arange(len(oblique))
    tree = Tree(
        weights=_read_weights(splits, oblique, n_columns),
        threshold=float32([split["threshold"] for split in splits], _key("split", "threshold")),
        feature=feature,
        row=row,
        left=left,
        right=right,
        values=float32_rows([leaf["value"] for leaf in leaves], n_outputs, _key("leaf", "value")),
        missing=missing,
    )
    return tree, _read_counts(leaves, n_outputs if classes else None)


def parse(text: str | bytes) -> object:
    """What a JSON text says; a sentence on what is wrong where it is none."""
    if len(text) > MAX_BYTES:
        raise TreeFormatError(f"the file is longer than {MAX_BYTES / 1e6:.0f} MB; is it a tree?")
    try:
        if isinstance(text, bytes):
            text = text.decode()
        text = text.removeprefix("\ufeff")  # some editors mark UTF-8 with it
        if not text.strip():
            raise TreeFormatError("the file is empty; was the export interrupted?")
        return json.loads(text, object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise TreeFormatError(
            f"byte {error.start} is not UTF-8; a tree file is text, saved as UTF-8"
        ) from None
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        guess = "the file seems to be cut off" if cut else "export the tree again, or mend it there"
        raise TreeFormatError(
            f"not JSON at line {error.lineno}, column {error.colno}: {error.msg}; {guess}"
        ) from None
    except RecursionError:
        raise TreeFormatError("brackets are nested too deeply for a tree file") from None
    except TreeFormatError:
        raise
    except ValueError:  # from int(), which refuses to spend quadratic time
        raise TreeFormatError("an integer has thousands of digits; no key needs one") from None


def _object(pairs: list[tuple[str, object]]) -> dict:
    """Refuse a key given twice, of which readers would pick different ones."""
    result = dict(pairs)
    if len(result) < len(pairs):
        (twice, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise TreeFormatError(f"an object has the key {show(twice)} twice; remove one of them")
    return result


def _check_header(content: object) -> None:
    if TREE.check(content) == 1:
        for key in ("outputs", "map"):
            if key in content:
                raise TreeFormatError(f'a file with "{key}" must have "version" 2, or be misread')
    if "classes" in content and "outputs" in content:
        raise TreeFormatError('a tree has "classes" or "outputs", not both')
    TREE.check_lists(content, (*_LISTS, "outputs" if "outputs" in content else "classes"))


def _check_records(records: list, name: str, *shapes: set[str]) -> None:
    for i, record in enumerate(records):
        if type(record) is not dict:
            raise TreeFormatError(f"{name} {i} must be an object, not {kind(record)}")
        if record.keys() not in shapes:
            wanted = " or ".join(show(sorted(shape)) for shape in shapes)
            raise TreeFormatError(
                f"{name} {i} must have exactly the keys {wanted}; it has {show(sorted(record))}"
            )


def _read_children(splits: list[dict], side: str) -> np.ndarray:
    """One child reference a split, as in ``Tree.left``, int32 array of shape (n_splits,)."""
    children = [split[side] for split in splits]
    for i, child in enumerate(children):
        if type(child) is not dict or len(child) != 1 or not child.keys() <= {"split", "leaf"}:
            raise TreeFormatError(f'split {i}: "{side}" must be {{"split": i}} or {{"leaf": i}}')
    is_split = np.array(["split" in child for child in children], dtype=bool)
    limit = np.where(is_split, len(splits), len(splits) + 1)
    numbers = integers(
        [*chain.from_iterable(map(dict.values, children))], limit, _key("split", side)
    )
    return np.where(is_split, numbers, ~numbers).astype(np.int32)


def _check_children(left: np.ndarray, right: np.ndarray) -> None:
    """Check that the children form one tree: see ``_check_children`` of the tree for the why."""
    n_splits = left.size
    for side in (left, right):
        early = np.flatnonzero((side >= 0) & (side <= np.arange(n_splits)))
        if early.size:
            i = early[0]
            raise TreeFormatError(
                f"split {i} has the child split {side[i]}: a child must have a greater number "
                "than its parent, so that there are no cycles; renumber the splits"
            )
    children = np.concatenate([left, right])
    order = np.argsort(children, kind="stable")
    twice = np.flatnonzero(np.diff(children[order]) == 0)
    if twice.size:
        first, second = order[twice[0] : twice[0] + 2]
        everyone = np.concatenate([np.arange(1, n_splits), ~np.arange(n_splits + 1)])
        orphan = np.setdiff1d(everyone, children)[0]
        raise TreeFormatError(
            f"{_node(children[first])} is a child of split {first % n_splits} and again of split "
            f"{second % n_splits}, and {_node(orphan)} of none; each needs one parent"
        )


def _read_weights(splits: list[dict], oblique: list[int], n_features: int) -> np.ndarray:
    """The rows of the splits numbered ``oblique``, float32 array (n_oblique, n_features)."""
    weights = np.zeros((len(oblique), n_features), dtype=np.float32)
    rows = [splits[i]["weights"] for i in oblique]
    dense = [r for r, row in enumerate(rows) if type(row) is not dict]
    weights[dense] = float32_rows(
        [rows[r] for r in dense], n_features, lambda k: f'split {oblique[dense[k]]}: "weights"'
    )
    sparse = [r for r, row in enumerate(rows) if type(row) is dict]
    pairs = [_index_value_lists(rows[r], oblique[r]) for r in sparse]
    lengths = np.array([len(indices) for indices, _ in pairs], dtype=np.int64)
    owner = np.repeat(np.array(sparse, dtype=np.int64), lengths)  # the row of each entry

    def where(k):
        return f'split {oblique[owner[k]]}: "weights"'

    indices = integers([i for indices, _ in pairs for i in indices], n_features, where)
    values = float32([value for _, values in pairs for value in values], where)
    cells = owner * n_features + indices  # rise through the rows if they do within each
    unordered = np.flatnonzero(np.diff(cells) <= 0)
    if unordered.size:
        k = unordered[0] + 1
        raise TreeFormatError(
            f"{where(k)} has index {indices[k]} after {indices[k - 1]}; "
            "sort the indices and give each once"
        )
    weights.reshape(-1)[cells] = values
    return weights


def _index_value_lists(row: dict, split: int) -> tuple[list, list]:
    lists = row.get("indices"), row.get("values")
    if len(row) != 2 or not all(type(x) is list for x in lists) or len(lists[0]) != len(lists[1]):
        raise TreeFormatError(
            f'split {split}: sparse "weights" must be the two lists "indices" and "values", '
            "of one length"
        )
    return lists


def read_missing(content: dict, n_features: int) -> np.ndarray:
    """What NaN is read as; float32, for a map float64, of shape (n_features,)."""
    if "missing" not in content:
        return np.zeros(n_features, dtype=np.float64 if "map" in content else np.float32)
    rows = float64_rows if "map" in content else float32_rows
    return rows([content["missing"]], n_features, lambda k: '"missing"')[0]


def _read_map(content: dict, n_features: int) -> FeatureMap | None:
    if "map" not in content:
        return None
    record = content["map"]
    kinds = record.keys() - {"centre", "deviation"} if type(record) is dict else ()
    if len(kinds) != 1 or len(record) != 3 or not kinds <= {"fourier", "nystroem"}:
        raise TreeFormatError(
            '"map" must have exactly the keys "centre", "deviation" and "fourier" or "nystroem"'
        )
    (name,) = kinds
    own, wanted = record[name], _FOURIER if name == "fourier" else _NYSTROEM
    if type(own) is not dict or own.keys() != wanted:
        raise TreeFormatError(
            f'"{name}" of "map" must have exactly the keys {show(sorted(wanted))}'
        )
    shared = [
        float64_rows([record[key]], n_features, lambda _, key=key: f'"map": "{key}"')[0]
        for key in ("centre", "deviation")
    ]
    shared = [read_missing(content, n_features), *shared]
    if name == "fourier":
        weights = _map_rows(own, "weights", n_features)
        offsets = float64_rows([own["offsets"]], len(weights), lambda _: '"map": "offsets"')[0]
        return FourierMap(*shared, weights, offsets)
    components = _map_rows(own, "components", n_features)
    gamma = float(float64([own["gamma"]], lambda _: '"map": "gamma"')[0])
    return NystroemMap(*shared, gamma, components, _map_rows(own, "normalization", len(components)))


def _map_rows(record: dict, key: str, length: int) -> np.ndarray:
    rows = record[key]
    if type(rows) is not list or not rows:
        raise TreeFormatError(f'"map": "{key}" must be a list that is not empty')
    return float64_rows(rows, length, lambda k: f'"map": "{key}", row {k}')


def _read_counts(leaves: list[dict], n_classes: int | None) -> np.ndarray | None:
    """The counts of all leaves; their impurities follow from them and are only checked.

    ``n_classes`` is None where leaves count rows, not rows of each class.
    """
    known = [i for i, leaf in enumerate(leaves) if leaf["impurity"] is not None]
    impurities = float32(
        [leaves[i]["impurity"] for i in known], lambda k: f'leaf {known[k]}: "impurity"'
    )
    if (impurities < 0).any():
        leaf = known[np.argmax(impurities < 0)]
        raise TreeFormatError(f'leaf {leaf}: "impurity" is an entropy and cannot be negative')
    samples = [leaf["samples"] for leaf in leaves]
    unknown = [i for i, row in enumerate(samples) if row is None]
    if len(unknown) == len(leaves):
        return None
    if unknown:
        raise TreeFormatError(
            f'leaf {unknown[0]}: "samples" is null; give the samples of all leaves or of none'
        )
    where = _key("leaf", "samples")
    if n_classes is None:
        return integers(samples, MAX_COUNT + 1, where)[:, None]
    flat = flatten(samples, n_classes, where)
    counts = integers(flat, MAX_COUNT + 1, lambda k: where(k // n_classes))
    return counts.reshape(-1, n_classes)


def _key(name: str, key: str) -> Where:
    return lambda i: f'{name} {i}: "{key}"'


def _node(child: int) -> str:
    return f"split {child}" if child >= 0 else f"leaf {~child}"

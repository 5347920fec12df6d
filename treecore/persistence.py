"""A tree as one JSON file that anyone can read: the format, its writer and its checks.

``tree.schema.json`` beside this module describes every key. In short: ``splits`` and ``leaves``
are lists, split 0 is the root (leaf 0 when there are no splits), and a child is written
``{"split": 3}`` or ``{"leaf": 2}``. A child split has a greater number than its parent. This is
a complete reader, for the most probable class of ``x``, a list of numbers::

    import json

    def predict(text, x):
        tree = json.loads(text)
        node = {"split": 0} if tree["splits"] else {"leaf": 0}
        while "split" in node:
            split = tree["splits"][node["split"]]
            if "feature" in split:
                product = x[split["feature"]]
            elif isinstance(split["weights"], dict):
                pairs = zip(split["weights"]["indices"], split["weights"]["values"])
                product = sum(weight * x[i] for i, weight in pairs)
            else:
                product = sum(weight * number for weight, number in zip(split["weights"], x))
            node = split["right"] if product > split["threshold"] else split["left"]
        value = tree["leaves"][node["leaf"]]["value"]
        return tree["classes"][value.index(max(value))]

Numbers are float32, written with the fewest digits that read back to the same bits. This reader
computes in float64, and so may decide otherwise than treecore where a product equals a threshold
up to float32 rounding; a reader for which that matters rounds both numbers and ``x`` to float32.

A later version of the format may add keys at the top level and under ``training``, and a reader
ignores those it does not know. Splits and leaves admit no unknown keys: one that changed what a
split means must not be overlooked. Such a change, or any other of meaning, raises ``version``,
and a reader refuses versions it does not know.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import reprlib
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import numpy as np

from treecore.tree import OBLIQUE, Tree, check_tree, tree_depth

FORMAT = "treecore-tree"
FORMAT_VERSION = 1

# Above these a file is an accident or an attack. MAX_WEIGHTS bounds what a few bytes of sparse
# weights can ask for: a million splits on 100,000 features would be 400 GB.
MAX_BYTES = 200_000_000
MAX_SPLITS = 1_000_000
MAX_FEATURES = 100_000
MAX_WEIGHTS = 100_000_000
MAX_DEPTH = 512
MAX_COUNT = 2**53 - 1
"""The greatest integer that readers with only float64 numbers, like JavaScript, tell apart."""

_AXIS_ALIGNED = {"feature", "threshold", "left", "right"}
_OBLIQUE = {"weights", "threshold", "left", "right"}
_LEAF = {"value", "samples", "impurity"}
_LISTS = ("features", "classes", "splits", "leaves")
_KEYS = {"format", "version", *_LISTS, "training"}
_TRAINING = {
    "method": ((str,), "a string"),
    "settings": ((dict,), "an object"),
    "seed": ((int, type(None)), "a whole number or null"),
    "data": ((dict,), "an object"),
    "metrics": ((dict,), "an object"),
    "treecore": ((str,), "a string"),
}


class TreeFormatError(ValueError):
    """What was read, or is to be written, is not a tree in this format; says what and where."""


@dataclass(frozen=True, eq=False)
class TreeDocument:
    """A tree with what a stranger needs to use it, checked when made.

    Attributes
    ----------
    tree : Tree
    feature_names : tuple of str, one for each of ``tree.n_features``, all different
    class_names : tuple of str, one for each of ``tree.n_outputs``, all different
    counts : integer array, shape (n_leaves, n_classes), or None
        Training examples of each class in each leaf, where they are known.
    training : dict
        How the tree was trained, as JSON: ``method``, ``settings``, ``seed``, ``data`` (name,
        fingerprint, n_samples), ``metrics``, ``treecore`` (version), each optional, and
        whatever else a trainer wants to tell.
    """

    tree: Tree
    feature_names: tuple[str, ...]
    class_names: tuple[str, ...]
    counts: np.ndarray | None = None
    training: dict = field(default_factory=dict)

    def __post_init__(self):
        tree = self.tree
        check_tree(tree)
        _check_sizes(tree.n_splits, tree.n_features, tree.weights.shape[0])
        depth = tree_depth(tree)
        if depth > MAX_DEPTH:
            raise TreeFormatError(f"the tree is {depth} splits deep, but at most {MAX_DEPTH} fit")
        _check_names(self.feature_names, "feature", tree.n_features)
        _check_names(self.class_names, "class", tree.n_outputs)
        _check_counts(self.counts, tree.values.shape)
        _training_text(self.training)


def fingerprint(X: np.ndarray, y: np.ndarray) -> str:
    """A name for a training set that changes with any of its numbers, as 64 hex digits.

    Parameters
    ----------
    X : array, shape (n_samples, n_features)
        Hashed as little-endian float32 in C order, so float64 data have the fingerprint of what
        a trainer sees of them; before it the ASCII text of both shapes, ``"(150, 4) (150,)"``.
    y : integer array, shape (n_samples,)
        Class indices, hashed as little-endian int64.
    """
    X, y = np.asarray(X), np.asarray(y)
    if y.dtype.kind not in "iu":
        raise ValueError(f"y must hold class indices, not {y.dtype}")
    digest = hashlib.sha256(f"{X.shape} {y.shape}".encode())
    digest.update(np.ascontiguousarray(X, dtype="<f4"))
    digest.update(np.ascontiguousarray(y, dtype="<i8"))
    return digest.hexdigest()


def save(document: TreeDocument, path: str | os.PathLike) -> None:
    """Write ``document`` to ``path``, which holds the old file or the new one but never half.

    Raises
    ------
    ValueError
        As :func:`to_json`, and then the old file is untouched.
    """
    path = Path(path)
    text = to_json(document, indent=1)
    # Opened by name, not by `tempfile`, whose files only their owner may read.
    temporary = path.with_name(f".{uuid.uuid4().hex}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(text.encode("ascii"))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def load(path: str | os.PathLike) -> TreeDocument:
    """Read the tree in the file ``path``.

    Raises
    ------
    TreeFormatError
        As :func:`from_json`, with the path before the sentence.
    """
    with open(path, "rb") as file:
        text = file.read(MAX_BYTES + 1)
    try:
        return from_json(text)
    except TreeFormatError as error:
        raise TreeFormatError(f"{os.fspath(path)}: {error}") from error


# ------------------------------------------------------------------------------------ writing


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
    members = {
        "format": json.dumps(FORMAT),
        "version": str(FORMAT_VERSION),
        "features": json.dumps(document.feature_names),
        "classes": json.dumps(document.class_names),
        "splits": _block("[]", list(_split_texts(tree)), indent, level=2),
        "leaves": _block("[]", list(_leaf_texts(tree.values, document.counts)), indent, level=2),
        "training": _training_text(document.training),
    }
    text = _block("{}", [f'"{key}":{value}' for key, value in members.items()], indent, level=1)
    if len(text) > MAX_BYTES:
        raise TreeFormatError(
            f"the tree takes {len(text) / 1e6:.0f} MB as JSON, but at most "
            f"{MAX_BYTES / 1e6:.0f} MB can be read back; prune it, or make its weights sparse"
        )
    return text


def _block(brackets: str, items: list[str], indent: int | None, level: int) -> str:
    opening, closing = brackets
    if indent is None or not items:
        return opening + ",".join(items) + closing
    outer = "\n" + " " * (indent * (level - 1))
    inner = "\n" + " " * (indent * level)
    return opening + inner + ("," + inner).join(items) + outer + closing


def _split_texts(tree: Tree) -> Iterator[str]:
    oblique = tree.feature == OBLIQUE
    weight_rows = _digit_rows(tree.weights[tree.row[oblique]])
    threshold_rows = _digit_rows(tree.threshold[:, None])
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


def _leaf_texts(values: np.ndarray, counts: np.ndarray | None) -> Iterator[str]:
    if counts is None:
        for digits in _digit_rows(values):
            yield f'{{"value":[{",".join(digits)}],"samples":null,"impurity":null}}'
        return
    impurities = _digit_rows(_entropy(counts)[:, None])
    for digits, samples, (impurity,) in zip(
        _digit_rows(values), counts.tolist(), impurities, strict=True
    ):
        known = impurity if any(samples) else "null"
        row = ",".join(map(str, samples))
        yield f'{{"value":[{",".join(digits)}],"samples":[{row}],"impurity":{known}}}'


def _entropy(counts: np.ndarray) -> np.ndarray:
    """Entropy in bits of each row of ``counts``, float32 array of shape (n_leaves,)."""
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True, dtype=np.float64), 1)
    bits = -share * np.log2(share, out=np.zeros_like(share), where=share > 0)
    return np.abs(bits.sum(axis=1)).astype(np.float32)  # abs: a pure leaf has -0.0


def _digit_rows(matrix: np.ndarray) -> Iterator[list[str]]:
    """The digits of a float32 matrix, row by row.

    NumPy's shortest digits tell float32 numbers apart, but JSON readers round to float64 on the
    way, and of two roundings the second can fall on the wrong side: 7.038531e-26 does. There the
    longer digits of the float64 are exact.
    """
    step = max(1, 2**16 // matrix.shape[1])  # NumPy's text takes 128 bytes a number
    for start in range(0, matrix.shape[0], step):
        block = np.ascontiguousarray(matrix[start : start + step])
        digits = block.astype(str)
        back = digits.astype(np.float64).astype(np.float32)
        wrong = back.view(np.uint32) != block.view(np.uint32)
        if wrong.any():
            digits[wrong] = [repr(float(number)) for number in block[wrong]]
        yield from digits.tolist()


# ------------------------------------------------------------------------------------ reading


def from_json(text: str | bytes) -> TreeDocument:
    """The document in a JSON text (UTF-8 when in bytes), after checking everything about it.

    Raises
    ------
    TreeFormatError
        With one sentence that says what is wrong and where. Nothing else is raised, whatever
        the text.
    """
    content = _parse(text)
    _check_header(content)
    features, classes, splits, leaves = (content[key] for key in _LISTS)
    _check_names(features, "feature")
    _check_names(classes, "class")
    _check_records(splits, "split", _AXIS_ALIGNED, _OBLIQUE)
    _check_records(leaves, "leaf", _LEAF)
    oblique = [i for i, split in enumerate(splits) if "weights" in split]
    _check_sizes(len(splits), len(features), len(oblique))
    if len(leaves) != len(splits) + 1:
        raise TreeFormatError(
            f"a tree with {len(splits)} splits has {len(splits) + 1} leaves, "
            f"but the file lists {len(leaves)}; were some lost?"
        )
    left, right = _read_children(splits, "left"), _read_children(splits, "right")
    _check_children(left, right)
    feature = np.full(len(splits), OBLIQUE, dtype=np.int32)
    axis_aligned = [i for i, split in enumerate(splits) if "feature" in split]
    feature[axis_aligned] = _integers(
        [splits[i]["feature"] for i in axis_aligned],
        len(features),
        lambda k: f'split {axis_aligned[k]}: "feature"',
    )
    row = np.full(len(splits), -1, dtype=np.int32)
    row[oblique] = np.arange(len(oblique))
    tree = Tree(
        weights=_read_weights(splits, oblique, len(features)),
        threshold=_float32([split["threshold"] for split in splits], _key("split", "threshold")),
        feature=feature,
        row=row,
        left=left,
        right=right,
        values=_float32_rows(
            [leaf["value"] for leaf in leaves], len(classes), _key("leaf", "value")
        ),
    )
    counts = _read_counts(leaves, len(classes))
    unknown = {key: content[key] for key in content.keys() - _KEYS}
    _json_text(unknown, "what the file adds to the format")
    return TreeDocument(tree, tuple(features), tuple(classes), counts, content.get("training", {}))


def _parse(text: str | bytes) -> object:
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
        raise TreeFormatError(f"an object has the key {_show(twice)} twice; remove one of them")
    return result


def _check_header(content: object) -> None:
    if type(content) is not dict:
        raise TreeFormatError(f"a tree file holds an object, not {_kind(content)}")
    if content.get("format") != FORMAT:
        raise TreeFormatError(
            f'this is not a tree exported by treecore, whose "format" must be "{FORMAT}"'
        )
    version = content.get("version")
    if type(version) is not int or version < 1:
        raise TreeFormatError(f'"version" must be {FORMAT_VERSION}, the version of the format')
    if version > FORMAT_VERSION:
        raise TreeFormatError(
            f"the file has version {_show(version)} of the format and this treecore reads "
            f"version {FORMAT_VERSION}; update treecore"
        )
    for key in _LISTS:
        if key not in content:
            raise TreeFormatError(f'the key "{key}" is missing; export the tree again')
        if type(content[key]) is not list:
            raise TreeFormatError(f'"{key}" must be a list, not {_kind(content[key])}')


def _check_records(records: list, name: str, *shapes: set[str]) -> None:
    for i, record in enumerate(records):
        if type(record) is not dict:
            raise TreeFormatError(f"{name} {i} must be an object, not {_kind(record)}")
        if record.keys() not in shapes:
            wanted = " or ".join(_show(sorted(shape)) for shape in shapes)
            raise TreeFormatError(
                f"{name} {i} must have exactly the keys {wanted}; it has {_show(sorted(record))}"
            )


def _read_children(splits: list[dict], side: str) -> np.ndarray:
    """One child reference a split, as in ``Tree.left``, int32 array of shape (n_splits,)."""
    children = [split[side] for split in splits]
    for i, child in enumerate(children):
        if type(child) is not dict or len(child) != 1 or not child.keys() <= {"split", "leaf"}:
            raise TreeFormatError(f'split {i}: "{side}" must be {{"split": i}} or {{"leaf": i}}')
    is_split = np.array(["split" in child for child in children], dtype=bool)
    limit = np.where(is_split, len(splits), len(splits) + 1)
    numbers = _integers(
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
    weights[dense] = _float32_rows(
        [rows[r] for r in dense], n_features, lambda k: f'split {oblique[dense[k]]}: "weights"'
    )
    sparse = [r for r, row in enumerate(rows) if type(row) is dict]
    pairs = [_index_value_lists(rows[r], oblique[r]) for r in sparse]
    lengths = np.array([len(indices) for indices, _ in pairs], dtype=np.int64)
    owner = np.repeat(np.array(sparse, dtype=np.int64), lengths)  # the row of each entry

    def where(k):
        return f'split {oblique[owner[k]]}: "weights"'

    indices = _integers([i for indices, _ in pairs for i in indices], n_features, where)
    values = _float32([value for _, values in pairs for value in values], where)
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


def _read_counts(leaves: list[dict], n_classes: int) -> np.ndarray | None:
    """The counts of all leaves; their impurities follow from them and are only checked."""
    known = [i for i, leaf in enumerate(leaves) if leaf["impurity"] is not None]
    impurities = _float32(
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
    flat = _flat(samples, n_classes, where)
    counts = _integers(flat, MAX_COUNT + 1, lambda k: where(k // n_classes))
    return counts.reshape(-1, n_classes)


# -------------------------------------------------------------------- numbers, many at a time

Where = Callable[[int], str]
"""Names the place of entry ``i`` of some numbers, for an error message."""


def _key(name: str, key: str) -> Where:
    return lambda i: f'{name} {i}: "{key}"'


def _flat(rows: list, length: int, where: Where) -> list:
    """The entries of ``rows``, each a list of ``length`` entries, in one list."""
    for r, row in enumerate(rows):
        if type(row) is not list:
            raise TreeFormatError(f"{where(r)} must be a list, not {_kind(row)}")
        if len(row) != length:
            raise TreeFormatError(f"{where(r)} has {len(row)} entries and must have {length}")
    return [*chain.from_iterable(rows)]


def _float64(numbers: list, where: Where) -> np.ndarray:
    if not set(map(type, numbers)) <= {int, float}:  # the type of True is bool
        k = next(k for k, number in enumerate(numbers) if type(number) not in (int, float))
        raise TreeFormatError(f"{where(k)} must be a number, not {_kind(numbers[k])}")
    try:
        return np.array(numbers, dtype=np.float64)
    except OverflowError:  # an integer of more than 308 digits, and infinite for all that follows
        return np.array([x if abs(x) < 2**1023 else math.inf for x in numbers])


def _float32(numbers: list, where: Where) -> np.ndarray:
    with np.errstate(all="ignore"):
        result = _float64(numbers, where).astype(np.float32)
    bad = np.flatnonzero(~np.isfinite(result))
    if bad.size:
        k = bad[0]
        raise TreeFormatError(
            f"{where(k)} is {_show(numbers[k])}, and must be a finite float32, within ±3.4e38"
        )
    return result


def _float32_rows(rows: list, length: int, where: Where) -> np.ndarray:
    flat = _flat(rows, length, where)
    numbers = _float32(flat, lambda k: f"{where(k // length)}, entry {k % length},")
    return numbers.reshape(len(rows), length)


def _integers(numbers: list, limit: int | np.ndarray, where: Where) -> np.ndarray:
    """The ``numbers`` as int64, from 0 to below ``limit`` (one, or one for each)."""
    floats = _float64(numbers, where)
    bad = np.flatnonzero(~((floats >= 0) & (floats < limit) & (floats == np.floor(floats))))
    if bad.size:
        k = bad[0]
        most = np.broadcast_to(limit, floats.shape)[k] - 1
        raise TreeFormatError(
            f"{where(k)} is {_show(numbers[k])}, and must be a whole number from 0 to {most}"
        )
    return floats.astype(np.int64)


# ------------------------------------------------------------- checks of files and of documents


def _check_sizes(n_splits: int, n_features: int, n_oblique: int) -> None:
    for size, limit, things in (
        (n_splits, MAX_SPLITS, "splits"),
        (n_features, MAX_FEATURES, "features"),
        (n_oblique * n_features, MAX_WEIGHTS, "weights (oblique splits times features)"),
    ):
        if size > limit:
            raise TreeFormatError(f"the tree has {size} {things}, but at most {limit} fit")


def _check_names(names: Sequence[str], what: str, count: int | None = None) -> None:
    if count is not None and len(names) != count:
        raise TreeFormatError(f"the tree needs {count} {what} names, but has {len(names)}")
    if not names:
        raise TreeFormatError(f"a tree needs at least one {what}")
    seen = set()
    for i, name in enumerate(names):
        if not isinstance(name, str):
            raise TreeFormatError(f"{what} name {i} must be a string, not {_kind(name)}")
        if name in seen:
            raise TreeFormatError(f"two {what} names are {_show(name)}; rename one of them")
        seen.add(name)


def _check_counts(counts: np.ndarray | None, shape: tuple[int, int]) -> None:
    if counts is None:
        return
    if counts.shape != shape or counts.dtype.kind not in "iu":
        raise TreeFormatError(
            f"counts must be integers of shape {shape} (leaves, classes), "
            f"not {counts.dtype} of shape {counts.shape}"
        )
    if counts.min() < 0 or counts.max() > MAX_COUNT:
        raise TreeFormatError(f"counts must be from 0 to {MAX_COUNT}")


def _training_text(training: dict) -> str:
    if type(training) is not dict:
        raise TreeFormatError(f'"training" must be an object, not {_kind(training)}')
    for key, (types, wanted) in _TRAINING.items():
        if key in training and type(training[key]) not in types:
            raise TreeFormatError(
                f'"{key}" of "training" must be {wanted}, not {_kind(training[key])}'
            )
    return _json_text(training, '"training"')


def _json_text(value: object, where: str) -> str:
    try:
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise TreeFormatError(f"{where} must be plain finite JSON: {error}") from None


def _kind(value: object) -> str:
    """What ``value`` is, in the words of JSON."""
    words = {str: "a string", bool: "a boolean", type(None): "null", list: "a list"}
    words |= {dict: "an object", int: "a number", float: "a number"}
    return words.get(type(value), f"a Python {type(value).__name__}")


def _show(value: object) -> str:
    return reprlib.repr(value)


def _node(child: int) -> str:
    return f"split {child}" if child >= 0 else f"leaf {~child}"

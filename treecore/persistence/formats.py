"""Documents as JSON text and as files, whatever kind of model they hold."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from treecore.base.atomic_write import replacing
from treecore.base.limits import LIBRARY, Limits
from treecore.persistence.codec import Codec
from treecore.persistence.columns import read_columns, write_columns
from treecore.persistence.document import (
    MAX_FEATURES,
    Document,
    check_model,
    check_names,
    check_size,
)
from treecore.persistence.forest import FOREST
from treecore.persistence.hinge import HINGE
from treecore.persistence.text import json_text
from treecore.persistence.tree import TREE
from treecore.persistence.values import TreeFormatError, Values, parse, shown, type_of

CODECS = (TREE, FOREST, HINGE)
"""All kinds of models that a file may hold."""


def to_json(document: Document, indent: int | None = None) -> str:
    """The document as JSON text, in ASCII.

    What comes back from :func:`from_json` is bit-equal, with one liberty: rows of ``weights`` of
    a tree are stored with their splits and come back in the order of the splits.

    Parameters
    ----------
    document : Document
    indent : int, optional
        Spaces to indent by, with a line for each split and leaf of a single tree, or for each
        tree of a forest; None for a single line.

    Raises
    ------
    ValueError
        When the model's numbers are no longer finite (its arrays may have been trained on since
        the document was made), or the text would be longer than a reader accepts.
    """
    check_model(document.model)
    (codec,) = (codec for codec in CODECS if codec.kind == document.kind)
    members = _names(document) | codec.write(document) | {"training": document.training}
    version = max(codec.needed(document), *(codec.since.get(key, 1) for key in members))
    members = {"format": codec.format, "version": version} | members
    texts = (f'"{key}":{_member_text(key, value, indent)}' for key, value in members.items())
    text = _in_lines("{}", texts, indent, level=1)
    if len(text) > LIBRARY.json_bytes:
        raise TreeFormatError(
            f"the {codec.kind} takes {len(text) / 1e6:.0f} MB as JSON, but at most "
            f"{LIBRARY.json_bytes / 1e6:.0f} MB can be read back; {codec.advice}"
        )
    return text


def _names(document: Document) -> dict[str, Any]:
    """The names of features and of classes or outputs, and the columns."""
    members: dict[str, Any] = {"features": document.feature_names}
    if document.output_names:
        members["outputs"] = document.output_names
    else:
        members["classes"] = document.class_names
    if document.columns:
        members["columns"] = write_columns(document.columns)
    return members


def _member_text(key: str, value: Any, indent: int | None) -> str:
    if not isinstance(value, Iterator):
        return json_text(value, f'"{key}"')
    items = (json_text(item, f'"{key}"') for item in value)
    return _in_lines("[]", items, indent, level=2)


def _in_lines(brackets: str, items: Iterable[str], indent: int | None, level: int) -> str:
    """A list or an object from the texts of its items, a line for each where indented."""
    opening, closing = brackets[0], brackets[1]
    items = [*items]
    if indent is None or not items:
        return opening + ",".join(items) + closing
    outer = "\n" + " " * (indent * (level - 1))
    inner = "\n" + " " * (indent * level)
    return opening + inner + ("," + inner).join(items) + outer + closing


def from_json(text: str | bytes, limits: Limits = LIBRARY) -> Document:
    """The document in a JSON text (UTF-8 when in bytes), after checking everything about it.

    Parameters
    ----------
    text : str or bytes
    limits : Limits
        How long, deep and full it may be; checked before any of it is made.

    Raises
    ------
    TreeFormatError
        With one sentence that says what is wrong and where. Nothing else is raised, whatever
        the text.
    """
    content = parse(text, limits)
    codec = _codec_of(content)
    root = Values([content], lambda _: "")
    named = _names_of(root, codec)
    features, names = content["features"], content[named]
    check_names(features, "feature", codec.kind)
    check_names(names, "output" if named == "outputs" else "class", codec.kind)
    check_size(codec.kind, len(features), MAX_FEATURES, "features")
    _check_weights(content, codec, limits)
    unknown = {key: content[key] for key in content.keys() - codec.keys}
    json_text(unknown, "what the file adds to the format")
    try:
        decoded = codec.read(root, len(features), len(names), named == "outputs")
        document = Document(
            **decoded._asdict(),
            feature_names=tuple(features),
            class_names=tuple(names) if named == "classes" else (),
            output_names=tuple(names) if named == "outputs" else (),
            training=content.get("training", {}),
            columns=read_columns(root) if "columns" in content else (),
        )
        if content["version"] < codec.needed(document):
            raise TreeFormatError(
                f'a file whose splits have "missing" must have "version" {codec.version}, '
                "or be misread"
            )
        return document
    except TreeFormatError:
        raise
    except ValueError as error:  # what a model says of arrays that do not fit together
        raise TreeFormatError(str(error)) from None


def save(document: Document, path: str | os.PathLike[str]) -> None:
    """Write ``document`` to ``path``, which holds the old file or the new one but never half.

    Raises ValueError as :func:`to_json`, and then the old file is untouched.
    """
    with replacing(path) as file:
        file.write(to_json(document, indent=1).encode("ascii"))


def load(path: str | os.PathLike[str]) -> Document:
    """Read the document in the file ``path``.

    Raises TreeFormatError as :func:`from_json`, with the path, and OSError where there is no file.
    """
    with open(path, "rb") as file:
        text = file.read(LIBRARY.json_bytes + 1)  # a longer file is refused, and not read whole
    try:
        return from_json(text)
    except TreeFormatError as error:
        raise TreeFormatError(f"{os.fspath(path)}: {error}") from error


def _codec_of(content: Any) -> Codec:
    """The codec of a file, which is of a format and a version that are known here."""
    if type(content) is list and content and type(content[0]) is dict and "nodeid" in content[0]:
        raise TreeFormatError(
            "this is a list of trees as XGBoost's get_dump writes them; save the model itself, by "
            'save_model("model.json")'
        )
    if type(content) is not dict:
        raise TreeFormatError(f"a tree file holds an object, not {type_of(content)}")
    codec = next((codec for codec in CODECS if codec.format == content.get("format")), None)
    if codec is None:
        formats = ", ".join(f'"{codec.format}"' for codec in CODECS)
        raise TreeFormatError(
            f'this is not a tree or forest exported by treecore, whose "format" must be {formats}'
        )
    version = content.get("version")
    if type(version) is not int or version < 1:
        known = " or ".join(map(str, range(1, codec.version + 1)))
        raise TreeFormatError(f'"version" must be {known}, the version of the format')
    if version > codec.version:
        raise TreeFormatError(
            f"the file has version {shown(version)} of the format and this treecore reads "
            f"versions up to {codec.version}; update treecore"
        )
    for key, first in codec.since.items():
        if key in content and version < first:
            raise TreeFormatError(f'a file with "{key}" must have "version" {first}, or be misread')
    return codec


def _check_weights(content: Any, codec: Codec, limits: Limits) -> None:
    """Refuse sparse weights that a few bytes of a file ask much memory for."""
    n_oblique = sum(
        type(split) is dict and "weights" in split
        for tree in (content["trees"] if codec is FOREST else [content])
        if type(tree) is dict and type(tree.get("splits")) is list
        for split in tree["splits"]
    )
    n_weights = n_oblique * len(content["features"])
    check_size(codec.kind, n_weights, limits.n_weights, "weights (oblique splits times features)")


def _names_of(root: Values, codec: Codec) -> str:
    """The key of the names of what is predicted, of a file that has all keys that it must have."""
    (content,) = root.items
    named = "outputs" if "outputs" in content else "classes"
    required = {"features": list, named: list, **codec.required}
    for key in required:
        if key not in content:
            raise TreeFormatError(
                f'the key "{key}" is missing; export the {codec.kind} again'
                + ', with "classes" or "outputs", one of the two' * (key == named)
            )
    if "classes" in content and "outputs" in content:
        raise TreeFormatError(f'a {codec.kind} has "classes" or "outputs", one of the two')
    for key, kind in required.items():
        if kind is not object:
            root.at(key).all_of(kind)
    return named

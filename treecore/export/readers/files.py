"""A model in a file of any package: which reader it is for."""

from __future__ import annotations

import os

from treecore.base.limits import LIBRARY, Limits
from treecore.export.readers.boosted import from_lightgbm, from_xgboost
from treecore.export.readers.onnx import from_onnx
from treecore.export.readers.ubjson import parse_ubjson
from treecore.persistence import Document, TreeFormatError, from_json
from treecore.persistence.values import parse


def read_any(path: str | os.PathLike[str]) -> Document:
    """The model in a file: of treecore, XGBoost (JSON, UBJ), LightGBM (text) or ONNX.

    Raises TreeFormatError with the path; ValueError where a package that reads it is missing.
    """
    with open(path, "rb") as file:
        content = file.read(LIBRARY.json_bytes + 1)
    try:
        return read_content(content)
    except TreeFormatError as error:
        raise TreeFormatError(f"{os.fspath(path)}: {error}") from error


def read_content(content: bytes, limits: Limits = LIBRARY) -> Document:
    """The model in what a file holds, of at most ``limits.json_bytes``; see :func:`read_any`."""
    if len(content) > limits.json_bytes:
        raise TreeFormatError(
            f"the file is longer than {limits.json_bytes / 1e6:.0f} MB; is it a model?"
        )
    start = content[:64].lstrip()
    if start.startswith(b"tree") and not start.startswith(b"treecore"):
        try:
            return from_lightgbm(content.decode().replace("\r\n", "\n"))
        except UnicodeDecodeError:
            raise TreeFormatError("the model of LightGBM is not UTF-8; save it again") from None
    if start.startswith(b"|---"):
        raise TreeFormatError(
            "this is what export_text of scikit-learn writes for people, with rounded thresholds; "
            "save the model as ONNX, by skl2onnx"
        )
    if start.startswith(b"\x80"):
        raise TreeFormatError(
            "this is a pickle or joblib file, which may contain a program and is not opened; save "
            "the model as ONNX, by skl2onnx"
        )
    if start.startswith(b"{L\0"):
        return from_xgboost(content, parse_ubjson(content, limits), "ubjson")
    utf_16 = start.startswith((b"\xff\xfe", b"\xfe\xff"))  # which JSON refuses by its name
    if start.startswith((b"{", b"[", b"\xef\xbb\xbf")) or not start or utf_16:
        given = parse(content, limits)
        if isinstance(given, dict) and "learner" in given:
            return from_xgboost(content, given, "json")
        return from_json(content, limits)
    # ONNX is protobuf: its first field is the version of its format, a small number.
    if content[:1] == b"\x08" and b"\0" < content[1:2] < b"\x80":
        return from_onnx(content)
    return from_json(content, limits)

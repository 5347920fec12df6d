"""The formats that a model can be written in: what command line, app and tests read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from treecore.persistence import Document, to_json


@dataclass(frozen=True)
class ExportFormat:
    """A format of files.

    Attributes
    ----------
    name, title, sentence : str
        On the command line; on the screen; what it is for.
    suffix : str
        The ending of its files, which chooses it where no name is given.
    media_type : str
        For browsers.
    write : callable (Document) -> bytes
        Raises a TreeFormatError, in one sentence, for a model that the format has no place for.
    binary : bool
        Whether its files are no text.
    exact : bool
        Whether every row reaches the leaf that it reaches in treecore. Where not, rows within
        float32 rounding of an oblique split may not: :func:`treecore.export.close_rows`.
    extra : str
        The extra of treecore that it needs; empty where it needs none.
    """

    name: str
    title: str
    sentence: str
    suffix: str
    media_type: str
    write: Callable[[Document], bytes]
    binary: bool = False
    exact: bool = False
    extra: str = ""

    @property
    def is_program(self) -> bool:
        """Whether it answers rows, and so can be run and compared."""
        return self.name not in ("json", "text", "dot")

    @property
    def available(self) -> bool:
        """Whether the package of its extra, which has the same name, is installed."""
        return not self.extra or find_spec(self.extra) is not None


def _json(document: Document) -> bytes:
    return to_json(document, indent=1).encode("ascii")


def _by(module: str) -> Callable[[Document], bytes]:
    """The writer of a module, which is imported when it writes: scikit-learn takes its time."""
    function = f"write_{module.rpartition('.')[2]}"
    return lambda document: getattr(import_module(f"treecore.export.{module}"), function)(document)


_ALL = (
    ExportFormat(
        "json",
        "JSON",
        "treecore's own documented format, restored bit for bit",
        ".json",
        "application/json",
        _json,
    ),
    ExportFormat(
        "text",
        "Text",
        "indented text with every weight of every split",
        ".txt",
        "text/plain",
        _by("text"),
    ),
    ExportFormat(
        "dot", "Graphviz", "a drawing for Graphviz", ".dot", "text/vnd.graphviz", _by("dot")
    ),
    ExportFormat(
        "onnx",
        "ONNX",
        "for onnxruntime, on servers, phones and in browsers",
        ".onnx",
        "application/octet-stream",
        _by("onnx"),
        binary=True,
        extra="onnx",
    ),
    ExportFormat(
        "sklearn",
        "scikit-learn",
        "a pipeline of a linear map and scikit-learn's own tree, for joblib",
        ".joblib",
        "application/octet-stream",
        _by("sklearn"),
        binary=True,
        exact=True,
    ),
    ExportFormat(
        "py",
        "Python",
        "a Python module without dependencies; equal up to rounding",
        ".py",
        "text/x-python",
        _by("programs.python"),
    ),
    ExportFormat(
        "c",
        "C",
        "C99 without dependencies; equal up to rounding",
        ".c",
        "text/x-c",
        _by("programs.c"),
    ),
    ExportFormat(
        "js",
        "JavaScript",
        "JavaScript for pages and Node.js; equal up to rounding",
        ".js",
        "text/javascript",
        _by("programs.javascript"),
    ),
    ExportFormat(
        "sql",
        "SQL",
        "one query on the table, for SQLite, DuckDB and PostgreSQL",
        ".sql",
        "application/sql",
        _by("programs.sql"),
    ),
)

FORMATS = {form.name: form for form in _ALL}
"""All formats by name."""

"""What an exported model answers when it is run, on the table as it is."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from treecore.data.readers.table import Table
from treecore.export.formats import ExportFormat
from treecore.export.programs.literals import sql_name
from treecore.persistence import Document

Rows = np.ndarray
"""float32 (n_rows, n_features), NaN where a value is missing."""


def run_program(form: ExportFormat, document: Document, content: bytes, rows: Rows) -> list[Any]:
    """Labels, or first numbers, of rows by a program; ValueError where nothing here runs it."""
    return _RUNNERS[form.name](document, content, rows.astype(np.float32))


def ask_sqlite(document: Document, query: bytes, table: Table | None, rows: Rows) -> list[Any]:
    """Labels, or first numbers, of a query's answer; table: None where features are all it has."""
    names = [column.name for column in document.columns] or list(document.feature_names)
    cells = _numbers(rows) if table is None else _cells(table, names)
    with closing(sqlite3.connect(":memory:")) as base:
        kind = "REAL" if table is None else "TEXT"
        base.execute(f'CREATE TABLE "data" ({", ".join(f"{sql_name(n)} {kind}" for n in names)})')
        base.executemany(f'INSERT INTO "data" VALUES ({", ".join("?" * len(names))})', cells)
        return [row[-(len(document.output_names) or 1)] for row in base.execute(query.decode())]


def _cells(table: Table, names: Sequence[str]) -> list[tuple[Any, ...]]:
    """The cells of a table as they are written, of columns by their names or else their places."""
    columns = list(names) if {*names} <= {*table.columns} else list(table.columns[: len(names)])
    parts = []
    for batch in table.batches(columns, columns):
        parts.append([_as_text(batch.column(name), table.dates.get(name)) for name in columns])
    return [row for part in parts for row in zip(*part, strict=True)]


def _as_text(column: pa.Array, date: str | None) -> list[Any]:
    if pa.types.is_string(column.type):
        return column.to_pylist()
    values = column.to_numpy(zero_copy_only=False)
    if date is None:
        return [None if np.isnan(value) else repr(value) for value in values.tolist()]
    times = np.full(len(values), np.datetime64("NaT"), dtype="datetime64[ms]")
    known = ~np.isnan(values)
    times[known] = np.rint(values[known] * 86_400_000).astype("datetime64[ms]")
    return [None if np.isnat(time) else str(time).replace("T", " ") for time in times]


def _numbers(rows: Rows) -> list[list[float | None]]:
    return [[None if np.isnan(value) else value for value in row] for row in rows.tolist()]


def _run_python(document: Document, content: bytes, rows: Rows) -> list[Any]:
    space: dict[str, Any] = {}
    exec(compile(content, "model.py", "exec"), space)
    return _first([space["predict"](row) for row in _numbers(rows)])


def _run_sklearn(document: Document, content: bytes, rows: Rows) -> list[Any]:
    import joblib
    import pandas as pd

    model = joblib.load(BytesIO(content))
    return _first(model.predict(pd.DataFrame(rows, columns=list(document.feature_names))).tolist())


def _run_onnx(document: Document, content: bytes, rows: Rows) -> list[Any]:
    try:
        import onnxruntime
    except ImportError:
        raise ValueError(
            "--check of ONNX needs its runtime: pip install 'treecore[onnx]'"
        ) from None
    session = onnxruntime.InferenceSession(content)
    return _first(session.run(None, {"X": rows})[0].tolist())


_MAIN = """\
#include <stdio.h>
#include "model.c"
int main(void)
{{
    static float x[{n}][MODEL_FEATURES];
    FILE *file = fopen("rows.bin", "rb");
    if (!file || fread(x, sizeof x, 1, file) != 1) return 1;
    for (int i = 0; i < {n}; i++) printf("%.17g\\n", (double)model_predict(x[i]));
    return 0;
}}
"""


def _run_c(document: Document, content: bytes, rows: Rows) -> list[Any]:
    compiler = _found("cc", "a C compiler, called cc")
    main = _MAIN.format(n=len(rows)).encode()
    files = {"model.c": content, "main.c": main, "rows.bin": rows.tobytes()}
    compiled = [compiler, "-std=c99", "-O1", "main.c", "-o", "model", "-lm"]
    found = [float(line) for line in _ran(files, compiled, ["./model"]).split()]
    names = document.class_names
    return [names[int(number)] for number in found] if names else found


_SCRIPT = """\
const rows = JSON.parse(require("fs").readFileSync("rows.json"));
console.log(JSON.stringify(rows.map(require("./model.js").predict)));
"""


def _run_javascript(document: Document, content: bytes, rows: Rows) -> list[Any]:
    node = _found("node", "Node.js")
    cells = json.dumps(_numbers(rows)).encode()
    files = {"model.js": content, "main.js": _SCRIPT.encode(), "rows.json": cells}
    return _first(json.loads(_ran(files, [node, "main.js"])))


def _found(command: str, what: str) -> str:
    if (path := shutil.which(command)) is None:
        raise ValueError(
            f"--check runs the program by {what}, which is not installed: install it, or "
            "leave out --check"
        )
    return path


def _ran(files: dict[str, bytes], *commands: list[str]) -> str:
    """What the last of some commands prints in a folder of the files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            Path(folder, name).write_bytes(content)
        for command in commands:
            ran = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, encoding="utf-8"
            )
            if ran.returncode:
                raise ValueError(f"the program does not run: {' '.join(ran.stderr.split())[:300]}")
    return ran.stdout


def _first(said: list[Any]) -> list[Any]:
    return [answer[0] if isinstance(answer, list) else answer for answer in said]


_RUNNERS: dict[str, Callable[[Document, bytes, Rows], list[Any]]] = {
    "py": _run_python,
    "sklearn": _run_sklearn,
    "onnx": _run_onnx,
    "c": _run_c,
    "js": _run_javascript,
}

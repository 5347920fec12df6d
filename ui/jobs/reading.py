"""Files of visitors, read within limits: small ones at once, others by a process of their own.

Reading holds the interpreter, and a hostile file might take all memory. So what is large, or
packed, is read by :mod:`ui.jobs.own_table`, ended when it takes more than it may.
"""

import dataclasses
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from treecore.base import UPLOADS
from treecore.data import PACKED, kind_of_file
from ui.jobs.own_table import OwnTable, Request, load_answer, read_here
from ui.language.translate import N_, _

IN_PLACE_BYTES = 1_000_000
"""Text up to this size is read at once: a process takes longer to begin than that to be read."""

MOST_SECONDS = 60.0

ROOT = Path(__file__).parents[2]


def read_own(
    content: bytes, request: Request, name: str = "table.csv", seconds: float = MOST_SECONDS
) -> OwnTable:
    """A visitor's file of that name; whatever its bytes, a table or a sentence comes of it."""
    if len(content) > UPLOADS.n_bytes:
        return OwnTable(
            problem=_(
                "the file is larger than {n_bytes:g} MB: keep only some of its rows",
                n_bytes=UPLOADS.n_bytes / 1e6,
            )
        )
    with tempfile.TemporaryDirectory(prefix="treecore-upload-") as folder:
        # A name that any system takes, with the endings of the visitor's.
        path = Path(folder, re.sub(r"[^\w. -]|^\.+", "_", Path(name).name)[-60:] or "_")
        path.write_bytes(content)
        is_packed = any(content.startswith(beginning) for beginning in PACKED)
        if len(content) <= IN_PLACE_BYTES and kind_of_file(path) == "text" and not is_packed:
            return read_here(path, request)
        return _read_elsewhere(path, request, seconds)


_ENDED = N_(
    "the file is damaged or needs too much memory: save it again, or save only some of its rows"
)


def _read_elsewhere(path: Path, request: Request, seconds: float) -> OwnTable:
    """The same by a process that is ended when it takes too long or too much."""
    with tempfile.TemporaryDirectory(prefix="treecore-answer-") as name:
        folder = Path(name)
        words = {"path": str(path), "request": dataclasses.asdict(request)}
        (folder / "request.json").write_text(json.dumps(words))
        paths = [str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
        # One thread each: a file is no reason to take all processors.
        single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        try:
            subprocess.run(
                [sys.executable, "-m", "ui.jobs.own_table", name],
                env={**os.environ, **single, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return OwnTable(
                problem=_(
                    "the file took more than {seconds:g} seconds to read: keep only some of its "
                    "rows or columns",
                    seconds=seconds,
                )
            )
        except OSError as error:
            return OwnTable(
                problem=_(
                    "the server could not start a process to read it ({strerror}): try again",
                    strerror=error.strerror,
                )
            )
        try:
            return load_answer(folder)
        except (OSError, ValueError):  # it was ended before it could say anything
            return OwnTable(problem=_ENDED)

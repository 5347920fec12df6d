"""Checkpoints: all that a run needs to go on exactly where it was, in one file.

::

    treecore checkpoint 1     what it is
    {...}                     a line of JSON: what is to be known without the rest
    sha256 of what follows    a file that was cut short is told from a good one
    a pickle                  the state

A run is made of plain Python objects and NumPy arrays, so a pickle holds all of it, wherever it
stands in a pass. Two things are kept out: the rows, which are handed in again, and code. A pickle
can call any function it can name; this reader lets it name the classes of this package and the
few functions that make NumPy's arrays and generators, and nothing else.

A checkpoint is written beside its place and then moved there, so that at every moment one whole
checkpoint is to be found, whatever happens to the writer.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import json
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from treecore.files import replace_file

MAGIC = b"treecore checkpoint 1\n"


class CheckpointError(ValueError):
    """A checkpoint that cannot be written, read or gone on from, said in one sentence."""


ALLOWED = {
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "scalar"),
    ("numpy._core.numeric", "_frombuffer"),
    ("numpy.random._pickle", "__bit_generator_ctor"),
    ("numpy.random._pickle", "__generator_ctor"),
    ("numpy.random._pcg64", "PCG64"),
    ("numpy.random.bit_generator", "SeedSequence"),
    ("numpy.random.bit_generator", "__pyx_unpickle_SeedSequence"),
    ("copyreg", "_reconstructor"),
    ("builtins", "object"),
    ("builtins", "set"),
    ("builtins", "slice"),
    ("builtins", "complex"),
    ("collections", "deque"),
}
"""What a checkpoint may name besides classes of this package."""


class _Writer(pickle.Pickler):
    def __init__(self, file, known: Mapping[str, Any]):
        super().__init__(file, protocol=5)
        self._names = {id(what): name for name, what in known.items() if what is not None}

    def persistent_id(self, obj):
        return self._names.get(id(obj))


class _Reader(pickle.Unpickler):
    def __init__(self, file, known: Mapping[str, Any]):
        super().__init__(file)
        self._known = known

    def persistent_load(self, name):
        return self._known[name]

    def find_class(self, module, name):
        if (module, name) in ALLOWED:
            return super().find_class(module, name)
        if module.split(".")[0] == __package__ and "." not in name:
            found = getattr(importlib.import_module(module), name)
            # A class that a module of ours has only imported can do what it likes.
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"it names {module}.{name}")


def freeze(state: Any, known: Mapping[str, Any]) -> bytes:
    """``state`` as bytes, in which the ``known`` objects are names only."""
    file = io.BytesIO()
    _Writer(file, known).dump(state)
    return file.getvalue()


def thaw(frozen: bytes, known: Mapping[str, Any]) -> Any:
    """The state again, around the ``known`` objects of this process.

    Raises
    ------
    CheckpointError
        Where the bytes are not those of a checkpoint, or name what a checkpoint may not name.
    """
    try:
        return _Reader(io.BytesIO(frozen), known).load()
    except Exception as error:
        # A pickle may fail in as many ways as there are bytes.
        raise CheckpointError(
            f"this checkpoint cannot be read ({error}); go on from another, or begin anew"
        ) from error


def write_checkpoint(path: str | Path, header: Mapping[str, Any], frozen: bytes) -> None:
    """Put a checkpoint in its place, whole or not at all.

    Raises
    ------
    CheckpointError
        Where the disk is full or the folder read-only; an earlier checkpoint stays as it is.
    """
    digest = hashlib.sha256(frozen).hexdigest().encode()
    line = json.dumps(header).encode()
    write_whole(path, MAGIC + line + b"\n" + digest + b"\n" + frozen)


def read_checkpoint(path: str | Path) -> tuple[dict[str, Any], bytes]:
    """Header and state, as they were given to :func:`write_checkpoint`.

    Raises
    ------
    CheckpointError
        Where the file is missing, of another kind or cut short.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror}") from error
    if not content.startswith(MAGIC):
        raise CheckpointError(f"{path} is not a checkpoint of this version of treecore")
    try:
        line, digest, frozen = content[len(MAGIC) :].split(b"\n", 2)
        header = json.loads(line)
    except ValueError as error:
        raise CheckpointError(f"{path} is cut short") from error
    if hashlib.sha256(frozen).hexdigest().encode() != digest or not isinstance(header, dict):
        raise CheckpointError(f"{path} is damaged; go on from another, or begin anew")
    return header, frozen


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file beside its place and move it there.

    Raises
    ------
    CheckpointError
        Where that cannot be done, with the system's reason; what was there before stays.
    """
    try:
        replace_file(path, content)
    except OSError as error:
        raise CheckpointError(
            f"{path} could not be written: {error.strerror}; make room there or choose another "
            "folder. What was written before is whole."
        ) from error

"""Checkpoints: all that a run needs to go on exactly where it was, in one file, without the rows.

A state is a dictionary of arrays, of what JSON can say, and of such dictionaries again. On disk it
is a NumPy archive (``.npz``): an array a member, named by its path, and the rest as JSON. Nothing
is unpickled. It is written atomically, and check sums tell a damaged one.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from treecore.base.atomic_write import replacing

FORMAT = "treecore state 6"
"""What the JSON of a checkpoint begins with; another number for another meaning."""

State = dict[str, Any]
"""Arrays of numbers, JSON values and dictionaries of these, by names without a slash."""


class CheckpointError(ValueError):
    """A state that cannot be written, read or gone on from, said in one sentence."""


def dumps_state(state: Mapping[str, Any]) -> bytes:
    """The bytes of a checkpoint file; :func:`loads_state` reads them."""
    arrays: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for path, value in _leaves(state):
        (arrays if isinstance(value, np.ndarray) else rest)["/".join(path)] = value
    text = json.dumps([FORMAT, rest], default=_plain)
    file = io.BytesIO()
    np.savez(file, **({"": np.frombuffer(text.encode(), dtype=np.uint8)} | arrays))
    return file.getvalue()


def loads_state(frozen: bytes) -> State:
    """The state in the bytes of :func:`dumps_state`; CheckpointError where they are damaged."""
    if not frozen.startswith(b"PK"):
        raise CheckpointError("this is not a checkpoint of this version of treecore: start again")
    try:
        with np.load(io.BytesIO(frozen), allow_pickle=False) as archive:
            leaves = {name: archive[name] for name in archive.files}
        version, rest = json.loads(leaves.pop("").tobytes())
        if version != FORMAT:
            raise CheckpointError(
                f"this checkpoint is of another version, {version!r}: use the run's model, or "
                "start again"
            )
        state: State = {}
        for path, value in (leaves | rest).items():
            _put(state, path.split("/"), value)
        return state
    except CheckpointError:
        raise
    except Exception as error:  # an archive may be damaged in as many ways as it has bytes
        raise CheckpointError(
            f"this checkpoint is damaged ({error}): continue from another, or start again"
        ) from error


def write_checkpoint(path: str | Path, state: Mapping[str, Any]) -> None:
    """Write a state, all of it or nothing; CheckpointError where that is impossible."""
    write_atomically(path, dumps_state(state))


def read_checkpoint(path: str | Path) -> State:
    """Read a state; CheckpointError for a file that is missing, of another kind or damaged."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror}") from error
    try:
        return loads_state(content)
    except CheckpointError as error:
        raise CheckpointError(f"{path}: {error}") from error


def write_atomically(path: str | Path, content: bytes) -> None:
    """Write a file, all of it or nothing; see :func:`writing_atomically`."""
    with writing_atomically(path) as file:
        file.write(content)


@contextmanager
def writing_atomically(path: str | Path) -> Iterator[BinaryIO]:
    """``atomic_write.replacing``, with a CheckpointError in one sentence where it fails."""
    try:
        with replacing(path) as file:
            yield file
    except OSError as error:
        raise CheckpointError(
            f"{path} could not be written: {error.strerror}; make room there or choose another "
            "folder. Earlier files are intact."
        ) from error


def _leaves(
    state: Mapping[str, Any], above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every value that is no dictionary, or an empty one, with its path."""
    for name, value in state.items():
        path = (*above, name)
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, path)
        else:
            yield path, value


def _put(state: State, path: list[str], value: Any) -> None:
    for name in path[:-1]:
        state = state.setdefault(name, {})
    state[path[-1]] = value


def _plain(value: Any) -> Any:
    """A NumPy number as Python's own."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a state holds arrays, numbers and text, not {type(value).__name__}")

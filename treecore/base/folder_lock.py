"""One writer at a time in a folder: the system's own lock, which dies with its holder."""

from __future__ import annotations

import os
import weakref
from pathlib import Path

NAME = ".lock"


class FolderBusyError(ValueError):
    """A folder in which another process, or another part of this one, is at work."""


class FolderLock:
    """A lock on a folder until :meth:`close`, the end of this object, or that of the process.

    Parameters
    ----------
    folder : Path
        It exists. The file ``.lock`` in it says nothing; it stays when the lock is gone.

    Raises
    ------
    FolderBusyError
        Where somebody else holds the lock.
    OSError
        Where the folder cannot be written to.
    """

    def __init__(self, folder: Path):
        descriptor = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o666)
        self._closing = weakref.finalize(self, os.close, descriptor)
        try:
            import fcntl
        except ImportError:  # not on this system: two writers are the user's affair
            return
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self.close()
            raise FolderBusyError(f"another process is at work in {folder}") from error

    def close(self) -> None:
        """Let others have the folder."""
        self._closing()

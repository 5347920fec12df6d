"""One writer at a time in a folder: the system's own lock, which dies with its holder."""

from __future__ import annotations

import os
import time
import weakref
from pathlib import Path

NAME = ".lock"

TRIES, BETWEEN = 3, 0.02
"""A lock is tried for again, after some seconds: somebody may only have looked at it."""


class FolderBusyError(ValueError):
    """A folder in which another process, or another part of this one, is at work."""


class FolderLock:
    """A lock on an existing folder until :meth:`close` or the end of this object or process.

    Raises FolderBusyError where somebody else holds it; OSError where it cannot be written to.
    """

    def __init__(self, folder: Path):
        descriptor = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o666)
        self._closing = weakref.finalize(self, os.close, descriptor)
        try:
            import fcntl
        except ImportError:  # not on this system: two writers are the user's affair
            return
        for left in reversed(range(TRIES)):
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError as error:
                if not left:
                    self.close()
                    raise FolderBusyError(f"another process is at work in {folder}") from error
            time.sleep(BETWEEN)

    def close(self) -> None:
        """Let others have the folder."""
        self._closing()


def is_held(folder: Path) -> bool | None:
    """Whether somebody holds the lock on a folder; None where the system does not tell."""
    try:
        import fcntl
    except ImportError:
        return None
    try:
        descriptor = os.open(folder / NAME, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False

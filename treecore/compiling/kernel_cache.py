"""Where compiled kernels are kept: a folder named after the text of everything they depend on.

A kernel's code depends on files that numba does not look at: on kernels of other files that it
calls, on constants that it reads, and on the loss whose tables it is given. The cache folder is
therefore named after the text of all files with kernels and of everything that those import; a
change anywhere else, a message or a command, compiles nothing anew. The name identifies the code
completely, so that copies of one source in several places share what has been compiled.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
from pathlib import Path

import numba

PACKAGE = Path(__file__).parents[1]

UNUSED_DAYS = 30
"""After so many days without use the folder of another version of the code is removed."""

_IMPORT = re.compile(r"^\s*from (treecore[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)

_DIGEST = re.compile(r"[0-9a-f]{16}")


def kernel_sources() -> list[Path]:
    """All files with compiled code, and what they import, directly or through others."""
    text = {path: path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
    # What is given to kernels by `implements` need not be imported by them.
    waiting = [path for path, code in text.items() if "\n@kernel" in code or "@implements(" in code]
    reached = set()
    while waiting:
        path = waiting.pop()
        if path in reached:
            continue
        reached.add(path)
        for module, names in _IMPORT.findall(text[path]):
            place = PACKAGE.joinpath(*module.split(".")[1:])
            candidates = [place.with_suffix(".py"), place / "__init__.py"]
            candidates += [place / f"{name}.py" for name in re.findall(r"\w+", names)]
            waiting += [candidate for candidate in candidates if candidate in text]
    return sorted(reached)


def sources_digest() -> str:
    """Hash the text of :func:`kernel_sources`: what compiled kernels depend on, in 16 digits."""
    # Code that checks its indices is kept apart from code that does not.
    digest = hashlib.sha256(b"checked" if getattr(numba.config, "BOUNDSCHECK", 0) else b"")
    for source in kernel_sources():
        digest.update(source.relative_to(PACKAGE).as_posix().encode() + b"\0")
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder(name: str | None = None) -> str:
    """A writable folder for compiled kernels, named after :func:`sources_digest`.

    Parameters
    ----------
    name : str or None
        What that gives, for whoever has asked it already.
    """
    name = name or sources_digest()
    for base in (_user_cache, _private_temporary):
        try:
            return _ready(base(), name)
        except (OSError, RuntimeError):  # no home, or a read-only one
            continue
    return tempfile.mkdtemp(prefix="treecore-")  # compile in every process


def _user_cache() -> Path:
    base = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "treecore"


def _private_temporary() -> Path:
    """The user's own folder among the temporary files; an OSError where it is not safe.

    Cache files are pickles, and whoever can write them decides what runs here. The folder must
    therefore belong to this user, be closed to all others, be no link, and lie where others can
    neither rename nor replace it.
    """
    if not hasattr(os, "getuid"):
        raise OSError("this system does not say whose a folder is")
    parent = Path(tempfile.gettempdir())
    above = parent.stat()
    if above.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not above.st_mode & stat.S_ISVTX:
        raise OSError(f"others may rename the folders of {parent}")
    folder = parent / f"treecore-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    private = stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o077
    if not private or found.st_uid != os.getuid() or above.st_uid not in (0, os.getuid()):
        raise OSError(f"{folder} is open to others")
    return folder


def _ready(base: Path, name: str) -> str:
    """The folder of a version of the code, writable and marked as used; old ones are removed."""
    folder = base / name
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass
    os.utime(folder)
    with contextlib.suppress(OSError):  # another process may be at it too
        _remove_unused(base)
    return str(folder)


def _remove_unused(base: Path) -> None:
    """Remove the folders of versions that no process has asked for in a long time."""
    oldest = time.time() - UNUSED_DAYS * 24 * 3600
    with os.scandir(base) as entries:
        for entry in entries:
            if not _DIGEST.fullmatch(entry.name) or not entry.is_dir(follow_symlinks=False):
                continue
            if entry.stat(follow_symlinks=False).st_mtime < oldest:
                shutil.rmtree(entry.path, ignore_errors=True)

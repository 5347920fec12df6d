"""The cache of compiled kernels: one file each, in a folder named after their source text.

A kernel depends on files that numba does not look at, so the folder is named after the text of all
files with kernels and everything that those import. The cache never ends a run: a file that fails
its checksum is removed and its kernel compiled again (LLVM aborts the process on damaged code), and
where nothing can be saved kernels stay in memory, with one warning.

A wheel may bring compiled kernels, made by :mod:`treecore.training.shipping` for the oldest
processors with AVX2 and FMA. They are used where the cache has none, and only for the same text,
Python and numba; trees may differ in their last bits from those of newer code.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import json
import linecache
import os
import pickle
import re
import shutil
import sys
import time
import uuid
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import event
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target
from numba.core.serialize import dumps

PACKAGE = Path(__file__).parents[1]

PROCESSOR_FILE = "processor.json"
"""Of shipped kernels: what numba has compiled for, a triple, the processor's name, its features."""

_IMPORT = re.compile(rb"^\s*from (treecore[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)

_DIGEST = re.compile(r"[0-9a-f]{16}")


def kernel_sources(*first: Path) -> dict[Path, bytes]:
    """These files, or all with compiled code, and what they import, directly or through others."""
    texts = {path: path.read_bytes() for path in PACKAGE.rglob("*.py")}
    # What is given to kernels by `implements` need not be imported by them.
    waiting = [*first] or [
        path for path, text in texts.items() if b"\n@kernel" in text or b"@implements(" in text
    ]
    reached = set()
    while waiting:
        path = waiting.pop()
        if path in reached:
            continue
        reached.add(path)
        for module, names in _IMPORT.findall(texts[path]):
            place = PACKAGE.joinpath(*module.decode().split(".")[1:])
            candidates = [place.with_suffix(".py"), place / "__init__.py"]
            candidates += [place / f"{name}.py" for name in re.findall(r"\w+", names.decode())]
            waiting += [candidate for candidate in candidates if candidate in texts]
    return {path: texts[path] for path in sorted(reached)}


def sources_digest() -> str:
    """Hash the text of :func:`kernel_sources`: what compiled kernels depend on, in 16 digits."""
    # Code that checks its indices is kept apart from code that does not.
    digest = hashlib.sha256(b"checked" if getattr(numba.config, "BOUNDSCHECK", 0) else b"")
    for source, text in kernel_sources().items():
        digest.update(source.relative_to(PACKAGE).as_posix().encode() + b"\0")
        digest.update(text)
    return digest.hexdigest()[:16]


def cache_folder(name: str | None = None) -> Path:
    """The folder for compiled kernels, marked as used; folders long out of use are removed."""
    chosen = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    home = os.path.expanduser("~")
    cache = Path(chosen) if chosen else Path("/" if home == "~" else home, ".cache")
    base = cache.absolute() / "treecore"
    folder = base / (name or sources_digest())
    with contextlib.suppress(OSError):  # not there yet, read-only, or another process is at it
        os.utime(folder)
        _remove_unused(base)
    return folder


def _remove_unused(base: Path) -> None:
    """Remove the folders of versions that no process has asked for in 30 days."""
    oldest = time.time() - 30 * 24 * 3600
    with os.scandir(base) as entries:
        for entry in entries:
            if not _DIGEST.fullmatch(entry.name) or not entry.is_dir(follow_symlinks=False):
                continue
            if entry.stat(follow_symlinks=False).st_mtime < oldest:
                shutil.rmtree(entry.path, ignore_errors=True)


class GarbagePause(event.Listener):
    """No garbage is collected while a kernel is compiled, which spares a tenth of the time.

    Numba builds hundreds of thousands of objects; they are freed once the kernel is there.
    """

    depth, was_enabled = 0, False

    def on_start(self, event: Any) -> None:
        """A kernel begins, perhaps within another: numba holds its lock."""
        if self.depth == 0:
            self.was_enabled = gc.isenabled()
            gc.disable()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        """It is compiled, or cannot be."""
        self.depth -= 1
        if self.depth == 0 and self.was_enabled:
            gc.enable()


event.register("numba:compile", GarbagePause())


class KernelCache(NullCache):
    """Numba's cache of one kernel: a file for each combination of argument types and processor."""

    can_save = True
    """Whether nothing has failed to be saved in this process."""

    def __init__(self, function: Callable, folder: Path):
        self._function, self._folder = function, folder
        self._text = source_text(function)

    @property
    def cache_path(self) -> str:
        """The folder, for numba's statistics."""
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """The kernel for these argument types, from an earlier process, or None."""
        target_context.refresh()
        processor = target_context.codegen().magic_tuple()
        return self._load(self._folder, sig, target_context, processor)

    def _load(
        self, folder: Path, sig: Any, target_context: Any, processor: tuple[str, ...]
    ) -> CompileResult | None:
        path = self._path(folder, sig, processor)
        try:
            saved = path.read_bytes()
            if hashlib.sha256(saved[32:]).digest() == saved[:32]:
                types, parts = pickle.loads(saved[32:])
                if types == sig:  # two types may have one name
                    return CompileResult._rebuild(target_context, *parts)
        except FileNotFoundError:
            return None
        except Exception:  # whatever is wrong with a file, its kernel can be compiled again
            pass
        shutil.rmtree(path, ignore_errors=True)  # where there is a folder in its place
        with contextlib.suppress(OSError):
            path.unlink()
        return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Save a compiled kernel, unless its code holds an address of this process."""
        if not KernelCache.can_save or cres.library.has_dynamic_globals:
            return
        path = self._path(self._folder, sig, cres.codegen.magic_tuple())
        part = path.with_suffix(f".{uuid.uuid4().hex}")
        try:
            content = dumps((sig, cres._reduce()))
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                part.write_bytes(hashlib.sha256(content).digest() + content)
                os.replace(part, path)
            finally:
                part.unlink(missing_ok=True)
        except Exception as error:  # the kernel is in memory, and can be used
            KernelCache.can_save = False
            warnings.warn(
                f"compiled kernels cannot be saved in {self._folder} "
                f"({getattr(error, 'strerror', None) or error}), so every start compiles them "
                "again: make room there, or set NUMBA_CACHE_DIR to a folder that you can write",
                RuntimeWarning,
                stacklevel=2,
            )

    def _path(self, folder: Path, sig: Any, processor: tuple[str, ...]) -> Path:
        code, cells = self._function.__code__, self._function.__closure__ or ()
        versions = numba.__version__, sys.implementation.cache_tag
        depends = repr((sig, processor, versions, self._text)).encode()
        depends += code.co_code + dumps(tuple(cell.cell_contents for cell in cells))
        name = f"{self._function.__module__}.{code.co_name.strip('<>')}-{code.co_firstlineno}"
        return folder / f"{name}.{hashlib.sha256(depends).hexdigest()[:16]}.nbc"


def source_text(function: Callable) -> str:
    """The text of the file or notebook cell that defines a function; empty if there is none."""
    path = function.__code__.co_filename
    linecache.checkcache(path)
    return "".join(linecache.getlines(path))


def target_triple() -> str:
    """The kind of machine and system that numba compiles for, as LLVM names it."""
    return cpu_target.target_context.codegen().magic_tuple()[0]


def shipped_folder(sources: str, package: Path = PACKAGE) -> Path:
    """Where the package has kernels for this text, Python and numba, if it has any."""
    made_with = f"{sys.implementation.cache_tag}-numba-{numba.__version__}"
    return package / "compiled" / f"{sources}-{made_with}"


def serves(needed: tuple[str, str, str], here: tuple[str, str, str]) -> bool:
    """Whether code for one processor (triple, name, features) runs on another."""
    required, there = (
        {name for name in magic[2].split(",") if name.startswith("+")} for magic in (needed, here)
    )
    return needed[0] == here[0] and required <= there


class ShippedCache(KernelCache):
    """The cache of a kernel, which looks into the package where the user's folder has nothing."""

    def __init__(self, function: Callable, folder: Path, shipped: Path):
        super().__init__(function, folder)
        self._shipped = shipped
        self._needed = tuple(json.loads((shipped / PROCESSOR_FILE).read_text("utf-8")))

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """The kernel from the user's folder, else from the package; None where neither has it."""
        found = super().load_overload(sig, target_context)
        if found is None and serves(self._needed, target_context.codegen().magic_tuple()):
            found = self._load(self._shipped, sig, target_context, self._needed)
        return found

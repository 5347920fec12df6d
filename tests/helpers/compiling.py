"""Processes of one test run that do not compile the same kernel at the same time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher


def take_turns(folder: Path) -> None:
    """Let this process wait for a kernel that another one compiles, and read what that has kept.

    A kernel is waited for by who compiles one that calls it, and none calls itself by way of
    others; so no two processes wait for each other.

    folder: the same for all processes of the run.
    """
    try:
        import fcntl
    except ImportError:
        return  # where there are no such locks, each compiles for itself
    held: set[str] = set()
    compile_kernel = Dispatcher.compile

    @contextlib.contextmanager
    def turn(name: str) -> Iterator[None]:
        if name in held:
            yield
            return
        with open(folder / f"{name}.lock", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            held.add(name)
            try:
                yield
            finally:
                held.remove(name)

    def compile_in_turn(self, signature):
        function = self.py_func
        with global_compiler_lock, turn(f"{function.__module__}.{function.__qualname__}"):
            return compile_kernel(self, signature)

    Dispatcher.compile = compile_in_turn

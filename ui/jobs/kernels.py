"""Kernels of the first comparison compile in a process of their own while the server starts.

Compiling holds Python's lock, so that within the server it would keep pages waiting. The process
leaves its work in the cache of kernels, where the server finds it.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from treecore import RunConfig, warm_up
from treecore.compiling.kernel_cache import cache_folder

FIRST = ("axis", "sgd")
"""Methods of the Lab's first comparison: what is played first. They share many kernels."""

ROOT = Path(__file__).parents[2]


@cache
def compile_ahead() -> subprocess.Popen | None:
    """Begin once a server, where nothing has been compiled on this machine."""
    folder = cache_folder()
    if folder.is_dir() and any(folder.iterdir()):
        return None
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-m", __name__],
        stdin=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": paths},
    )


def prepare(report: Callable[[str], None], config: RunConfig) -> None:
    """Have what a run needs compiled, here or there; ``report`` hears how far it is."""
    ahead = compile_ahead() if config.method in FIRST else None
    while ahead is not None and ahead.poll() is None:
        time.sleep(0.05)
    warm_up(report, config)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends with the server, without a word
    if hasattr(os, "nice"):
        os.nice(10)  # pages come first
    for method in FIRST:
        warm_up(config=RunConfig(method))

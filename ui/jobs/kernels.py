"""Kernels of the first comparison compile in processes of their own while the server starts.

Compiling holds Python's lock, so that within the server it would keep pages waiting. The processes
leave their work in the cache of kernels, where the server finds it.
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

FIRST = ("sgd", "axis")
"""Methods of the Lab's first comparison: what is played first. Each has a process, so that SGD does
not wait for the other."""

ROOT = Path(__file__).parents[2]


@cache
def compile_ahead() -> dict[str, subprocess.Popen]:
    """Begin once a server, where nothing has been compiled on this machine; by method."""
    folder = cache_folder()
    if folder.is_dir() and any(folder.iterdir()):
        return {}
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    command, env = [sys.executable, "-m", __name__], os.environ | {"PYTHONPATH": paths}
    return {
        method: subprocess.Popen([*command, method], stdin=subprocess.DEVNULL, env=env)
        for method in FIRST
    }


def prepare(report: Callable[[str], None], config: RunConfig) -> None:
    """Have what a run needs compiled, here or there; ``report`` hears how far it is."""
    ahead = compile_ahead().get(config.method)
    while ahead is not None and ahead.poll() is None:
        time.sleep(0.05)
    warm_up(report, config)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends with the server, without a word
    method = sys.argv[1]
    if hasattr(os, "nice"):
        os.nice(10 if method == FIRST[0] else 19)  # pages come first, then one method
    warm_up(config=RunConfig(method))

"""Processes that tests start, and how they end."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

SERVER = multiprocessing.get_context("forkserver")
"""Starts processes as copies of one that has no threads, and in memory what they need."""

SERVER.set_forkserver_preload(["tests.helpers.preloaded"])


def start(command, **more) -> subprocess.Popen:
    """A process that Ctrl-C ends, even where whoever runs the tests has it ignored.

    A shell has it ignored by what it runs in the background, and children inherit that.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(command, **more)
    finally:
        signal.signal(signal.SIGINT, before)


def is_killed_touching(folder: Path, moment: int, work: Callable, *arguments) -> bool:
    """Do some work in another process, which is killed when it touches a folder for a number of
    times: before it opens a file there, writes one to the disk, or moves one.

    What lies in the folder changes at no other moment. Gives whether it came to that; otherwise
    the work was done before.
    """
    process = SERVER.Process(target=_work, args=(str(folder), moment, work, arguments))
    process.start()
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode != 0


def _work(folder: str, moment: int, work: Callable, arguments: tuple) -> None:
    n_touched, fsync = 0, os.fsync

    def touch(event, told):
        nonlocal n_touched
        if event == "fsync" or (event in ("open", "os.rename") and str(told[0]).startswith(folder)):
            n_touched += 1
            if n_touched == moment:
                os.kill(os.getpid(), signal.SIGKILL)

    def touching_fsync(descriptor):
        touch("fsync", ())
        fsync(descriptor)

    sys.addaudithook(touch)
    os.fsync = touching_fsync
    work(*arguments)

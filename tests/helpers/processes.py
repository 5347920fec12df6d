"""Processes that tests start, and how they end."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

SERVER = multiprocessing.get_context("forkserver")
"""Starts processes as copies of one that has no threads, and in memory what they need."""

SERVER.set_forkserver_preload(["tests.helpers.preloaded"])


def start_shell(folder: Path, *words):
    """``treecore WORDS`` in a folder, in a process that ends when it is told to.

    What it says goes to ``said.txt`` in that folder.
    """
    process = SERVER.Process(target=_shell, args=(folder, [str(word) for word in words]))
    process.start()
    return process


def _shell(folder: Path, words: list[str]) -> None:
    from treecore.cli import main

    os.chdir(folder)
    said = os.open("said.txt", os.O_CREAT | os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(said, stream)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main(words, prog_name="treecore")


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

    def touch(event, reported):
        nonlocal n_touched
        if event == "fsync" or (
            event in ("open", "os.rename") and str(reported[0]).startswith(folder)
        ):
            n_touched += 1
            if n_touched == moment:
                os.kill(os.getpid(), signal.SIGKILL)

    def touching_fsync(descriptor):
        touch("fsync", ())
        fsync(descriptor)

    sys.addaudithook(touch)
    os.fsync = touching_fsync
    work(*arguments)

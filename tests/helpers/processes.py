"""Processes that tests start and end."""

from __future__ import annotations

import signal
import subprocess


def start(command, **more) -> subprocess.Popen:
    """A process that Ctrl-C ends, even where whoever runs the tests has it ignored.

    A shell has it ignored by what it runs in the background, and children inherit that.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(command, **more)
    finally:
        signal.signal(signal.SIGINT, before)

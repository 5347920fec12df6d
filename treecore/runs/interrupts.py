"""Ctrl-C and SIGTERM, delayed until a step and its event are complete, as checkpoints need."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator

WAITING = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Finish the block; an interrupt is answered after it (only the main thread gets any)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in WAITING}
    if None in before.values():  # somebody else's handlers, which Python could not put back
        yield
        return
    came: list[int] = []
    try:
        for number in WAITING:
            signal.signal(number, lambda number, frame: came.append(number))
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if came:
            os.kill(os.getpid(), came[0])

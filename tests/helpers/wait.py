"""The one place where tests wait for what happens in another thread, process or page."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

SECONDS = 120
"""How long a condition may take. It only bounds a test that fails: nothing is timed by it."""


def until(
    condition: Callable[[], T], what: str = "", seconds: float = SECONDS, pause: float = 0.002
) -> T:
    """Wait until a condition holds, and give what it gave.

    ``what`` says in words what was waited for, should it not come to pass. A condition that costs
    much is asked again after a longer ``pause``, so that what it waits for gets the processor.
    """
    end = time.monotonic() + seconds
    while not (result := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds:.0f} s in vain {what}".rstrip())
        time.sleep(pause)
        pause = max(pause, min(2 * pause, 0.05))
    return result

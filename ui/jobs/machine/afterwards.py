"""Work that a thread puts off until it holds nothing that others need.

Who learns announces a new tree while its condition is held. To have another thread pack it costs
two changes of threads, and with many runs each of them waits for Python's lock: so the learning
thread does it, a moment later.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Work = Callable[[], None]


class _Here(threading.local):
    """What the present thread has put off; None: it puts nothing off."""

    put_off: list[Work] | None = None


_here = _Here()


@contextmanager
def afterwards() -> Iterator[None]:
    """Inside, :func:`put_off` takes work, which is done at the end, in order."""
    work: list[Work] = []
    _here.put_off = work
    try:
        yield
    finally:
        _here.put_off = None
        for do in work:
            do()


def put_off(work: Work) -> bool:
    """Have the present thread do this afterwards; False where it is not in :func:`afterwards`."""
    if _here.put_off is None:
        return False
    _here.put_off.append(work)
    return True

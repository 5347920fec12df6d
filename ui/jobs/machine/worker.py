"""Threads of jobs: the one way to have one in ``ui``, their turns, and work that one puts off."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Work = Callable[[], object]


class Worker:
    """A thread that does one piece of work after another, and ends when there is none.

    next_work and ended are called with the condition held, which guards whether it is there.
    """

    def __init__(
        self,
        name: str,
        changed: threading.Condition,
        next_work: Callable[[], Work | None],
        ended: Callable[[], object] = lambda: None,
    ):
        self._name, self._changed = name, changed
        self._next_work, self._ended = next_work, ended
        self._thread: threading.Thread | None = None

    @property
    def alive(self) -> bool:
        return self._thread is not None

    def start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
            self._thread.start()

    def join(self, seconds: float) -> None:
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def _serve(self) -> None:
        while True:
            with self._changed:
                work = self._next_work()
                if work is None:
                    self._thread = None
                    self._ended()
                    return
            work()


class Turns:
    """Turns of a job that waits for no other; see :class:`.ProcessorTurn` for one that does."""

    def take(self, elapsed: float) -> bool:
        """Wait until a step may be done; False where a nudge has come first."""
        return True

    def leave(self) -> None:
        """No step will be done for a while."""

    def nudge(self) -> None:
        """A command has come."""

    def wait_for_others(self) -> tuple[int, float] | None:
        """For how many others the job waits, and seconds, where that is worth a word."""
        return None

    def n_others(self) -> int:
        return 0


class _Here(threading.local):
    """What the present thread has put off; None: it puts nothing off."""

    put_off: list[Work] | None = None


_here = _Here()


@contextmanager
def afterwards() -> Iterator[None]:
    """Inside, :func:`put_off` takes work, which is done at the end, once no lock is held.

    Who learns packs a new tree itself: two changes of threads would each wait for Python's lock.
    """
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

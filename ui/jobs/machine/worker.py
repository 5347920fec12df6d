"""A thread that is there while there is something to do: the one way to have one in ``ui``."""

import threading
from collections.abc import Callable

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

"""Time and turns that only a test gives, for runs that learn in a thread of their own."""

import math
import threading
from collections.abc import Iterator

import pytest

from tests.helpers.wait import until
from treecore.viewer.messages.status import Status
from ui.jobs.machine.worker import Turns
from ui.jobs.pacing import WallClock
from ui.jobs.training_job import TrainingJob


class Permits(Turns):
    """The turns of a run: every step asks for one, and is done when the test has given it.

    No command ends the wait, so whoever waits is to the job as good as a step under way.
    """

    def __init__(self):
        self._free = threading.Semaphore(0)
        self.requested = self.given = 0

    def take(self, elapsed: float) -> bool:
        self.requested += 1
        self._free.acquire()
        return True

    def give(self, n: int = 1) -> None:
        """So many more steps may be done."""
        self.given += n
        self._free.release(n)

    def spend(self, n: int) -> None:
        """Have so many steps done: wait until the one after them asks for its turn."""
        self.give(n)
        until(lambda: self.requested == self.given + 1, f"for {n} steps")


@pytest.fixture
def permits():
    """Turns that a test gives; at its end there are enough for all threads to end."""
    permits = Permits()
    yield permits
    permits.give(10_000)


class ManualClock(WallClock):
    """Time passes only by :meth:`forward`, and it is known whether a thread waits for it."""

    def __init__(self):
        self._now = 0.0
        self._lock = threading.Lock()
        self._waiting: dict[int, tuple[threading.Condition, float]] = {}

    def now(self) -> float:
        return self._now

    def wait(self, changed: threading.Condition, seconds: float | None = None) -> None:
        thread = threading.get_ident()
        with self._lock:
            end = math.inf if seconds is None else self._now + seconds
            self._waiting[thread] = changed, end
        changed.wait()
        with self._lock:
            self._waiting.pop(thread, None)

    @property
    def asleep(self) -> bool:
        """Whether a thread waits: it does nothing until somebody notifies it, or time passes."""
        with self._lock:
            return bool(self._waiting)

    @property
    def next_end(self) -> float:
        """Seconds until the first of the waits is over; infinite where all wait for a command."""
        with self._lock:
            return min((end for _, end in self._waiting.values()), default=math.inf) - self._now

    def forward(self, seconds: float) -> None:
        """Let time pass, and wake those whose wait is over."""
        with self._lock:
            self._now += seconds
            over = {
                thread: changed
                for thread, (changed, end) in self._waiting.items()
                if end <= self._now + 1e-9
            }
        for thread, changed in over.items():
            with changed:
                with self._lock:
                    self._waiting.pop(thread, None)
                changed.notify_all()


@pytest.fixture
def clock():
    """Time that only the test lets pass."""
    return ManualClock()


def asleep(clock: ManualClock) -> None:
    """Wait until a thread waits for time to pass."""
    until(lambda: clock.asleep, "for the thread to wait")


def shown(runner: TrainingJob, clock: ManualClock) -> Iterator[Status]:
    """Play a run to its end; gives what is seen at every wait for its next portion.

    After each of them time passes until that portion is due.
    """

    def seen():
        waits = math.isfinite(clock.next_end)  # first: what is seen then does not change
        status = runner.look()
        return status if waits or status.state == "finished" else None

    while (status := until(seen, "for the next portion")).state != "finished":
        yield status
        clock.forward(clock.next_end)

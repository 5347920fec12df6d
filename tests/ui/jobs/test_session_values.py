"""Who comes back in time finds what was there; who does not, leaves nothing behind."""

import pytest

from tests.helpers.pacing import ManualClock
from tests.helpers.wait import until
from ui.jobs.session_values import SessionValues

GRACE = 120.0


class Lamp:
    """Lit until it is closed."""

    def __init__(self, order=None):
        self.lit, self._order = True, [] if order is None else order

    def close(self):
        assert self.lit, "it is closed once"
        self.lit = False
        self._order.append(self)


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def held(clock):
    values = SessionValues(GRACE, clock)
    yield values
    values.close()
    until(lambda: not values.waiting, "for the end of its thread")


def asleep(clock):
    """Wait until the thread waits for time to pass."""
    until(lambda: clock.asleep, "for the thread")


def test_a_session_that_comes_back_each_time_in_time_finds_its_values(held, clock):
    mine, other = held.value("a", "lamp", Lamp), held.value("b", "lamp", Lamp)
    assert mine is not other
    for _ in range(3):
        held.leave("a")
        asleep(clock)
        clock.forward(0.99 * GRACE)
        held.resume_session("a")
        until(lambda: not held.waiting, "for nobody is away")
    clock.forward(10 * GRACE)
    assert held.value("a", "lamp", Lamp) is mine
    assert mine.lit
    assert other.lit
    held.leave("nobody")
    held.resume_session("nobody")
    assert not held.waiting, "who holds nothing leaves without a trace"


def test_who_stays_away_is_forgotten_in_time_and_the_others_are_not(held, clock):
    lamps = {name: held.value(name, "lamp", Lamp) for name in "abc"}
    held.leave("a")
    asleep(clock)
    clock.forward(GRACE / 2)
    held.leave("b")
    asleep(clock)
    clock.forward(GRACE / 2)
    until(lambda: not lamps["a"].lit, "for the first to be closed")
    assert lamps["b"].lit
    asleep(clock)
    clock.forward(GRACE / 2)
    until(lambda: not lamps["b"].lit, "for the second to be closed")
    assert lamps["c"].lit
    assert held.value("a", "lamp", Lamp).lit, "who comes too late begins anew"


def test_what_was_made_last_is_closed_first_and_a_failure_stops_no_other(held, caplog):
    order: list[Lamp] = []
    inner: list[Lamp] = []

    def needy():
        inner.append(held.value("a", "inner", lambda: Lamp(order)))
        return Lamp(order)

    class Stuck:
        def close(self):
            raise OSError("stuck")

    outer = held.value("a", "outer", needy)
    held.value("a", "stuck", Stuck)
    held.close()
    assert order == [outer, *inner]
    assert "a value was not closed" in caplog.text

"""What a session holds: one value of a kind, until it ends and its visitor does not come back."""

import logging
import re

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.helpers.harness import run
from tests.helpers.pacing import asleep
from tests.helpers.wait import until
from ui.jobs.session import (
    SessionValues,
    held_values,
    remembered,
    report_refused,
    session_number,
    session_value,
)
from ui.jobs.visitor import session_client, session_turn


class Lamp:
    """Lit until it is closed."""

    def __init__(self, order=None):
        self.lit, self._order = True, [] if order is None else order

    def close(self):
        assert self.lit, "it is closed once"
        self.lit = False
        self._order.append(self)


class Candle(Lamp):
    """Another kind."""


def drawn(ask):
    """What ``ask()`` gives on two drawings of a page of a new session."""
    answers: list = []

    def script(ask, answers):
        answers.append(ask())

    page = AppTest.from_function(script, args=(ask, answers))
    for _ in range(2):
        run(page)
    return answers


@pytest.fixture(autouse=True)
def _nothing_held():
    end()
    yield
    end()


def disconnect():
    """As Streamlit does for a session whose connection has ended."""
    st.cache_resource.clear()


def end():
    """It does not come back."""
    disconnect()
    held_values().close()


def test_a_value_of_each_kind_is_made_once_and_closed_at_the_end():
    first, second = drawn(lambda: (session_value(Lamp), session_value(Candle)))
    assert first == second, "whenever the page is drawn"
    assert [type(value) for value in first] == [Lamp, Candle]
    assert all(value.lit for value in first)
    disconnect()
    assert drawn(lambda: (session_value(Lamp), session_value(Candle)))[0] == first, "it is back"
    assert all(value.lit for value in first)
    end()
    assert not any(value.lit for value in first)
    again, _ = drawn(lambda: session_value(Lamp))
    assert again is not first[0]


def test_a_session_has_one_number_and_the_log_says_when_it_comes_and_goes(caplog):
    with caplog.at_level(logging.INFO, logger="ui"):
        first, again = drawn(session_number)
        end()
        other, _ = drawn(session_number)
    assert first == again
    assert other > first > session_number() == 0, "where no page is drawn there is no session"
    reported = [one.getMessage() for one in caplog.records if one.name == "ui.events"]
    assert reported == [
        f"session_opened session={first}",
        f"session_closed session={first}",
        f"session_opened session={other}",
    ]


def test_a_value_is_remembered_until_what_decides_it_changes():
    made, tried = [], []

    def make():
        made.append(len(made))
        return made[-1]

    def broken():
        tried.append(True)
        raise ValueError("no saved run")

    def ask():
        with pytest.raises(ValueError, match="no saved run"):
            remembered("broken", "a", broken)
        return [remembered("value", key, make) for key in ("a", "a", "b", "a")]

    assert drawn(ask) == [[0, 0, 1, 2], [2, 2, 3, 4]]
    assert len(tried) == 2, "what cannot be made is not remembered"


def test_all_runs_of_a_session_share_the_machine_as_one():
    def clients():
        with session_turn() as turn:
            turn.take(0.0)
            held = turn._since
        return session_client(), held, turn._since

    (first, held, *after), (again, *_) = drawn(clients)
    assert first is again
    assert held is not None, "it holds a turn inside"
    assert after == [None], "and has given it back afterwards"
    assert session_client() is not session_client(), "where there is no session it is nobody's"


def test_a_refused_file_is_told_once_without_its_name(caplog):
    def ask():
        for _ in range(2):
            report_refused("7f3a", "table", 120)

    with caplog.at_level(logging.INFO, logger="ui"):
        drawn(ask)
    (told,) = [message for message in caplog.messages if message.startswith("file_refused")]
    assert re.fullmatch(r"file_refused session=\d+ kind=table bytes=120", told)


GRACE = 120.0


@pytest.fixture
def held(clock):
    values = SessionValues(GRACE, clock)
    yield values
    values.close()
    until(lambda: not values.waiting, "for the end of its thread")


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

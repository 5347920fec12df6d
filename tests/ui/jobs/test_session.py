"""What a session holds: one value of a kind, whichever page asks, until the session ends."""

import logging

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ui.jobs.session import (
    held_values,
    remembered,
    report_refused,
    session_client,
    session_number,
    session_turn,
    session_value,
)


class Lamp:
    """Lit until it is closed."""

    def __init__(self):
        self.lit = True

    def close(self):
        self.lit = False


class Candle(Lamp):
    """Another kind."""


def drawn(ask):
    """What ``ask()`` gives on two drawings of a page of a new session."""
    answers: list = []

    def script(ask, answers):
        answers.append(ask())

    page = AppTest.from_function(script, args=(ask, answers))
    for _ in range(2):
        page.run()
        assert not page.exception, page.exception[0].message
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
    assert other > first
    reported = [one for one in caplog.records if one.name == "ui.events"]
    assert [(one.event, one.facts) for one in reported] == [
        ("session_opened", {"session": first}),
        ("session_closed", {"session": first}),
        ("session_opened", {"session": other}),
    ]


def test_where_no_page_is_drawn_there_is_no_session():
    assert session_number() == 0


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
    reported = [one.facts for one in caplog.records if getattr(one, "event", "") == "file_refused"]
    assert [(set(one), one["kind"], one["bytes"]) for one in reported] == [
        ({"session", "kind", "bytes"}, "table", 120)
    ]

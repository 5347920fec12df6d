"""The server's log: one line for every event, and nothing of what visitors have put in."""

import io
import logging
import threading

import pytest

from ui.jobs.machine.events import EVENTS, count, counted, log_event
from ui.server.logs import VARIABLE, set_up

SECRET = "the third row of grades.csv"


@pytest.fixture
def lines():
    """``lines(level)`` writes the log at a level from then on; ``lines()`` gives what it says."""
    stream = io.StringIO()

    def read(level=None):
        if level is not None:
            set_up({VARIABLE: level}, stream)
        return stream.getvalue().splitlines()

    yield read
    set_up({})


def fail():
    raise ValueError(SECRET)


def caught():
    try:
        fail()
    except ValueError as error:
        return error


def test_an_event_is_one_line_with_its_facts(lines):
    lines("info")
    log_event("run_finished", session=3, run=7, kind="counting", steps=200)
    (line,) = lines()
    _day, _hour, told = line.split(" ", 2)
    assert told == "INFO ui.events run_finished session=3 run=7 kind=counting steps=200"


@pytest.mark.parametrize(
    ("level", "reported"),
    [
        ("off", []),
        ("error", ["run_failed"]),
        (" WARNING ", ["run_failed"]),
        ("info", ["run_started", "run_failed"]),
        ("debug", ["run_started", "run_failed"]),
    ],
)
def test_the_environment_says_what_is_told(lines, level, reported):
    lines(level)
    log_event("run_started", session=1)
    log_event("run_failed", session=1, level=logging.ERROR, error=caught())
    assert [line.split()[4] for line in lines()] == reported


def test_an_unknown_level_is_refused_in_one_sentence():
    with pytest.raises(ValueError, match=f"^{VARIABLE} is 'loud'; it may be off, error, warning,"):
        set_up({VARIABLE: "loud"})


@pytest.mark.parametrize("level", ["info", "debug"])
def test_an_error_is_told_by_its_kind_and_not_by_its_words(lines, level):
    lines(level)
    log_event("run_failed", session=1, level=logging.ERROR, error=caught())
    (line,) = lines()
    assert line.endswith("ERROR ui.events run_failed session=1 error=ValueError")


def test_other_messages_of_the_app_are_told_by_their_text_in_the_program(lines):
    lines("info")
    logging.getLogger("ui.elsewhere").warning("a trial of %s has failed", SECRET)
    (line,) = lines()
    assert line.endswith("WARNING ui.elsewhere a trial of %s has failed")


def test_where_nothing_is_asked_for_python_writes_errors_as_ever(lines, caplog):
    lines("info")
    set_up({})
    log_event("run_failed", session=1, level=logging.ERROR, error=caught())
    assert lines() == []
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_only_known_events_are_told():
    with pytest.raises(KeyError):
        log_event("visitor_sneezed")
    assert all(reported.endswith(".") for reported in EVENTS.values())


def test_nothing_is_lost_when_many_threads_count():
    before = counted("frames")
    threads = [
        threading.Thread(target=lambda: [count("frames") for _ in range(1000)]) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counted("frames") == before + 8000

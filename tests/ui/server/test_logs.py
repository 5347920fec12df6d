"""The server's log: one line of JSON for every event, and nothing of what visitors have put in."""

import io
import json
import logging
import threading
from datetime import datetime

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
        return [json.loads(line) for line in stream.getvalue().splitlines()]

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
    facts = {"session": 3, "run": 7, "kind": "a\nb", "steps": 200}
    log_event("run_finished", **facts)
    (line,) = lines()
    moment = datetime.fromisoformat(line.pop("time"))
    assert moment.utcoffset().total_seconds() == 0
    assert line == {"level": "info", "event": "run_finished", **facts}


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
    assert [line["event"] for line in lines()] == reported


def test_an_unknown_level_is_refused_in_one_sentence():
    with pytest.raises(ValueError, match=f"^{VARIABLE} is 'loud'; it may be off, error, warning,"):
        set_up({VARIABLE: "loud"})


def test_an_error_is_told_by_its_kind_and_place_and_not_by_its_words(lines, monkeypatch):
    lines("info")
    log_event("run_failed", session=1, level=logging.ERROR, error=caught())
    (line,) = lines()
    assert line["error"] == "ValueError"
    assert [at.split(":")[0] for at in line["at"]] == ["tests/ui/server/test_logs.py"] * 2
    assert [at.split()[-1] for at in line["at"]] == ["caught", "fail"]
    assert SECRET not in json.dumps(line)
    lines("debug")
    log_event("run_failed", session=1, level=logging.ERROR, error=caught())
    assert lines()[-1]["words"] == SECRET


def test_other_messages_of_the_app_are_told_by_their_text_in_the_program(lines):
    lines("info")
    logging.getLogger("ui.elsewhere").warning("a trial of %s has failed", SECRET)
    (line,) = lines()
    assert (line["event"], line["about"]) == ("ui.elsewhere", "a trial of %s has failed")


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

"""What the server tells of what happens."""

import logging
import threading

import pytest

from ui.jobs.machine.events import EVENTS, count, counted, log_event


def test_an_event_is_told_with_its_facts_and_counted(caplog):
    before = counted("run_started")
    with caplog.at_level(logging.INFO, logger="ui"):
        log_event("run_started", session=3, run=1)
    (record,) = caplog.records
    assert (record.getMessage(), record.facts) == ("run_started", {"session": 3, "run": 1})
    assert counted("run_started") == before + 1


def test_an_event_is_counted_where_nobody_reads_the_log():
    before = counted("session_opened")
    log_event("session_opened", level=logging.DEBUG)
    assert counted("session_opened") == before + 1


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

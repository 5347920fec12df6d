"""What the server tells of what happens."""

import threading

import pytest

from ui.jobs.machine.events import EVENTS, count, counted, log_event


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

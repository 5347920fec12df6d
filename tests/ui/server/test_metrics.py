"""What the server counts, in Prometheus' text format, and who may read it."""

import os
import re

import pytest
from starlette.requests import Request

from tests.helpers.coroutines import run_coroutine
from tests.helpers.wait import SECONDS
from tests.ui.jobs.test_background import Counting
from ui.jobs.machine.events import EVENTS, count, log_event
from ui.live.channel import Channel
from ui.server.metrics import (
    MEDIA_TYPE,
    VARIABLE,
    Usage,
    cores,
    exposition,
    metrics,
    parse_usage,
    usage,
)

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
SAMPLE = re.compile(rf'({NAME})(?:\{{({NAME})="([^"\\\n]*)"\}})? (-?[0-9.e+-]+)')


def requested(host="127.0.0.1", **headers):
    """A request from somewhere."""
    names = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
    client = None if host is None else (host, 50_000)
    scope = {"type": "http", "method": "GET", "path": "/metrics", "headers": names}
    return Request(scope | {"client": client, "query_string": b""})


def read(text):
    """All samples, checked against the format's grammar."""
    kinds, samples = {}, {}
    family = None
    for line in text.splitlines():
        if line.startswith("# HELP "):
            family = line.split(" ", 3)[2]
            assert family not in kinds, "a family comes once"
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name == family
            kinds[family] = kind
        else:
            name, _, value, number = SAMPLE.fullmatch(line).groups()
            assert name == family
            assert kind == "gauge" or (name.endswith("_total") and float(number) >= 0)
            assert (name, value) not in samples
            samples[name, value] = float(number)
    assert text.endswith("\n")
    return samples


def test_events_frames_sessions_and_runs_are_counted(permits):
    before = read(exposition())
    for event in EVENTS:
        log_event(event)
    log_event("session_opened")
    count("frames", 5)
    count("bytes", 9000)
    channel = Channel()
    end = channel.listen(lambda: None)
    job = Counting(turn=permits, playing=True)
    permits.spend(1)
    after = read(exposition())
    job.close()
    permits.give()
    job.join(SECONDS)
    end()
    channel.close()

    def more(name, value=None):
        return after[name, value] - before[name, value]

    n_times = {event: more("treecore_events_total", event) for event in EVENTS}
    assert n_times == dict.fromkeys(EVENTS, 1) | {"session_opened": 2, "run_started": 2}
    assert more("treecore_sessions") == 1
    assert more("treecore_frames_sent_total") == 5
    assert more("treecore_sent_bytes_total") == 9000
    assert more("treecore_wires") == 1
    assert more("treecore_runs", "running") == 1
    if os.path.exists("/proc/self/stat"):
        assert more("process_cpu_seconds_total") >= 0
        assert after["process_threads", None] >= 2
        assert after["process_resident_memory_bytes", None] > 2**20


@pytest.mark.parametrize(
    ("wish", "request_", "reported"),
    [
        ("", requested(), False),
        ("off", requested(), False),
        ("local", requested(), True),
        ("local", requested("::1"), True),
        (" Local ", requested(), True),
        ("local", requested("10.0.0.7"), False),
        ("local", requested("testclient"), False),
        ("local", requested(None), False),
        ("local", requested(x_forwarded_for="10.0.0.7"), False),
        ("local", requested(forwarded="for=10.0.0.7"), False),
        ("local", requested(via="1.1 proxy"), False),
        ("all", requested("10.0.0.7", x_forwarded_for="10.0.0.8"), True),
    ],
)
def test_nobody_is_told_unless_the_environment_says_so(monkeypatch, wish, request_, reported):
    monkeypatch.setenv(VARIABLE, wish)
    answer = run_coroutine(metrics(request_))
    assert answer.status_code == (200 if reported else 404)
    assert (b"treecore_" in answer.body) is reported
    if reported:
        assert answer.headers["content-type"] == MEDIA_TYPE


STAT = (
    "42 (a (strange) name) S 1 42 42 0 -1 4194560 9 0 0 0 "
    "250 50 7 7 20 0 12 0 1000 123456789 2560 18446744073709551615"
)


def test_processor_time_is_read_after_a_name_that_holds_blanks_and_brackets():
    assert parse_usage(STAT, 3.0, ticks=100, page=4096) == Usage(3.0, 3.0, 10.0, 12)
    if os.path.exists("/proc/self/stat"):
        assert usage(os.getpid()).seconds > 0
    assert cores(Usage(10.0, 4.0, 1.0, 1), Usage(14.0, 7.0, 1.0, 1)) == 0.75

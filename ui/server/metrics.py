"""``/metrics``: how much is going on, in Prometheus' text format, version 0.0.4.

https://prometheus.io/docs/instrumenting/exposition_formats/ Counts alone: no name, no token.
``TREECORE_METRICS`` says who may read them: ``local`` programs of the same machine, without a
proxy, or ``all``; else nobody, since they tell how busy the server is.
"""

from __future__ import annotations

import contextlib
import ipaddress
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from treecore import __version__
from ui.jobs.background import jobs
from ui.jobs.machine.events import EVENTS, counted
from ui.jobs.machine.scheduler import machine
from ui.live.channel import open_channels
from ui.server.process import usage

VARIABLE = "TREECORE_METRICS"
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
STATES = ("waiting", "running", "paused", "stopped", "finished", "failed")
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""Headers of which a proxy sets one or another: what comes through it only looks local."""

Sample = tuple[Mapping[str, str], float]


async def metrics(request: Request) -> Response:
    """The figures, for whom they are; 404 for all others, who learn nothing of them."""
    if not is_permitted(request, os.environ.get(VARIABLE, "")):
        return PlainTextResponse("Not Found", status_code=404)
    return Response(exposition(), media_type=MEDIA_TYPE, headers={"Cache-Control": "no-store"})


def is_permitted(request: Request, accepted: str) -> bool:
    """Whether who asks may know. wish: what the variable says."""
    accepted = accepted.strip().lower()
    if accepted == "all":
        return True
    if accepted != "local" or request.client is None:
        return False
    if any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:  # a socket of the file system has no address
        return False


def exposition() -> str:
    return "".join(line for family in _families() for line in family)


def _families() -> Iterator[Iterable[str]]:
    yield _family(
        "treecore_info", "gauge", "The version of the app.", [({"version": __version__}, 1)]
    )
    opened, closed = counted("session_opened"), counted("session_closed")
    yield _family(
        "treecore_sessions",
        "gauge",
        "Tabs that are open, or were so lately that they may come back.",
        [({}, opened - closed)],
    )
    states = Counter(job.state for job in jobs())
    yield _family(
        "treecore_runs",
        "gauge",
        "Runs that are held, by state.",
        [({"state": state}, states[state]) for state in STATES],
    )
    yield _family(
        "treecore_runs_in_line",
        "gauge",
        "Runs that wait for their turn at the processors.",
        [({}, machine().n_waiting)],
    )
    yield _family(
        "treecore_events_total",
        "counter",
        "Events since the server began.",
        [({"event": event}, counted(event)) for event in EVENTS],
    )
    listeners = sum(channel.n_listeners for channel in open_channels())
    yield _family("treecore_wires", "gauge", "Open wires of live views.", [({}, listeners)])
    yield _family(
        "treecore_frames_sent_total",
        "counter",
        "Messages sent on the wires, each with the trees that were new.",
        [({}, counted("frames"))],
    )
    yield _family(
        "treecore_sent_bytes_total", "counter", "Bytes of these messages.", [({}, counted("bytes"))]
    )
    yield _family(
        "process_cpu_seconds_total",
        "counter",
        "Processor time that the server has used.",
        [({}, time.process_time())],
    )
    with contextlib.suppress(FileNotFoundError):  # no /proc: not Linux
        now = usage(os.getpid())
        yield _family(
            "process_resident_memory_bytes",
            "gauge",
            "Memory that the server holds.",
            [({}, round(now.mebibytes * 2**20))],
        )
        yield _family("process_threads", "gauge", "Threads of the server.", [({}, now.threads)])


def _family(name: str, kind: str, help_text: str, samples: Iterable[Sample]) -> Iterator[str]:
    yield f"# HELP {name} {help_text}\n# TYPE {name} {kind}\n"
    for labels, value in samples:
        listed = ",".join(f'{label}="{text}"' for label, text in labels.items())
        yield f"{name}{{{listed}}} {value}\n" if listed else f"{name} {value}\n"

"""``/metrics``: how much is going on, in Prometheus' text format, version 0.0.4.

https://prometheus.io/docs/instrumenting/exposition_formats/ Counts alone: no name, no token.
``TREECORE_METRICS`` says who may read them: ``local`` programs of the same machine, without a
proxy, or ``all``; else nobody, since they tell how busy the server is.
"""

import contextlib
import ipaddress
import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from treecore import __version__
from ui.jobs.background import jobs
from ui.jobs.machine.events import EVENTS, counted
from ui.jobs.machine.scheduler import machine
from ui.live.channel import open_channels

VARIABLE = "TREECORE_METRICS"
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
STATES = ("waiting", "running", "paused", "stopped", "finished", "failed")
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""Headers of which a proxy sets one or another: what comes through it only looks local."""

Family = tuple[str, str, str, Mapping[str, float]]
"""Name, kind, what it is, and values by their label."""


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
    return "".join(line for family in _families() for line in _lines(*family))


def _families() -> Iterator[Family]:
    states, n_open = Counter(job.state for job in jobs()), counted("session_opened")
    by_state = {f'state="{state}"': states[state] for state in STATES}
    events = {f'event="{event}"': counted(event) for event in EVENTS}
    wires = sum(channel.n_listeners for channel in open_channels())
    gauge, counter = "gauge", "counter"
    yield "treecore_info", gauge, "The version of the app.", {f'version="{__version__}"': 1}
    what = "Tabs that are open, or were so lately that they may come back."
    yield "treecore_sessions", gauge, what, {"": n_open - counted("session_closed")}
    yield "treecore_runs", gauge, "Runs that are held, by state.", by_state
    what = "Runs that wait for their turn at the processors."
    yield "treecore_runs_in_line", gauge, what, {"": machine().n_waiting}
    yield "treecore_events_total", counter, "Events since the server began.", events
    yield "treecore_wires", gauge, "Open wires of live views.", {"": wires}
    what = "Messages sent on the wires, each with the trees that were new."
    yield "treecore_frames_sent_total", counter, what, {"": counted("frames")}
    yield "treecore_sent_bytes_total", counter, "Bytes of these messages.", {"": counted("bytes")}
    what = "Processor time that the server has used."
    yield "process_cpu_seconds_total", counter, what, {"": time.process_time()}
    with contextlib.suppress(FileNotFoundError):  # no /proc: not Linux
        now = usage(os.getpid())
        held = {"": round(now.mebibytes * 2**20)}
        yield "process_resident_memory_bytes", gauge, "Memory that the server holds.", held
        yield "process_threads", gauge, "Threads of the server.", {"": now.threads}


def _lines(name: str, kind: str, what: str, samples: Mapping[str, float]) -> Iterator[str]:
    yield f"# HELP {name} {what}\n# TYPE {name} {kind}\n"
    for label, value in samples.items():
        yield f"{name}{{{label}}} {value}\n" if label else f"{name} {value}\n"


@dataclass(frozen=True)
class Usage:
    """A process at one moment: processor time since it began, resident memory, threads."""

    moment: float
    seconds: float
    mebibytes: float
    threads: int


def usage(pid: int) -> Usage:
    """What a process has used by now; FileNotFoundError without such a process, or ``/proc``."""
    return parse_usage(
        Path(f"/proc/{pid}/stat").read_text(encoding="utf-8"),
        time.monotonic(),
        os.sysconf("SC_CLK_TCK"),
        os.sysconf("SC_PAGE_SIZE"),
    )


def parse_usage(stat: str, moment: float, ticks: int, page: int) -> Usage:
    """The line of ``/proc/PID/stat``, whose fields proc(5) numbers; page: bytes of a page."""
    fields = stat.rsplit(")", 1)[1].split()  # from field 3 on
    seconds = (int(fields[14 - 3]) + int(fields[15 - 3])) / ticks
    return Usage(moment, seconds, int(fields[24 - 3]) * page / 2**20, int(fields[20 - 3]))


def cores(before: Usage, after: Usage) -> float:
    """Processors that a process kept busy between two moments."""
    return (after.seconds - before.seconds) / (after.moment - before.moment)

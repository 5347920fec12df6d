"""What a process costs, read from Linux's ``/proc``."""

import os
import time
from dataclasses import dataclass
from pathlib import Path


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


def machine_seconds() -> float:
    """Processor time that all programs of the machine have used since it was started."""
    first = Path("/proc/stat").read_text(encoding="utf-8").splitlines()[0].split()
    user, nice, system, _idle, _wait, interrupts, soft, _stolen = map(int, first[1:9])
    return (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK")

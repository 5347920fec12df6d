"""What a process costs, as Linux tells it."""

import os
import subprocess
import sys

import pytest

from ui.server.process import Usage, cores, machine_seconds, parse_usage, usage

STAT = (
    "42 (a (strange) name) S 1 42 42 0 -1 4194560 9 0 0 0 "
    "250 50 7 7 20 0 12 0 1000 123456789 2560 18446744073709551615"
)


def test_fields_are_counted_after_a_name_that_holds_blanks_and_brackets():
    assert parse_usage(STAT, 3.0, ticks=100, page=4096) == Usage(3.0, 3.0, 10.0, 12)


def test_processors_are_processor_time_by_time():
    before, after = Usage(10.0, 4.0, 1.0, 1), Usage(14.0, 7.0, 1.0, 1)
    assert cores(before, after) == 0.75


THREE_WAIT = """
import sys, threading
told = threading.Event()
for _ in range(3):
    threading.Thread(target=told.wait).start()
print("waiting", flush=True)
sys.stdin.read()
told.set()
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="this machine has no /proc")
def test_a_process_is_seen_as_it_is():
    command = [sys.executable, "-c", THREE_WAIT]  # this one has threads that others start and end
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"waiting\n"
        first, second = usage(child.pid), usage(child.pid)
        child.stdin.close()
    assert first.threads == second.threads == 4
    assert first.mebibytes > 1
    assert second.moment >= first.moment
    assert 0 < usage(os.getpid()).seconds <= machine_seconds()
    assert first.seconds <= second.seconds

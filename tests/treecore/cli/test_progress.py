"""What is said of work that goes on, on a terminal and elsewhere, by a clock that tests turn."""

import io

import pytest
from rich.console import Console

from treecore.cli.progress import LINE_SECONDS, ProgressReport


class Clock:
    """Seconds that a test sets."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


def report_on(clock, **console):
    file = io.StringIO()
    return ProgressReport(Console(file=file, width=200, **console), clock), file


def test_elsewhere_a_line_comes_at_each_stage_and_every_half_minute(clock):
    report, file = report_on(clock)
    report.update("Preparing")
    for second in range(61):
        clock.now = 1000.0 + second
        report.update("SGD", second / 100, figures=f"loss {second}")
    report.update("Pruning")
    assert file.getvalue().splitlines() == [
        "0:00:00  Preparing",
        "0:00:00  SGD  0 %  loss 0",
        "0:00:30  SGD  30 %  loss 30",
        "0:01:00  SGD  60 %  loss 60",
        "0:01:00  Pruning",
    ]


def test_a_line_comes_while_nothing_is_heard_of_the_work(clock):
    """One run of a sweep may take hours."""
    report, file = report_on(clock)
    report.tick()
    assert file.getvalue() == ""  # nothing has begun
    report.update("Runs", 3, 19, "best 0.9")
    report.tick()
    clock.now += LINE_SECONDS
    report.tick()
    report.tick()
    lines = ["0:00:00  Runs  3 of 19  best 0.9", "0:00:30  Runs  3 of 19  best 0.9"]
    assert file.getvalue().splitlines() == lines


def test_a_terminal_has_a_bar_and_no_lines(clock):
    report, file = report_on(clock, force_terminal=True)
    with report:
        report.update("Looking the file over")
        report.update("SGD", 0.5, figures="loss 2")
        report.update("Runs", 3, 19)
        clock.now += 100 * LINE_SECONDS
        report.tick()
    assert "0:50:00  " not in file.getvalue()
    assert "3 of 19" in file.getvalue()


def test_commands_without_a_terminal_say_what_they_do(shell):
    said = shell("train", "sample:xor", "-m", "axis", "--depth", 2).stderr.splitlines()
    assert [line.split()[1] for line in said[1:3]] == ["Preparing", "Greedy"]
    assert "accuracy" in said[2]
    shell("datasets")
    assert shell("train", "sample:xor", "-m", "axis", "-q").stderr == ""

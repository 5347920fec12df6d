"""The background job: its commands, its failures, and what it does when nobody looks."""

import logging
import re
import threading

import pytest

from tests.helpers.pacing import Permits, asleep
from tests.helpers.wait import SECONDS, until
from ui.jobs.background import UNWATCHED_SECONDS, BackgroundJob, Failure, jobs


class Counting(BackgroundJob):
    """Counts to a number; what it shows is its state, its message and all numbers so far."""

    kind = "counting"

    def __init__(self, last=10_000, error=None, **more):
        super().__init__(**more)
        self._last, self._error = last, error
        self.rests, self.closed = [], 0
        self._start()

    def _clear(self):
        self.numbers = []

    def _steps(self):
        try:
            yield lambda: None
            for number in range(1, self._last + 1):
                if self._error and number > 3:
                    raise self._error
                yield lambda number=number: self.numbers.append(number)
        finally:
            self.closed += 1

    def _is_over(self):
        return self.numbers[-1:] == [self._last]

    def _rest(self, phase):
        self.rests.append((phase, len(self.numbers)))

    def _snapshot(self):
        return self._state(), self._message, tuple(self.numbers)


@pytest.fixture
def count(permits):
    """``count(...)`` gives a job that counts by the turns of the test."""
    made = []

    def counting(**more):
        made.append(Counting(**{"turn": permits, **more}))
        return made[-1]

    yield counting
    permits.give(10_000)
    for job in made:
        job.close()
        job.join(SECONDS)
        assert not job.alive


def numbers(n):
    return tuple(range(1, n + 1))


def test_it_waits_when_it_is_prepared_and_plays_to_the_end_which_is_announced(
    count, permits, clock
):
    reported, told = [], []
    job = count(last=5, wall=clock, announce=lambda: reported.extend(j.alive for j in told))
    told.append(job)
    asleep(clock)
    assert job.look() == ("paused", "", ())
    assert job in jobs()
    assert not job.playing
    permits.give(5)
    job.play()
    job.join(SECONDS)
    assert job.look() == ("finished", "", numbers(5))
    assert job.rests == [("paused", 0), ("finished", 5)]
    assert (job.closed, job.playing, job.alive) == (1, False, False)
    assert reported[-1] is False
    assert all(reported[:-1]), "who looks before sees that it goes on"
    job.close()
    assert job not in jobs()


def test_a_pause_holds_after_the_step_under_way(count, permits, clock):
    job = count(playing=True, wall=clock)
    permits.spend(3)
    job.pause()
    assert job.look() == ("running", "", numbers(3)), "the fourth step is being done"
    permits.give()
    asleep(clock)
    assert job.look() == ("paused", "", numbers(4))
    clock.forward(UNWATCHED_SECONDS / 2)
    assert clock.asleep, "time alone does not wake it"
    assert permits.requested == 4, "no other step is begun"
    job.play()
    assert job.look()[0] == "running"
    permits.spend(2)
    assert job.look() == ("running", "", numbers(6))


def test_a_step_while_paused_is_one_step_however_often_it_is_asked_for(count, permits, clock):
    job = count(wall=clock)
    asleep(clock)
    for _ in range(3):
        job.step_to(1)
    permits.give(10)
    until(lambda: job.rests[-1:] == [("paused", 1)], "for the step")
    asleep(clock)
    assert job.look() == ("paused", "", numbers(1))
    job.step_to(4)
    until(lambda: job.rests[-1:] == [("paused", 4)], "for three more")
    assert job.look() == ("paused", "", numbers(4))


def test_where_nobody_looks_it_waits_a_look_resumes_it_and_a_forgotten_one_ends(
    count, permits, clock
):
    job = count(playing=True, wall=clock)
    job.forgotten_seconds = 2 * UNWATCHED_SECONDS
    permits.spend(2)
    clock.forward(UNWATCHED_SECONDS)
    permits.give()
    asleep(clock)
    assert permits.requested == 3, "no step is begun"
    assert job.look() == ("running", "", numbers(3))
    until(lambda: permits.requested == 4, "for it to go on")
    clock.forward(UNWATCHED_SECONDS / 2)
    job.look()
    clock.forward(UNWATCHED_SECONDS / 2)
    permits.spend(1)
    assert job.look() == ("running", "", numbers(4)), "it was looked at in between"
    clock.forward(UNWATCHED_SECONDS)
    permits.give()
    asleep(clock)
    clock.forward(UNWATCHED_SECONDS)
    job.join(SECONDS)
    assert job.look() == ("stopped", "", numbers(5))
    assert permits.requested == 5


@pytest.mark.parametrize(
    ("error", "failure", "n_logged"),
    [
        (ValueError("these rows are too few"), Failure("these rows are too few", False), 0),
        (MemoryError(), Failure(Counting.out_of_memory, False), 0),
        (RuntimeError("a defect"), Failure(Counting.went_wrong, True), 1),
    ],
)
def test_a_failure_is_told_once_and_leaves_what_was_shown(
    count, permits, caplog, error, failure, n_logged
):
    with caplog.at_level(logging.ERROR):
        job = count(error=error, playing=True)
        permits.give(4)
        job.join(SECONDS)
    for _ in range(2):
        assert job.look() == ("failed", failure.sentence, numbers(3))
    assert job.failure == failure
    assert len(caplog.records) == n_logged
    assert (job.closed, job.playing, job.rests) == (1, False, [])
    job.pause()
    job.play()
    assert job.look()[0] == "failed", "commands do not hide it"
    job.reset()
    assert (job.failure, job.look()[2]) == (None, ())


def reported(caplog):
    """Events of jobs, which run they are of, and how many steps were done."""
    form = re.compile(r"(\w+) session=0 run=(\d+) kind=counting steps=(\d+)(?: .*)?")
    found = [form.fullmatch(message) for message in caplog.messages]
    return [(event[1], int(event[2]), int(event[3])) for event in found]


def test_the_log_tells_beginning_and_end_of_every_life(count, permits, caplog):
    with caplog.at_level(logging.INFO, logger="ui"):
        finished = count(last=2, playing=True)
        permits.give(2)
        finished.join(SECONDS)
        failed = count(error=ValueError("too few"), playing=True)
        permits.give(4)
        failed.join(SECONDS)
        unused = count()
        unused.close()
        unused.join(SECONDS)
    events = reported(caplog)
    assert [(event, steps) for event, _run, steps in events] == [
        ("run_started", 0),
        ("run_finished", 2),
        ("run_started", 0),
        ("run_failed", 3),
    ]
    assert len({run for _event, run, _steps in events}) == 2
    assert "too few" not in caplog.text, "what a sentence says may be about contents"


@pytest.mark.parametrize("error", [None, ValueError("too late")])
def test_closing_from_another_thread_ends_it_and_what_comes_after_is_nobodys(count, permits, error):
    job = count(error=error, playing=True)
    permits.spend(3)
    closing = threading.Thread(target=job.close)
    closing.start()
    closing.join(SECONDS)
    permits.give()
    job.join(SECONDS)
    assert not job.alive
    assert job.look() == ("stopped", "", numbers(3)), "the step under way is not shown"
    job.play()
    job.reset()
    assert not job.alive, "closed is for good"
    assert (job.closed, job.rests, job.failure) == (1, [], None)


def test_a_stopped_job_keeps_what_is_done_and_begins_again_when_played(count, permits, clock):
    job = count(last=4, playing=True, wall=clock)
    permits.spend(2)
    job.stop()
    assert not job.playing
    permits.give()
    job.join(SECONDS)
    assert job.look() == ("stopped", "", numbers(3))
    assert job.rests == [("stopped", 3)]
    permits.give(10)
    job.play()
    job.join(SECONDS)
    assert job.look() == ("finished", "", numbers(3) + numbers(4))


def test_a_reset_drops_the_step_under_way_and_no_two_are_done_at_a_time(count, clock):
    busy, free = [], threading.Semaphore(0)

    class Turn(Permits):
        def take(self, elapsed):
            busy.append(elapsed)
            free.acquire()
            assert len(busy) == 1
            busy.clear()
            return True

    job = count(playing=True, wall=clock, turn=Turn())
    until(lambda: busy, "for the first step")
    for _ in range(3):
        job.reset()
    assert job.look() == ("waiting", "", ())
    assert [thread.name for thread in threading.enumerate()].count("treecore-counting") == 1
    free.release()
    asleep(clock)
    assert job.look() == ("paused", "", ())
    assert (job.generation, job.closed) == (3, 1)
    job.play()
    free.release(2)
    until(lambda: job.look()[2] == numbers(2), "for the steps of the new run")
    free.release(10_000)

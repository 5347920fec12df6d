"""Turns at the machine: how many there are, whose is next, and that none is ever lost."""

import math
import threading

import pytest

from tests.helpers.wait import SECONDS, until
from tests.ui.jobs.test_background import Counting
from ui.jobs.machine.scheduler import (
    LONG_WAIT,
    MOST_LEARNERS,
    TURN_SECONDS,
    VARIABLE,
    Client,
    Scheduler,
    learners,
)

SLICE = 1.001 * TURN_SECONDS
"""A little more than a slice."""


class Run:
    """Takes a turn whenever there is one, in a thread of its own, and keeps it until it is told."""

    def __init__(self, client, elapsed=0.0):
        self.turn, self.elapsed = client.turn(), elapsed
        self.working = threading.Event()
        self._done = threading.Event()
        self._ended = False
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self):
        while not self._ended:
            if self.turn.take(self.elapsed):
                self.working.set()
                self._done.wait(SECONDS)
                self._done.clear()
        self.turn.leave()

    def step(self):
        """End the step under way; the next one needs the turn again."""
        self.working.clear()
        self._done.set()

    def end(self):
        self._ended = True
        self.turn.nudge()
        self._done.set()
        self._thread.join(SECONDS)
        assert not self._thread.is_alive()


@pytest.fixture
def begin():
    """``begin(client, spent)`` begins a run and waits until it is in line."""
    runs = []

    def started(client, elapsed=0.0):
        run = Run(client, elapsed)
        runs.append(run)
        until(lambda: run.working.is_set() or run.turn in client._waiting, "for it to arrive")
        return run

    yield started
    for run in runs:
        run.end()


def working(runs):
    return [run for run in runs if run.working.is_set()]


def serve(clock, runs, n, seconds=SLICE):
    """Let one turn after the other be used for so long; gives who had them, by number."""
    served = []
    for _ in range(n):
        (run,) = until(lambda: working(runs), "for somebody to work")
        served.append(runs.index(run))
        clock.forward(seconds)
        run.step()
        until(lambda: working(runs), "for the next one")
    return served


@pytest.mark.parametrize("n", [1, 2, 3])
def test_no_more_than_allowed_work_and_always_as_many_as_can(begin, clock, n):
    scheduler = Scheduler(n, clock)
    runs = [begin(Client(scheduler)) for _ in range(5)]
    for _ in range(12):
        until(lambda: len(working(runs)) == n, f"for {n} at work")
        assert sum(run.turn._since is not None for run in runs) == n
        clock.forward(SLICE)
        working(runs)[0].step()
    until(lambda: len(working(runs)) == n, f"for {n} at work")


def test_a_session_with_four_runs_gets_no_more_than_one_with_one(begin, clock):
    scheduler = Scheduler(1, clock)
    many, one, other = (Client(scheduler) for _ in range(3))
    runs = [begin(many, float(i)) for i in range(4)] + [begin(one), begin(other)]
    served = serve(clock, runs, 30)
    assert [served.count(4), served.count(5)] == [10, 10]


def test_long_steps_are_paid_for(begin, clock):
    scheduler = Scheduler(1, clock)
    slow, quick = runs = [begin(Client(scheduler)) for _ in range(2)]
    had = [0.0, 0.0]
    for _ in range(60):
        (run,) = until(lambda: working(runs), "for somebody to work")
        seconds = 4 * SLICE if run is slow else SLICE
        had[run is quick] += seconds
        serve(clock, runs, 1, seconds)
    assert had[0] == pytest.approx(had[1], rel=0.2), "seconds count, not turns"


def test_who_wants_little_does_not_wait_for_all_who_want_much(begin, clock):
    scheduler = Scheduler(1, clock)
    greedy = [begin(Client(scheduler)) for _ in range(6)]
    for i in range(12):
        serve(clock, greedy, 1, (1 + i / 50) * SLICE)  # none is served quite like another
    light = begin(Client(scheduler))
    runs = [*greedy, light]
    assert serve(clock, runs, 2)[1] == 6, "next, once the present slice is over"


def test_who_was_idle_has_saved_nothing_up(begin, clock):
    scheduler = Scheduler(1, clock)
    idle = Client(scheduler)
    runs = [begin(Client(scheduler)) for _ in range(2)]
    serve(clock, runs, 50)
    runs.append(begin(idle))
    served = serve(clock, runs, 12)
    assert max(served.count(i) for i in range(3)) <= 5, "its share, not what it missed"


def test_within_a_session_the_least_learning_time_is_next(begin, clock):
    scheduler = Scheduler(1, clock)
    client = Client(scheduler)
    runs = [begin(client, elapsed) for elapsed in (0.0, math.inf, 3.0, 1.0, 2.0)]
    order = []
    for _ in range(5):
        (run,) = until(lambda: working(runs), "for somebody to work")
        order.append(run.elapsed)
        run.elapsed = math.inf
        clock.forward(SLICE)
        run.step()
        until(lambda run=run: working(runs) != [run], "for the next one")
    assert order[:4] == [0.0, 1.0, 2.0, 3.0]


def test_what_nobody_watches_waits_for_all_who_are_watched(begin, clock):
    scheduler = Scheduler(1, clock)
    studies = [begin(Client(scheduler), math.inf) for _ in range(2)]
    watched = begin(Client(scheduler), 3.0)
    runs = [*studies, watched]
    assert serve(clock, runs, 6)[1:] == [2] * 5, "once the first slice is over"
    watched.end()
    watched.working.clear()
    assert set(serve(clock, runs, 4)) == {0, 1}, "and then they learn"


def test_a_turn_is_kept_for_a_slice(begin, clock):
    scheduler = Scheduler(1, clock)
    first, second = runs = [begin(Client(scheduler)) for _ in range(2)]
    for _ in range(4):
        clock.forward(TURN_SECONDS / 5)
        first.step()
        until(lambda: working(runs), "for the next step")
        assert working(runs) == [first]
    clock.forward(TURN_SECONDS / 2)
    first.step()
    until(lambda: working(runs) == [second], "for the one that waits")


def job(scheduler, client=None, **more):
    return Counting(turn=(client or Client(scheduler)).turn(), **more)


@pytest.mark.parametrize("end", ["pause", "stop", "close", "reset"])
def test_a_job_that_is_told_to_end_while_it_waits_does_no_step_and_frees_the_line(clock, end):
    scheduler = Scheduler(1, clock)
    holder = Client(scheduler).turn()
    assert holder.take(0.0)
    waiting = job(scheduler, playing=True)
    client = waiting._turn._client
    until(lambda: client._waiting, "for it to wait")
    assert scheduler.n_waiting == 1
    getattr(waiting, end)()
    until(lambda: scheduler.n_waiting == 0, "for it to leave the line")
    holder.leave()
    assert waiting.look()[2] == (), "it has done nothing since"
    waiting.close()
    waiting.join(SECONDS)
    assert scheduler._free == 1


@pytest.mark.parametrize("error", [None, ValueError("no more"), RuntimeError("a defect")])
def test_a_job_that_ends_or_dies_frees_its_turn(error, caplog):
    scheduler = Scheduler(1)
    dying = job(scheduler, last=5, error=error, playing=True)
    dying.join(SECONDS)
    assert dying.look()[0] == ("failed" if error else "finished")
    after = job(scheduler, last=5, playing=True)
    after.join(SECONDS)
    assert after.look()[0] == "finished"
    assert scheduler._free == 1


def test_a_wait_is_told_when_it_is_long_and_others_are_the_cause_until_one_is_shorter(begin, clock):
    scheduler = Scheduler(1, clock)
    mine = Client(scheduler)
    runs = [begin(mine), begin(mine, 1.0)]
    clock.forward(10 * LONG_WAIT)
    assert mine.wait_for_others() is None, "its own runs wait for each other"
    other = Client(scheduler)
    runs.append(begin(other))
    assert other.wait_for_others() is None, "it has only come"
    clock.forward(2.2 * LONG_WAIT)
    assert other.wait_for_others() == (1, pytest.approx(2.2 * LONG_WAIT))
    runs.append(begin(Client(scheduler)))
    assert other.wait_for_others() == (2, pytest.approx(2.2 * LONG_WAIT))
    served = serve(clock, runs, 30)
    assert 2 in served
    assert other.wait_for_others() is None


def test_there_is_always_a_turn_and_the_environment_says_how_many():
    assert 1 <= learners({}) <= MOST_LEARNERS
    assert [learners({VARIABLE: text}) for text in ("1", " 3 ", "99")] == [1, 3, MOST_LEARNERS]
    for text in ("0", "-1", "many", "1.5"):
        with pytest.raises(ValueError, match="must be a whole number of at least 1"):
            learners({VARIABLE: text})


def test_others_are_the_sessions_that_have_lately_asked_for_a_turn(clock):
    scheduler = Scheduler(1, clock)
    turns = [Client(scheduler).turn() for _ in range(3)]
    assert turns[0].n_others() == 0
    for turn in turns:
        turn.take(0.0)
        turn.leave()
    assert [turn.n_others() for turn in turns] == [2, 2, 2]
    clock.forward(1.5)
    turns[1].take(0.0)
    assert [turn.n_others() for turn in turns] == [1, 0, 1]
    turns[1].leave()

"""The background run: commands say what should be, and nothing runs when nobody looks."""

import contextlib
import math
import time

import numpy as np
import pytest

import ui.runner
from treecore import RunConfig, Trainer, warm_up
from ui.runner import KEPT_FRAMES, Runner

rng = np.random.default_rng(0)
X = rng.standard_normal((200, 2))
Y = (np.abs(X).sum(axis=1) > 1).astype(int)


def build(**settings):
    return lambda: Trainer(RunConfig("sgd", depth=3, **settings), X, Y)


@pytest.fixture(scope="module", autouse=True)
def compiled():
    warm_up()


@pytest.fixture
def make():
    made = []

    def runner(factory=None, speed=math.inf, playing=False):
        made.append(Runner(factory or build(epochs=20), speed, playing))
        return made[-1]

    yield runner
    for runner in made:
        runner.close()


def wait_for(runner, state, seconds=10.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        status = runner.look()
        if status.state == state:
            return status
        time.sleep(0.005)
    raise AssertionError(f"still {status.state} after {seconds} s: {status.message}")


def test_a_run_waits_at_its_measured_start(make):
    status = wait_for(make(), "paused")
    assert [event.done for event in status.history] == [0.0]
    assert status.frames[-1].event.done == 0.0
    assert status.counts.sum() == 200


def test_play_runs_to_the_end_and_every_pass_is_in_the_history(make):
    runner = make()
    wait_for(runner, "paused")
    runner.play()
    status = wait_for(runner, "finished")
    assert [event.done for event in status.history] == list(range(21))
    assert status.frames[-1].event is status.event


def test_the_run_of_a_thread_is_the_run_of_a_loop(make):
    runner = make(playing=True, speed=200.0)
    wait_for(runner, "finished")
    alone = build(epochs=20)().run()
    for ours, theirs in zip(runner.latest().tree, alone):
        np.testing.assert_array_equal(ours, theirs)


def test_pausing_is_seen_at_once_and_holds(make):
    runner = make(build(epochs=100_000), playing=True)
    wait_for(runner, "running")
    time.sleep(0.1)
    runner.pause()
    assert runner.look().state == "paused"
    time.sleep(0.1)  # the slice in progress ends
    before = runner.look().event.done
    time.sleep(0.2)
    after = runner.look()
    assert after.event.done == before
    assert after.frames[-1].event is after.event, "the tree on show is the one that was reached"


def test_a_step_is_one_pass_however_often_the_click_arrives(make):
    runner = make()
    wait_for(runner, "paused")
    target = runner.next_epoch
    for _ in range(3):
        runner.step_to(target)
    end = time.monotonic() + 5
    while runner.look().history[-1].done < 1 and time.monotonic() < end:
        time.sleep(0.005)
    time.sleep(0.1)
    assert runner.look().history[-1].done == 1.0
    assert runner.look().state == "paused"


def test_reset_goes_back_to_the_start_and_the_same_run_comes_again(make):
    runner = make(playing=True)
    first = wait_for(runner, "finished")
    runner.reset()
    again = wait_for(runner, "paused")
    assert [event.done for event in again.history] == [0.0]
    assert again.history[0].loss == first.history[0].loss
    runner.play()
    second = wait_for(runner, "finished")
    assert second.history[-1].loss == first.history[-1].loss


def test_speed_is_kept_in_passes_a_second(make):
    runner = make(build(epochs=1000), speed=20.0)
    wait_for(runner, "paused")
    begun = time.monotonic()
    runner.play()
    while time.monotonic() - begun < 1.0:
        runner.look()
        time.sleep(0.05)
    assert runner.look().event.done == pytest.approx(20, abs=5)
    assert len(runner.look().frames) >= 20, "at least twenty pictures a second"


def test_frames_are_bounded_and_numbered(make):
    runner = make(build(epochs=60), speed=32.0, playing=True)
    status = wait_for(runner, "finished")
    numbers = [frame.number for frame in status.frames]
    assert len(numbers) <= KEPT_FRAMES
    assert numbers == sorted(set(numbers))


def test_a_long_history_is_thinned_and_keeps_its_ends(make):
    runner = make(build(epochs=3000), playing=True)
    history = wait_for(runner, "finished", 30).history
    epochs = [event.done for event in history]
    assert len(epochs) <= 801
    assert epochs[0] == 0
    assert epochs[-1] == 3000
    assert epochs == sorted(epochs)


def test_a_run_that_nobody_looks_at_waits(make, monkeypatch):
    monkeypatch.setattr(ui.runner, "UNWATCHED_SECONDS", 0.1)
    runner = make(build(epochs=100_000), playing=True)
    wait_for(runner, "running")
    time.sleep(0.4)
    left = runner._event.done
    time.sleep(0.3)
    assert runner._event.done == left
    runner.look()
    time.sleep(0.08)
    assert runner.look().event.done > left, "it goes on when somebody looks again"


def test_closing_ends_the_thread(make):
    runner = make(build(epochs=100_000), playing=True)
    wait_for(runner, "running")
    runner.close()
    runner._thread.join(2.0)
    assert not runner.alive


def test_impossible_data_are_told_not_raised(make):
    runner = make(lambda: Trainer(RunConfig("sgd"), X * np.inf, Y))
    assert "infinite values" in wait_for(runner, "failed").message


def test_nothing_of_the_old_run_is_shown_after_a_reset(make):
    runner = make(playing=True)
    wait_for(runner, "finished")
    for _ in range(20):
        runner.reset()
        status = runner.look()
        assert all(frame.event.done == 0 for frame in status.frames)
        assert status.state in ("waiting", "paused")
        runner.play()
        assert runner.look().state != "finished" or runner.look().history[-1].done == 20
        wait_for(runner, "finished")


def test_a_run_told_to_play_is_playing_before_its_first_tree(make):
    runner = make(build(epochs=100_000))
    runner.play()
    assert runner.playing
    wait_for(runner, "running")
    runner.pause()
    assert not runner.playing


def test_a_defect_is_told_and_a_reset_tries_again(make):
    attempts = []

    def broken():
        attempts.append(1)
        if len(attempts) == 1:
            raise RuntimeError("a defect")
        return build(epochs=5)()

    runner = make(broken)
    assert "went wrong" in wait_for(runner, "failed").message
    runner.reset()
    wait_for(runner, "paused")


class Notebook:
    """A recorder that writes down what it is told."""

    def __init__(self):
        self.epochs = []

    def share(self, trainer, event):
        return 0.5

    def note(self, trainer, event):
        self.epochs.append(event.done)

    def forget(self):
        self.epochs = []


def test_a_recorder_is_told_every_event_and_cuts_the_run():
    book = Notebook()
    runner = Runner(build(epochs=4), math.inf, playing=True, recorder=book)
    try:
        wait_for(runner, "finished")
        assert max(np.diff(book.epochs)) <= 0.5, "no more than half a pass at a time"
        assert book.epochs[-1] == 4
        runner.reset()
        wait_for(runner, "paused")
        assert set(book.epochs) == {0.0}, "a reset forgets"
    finally:
        runner.close()


def test_every_step_is_done_in_its_turn():
    taken = []

    @contextlib.contextmanager
    def turn(seconds):
        taken.append(seconds)
        yield

    runner = Runner(build(epochs=5), math.inf, playing=True, turn=turn)
    try:
        last = wait_for(runner, "finished").event
        assert len(taken) >= 5
        assert taken == sorted(taken)
        assert taken[-1] <= last.seconds
    finally:
        runner.close()

"""The background run: commands say what should be, and pictures come as they are aimed at."""

import math
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from tests.helpers.pacing import ManualClock, shown
from tests.helpers.same import assert_same
from tests.helpers.wait import SECONDS, until
from treecore import RunConfig, Trainer
from ui.jobs.pacing import (
    FEWEST_PICTURES,
    PICTURES_OF_ALL,
    PICTURES_PER_SECOND,
    pictures_per_second,
)
from ui.jobs.training_job import KEPT_FRAMES, TrainingJob

rng = np.random.default_rng(0)
X = rng.standard_normal((200, 2))
Y = (np.abs(X).sum(axis=1) > 1).astype(int)
ENDLESS = 100_000


def build(**settings):
    return lambda: Trainer(RunConfig("sgd", depth=3, **settings), X, Y)


@pytest.fixture
def make():
    made = []

    def runner(factory=None, speed=math.inf, playing=False, **more):
        made.append(TrainingJob(factory or build(epochs=20), speed, playing, **more))
        return made[-1]

    yield runner
    for runner in made:
        runner.close()
    until(lambda: not any(runner.alive for runner in made), "for the threads to end")


def reached(runner, state):
    """The first look at a run in that state."""

    def look():
        status = runner.look()
        assert status.state != "failed" or state == "failed", status.message
        return status if status.state == state else None

    return until(look, f"for a run that is {state}")


@pytest.fixture
def resumed():
    """A run that was stopped in its third pass, as the job sees it."""
    trainer = build(epochs=20)()
    past = [trainer.step(share=0.25) for _ in range(10)]
    return SimpleNamespace(trainer=trainer, past=[event for event in past if event.complete])


def test_a_reset_that_comes_before_the_thread_has_begun_begins_anew(make, resumed, monkeypatch):
    gate, next_life = threading.Event(), TrainingJob._next_life

    def when_open(job):  # held up without the condition, which a reset takes
        return job._changed.wait_for(gate.is_set, SECONDS) and next_life(job)

    monkeypatch.setattr(TrainingJob, "_next_life", when_open)
    runner = make(resumed=resumed)
    runner.reset()
    gate.set()
    with runner._changed:
        runner._changed.notify_all()
    assert reached(runner, "paused").event.done == 0


def test_a_run_waits_at_its_measured_start_and_play_is_the_run_of_a_loop(make):
    runner = make(speed=2000.0)
    status = reached(runner, "paused")
    assert [event.done for event in status.history] == [0.0]
    assert status.frames[-1].event.done == 0.0
    assert status.counts.sum() == 200
    runner.play()
    status = reached(runner, "finished")
    assert [event.done for event in status.history] == list(range(21))
    assert status.frames[-1].event is status.event
    assert_same(runner.latest().tree, build(epochs=20)().run())


def test_reset_goes_back_to_the_start_at_once_and_the_same_run_comes_again(make):
    runner = make(playing=True)
    first = reached(runner, "finished")
    for _ in range(20):
        runner.reset()
        status = runner.look()
        assert all(frame.event.done == 0 for frame in status.frames), "nothing of the old run"
        assert status.state in ("waiting", "paused")
        runner.play()
        second = reached(runner, "finished")
    assert [e.loss for e in second.history] == [e.loss for e in first.history]
    assert_same(second.frames[-1].tree, first.frames[-1].tree)


@pytest.mark.parametrize("speed", [7.0, 20.0])
def test_speed_is_kept_in_passes_a_second(make, speed):
    clock = ManualClock()
    runner = make(build(epochs=10), speed=speed, playing=True, wall=clock)
    seen = [(clock.now(), status.event.done) for status in shown(runner, clock)]
    time, epoch = np.array(seen).T
    # Who waits is ahead of its time by the portion that it has done, and wakes when it is not.
    np.testing.assert_allclose(np.diff(epoch)[:-1], speed * np.diff(time)[1:], atol=1e-6)
    portion = speed / PICTURES_PER_SECOND + 1 / len(X)  # rounded to whole rows
    assert (speed * np.diff(time) <= portion).all(), "none is longer than a picture is shown"
    assert speed * time[-1] == pytest.approx(10, abs=3 * portion)


def test_all_who_learn_share_the_pictures_and_nobody_gets_too_few():
    rates = [pictures_per_second(n) for n in range(200)]
    assert rates[0] == PICTURES_PER_SECOND
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] == FEWEST_PICTURES
    few = [(n + 1) * rate for n, rate in enumerate(rates) if rate > FEWEST_PICTURES]
    assert max(few) <= PICTURES_OF_ALL + 1e-9


def test_frames_are_bounded_and_numbered_and_a_long_history_is_thinned(make):
    status = reached(make(build(epochs=900), speed=9000.0, playing=True), "finished")
    epochs = [event.done for event in status.history]
    assert 400 < len(epochs) <= 801
    assert (epochs[0], epochs[-1]) == (0, 900)
    assert epochs == sorted(set(epochs))
    numbers = [frame.number for frame in status.frames]
    assert 1 < len(numbers) <= KEPT_FRAMES
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    epochs = [frame.event.done for frame in status.frames]
    assert epochs == sorted(epochs)


def test_a_question_is_answered_between_two_steps_and_refused_before_the_first(make):
    started = threading.Event()
    runner = make(lambda: started.wait() and build(epochs=ENDLESS)(), playing=True)
    with pytest.raises(ValueError, match="has not started"):
        runner.ask(lambda trainer: None)
    started.set()
    reached(runner, "running")
    for _ in range(20):
        state, tree = runner.ask(lambda trainer: (trainer.state(), trainer.model))
        again = Trainer.from_state(state, RunConfig("sgd", depth=3, epochs=ENDLESS), X, Y)
        assert_same(again.model, tree)
        assert again.step().done > 0
    assert runner.look().state == "running"

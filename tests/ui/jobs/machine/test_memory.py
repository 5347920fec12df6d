"""What a server keeps for its visitors: refused in a sentence, shared out, and given back."""

import gc
import math
import threading
import tracemalloc
import weakref

import numpy as np
import pytest

from tests.helpers.wait import until
from tests.ui.jobs.test_training_job import build
from treecore import RunConfig, Trainer
from treecore.training.registry import TREES
from ui.jobs.machine.memory import (
    RUNS_AT_ONCE,
    SERVER,
    SESSION,
    SESSION_BYTES,
    Account,
    Memory,
    MemoryLimits,
    learning_bytes,
    read_limits,
)
from ui.jobs.recorder import MIN_SNAPSHOTS, Recorder
from ui.jobs.training_job import MIN_FRAMES, TrainingJob
from ui.jobs.visitor import Visitor
from ui.language import translate

MB = 1_000_000


@pytest.fixture
def memory():
    return Memory(MemoryLimits(session=100 * MB, server=250 * MB))


class Owner:
    """Something that holds memory."""


def test_the_environment_sets_the_limits():
    assert read_limits({SESSION: "64", SERVER: "1000"}) == MemoryLimits(64 * MB, 1000 * MB)
    usual = read_limits({})
    assert usual.session == SESSION_BYTES <= usual.server
    with pytest.raises(ValueError, match=r"TREECORE_SESSION_MB is 'much'; it must be a whole"):
        read_limits({SESSION: "much"})


def test_what_does_not_fit_is_refused_in_one_sentence(memory):
    account, one, other = Account(memory), Owner(), Owner()
    with pytest.raises(
        ValueError, match=r"needs about 101 MB, .* reserves 100 MB per visitor: use"
    ):
        account.hold(one, 101 * MB)
    account.hold(one, 60 * MB)
    account.hold(one, 70 * MB)  # in place of what it had
    with pytest.raises(ValueError, match=r"need about 110 MB together, .* 100 MB per visitor"):
        account.hold(other, 40 * MB)
    account.hold(other, 30 * MB)
    account.release(one)
    assert memory.held == 30 * MB


def test_visitors_share_what_the_server_keeps_and_record_less_the_more_they_are(memory):
    accounts, owners = [Account(memory) for _ in range(3)], [Owner() for _ in range(3)]
    for account, owner in zip(accounts[:2], owners, strict=False):
        account.hold(owner, 100 * MB)
    refusal = "The 250 MB that the server reserves for all visitors are"
    with pytest.raises(ValueError, match=refusal):
        accounts[2].hold(owners[2], 60 * MB)
    accounts[0].close()
    accounts[2].hold(owners[2], 60 * MB)
    assert memory.held == 160 * MB
    assert accounts[1].run_bytes == 100 * MB // RUNS_AT_ONCE
    accounts += [Account(memory) for _ in range(8)]
    assert {account.run_bytes for account in accounts[1:]} == {25 * MB // RUNS_AT_ONCE}


def test_who_is_gone_holds_nothing(memory):
    account, owner = Account(memory), Owner()
    account.hold(owner, 10 * MB)
    del owner
    gc.collect()
    assert memory.held == 0
    account.hold(keep := Owner(), 10 * MB)
    del account
    gc.collect()
    assert memory.held == 0
    assert keep


@pytest.mark.parametrize("shape", [(4000, 4), (2000, 40)])
@pytest.mark.parametrize("method", TREES)
def test_learning_takes_no_more_than_is_said_and_not_far_less(method, shape):
    rng = np.random.default_rng(0)
    X = rng.standard_normal(shape).astype(np.float32)
    y = (X[:, 0] * X[:, 1] > 0).astype(np.int64)
    config = RunConfig(method, depth=5)

    def learn():
        trainer = Trainer(config, X, y)
        for _ in range(5):
            if not trainer.finished:
                trainer.step()

    learn()  # what is made once for all runs, compiled kernels first of all, is not counted
    tracemalloc.start()
    try:
        learn()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    said = learning_bytes(config, *shape, n_outputs=2)
    assert peak <= said <= 30 * peak


# Runs ---------------------------------------------------------------------------------------------

learner = build(epochs=30)


def ended(job):
    until(lambda: not job.alive, "for the end of the thread")
    return job


def test_little_memory_keeps_few_trees():
    memory = Memory(MemoryLimits(session=8000, server=8000))
    account = Account(memory)
    recorder = Recorder("sgd", account)
    job = TrainingJob(learner, math.inf, True, memory=account, recorder=recorder, needs=4000)
    frames = ended(job).look().frames
    assert len(frames) <= MIN_FRAMES
    snapshots, finished = recorder.snapshots()
    assert finished
    assert len(snapshots) <= MIN_SNAPSHOTS
    assert [snapshots[0].event.done, snapshots[-1].event.done] == [0, 30], "both ends are there"
    assert memory.held == 4000, "it can still be looked at"
    for end in (job.close, job.reset):
        end()
        assert memory.held == 0


def test_a_run_that_does_not_fit_says_so_in_the_visitors_language():
    account = Account(Memory(MemoryLimits(session=MB, server=MB)))
    job = ended(TrainingJob(learner, math.inf, True, memory=account, needs=9 * MB))
    with translate.speaking("de"):
        assert translate._(job.look().message).startswith("Dieser Lauf braucht etwa 9 MB")


def test_nothing_is_left_of_sessions_that_have_ended():
    before = threading.active_count()
    dead = []
    for i in range(30):
        client = Visitor()
        recorder, memory = Recorder("sgd", client.memory), {"memory": client.memory, "needs": MB}
        jobs = [
            TrainingJob(learner, math.inf, True, turn=client.turn(), recorder=recorder, **memory)
            for _ in range(2)
        ]
        if i % 3:  # some are closed at once, others once they have learnt
            until(lambda jobs=jobs: jobs[0].look().frames, "for a tree")
        for job in jobs:
            job.close()
            ended(job)
        dead += [weakref.ref(one) for one in (client, recorder, *jobs)]
        client.memory.close()
        del client, recorder, memory, jobs, job
    gc.collect()
    assert threading.active_count() <= before
    assert [one() for one in dead if one() is not None] == []

"""Accuracy within a limit of time: which of the efforts counts."""

import numpy as np
import pytest

from benchmarks import budgets
from benchmarks.budgets import LIMITS, cells, drawn, ladder
from benchmarks.data import Part
from benchmarks.peers import LEARNERS, Learner


def test_the_greatest_effort_within_a_limit_counts():
    rungs = [(1, 0.5, 60.0), (10, 3.0, 80.0), (100, 5.0, 90.0)]
    assert cells(rungs, "rounds") == ["60.0 (1 rounds)", "90.0 (100 rounds)", "90.0 (100 rounds)"]
    assert cells([], "rounds") == ["–"] * len(LIMITS)


def test_no_effort_is_begun_that_must_take_twice_as_long_as_the_last_limit(monkeypatch):
    done = []

    def fit(X, y, effort):
        done.append((len(y), effort))
        clock[0] += effort
        return lambda rows: np.zeros(len(rows), dtype=int)

    clock = [0.0]
    monkeypatch.setattr(budgets.time, "process_time", lambda: clock[0])
    monkeypatch.setattr(budgets.resource, "setrlimit", lambda *limits: None)
    monkeypatch.setitem(LEARNERS, "clock", Learner("", fit, "seconds", (1, 10, 20, 50)))
    rows = Part(np.zeros((500, 2)), np.arange(500) % 2)
    assert list(ladder("clock", rows, rows)) == [(1, 1.0, 50.0), (10, 10.0, 50.0), (20, 20.0, 50.0)]
    assert [effort for n, effort in done if n == 500] == [1, 10, 20]


def test_drawn_rows_have_two_groups_of_which_one_feature_is_one_and_all_classes():
    training, test = drawn(5000)
    assert (len(training.y), len(test.y)) == (4000, 1000)
    for first, last in ((10, 14), (14, 54)):
        assert (training.X[:, first:last].sum(axis=1) == 1).all()
    assert set(training.y) == set(range(7))


@pytest.mark.parametrize("name", [name for name in LEARNERS if not LEARNERS[name].library])
def test_models_that_are_always_there_learn(name):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 3), dtype=np.float32)
    y = (X[:, 0] > 0).astype(np.int64)
    predict = LEARNERS[name].fit(X, y, min(LEARNERS[name].efforts))
    assert np.mean(predict(X) == y) > 0.6

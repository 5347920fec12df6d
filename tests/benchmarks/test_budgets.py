"""Accuracy within a limit of time: which of the efforts counts."""

import numpy as np
import pytest

from benchmarks import budgets
from benchmarks.budgets import LIMITS, cells, drawn, ladder
from benchmarks.data import Part
from benchmarks.peers import LEARNERS, Learner
from benchmarks.protocol import DRAWS, FEW_ROWS, choose, held_out_error, tree_error


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


def numbered(n):
    """Rows that know their number, of two classes."""
    return Part(np.arange(n)[:, None], np.arange(n) % 2)


@pytest.mark.parametrize(("n", "draws"), [(100, DRAWS), (FEW_ROWS, 1)])
def test_few_rows_are_drawn_several_times_and_no_row_is_on_both_sides(n, draws):
    seen = []

    def error_of(candidate, training, held, seed):
        seen.append(set(held.X[:, 0]))
        assert seed == len(seen) - 1
        assert len(held.y) == n // 5
        assert not seen[-1] & set(training.X[:, 0])
        return candidate + seed

    assert held_out_error(1.0, numbered(n), error_of) == 1.0 + np.mean(range(draws))
    assert len(seen) == len(set(map(frozenset, seen))) == draws


def test_the_least_mean_error_is_chosen_and_the_first_of_equals():
    errors = {"a": 3, "b": 1, "c": 1, "d": 2}
    given = numbered(20)
    assert choose(list(errors), given, lambda name, *_: errors[name]) == "b"
    worse_at_first = {"a": [0, 9, 9, 9], "b": [5, 5, 5, 5]}
    assert choose(list("ab"), given, lambda name, _, __, seed: worse_at_first[name][seed]) == "b"
    equal = {"a": [0.1, 0.1, 0.3, 0.1], "b": [0.1, 0.1, 0.1, 0.3]}
    assert np.mean(equal["a"]) != np.mean(equal["b"]), "to the last bit"
    assert choose(list("ab"), given, lambda name, _, __, seed: equal[name][seed]) == "a"
    assert choose(list("ba"), given, lambda name, _, __, seed: equal[name][seed]) == "b"


def test_a_single_candidate_is_not_measured():
    def never(*_):
        raise AssertionError("it was measured")

    assert choose(["only"], numbered(20), never) == "only"


def test_a_tree_is_judged_on_the_other_rows():
    part = numbered(40)
    part = Part(part.X, (part.X[:, 0] >= 20).astype(int))
    wrong = Part(part.X, 1 - part.y)
    assert tree_error({"method": "axis", "depth": 1}, part, part, 0) == 0
    assert tree_error({"method": "axis", "depth": 1}, part, wrong, 0) == 100


@pytest.mark.parametrize("name", [name for name in LEARNERS if not LEARNERS[name].library])
def test_models_that_are_always_there_learn(name):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 3), dtype=np.float32)
    y = (X[:, 0] > 0).astype(np.int64)
    predict = LEARNERS[name].fit(X, y, min(LEARNERS[name].efforts))
    assert np.mean(predict(X) == y) > 0.6

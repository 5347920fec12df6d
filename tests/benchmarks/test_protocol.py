"""Settings are chosen on held-out rows: which rows these are, and which candidate is chosen."""

import numpy as np
import pytest

from benchmarks.data import Part
from benchmarks.protocol import DRAWS, FEW_ROWS, choose, held_out_error


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

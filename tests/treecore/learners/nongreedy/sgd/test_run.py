"""A run of SGD: cut anywhere, its orders, and what is its state."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.same import assert_same
from tests.naive import nongreedy as naive
from treecore.core.scaling import Scaling
from treecore.learners.nongreedy.settings import SGDSettings, StableSGDSettings
from treecore.learners.nongreedy.sgd.run import advance, changing_arrays, make_run
from treecore.learners.nongreedy.sgd.updates import StepRule
from treecore.learners.nongreedy.start import random_tree
from treecore.losses import LOG
from treecore.rows.training_rows import TrainingRows

KINDS = {
    "sgd": SGDSettings(epochs=4),
    "stable": StableSGDSettings(epochs=6, tolerance=0.5),
    "batches": SGDSettings(epochs=3, batch=7, momentum=0.5, schedule="cosine"),
    "sparse": SGDSettings(epochs=3, sparsity=0.01, schedule="constant"),
    "all": StableSGDSettings(epochs=3, batch=3, sparsity=0.01, inference="fast"),
}
N_ROWS = 90


def run_of(settings, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, 3)).astype(np.float32)
    y = (X[:, 0] * X[:, 1] > 0).astype(np.int64)
    weight = rng.integers(0, 3, size=N_ROWS).astype(float)
    rows = TrainingRows(X, y, weight, 2, LOG)
    start = random_tree(rows, 3, 1.0, rng)
    return make_run(rows, start, settings, np.random.default_rng(7), Scaling.fit(X), False)


@pytest.mark.parametrize("kind", KINDS)
@examples(10)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_run_that_is_cut_anywhere_is_the_same_run(kind, seed):
    entire, cut = run_of(KINDS[kind]), run_of(KINDS[kind])
    while advance(entire, 10**9):
        pass
    rng = np.random.default_rng(seed)
    while advance(cut, int(rng.integers(1, 60))):
        if rng.random() < 0.2:  # goes on elsewhere
            kept = copy.deepcopy(changing_arrays(cut))
            cut = run_of(KINDS[kind])
            for name, array in changing_arrays(cut).items():
                array[...] = kept[name]
    assert_same(changing_arrays(cut), changing_arrays(entire))


def test_passes_are_those_of_naive_in_orders_of_numpy():
    run = run_of(KINDS["sgd"])
    twin, rng = copy.deepcopy(run.tree), np.random.default_rng(7)
    eta, n_passes = run.rates[0], 4
    for done in range(n_passes):
        assert advance(run, 10**9) == N_ROWS
        first, last = eta * (1 - done / n_passes), eta * (1 - (done + 1) / n_passes)
        rule = StepRule(True, first, run.rates[1], (last - first) / N_ROWS)
        naive.sgd_rows(twin, run.X, run.y, run.weight, rng.permutation(N_ROWS), rule)
    assert advance(run, 1) == 0
    np.testing.assert_allclose(run.tree.W, twin.W, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(run.tree.theta, twin.theta, rtol=1e-4, atol=1e-5)

"""A run of annealed learning: cut anywhere, and a routing that is too small."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.same import assert_same
from treecore.core.scaling import Scaling
from treecore.learners.nongreedy.annealed.annealed import Annealed
from treecore.learners.nongreedy.annealed.run import changing_arrays
from treecore.learners.nongreedy.annealed.soft_routing import make_routing
from treecore.learners.nongreedy.settings import AnnealedSettings
from treecore.learners.nongreedy.start import random_tree
from treecore.losses import LOG, SQUARED
from treecore.rows.training_rows import TrainingRows


def learner_of(loss, **settings):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3)).astype(np.float32)
    y = (X[:, 0] * X[:, 1] > 0).astype(np.int64) if loss is LOG else X[:, :1] * X[:, 1:2]
    n_outputs = 2 if loss is LOG else 1
    rows = TrainingRows(X, y, rng.integers(0, 3, size=90).astype(float), n_outputs, loss)
    start = random_tree(rows, 3, 1.0, rng)
    chosen = AnnealedSettings(depth=3, rounds=3, batch=16, **settings)
    more = {"scaling": Scaling.fit(X), "goes_on": False, "rng": np.random.default_rng(7)}
    return Annealed(rows, start, chosen, **more)


KINDS = [(LOG, {}), (SQUARED, {}), (LOG, {"leaf": "linear"}), (SQUARED, {"leaf": "linear"})]


@pytest.mark.parametrize(
    ("loss", "settings"), KINDS, ids=["classes", "numbers", "logistic", "linear"]
)
@examples(5)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_run_that_is_cut_anywhere_is_the_same_run(loss, settings, seed):
    entire, cut = learner_of(loss, **settings), learner_of(loss, **settings)
    while entire.advance(10**9):
        pass
    rng = np.random.default_rng(seed)
    while cut.advance(int(rng.integers(1, 100))):
        if rng.random() < 0.2:  # goes on elsewhere
            kept = copy.deepcopy(cut.arrays())
            cut = learner_of(loss, **settings)
            for name, array in cut.arrays().items():
                array[...] = kept[name]
    assert cut.finished
    assert_same(cut.arrays(), entire.arrays())


def test_a_routing_that_is_too_small_is_doubled_and_nothing_is_lost():
    entire, narrow = learner_of(LOG), learner_of(LOG)
    narrow.run = narrow.run._replace(routing=make_routing(len(narrow.run.left), 16))
    done = []
    for learner in (entire, narrow):
        done.append(0)
        while units := learner.advance(50):
            done[-1] += units
    assert done[0] == done[1] == entire.n_epochs * entire.pass_units
    assert len(narrow.run.routing.row) > 16
    assert_same(changing_arrays(narrow.run), changing_arrays(entire.run))

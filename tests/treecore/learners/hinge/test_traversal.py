"""Descents through hinge trees and ferns, against their twins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.hinges import FEATURES, KINDS, images, trained
from tests.naive import hinge as naive
from treecore.learners.hinge.traversal import descend, n_nodes


@examples(80)
@given(
    depth=st.integers(1, 6), fern=st.booleans(), seed=st.integers(0, 2**32 - 1), grid=st.booleans()
)
def test_a_descent_is_its_plain_twin(depth, fern, seed, grid):
    rng = np.random.default_rng(seed)
    nodes = n_nodes("fern" if fern else "forest", depth)
    feature = rng.integers(5, size=nodes).astype(np.int32)
    z, threshold = rng.standard_normal(5).astype("f4"), rng.standard_normal(nodes).astype("f4")
    if grid:  # many ties, of margins with zero and with each other
        z, threshold = np.round(z), np.round(threshold)
    found = descend(z[None], 0, feature[None], threshold[None], 0, depth)
    assert found == naive.descend(z, feature, threshold, depth, fern)
    leaf, _, margin = found
    # Algorithm 3 finds the one leaf whose indicator (eq. 8) can be positive, and its value.
    values = [naive.indicator(z, feature, threshold, depth, fern, j) for j in range(2**depth)]
    assert values[leaf] == abs(margin)
    assert not any(values[:leaf] + values[leaf + 1 :])


@pytest.mark.parametrize("kind", KINDS)
def test_a_descent_computes_as_many_margins_as_the_tree_is_deep(kind):
    class Counted:
        def __init__(self):
            self.reads = 0

        def __getitem__(self, index):
            self.reads += 1
            return np.float32(0.5)

    depth = 9
    z, threshold = Counted(), np.zeros(n_nodes(kind, depth), dtype=np.float32)
    feature = np.zeros((1, len(threshold)), dtype=np.int32)
    descend.__wrapped__(z, 0, feature, threshold[None], 0, depth)
    assert z.reads == depth


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_a_forest_decides_as_its_plain_twin(kind, features, task):
    X, y = images()
    if task == "numbers":
        y = np.stack([X[:, 24] + X[:, 3], X[:, 10]], axis=1)
    loss = {"classes": "log", "numbers": "squared"}[task]
    forest = trained(X, y, kind=kind, loss=loss, batches=30, **FEATURES[features]).run()
    twins = np.array([naive.decide(forest, x) for x in X[:20].astype("f4")])
    assert np.array_equal(forest.decision(X[:20]), twins)

"""What a hinge forest starts from and reads: thresholds, and features of one scale."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.hinges import IRIS, KINDS, trained
from tests.naive import hinge as naive
from treecore.learners.hinge.random_features import random_trees


@examples(20)
@given(seed=st.integers(0, 1000), kind=st.sampled_from(KINDS))
def test_every_decision_is_in_reach_at_the_start(seed, kind):
    rng = np.random.default_rng(seed)
    Z, depth = rng.standard_normal((64, 3)).astype("f4"), 7
    trees = random_trees(kind, 5, depth, 2, Z, rng)
    for feature, threshold in zip(trees.feature, trees.threshold):
        # In each node's region of space, what its ancestors left of the feature is not used up.
        for v in range(len(feature)):
            low, high = Z[:, feature[v]].min(), Z[:, feature[v]].max()
            child = v
            while child and kind == "forest":
                node = (child - 1) // 2
                if feature[node] == feature[v]:
                    if child == 2 * node + 1:
                        high = min(high, threshold[node])
                    else:
                        low = max(low, threshold[node])
                child = node
            assert low <= threshold[v] <= high


def test_thresholds_of_the_paper_are_uniform_and_its_ferns_ask_twice():
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((64, 4)).astype("f4")
    trees = random_trees("fern", 2000, 4, 2, Z, rng, "drawn")
    t = np.sort(trees.threshold.ravel())
    assert np.abs(t - np.linspace(-3, 3, len(t))).max() < 0.15
    twice = np.mean([len(set(row)) < 4 for row in trees.feature])
    assert twice == pytest.approx(1 - 24 / 4**4, abs=0.03)  # 4 of 4 features, with replacement


# -------------------------------------------------------------------------------- the layer


def test_running_means_and_deviations_follow_the_features():
    X, y = IRIS
    trainer = trained(X, y, eta=1e-6, batches=400, validation=0.0)
    trainer.run()
    forest = trainer.present
    plain = forest.layer._replace(mean=np.zeros(7, np.float32), deviation=np.ones(7, np.float32))
    answers = np.array([naive.features(plain, x) for x in X.astype("f4")])
    assert np.abs(forest.layer.mean - answers.mean(axis=0)).max() < 0.3
    assert forest.layer.deviation == pytest.approx(answers.std(axis=0), rel=0.2)


@pytest.mark.parametrize("features", ["raw", "inner products"])
def test_columns_of_one_scale_keep_their_proportions(features):
    X, y = IRIS
    layer = trained(X, y, features=features, scale="one", validation=0.0, batches=5).present.layer
    assert layer.centre == pytest.approx(X.mean(axis=0), rel=1e-6)
    assert layer.scale == pytest.approx(np.full(4, X.var(axis=0).mean() ** -0.5), rel=1e-5)
    layer = trained(X, y, features=features, validation=0.0, batches=5).present.layer
    assert layer.scale == pytest.approx(1 / X.std(axis=0), rel=1e-5)

"""Rows with missing values: figures are those of the finished tree, and sides are learnt."""

import numpy as np
import pytest

from tests.helpers.bagged import quick
from tests.helpers.same import assert_same
from treecore import RunConfig, Trainer
from treecore.core.tree import check_tree
from treecore.losses.metrics import evaluate
from treecore.persistence import Document, from_json, to_json
from treecore.training.registry import TREES


def torn(n=300, p=4, share=0.25, seed=0):
    """Rows of two classes; that their first feature is missing tells of the second class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, size=n)
    X = rng.standard_normal((n, p)) + y[:, None]
    X[rng.random(X.shape) < share] = np.nan
    X[(y == 1) & (rng.random(n) < 0.7), 0] = np.nan
    return X, y


@pytest.mark.parametrize("name", TREES)
def test_figures_are_those_of_the_finished_tree(name):
    X, y = torn()
    held = torn(80, seed=1)
    trainer = Trainer(quick(name, depth=3), X, y, validation=held)
    *_, event = trainer.events()
    check_tree(trainer.model)
    here, there = evaluate(trainer.model, X, y), evaluate(trainer.model, *held)
    assert event.accuracy == pytest.approx(here.accuracy, abs=1e-12)
    assert event.validation_accuracy == pytest.approx(there.accuracy, abs=1e-12)
    assert event.loss == pytest.approx(here.loss)
    assert event.validation_loss == pytest.approx(there.loss)
    assert trainer.counts.sum() == len(y)
    assert event.active_leaves == np.count_nonzero(trainer.counts.sum(axis=1))
    names = tuple("abcd"), ("no", "yes")
    assert_same(from_json(to_json(Document(trainer.model, *names))).tree.missing_left,
                trainer.model.missing_left)  # fmt: skip


@pytest.mark.parametrize("name", ["bagging", "samme"])
@pytest.mark.parametrize("base", ["axis", "co2"])
def test_figures_are_those_of_the_finished_forest(name, base):
    X, y = torn()
    config = RunConfig(name, base=base, n_trees=5, depth=3, feature_share=0.7)
    trainer = Trainer(config, X, y, validation=torn(80, seed=1))
    *_, event = trainer.events()
    assert event.accuracy == pytest.approx(np.mean(trainer.model.predict(X) == y), abs=1e-12)


@pytest.mark.parametrize("name", ["axis", "oc1"])
def test_that_a_value_is_missing_may_be_all_that_tells(name, rng):
    X, y = rng.standard_normal((200, 3)), np.arange(200) % 2
    X[y == 1, 1] = np.nan
    tree = Trainer(RunConfig(name, depth=2), X, y).run()
    assert tree.feature.tolist() == [1]
    assert tree.has_directions
    assert not tree.missing_left[0]
    assert evaluate(tree, X, y).accuracy == 1.0


def test_where_training_rows_lack_nothing_a_missing_value_goes_where_the_mean_goes(rng):
    X, y = torn(share=0.0)
    weight = rng.integers(1, 5, size=len(y))
    X[:, 0] = np.nan_to_num(X[:, 0])
    tree = Trainer(RunConfig("axis", depth=4), X, y, sample_weight=weight).run()
    assert not tree.has_directions
    np.testing.assert_allclose(tree.missing, np.average(X, axis=0, weights=weight), rtol=1e-6)

"""What TAO's nodes may be: cuts, oblique splits, or the better of the two."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_digits

from treecore import RunConfig, Trainer, evaluate
from treecore.core.tree import OBLIQUE
from treecore.losses import SQUARED


def ring(rng, n):
    X = rng.uniform(-1, 1, (n, 3)).astype(np.float32)
    return X, ((X[:, :2] ** 2).sum(axis=1) < 0.4).astype(np.int64)


def test_axis_nodes_stay_axis_aligned_and_better_a_greedy_tree():
    X, y = load_digits(return_X_y=True)
    errors = []
    trainer = Trainer(RunConfig("tao", nodes="axis", depth=6, epochs=10), X, y)
    for event in trainer.events():
        if event.stage == "tao":
            assert trainer.model.weights.shape == (0, 64)
            errors.append(1 - event.accuracy)
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.95 * errors[0]


def test_both_takes_the_better_of_cut_and_slant_at_every_split():
    X = np.random.default_rng(3).standard_normal((500, 4)).astype(np.float32)
    y = 2 * (X[:, 0] > 0.3) + (X[:, 1] + X[:, 2] > 0)
    tree = Trainer(RunConfig("tao", nodes="both", depth=4, epochs=10), X, y).run()
    assert 0 < (tree.feature == OBLIQUE).sum() < tree.n_splits
    assert evaluate(tree, X, y).accuracy > 0.97


def test_axis_nodes_make_a_random_oblique_tree_axis_aligned():
    X, y = ring(np.random.default_rng(4), 400)
    tree = Trainer(RunConfig("tao", nodes="axis", start="random", depth=3), X, y).run()
    changed = tree.feature != OBLIQUE
    assert changed.any()
    assert tree.weights.shape[0] == (~changed).sum()


@pytest.mark.parametrize("loss", ["squared", "huber", "absolute"])
@pytest.mark.parametrize("nodes", ["oblique", "axis"])
def test_numbers_are_learnt(loss, nodes):
    X, y = load_diabetes(return_X_y=True)
    Y = np.column_stack([y, -2 * y + X[:, 0]])
    config = RunConfig("tao", start="random", depth=3, epochs=8, loss=loss, nodes=nodes)
    trainer = Trainer(config, X, Y)
    r2 = [event.r2 for event in trainer.events()]
    assert r2[-1] > max(0.4, r2[0] + 0.1)
    assert evaluate(trainer.model, X, Y, loss=SQUARED).r2 == pytest.approx(r2[-1], abs=1e-4)

"""Trees over learnt filters: their gradient, their limits, and what they refuse."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from tests.helpers.same import assert_same
from treecore import ObliqueTreeClassifier, RunConfig, Trainer, apply, evaluate, predict
from treecore.core.filters import FilterShape, empty_planes, filter_features
from treecore.core.tree import check_tree, complete_tree
from treecore.data.filter_map import FilterMap, check_filters
from treecore.learners.nongreedy.annealed.filter_gradients import (
    feature_gradients,
    filter_gradients,
)
from treecore.learners.nongreedy.annealed.filtered import filter_shape
from treecore.learners.nongreedy.annealed.leaf_costs import ClassCosts
from treecore.learners.nongreedy.annealed.soft_routing import route
from treecore.learners.nongreedy.joint_tree import make_joint
from treecore.learners.nongreedy.settings import AnnealedSettings
from treecore.training.tree_trainer import TreeTrainer

QUICK = {"filters": 4, "depth": 3, "rounds": 4, "batch": 32}


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    keep = y < 3
    return X[keep], y[keep]


class Problem:
    """A small tree over filters, and its expected cost as a function of filters and biases."""

    def __init__(self):
        rng = np.random.default_rng(4)
        self.shape = FilterShape(6, 6, 2, 3, 2)
        m, n = self.shape.n_features, 5
        self.X = rng.normal(size=(n, 36)).astype(np.float32)
        tree = complete_tree(2, m, 3)
        W = np.zeros((tree.n_splits, 16), dtype=np.float32)
        W[:, : m + 1] = rng.normal(size=(tree.n_splits, m + 1))
        self.joint = make_joint(tree, W)
        self.costs = rng.random((3, tree.n_leaves)).astype(np.float32)
        self.y, self.weight = rng.integers(3, size=n), rng.random(n).astype(np.float32)
        self.scale = np.array([0.7, 1.4], dtype=np.float32)
        self.parts = (
            rng.normal(size=(2, 3, 3)).astype(np.float32),
            rng.normal(size=2).astype(np.float32),
        )

    def route(self, filters, bias):
        """The expected cost of all rows, its routing, and where features come from."""
        m = self.shape.n_features
        features = np.empty((len(self.X), m), dtype=np.float32)
        source = np.empty(features.shape, dtype=np.int32)
        filter_features(
            self.X, filters, bias, self.shape, features, source, empty_planes(self.shape)
        )
        Z = np.zeros((len(self.X), 16), dtype=np.float32)
        Z[:, :m] = features * np.tile(self.scale, m // 2)
        Z[:, m] = -1.0
        costs = ClassCosts(self.y, self.costs, np.zeros_like(self.costs))
        return *route(self.joint, Z, costs, self.weight, np.float32(1.0)), source


def test_the_gradient_by_filters_is_that_of_the_expected_cost():
    problem = Problem()
    filters, bias = problem.parts
    _, routing, source = problem.route(filters, bias)
    by_feature = np.empty((len(problem.X), 16), dtype=np.float32)
    feature_gradients(problem.joint.W, routing, by_feature)
    found = np.empty_like(filters), np.empty_like(bias)
    filter_gradients(problem.X, by_feature, source, problem.scale, 6, *found)
    assert all(np.abs(part).max() > 1e-3 for part in found)
    for part, gradient in zip(problem.parts, found, strict=True):
        for at in np.ndindex(part.shape):
            around = []
            for step in (2e-3, -2e-3):
                before = part[at]
                part[at] += step
                around.append(problem.route(filters, bias)[0])
                part[at] = before
            assert gradient[at] == pytest.approx((around[0] - around[1]) / 4e-3, abs=2e-3)


def test_filters_learn_with_the_tree(digits):
    config = RunConfig("annealed", **QUICK, seed=1)
    trainer = TreeTrainer(config, *digits)
    trainer.step(0.001)
    before = trainer.feature_map.filters
    tree = trainer.run()
    check_tree(tree)
    filter_map = trainer.feature_map
    check_filters(filter_map)
    assert not np.allclose(filter_map.filters, before, atol=0.01)
    assert tree.n_features == filter_map.n_components == 3 * 3 * 4
    assert evaluate(tree, filter_map(digits[0]), digits[1]).accuracy > 0.97
    raw = Trainer(RunConfig("annealed", depth=3, rounds=4, batch=32, seed=1), *digits).run()
    assert raw.n_features == 64


def test_the_tree_read_out_routes_as_the_learner_does(digits):
    X, y = digits
    trainer = TreeTrainer(RunConfig("annealed", **QUICK, image_shift=0.5), X, y)
    *_, event = trainer.events()
    leaf, _ = trainer.learner.measure(trainer.learner.train_rows, y, np.ones(len(y)), False)
    again = apply(trainer.model, trainer.feature_map(X))
    assert np.mean(leaf == again) > 0.995  # all but rows that lie on a split, up to rounding
    accuracy = np.mean(predict(trainer.model, trainer.feature_map(X)) == y)
    assert event.accuracy == pytest.approx(accuracy, abs=0.005)


def test_one_leaf_and_one_class_are_no_trouble(digits):
    X, _ = digits
    one = np.zeros(len(X), dtype=int)
    tree = TreeTrainer(RunConfig("annealed", **QUICK), X, one, n_classes=2).run()
    assert (tree.values.argmax(axis=1) == 0).all()
    blank = TreeTrainer(RunConfig("annealed", **QUICK), np.zeros_like(X), one, n_classes=2).run()
    check_tree(blank)


def test_numbers_are_learnt_as_well(digits):
    X, y = digits
    config = RunConfig("annealed", **QUICK | {"rounds": 10}, loss="squared")
    trainer = TreeTrainer(config, X, y.astype(float))
    tree = trainer.run()
    residual = tree.values[apply(tree, trainer.feature_map(X)), 0] - y
    assert np.mean(residual**2) < 0.25 * np.var(y)


def test_a_run_goes_on_from_any_state_to_the_same_model(digits):
    X, y = digits
    config = RunConfig("annealed", **QUICK, image_shift=0.5, seed=2)
    whole = TreeTrainer(config, X, y)
    states = []
    while not whole.finished:
        whole.step(share=0.4)
        states.append(whole.state())
    for state in states[:: max(1, len(states) // 3)]:
        again = TreeTrainer.from_state(state, config, X, y)
        assert_same(again.run(), whole.model)
        np.testing.assert_array_equal(again.feature_map.filters, whole.feature_map.filters)


def test_an_estimator_answers_files_and_missing_pixels(digits, tmp_path):
    X, y = digits[0].copy(), np.array(["zero", "one", "two"])[digits[1]]
    X[::7, 20] = np.nan
    model = ObliqueTreeClassifier("annealed", **QUICK, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.95
    assert isinstance(model.feature_map_, FilterMap)
    text = model.to_json()
    again = ObliqueTreeClassifier.from_json(text)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.filters == 4
    with pytest.raises(AttributeError, match="filters are mixtures"):
        _ = model.feature_importances_
    with pytest.raises(AttributeError, match="filters=4 needs all rows"):
        _ = model.partial_fit


def test_early_stopping_keeps_the_filters_of_its_tree(digits):
    model = ObliqueTreeClassifier(
        "annealed", **QUICK, early_stopping=True, n_iter_no_change=2, random_state=0
    ).fit(*digits)
    assert model.score(*digits) > 0.9


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"kernel": "fourier"}, "both make features"),
        ({"leaf": "linear"}, "constant leaves"),
        ({"start": "axis"}, "random splits"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(more, problem):
    with pytest.raises(ValueError, match=problem):
        RunConfig("annealed", filters=3, **more)


def test_what_is_no_image_is_refused(digits):
    X, y = digits
    for more, columns, problem in (
        ({}, 63, "63 features are no square image; set image_width"),
        ({"image_width": 7}, 64, "no image of width 7"),
        ({"filter_size": 9}, 64, "9 x 9 .* have no place in an image of 8 x 8"),
        ({"pool_size": 9}, 64, "patches of 9 x 9 have no place"),
    ):
        with pytest.raises(ValueError, match=problem):
            Trainer(RunConfig("annealed", **QUICK, **more), X[:, :columns], y)
    with pytest.raises(ValueError, match="single trees"):
        RunConfig("bagging", base="annealed", filters=3)
    tree = Trainer(RunConfig("annealed", depth=2, rounds=1), X, y).run()
    with pytest.raises(ValueError, match="together with a tree from random splits"):
        Trainer(RunConfig("annealed", **QUICK), X, y, start=tree).step()


def test_usual_sizes_follow_the_image():
    sizes = {
        side: filter_shape(AnnealedSettings(filters=20), side**2)[3:] for side in (2, 8, 16, 28)
    }
    assert sizes == {2: (2, 1), 8: (3, 2), 16: (5, 2), 28: (5, 4)}
    assert filter_shape(AnnealedSettings(filters=1, image_width=4), 48)[:2] == (12, 4)

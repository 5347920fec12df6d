"""What the page Inspect shows of a forest: its members, margins, map, weights and file."""

import numpy as np
import pytest
from sklearn.metrics import r2_score

from treecore import RunConfig, Trainer, apply
from treecore.ensembles.forest import margins
from treecore.inspection.hinge_margins import smallest_margins
from ui.inspect.forest.scene import Scene, hinge_tree, sizes
from ui.inspect.forest.tab import margin_values
from ui.jobs.chosen_data import new_trainer
from ui.jobs.models import n_leaves
from ui.jobs.recorder import MOST_DRAWN, Recorder, drawn_rows
from ui.widgets.data.gallery import gallery_data


@pytest.fixture(scope="module")
def spirals():
    return gallery_data("spirals", 300, 0.3)


@pytest.fixture(scope="module")
def hill():
    return gallery_data("hill", 200, 0.1)


def learnt(data, config):
    """The snapshots of a whole run, and the trainer."""
    trainer = new_trainer(data, config)
    recorder = Recorder(config.method)
    for event in trainer.events():
        recorder.note(trainer, event)
    return recorder.snapshots()[0], trainer


def numbers(config):
    return config.replace(loss="squared")


def test_weights_are_those_that_the_run_had(spirals):
    config = RunConfig("boosted-cart", n_trees=6)
    shots, _ = learnt(spirals, config)
    trainer = Trainer(config, spirals.train.X, spirals.train.y, n_classes=2)
    for shot, _event in zip(shots, trainer.events(), strict=True):
        expected = trainer.weights * spirals.train.n_samples
        np.testing.assert_allclose(shot.row_weights, expected, rtol=1e-6)
    area = sizes(np.array([1.0, 4.0])) ** 2
    assert area[1] / area[0] == pytest.approx(4)
    assert len(drawn_rows(10 * MOST_DRAWN)) == MOST_DRAWN


def test_a_bagged_forest_has_no_weights_and_is_the_forest_of_its_moment(spirals):
    shots, trainer = learnt(spirals, RunConfig("random-forest", n_trees=10))
    X, y = spirals.held.X, spirals.held.y
    staged = trainer.model.staged_scores(X)
    for shot, scores in zip(shots, staged, strict=True):
        scene = Scene(spirals, shot.model, shot.row_weights)
        assert scene.weights is None
        assert np.array_equal(scene.scores(X), scores)
        assert np.array_equal(scene.margins(X, y), margins(scores, y))
        assert shot.event.validation_error == pytest.approx(np.mean(scores.argmax(axis=1) != y))
        assert n_leaves(shot.model) == sum(tree.n_leaves for tree in shot.model.trees)


def test_the_smallest_margins_are_what_a_hinge_forest_answers_with(spirals):
    shots, _ = learnt(spirals, RunConfig("hinge-forest", trees=7, depth=3, batches=100))
    forest, X = shots[-1].model, spirals.held.X
    leaf, margin = smallest_margins(forest, X)
    reported = np.tile(forest.base.astype(np.float64), (len(X), 1))
    for m in range(forest.n_trees):
        reported += np.abs(margin[:, m : m + 1]) * forest.trees.weights[m, leaf[:, m]]
    np.testing.assert_allclose(reported, forest.decision(X), rtol=1e-4, atol=1e-5)
    scene = Scene(spirals, forest)
    np.testing.assert_allclose(scene.smallest_margins(X), np.abs(margin).mean(axis=1))
    alone = [scene.member_scores(m, X) for m in range(7)]
    assert all(np.allclose(a.sum(axis=1), 1) for a in alone)
    assert hinge_tree(forest, 3).n_features == 100, "those it has learnt"


@pytest.mark.parametrize("method", ["hinge-forest", "hinge-ferns"])
def test_a_tree_of_a_hinge_forest_is_drawn_as_it_tells_rows_apart(method, spirals):
    shots, _ = learnt(spirals, RunConfig(method, trees=7, depth=3, batches=100, features="raw"))
    forest, X = shots[-1].model, spirals.held.X
    leaf, _margin = smallest_margins(forest, X)
    for member in range(7):
        assert np.array_equal(apply(hinge_tree(forest, member), X), leaf[:, member])


def test_margins_of_numbers_are_their_errors(hill):
    shots, _ = learnt(hill, numbers(RunConfig("cart-forest", n_trees=3)))
    scene = Scene(hill, shots[-1].model)
    values = margin_values(scene)
    held = scene.forest.predict(hill.held.X)[:, 0] - hill.held.y
    np.testing.assert_allclose(values["test"], held, rtol=1e-5)
    one_tree = scene.member_scores(0, hill.train.X)[:, 0]
    r2 = scene.accuracy(hill.train, 0)
    assert r2 == pytest.approx(r2_score(hill.train.y, one_tree), rel=1e-5)
    together = scene.forest.predict(hill.held.X)[:, 0]
    assert scene.accuracy(hill.held) == pytest.approx(r2_score(hill.held.y, together), rel=1e-5)


@pytest.mark.parametrize("method", ["random-forest", "boosted-cart", "hinge-forest"])
def test_the_accuracy_of_all_trees_is_that_of_the_forest(spirals, method):
    forest = learnt(spirals, RunConfig(method, seed=1))[0][-1].model
    right = forest.predict(spirals.held.X) == spirals.held.y
    assert Scene(spirals, forest).accuracy(spirals.held) == right.mean()

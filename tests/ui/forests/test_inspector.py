"""What the page Forests shows of a forest: its moments, members, margins, map and files."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.helpers.forests import finished, hill, plan_of, spirals
from treecore.ensembles.forest import margins
from treecore.inspection.hinge_margins import smallest_margins
from treecore.persistence import from_json
from treecore.viewer.messages.planes import feature_plane
from ui.drawing.png import png
from ui.drawing.squares import SIDE, box_on, grid, shaded
from ui.drawing.theme import LIGHT
from ui.forests.curves import Racer
from ui.forests.link import forests_params, read_forests, read_racer, run_text
from ui.forests.member import member_node
from ui.forests.metrics import error_of
from ui.forests.presets import bytes_needed, find_kind, is_kind, kinds
from ui.forests.snapshot import scene_at, sizes
from ui.forests.table import figures_of, forest_json, table_text
from ui.language.translate import speaking
from ui.links.fields import Reading

__all__ = ["hill", "spirals"]  # fixtures


def test_weights_are_those_that_the_run_had(spirals):
    from treecore import Trainer

    plan = plan_of("boosted-cart~n_trees~6")
    train = spirals.train
    trainer = Trainer(plan.config, train.X, train.y, n_classes=2)
    _, look = finished("boosted-cart~n_trees~6", spirals)
    for event in trainer.events():
        scene = scene_at(plan, spirals, look, event.done)
        np.testing.assert_allclose(scene.weights, trainer.weights * train.n_samples, rtol=1e-6)
    area = sizes(np.array([1.0, 4.0])) ** 2
    assert area[1] / area[0] == pytest.approx(4)


def test_weights_are_there_where_boosting_begins_anew(spirals):
    run, look = finished("samme.axis~n_trees~6~depth~12~ending~restart", spirals)
    assert look.marks[0].event.error == 0, "where boosting would end, had it no other ending"
    assert look.forest.n_trees == 6
    weights = [scene_at(run.plan, spirals, look, at).weights for at in range(1, 7)]
    assert all(w.mean() == pytest.approx(1, rel=1e-5) for w in weights)
    assert np.ptp(weights[-1]) > 0


def test_a_scene_is_the_forest_of_its_moment(spirals):
    run, look = finished("random-forest~n_trees~10", spirals)
    X, y = spirals.held.X, spirals.held.y
    for at, scores in enumerate(look.forest.staged_scores(X), start=1):
        scene = scene_at(run.plan, spirals, look, at)
        assert np.array_equal(scene.scores(X), scores)
        assert np.array_equal(scene.margins(X, y), margins(scores, y))
        error = look.marks[at - 1].held
        assert error == pytest.approx(np.mean(scores.argmax(axis=1) != y))


def test_members_alone_are_the_forest_of_one(spirals):
    run, look = finished("boosted-cart~n_trees~5", spirals)
    X, y = spirals.held.X, spirals.held.y
    scene = scene_at(run.plan, spirals, look, None)
    guess = scene.member_scores(0, X).argmax(axis=1)
    assert np.array_equal(guess, look.forest.first(1).predict(X))
    assert scene.member_error(0, X, y) == np.mean(guess != y)
    node = member_node(scene, 0)
    assert node.rows == spirals.train.n_samples

    def ends(node):
        return [node] if not node.children else [e for c in node.children for e in ends(c)]

    assert sum(end.rows for end in ends(node)) == node.rows
    assert len(ends(node)) == look.forest.trees[0].n_leaves


def test_the_smallest_margins_are_what_a_hinge_forest_answers_with(spirals):
    run, look = finished("hinge-forest~trees~7~depth~3~batches~100", spirals)
    forest, X = look.forest, spirals.held.X
    leaf, margin = smallest_margins(forest, X)
    reported = np.tile(forest.base.astype(np.float64), (len(X), 1))
    for m in range(forest.n_trees):
        reported += np.abs(margin[:, m : m + 1]) * forest.trees.weights[m, leaf[:, m]]
    np.testing.assert_allclose(reported, forest.decision(X), rtol=1e-4, atol=1e-5)
    scene = scene_at(run.plan, spirals, look, 0)
    assert scene.at == 0
    assert scene.n_trees == 7
    node = member_node(scene, 3)
    assert node.rows == spirals.train.n_samples
    alone = [scene.member_scores(m, X) for m in range(7)]
    assert all(np.allclose(a.sum(axis=1), 1) for a in alone)


def test_the_map_is_what_the_forest_says_there(spirals):
    _, look = finished("random-forest~n_trees~5", spirals)
    plane = feature_plane(spirals.train, 0, 1)
    box = box_on(plane, spirals.train.X)
    squares = grid(plane, box)
    assert squares.shape == (SIDE**2, 2)
    scores = look.forest.scores(squares)
    colours = shaded(scores, 0, 1, LIGHT)
    tie = shaded(np.full((1, 2), 0.5), 0, 1, LIGHT)[0]
    assert tie.tolist() == [255, 255, 255], "no opinion is the colour of the page"
    strength = np.abs(colours.astype(float) - 255).sum(axis=1)
    one = scores.argmax(axis=1) == 0
    order = np.argsort(scores[one].max(axis=1))
    assert (np.diff(strength[one][order]) >= -3).all(), "the more votes, the stronger"
    assert png(colours.reshape(SIDE, SIDE, 3)).startswith(b"\x89PNG")


def test_files_say_what_the_forests_say(spirals, hill):
    for text, data in (
        ("boosted-cart~n_trees~4", spirals),
        ("cart-forest~n_trees~3", hill),
        ("hinge-ferns~trees~4~batches~100", spirals),
    ):
        run, look = finished(text, data)
        racer = Racer(0, run.plan, look, (run.plan.config.method,))
        written = forest_json(racer, data)
        assert json.loads(written)["training"]["seed"] == 0
        read = from_json(written).model
        assert np.array_equal(read.predict(data.held.X), look.forest.predict(data.held.X))
        row = figures_of(look, data)
        assert row["Held-out error"] == look.result
        # All figures are of the forest that is handed out, be it the last state or the best one.
        assert row["Training"] == error_of(read, data.train.X, data.train.y)
        assert row["Held-out error"] == error_of(read, data.held.X, data.held.y)
        metrics = json.loads(written)["training"]["metrics"]
        assert metrics == {"error": row["Training"], "held_out_error": row["Held-out error"]}
        assert "best" not in table_text([racer], data), "alone in a race nobody is the best"
        with speaking("de"):
            german = table_text([racer], data)
        assert "| Bäume |" in german
        assert german.count("|") == table_text([racer], data).count("|")


def test_a_link_says_what_is_on_the_page(spirals):
    for name in [k for k in kinds() if k != "own"] + ["adaboost-m1.tao", "bagging.co2"]:
        assert is_kind(name)
        kind = find_kind(name)
        usual = {s.name: s.default for s in kind.settings}
        assert run_text(kind, usual) == name
        changed = usual | {kind.trees: 7}
        text = run_text(kind, changed)
        reading = Reading()
        again, values = read_racer(text, reading)
        assert (again, reading.problems) == (kind, [])
        assert usual | values == changed
    racers = [(find_kind("samme.sgd"), {"n_trees": 3}), (find_kind("hinge-ferns"), {})]
    params = forests_params(
        spirals, racers, {"forest_look": 2, "forest_at": 5, "forest_by": "seconds"}
    )
    lists = {n: v if isinstance(v, list) else [v] for n, v in params.items()}
    reading = read_forests(lists)
    assert not reading.problems
    assert reading.state["forest0_learner"] == "sgd"
    assert reading.state["forest1_kind"] == "hinge-ferns"
    assert (reading.state["forest_look"], reading.state["forest_at"]) == (2, 5)


def test_memory_is_never_underestimated(spirals):
    plan = plan_of("samme.oc1~n_trees~6~depth~4")
    _, look = finished("samme.oc1~n_trees~6~depth~4", spirals)
    took = sum(tree.nbytes for tree in look.forest.trees)
    took += sum(array.nbytes for array in look.forest._packed if array is not None)
    assert took <= bytes_needed(plan, spirals.train.n_samples, 2, 2)

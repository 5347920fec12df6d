"""The page Forests in Streamlit's own test harness, and its runs by themselves."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from treecore import warm_up, warm_up_hinge
from treecore.ensembles.forest import margins
from treecore.generators import generate
from treecore.hinge.inspect import smallest_margins
from treecore.persistence.forest import forest_from_json
from treecore.persistence.hinge import hinge_from_json
from ui.address import Reading
from ui.data import divided
from ui.forest_address import forests_params, read_forests, read_racer, run_text
from ui.forest_controls import nothing_to_tell
from ui.forest_curves import Racer
from ui.forest_map import SIDE, box_on, grid, shaded
from ui.forest_measure import error_of
from ui.forest_member import member_node
from ui.forest_plans import bytes_needed, find_kind, is_kind, kinds
from ui.forest_run import ForestRun
from ui.forest_scenes import scene_at, sizes
from ui.forest_table import forest_json, rows_of, table_text
from ui.planes import feature_plane
from ui.png import png
from ui.step_paint import LIGHT

APP = str(Path(__file__).parents[1] / "app.py")
SMALL = ["random-forest~n_trees~8", "boosted-cart~n_trees~8"]


@pytest.fixture(scope="module", autouse=True)
def compiled():
    warm_up()
    warm_up_hinge()
    yield
    st.cache_resource.clear()


@pytest.fixture(scope="module")
def spirals():
    return divided(("spirals", 0.3, 300, 25, 0), generate("spirals", 300, 0.3, 0))


@pytest.fixture(scope="module")
def hill():
    return divided(("hill", 0.1, 200, 25, 0), generate("hill", 200, 0.1, 0))


def plan_of(text, task="classification"):
    kind, values = read_racer(text, Reading())
    return kind.plan(values, 0, task)


def rest(run, states=("finished", "failed", "stopped")):
    for _ in range(1500):
        look = run.look()
        if look.state in states:
            return look
        time.sleep(0.02)
    raise AssertionError(f"the run is still {look.state}: {look.message}")


def finished(text, data):
    run = ForestRun(plan_of(text, data.train.task), data)
    run.play()
    return run, rest(run)


# The page -----------------------------------------------------------------------------------------


def opened(**query):
    st.cache_resource.clear()  # all sessions of this harness are one, which never ends
    app = AppTest.from_file(APP, default_timeout=60)
    app.switch_page("pages/forests.py")
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def bars(app):
    return [bar.proto.text for bar in app.get("progress")]


def until(app, word, every=True):
    for _ in range(600):
        app.run()
        assert not app.exception, app.exception[0].message
        told = [word in text for text in bars(app)]
        if told and (all(told) if every else any(told)):
            return
        time.sleep(0.05)
    raise AssertionError(bars(app))


def param(app, name):
    told = app.query_params[name]
    return told if isinstance(told, list) else [told]


def press(app, name):
    app.button(key=f"forest_{name}").click().run()
    assert not app.exception


def table(app):
    (text,) = [m.value for m in app.markdown if m.value.startswith("| Forest")]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]


def test_a_race_is_run_to_its_end():
    app = opened(data="spirals", noise="30", run=SMALL)
    until(app, "8 trees to come")
    assert not app.warning
    assert not app.error
    press(app, "play")
    until(app, "8 trees in")
    head, _, *rows = table(app)
    assert head[:2] == ["Forest", "Held-out error"]
    assert [row[0] for row in rows] == ["I · Random forest", "II · Boosted CART"]
    held = [float(row[1].strip("*★ %")) for row in rows]
    stars = ["★" in row[1] for row in rows]
    assert stars == [h == min(held) and held[0] != held[1] for h in held]
    assert app.button(key="forest_play").disabled
    assert param(app, "run") == SMALL
    # Looking back: the slider and a member, both in the link.
    (slider,) = [s for s in app.slider if str(s.key).startswith("forest_slider")]
    assert slider.value == 8
    slider.set_value(3).run()
    app.number_input(key="forest_member").set_value(2).run()
    assert not app.exception
    assert (param(app, "at"), param(app, "member")) == (["3"], ["2"])
    assert any("Tree 2, one of 3 trees" in c.value for c in app.caption)
    app.number_input(key="forest_member").set_value(7).run()
    assert any("Tree 7 is not there" in c.value for c in app.caption)
    app.segmented_control(key="forest_look").set_value(2).run()
    app.segmented_control(key="forest_lens").set_value("member").run()
    app.segmented_control(key="forest_by").set_value("seconds").run()
    app.segmented_control(key="forest_margins").set_value("histogram").run()
    assert not app.exception
    assert "at" not in app.query_params
    assert param(app, "lens") == ["member"]


def test_stopped_runs_are_kept_when_others_are_looked_at_and_go_on():
    app = opened(data="spirals", noise="30", run=["samme.oc1~n_trees~200~depth~3"])
    until(app, "to come")
    press(app, "play")
    for _ in range(300):
        app.run()
        if " of 200 trees" in bars(app)[0]:
            break
        time.sleep(0.02)
    press(app, "stop")
    until(app, "stopped")
    done = bars(app)[0]
    assert app.button(key="forest_play").label == "Resume"
    app.selectbox(key="forest0_learner").set_value("axis").run()
    until(app, "trees to come")
    app.switch_page("pages/home.py").run()
    app.switch_page("pages/forests.py").run()
    assert not app.exception
    app.selectbox(key="forest0_learner").set_value("oc1").run()
    assert bars(app)[0] == done, "what was there is kept"
    press(app, "play")
    app.run()
    n = int(done.split(" of ")[0])
    assert n > 0
    press(app, "pause")
    until(app, "paused")
    assert int(bars(app)[0].split(" of ")[0]) >= n
    press(app, "reset")
    until(app, "to come")


def test_a_hinge_forest_has_its_losses_and_its_margin_map():
    app = opened(data="moons", run=["hinge-ferns~trees~5~batches~200"], lens="margin")
    until(app, "mini-batches to come")
    press(app, "play")
    until(app, "mini-batches in")
    assert any("Loss of hinge forests" in m.value for m in app.markdown)
    assert app.segmented_control(key="forest_lens").value == "margin"
    assert param(app, "lens") == ["margin"]


def test_a_wrong_link_opens_with_what_is_nearest():
    app = opened(
        data="spirals", run=["random-forst~n_trees~0", "boosted-cart~foo~1"], by="x", q="1"
    )
    told = app.warning[0].value
    for part in ("random", "n\\_trees=0", "foo", "by=", "'q'"):
        assert part in told, part
    assert param(app, "run") == ["random-forest~n_trees~1", "boosted-cart"]


def test_numbers_can_be_bagged_but_not_boosted():
    app = opened(data="hill", run=["cart-forest~n_trees~4", "boosted-cart"])
    until(app, "to come")
    (told,) = [w.value for w in app.warning]
    assert "SAMME is for classes" in told
    press(app, "play")
    until(app, "4 trees in")
    assert table(app)[2][1].count("%") == 0


def test_one_class_alone_is_told_before_anything_is_learnt():
    data = divided(("one", 100, 25, 0), generate("moons", 100, 0.1, 0))
    data.train.y[:] = 1
    assert "are of one class" in nothing_to_tell(data)
    numbers = divided(("hill", 0.1, 100, 25, 0), generate("hill", 100, 0.1, 0))
    assert nothing_to_tell(numbers) == ""
    numbers.train.y[:] = 2.5
    assert "have the same number, 2.5" in nothing_to_tell(numbers)


def test_one_tree_is_a_forest_too():
    app = opened(data="moons", run=["cart-forest~n_trees~1"])
    until(app, "1 tree to come")
    press(app, "play")
    until(app, "1 tree in")
    assert not [s for s in app.slider if str(s.key).startswith("forest_slider")]


def test_more_trees_than_memory_holds_are_refused_before_the_first(monkeypatch):
    monkeypatch.setattr("ui.forest_run.free_bytes", lambda: 10_000_000)
    app = opened(
        data="spirals", run=["random-forest~n_trees~50000", "hinge-forest~trees~5000~depth~12"]
    )
    until(app, "cannot learn")
    for error, n in zip(app.error, ("50,000", "5,000"), strict=True):
        assert f"{n} trees may take" in error.value
        assert "take at most" in error.value
    assert any("of memory" in caption.value for caption in app.caption)


# Runs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "random-forest~n_trees~40",
        "samme.oc1~n_trees~25~depth~3",
        "hinge-forest~trees~10~batches~600",
    ],
)
def test_a_stopped_run_that_goes_on_is_the_run_that_was_not(text, spirals):
    run = ForestRun(plan_of(text), spirals)
    run.play()
    for _ in range(3):  # at whatever moments
        while run.look().event is None:
            time.sleep(0.002)
        time.sleep(0.01)
        run.stop()
        look = rest(run)
        assert look.state in ("stopped", "finished")
        run.play()
    look = rest(run)
    _, whole = finished(text, spirals)
    assert look.state == whole.state == "finished"
    X = spirals.held.X
    assert np.array_equal(look.forest.predict(X), whole.forest.predict(X))
    assert [m.event.error for m in look.marks] == [m.event.error for m in whole.marks]
    assert look.result == error_of(look.forest, X, spirals.held.y)


def test_a_learner_worse_than_chance_is_told(spirals):
    _, look = finished("adaboost-m1.axis~depth~1", spirals)
    assert look.state == "finished"
    # Three classes and one cut: M1 asks for more than a stump can give.
    rings = divided(("rings", 0.0, 300, 25, 0), generate("rings", 300, 0.0, 0))
    _, look = finished("adaboost-m1.axis~depth~1~sampling~weights", rings)
    assert look.state == "finished"
    assert "needs less than 50 % to begin with" in look.message
    assert np.isfinite(look.forest.scores(rings.held.X)).all()


def test_a_class_that_a_bootstrap_misses_is_no_trouble():
    data = divided(("moons", 0.1, 60, 0, 0), generate("moons", 60, 0.1, 0))
    data.train.y[:] = 0
    data.train.y[:2] = 1
    run, look = finished("cart-forest~n_trees~30", data)
    assert look.state == "finished"
    labels = [len({int(v.argmax()) for v in tree.values}) for tree in look.forest.trees]
    assert 1 in labels, "some bootstrap has missed it"
    assert look.result is None
    assert look.forest.scores(data.train.X).shape == (60, 2)
    assert scene_at(run.plan, data, look, None).margins(data.train.X, data.train.y).min() >= -1


def test_the_time_left_is_told_while_it_learns(spirals):
    run = ForestRun(plan_of("samme.oc1~n_trees~5000~depth~2"), spirals)
    run.play()
    for _ in range(400):
        look = run.look()
        if look.seconds_left is not None:
            break
        time.sleep(0.02)
    assert look.seconds_left > 0
    run.close()
    run.join(10)
    assert not run._thread.is_alive()


# What is seen -------------------------------------------------------------------------------------


def test_weights_are_those_that_the_run_had(spirals):
    from treecore import ForestTrainer

    plan = plan_of("boosted-cart~n_trees~6")
    train = spirals.train
    trainer = ForestTrainer(plan.config, train.X, train.y, n_classes=2)
    _, look = finished("boosted-cart~n_trees~6", spirals)
    for event in trainer.events():
        scene = scene_at(plan, spirals, look, event.done)
        np.testing.assert_allclose(scene.weights, trainer.weights * train.n_samples, rtol=1e-6)
    area = sizes(np.array([1.0, 4.0])) ** 2
    assert area[1] / area[0] == pytest.approx(4)


def test_weights_are_there_where_boosting_begins_anew(spirals):
    run, look = finished("samme.tao~n_trees~6~depth~8~ending~restart", spirals)
    n = look.forest.n_trees
    weights = [scene_at(run.plan, spirals, look, at).weights for at in range(1, n + 1)]
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
    told = np.tile(forest.base.astype(np.float64), (len(X), 1))
    for m in range(forest.n_trees):
        told += np.abs(margin[:, m : m + 1]) * forest.trees.weights[m, leaf[:, m]]
    np.testing.assert_allclose(told, forest.decision(X), rtol=1e-4, atol=1e-5)
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
        racer = Racer(0, run.plan, look)
        written = forest_json(racer, data)
        assert json.loads(written)["training"]["seed"] == 0
        read = (hinge_from_json if run.plan.hinge else forest_from_json)(written).forest
        assert np.array_equal(read.predict(data.held.X), look.forest.predict(data.held.X))
        (row,) = rows_of([racer])
        assert row["Held-out error"] == look.result
        assert "★" not in table_text([racer], False), "alone in a race nobody is the best"


# Links --------------------------------------------------------------------------------------------


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
    params = forests_params(spirals, racers, {"look": 2, "at": 5, "by": "seconds"})
    lists = {n: v if isinstance(v, list) else [v] for n, v in params.items()}
    reading = read_forests(lists)
    assert not reading.problems
    assert reading.state["forest0_learner"] == "sgd"
    assert reading.state["forest1_kind"] == "hinge-ferns"
    assert (reading.state["forest_look"], reading.state["forest_at"]) == (2, 5)


def test_memory_is_never_underestimated(spirals):
    plan = plan_of("samme.oc1~n_trees~6~depth~4")
    _, look = finished("samme.oc1~n_trees~6~depth~4", spirals)
    took = sum(sum(a.nbytes for a in tree) for tree in look.forest.trees)
    took += sum(array.nbytes for array in look.forest._packed)
    assert took <= bytes_needed(plan, spirals.train.n_samples, 2, 2)

"""The page Forests in Streamlit's own test harness."""

from __future__ import annotations

import re

from tests.helpers import harness
from tests.helpers.harness import press, run, run_until
from treecore.data.generators import generate
from ui.jobs.chosen_data import nothing_to_tell
from ui.shell.router import page_file
from ui.widgets.data.picker import divided, gallery_data

SMALL = ["random-forest~n_trees~8", "boosted-cart~n_trees~8"]


def opened(**query):
    return harness.opened("forests", **query)


def bars(app):
    return [bar.proto.text for bar in app.get("progress")]


def until(app, word):
    """Draw the page until the bars of all forests say it."""
    run_until(app, lambda: bars(app) and all(word in text for text in bars(app)), f"for {word!r}")


def param(app, name):
    reported = app.query_params[name]
    return reported if isinstance(reported, list) else [reported]


def table(app):
    (text,) = [m.value for m in app.markdown if m.value.startswith("| Forest")]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]


def test_a_race_is_run_to_its_end():
    app = opened(data="spirals", noise="30", run=SMALL)
    until(app, "8 trees to come")
    assert not app.warning
    assert not app.error
    press(app, "forest_play")
    until(app, "8 trees in")
    head, _, *rows = table(app)
    assert head[:2] == ["Forest", "Held-out error"]
    assert [row[0] for row in rows] == ["I · Random forest", "II · Boosted CART"]
    held = [float(row[1].strip("*best \u00a0%")) for row in rows]
    best = ["best" in row[1] for row in rows]
    assert best == [h == min(held) and held[0] != held[1] for h in held]
    press(app, "forest_play")
    until(app, "8 trees in")
    errors = [row[:3] for row in rows]
    assert [row[:3] for row in table(app)[2:]] == errors, "the same forests"
    assert param(app, "run") == SMALL
    # Looking back: the slider and a member, both in the link.
    (slider,) = [s for s in app.slider if str(s.key).startswith("forest_slider")]
    assert slider.value == 8
    slider.set_value(3)
    run(app)
    app.number_input(key="forest_member").set_value(2)
    run(app)
    assert (param(app, "at"), param(app, "member")) == (["3"], ["2"])
    assert any("Tree 2, one of 3 trees" in c.value for c in app.caption)
    app.number_input(key="forest_member").set_value(7)
    run(app)
    assert any("Tree 7 is not there" in c.value for c in app.caption)
    app.segmented_control(key="forest_look").set_value(2)
    run(app)
    app.segmented_control(key="forest_lens").set_value("member")
    app.segmented_control(key="forest_by").set_value("seconds")
    app.segmented_control(key="forest_margins").set_value("histogram")
    run(app)
    assert "at" not in app.query_params
    assert (param(app, "lens"), param(app, "by")) == (["member"], ["seconds"])
    app.number_input(key="forest_member").set_value(5)
    press(app, "to_tree")
    assert app.selectbox(key="tree_origin").value == "forest"
    assert (app.selectbox(key="tree_forest").value, app.number_input(key="tree_member").value) == (
        1,
        5,
    )


def test_stopped_runs_are_kept_when_others_are_looked_at_and_go_on():
    app = opened(data="spirals", noise="30", run=["samme.oc1~n_trees~500~depth~3"])
    until(app, "to come")
    press(app, "forest_play")
    run_until(app, lambda: trees(app) > 0, "for the first tree")
    press(app, "forest_pause")
    until(app, "paused")
    done = trees(app)
    assert 0 < done < 500
    app.selectbox(key="forest0_learner").set_value("axis")
    run(app)
    until(app, "trees to come")
    for page in ("home", "forests"):
        app.switch_page(page_file(page))
        run(app)
    app.selectbox(key="forest0_learner").set_value("oc1")
    run(app)
    assert trees(app) == done, "what was there is kept"
    press(app, "forest_play")
    run_until(app, lambda: trees(app) > done, "for a tree more")
    press(app, "forest_pause")
    until(app, "paused")
    assert trees(app) > done
    press(app, "forest_reset")
    until(app, "to come")


def trees(app):
    """How many trees the first forest has, as its bar says."""
    found = re.match(r"(\d+) of 500 trees", bars(app)[0])
    return int(found[1]) if found else 0


def test_a_hinge_forest_has_its_losses_and_its_margin_map():
    app = opened(data="moons", run=["hinge-ferns~trees~5~batches~200"], lens="margin")
    until(app, "mini-batches to come")
    press(app, "forest_play")
    until(app, "mini-batches in")
    assert any("Loss of hinge forests" in m.value for m in app.markdown)
    assert app.segmented_control(key="forest_lens").value == "margin"
    assert param(app, "lens") == ["margin"]


def test_a_wrong_link_opens_with_what_is_nearest():
    app = opened(
        data="spirals", run=["random-forst~n_trees~0", "boosted-cart~foo~1"], by="x", q="1"
    )
    reported = app.warning[0].value
    for part in ("random", "n\\_trees=0", "foo", "by=", "'q'"):
        assert part in reported, part
    assert param(app, "run") == ["random-forest~n_trees~1", "boosted-cart"]


def test_numbers_can_be_bagged_but_not_boosted():
    app = opened(data="hill", run=["cart-forest~n_trees~4", "boosted-cart"])
    until(app, "to come")
    (reported,) = [w.value for w in app.warning]
    assert "SAMME is for classes" in reported
    press(app, "forest_play")
    until(app, "4 trees in")
    head, _, row = table(app)
    assert head[1:3] == ["Test R²", "Held-out MSE"]
    assert (row[1].count("%"), row[2].count("%")) == (1, 0)


def test_what_nobody_has_chosen_fits_the_data():
    app = opened(data="spirals")
    until(app, "to come")
    assert param(app, "run") == ["random-forest", "boosted-tao"]
    app.session_state["dataset"] = "hill"
    run(app)
    until(app, "to come")
    assert param(app, "run") == ["random-forest", "hinge-forest"], "the other one needs classes"
    assert not app.warning
    app.session_state["dataset"] = "spirals"
    run(app)
    assert param(app, "run") == ["random-forest", "boosted-tao"]


def test_a_step_grows_one_tree_of_each_forest():
    app = opened(data="moons", run=["cart-forest~n_trees~3", "boosted-cart~n_trees~3"])
    until(app, "to come")
    for done in ("1 of 3 trees, paused", "2 of 3 trees, paused", "3 trees in"):
        press(app, "forest_step")
        until(app, done)
    assert app.button(key="forest_step").disabled


def test_one_class_alone_is_told_before_anything_is_learnt():
    data = divided(("one", 100, 25, 0), generate("moons", 100, 0.1, 0))
    data.train.y[:] = 1
    assert "are of one class" in nothing_to_tell(data)
    numbers = gallery_data("hill", 100, 0.1)
    assert nothing_to_tell(numbers) == ""
    numbers.train.y[:] = 2.5
    assert "have the same number" in nothing_to_tell(numbers)


def test_one_tree_is_a_forest_too():
    app = opened(data="moons", run=["cart-forest~n_trees~1"])
    until(app, "1 tree to come")
    press(app, "forest_play")
    until(app, "1 tree in")
    assert not [s for s in app.slider if str(s.key).startswith("forest_slider")]


def test_more_trees_than_memory_holds_are_refused_before_the_first(monkeypatch):
    monkeypatch.setattr("ui.forests.job.free_bytes", lambda: 10_000_000)
    app = opened(
        data="spirals", run=["random-forest~n_trees~50000", "hinge-forest~trees~5000~depth~12"]
    )
    until(app, "cannot learn")
    for error, n in zip(app.error, ("50,000", "5,000"), strict=True):
        assert f"{n} trees may take" in error.value
        assert "take at most" in error.value
    assert any("of memory" in caption.value for caption in app.caption)

"""The Lab with forests among its learners, in Streamlit's own test harness."""

import pytest

from tests.helpers.comparison import board, charts, column, opened, play, reached, views
from tests.helpers.harness import choose, keys, press, run_until, sent, showing, taken_home, words
from tests.helpers.pictures import checked_picture
from tests.helpers.same import assert_same
from tests.ui.widgets.test_export_code import executed
from treecore.persistence import from_json

FORESTS = ("random-forest~n_trees~6", "boosted-cart~n_trees~5", "hinge-forest~trees~5~batches~300")


def test_a_tree_stands_beside_forests_on_one_clock():
    app = opened(data="spirals", size="150", depth="3", run=["axis", *FORESTS[:2]])
    reached(app, "paused")
    assert not app.warning
    told = play(app)
    names = ["Greedy axis-aligned", "Random forest", "Boosted CART"]
    assert [text.split(" · ")[1] for text in column(told, "Method")] == names
    assert all(text.endswith("%") for text in column(told, "Test accuracy"))
    assert [text == "–" for text in column(told, "Log loss")] == [False, False, True]
    assert all(int(text) > 0 for text in column(told, "Splits"))
    assert len(views(app, "live_flat")) == 1, "the live view draws the tree alone"
    pictures = [meta["image"] for meta, _ in views(app, "picture")]
    assert len(pictures) == 2
    assert all(picture.startswith("data:image/svg+xml") for picture in pictures)
    assert all(not meta["classes"] for meta, _ in views(app, "picture")), "the tree names them"
    assert app.query_params["run"] == ["axis", *FORESTS[:2]]
    assert "it leaves out II, III" in words(app), "no page has them"
    assert any("'III': RunConfig('boosted-cart'" in one.value for one in app.code), "programs have"


@pytest.mark.parametrize("runs", [FORESTS[:1], FORESTS[:2]])
def test_forests_need_no_tree_beside_them(runs):
    app = opened(data="moons", run=list(runs))
    told = play(app)
    assert len(told["rows"]) == len(runs)
    first, *others = column(told, "Out-of-bag accuracy")
    assert first.endswith("%")
    assert others == ["–"] * (len(runs) - 1)
    assert "Bound" not in [chart["title"] for chart in charts(app)[0]["charts"]]
    assert [meta["classes"] for meta, _ in views(app, "picture")] == [["A", "B"]] * len(runs)
    assert "lab_depth" not in keys(app, "slider"), "the limit is for single trees"
    assert int(told["rows"][0][-2]["text"]) > 3
    assert "spread" in keys(press(app, "spread"), "button")


def test_a_forest_alone_goes_home_as_a_picture_a_program_and_a_folder(folders):
    app = opened(data="moons", size="100", run=["random-forest~n_trees~3"])
    play(app)
    _name, picture = taken_home(app, "export_picture_I")
    checked_picture(picture.decode(), 0)
    (code,) = [one.value for one in app.code if "RunConfig(" in one.value]
    names = executed(code)
    press(app, "keep")
    (path,) = folders.glob("runs/*/*/forest.json")
    kept = from_json(path.read_bytes()).model
    for tree, own in zip(names["models"]["I"].trees, kept.trees, strict=True):
        assert_same(tree, own)


def test_trees_of_an_ensemble_are_of_any_method():
    text = "samme.oc1~n_trees~3~depth~2"
    app = opened(data="moons", size="100", run=["axis", text])
    assert not app.warning
    assert showing(app, "lab1_samme_base").value == "oc1"
    assert app.query_params["run"] == ["axis", text]
    assert "SAMME" in play(app)["rows"][1][0]["text"]
    choose(app, "lab1_samme_base", "axis")
    assert app.query_params["run"][1] == "samme"


def test_a_forest_that_ends_early_says_why():
    # Three classes and one cut: M1 asks for more than a stump can give.
    text = "adaboost-m1~depth~1~sampling~weights"
    app = opened(data="rings", size="300", noise="0", run=[text])
    play(app)
    assert any("needs less than 50 % from the start" in c.value for c in app.caption)


def test_more_trees_than_memory_holds_are_refused_before_the_first():
    app = opened(data="spirals", run=["random-forest~n_trees~50000"])
    run_until(app, lambda: board(app)["state"] == "failed", "for the refusal")
    (told,) = [meta["heading"][1] for meta, _ in views(app, "picture")]
    assert "use fewer rows, columns or trees" in told


def test_a_forest_is_inspected_tree_by_tree():
    app = opened(data="iris", run=["axis", f"{FORESTS[1]}~depth~2", FORESTS[2]])
    play(app)
    press(app, "inspect_1")
    run_until(app, lambda: sent(app, "standing"))
    assert app.segmented_control(key="inspect_learner").value == 1
    said = words(app)
    assert "Tree 1 of 5. “The forest” and “What would change it” show all trees together." in said
    assert "The area of a point is its weight for the next tree." in said
    assert "**Vote**" in said or "Vote **" in said
    app.number_input(key="tree_member").set_value(4)
    choose(app, "forest_lens", "member")
    assert "Tree 4 of 5" in words(app)
    choose(app, "inspect_learner", 2)
    assert "margin" in app.segmented_control(key="forest_lens").options[1].lower()
    assert sent(app, "standing"), "trees of hinge forests are drawn as others"
    assert "Training accuracy" in words(app)


def test_every_clock_shows_forests():
    app = opened(data="spirals", size="100", depth="2", clock="share", run=["axis", FORESTS[2]])
    assert play(app)["hand"]["share"] == pytest.approx(1.0)
    for clock in ("time", "share"):
        choose(app, "lab_clock", clock)
        assert board(app)["hand"]["share"] == pytest.approx(1.0), clock


def test_of_numbers_only_what_learns_them_is_offered():
    app = opened(data="hill", size="100", run=["axis", "random-forest~n_trees~3"])
    rows = play(app)["rows"]
    assert len(rows) == 2
    offered = showing(app, "lab0_method").options
    assert "Random forest" in offered
    assert "Boosted CART" not in offered

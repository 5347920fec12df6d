"""The tree page in Streamlit's own harness: every way of opening a tree, every tab, bad files."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from tests.helpers import harness
from tests.helpers.paths import ROOT
from treecore import AxisTreeClassifier, Forest, RunConfig, Trainer, apply
from treecore.core.tree import single_leaf
from treecore.data.readers.csv import read_csv
from treecore.export.readers import from_sklearn, read_content
from treecore.inspection.contributions import contributions
from treecore.persistence import Document, from_json, to_json
from treecore.runs.driver import make_trainer
from treecore.runs.result import data_of, trained_document
from treecore.selection import TeacherQuestion
from treecore.selection.lesson import TeacherLesson
from treecore.selection.model_trees import with_linear_leaves
from ui.inspect.asked_row import sentences
from ui.inspect.asks_tab import importances
from ui.inspect.opened import OpenedTree
from ui.inspect.overlay import overlays
from ui.inspect.pruning_tab import path_of
from ui.jobs.chosen_data import ChosenData
from ui.widgets.data.gallery import SAMPLES

MODELS = ROOT / "tests" / "treecore" / "export" / "readers" / "models"


def opened(dataset="wine", **query):
    return harness.opened("inspect", {"dataset": dataset}, **query)


def drawn(app):
    """Meta and arrays of the drawing."""
    return harness.sent(app, "standing")[0]


def grown(dataset, method="axis", **settings):
    config = RunConfig(method, **settings)
    return Trainer(config, dataset.X, dataset.y, n_classes=dataset.n_classes).run()


def choose_file(app, content: bytes, name: str):
    harness.choose(app, "tree_origin", "file")
    app.file_uploader(key="tree_file").upload(name, content, "application/json")
    return harness.run(app)


@pytest.fixture(scope="module")
def wine():
    return read_csv(SAMPLES / "wine.csv")


def test_rows_over_a_tree_are_counted_where_they_fall_and_those_of_a_picked_leaf_are_a_table():
    app = opened(rows="training")
    meta, arrays = drawn(app)
    assert meta["alone"]
    assert arrays["counts"].sum() == 133
    assert "133** examples" in harness.words(app)
    for leaf in np.flatnonzero(arrays["counts"].sum(axis=1))[:2]:
        harness.choose(app, "tree_node", ~int(leaf))
        table = next(
            t.value for t in app.dataframe if "predicted" in t.value and "example" in t.value
        )
        assert len(table) == arrays["counts"][leaf].sum()
    harness.choose(app, "tree_part", "held")
    assert drawn(app)[1]["counts"].sum() == 45
    assert "Expected calibration error" in harness.words(app)


def test_a_saved_tree_and_one_of_a_saved_forest_are_opened(wine):
    tree = grown(wine, "oc1", depth=3)
    other = grown(wine, "axis", depth=2)
    names = wine.feature_names, wine.class_names
    app = choose_file(opened(), to_json(Document(tree, *names)).encode(), "one.json")
    np.testing.assert_array_equal(drawn(app)[1]["threshold"], tree.threshold)
    forest = Document(Forest((tree, other), np.ones(2), "shares"), *names)
    app = choose_file(opened(), to_json(forest).encode(), "two.json")
    harness.choose(app, "tree_member", 2)
    np.testing.assert_array_equal(drawn(app)[1]["threshold"], other.threshold)
    assert "Tree 2 of 2" in harness.words(app)
    app.session_state["dataset"] = "spirals"  # whose rows do not fit
    meta, arrays = drawn(harness.run(app))
    assert meta["features"] == list(wine.feature_names)
    assert "counts" not in arrays
    assert "reads 13 features, but these examples have 2" in harness.words(app)


def test_what_cannot_be_opened_is_said_in_one_sentence():
    app = opened()
    for content, name in (
        (b"\x80\x04\x95rest", "model.pkl"),
        (b"tree\nversion=v4\n", "cut.txt"),
        (b"", "empty.json"),
    ):
        (reported,) = choose_file(app, content, name).error
        assert name.split(".")[0] in reported.value
        assert ("by skl2onnx" in reported.value) == name.endswith(".pkl"), "it says what to do"
        assert not harness.sent(app, "standing")
    app = opened("moons", tree="run")
    assert "The Lab has not learnt anything yet" in harness.words(app)


def test_a_tree_of_the_lab_is_inspected_there_and_left_again():
    app = harness.one_tree(data="moons", run="axis~depth~3")
    harness.command(app, "play")
    key = "inspect_0"
    harness.run_until(app, lambda: any(b.key == key and not b.disabled for b in app.button))
    harness.press(app, key)
    harness.run_until(app, lambda: harness.sent(app, "standing"))
    meta, arrays = drawn(app)
    assert meta["features"] == ["x1", "x2"]
    assert len(arrays["threshold"]) <= 7
    tab(app, "One example")
    link = harness.link(app)
    assert {"inspect": "1", "tab": "One example", "data": "moons"}.items() <= link.items()
    harness.press(app, "inspect_leave")
    assert not harness.sent(app, "standing")
    assert "inspect" not in harness.link(app)


def test_a_link_to_a_tree_of_the_lab_learns_it_first_and_opens_it():
    link = {"data": "iris", "run": "axis~depth~2", "inspect": "1", "tab": "Pruning"}
    app = harness.opened("lab", **link)
    harness.run_until(app, lambda: harness.sent(app, "standing"))
    assert app.select_slider(key="tree_pruned").options


def test_of_several_learners_the_one_that_is_chosen_is_inspected():
    app = harness.opened("lab", data="iris", run=["axis~depth~2", "random-forest"], inspect="1")
    drawn_at_last(app)
    harness.choose(app, "inspect_learner", 1)
    assert app.number_input(key="tree_member").value == 1
    assert harness.link(app)["inspect"] == "2"


def test_a_forest_is_inspected_with_all_its_trees_though_one_is_there_already():
    app = harness.opened("lab", data="iris", run="random-forest~n_trees~12")
    strip = next(place for place in harness.places(app) if place["view"] == "strip")
    harness.run_until(app, lambda: harness.news(strip)[0]["state"] == "paused")
    drawn_at_last(harness.press(app, "inspect_0"))
    assert "Tree 1 of 12" in harness.words(app)


def drawn_at_last(app):
    """The page with a tree drawn, after the learning that goes on while its views ask for news."""

    def drawn():
        return harness.sent(app, "standing") or [harness.news(at) for at in harness.places(app)][:0]

    return harness.run_until(app, drawn)


def tab(app, name: str):
    """The page with another tab open."""
    return harness.with_state(app, tree_tab=name)


def test_a_row_is_moved_and_its_path_follows(wine):
    app = opened(method="tao", depth="3", tab="One row", row="4", rows="training")  # an old link
    assert harness.link(app)["tab"] == "One example"
    meta, _ = drawn(app)
    before = meta["marked"]
    assert f"in leaf {before}" in harness.words(app)
    assert harness.words(app).count("the example goes") >= 1
    assert "Exact: computed over all sets of features." in harness.words(app)
    for slider in app.slider:  # to the values of a row of another class
        if str(slider.key).startswith("tree_x_"):
            name = slider.label.replace("\\", "")
            slider.set_value(float(wine.X[170, wine.feature_names.index(name)]))
    harness.run(app)
    assert drawn(app)[0]["marked"] != before
    harness.press(app, "tree_as_it_was")
    assert drawn(app)[0]["marked"] == before


def test_the_nearest_change_is_told_and_what_is_held_fixed_stays():
    app = opened("moons", depth="3", tab="What would change it")
    reported = next(m.value for m in app.markdown if "Smallest change for" in m.value)
    assert "x2 from" in reported
    app.multiselect(key="tree_fixed").select(1)
    harness.run(app)
    found = [m.value for m in app.markdown if "Smallest change for" in m.value]
    assert all("x2 from" not in sentence for sentence in found)
    app.multiselect(key="tree_fixed").select(0)
    harness.run(app)
    assert "There is no such point" in harness.words(app)


@pytest.mark.parametrize("dataset", ["wine", "moons", "diabetes"])
def test_the_nearest_change_of_a_forest_is_of_all_its_trees(dataset):
    rows = read_csv(SAMPLES / f"{dataset}.csv")
    numbers = rows.task == "regression"
    loss = {"loss": "squared"} if numbers else {}
    trees = [grown(rows, method, depth=3, **loss) for method in ("axis", "oc1")]
    outputs = {"output_names": (rows.target_name,)} if numbers else {}
    forest = Forest(trees, np.ones(2), "mean" if numbers else "shares")
    document = Document(forest, rows.feature_names, rows.class_names, **outputs)
    app = choose_file(opened(dataset), to_json(document).encode(), "two.json")
    tab(app, "What would change it")
    if numbers:
        app.number_input(key="tree_high").set_value(app.number_input(key="tree_low").value)
        harness.choose(app, "tree_low", 0.0)
    assert "Smallest change for" in harness.words(app)
    assert "The 2 trees of the forest predict together. The search" in harness.words(app)
    assert "then reaches leaf" not in harness.words(app)
    tab(app, "One example")
    assert "The 2 trees of the forest predict together. For" in harness.words(app)


def test_a_link_has_what_was_moved_wanted_and_held_fixed():
    app = opened("iris", depth="3", tab="One example", row="4", rows="training")
    slider = next(s for s in app.slider if str(s.key).startswith("tree_x_"))
    slider.set_value(slider.max)
    harness.run(app)
    moved = harness.link(app)["moved"]
    assert moved.split("~")[1] == f"{slider.max:.6g}"
    again = harness.opened("inspect", **harness.link(app))
    assert harness.link(again)["moved"] == moved
    assert [s.value for s in again.slider] == pytest.approx([s.value for s in app.slider])
    wanted = {"tab": "What would change it", "wanted": "2", "fixed": "0,900", "norm": "l1"}
    app = harness.opened("inspect", **harness.link(app) | wanted)
    assert app.selectbox(key="tree_wanted").value == 2
    assert app.multiselect(key="tree_fixed").value == [0]
    assert {"fixed": "0", "norm": "l1", "moved": moved}.items() <= harness.link(app).items()
    harness.press(tab(app, "One example"), "tree_as_it_was")
    assert "moved" not in harness.link(app)


def test_a_number_is_wanted_in_a_range():
    app = opened("diabetes", depth="3", tab="What would change it")
    smallest = app.number_input(key="tree_low")
    harness.choose(app, "tree_high", smallest.value - 1000.0)
    assert [one.value.startswith("No number is at least") for one in app.info] == [True]
    app.number_input(key="tree_high").set_value(1e9)
    harness.choose(app, "tree_low", 1e8)
    assert "There is no such point" in harness.words(app)


def test_what_was_wanted_of_other_data_is_forgotten_unless_a_link_asks_for_it():
    asked = {"data": "hill", "least": "0.25", "fixed": "1"}
    app = opened(None, tab="What would change it", **asked)
    assert asked.items() <= harness.link(app).items()
    harness.with_state(app, dataset="waves")
    assert app.number_input(key="tree_low").value != 0.25
    assert "fixed" not in harness.link(app)


def test_a_pruned_tree_is_what_the_whole_page_is_about():
    app = opened("digits", depth="6", tab="Pruning")
    entire = len(drawn(app)[1]["f0.leaf"])
    slider = app.select_slider(key="tree_pruned")
    slider.set_value(5)
    harness.run(app)
    left = len(drawn(app)[1]["f0.leaf"])
    assert left < entire
    assert f"Pruned from {entire} leaves to {left}" in harness.words(app)
    assert f"**{left}** leaves" in harness.words(app)
    _name, content = harness.taken_home(app, "tree_download")
    assert from_json(content).tree.n_leaves == left


def test_what_the_tree_asks_is_a_table_of_all_its_splits():
    app = opened(method="oc1", depth="3", tab="What it asks")
    table = next(t.value for t in app.dataframe if "goes right if" in t.value)
    _, arrays = drawn(app)
    assert len(table) == len(arrays["threshold"])
    assert (table["features"] <= 13).all()
    assert table["examples"][0] == arrays["counts"].sum()
    assert "of 13 features" in harness.words(app)


def test_two_trees_agree_where_they_are_the_same():
    app = opened(tab="Two trees", depth="5")
    assert app.selectbox(key="tree_method_beside").value == "oc1", "not the same tree twice"
    harness.choose(app, "tree_method_beside", "axis")
    assert "They agree on **100.0\u00a0%**" in harness.words(app)
    assert "The two trees agree on every example" in harness.words(app)
    harness.choose(app, "tree_depth_beside", 1)
    first, second = harness.sent(app, "standing")
    assert len(second[1]["threshold"]) == 1
    assert len(first[1]["threshold"]) > 1
    assert "They agree on **100.0\u00a0%**" not in harness.words(app)
    assert {"tree2": "grown", "depth2": "1"}.items() <= harness.link(app).items()


def test_a_tree_behind_splines_is_drawn_with_the_names_of_what_they_make(wine):
    config = RunConfig("annealed", depth=1, rounds=1, kernel="spline", components=26)
    trainer = Trainer(config, wine.X, wine.y, n_classes=3)
    tree, splines = trainer.run(), trainer.feature_map
    document = Document(tree, wine.feature_names, wine.class_names, feature_map=splines)
    rows = opened(tab="One example", rows="training", test="0")
    app = choose_file(rows, to_json(document).encode(), "splines.json")
    meta, arrays = drawn(app)
    assert meta["features"] == list(splines.names(wine.feature_names))
    expected = np.bincount(apply(tree, splines(wine.X)), minlength=2)
    np.testing.assert_array_equal(arrays["counts"].sum(axis=1), expected)
    for name in ("One example", "What would change it"):
        assert "made from" in harness.words(tab(app, name))


@pytest.mark.parametrize("dataset", ["quickening", "digits"])
def test_every_tab_opens_on_every_kind_of_data(dataset):
    app = opened(dataset, depth="4")
    for name in ("One example", "What would change it", "What it asks", "Pruning", "Two trees"):
        assert tab(app, name).header, "there is something on it"
        assert not app.error


def test_files_of_a_leaf_and_of_linear_leaves_open_on_every_tab(wine):
    """What the default may choose: a pruned tree with linear leaves, and a linear model alone."""
    rows = TeacherLesson.of(TeacherQuestion.of(wine, "log", "none", 0)).rows
    leaf = single_leaf(np.array([0.1, 0.7, 0.2]), wine.n_features)
    linear = [with_linear_leaves(start, rows) for start in (grown(wine, depth=1), leaf)]
    for tree in (leaf, *linear):
        document = Document(tree, wine.feature_names, wine.class_names)
        app = choose_file(opened(rows="all"), to_json(document).encode(), "small.json")
        assert bool(drawn(app)[0]["mean"]) == (tree is not leaf)
        for name in ("Examples", "One example", "What would change it", "What it asks", "Pruning"):
            tab(app, name)
            assert not app.error, name


# What a tree was grown by, and from which rows ---------------------------------------------------


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_importance_and_pruning_are_those_of_scikit_learn(wine, criterion):
    theirs = DecisionTreeClassifier(criterion=criterion, max_depth=5, random_state=0)
    theirs.fit(wine.X, wine.y)
    data = ChosenData(wine, None, ("wine", criterion))
    opened = OpenedTree(
        (criterion,), "", from_sklearn(theirs), data_key=data.key, criterion=criterion
    )
    found = importances(opened, overlays(opened, data)["training"])
    np.testing.assert_allclose(found, theirs.feature_importances_, atol=1e-6)
    alphas = theirs.cost_complexity_pruning_path(wine.X, wine.y).ccp_alphas
    np.testing.assert_allclose(path_of(opened, data).alphas, alphas, atol=1e-6)


def test_a_column_of_categories_is_one_bar(tmp_path):
    rng = np.random.default_rng(0)
    rows = [(rng.choice(list("abcdef")), rng.normal()) for _ in range(200)]
    lines = [f"{a},{'' if i % 9 == 0 else z},{a in 'ace'}" for i, (a, z) in enumerate(rows)]
    (tmp_path / "mine.csv").write_text("letter,size,kind\n" + "\n".join(lines) + "\n")
    train = read_csv(tmp_path / "mine.csv", "kind")
    config = RunConfig("axis", depth=4, categorical=["letter"])
    for one in (config, config.replace(categorical=())):
        tree = make_trainer(one, train).run()
        opened = OpenedTree(("k",), "", trained_document(tree, one, train, data_of(train), {}))
        overlay = overlays(opened, ChosenData(train, None, ("mine",)))["training"]
        assert overlay.names(opened.document) == ("letter", "size")
        found = importances(opened, overlay)
        assert found[0] > 0.95
        assert found.sum() == pytest.approx(1)


def test_a_tree_grown_here_is_measured_by_its_own_criterion_and_rows():
    app = opened("iris", rows="held")
    for name in ("What it asks", "Pruning"):
        assert "Measured by: Gini, training examples." in harness.words(tab(app, name))
        assert "may have learnt" not in harness.words(app)


def test_nobody_says_of_a_file_that_rows_were_held_out(wine):
    names = wine.feature_names, wine.class_names
    content = to_json(Document(grown(wine, depth=3), *names)).encode()
    app = choose_file(opened(rows="held"), content, "one.json")
    assert app.segmented_control(key="tree_part").options == ["Test split", "Training split"]
    assert drawn(app)[0]["part"] == "chosen"
    for name in ("Examples", "What it asks", "Pruning", "Two trees"):
        said = harness.words(tab(app, name))
        assert "The model may have learnt from these examples" in said
        assert not re.search("held[ -]out", said, re.IGNORECASE)
        if name == "What it asks":
            assert "Measured by: Gini, test split. The file does not say" in said
        if name == "Pruning":
            assert "Measured by: Gini, training split." in said


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (RunConfig("axis", depth=3, criterion="gini"), "Gini, training split."),
        (RunConfig("tao", depth=3), "entropy, training split."),
    ],
)
def test_a_file_of_our_own_says_its_criterion(wine, config, said):
    tree = Trainer(config, wine.X, wine.y, n_classes=wine.n_classes).run()
    document = trained_document(tree, config, wine, data_of(wine), {})
    app = choose_file(opened(), to_json(document).encode(), "one.json")
    assert f"Measured by: {said}" in harness.words(tab(app, "Pruning"))
    assert "The file does not say" not in harness.words(app)


def test_a_boosted_classifier_is_shown_as_the_sum_of_its_trees():
    pytest.importorskip("treelite")
    kept = json.loads((MODELS / "xgboost-classes.json").read_text(encoding="utf-8"))
    document = read_content(kept["model"].encode())
    X = np.random.default_rng(0).normal(size=(90, len(document.feature_names)))
    table = pd.DataFrame(X.astype(np.float32)).add_prefix("column ")
    label = document.model.scores(table.to_numpy()).argmax(axis=1)
    table["class"] = np.array(["low", "middle", "high"])[label]
    app = harness.upload(opened("iris"), table.to_csv(index=False).encode())
    app = choose_file(app, kept["model"].encode(), "model.json")
    said = harness.words(app)
    assert "the class with the largest sum is the prediction" in said
    assert "Accuracy, training split" in said
    assert "The model may have learnt from these examples" in said
    assert len(drawn(app)[1]["threshold"]) > 0, "and each of its trees is drawn"
    assert app.get("plotly_chart")[0].proto.alt == "Map of the forest: prediction"
    app.number_input(key="tree_member").set_value(7)  # the base score, as the seventh tree
    adds = document.model.trees[6].values[0, 0] / 7
    assert drawn(harness.run(app))[0]["range"][0] == pytest.approx(adds)


def test_a_split_on_levels_is_asked_in_words():
    colour = np.random.default_rng(0).choice(list("abcdef"), 200)
    model = AxisTreeClassifier(2, categorical_features=["colour"])
    model.fit(
        pd.DataFrame({"colour": colour, "size": np.arange(200.0)}), np.isin(colour, ["a", "f"])
    )
    app = choose_file(opened(), model.to_json().encode(), "tree.json")
    ((column, levels, is_in),) = drawn(app)[0]["sets"].values()
    assert column == "colour"
    assert sorted(levels) == (["a", "f"] if is_in else list("bcde"))
    document = model.to_document()
    for j, level in enumerate("abcdef"):
        x = np.eye(document.tree.n_features, dtype=np.float32)[j]
        path = contributions(document.tree, x, x)
        asked, _leaf = sentences(document, document.tree, path, x)
        assert f": colour {'in' if is_in else 'not in'} {{" in asked.replace("\\", "")
        assert ("Yes" in asked) == ((level in levels) == is_in)
        assert " by " not in asked

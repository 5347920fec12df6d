"""The tree page in Streamlit's own harness: every way of opening a tree, every tab, bad files."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers import harness
from treecore import Forest, RunConfig, Trainer
from treecore.data.readers.csv import read_csv
from treecore.persistence import Document, to_json
from ui.widgets.dataset_picker import SAMPLES


def opened(dataset="wine", **query):
    return harness.opened("tree", {"dataset": dataset}, **query)


def drawn(app):
    """Meta and arrays of the drawing."""
    return harness.sent(app, "standing")[0]


def grown(dataset, method="axis", **settings):
    config = RunConfig(method, **settings)
    return Trainer(config, dataset.X, dataset.y, n_classes=dataset.n_classes).run()


def choose_file(app, content: bytes, name: str):
    app.selectbox(key="tree_origin").select("file")
    harness.run(app)
    app.file_uploader(key="tree_file").upload(name, content, "application/json")
    return harness.run(app)


@pytest.fixture(scope="module")
def wine():
    return read_csv(SAMPLES / "wine.csv")


def test_rows_over_a_tree_are_counted_where_they_fall():
    app = opened(rows="training")
    meta, arrays = drawn(app)
    assert meta["alone"]
    assert arrays["counts"].sum() == 133
    assert "133** rows" in harness.words(app)
    app.segmented_control(key="tree_part").set_value("held")
    harness.run(app)
    assert drawn(app)[1]["counts"].sum() == 45
    assert "Expected calibration error" in harness.words(app)


def test_the_rows_of_a_picked_leaf_are_a_table_of_them():
    app = opened("iris", rows="training")
    for leaf in (0, 2):
        harness.showing(app.selectbox, "tree_node").select(~leaf)
        harness.run(app)
        _, arrays = drawn(app)
        table = next(t.value for t in app.dataframe if "predicted" in t.value and "row" in t.value)
        assert len(table) == arrays["counts"][leaf].sum()


def test_a_saved_tree_and_one_of_a_saved_forest_are_opened(wine):
    tree = grown(wine, "oc1", depth=3)
    other = grown(wine, "axis", depth=2)
    names = wine.feature_names, wine.class_names
    app = choose_file(opened(), to_json(Document(tree, *names)).encode(), "one.json")
    np.testing.assert_array_equal(drawn(app)[1]["threshold"], tree.threshold)
    forest = Document(Forest((tree, other), np.ones(2), "shares"), *names)
    app = choose_file(opened(), to_json(forest).encode(), "two.json")
    app.number_input(key="tree_member").set_value(2)
    harness.run(app)
    np.testing.assert_array_equal(drawn(app)[1]["threshold"], other.threshold)
    assert "Tree 2 of 2" in harness.words(app)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"\x80\x04\x95rest", "model.json"),
        (b'{"format": "tree', "cut.json"),
        (b"tree\nversion=v4\n", "cut.txt"),
        (b"", "empty.json"),
    ],
)
def test_what_cannot_be_opened_is_said_in_one_sentence(content, name):
    app = choose_file(opened(), content, name)
    (told,) = app.error
    assert name.split(".")[0] in told.value
    assert not harness.sent(app, "standing")


def test_rows_that_do_not_fit_leave_the_tree_drawn(wine):
    text = to_json(Document(grown(wine, depth=2), wine.feature_names, wine.class_names))
    app = choose_file(opened("spirals"), text.encode(), "wine.json")
    meta, arrays = drawn(app)
    assert meta["features"] == list(wine.feature_names)
    assert "counts" not in arrays
    assert "reads 13 features and these rows have 2" in harness.words(app)


def test_the_tree_of_the_run_on_train_is_opened_and_without_one_the_page_says_so():
    app = opened("moons", tree="run")
    assert "There is no tree on Train yet" in harness.words(app)


def test_a_link_opens_the_same_page(wine):
    app = opened(tree="grown", method="oc1", depth="3", rows="training", node="-2")
    link = harness.link(app)
    assert {"tree": "grown", "method": "oc1", "depth": "3", "node": "-2"}.items() <= link.items()
    arrays = drawn(app)[1]
    again = drawn(harness.opened("tree", **link))[1]
    for name in arrays:
        np.testing.assert_array_equal(arrays[name], again[name])


def test_the_tree_at_rest_on_train_is_opened_with_one_click():
    app = harness.opened("train", data="moons", run="axis~depth~3")
    harness.command(app, "play")
    harness.run_until(app, lambda: any(b.key == "to_tree" and not b.disabled for b in app.button))
    harness.press(app, "to_tree")
    meta, arrays = drawn(app)
    assert app.selectbox(key="tree_origin").value == "run"
    assert meta["features"] == ["x1", "x2"]
    assert len(arrays["threshold"]) <= 7

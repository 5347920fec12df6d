"""A model's file tells how a table becomes its features, and all readers make the same ones."""

import json

import numpy as np
import pandas as pd
import pytest

from tests.helpers.documents import SCHEMA, learnt_document
from tests.helpers.spoiling import small
from treecore import ObliqueForestClassifier, ObliqueTreeClassifier
from treecore.data.readers.csv import read_csv
from treecore.data.readers.table import TableError
from treecore.data.sources import Source
from treecore.persistence import TreeFormatError, from_json, save, to_json
from treecore.persistence.column_alignment import match


def frame(n=90):
    rng = np.random.default_rng(3)
    when = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), unit="D")
    table = pd.DataFrame(
        {
            "size": rng.normal(size=n).round(3),
            "when": when.strftime("%Y-%m-%d"),
            "colour": rng.choice(["blue", "green", "red"], n),
        }
    )
    late = (when > pd.Timestamp("2021-01-01")) ^ (table.colour == "red")
    return table.assign(y=np.where(late, "late", "early"))


@pytest.fixture
def made(tmp_path):
    frame().to_csv(tmp_path / "t.csv", index=False)
    return learnt_document(read_csv(tmp_path / "t.csv"))


def rows(made, tmp_path, table):
    table.to_csv(tmp_path / "new.csv", index=False)
    return match(made, Source(str(tmp_path / "new.csv")))


def test_a_file_keeps_the_columns_and_obeys_the_schema(made):
    text = to_json(made)
    SCHEMA.validate(json.loads(text))
    assert from_json(text).columns == made.columns
    assert json.loads(text)["columns"] == [
        {"name": "size"},
        {"name": "when", "date": "%Y-%m-%d"},
        {"name": "colour", "categories": ["blue", "green", "red"]},
    ]


def test_columns_in_any_order_and_a_part_of_the_words_give_the_same_features(made, tmp_path):
    entire = rows(made, tmp_path, frame())
    assert entire.notes == ()
    turned = rows(made, tmp_path, frame()[["y", "colour", "when", "size"]].assign(more="x"))
    np.testing.assert_array_equal(turned.X, entire.X)
    blue = frame().colour == "blue"
    few = rows(made, tmp_path, frame()[blue])
    np.testing.assert_array_equal(few.X, entire.X[blue])


def test_dates_and_numbers_may_be_written_in_another_way(made, tmp_path):
    entire = rows(made, tmp_path, frame())
    other = frame().assign(when=pd.to_datetime(frame()["when"]).dt.strftime("%d.%m.%Y"))
    np.testing.assert_array_equal(rows(made, tmp_path, other).X, entire.X)
    other.assign(when=pd.to_datetime(frame()["when"])).to_parquet(tmp_path / "t.parquet")
    typed = match(made, Source(str(tmp_path / "t.parquet")))
    np.testing.assert_array_equal(typed.X, entire.X)
    percent = frame().assign(size=[f"{size} %" for size in frame()["size"]])
    np.testing.assert_array_equal(rows(made, tmp_path, percent).X, entire.X)


@pytest.mark.parametrize(("task", "step"), [("regression", 0.25), ("classification", 0.5)])
def test_targets_with_a_decimal_comma_are_read_as_in_training(tmp_path, task, step):
    path = tmp_path / "t.csv"
    table = pd.DataFrame({"a": np.arange(40) + 0.5, "y": step * (1 + np.arange(40) % 4)})
    table.to_csv(path, index=False, sep=";", decimal=",")
    learnt = read_csv(path, task=task)
    found = learnt_document(learnt)
    np.testing.assert_array_equal(match(found, Source(str(path)), labelled=True).y, learnt.y)


def test_slips_of_several_columns_are_told_in_one_sentence(made, tmp_path):
    slipped = frame().astype({"size": object})
    slipped.loc[3, ["size", "when"]] = ["big", "soon"]
    assert rows(made, tmp_path, slipped).notes == (
        "Malformed values were read as missing: 'size' has 'big' in line 5; "
        "'when' has 'soon' in line 5.",
    )


def test_a_forest_of_rows_without_names_takes_columns_by_their_places(tmp_path):
    table = frame().assign(x=range(90))[["size", "x", "y"]]
    forest = ObliqueForestClassifier(n_estimators=2, random_state=0)
    forest.fit(table[["size", "x"]].to_numpy(), table.y)
    made = from_json(forest.to_json())
    assert made.feature_names == ("x0", "x1")
    table.to_csv(tmp_path / "t.csv", index=False)
    found = match(made, Source(str(tmp_path / "t.csv"), target="y"))
    np.testing.assert_array_equal(found.X, table[["size", "x"]])
    np.savez(tmp_path / "t.npz", X=found.X, y=np.arange(90))
    np.testing.assert_array_equal(match(made, Source(str(tmp_path / "t.npz"))).X, found.X)


def test_a_word_that_training_never_saw_is_of_no_category_and_told(made, tmp_path):
    strange = frame()
    strange.loc[[2, 5], "colour"] = ["purple", "pink"]
    strange.loc[7, "colour"] = None  # missing, which is nothing strange
    found = rows(made, tmp_path, strange)
    assert not found.X[[2, 5, 7], 2:].any()
    (note,) = found.notes
    assert "'colour'" in note
    assert "'purple', 'pink'" in note
    assert "in 2 rows" in note


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"when": "soon"}, "'soon' in line 2, where the tree reads a date"),
        ({"size": "big"}, "'big' in line 2, where the tree reads a number"),
    ],
)
def test_what_is_of_another_kind_is_told_with_its_place(made, tmp_path, change, part):
    with pytest.raises(TableError) as caught:
        rows(made, tmp_path, frame().assign(**change))
    assert part in str(caught.value)


def test_a_column_that_is_not_there_is_told(made, tmp_path):
    with pytest.raises(TableError, match="lacks 'colour', which the tree reads"):
        rows(made, tmp_path, frame().drop(columns="colour"))


@pytest.mark.parametrize(
    ("columns", "part"),
    [
        ({}, "must be a list"),
        ([], "must be a list that is not empty"),
        ([{"name": "a"}], "make other features"),
        ([{"name": "a"}, {"name": "c"}, {"name": "b"}], "make other features"),
        ([{"name": 7}], '"name" must be a string'),
        ([{"name": "a", "date": "%c"}], "not one of"),
        ([{"name": "a", "categories": []}], "a list of strings"),
        ([{"name": "a", "categories": [1]}], "a list of strings"),
        ([{"name": "a", "kind": 1}], "must have exactly the keys"),
        (["a"], "must be an object, not a string"),
    ],
)
def test_columns_that_are_none_are_refused(columns, part):
    with pytest.raises(TreeFormatError) as caught:
        from_json(json.dumps(small() | {"columns": columns}))
    assert part in str(caught.value)


def test_an_estimator_takes_frames_of_raw_columns(made, tmp_path):
    save(made, tmp_path / "t.json")
    tree = ObliqueTreeClassifier.load(tmp_path / "t.json")
    raw = frame().drop(columns="y")
    X = rows(made, tmp_path, frame()).X
    expected = tree.predict(pd.DataFrame(X, columns=made.feature_names))
    np.testing.assert_array_equal(tree.predict(raw[["colour", "when", "size"]]), expected)
    with pytest.warns(UserWarning, match="'purple'"):
        tree.predict(raw.assign(colour="purple"))
    assert from_json(tree.to_json()).columns == made.columns
    again = tree.fit(pd.DataFrame(X, columns=made.feature_names), frame().y)
    assert from_json(again.to_json()).columns == ()

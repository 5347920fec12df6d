"""Rows that are only to be answered: every one of them, in its place, whatever file they are in."""

import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import dump_svmlight_file

from treecore import (
    AxisTreeClassifier,
    AxisTreeRegressor,
    BoostedTreeClassifier,
    HingeForestClassifier,
    HingeForestRegressor,
    ObliqueForestClassifier,
    ObliqueForestRegressor,
)
from treecore.persistence import load


def rows(n=60):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(n, 2)).round(3), columns=["a", "b"])
    return frame.assign(c=rng.choice(["u", "v"], n), y=np.where(frame.a + frame.b > 0, "p", "q"))


@pytest.fixture
def tree(shell):
    rows().to_csv("t.csv", index=False)
    shell("train", "t.csv", "-m", "sgd", "--epochs", 3, "--depth", 2, "-q", "-o", "t.json")
    return "t.json"


def reported(result):
    return pd.read_csv(io.StringIO(result.stdout), dtype=str, keep_default_na=False)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_every_row_is_answered_in_its_place(shell, tree, ending):
    entire = reported(shell("predict", tree, "t.csv"))["prediction"]

    def predicted(frame):
        write = frame.to_csv if ending == "csv" else frame.to_parquet
        write(f"new.{ending}", index=False)
        return reported(shell("predict", tree, f"new.{ending}"))["prediction"]

    frame = rows()
    assert predicted(frame.drop(columns="y")).equals(entire)
    assert predicted(frame[["y", "c", "b", "a"]].assign(more="x")).equals(entire)
    assert predicted(frame.iloc[:1].drop(columns="y")).tolist() == entire[:1].tolist()
    assert predicted(frame.assign(y=None)).equals(entire)
    assert predicted(frame.assign(y="p")).equals(entire)
    holes = frame.copy()
    holes.loc[3, :] = None  # nothing is known of it, and it has an answer nevertheless
    assert len(predicted(holes)) == len(frame)
    kept = [i for i in range(len(frame)) if i != 3]
    assert predicted(holes)[kept].equals(entire[kept])
    shown = reported(shell("predict", tree, f"new.{ending}", "--proba"))
    assert shown.columns.tolist() == ["p", "q"]


def test_arrays_need_no_targets_to_be_answered(shell):
    frame = rows()
    X, y = frame[["a", "b"]].to_numpy(), (frame.y == "p").to_numpy().astype(int)
    np.savez("t.npz", X=X, y=y)
    np.savez("bare.npz", X=X)
    dump_svmlight_file(X, y, "t.svm", zero_based=False)
    dump_svmlight_file(X, 0 * y, "bare.svm", zero_based=False)  # as nobody knows them
    shell("train", "t.npz", "-m", "axis", "-q", "-o", "t.json")
    entire = shell("predict", "t.json", "t.npz").stdout
    for name in ("bare.npz", "t.svm", "bare.svm"):
        assert shell("predict", "t.json", name).stdout == entire
    assert "needs X and y" in shell("train", "bare.npz", code=1).stderr
    assert "--target, or use predict" in shell("evaluate", "t.json", "bare.npz", code=1).stderr


def test_columns_without_names_are_told_by_their_places(shell):
    rows()[["a", "b", "y"]].to_csv("t.csv", index=False, header=False)
    rows()[["a", "b"]].to_csv("bare.csv", index=False, header=False)
    shell("train", "t.csv", "-m", "axis", "--depth", 2, "-q", "-o", "t.json")
    one, other = (shell("predict", "t.json", name).stdout for name in ("bare.csv", "t.csv"))
    assert one == other


def test_names_of_any_kind_are_learnt_answered_and_shown(shell):
    frame = rows().rename(columns={"a": "[/b]", "b": "b, c", "c": "x=y"})
    frame["y"] = np.where(frame.y == "p", "[/x]", "[bold]")
    frame["[red]"] = "same"
    frame[["[/b]", "b, c", "x=y", "[red]", "y"]].to_csv("t.csv", index=False)
    shell("train", "t.csv", "-m", "sgd", "--epochs", 2, "--run", "[/r]", "-o", "[o].json")
    assert json.loads(shell("evaluate", "[o].json", "t.csv", "--json").stdout)["rows"] == 60
    assert set(reported(shell("predict", "[o].json", "t.csv"))["prediction"]) <= {"[/x]", "[bold]"}
    said = shell("inspect", "[/r]").stdout
    assert "predicts [/x], [bold]" in said
    assert "[/b]" in said
    shell("export", "[o].json", "[t].txt")
    assert "predicts [/x], [bold]" in Path("[t].txt").read_text()


def test_parquet_keeps_its_names_even_where_they_are_numbers(shell):
    frame = rows()[["a", "b", "y"]].set_axis(["1", "2", "3"], axis=1)
    frame.to_parquet("t.parquet")
    shell("train", "t.parquet", "-m", "axis", "-q", "-o", "t.json")
    assert load("t.json").feature_names == ("1", "2")
    assert len(reported(shell("predict", "t.json", "t.parquet"))) == len(frame)
    pd.DataFrame({"a": [1.0, 2], "l": [[1], [2]], "y": ["p", "q"]}).to_parquet("l.parquet")
    assert "neither numbers, text nor dates" in shell("train", "l.parquet", code=1).stderr


def test_rows_without_a_target_are_not_measured(shell, tree):
    frame = rows()
    entire = json.loads(shell("evaluate", tree, "t.csv", "--json").stdout)
    pd.concat([frame, frame.assign(y=None)]).to_csv("more.csv", index=False)
    assert json.loads(shell("evaluate", tree, "more.csv", "--json").stdout) == entire
    frame.assign(y=None).to_csv("more.csv", index=False)
    assert "missing in all rows" in shell("evaluate", tree, "more.csv", code=1).stderr
    assert "no column 'z'" in shell("evaluate", tree, "t.csv", "-y", "z", code=1).stderr


# Forests ----------------------------------------------------------------------------------------

X, Y = rows()[["a", "b"]], (rows().y == "p").to_numpy().astype(int)
FORESTS = {
    "bagged": ObliqueForestClassifier(
        AxisTreeClassifier(max_depth=3), n_estimators=3, random_state=0
    ),
    "boosted": BoostedTreeClassifier(
        AxisTreeClassifier(max_depth=2), n_estimators=3, random_state=0
    ),
    "numbers": ObliqueForestRegressor(
        AxisTreeRegressor(max_depth=3), n_estimators=3, random_state=0
    ),
    "hinge": HingeForestClassifier(depth=2, random_state=0),
    "ferns": HingeForestClassifier("fern", depth=2, random_state=0),
    "hinge numbers": HingeForestRegressor(depth=2, random_state=0),
}


@pytest.mark.parametrize("name", FORESTS)
def test_forests_answer_are_measured_shown_and_exported(shell, name):
    numbers = "numbers" in name
    y = X["a"] * 3 if numbers else Y
    model = FORESTS[name].fit(X, y)
    Path("f.json").write_text(model.to_json())
    X.assign(y=y).to_csv("t.csv", index=False)
    said = reported(shell("predict", "f.json", "t.csv"))
    np.testing.assert_allclose(said.iloc[:, 0].astype(float), model.predict(X).ravel(), rtol=1e-6)
    found = json.loads(shell("evaluate", "f.json", "t.csv", "-y", "y", "--json").stdout)
    assert found["r2" if numbers else "accuracy"] == pytest.approx(model.score(X, y))
    if not numbers:
        shares = pd.read_csv(io.StringIO(shell("predict", "f.json", "t.csv", "--proba").stdout))
        np.testing.assert_allclose(shares, model.predict_proba(X), rtol=1e-6)
    shell("export", "f.json", "g.json")
    assert shell("predict", "g.json", "t.csv").stdout == shell("predict", "f.json", "t.csv").stdout
    text = shell("inspect", "f.json", "--tree", 2, "--depth", 30).stdout
    n_trees = found["trees"]
    assert text.startswith(f"{n_trees} ")
    assert "tree 2:" in text
    assert f"the model has {n_trees}" in shell("inspect", "f.json", "--tree", 999, code=1).stderr
    shell("export", "f.json", "f.txt")
    assert Path("f.txt").read_text().count("\ntree ") == n_trees


def test_a_hinge_tree_is_shown_in_the_columns_own_units(shell):
    """A walk by the lines of the text ends where the forest's own traversal ends."""
    from treecore.inspection.hinge_margins import smallest_margins

    model = HingeForestClassifier(depth=2, features="raw", random_state=0).fit(X, Y)
    Path("f.json").write_text(model.to_json())
    lines = shell("inspect", "f.json").stdout.splitlines()[3:]
    texts = [line.replace("│", " ").lstrip(" └├─≤>") for line in lines]
    root, left, ll, lr, right, rl, rr = texts
    leaves = [ll, lr, rl, rr]
    found, margin = smallest_margins(model.forest_, X)

    def goes_right(split, row):
        name, _, threshold = split.partition(" > ")
        return row[name] > float(threshold)

    weights = model.forest_.trees.weights[0]
    clear = np.abs(margin[:, 0]) > 1e-2  # thresholds are shown with four digits
    assert clear.sum() > 30
    for i in np.flatnonzero(clear):
        row = X.iloc[i]
        first = goes_right(root, row)
        place = 2 * first + goes_right(right if first else left, row)
        assert place == found[i, 0]
        assert leaves[place].startswith(f"{weights[place, 0]:.4g}, ")


# What is written ----------------------------------------------------------------------------------


def test_predictions_are_written_as_their_file_is_called(shell, tree):
    shell("predict", tree, "t.csv", "-o", "p.csv")
    for words in ([], ["--proba"]):
        shell("predict", tree, "t.csv", "-o", "p.parquet", *words)
        expected = pd.read_csv(io.StringIO(shell("predict", tree, "t.csv", *words).stdout))
        pd.testing.assert_frame_equal(pd.read_parquet("p.parquet"), expected)
    assert Path("p.csv").read_text() == shell("predict", tree, "t.csv").stdout
    said = shell("predict", tree, "t.csv", "-o", "p.xlsx", code=1).stderr
    assert "not written as .xlsx: let p.xlsx end in .csv or .parquet" in said
    assert not Path("p.xlsx").exists()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_columns_of_the_table_are_kept_beside_the_predictions(shell, tree, ending):
    frame = rows().assign(id=[f"{i:03}" for i in range(60)], number=np.arange(60) * 2)
    frame.loc[3, "id"] = None
    getattr(frame, f"to_{ending}")(f"new.{ending}", index=False)
    keep = ["--keep", "id", "--keep", "number", "--keep", "id"]
    found = reported(shell("predict", tree, f"new.{ending}", *keep))
    assert found.columns.tolist() == ["id", "number", "prediction"]
    assert found["id"].tolist() == frame["id"].fillna("").tolist()  # 007 stays 007
    assert found["number"].astype(float).tolist() == frame["number"].tolist()
    assert found["prediction"].equals(reported(shell("predict", tree, "t.csv"))["prediction"])


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_standard_input_is_answered_in_pieces(shell, tree, monkeypatch, ending):
    entire = shell("predict", tree, "t.csv", "--keep", "c").stdout
    frame, content = rows(), io.BytesIO()
    if ending == "jsonl":
        content = io.BytesIO(frame.to_json(orient="records", lines=True).encode())
    else:
        getattr(frame, f"to_{ending}")(content, index=False)
    for module in ("csv", "parquet"):  # blocks of other lengths for one column than for several
        name = f"treecore.data.readers.{module}.batch_rows"
        monkeypatch.setattr(name, lambda n_columns: 7 if n_columns > 1 else 11)
    found = shell("predict", tree, "-", "--keep", "c", given=content.getvalue())
    assert found.stdout == entire
    shell("predict", tree, "-", "--keep", "c", "-o", "p.parquet", given=content.getvalue())
    assert pd.read_parquet("p.parquet").to_csv(index=False) == entire
    said = shell("train", "-", given=content.getvalue(), code=2).stderr
    assert "standard input cannot be read again" in said


@pytest.mark.parametrize(
    ("data", "column", "sentence"),
    [
        ("t.csv", "z", "there is no column 'z' to keep: choose one of 'a', 'b', 'c', 'y'"),
        ("sample:xor", "x", "sample:xor has no columns to keep"),
        ("more.csv", "prediction", "the predictions have a column 'prediction' too"),
    ],
)
def test_a_column_that_cannot_be_kept_is_refused(shell, tree, data, column, sentence):
    rows().assign(prediction=1).to_csv("more.csv", index=False)
    assert sentence in shell("predict", tree, data, "--keep", column, code=1).stderr


def test_columns_of_no_use_are_left_out_and_the_run_goes_on_without_them(shell):
    frame = rows().assign(name=[f"Mr. {i}" for i in range(60)], ship="Titanic")
    frame.to_csv("t.csv", index=False)
    refused = shell("train", "t.csv", code=1).stderr
    assert "'name' holds 60 different texts" in refused
    assert "by --drop name, or --drop-unusable" in refused
    by_name = ("train", "t.csv", "-m", "axis", "--drop", "name", "--drop", "ship")
    shell(*by_name, "-q", "-o", "named.json", "--run", "r")
    said = shell("train", "t.csv", "-m", "axis", "--drop-unusable", "-o", "forgiving.json").stderr
    assert "'name' holds 60 different texts" in said
    assert "'ship' has the same value in all rows" in said
    named, forgiving = load("named.json"), load("forgiving.json")
    assert named.feature_names == forgiving.feature_names == ("a", "b", "c=u", "c=v")
    assert json.loads(Path("r/run.json").read_text())["source"]["drop"] == ["name", "ship"]
    shell("train", "--resume", "r", "-q")
    twice = ("--drop", "a", "--drop-unusable")
    said = shell("train", "--resume", "r", *twice, code=2).stderr
    assert "continues as it started: leave out --drop, --drop-unusable, or" in said
    assert "no columns of names" in shell("train", "sklearn:iris", "--drop", "a", code=1).stderr
    entire = reported(shell("predict", "named.json", "t.csv"))
    assert reported(shell("predict", "forgiving.json", "t.csv")).equals(entire)


def test_a_word_that_training_never_saw_is_told_and_answered(shell, tree):
    rows().assign(c="w").to_csv("new.csv", index=False)
    for command in ("predict", "evaluate"):
        result = shell(command, tree, "new.csv")
        assert "'c' holds values that were not in training, 'w', in 60 rows" in result.stderr
        assert "not in training" not in result.stdout
    assert "accuracy" in result.stdout

"""Tables by name and from files of every kind: the same words, the same rows."""

import bz2

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.helpers.cases import case
from tests.helpers.same import assert_same
from treecore import Trainer
from treecore.base.limits import Limits
from treecore.data.dataset import split
from treecore.data.generators import GENERATORS, generate
from treecore.data.readers.csv import read_csv
from treecore.data.readers.parquet import ArrowTable, read_frame, read_parquet
from treecore.data.readers.table import TableError
from treecore.data.readers.whole_table import read_dataset
from treecore.data.sources import SAMPLES, SKLEARN, Source, read_libsvm, read_parts, read_table
from treecore.training.config import RunConfig

LINES = "\n".join(f"{i % 3 - 1} 1:{i} 4:{-i}.5 9:1e-3 # a remark" for i in range(12))


def test_samples_are_the_generators():
    for name in GENERATORS:
        with case(name=name):
            table = read_table(Source(f"sample:{name}", size=60, seed=3))
            points = generate(name, 60, seed=3)
            assert_same((table.X, table.y), (points.X, points.y))


def test_the_parts_are_those_that_the_app_draws():
    table = read_csv(SAMPLES / "wine.csv")
    train, held = split(table, 0.3, 7)
    ours = read_parts(Source("sample:wine", held_out=0.3, seed=7))
    for part, own in zip((train, held), ours):
        np.testing.assert_array_equal(part.X, own.X)
        np.testing.assert_array_equal(part.y, own.y)


def test_what_comes_with_scikit_learn_is_there():
    for name in SKLEARN:
        with case(name=name):
            table = read_table(Source(f"sklearn:{name}"))
            assert table.n_samples > 100
            assert (table.task == "regression") == (name == "diabetes")


def test_libsvm_files_are_read_as_they_say(tmp_path):
    path = tmp_path / "small.libsvm"
    path.write_text(LINES, "utf-8-sig")  # as Windows may write it
    table = read_libsvm(path)
    assert table.X.shape == (12, 9)
    assert table.class_names == ("-1", "0", "1")
    np.testing.assert_array_equal(table.X[3], [3, 0, 0, -3.5, 0, 0, 0, 0, 1e-3])
    np.testing.assert_array_equal(table.y, [i % 3 for i in range(12)])


def test_libsvm_files_may_be_packed(tmp_path):
    path = tmp_path / "sensit.bz2"  # as LIBSVM's page hands them out
    path.write_bytes(bz2.compress(LINES.encode()))
    train, held = read_parts(Source(str(path), held_out=0.25))
    trainer = Trainer(RunConfig("axis", depth=2), train.X, train.y, validation=(held.X, held.y))
    assert trainer.run().n_features == 9


def test_archives_have_parts_and_pictures(tmp_path, rng):
    path = tmp_path / "pictures.npz"
    parts = {f"X_{p}": rng.integers(256, size=(n, 8, 8)) for p, n in (("train", 20), ("test", 9))}
    classes = {"y_train": np.arange(20) % 2, "y_test": np.arange(9) % 2}
    np.savez(path, **parts, **classes)
    assert read_table(Source(str(path))).X.shape == (20, 64)
    assert read_table(Source(str(path), part="test")).n_samples == 9


def test_parquet_and_csv_mean_the_same(tmp_path):
    n = 40
    frame = pd.DataFrame(
        {
            "Unnamed: 0": np.arange(n),
            "whole": pd.array([None, *range(1, n)], dtype="Int64"),
            "numbers as text": [f"{i / 8}" for i in range(n)],
            "kind": pd.Categorical(["p", "q"] * (n // 2)),
            "codes": pd.Categorical(["1", "2"] * (n // 2)),
            "flag": [True, False, None, True] * (n // 4),
            "nothing": [None] * n,
            "x": np.linspace(0, 1, n),
            "y": np.float32([0.1, 0.2, 7, np.nan] * (n // 4)),
        }
    )
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=7)
    for folder in ("folder.parquet", "parts"):
        (tmp_path / folder).mkdir()
    for part, rows in enumerate((frame[:25], frame[25:])):
        rows.to_parquet(tmp_path / "folder.parquet" / f"{part}.parquet")
        rows.to_parquet(tmp_path / "parts" / f"{part}.parquet")
    for task in ("classification", "regression"):
        csv = read_table(Source(str(tmp_path / "t.csv"), task=task))
        for name in ("t.parquet", "folder.parquet", "parts"):
            other = read_table(Source(str(tmp_path / name), task=task))
            np.testing.assert_array_equal(other.X, csv.X)
            np.testing.assert_allclose(other.y, csv.y, rtol=1e-7)  # of float32, and of its text
            assert (other.feature_names, other.class_names) == (csv.feature_names, csv.class_names)
            assert other.notes == csv.notes


def test_a_frame_of_any_cells_is_read_as_the_same_table_in_csv(tmp_path):
    cells = [1, "x", "z", 2.5, "w"]
    frame = pd.DataFrame({1: cells * 4, "b": range(20), "y": list("pq") * 10})
    frame.to_csv(tmp_path / "t.csv", index=False)
    ours, theirs = read_dataset(read_frame(frame, "t")), read_csv(tmp_path / "t.csv")
    np.testing.assert_array_equal(ours.X, theirs.X)
    assert ours.feature_names == theirs.feature_names == ("1=1", "1=2.5", "1=w", "1=x", "1=z", "b")


def test_a_name_of_two_columns_is_refused_in_frames_and_files(tmp_path):
    frame = pd.DataFrame(np.zeros((3, 2)), columns=["a", "a"])
    parquet.write_table(pa.table([[1, 2], [3, 4]], names=["a", "a"]), tmp_path / "t.parquet")
    for read in (lambda: read_frame(frame, "t"), lambda: read_parquet(tmp_path / "t.parquet")):
        with pytest.raises(TableError, match="several columns have the same name, 'a': give each"):
            read()


def test_a_folder_without_files_is_refused(tmp_path):
    with pytest.raises(TableError, match="is a folder without files: choose a file"):
        read_table(Source(str(tmp_path)))


def test_a_parquet_file_that_is_too_large_is_refused_by_its_footer(tmp_path, monkeypatch):
    limits = Limits(n_values=499)
    path = tmp_path / "t.parquet"
    pd.DataFrame(np.zeros((100, 6))).rename(columns=str).to_parquet(path)
    monkeypatch.setattr(ArrowTable, "batches", None)  # nothing is read
    with pytest.raises(TableError, match="the columns up to '4' make 5 features for 100 rows"):
        read_table(Source(str(path)), limits)


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        ({"a": np.zeros(3)}, "needs X and y"),
        ({"X": np.zeros((3, 2)), "y": np.zeros(4)}, "one target for each"),
        ({"X": np.zeros((3, 2)), "y": np.zeros(3)}, "have the class 0"),
        ({"X": np.zeros((3, 2)), "y": np.array([0, 1, np.nan])}, "missing or infinite"),
        ({"X": np.full((3, 2), np.inf), "y": np.arange(3)}, "infinite"),
        ({"X": np.array([["a", "b"]] * 3), "y": np.arange(3)}, "must be numbers"),
        ({"X": np.zeros((1, 2)), "y": np.zeros(1)}, "at least two"),
    ],
)
def test_archives_that_cannot_be_learnt_from_are_told(tmp_path, arrays, sentence):
    np.savez(tmp_path / "t.npz", **arrays)
    with pytest.raises(TableError, match=sentence):
        read_table(Source(str(tmp_path / "t.npz")))


@pytest.mark.parametrize("content", ["", "a b c", "1 2:x", "1 0:3", "\0\0"])
def test_libsvm_files_that_are_none_are_told(tmp_path, content):
    (tmp_path / "t.libsvm").write_text(content)
    with pytest.raises(TableError):
        read_table(Source(str(tmp_path / "t.libsvm")))


def test_json_lines_are_read_as_the_same_table_in_text(tmp_path):
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": [0.5, None, 1.5, 2], "y": ["p", "q", "p", "q"]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    frame.to_json(tmp_path / "t.ndjson.gz", orient="records", lines=True)
    text = read_table(Source(str(tmp_path / "t.csv")))
    for name in ("t.jsonl", "t.ndjson.gz"):
        found = read_table(Source(str(tmp_path / name)))
        assert_same((found.X, found.y, found.class_names), (text.X, text.y, text.class_names))
    for damaged in ('{"a": 1}\n{"a": ', "[1, 2]\n", "a,b\n1,2\n", ""):
        (tmp_path / "bad.jsonl").write_text(damaged)
        with pytest.raises(TableError, match=r"not a table of JSON Lines|has a header but no rows"):
            read_table(Source(str(tmp_path / "bad.jsonl")))
    (tmp_path / "deep.jsonl").write_text('{"a": [1], "y": 1}\n{"a": [2], "y": 2}\n')
    with pytest.raises(TableError, match="neither numbers, text nor dates"):
        read_table(Source(str(tmp_path / "deep.jsonl")))

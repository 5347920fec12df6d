"""Streams: the same rows as in memory, few of them at once, and what is no stream."""

from __future__ import annotations

import json
import weakref

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import dump_svmlight_file

from tests.helpers.same import assert_same
from tests.helpers.streams import all_of, driven, parquet, table
from treecore import RunConfig
from treecore.core.scaling import Scaling
from treecore.data.readers import encoding, libsvm
from treecore.data.readers import table as table_module
from treecore.data.readers.table import TableError
from treecore.data.sources import Source, read_table
from treecore.data.stream import Stream
from treecore.runs.streamed import begin_stream

__all__ = ["parquet"]  # a fixture


# Reading ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_a_stream_has_the_rows_of_the_table(parquet, task):
    frame = table()
    rng = np.random.default_rng(1)
    frame["text"] = rng.choice(["x", "y", " z ", None, "?"], len(frame))
    frame["kind"] = pd.Categorical(rng.choice(["p", "q"], len(frame)))
    frame["true"] = rng.random(len(frame)) < 0.5
    frame.loc[::7, "a"] = np.nan
    if task == "numbers":
        frame["y"] = frame["b"] + rng.normal(size=len(frame))
    else:
        frame["y"] = frame["y"].astype("Int64")
    frame.loc[5:9, "y"] = None
    source = Source(parquet(frame), held_out=0.3)
    plain, stream = read_table(source), Stream(source, 101)
    X, y, held = all_of(stream)
    assert stream.feature_names == plain.feature_names
    assert (stream.class_names, stream.task) == (plain.class_names, plain.task)
    np.testing.assert_array_equal(X, plain.X)
    np.testing.assert_array_equal(y, plain.y)
    assert stream.n_dropped == 5
    assert stream.n_rows == plain.n_samples
    assert 0.2 < held.mean() < 0.4
    # What the first pass knows is what the rows at once would say.
    train = np.where(np.isnan(plain.X), np.nanmean(plain.X[~held], axis=0), plain.X)[~held]
    exact, found = Scaling.fit(train), stream.moments.scaling()
    np.testing.assert_allclose(found.mean, exact.mean, rtol=1e-12)
    np.testing.assert_allclose(found.deviation, exact.deviation, rtol=1e-9)


def test_pieces_do_not_depend_on_how_the_file_is_stored(parquet):
    frame = table(333)
    found = []
    for size in (7, 50, 1000):
        stream = Stream(Source(parquet(frame, row_group_size=size)), 64)
        found.append(list(stream.pieces()))
    for pieces in found:
        assert [len(p.y) for p in pieces] == [64] * 5 + [13]
        assert_same(pieces, found[0])


def test_few_rows_are_in_memory_at_once(parquet, monkeypatch, tmp_path):
    alive, most = set(), 0

    def watch(array):
        nonlocal most
        alive.add(id(array))
        weakref.finalize(array, alive.discard, id(array))
        most = max(most, len(alive))

    honest = encoding.EncodedTable.blocks

    def watched(self):
        for block in honest(self):
            watch(block.X)
            yield block

    monkeypatch.setattr(encoding.EncodedTable, "blocks", watched)
    monkeypatch.setattr(table_module, "BATCH_ROWS", 256)
    path = parquet(table(10_000), row_group_size=10_000)
    run = begin_stream(tmp_path / "run", RunConfig("sgd", depth=2), Stream(Source(path), 512))
    driven(run)
    # A piece of 512 rows, the block after it, and whatever is being joined: not forty blocks.
    assert most <= 5


def test_libsvm_files_stay_sparse_in_windows(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    X = sparse.random(400, 30, 0.1, format="csr", random_state=rng)
    y = (X.toarray()[:, :5].sum(axis=1) > 0.2).astype(int)
    path = tmp_path / "t.libsvm"
    for zero_based in (True, False):
        dump_svmlight_file(X, y, str(path), zero_based=zero_based)
        monkeypatch.setattr(libsvm, "WINDOW_BYTES", 1000)
        stream = Stream(Source(str(path), held_out=0.2), 50)
        assert all(sparse.issparse(piece.X) for piece in stream.pieces())
        plain = read_table(Source(str(path)))
        found, classes, _ = all_of(stream)
        np.testing.assert_array_equal(found, plain.X.toarray())
        np.testing.assert_array_equal(classes, plain.y)
    run = begin_stream(tmp_path / "run", RunConfig("sgd", depth=3), stream, 2)
    driven(run)
    assert run.last.accuracy > 0.5
    with pytest.raises(ValueError, match="choose sgd or stable-sgd"):
        begin_stream(tmp_path / "no", RunConfig("annealed"), stream)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"y": 1}, "has the value '1' in all rows"),
        ({"y": [f"c{i}" for i in range(300)]}, "has 300 different values, more than 200 classes"),
        (
            {"a": [f"t{i}" for i in range(300)]},
            "column 'a' holds 300 different texts, more than 255",
        ),
        ({"a": pd.timedelta_range("1s", periods=300)}, "neither numbers, text nor dates"),
        ({"a": np.inf}, "beyond 3.4e38"),
        ({"y": np.r_[np.inf, np.arange(299.0)]}, "infinite"),
    ],
)
def test_columns_that_are_none_get_one_sentence(parquet, change, sentence):
    with pytest.raises(TableError) as caught:
        Stream(Source(parquet(table(300).assign(**change)), target="y"), 50)
    assert sentence in str(caught.value)


def test_files_that_are_no_streams_get_one_sentence(tmp_path):
    for name, content, sentence in (
        ("none.parquet", None, "there is no file"),
        ("bad.parquet", b"PAR1 no", "is no Parquet table"),
        ("t.npz", b"PK", "is no NumPy archive"),
        ("t.csv.gz", b"PK", "cannot be read in pieces"),
        ("t.csv", b"a,b\n1,2\n", "a single row"),
        ("t.csv", "a,b\n1,2\n3,4\n".encode("utf-16") + b"x", "line 4 holds bytes .* not UTF-16"),
        ("t.csv", b"a,b\n1,2\n3,4,5\n", "line 3 has 3 values"),
        ("t.csv", b"a,b\n1,p\nx,q\n3,q\n4,q\ny,q\n", "but in line 3 the text 'x'"),
        ("bad.libsvm", b"1 a:b\n", "LIBSVM"),
        ("empty.libsvm", b"1\n2\n", "no feature"),
    ):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(TableError, match=sentence):
            Stream(Source(str(tmp_path / name)))


# On the command line ----------------------------------------------------------------------------


def test_the_command_streams_and_tells_its_peak(shell, parquet):
    path = parquet(table(3000))
    done = shell(
        "train", path, "--stream", "-m", "sgd", "--depth", 3, "--passes", 2, "-o", "t.json"
    )
    assert int(done.stderr.split("Peak memory: ")[1].split(" MiB")[0]) > 50
    assert json.loads(shell("evaluate", "t.json", path, "--json").stdout)["accuracy"] > 0.7
    again = shell("train", "--resume", "runs/t-sgd-1")  # nothing is left to do
    assert "Peak memory" in again.stderr


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--stream", "-m", "axis"], 1, "needs all rows at once"),
        (["--stream", "-m", "sgd", "--epochs", "3"], 2, "say --passes instead of --epochs"),
        (["-m", "sgd", "--passes", "3"], 2, "--passes is for --stream"),
        (["--stream", "--class-weight", "balanced"], 1, "balanced class weights need all rows"),
    ],
)
def test_what_a_stream_cannot_do_is_said(shell, parquet, words, code, sentence):
    result = shell("train", parquet(table(100)), *words, code=code)
    assert sentence in result.stderr.replace("\n", " ")

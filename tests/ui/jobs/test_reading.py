"""Files of visitors: the same in place and by a process, which is ended when it takes too much."""

import gzip
import io

import numpy as np
import pandas as pd
import pytest

from tests.helpers.same import assert_same
from treecore.base.limits import UPLOADS
from treecore.data.sources import Source, read_table
from ui.jobs import own_table, reading
from ui.jobs.own_table import Request
from ui.jobs.reading import read_own


def frame(n=50):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "name": [f"<b>{i}</b>" for i in range(n)],
            "size": rng.normal(size=n),
            "kind": rng.choice(["u", "v"], n),
            "share": [f"{i / 4} %" for i in range(n)],
            "when": pd.date_range("2024-01-01", periods=n).strftime("%Y-%m-%d"),
            "nothing": None,
            "y": rng.choice(["no", "yes"], n),
        }
    )


def csv(table) -> bytes:
    return table.to_csv(index=False).encode()


def packed(table) -> bytes:
    buffer = io.BytesIO()
    table.to_parquet(buffer, index=False)
    return buffer.getvalue()


@pytest.fixture
def elsewhere(monkeypatch):
    monkeypatch.setattr(reading, "IN_PLACE_BYTES", 0)


REQUESTS = [
    (frame(51), Request()),
    (frame(51), Request("size", "regression", kinds=(("name", "leave out"),))),
    (frame(51), Request("y", kinds=(("size", "words"), ("when", "leave out")), missing=("u",))),
    (frame(60), Request("name")),
    (frame(60), Request(header=False)),
    (frame().iloc[:1], Request()),
]


@pytest.mark.parametrize(("table", "request_"), REQUESTS)
def test_a_process_reads_what_is_read_in_place(table, request_, monkeypatch):
    here = read_own(csv(table), request_)
    monkeypatch.setattr(reading, "IN_PLACE_BYTES", 0)
    if request_ != Request():  # the same words and files, which this process writes and reads
        monkeypatch.setattr(own_table, "_limit_memory", lambda _: None)
        monkeypatch.setattr(reading.subprocess, "run", lambda words, **_: own_table.main(words[-1]))
    there = read_own(csv(table), request_)
    assert (here.columns, here.problem) == (there.columns, there.problem)
    np.testing.assert_equal(here.reports, there.reports)
    assert (here.dataset is None) == (there.dataset is None) == bool(here.problem)
    if here.dataset is not None:
        assert_same(vars(here.dataset), vars(there.dataset))


def archive(**arrays) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def workbook(table) -> bytes:
    buffer = io.BytesIO()
    table.to_excel(buffer, index=False, sheet_name="Rows")
    return buffer.getvalue()


ROWS = pd.DataFrame({"a": [0.5, 1.5, 2.5, 0.0], "b": [3, 0, 1, 2], "class": list("uvuv")})

FILES = {
    "t.csv": csv(ROWS),
    "t.data": csv(ROWS),
    "t.tsv": ROWS.to_csv(sep="\t", index=False).encode(),
    "t.csv.gz": gzip.compress(csv(ROWS)),
    "t.parquet": packed(ROWS),
    "t.jsonl": ROWS.to_json(orient="records", lines=True).encode(),
    "t.ndjson.gz": gzip.compress(ROWS.to_json(orient="records", lines=True).encode()),
    "t.xlsx": workbook(ROWS),
    "of another ending.csv": workbook(ROWS),
    "../..": csv(ROWS),
    "t.npz": archive(X=ROWS[["a", "b"]].to_numpy(float), y=ROWS["class"].to_numpy(str)),
    "t.libsvm": b"1 1:0.5 2:3\n2 1:1.5\n1 1:2.5 2:1\n2 2:2\n",
    "t.svm.gz": gzip.compress(b"1 1:0.5 2:3\n2 1:1.5\n1 1:2.5 2:1\n2 2:2\n"),
}


@pytest.mark.parametrize("name", FILES)
def test_the_app_reads_whatever_the_command_line_reads(name, tmp_path):
    found = read_own(FILES[name], Request(), name)
    assert found.problem == ""
    np.testing.assert_array_equal(found.dataset.X, ROWS[["a", "b"]])
    np.testing.assert_array_equal(found.dataset.y, [0, 1, 0, 1])
    if "/" not in name:
        path = tmp_path / name
        path.write_bytes(FILES[name])
        assert_same(read_table(Source(str(path))).X, found.dataset.X)


@pytest.mark.parametrize("name", ["t.png", "t", "t.csv", "t.xlsx", "t.npz", "t.parquet", "t.jsonl"])
def test_what_is_no_table_gets_one_sentence(name):
    found = read_own(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Request(), name)
    assert found.dataset is None
    assert found.problem
    assert "\n" not in found.problem


def test_a_process_that_takes_too_long_is_ended(elsewhere):
    table = read_own(csv(frame()), Request(), seconds=1e-3)
    assert "took more than 0.001 seconds" in table.problem
    assert table.dataset is None


def test_a_process_that_takes_too_much_memory_says_so(elsewhere, monkeypatch):
    wide = b"a,b,class\n" + b"1.25,2.5,u\n3.5,4.25,v\n" * 200_000
    assert not read_own(wide, Request()).problem
    with monkeypatch.context() as patch:
        # The child reads the module anew, so its limit is lowered where it begins.
        patch.setenv("TREECORE_READING_BYTES", "30000000")
        assert "too much memory" in read_own(wide, Request()).problem


def test_what_is_too_long_is_not_even_written():
    content = bytes(UPLOADS.n_bytes + 1)
    assert "larger than 50 MB" in read_own(content, Request()).problem


def test_a_file_that_ends_its_reader_is_told(elsewhere, monkeypatch):
    monkeypatch.setattr(reading.sys, "executable", "false")
    assert "is damaged or needs" in read_own(csv(frame()), Request()).problem

"""A text table read in small blocks is the table read at once, whatever its first lines are."""

import bz2
import gzip
import lzma

import numpy as np
import pandas as pd
import pytest

from tests.helpers.cases import case
from tests.helpers.csvs import read, refusal
from treecore.base.limits import Limits
from treecore.data.readers import table as table_module
from treecore.data.readers import text
from treecore.data.readers.csv import CsvTable, read_csv
from treecore.data.readers.table import TableError
from treecore.data.sources import Source, read_table


def in_blocks(monkeypatch, source):
    """The table, read in blocks of 60 rows and 300 bytes."""
    with monkeypatch.context() as patch:
        patch.setattr(table_module, "BATCH_ROWS", 60)
        patch.setattr(text, "WINDOW_BYTES", 300)
        return read_table(source)


def table(n=300, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n, 2)).round(4), columns=["a", "b"])
    return frame.assign(c=rng.integers(5, size=n), y=np.where(frame.a > 0, "p", "q"))


def late(column, value):
    def change(frame):
        cells = frame[column].astype(object)
        cells[len(frame) - 3] = value
        return frame.assign(**{column: cells})

    return change


CHANGES = {
    "plain": lambda frame: frame,
    "a plus sign at the end": late("b", "+1.5"),
    "missing in many words": lambda f: f.assign(b=np.where(f.c == 1, [" NA ", "?", ""] * 100, f.b)),
    "text among numbers": lambda f: f.assign(c=np.where(f.c < 2, f.c.astype(str), "x")),
    "a category at the end": lambda f: late("c", "z")(f.assign(c=np.where(f.c < 3, "x", "w"))),
    "text in quotation marks": lambda f: f.assign(c=np.where(f.c < 3, 'a, "b"', "c\nd")),
    "a class at the end": late("y", "late"),
    "rows without a target": lambda f: f.assign(y=np.where(f.c == 2, "", f.y)),
    "numbers to be predicted": lambda f: f.assign(y=f.a * 2 + f.b),
    "whole classes": lambda f: f.assign(y=f.c),
    "codes": lambda f: f.assign(y=np.where(f.a > 0, "007", "12")),
    "codes beside numbers": lambda f: f.assign(y=np.where(f.a > 0, "007", np.where(f.c, 7, 0.5))),
    "a column of nothing": lambda f: f.assign(c=""),
    "numbers as names": lambda f: f.rename(columns={"a": "1990", "b": "x=y"}),
    "one value": lambda f: f.assign(c="same"),
}
WAYS = {
    "comma": {},
    "semicolon": {"sep": ";"},
    "decimal comma": {"sep": ";", "decimal": ","},
    "tab, an index, a mark": {"sep": "\t", "index": True, "encoding": "utf-8-sig"},
    "no header": {"header": False},
    "UTF-16": {"encoding": "utf-16"},
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_blocks_are_the_whole(tmp_path, monkeypatch, change, every):
    """Every change is written in two of the ways, and every way with five of the changes."""
    path = tmp_path / "t.csv"
    for way in list(WAYS)[list(CHANGES).index(change) % every :: every]:
        with case(way=way):
            CHANGES[change](table()).to_csv(path, **({"index": False} | WAYS[way]))
            entire = read_table(Source(str(path)))
            found = in_blocks(monkeypatch, Source(str(path)))
            assert found.feature_names == entire.feature_names
            assert found.class_names == entire.class_names
            assert found.target_name == entire.target_name
            np.testing.assert_array_equal(found.X, entire.X)
            np.testing.assert_array_equal(found.y, entire.y)


def test_lines_that_are_too_short_are_told_wherever_they_are(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_text(table().to_csv(index=False) + "1,2\n")
    with pytest.raises(TableError, match="line 302 has 2 values, but the first row has 4"):
        in_blocks(monkeypatch, Source(str(path)))
    path.write_bytes(
        table().to_csv(index=False).encode() + b"1,2,3,\x81\n"
    )  # in Windows' encoding neither
    with pytest.raises(TableError, match="line 302 holds bytes that are not UTF-8"):
        in_blocks(monkeypatch, Source(str(path)))


TABLE = "a;b;c;y\n" + "".join(
    f"{i};{i / 7 if i % 3 else ''};{'uv'[i % 2]};{'pq'[i % 5 == 0]}\n" for i in range(2000)
)


@pytest.mark.parametrize("module", [gzip, bz2, lzma])
def test_packed_text_is_read_as_it_is(tmp_path, module):
    plain, packed = read(TABLE), module.compress(TABLE.encode())
    found = read_csv(packed)
    np.testing.assert_array_equal(found.X, plain.X)
    np.testing.assert_array_equal(found.y, plain.y)
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(packed)
    assert read_csv(path).name == "rows"
    assert "cannot be unpacked to its end" in refusal(packed[: len(packed) // 2])
    bomb = module.compress(b"0" * 3_000_000)
    assert "unpacks to more than 2 MB" in refusal(bomb, limits=Limits(n_bytes=2_000_000))


# Numbers at first and words then, words that pandas takes for truth, and a last block of nothing.
MIXED = "a;b;c;y\n" + "".join(
    f"{i % 9 if i < 900 else 'x'};{truth};{'' if i > 1500 else '07'};{i % 2}\n"
    for i, truth in enumerate(("TRUE", "false", "", "False") * 500)
)


@pytest.mark.parametrize(
    "text", [TABLE, TABLE.replace("999;", " ;"), "1;2;p\n3;4;q\n5;6;p\n", MIXED]
)
def test_cells_of_many_blocks_are_those_of_one(monkeypatch, text):
    entire = read(text)
    monkeypatch.setattr("treecore.data.readers.table.BATCH_CELLS", 1000)
    pieces = read(text)
    np.testing.assert_array_equal(entire.X, pieces.X)
    np.testing.assert_array_equal(entire.y, pieces.y)
    assert entire.notes == pieces.notes


def test_cells_of_several_numbers_are_no_columns_where_a_header_is_cut_as_they_are():
    rows = "".join(f"{i / 7:.3f},+49 30 {i}55,{'uv'[i % 2]}\n" for i in range(9))
    assert CsvTable(f"size,phone,class\n{rows}".encode()).columns == ("size", "phone", "class")

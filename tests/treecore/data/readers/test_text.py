"""Text that is packed, and what a pass over it leaves for the next one."""

import bz2
import gzip
import lzma

import numpy as np
import pytest

from tests.helpers.csvs import read, refusal
from treecore.base.limits import Limits
from treecore.data.readers import csv
from treecore.data.readers.csv import read_columns, read_csv

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
def test_cells_that_wait_are_those_of_the_file(monkeypatch, text):
    monkeypatch.setattr("treecore.data.readers.table.BATCH_CELLS", 1000)
    waiting = read(text)
    monkeypatch.setattr(csv, "KEPT_BYTES", 0)
    again = read(text)
    np.testing.assert_array_equal(waiting.X, again.X)
    np.testing.assert_array_equal(waiting.y, again.y)
    assert waiting.notes == again.notes


def test_cells_of_several_numbers_are_no_columns_where_a_header_is_cut_as_they_are():
    rows = "".join(f"{i / 7:.3f},+49 30 {i}55,{'uv'[i % 2]}\n" for i in range(9))
    assert read_columns(f"size,phone,class\n{rows}".encode()) == ("size", "phone", "class")

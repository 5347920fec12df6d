"""Damaged files of every format: a value or one clear sentence comes of each, never anything else.

``make test`` tries some hundreds, ``make test-all`` 20,000 of each format, in processes that may
take 300 MB, and a second of the processor for each file.
"""

import dataclasses
import gzip
import io
import json
import subprocess
import sys
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.helpers.mutations import FORMATS, case, outcome, seeds
from tests.helpers.paths import ROOT
from treecore.base.limits import UPLOADS
from treecore.data.readers import parquet
from treecore.data.readers.table import TableError
from treecore.data.sources import Source, read_table


@pytest.mark.parametrize("name", FORMATS)
def test_good_files_are_read(name, tmp_path):
    for data in seeds(name):
        assert outcome(name, data, tmp_path) == "read"


@pytest.mark.parametrize("name", FORMATS)
def test_damaged_files_are_read_or_refused_in_one_sentence(name, tmp_path):
    found = {outcome(name, case(name, number), tmp_path) for number in range(200)}
    assert "read" in found
    assert len(found) > 3, "they are damaged in many ways"


RUN = {"format": 1, "config": {"method": "axis"}, "source": None, "fingerprint": "0"}
DEEP = b'{"a":' * 100_000
BROKE = [
    ("run", json.dumps(RUN | {"config": {"method": "x" * 2000}}).encode(), "is damaged"),
    (
        "run",
        json.dumps(RUN | {"source": {"name": "t.csv", "task": "x" * 2000}}).encode(),
        "damaged",
    ),
    ("run", json.dumps(RUN | {"config": {"method": "sgd", "nu": 10**400}}).encode(), "damaged"),
    ("run", DEEP, "is damaged"),
    ("npz", case("npz", 1083), "not a NumPy archive (zip file version 25.5)"),
    ("tree", case("tree", 1091), "['name', 'unit'] or others, and has []"),
    ("tree", DEEP, "nested too deeply"),
    ("tree", b"[" + b"0," * 3_000_000 + b"0]", "more than 2000000 values"),
    ("libsvm", b"1 2000000000:1\n0 1:1\n", "a feature 2000000000, more than 100000"),
    ("csv", b"," * 6_000_000 + b"\n", "a line of the file has more than"),
    ("csv", b"a,b\n" + b"1,2\n" * 3 + b"," * 9_000_000, "a line of the file has more than"),
]


@pytest.mark.parametrize(("name", "data", "part"), BROKE, ids=lambda value: repr(value)[:30])
def test_what_once_broke_a_reader_or_took_too_much_is_refused(name, data, part, tmp_path):
    assert part in outcome(name, data, tmp_path)


def test_a_small_archive_that_unpacks_to_much_is_refused_by_its_headers(tmp_path):
    with zipfile.ZipFile(tmp_path / "t.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, n in (("X", 5_000_000), ("y", 5_000_000)):
            buffer = io.BytesIO()
            np.lib.format.write_array_header_1_0(
                buffer,
                {"descr": "<f8", "fortran_order": False, "shape": (n, 1)[: 1 + (name == "X")]},
            )
            with archive.open(f"{name}.npy", "w") as file:
                file.write(buffer.getvalue())
                for _ in range(n * 8 // 10_000_000):
                    file.write(bytes(10_000_000))
    assert (tmp_path / "t.npz").stat().st_size < 1_000_000
    limits = dataclasses.replace(UPLOADS, n_unpacked=UPLOADS.n_unpacked // 10)
    with pytest.raises(TableError, match="unpacks to 80 MB, more than 20"):
        read_table(Source(str(tmp_path / "t.npz")), limits)


def test_a_packed_file_that_unpacks_to_much_is_refused_on_the_way(tmp_path):
    with gzip.open(tmp_path / "t.libsvm.gz", "wb") as file:
        for _ in range(21):
            file.write(b"1 1:1\n0 2:1\n" * 100)
            file.write(b"# " + b" " * 10_000_000 + b"\n")
    with pytest.raises(TableError, match="more than"):
        read_table(Source(str(tmp_path / "t.libsvm.gz")), UPLOADS)


def test_one_long_text_in_a_dictionary_is_not_written_out_for_every_row(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "PART_BYTES", 5_000_000)
    n = 200
    frame = pd.DataFrame({"a": range(n), "t": "x" * 1_000_000, "y": np.arange(n) % 2})
    table = pa.table({"a": frame.a, "t": pa.array(frame.t[:1]).dictionary_encode().take(
        pa.array(np.zeros(n, int))), "y": frame.y})  # fmt: skip
    pq.write_table(table, tmp_path / "t.parquet", store_schema=False)
    assert (tmp_path / "t.parquet").stat().st_size < 3_000_000
    sizes = [
        batch.get_total_buffer_size()
        for batch in parquet.read_parquet(tmp_path / "t.parquet", UPLOADS).batches(["t"])
    ]
    assert max(sizes) < 10_000_000


def test_a_footer_that_promises_too_much_is_refused(tmp_path):
    frame = pd.DataFrame({"a": np.zeros(200_000), "y": np.arange(200_000) % 2})
    frame.to_parquet(tmp_path / "t.parquet")
    limits = dataclasses.replace(UPLOADS, n_unpacked=1000)
    with pytest.raises(TableError, match="unpacks to"):
        read_table(Source(str(tmp_path / "t.parquet")), limits)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 20_000, 5000))
@pytest.mark.parametrize("name", FORMATS)
def test_thousands_of_damaged_files_take_little_memory_and_break_nothing(name, start):
    words = [name, str(start), "5000"]
    done = subprocess.run(
        [sys.executable, "-m", "tests.helpers.mutations", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr

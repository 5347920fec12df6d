"""Files with damage, and what every reader owes to each: a value, or one clear sentence.

``python -m tests.helpers.mutations csv 0 20000`` tries so many of a format from a number on, each
within a second of processor time and 300 MB of memory beyond what the process begins with.
"""

from __future__ import annotations

import copy
import io
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import dump_svmlight_file

from tests.helpers.csvs import PLAIN, assert_is_one_sentence, column
from tests.helpers.documents import document_of, random_document, schema
from tests.helpers.hinges import IRIS, trained
from tests.helpers.same import assert_same
from tests.helpers.strategies import random_tree
from treecore import RunConfig
from treecore.base.limits import UPLOADS
from treecore.data.dataset import Dataset
from treecore.data.readers.csv import CsvTable, read_csv
from treecore.data.sources import Source, read_table
from treecore.ensembles.forest import Forest
from treecore.persistence import Document, from_json, to_json
from treecore.runs import RunDirectory
from treecore.training.registry import METHODS

MOST_BYTES = 300_000_000
"""Memory that a reader may take."""

MOST_SECONDS = 1.0
"""Of the processor, not of the wall, which other programs move: so long one file may take."""

# Seeds: small good files of every kind --------------------------------------------------------


def _frame(n: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(7)
    return pd.DataFrame(
        {
            "size": rng.normal(size=n).round(3),
            "whole": rng.integers(0, 99, n),
            "kind": rng.choice(["red", "blue", "green"], n),
            "when": pd.date_range("2024-01-30", periods=n),
            "flag": rng.random(n) < 0.5,
            "gaps": np.where(rng.random(n) < 0.3, np.nan, rng.random(n)),
            "y": rng.choice(["no", "yes"], n),
        }
    )


def _csv() -> list[bytes]:
    text = _frame().to_csv(index=False)
    spoken = "größe;preis;klasse\n" + "".join(
        f"{i},5;{i} %;{'ja' if i % 2 else 'nein'}\n" for i in range(9)
    )
    return [
        text.encode(),
        text.encode("utf-16"),
        ("sep=;\r\n" + PLAIN.replace(",", ";")).encode(),
        spoken.encode("cp1252"),
        PLAIN.replace(",", "\t").encode(),
        column(["1", "-2.5e3", "", "NA", "7"]).encode(),
        b'"a, b",class\n1,"x,\ny"\n2,z\n',
        _frame().to_csv().encode(),
        b"1,2,0\n3,4,1\n5,6,0\n",
    ]


def _parquet() -> list[bytes]:
    files = []
    for more in (
        {},
        {"compression": None, "row_group_size": 7},
        {"compression": "zstd", "use_dictionary": False},
        {"compression": "gzip", "version": "1.0"},
        {"use_dictionary": False, "column_encoding": {"kind": "DELTA_BYTE_ARRAY"}},
    ):
        buffer = io.BytesIO()
        _frame().to_parquet(buffer, index=False, **more)
        files.append(buffer.getvalue())
    return files


def _libsvm() -> list[bytes]:
    rng, files = np.random.default_rng(3), []
    for share in (0.2, 1.0):
        X = rng.normal(size=(12, 6)).round(2) * (rng.random((12, 6)) < share)
        buffer = io.BytesIO()
        dump_svmlight_file(X, rng.integers(0, 2, 12), buffer, zero_based=False)
        files.append(buffer.getvalue())
    return [*files, b"1.5 1:1 3:2 # a comment\n-2 2:.5\n3.25 1:-1 9:4\n"]


def _npz() -> list[bytes]:
    rng, files = np.random.default_rng(5), []
    X, y = rng.normal(size=(20, 3)), rng.integers(0, 2, 20)
    for save in (np.savez, np.savez_compressed):
        for arrays in (
            {"X": X, "y": y},
            {"X_train": X.astype("f4"), "y_train": y.astype("U3"), "X_test": X, "y_test": y},
            {"X": X, "y": X[:, 0], "feature_names": np.array(["a", "b", "c"])},
            {"X": (X > 0).reshape(20, 3, 1), "y": y, "other": np.arange(3)},
        ):
            buffer = io.BytesIO()
            save(buffer, **arrays)
            files.append(buffer.getvalue())
    return files


def _tree() -> list[bytes]:
    texts = [to_json(random_document(seed)) for seed in range(7)]
    made = read_csv(_frame().to_csv(index=False).encode())
    tree = random_tree(np.random.default_rng(1), n_splits=3, n_features=made.n_features)
    tree = tree._replace(values=tree.values[:, :2].copy())
    texts.append(
        to_json(Document(tree, made.feature_names, made.class_names, columns=made.columns))
    )
    return [text.encode() for text in texts]


def _forest() -> list[bytes]:
    trees = [random_tree(np.random.default_rng(s), n_splits=4, n_features=5) for s in range(3)]
    files = []
    for answer in ("votes", "shares", "mean"):
        made = document_of(trees[0], outputs=answer == "mean")
        forest = Forest(tuple(trees), np.ones(3), answer)
        names = {"class_names": made.class_names, "output_names": made.output_names}
        files.append(to_json(Document(forest, made.feature_names, **names)).encode())
    return files


def _hinge() -> list[bytes]:
    names, classes = ("a", "b", "c", "d"), ("u", "v", "w")
    files = []
    for more in ({}, {"kind": "fern"}, {"features": "convolutions", "filter_size": 2}):
        trainer = trained(*IRIS, trees=2, depth=2, batches=5, n_features=3, **more)
        files.append(to_json(Document(trainer.run(), names, classes)).encode())
    return files


def _run() -> list[bytes]:
    """``run.json`` and two events, told apart by an empty line."""
    event = {"stage": "sgd", "done": 1.0, "loss": 0.5, "bound": 0.75, "seconds": 0.1}
    files = []
    for method in ("sgd", "axis", "bagging", "hinge-forest"):
        assert method in METHODS
        config, source = RunConfig(method), Source("sample:xor").as_dict()
        record = {"format": 1, "config": config.as_dict(), "source": source, "fingerprint": "0"}
        events = "\n".join(json.dumps(event | {"stage": method, "done": d}) for d in (1.0, 2.0))
        files.append(f"{json.dumps(record)}\n\n{events}\n".encode())
    return files


# Readers --------------------------------------------------------------------------------------


def _read_file(ending: str) -> Callable[[bytes, Path], object]:
    def read(data: bytes, folder: Path) -> object:
        path = folder / f"t{ending}"
        path.write_bytes(data)
        return _checked(read_table(Source(str(path)), UPLOADS))

    return read


def _read_text(data: bytes, folder: Path) -> object:
    table = read_csv(data, unusable=("drop", "refuse")[len(data) % 2], limits=UPLOADS)
    assert len(CsvTable(data).columns) >= 2
    assert not np.isnan(table.X).all(axis=0).any()
    return _checked(table)


def _checked(table: Dataset) -> Dataset:
    """A table that can be learnt from: no infinite number, every class has rows."""
    assert not np.isinf(table.X.astype(np.float32)).any()
    if table.n_classes:
        assert np.array_equal(np.unique(table.y), np.arange(table.n_classes))
    else:
        assert np.isfinite(table.y).all()
    return table


def _read_json(data: bytes, folder: Path) -> object:
    """A document that its schema allows, and that is the same when it is written and read."""
    document = from_json(data, UPLOADS)
    kind = document.kind.partition(" ")[0]
    _schema(kind).validate(json.loads(data.decode("utf-8-sig")))
    assert_same(from_json(to_json(document)), document)
    return document


_schema = cache(schema)


def _read_run(data: bytes, folder: Path) -> object:
    record, _, events = data.partition(b"\n\n")
    (folder / "run.json").write_bytes(record)
    (folder / "events.jsonl").write_bytes(events)
    run = RunDirectory.open(folder)
    return run, list(run.events())


FORMATS: dict[str, tuple[Callable[[], list[bytes]], Callable[[bytes, Path], object]]] = {
    "csv": (_csv, _read_text),
    "parquet": (_parquet, _read_file(".parquet")),
    "libsvm": (_libsvm, _read_file(".libsvm")),
    "npz": (_npz, _read_file(".npz")),
    "tree": (_tree, _read_json),
    "forest": (_forest, _read_json),
    "hinge": (_hinge, _read_json),
    "run": (_run, _read_run),
}

JSON = ("tree", "forest", "hinge", "run")


@cache
def seeds(name: str) -> list[bytes]:
    """Good files of a format."""
    return FORMATS[name][0]()


# Damage ---------------------------------------------------------------------------------------

CRUMBS = (
    *(b",", b";", b"\t", b'"', b"\n", b"\r\n", b"\0", b"\xff\xfe", b"\xe9", b"[", b"]", b"{", b"}"),
    *(b"NaN", b"-Infinity", b"1e999", b"-1", b"0", b"99999999999999999999", b"1e-400", b"1_0"),
    *(b"null", b"true", b'""', b'"\\ud800"', b"=cmd()", b"<script>", b"\xe2\x80\xae", b"%", b"{}"),
    *(b":", b"1:1", b" ", b"#", b"2000000000:1", b"2024-02-30", b"12 %", b"\\", b"\x80" * 9),
)
PIECES = (
    *(b"|", b"\r", b"1", b"2.5", b"nan", b"NA", b"a", b"class", b"1,5", b"_", b"\x1a", b"\x0b"),
    *(b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xd9\xa3", b"\xc2\x85", b"'", b"# ", b"---", b"   "),
    *(b"'a'", b"a,b,c\n", b"# 1 2 3\n", b"\xc5\x82", b"2024-01-05"),
)
HUGE = [0, 1, 2**15, 2**31 - 1, 2**31, 2**32 - 1, 2**53, 2**63 - 1, 2**64 - 1]
ABSURD = (
    *(None, True, "", "x" * 2000, [], {}, [[]], 0, -1, 1, 0.5, 2, 1e308, -1e39, 1e-45, 2**31),
    *(2**63, 10**400, float("nan"), float("inf"), "\ud800", "<script>", "-1", [1, 2], {"leaf": 0}),
)


def damaged(rng: np.random.Generator, name: str) -> bytes:
    """A good file of a format with a few places changed; the same for the same generator."""
    files = seeds(name)
    if name == "csv" and rng.random() < 0.2:  # nothing but pieces
        pieces = CRUMBS + PIECES
        return b"".join(pieces[i] for i in rng.integers(len(pieces), size=rng.integers(40)))
    data = files[rng.integers(len(files))]
    if name in JSON and rng.random() < 0.5:
        data = _absurd(rng, data)
        if rng.random() < 0.8:
            return data
    for _ in range(min(6, rng.geometric(0.6))):
        data = _changed(rng, data, files)
    return data


def _changed(rng: np.random.Generator, data: bytes, files: list[bytes]) -> bytes:
    start = int(rng.integers(len(data) + 1))
    stop = min(len(data), start + int(rng.integers(0, 9)))
    kind = rng.integers(9)
    if kind == 0 and data:  # a bit
        place = int(rng.integers(len(data)))
        return data[:place] + bytes([data[place] ^ 1 << int(rng.integers(8))]) + data[place + 1 :]
    if kind == 1:
        new = rng.bytes(int(rng.integers(1, 9)))
    elif kind == 2:
        new = HUGE[rng.integers(len(HUGE))].to_bytes(8, "little")[: int(rng.choice([2, 4, 8]))]
        stop = min(len(data), start + len(new))
    elif kind == 3:  # a piece of another one
        other = files[rng.integers(len(files))]
        place = int(rng.integers(len(other) + 1))
        new = other[place : place + int(rng.integers(200))]
    elif kind == 4:  # again and again
        new = data[start : start + int(rng.integers(1, 60))] * int(rng.integers(2, 200))
    elif kind == 5:
        return data[:start]
    elif kind == 6:
        stop, new = min(len(data), start + int(rng.integers(1, 300))), b""
    else:
        new = CRUMBS[rng.integers(len(CRUMBS))]
    return data[:start] + new + data[stop:]


def _absurd(rng: np.random.Generator, data: bytes) -> bytes:
    """JSON whose values are of the right kind and absurd, or of another kind."""
    record, gap, rest = data.partition(b"\n\n")
    content = json.loads(record)
    for _ in range(min(4, rng.geometric(0.6))):
        place: Any = content
        while True:
            keys = list(place) if isinstance(place, dict) else range(len(place))
            if not len(keys):
                break
            key = keys[int(rng.integers(len(keys)))]
            inner = place[key]
            if isinstance(inner, dict | list) and len(inner) and rng.random() < 0.85:
                place = inner
                continue
            kind = rng.integers(4)
            if kind == 0 and isinstance(place, list):
                place *= int(rng.integers(2, 50))
            elif kind == 1:
                del place[key]
            elif kind == 2 and type(inner) in (int, float) and abs(inner) < 1e300:
                place[key] = inner * float(rng.choice([-1, 0, 0.5, 1e9, 1e40]))
            elif rng.random() < 0.3:  # its neighbour's value, which is likely of the right type
                place[key] = copy.deepcopy(place[keys[int(rng.integers(len(keys)))]])
            else:
                place[key] = copy.deepcopy(ABSURD[rng.integers(len(ABSURD))])
            break
    return json.dumps(content).encode() + gap + rest


# The promise ----------------------------------------------------------------------------------


def outcome(name: str, data: bytes, folder: Path) -> str:
    """``"read"``, or the sentence of refusal; anything else is raised as it is."""
    try:
        FORMATS[name][1](data, folder)
    except ValueError as error:
        sentence = str(error)
        assert_is_one_sentence(sentence)
        assert "Traceback" not in sentence
        return sentence
    return "read"


def case(name: str, number: int) -> bytes:
    """The damaged file of this number."""
    return damaged(np.random.default_rng([list(FORMATS).index(name), number]), name)


def main(name: str, start: int, count: int) -> None:
    """Try so many damaged files within the limits; ends with those that broke a reader."""
    with tempfile.TemporaryDirectory() as folder:
        for data in seeds(name):
            assert outcome(name, data, Path(folder)) == "read"
        limit_memory()
        broken = []
        for number in range(start, start + count):
            data = case(name, number)
            begun = time.process_time()
            try:
                outcome(name, data, Path(folder))
            except Exception as error:  # what no reader may raise
                broken.append(f"{number}: {type(error).__name__}: {str(error)[:200]}")
            if time.process_time() - begun > MOST_SECONDS:
                broken.append(f"{number}: took {time.process_time() - begun:.1f} s")
    if broken:
        raise SystemExit("\n".join(broken[:20]))


def limit_memory() -> None:
    """Let this process take so much more memory as a reader may, and no more."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MOST_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

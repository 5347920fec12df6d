"""What the comparison of defaults counts, and what it keeps."""

import json

import numpy as np
import pytest

from benchmarks import tables
from benchmarks.intervals import report
from benchmarks.lines import Lines
from benchmarks.planted import PLANTED
from benchmarks.tables import Table, measure, read_tables


def test_a_table_is_measured_once_and_reported(monkeypatch, tmp_path, rng):
    monkeypatch.setattr(tables, "RESULTS", tmp_path / "tables.jsonl")
    lines = Lines(tables.RESULTS, *tables.KEYS)
    for name in ("easy", "hard"):
        X = rng.normal(size=(60, 3))
        y = (X[:, 0] + (name == "hard") * rng.normal(size=60) > 0).astype(int)
        for model in ("linear", "CART", "pruned CART"):
            lines.add(measure(Table(name, "cls", X, y), model))
    rows = tables.outcomes()
    assert len(rows) == 6
    row = rows["cls/easy", "CART"]
    assert len(row["scores"]) == len(row["seconds"]) == len(row["log_loss"]) == 5
    right = np.unpackbits(np.frombuffer(bytes.fromhex(row["right"]), np.uint8))[:60]
    assert right.mean() == pytest.approx(np.mean(row["scores"]), abs=1e-5)
    text = tables.report(rows, "cls")
    assert "2 tables" in text
    assert [line.split(" |")[0] for line in text.splitlines()[2:]] == [
        "| linear",
        "| pruned CART",
        "| CART",
    ]
    ranks = [float(line.split(" | ")[1].split(" ± ")[0]) for line in text.splitlines()[2:]]
    assert sum(ranks) == pytest.approx(6, abs=0.02)


def test_what_is_there_is_not_measured_again(tmp_path):
    calls = []

    def measured(name, split):
        calls.append(name + split)
        return {"name": name, "split": split, "score": 1 / 3}

    path = tmp_path / "lines.jsonl"
    for names in ("b", "ab"):
        tasks = [(name, split) for split in "01" for name in names]
        Lines(path, "name", "split").measure(tasks, measured)
    assert calls == ["b0", "b1", "a0", "a1"]
    found = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["name"] + row["split"] for row in found] == ["a0", "a1", "b0", "b1"]
    assert found[0]["score"] == 0.33333


def test_tables_are_found_through_the_variable_only(monkeypatch, tmp_path):
    monkeypatch.delenv("TREECORE_DATA", raising=False)
    assert read_tables("cls") == []
    (tmp_path / "tables/reg").mkdir(parents=True)
    np.savez(tmp_path / "tables/reg/line.npz", X=np.eye(3), y=np.arange(3.0))
    monkeypatch.setenv("TREECORE_DATA", str(tmp_path))
    assert [table.name for table in read_tables("reg")] == ["line"]
    assert read_tables("reg", ["other"]) == []
    assert len(read_tables("planted")) == len(PLANTED)


def test_a_table_is_outside_where_chance_would_not_put_it():
    line = {"kind": "reg", "division": 0, "kept": 998, "new": 1000, "expected": 0.9}
    error = np.sqrt(2 * 0.09 / 1000 / 4)
    shares = {"low": 0.9 - 3.5 * error, "even": 0.9, "high": 0.9 + 3 * error}
    lines = [line | {"table": t, "inside": s, "measured": "2026-11-28"} for t, s in shares.items()]
    assert "1 below, 0 above" in report([one for one in lines for _ in range(4)], "reg")

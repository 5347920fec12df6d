"""What the comparison of defaults counts, and what it keeps."""

from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks.planted import PLANTED
from benchmarks.tables import Outcomes, Table, expected_calibration_error, measure, read_tables
from benchmarks.tables import report as report_of


@pytest.mark.parametrize("name", PLANTED)
def test_planted_tables_are_the_same_every_time(name):
    (X, y), (again, labels) = PLANTED[name](), PLANTED[name]()
    np.testing.assert_array_equal(X, again)
    np.testing.assert_array_equal(y, labels)
    assert set(np.unique(y)) == {0, 1}


def test_confidence_that_is_kept_has_no_error():
    certain = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert expected_calibration_error(certain, np.array([0, 1])) == 0
    assert expected_calibration_error(certain, np.array([1, 0])) == 1
    half = np.full((10, 2), 0.5)
    assert expected_calibration_error(half, np.arange(10) % 2) == pytest.approx(0)
    sure = np.tile([0.9, 0.1], (10, 1))
    assert expected_calibration_error(sure, np.arange(10) % 2) == pytest.approx(0.4)


def test_a_table_is_measured_once_and_reported(tmp_path):
    path = tmp_path / "tables.jsonl"
    outcomes = Outcomes(path)
    rng = np.random.default_rng(0)
    for name in ("easy", "hard"):
        X = rng.normal(size=(60, 3))
        y = (X[:, 0] + (name == "hard") * rng.normal(size=60) > 0).astype(int)
        for model in ("logistic regression", "CART", "pruned CART"):
            outcomes.add(measure(Table(name, "cls", X, y), model))
    again = Outcomes(path)
    assert set(again.rows) == set(outcomes.rows)
    row = again.rows["cls/easy", "CART"]
    assert len(row["scores"]) == len(row["seconds"]) == len(row["log_loss"]) == 5
    right = np.unpackbits(np.frombuffer(bytes.fromhex(row["right"]), np.uint8))[:60]
    assert right.mean() == pytest.approx(np.mean(row["scores"]), abs=1e-5)
    text = report_of(again, "cls")
    assert "2 tables" in text
    assert [line.split(" |")[0] for line in text.splitlines()[2:]] == [
        "| logistic regression",
        "| pruned CART",
        "| CART",
    ]
    ranks = [float(line.split(" | ")[1]) for line in text.splitlines()[2:]]
    assert sum(ranks) == pytest.approx(6, abs=0.02)
    again.forget(["CART"], [Table("easy", "cls", X, y)])
    again.write()
    left = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(left) == 5
    assert [row["table"] for row in left if row["model"] == "CART"] == ["hard"]


def test_tables_are_found_through_the_variable_only(monkeypatch, tmp_path):
    monkeypatch.delenv("TREECORE_DATA", raising=False)
    assert read_tables("cls") == []
    (tmp_path / "tables/reg").mkdir(parents=True)
    np.savez(tmp_path / "tables/reg/line.npz", X=np.eye(3), y=np.arange(3.0))
    monkeypatch.setenv("TREECORE_DATA", str(tmp_path))
    assert [table.name for table in read_tables("reg")] == ["line"]
    assert read_tables("reg", ["other"]) == []
    assert len(read_tables("planted")) == len(PLANTED)

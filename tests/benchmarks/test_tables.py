"""What the comparison of defaults counts, and what it keeps."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from benchmarks.intervals import _shortfall, errors, report
from benchmarks.planted import PLANTED
from benchmarks.sizes import size_of
from benchmarks.tables import Outcomes, Table, measure, read_tables
from benchmarks.tables import report as report_of
from treecore.core.linear_leaves import make_linear
from treecore.core.tree import complete_tree


def test_a_table_is_measured_once_and_reported(tmp_path):
    path = tmp_path / "tables.jsonl"
    outcomes = Outcomes(path)
    rng = np.random.default_rng(0)
    for name in ("easy", "hard"):
        X = rng.normal(size=(60, 3))
        y = (X[:, 0] + (name == "hard") * rng.normal(size=60) > 0).astype(int)
        for model in ("linear", "CART", "pruned CART"):
            outcomes.add(measure(Table(name, "cls", X, y), model))
    again = Outcomes(path)
    assert set(again.rows) == set(outcomes.rows)
    row = again.rows["cls/easy", "CART"]
    assert len(row["scores"]) == len(row["seconds"]) == len(row["log_loss"]) == 5
    right = np.unpackbits(np.frombuffer(bytes.fromhex(row["right"]), np.uint8))[:60]
    assert right.mean() == pytest.approx(np.mean(row["scores"]), abs=1e-5)
    text = report_of(again.rows, "cls")
    assert "2 tables" in text
    assert [line.split(" |")[0] for line in text.splitlines()[2:]] == [
        "| linear",
        "| pruned CART",
        "| CART",
    ]
    ranks = [float(line.split(" | ")[1].split(" ± ")[0]) for line in text.splitlines()[2:]]
    assert sum(ranks) == pytest.approx(6, abs=0.02)
    again.forget(["CART"], [Table("easy", "cls", X, y)])
    again.write()
    left = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(left) == 5
    assert [row["table"] for row in left if row["model"] == "CART"] == ["hard"]


def test_sizes_count_what_a_prediction_needs():
    X, y = np.random.default_rng(0).normal(size=(90, 4)), np.arange(90) % 3
    two, cut = (y > 0).astype(int), {"max_leaf_nodes": 3, "random_state": 0}
    assert size_of(DecisionTreeClassifier(**cut).fit(X, two)) == 2 * 2 + 3
    assert size_of(DecisionTreeClassifier(**cut).fit(X, y)) == 2 * 2 + 3 * 3
    assert size_of(make_pipeline(StandardScaler(), LogisticRegression()).fit(X, two)) == 5
    forest = RandomForestRegressor(2, max_leaf_nodes=3, random_state=0).fit(X, X[:, 0])
    assert size_of(forest) == 2 * (2 * 2 + 3)
    boosted = HistGradientBoostingClassifier(max_iter=2, max_leaf_nodes=3).fit(X, y)
    assert size_of(boosted) == 2 * 3 * (2 * 2 + 3)
    tree = complete_tree(1, 4, 2)
    tree.weights[0] = 1, 2, 3, 4
    assert size_of(SimpleNamespace(tree_=tree, classes_=[0, 1])) == 1 + 4 + 2
    tree.weights[0] = 0, 2, 0, 0
    assert size_of(SimpleNamespace(tree_=tree, classes_=[0, 1])) == 1 + 2 + 2
    bent = tree._replace(linear=make_linear(np.ones((2, 1, 4)), *np.zeros((3, 2, 1))))
    assert size_of(SimpleNamespace(tree_=bent)) == 1 + 2 + 2 * (4 + 1 + 2)
    bent.linear.weights[0] = 0
    assert size_of(SimpleNamespace(tree_=bent)) == 1 + 2 + 1 + (4 + 1 + 2)
    with pytest.raises(TypeError, match="KNeighborsClassifier is not known"):
        size_of(KNeighborsClassifier().fit(X, y))


def test_tables_are_found_through_the_variable_only(monkeypatch, tmp_path):
    monkeypatch.delenv("TREECORE_DATA", raising=False)
    assert read_tables("cls") == []
    (tmp_path / "tables/reg").mkdir(parents=True)
    np.savez(tmp_path / "tables/reg/line.npz", X=np.eye(3), y=np.arange(3.0))
    monkeypatch.setenv("TREECORE_DATA", str(tmp_path))
    assert [table.name for table in read_tables("reg")] == ["line"]
    assert read_tables("reg", ["other"]) == []
    assert len(read_tables("planted")) == len(PLANTED)


def test_groups_above_the_target_do_not_make_up_for_those_below():
    inside = np.array([True] * 10 + [True] * 6 + [False] * 4)
    assert _shortfall(inside, np.repeat([0, 1], 10)) == pytest.approx(0.15)
    assert _shortfall(inside, np.repeat([0, 2], 10)) == pytest.approx(0.15)


def test_a_table_is_outside_where_chance_would_not_put_it():
    line = {"kind": "reg", "division": 0, "kept": 998, "new": 1000, "groups": 1, "expected": 0.9}
    line |= {"size": 1.0, "root_size": 1.0, "root_inside": 0.9, "short": 0.0, "root_short": 0.0}
    error, binomial = errors([line] * 4)
    assert binomial == pytest.approx(np.sqrt(0.09 / 1000 / 4))
    assert error == pytest.approx(np.sqrt(2) * binomial)
    shares = {"low": 0.9 - 3.5 * error, "even": 0.9, "high": 0.9 + 3 * error}
    lines = [line | {"table": t, "inside": s, "measured": "2026-11-28"} for t, s in shares.items()]
    assert "1 below, 0 above" in report([one for one in lines for _ in range(4)], "reg")

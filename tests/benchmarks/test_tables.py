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

from benchmarks.evidence import verdicts
from benchmarks.planted import PLANTED
from benchmarks.sizes import size_of
from benchmarks.tables import Outcomes, Table, measure, read_tables
from benchmarks.tables import report as report_of
from treecore.core.linear_leaves import make_linear
from treecore.core.tree import complete_tree


@pytest.mark.parametrize("name", PLANTED)
def test_planted_tables_are_the_same_every_time(name):
    (X, y), (again, labels) = PLANTED[name](), PLANTED[name]()
    np.testing.assert_array_equal(X, again)
    np.testing.assert_array_equal(y, labels)
    assert set(np.unique(y)) == {0, 1}


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


def row(model, scores, size=1, n=200):
    """A row of a table of classes, in which the first rows of each test part are right."""
    right = np.concatenate([np.arange(n) < round(share * n) for share in scores])
    packed = np.packbits(right).tobytes().hex()
    same = {"table": "one", "kind": "cls", "model": model, "measured": "2026-11-28"}
    return same | {"scores": scores, "right": packed, "sizes": [size]}


def test_a_default_that_is_far_behind_a_linear_model_is_named():
    names = ["auto", "pruned CART", "linear", "random forest", "histogram boosting"]
    for ours, found in ((0.90, "one -5.0 ± 1.1 against linear"), (0.94, "kept on all")):
        shares = (ours, 0.91, 0.95, 0.94, 0.92)
        rows = {("cls/one", m): row(m, [s, s]) for m, s in zip(names, shares, strict=True)}
        first, *leads = verdicts(rows, "classes", ["cls/one"], names)
        assert first[2] == found
        assert [lead[2].split(":")[0] for lead in leads] == [
            "no" if ours == 0.90 else word for word in ("yes", "no")
        ]
    assert verdicts(rows, "classes", ["cls/one"], names[:3]) == []


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

"""The papers' figures, reproduced on small stand-ins of their data."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from html import escape
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.datasets import dump_svmlight_file

from treecore import RunConfig, Trainer
from treecore.commands import main
from treecore.figures import (
    FIGURES,
    FigureError,
    Papers,
    Reproduction,
    boosting,
    figure2,
    figure4,
    hinge_data,
    hinge_tables,
    oc1_forest,
    published,
)
from treecore.figures.boosting import curves
from treecore.figures.folder import read_points, rows_of
from treecore.figures.forest_models import LIBRARIES, error_of
from treecore.figures.hinge_data import runs
from treecore.figures.papers import Part
from treecore.figures.poker import deal, label
from treecore.figures.results import write_results
from treecore.text_tables import TableError

EXTRA = {
    "figure2": ["--depth", 2, "--depth", 4, "--only", "connect4"],
    "figure3": ["--depth", 3, "--depth", 5],
    "figure4": ["--depth", 3, "--depth", 6],
    "boosting": ["--only", "letter"],
}
"""Options with which a figure takes seconds."""


def stand_in(rng, n, p, k, integers=False):
    """Rows whose classes follow from a few of their columns."""
    X = rng.integers(0, 16, (n, p)) if integers else rng.standard_normal((n, p))
    score = X[:, : 2 * (p // 2)].reshape(n, 2, -1)[:, :, :3].sum(axis=2) @ rng.standard_normal(2)
    y = np.searchsorted(np.quantile(score, np.arange(1, k) / k), score)
    return X.astype(np.uint8 if integers else np.float32), y.astype(np.uint8)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A folder of archives, small ones of the papers' names and forms."""
    folder, rng = tmp_path_factory.mktemp("data"), np.random.default_rng(0)
    for name, shape, k in (
        ("mnist", (240, 64), 4),
        ("letter", (220, 8), 4),
        ("usps", (150, 16), 3),
        ("madelon", (120, 10), 2),
    ):
        X, y = stand_in(rng, *shape, k, integers=name == "mnist")
        n = len(y) * 2 // 3
        parts = {"X_train": X[:n], "y_train": y[:n], "X_test": X[n:], "y_test": y[n:]}
        np.savez(folder / f"{name}.npz", **parts)
    for name, shape, k in (("connect4", (200, 12), 3), ("abalone", (200, 8), 20)):
        X, y = stand_in(rng, *shape, k)
        np.savez(folder / f"{name}.npz", X=X, y=y)
    hands = deal(300, 5)
    np.savez(folder / "poker_train.npz", X=hands.astype(np.uint8), y=label(hands).astype(np.uint8))
    return folder


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Quick made quicker still."""
    monkeypatch.setattr(figure4, "QUICK_SECONDS", 0.005)
    monkeypatch.setattr(figure2, "QUICK_ROUNDS", 2)
    monkeypatch.setattr(hinge_tables, "QUICK_MOST", 100)
    monkeypatch.setattr(hinge_tables, "QUICK_SHARE", 500)
    monkeypatch.setattr(hinge_data, "TEST_HANDS", 300)
    monkeypatch.setattr(boosting, "LIBRARIES", {n: own[:1] for n, own in LIBRARIES.items()})
    monkeypatch.setattr(boosting, "QUICK_TREES", 2)
    monkeypatch.setattr(oc1_forest, "QUICK_SEEDS", 1)
    monkeypatch.setattr(oc1_forest, "TENTHS", (3, 7))
    monkeypatch.setattr(oc1_forest, "QUICK_TREES", 4)


def shell(*words, code=0):
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == code, result.output + result.stderr
    return result


def reproduction(name, path, data, **more):
    options = {"quick": True, "depths": [3, 5] if FIGURES[name].depths else None}
    return Reproduction(FIGURES[name], path, Papers(data), **options | more)


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_measured_drawn_and_told(name, data, tmp_path, monkeypatch):
    out = tmp_path / name
    words = ["reproduce", name, "--quick", "--data", data, "--out", out, *EXTRA.get(name, [])]
    said = shell(*words)
    assert (out / "figure.png").read_bytes().startswith(b"\x89PNG")
    page, figure = (out / "index.html").read_text(encoding="utf-8"), FIGURES[name]
    assert f"<title>{figure.title} (quick)</title>" in page
    assert figure.source in page
    assert page.count("<svg") == 1
    record = json.loads((out / "reproduction.json").read_text())
    assert record["command"].startswith(f"treecore reproduce {name} --quick")
    assert str(data) not in page, "a page must not tell of somebody's folders"
    assert all(mark in page for mark in record["data"].values())
    table = json.loads((out / "table.json").read_text())
    shown = figure.table(rows_of(read_points(out))).shown()
    assert len(shown) == len(table["rows"]) == len((out / "table.csv").read_text().splitlines()) - 1
    for line in shown:
        assert "".join(f"<td>{escape(cell)}</td>" for cell in line) in page
        assert f"| {' | '.join(line)} |" in said.stdout
    if name in ("hinge-table2", "hinge-table3"):
        assert_published_values_stand_beside_ours(table["rows"], page, name.removeprefix("hinge-"))

    def never(*arguments):
        raise AssertionError("a finished point was measured again")

    again = dataclasses.replace(figure, measure=never)
    monkeypatch.setitem(FIGURES, name, again)
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    shell(*words)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def assert_published_values_stand_beside_ours(rows, page, key):
    for row in rows:
        paper = published("hinge2018_tables")[key][row["problem"]]
        values = [v[0] for k, v in paper.items() if k.startswith(("hinge", "random"))]
        assert row["published"] in values
        assert f"<td>{row['published']:.2f}</td>" in page


def test_published_curves_are_the_papers():
    figure = published("norouzi2015_figures")
    row = figure2._row("mnist", "Non-greedy", 12, 97.6, 99.0, 800, 1.0)
    assert row["test_published"] == pytest.approx(88.16)
    assert row["training_published"] == pytest.approx(91.2)
    assert figure2._row("mnist", "CO2", 7, 90.0, 90.0, 8, 1.0)["test_published"] is None
    assert set(figure["figure2"]["test_accuracy"]) == set(figure2.NAMES.values())
    assert figure["figure3"]["nu"] == sorted(figure["figure3"]["nu"])


def test_a_killed_reproduction_goes_on_and_gives_the_same(data, tmp_path):
    def without_seconds(path):
        return [
            {k: v for k, v in row.items() if k != "seconds"} for row in rows_of(read_points(path))
        ]

    whole = tmp_path / "whole"
    list(reproduction("figure3", whole, data).run())
    for cut in (0, 1, 5):
        path = tmp_path / f"cut{cut}"
        running = reproduction("figure3", path, data).run()
        for now in running:
            if now.text != "compiling" and now.done == cut:
                break
        running.close()
        assert not (path / "figure.png").exists()
        if cut:
            shell("reproduce", "figure3", "--quick", "--data", data, "--depth", 3, "--depth", 5,
                  "--out", path, "--so-far", "-q")  # fmt: skip
            page = (path / "index.html").read_text(encoding="utf-8")
            assert f"Unfinished: {cut} of 16 points" in page
        else:
            with pytest.raises(FigureError, match="no finished point yet"):
                reproduction("figure3", path, data).draw()
        with open(path / "points.jsonl", "a") as file:  # and died in the middle of a line
            file.write('{"key": {"depth": 3, "met')
        list(reproduction("figure3", path, data).run())
        assert without_seconds(path) == without_seconds(whole)
        assert "Unfinished" not in (path / "index.html").read_text(encoding="utf-8")


def test_a_folder_takes_one_reproduction_only(data, tmp_path):
    path = tmp_path / "figure3"
    list(reproduction("figure3", path, data, depths=[3]).run())
    for name, more, what in (
        ("figure4", {}, "another figure"),
        ("figure3", {"depths": [4]}, "other options"),
        ("figure3", {"depths": [3], "quick": False}, "other options"),
    ):
        with pytest.raises(FigureError, match=f"holds a reproduction of {what}"):
            reproduction(name, path, data, **more)
    with np.load(data / "mnist.npz") as archive:
        arrays = dict(archive)
    arrays["X_test"] = arrays["X_test"] + 1
    np.savez(tmp_path / "mnist.npz", **arrays)
    with pytest.raises(FigureError, match="other data"):
        reproduction("figure3", path, tmp_path, depths=[3])
    (path / "reproduction.json").write_text("{")
    with pytest.raises(FigureError, match="is damaged"):
        reproduction("figure3", path, data, depths=[3])


@pytest.mark.parametrize("method", figure2.BASELINES)
def test_a_greedy_tree_is_on_the_way_to_a_deeper_one(method, data):
    """One run gives the curve of all depths, to the last digit."""
    training, test = Papers(data).load("mnist")
    given = figure2.BASELINES[method]
    events = list(Trainer(RunConfig(**given, depth=6), *training, validation=test).events())
    for depth in (1, 3, 5):
        *_, last = Trainer(RunConfig(**given, depth=depth), *training, validation=test).events()
        level = [event for event in events if event.epoch <= depth][-1]
        assert (level.accuracy, level.validation_accuracy, level.n_leaves) == (
            last.accuracy,
            last.validation_accuracy,
            last.n_leaves,
        )


def test_curves_are_means_and_end_where_the_shortest_ends():
    shared = {"dataset": "d", "model": "m"}
    rows = [
        {**shared, "seed": 0, "trees": [1, 2, 3], "error": [9, 6, 3], "seconds": [1, 2, 3]},
        {**shared, "seed": 1, "trees": [1, 2], "error": [7, 4], "seconds": [3, 4]},
        {**shared, "candidate": 0, "held_out_error": 5.0},
    ]
    trees, error, seconds = curves(rows)["d", "m"]
    assert (trees.tolist(), error.tolist(), seconds.tolist()) == ([1, 2], [8, 5], [2, 3])


def test_the_libraries_forests_give_curves():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 3))
    part = Part(X, X.argmax(axis=1))
    for model in LIBRARIES["digits"]:
        found = model.grow(boosting.smaller(model.candidates[0]), 0, part, part)
        assert len(found.trees) == len(found.error) == len(found.seconds) >= 1
        assert (np.diff(found.trees) > 0).all()
        assert (np.diff(found.seconds) > 0).all()
        assert (found.error < 20).all()
    assert 0 <= error_of(LIBRARIES["digits"][0], {"n_estimators": 2}, part) <= 100


# Data ---------------------------------------------------------------------------------------------


def test_libsvm_files_are_read_as_one_dataset(tmp_path):
    """Files that lack a class or the last columns still mean the same classes and columns."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (40, 6)).astype(float), np.arange(40) % 3
    X[:, 5] = 0
    X[:20, 5] = 1
    y[30:][y[30:] == 1] = 2
    for name, rows in (("a", slice(20)), ("b", slice(20, 30)), ("t", slice(30, None))):
        dump_svmlight_file(X[rows], y[rows] - 1, str(tmp_path / f"protein.{name}.libsvm"),
                           zero_based=False)  # fmt: skip
    files = [tmp_path / f"protein.{name}.libsvm" for name in "abt"]
    train, test = Papers(None, {"protein": files}).load("protein")
    np.testing.assert_array_equal(train.X, X[:30])
    np.testing.assert_array_equal(test.X, X[30:])
    np.testing.assert_array_equal(train.y, y[:30])
    np.testing.assert_array_equal(test.y, y[30:])
    out = tmp_path / "out"
    named = "protein=" + ",".join(map(str, files))
    shell("reproduce", "figure2", "--quick", "--libsvm", named, "--only", "protein", "--depth", 2,
          "--out", out, "-q")  # fmt: skip
    rows = rows_of(read_points(out))
    assert {row["dataset"] for row in rows} == {"Protein"}
    record = json.loads((out / "reproduction.json").read_text())
    assert str(tmp_path) not in record["command"]
    assert "protein.a.libsvm" in record["command"]


def test_papers_read_archives_of_both_kinds(data):
    papers = Papers(data)
    train, test = papers.load("connect4")
    whole = papers.whole("connect4")
    assert len(test.y) == 40
    assert sorted(map(tuple, np.concatenate([train.X, test.X]))) == sorted(map(tuple, whole.X))
    train, test = papers.load("usps")
    np.testing.assert_array_equal(papers.whole("usps").y, np.concatenate([train.y, test.y]))
    assert len(train.sample(30).y) == 30
    assert papers.load("sensit") is None
    assert papers.fingerprint("usps") != papers.fingerprint("connect4")


def test_table_2_is_split_as_the_paper_says(data):
    papers = Papers(data)
    assert len(runs("iris", papers, 2)) == 15
    assert [len(part.y) for part in runs("iris", papers, 2)[4]] == [50, 50, 50]
    for name in ("abalone", "madelon", "poker"):
        first, second = runs(name, papers, 2)
        assert not np.array_equal(first[0].X, second[0].X)
    assert set(runs("abalone", papers, 1)[0][0].y) == {0, 1, 2}
    assert runs("abalone_regression_r2", papers, 1)[0][0].y.dtype == np.float64
    assert runs("human_activity", papers, 1) is None


# The page of all figures --------------------------------------------------------------------------


def test_results_name_every_command_and_prefer_full_ones(data, tmp_path):
    runs_folder = tmp_path / "runs"
    for quick in (True, False):
        words = ["--quick"] if quick else []
        shell("reproduce", "figure3", *words, "--data", data, "--depth", 3, "-q",
              "--out", runs_folder / f"figure3-{quick}")  # fmt: skip
    shell("reproduce", "oc1-forest", "--quick", "--out", runs_folder / "oc1-forest-quick", "-q")
    out = tmp_path / "docs" / "results.md"
    said = shell("results", runs_folder, "--out", out)
    text = out.read_text(encoding="utf-8")
    assert "treecore reproduce figure3 --depth=3\n" in text
    assert "treecore reproduce oc1-forest --quick\n" in text
    assert "**Full.**" in text
    assert "**Quick.**" in text
    for name in FIGURES:
        assert f"treecore reproduce {name}" in text
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", text)
    assert len(pictures) == 2
    assert all((out.parent / picture).exists() for picture in pictures)
    assert str(tmp_path) not in text
    assert said.stdout.split() == [str(out), *(str(out.parent / p) for p in pictures)]
    assert write_results(runs_folder, out)
    assert out.read_text(encoding="utf-8") == text


# Bad input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["reproduce", "figure9"], 2, "figure9"),
        (["reproduce", "figure3", "--data", "."], 1, "mnist is left out: it is read where . holds"),
        (["reproduce", "figure3"], 1, "TREECORE_DATA"),
        (["reproduce", "figure2", "--only", "iris"], 1, "is not made on 'iris'"),
        (["reproduce", "oc1-forest", "--depth", "3"], 1, "has no depths to choose"),
        (["reproduce", "figure2", "--libsvm", "protein"], 2, "NAME=TRAIN,TEST"),
        (["reproduce", "figure2", "--libsvm", "protein=a,b"], 1, "there is no file a"),
        (["reproduce", "figure2", "--libsvm", "protein=a"], 1, "needs two files"),
        (["reproduce", "figure4", "--data", "bad"], 1, "is no NumPy archive"),
        (["results", "."], 1, "holds no finished reproduction"),
    ],
)
def test_bad_input_gets_one_sentence(words, code, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TREECORE_DATA", raising=False)
    Path("bad").mkdir()
    Path("bad/connect4.npz").write_bytes(b"PK\x03\x04 not what it says")
    said = shell(*words, code=code).stderr
    assert sentence in said
    assert "Traceback" not in said


def test_archives_must_have_their_arrays(tmp_path):
    np.savez(tmp_path / "mnist.npz", rows=np.zeros(3))
    with pytest.raises(TableError, match="must hold X_train"):
        Papers(tmp_path).load("mnist")


def test_without_matplotlib_one_sentence_says_what_to_install(data, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(FigureError, match=r"pip install 'treecore\[figures\]'"):
        reproduction("figure3", tmp_path / "out", data)
    assert not (tmp_path / "out").exists()

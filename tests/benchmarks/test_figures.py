"""Every figure of the papers, measured on small stand-ins of their data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from benchmarks import protocol
from benchmarks.data import Part
from benchmarks.published import published_values
from benchmarks.reproduce import (
    boosting,
    figure2,
    figure3,
    figure4,
    hinge_data,
    hinge_table2,
    hinge_table3,
    oc1_forest,
)
from benchmarks.reproduce.__main__ import FIGURES
from benchmarks.reproduce.drawing import as_png
from benchmarks.reproduce.figure import Setup
from benchmarks.reproduce.forest_models import (
    LIBRARIES,
    OURS,
    Curve,
    Model,
)
from treecore import RunConfig, Trainer
from treecore.selection import bound_search


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Quick made quicker still."""
    monkeypatch.setattr(protocol, "DRAWS", 1)
    monkeypatch.setattr(figure2, "QUICK_ROUNDS", 2)
    monkeypatch.setattr(figure2, "QUICK_EPOCHS", 2)
    monkeypatch.setattr(bound_search, "NUS", (43.0,))
    monkeypatch.setattr(figure3, "EPOCHS", 2)
    monkeypatch.setattr(figure4, "QUICK_SECONDS", 0.005)
    monkeypatch.setattr(hinge_table2, "QUICK_MOST", 50)
    monkeypatch.setattr(hinge_table3, "QUICK_SHARE", 500)
    monkeypatch.setattr(hinge_data, "TEST_HANDS", 300)
    monkeypatch.setattr(boosting, "LIBRARIES", {n: own[:1] for n, own in LIBRARIES.items()})
    monkeypatch.setattr(boosting, "QUICK_TREES", 2)
    monkeypatch.setattr(boosting, "QUICK_ROUNDS", 2)
    monkeypatch.setattr(oc1_forest, "QUICK_SEEDS", 1)
    monkeypatch.setattr(oc1_forest, "TENTHS", (3, 7))
    monkeypatch.setattr(oc1_forest, "QUICK_TREES", 4)


def measured(figure, data, datasets=None, depths=(2, 6)):
    """Table of a figure after all points of a quick reproduction; the picture is drawn as well."""
    datasets = [name for name in datasets or figure.datasets if data.load(name)]
    setup = Setup(data, tuple(datasets), quick=True, depths=depths if figure.depths else ())
    for key in figure.points(setup):
        setup.rows += [row | {"measured": "2026-11-26"} for row in figure.measure(key, setup)]
    rows = pd.DataFrame(setup.rows)
    picture = as_png(figure.size, figure.title, lambda canvas: figure.draw(canvas, rows))
    assert picture.startswith(b"\x89PNG")
    assert all(len(note) > 20 for note in figure.notes(setup))
    table = figure.table(rows)
    assert set(figure.digits) <= set(figure.titles)
    assert set(table) <= set(figure.titles) | set(rows)
    return table


def test_figure_2_has_a_tree_of_each_method_and_depth_beside_the_published_one(data):
    table = measured(FIGURES["figure2"], data, ["connect4"])
    assert len(table) == 12
    assert table["method"].value_counts().to_dict() == dict.fromkeys(figure2.COLOURS, 2)
    assert table["test"].between(0, 100).all()
    deep = table[(table["depth"] == 6) & (table["method"] == "Non-greedy")].iloc[0]
    assert deep["test_published"] == pytest.approx(72.7, abs=0.1)
    assert "SGD with ν 43" in deep["settings"] or deep["settings"] == "the CO2 tree"
    annealed = table[(table["depth"] == 6) & (table["method"] == "Annealed")].iloc[0]
    assert annealed["settings"].startswith(("random start", "axis start"))
    assert np.isnan(annealed["test_published"]), "the paper has none"
    assert table[table["depth"] == 2]["test_published"].isna().all(), "the paper starts at 6"


@pytest.mark.parametrize("method", figure2.BASELINES)
def test_a_greedy_tree_is_on_the_way_to_a_deeper_one(method, data):
    """One run gives the curve of all depths, to the last digit."""
    training, test = data.load("mnist")
    given = figure2.BASELINES[method]
    events = list(Trainer(RunConfig(**given, depth=5), *training, validation=test).events())
    for depth in (1, 3):
        *_, last = Trainer(RunConfig(**given, depth=depth), *training, validation=test).events()
        level = [event for event in events if event.done <= depth][-1]
        assert (level.accuracy, level.validation_accuracy, level.n_leaves) == (
            last.accuracy,
            last.validation_accuracy,
            last.n_leaves,
        )


def test_figure_3_counts_leaves_by_nu(data):
    table = measured(FIGURES["figure3"], data, depths=(3, 10))
    assert len(table) == 2 * 2 * len(figure3.QUICK_NU)
    assert (table["leaves"] <= table["start"]).all()
    assert table["start"].nunique() == 2
    paper = published_values("norouzi2015_figures")["figure3"]
    theirs = table[(table["depth"] == 10) & (table["nu"] == 100)]
    leaves = paper["active_leaves"]["10"][paper["nu"].index(100)]
    assert theirs["published"].tolist() == [leaves, leaves]
    assert theirs["start_published"].tolist() == [924, 924]
    assert table[table["depth"] == 3][["published", "start_published"]].isna().all(axis=None)


def test_figure_4_times_four_loops_at_every_depth(data):
    table = measured(FIGURES["figure4"], data)
    assert table["loop"].tolist() == [*figure4.LOOPS] * 2
    assert (table["microseconds"] > 0).all()
    epochs = figure4.EPOCHS * 160 / 1e6 * table["microseconds"]
    assert table["seconds"].tolist() == pytest.approx(epochs.tolist(), abs=0.06), "160 rows"
    published = table[table["depth"] == 6].set_index("loop")["published"].dropna()
    assert published.to_dict() == {"exact, textbook": 129, "fast, textbook": 138}


def test_the_tables_of_hinge_forests_have_the_published_errors_beside_ours(data):
    table = measured(FIGURES["hinge-table2"], data, ["abalone", "madelon"])
    assert len(table) == 3 * 3
    paper = published_values("hinge2018_tables")["table2"]
    values = dict(zip(hinge_table2.COLOURS, ("hinge_forest", "hinge_fern", "random_forest")))
    for line in table.itertuples():
        assert line.published == paper[line.problem][values[line.method]][0]
        assert line.test <= 1 if line.problem == hinge_table2.REGRESSION else line.test >= 0
    table = measured(FIGURES["hinge-table3"], data, ["letter", "usps"])
    assert table["published"].tolist() == [2.56, 2.78, 5.53, 5.64]
    assert (table["best"] <= table["test"]).all()


def test_the_candidate_of_least_validation_error_is_shown_beside_the_best_on_test_rows():
    shared = {"problem": "iris", "method": "hinge forest", "measured": "2026-11-26"}
    rows = [
        {**shared, "run": 0, "candidate": "a", "validation": 0.1, "test": 5.0},
        {**shared, "run": 0, "candidate": "b", "validation": 0.1, "test": 1.0},
        {**shared, "run": 1, "candidate": "a", "validation": 0.3, "test": 4.0},
        {**shared, "run": 1, "candidate": "b", "validation": 0.2, "test": 2.0},
    ]
    line = hinge_table2.table(pd.DataFrame(rows)).iloc[0]
    assert (line["test"], line["deviation"]) == (3.5, 1.5), "the first of equals, then b"
    assert (line["best"], line["settings"]) == (1.5, "b")


def test_boosting_has_a_curve_for_every_model(data):
    table = measured(FIGURES["boosting"], data, ["letter"])
    models = [model.name for model in (*OURS["letter"], LIBRARIES["letter"][0])]
    assert table["model"].tolist() == models
    assert (table["trees"] <= 2).all()
    assert table["error"].between(0, 100).all()


def test_curves_are_means_and_end_where_the_shortest_ends():
    seeds = pd.DataFrame(
        {
            "trees": [[1, 2, 3], [1, 2]],
            "error": [[9, 6, 3], [7, 4]],
            "seconds": [[1, 2, 3], [3, 4]],
        }
    )
    trees, error, seconds = boosting.mean_curve(seeds)
    assert (trees.tolist(), error.tolist(), seconds.tolist()) == ([1, 2], [8, 5], [2, 3])


def test_settings_of_forests_are_chosen_first_and_every_seed_learns_with_them(data, monkeypatch):
    def grow(settings, training, held, seed):
        return Curve(np.ones(1), np.array([9.0 - settings["n_trees"]]), np.ones(1))

    model = Model("boosted TAO", grow, tuple({"n_trees": n} for n in (1, 3, 2)))
    monkeypatch.setattr(boosting, "models", lambda dataset: {model.name: model})
    setup = Setup(data, ("letter",))
    keys = boosting.points(setup)
    assert [key["step"] for key in keys] == ["choice", "test", "test", "test"]
    for key in keys:
        setup.rows += boosting.measure(key, setup)
    assert [row.get("settings") for row in setup.rows] == [None] + 3 * ["n_trees=3"]


def test_settings_of_hinge_forests_are_chosen_first_and_by_kind(data, monkeypatch):
    def last_error(settings, training, held, seed):
        return settings["eta"] if settings["kind"] == "forest" else -settings["eta"]

    def errors_and_seconds(config, training, held, seed):
        return config.settings.eta, 0.0, 0.0

    monkeypatch.setattr(hinge_table3, "last_error", last_error)
    monkeypatch.setattr(hinge_table3, "errors_and_seconds", errors_and_seconds)
    setup = Setup(data, ("letter",))
    for key in hinge_table3.points(setup):
        setup.rows += hinge_table3.measure(key, setup)
    assert [row.get("test") for row in setup.rows] == [None, *[0.01] * 3, None, *[0.02] * 3]


def test_the_libraries_forests_give_curves():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 3))
    part = Part(X, X.argmax(axis=1))
    for model in LIBRARIES["digits"]:
        curve = model.grow(boosting.shorter(model.candidates[0]), part, part, 0)
        assert len(curve.trees) == len(curve.error) == len(curve.seconds) >= 1
        assert (np.diff(curve.trees) > 0).all()
        assert (np.diff(curve.seconds) > 0).all()
        assert (curve.error < 20).all()


def test_the_forests_of_the_slides_are_measured_on_the_same_divisions(data):
    table = measured(FIGURES["oc1-forest"], data)
    assert table["share"].tolist() == [0.3] * 3 + [0.7] * 3
    assert table["forest"].tolist() == [*oc1_forest.LOOKS] * 2
    assert (table["accuracy"] > 60).all()

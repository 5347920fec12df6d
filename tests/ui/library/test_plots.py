"""What the plots of a sweep are made of, published curves beside them, and a sweep as a file."""

import json
import tomllib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as hs

from tests.helpers.cases import examples
from tests.helpers.library import SMALL, do_sweep
from treecore.sweeps import read_rows
from ui.drawing.theme import LIGHT
from ui.language.translate import speaking
from ui.library.plots import plot_figure
from ui.library.published_curves import fitting, published
from ui.library.results_table import Dot, best_by_depth, frontier, table_of
from ui.library.sweep_form import as_toml

dots = hs.builds(
    lambda depth, nu, seed, good, leaves: Dot(
        f"{depth}{nu}{seed}",
        {"method": "sgd", "depth": depth, "nu": nu, "seed": seed},
        False,
        f"{depth} {nu}",
        good,
        leaves,
        1.0,
    ),
    hs.integers(1, 3),
    hs.sampled_from([1.0, 10.0]),
    hs.integers(0, 2),
    hs.floats(0, 1),
    hs.integers(1, 9),
)


@given(hs.lists(dots, max_size=12))
@examples(60)
def test_a_line_goes_through_the_best_settings_of_each_depth(runs):
    line = best_by_depth(runs, ("depth", "nu"))
    assert [mean.x for mean in line] == sorted({run.get("depth") for run in runs})
    for mean in line:
        means = [
            np.mean(values)
            for nu in (1.0, 10.0)
            if (values := [r.good for r in runs if (r.get("depth"), r.get("nu")) == (mean.x, nu)])
        ]
        assert mean.mean == pytest.approx(max(means))
        apart = {run.key: abs(run.good - mean.mean) for run in runs if run.get("depth") == mean.x}
        assert any(run.key == mean.nearest for run in runs)
        assert mean.n > 1 or apart[mean.nearest] == 0


@given(hs.lists(dots, max_size=12))
@examples(60)
def test_nothing_smaller_is_as_good_as_the_frontier(runs):
    best = frontier(runs)
    for one in best:
        assert not any(r.leaves <= one.leaves and r.good > one.good for r in runs)
        assert not any(r.leaves < one.leaves and r.good >= one.good for r in runs)
    for run in runs:
        assert any(one.leaves <= run.leaves and one.good >= run.good for one in best)


def test_rows_that_make_no_sense_are_left_out(folders):
    rows = list(read_rows(do_sweep(folders, "one")).values())
    entire = table_of(rows)
    assert len(entire.dots) == len(rows) == 12
    assert entire.varying[:3] == ("method", "depth", "nu")
    bad = [
        {},
        {**rows[0], "settings": "no JSON"},
        {**rows[0], "settings": "[]"},
        {**rows[0], "key": "../../secret"},
        {**rows[0], "validation_accuracy": None},
        {**rows[0], "validation_accuracy": float("nan")},
        {**rows[0], "validation_accuracy": "all"},
        {**rows[0], "settings": json.dumps({"method": "none"})},
    ]
    assert table_of(rows + bad).dots == entire.dots
    failed = table_of([{**rows[0], "error": "too few rows"}])
    assert failed.dots == ()
    assert failed.failed == ((rows[0]["method"], "too few rows"),)


@pytest.mark.parametrize("plot", ["depth", "nu", "size", "time"])
def test_every_run_of_a_plot_can_be_clicked(folders, plot):
    table = table_of(list(read_rows(do_sweep(folders, "one")).values()))
    wanted = [dot.key for dot in table.dots if plot != "nu" or dot.get("nu") is not None]
    chosen = wanted[-1]
    figure = plot_figure(plot, table, [], chosen, LIGHT)
    keys = {"markers": [], "lines+markers": []}  # of dots, and of means
    for trace in figure.data:
        if trace.customdata is not None:
            keys[trace.mode] += trace.customdata
    assert sorted(keys["markers"]) == sorted(wanted)
    assert set(keys["lines+markers"]) <= set(wanted)
    ringed = figure.data[-1]
    assert ringed.hoverinfo == "skip"
    (own,) = [
        trace
        for trace in figure.data
        if trace.mode == "markers" and chosen in (trace.customdata or ())
    ]
    at = own.customdata.index(chosen)
    assert (ringed.x[0], ringed.y[0]) == (own.x[at], own.y[at])


@pytest.mark.parametrize(
    ("data", "dataset"),
    [("mnist_784", "MNIST"), ("connect-4", "Connect4"), ("SensIT", "SensIT"), ("spirals", None)],
)
def test_published_curves_are_those_of_the_same_data(data, dataset):
    assert fitting("depth", data) == dataset


def test_published_values_are_what_the_files_say():
    curves = {curve.name: curve for curve in published("depth")["MNIST"]}
    assert dict(zip(*(curves["Non-greedy"].x, curves["Non-greedy"].y), strict=True))[18] == 0.8994
    assert curves["TAO"].y == (0.9505,)
    assert published("size") == {}


def test_a_sweep_as_text_is_the_same_sweep():
    assert tomllib.loads(as_toml(SMALL)) == SMALL


def test_the_settings_of_a_run_are_named_in_the_language_of_the_page():
    run = Dot("k", {"method": "sgd", "depth": 7, "nu": 10.0, "seed": 1}, False, "c", 1, 2, 3)
    names = ["method", "depth", "nu", "seed"]
    assert run.settings_text(names) == "Non-greedy SGD, depth 7, ν 10, seed 1"
    with speaking("de"):
        assert run.settings_text(names) == "Nicht-greedy SGD, Tiefe 7, ν 10, Startwert 1"

"""What the plots of a sweep are made of, and the published curves beside them."""

from __future__ import annotations

import json
import time
import tomllib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as hs

from tests.helpers.experiments import SMALL, compiled, do_sweep, folders
from treecore import RunConfig
from treecore.sweeps import read_rows, read_spec
from ui.experiments_figures import plot_figure
from ui.experiments_form import as_toml
from ui.experiments_published import fitting, published
from ui.experiments_rows import Dot, best_by_depth, frontier, table_of
from ui.experiments_trial import Trials
from ui.step_paint import LIGHT

__all__ = ["compiled", "folders"]  # fixtures
pytest.importorskip("pyarrow")

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
@settings(max_examples=60, deadline=None)
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


@given(hs.lists(dots, max_size=12))
@settings(max_examples=60, deadline=None)
def test_nothing_smaller_is_as_good_as_the_frontier(runs):
    best = frontier(runs)
    for one in best:
        assert not any(r.leaves <= one.leaves and r.good > one.good for r in runs)
        assert not any(r.leaves < one.leaves and r.good >= one.good for r in runs)
    for run in runs:
        assert any(one.leaves <= run.leaves and one.good >= run.good for one in best)


def test_rows_that_make_no_sense_are_left_out(folders):
    rows = list(read_rows(do_sweep(folders, "one")).values())
    whole = table_of(rows)
    assert len(whole.dots) == len(rows) == 10
    assert whole.varying[:3] == ("method", "depth", "nu")
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
    assert table_of(rows + bad).dots == whole.dots
    failed = table_of([{**rows[0], "error": "too few rows"}])
    assert failed.dots == ()
    assert failed.failed == ((rows[0]["method"], "too few rows"),)


@pytest.mark.parametrize("plot", ["depth", "nu", "size", "time"])
def test_every_run_of_a_plot_can_be_clicked(folders, plot):
    table = table_of(list(read_rows(do_sweep(folders, "one")).values()))
    wanted = [dot.key for dot in table.dots if plot != "nu" or dot.get("nu") is not None]
    chosen = wanted[-1]
    figure = plot_figure(plot, table, [], chosen, LIGHT)
    keys = [
        key for trace in figure.data if trace.customdata is not None for key in trace.customdata
    ]
    assert sorted(keys) == sorted(wanted)
    ringed = figure.data[-1]
    assert ringed.hoverinfo == "skip"
    (own,) = [t for t in figure.data if t.customdata is not None and chosen in t.customdata]
    at = list(own.customdata).index(chosen)
    assert (ringed.x[0], ringed.y[0]) == (own.x[at], own.y[at])


def test_a_trial_tells_how_long_runs_take():
    data = read_spec(SMALL).data
    axis, sgd = RunConfig("axis", depth=2), RunConfig("sgd", depth=2, epochs=2000)
    own, end = Trials(), time.monotonic() + 60
    while (seconds := own.seconds(data, [axis, sgd, sgd])) is None:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert 0 < own.seconds(data, [axis]) < own.seconds(data, [sgd])
    assert seconds == own.seconds(data, [axis]) + 2 * own.seconds(data, [sgd])
    assert own.seconds(data, [sgd.replace(seed=3, nu=2)]) == own.seconds(data, [sgd])
    gone = read_spec({**SMALL, "data": {"name": "gone.csv"}}).data
    while (seconds := own.seconds(gone, [axis])) is None:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert np.isnan(seconds)


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

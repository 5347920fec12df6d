"""What a method's settings begin with on a dataset, and what of them stays when it changes."""

from __future__ import annotations

import pytest

from benchmarks.defaults import play, score
from treecore import RunConfig
from treecore.data.generators import GENERATORS
from treecore.training.registry import TREES
from ui.widgets.data.picker import FILES
from ui.widgets.data_defaults import DEFAULTS, usual_note, usual_settings


def test_the_table_names_data_methods_and_settings_that_there_are():
    for data, methods in DEFAULTS.items():
        assert data in GENERATORS or data in FILES
        for method, settings in methods.items():
            RunConfig(method, **settings)
            usual = {s.name: s.default for s in TREES[method].definitions()}
            assert settings == {n: v for n, v in settings.items() if v != usual[n]}
            assert usual_settings(data, method) == settings
            assert usual_note(data, method)
    assert usual_note("moons", "sgd") == ""


@pytest.mark.parametrize("data", [data for data, own in DEFAULTS.items() if "sgd" in own])
def test_sgd_learns_with_the_defaults_for_the_data(data):
    _, events = play(data, "sgd", usual_settings(data, "sgd"), seed=0)
    assert events[-1].loss < 0.95 * events[0].loss
    assert score(events[-1]) > score(events[0])

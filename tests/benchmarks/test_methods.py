"""Every method as it comes: a row has its figures, and every method has its rows."""

from benchmarks.methods import DATA, PAGE, SEEDS, measure
from treecore.training.registry import METHODS


def test_every_method_has_a_row_for_all_data():
    assert set(PAGE.rows()) == {(method, data) for method in METHODS for data in DATA}


def test_a_row_has_all_figures():
    accuracy, deviation, leaves, seeds = map(float, measure("axis", "stripes"))
    assert 0.5 < accuracy / 100 <= 1
    assert 0 <= deviation < 50
    assert 2 <= leaves <= 2**6
    assert seeds == SEEDS

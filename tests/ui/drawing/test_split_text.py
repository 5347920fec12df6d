"""Splits in words."""

import numpy as np
import pytest

from treecore.core.tree import make_tree
from treecore.inspection.counterfactual import Counterfactual
from ui.drawing.split_text import question_text, split_text
from ui.inspect.change_tab import changes_text


@pytest.mark.parametrize(
    ("terms", "n_terms", "reported"),
    [
        ([("width", 1.0)], 1, "width > 0.123"),
        ([("width", 2.0)], 1, "+2·width > 0.123"),
        ([("width", 1.0), ("height", -0.25)], 2, "+1·width −0.25·height > 0.123"),
        ([("width", 1.0)], 3, "+1·width and 2 more > 0.123"),
        ([], 0, "0 > 0.123"),
    ],
)
def test_a_question_names_features_and_counts_the_rest(terms, n_terms, reported):
    assert question_text(terms, n_terms, 0.12345) == reported


@pytest.mark.parametrize(
    ("threshold", "reported"),
    [(1584.6, "1585"), (999.7, "1000"), (99.96, "100"), (-123456.7, "−123457"), (2.5e6, "2.5e+06")],
)
def test_numbers_below_a_million_are_written_out(threshold, reported):
    assert question_text([("a", 1.0)], 1, threshold) == f"a > {reported}"


def test_numbers_have_as_many_digits_as_asked_for():
    assert question_text([("a", 1.23456)], 1, -0.12345, digits=4) == "+1.235·a > −0.1235"


def test_a_cut_says_that_it_sends_missing_values_right_where_they_have_sides_of_their_own():
    cut = np.empty((0, 1)), [2.0], [0], [-1], [~0], [~1], [[0.0], [1.0]]
    for sides, reported in (
        (None, "age > 2"),
        ([True], "age > 2"),
        ([False], "age > 2 or missing"),
    ):
        tree = make_tree(*cut, missing_left=sides)
        assert split_text(tree, 0, ["age"], [""]) == reported


def test_a_change_has_the_digits_that_show_it():
    found = Counterfactual(np.array([0.24812]), 0.5, 1, np.array([0]))
    reported = "age from 0.24809 to 0.24812"
    assert changes_text(["age"], [""], np.array([0.24809]), found, 3) == reported

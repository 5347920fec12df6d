"""Splits in words."""

import numpy as np
import pytest

from treecore import Forest
from treecore.core.tree import make_tree
from treecore.inspection.counterfactual import counterfactual
from treecore.persistence import Document
from ui.drawing.split_text import question_text, split_text
from ui.inspect.change_tab import changes_text
from ui.inspect.charts import largest


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
    [
        (1584.6123, "1585"),
        (999.71234, "1000"),
        (99.961234, "100"),
        (-123456.789, "−123457"),
        (2.5e6, "2.5e+06"),
        (101.5, "101.5"),
        (-2019.5, "−2019.5"),
        (41.15, "41.15"),
    ],
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


@pytest.mark.parametrize(
    ("threshold", "before", "after"),
    [
        (0.2, 0.19999, "0.2 to **0.201**"),
        (41.5, 31, "31 to **41.6**"),
        (41.5, 51, "51 to **41.5**"),
        (0.44666, 0.1, "0.1 to **0.448**"),
        (101.07, 101, "101 to **102**"),
    ],
)
def test_a_change_lies_beyond_its_split_as_both_are_written(threshold, before, after):
    tree = make_tree(np.empty((0, 1)), [threshold], [0], [-1], [~0], [~1], [[1.0, 0], [0, 1.0]])
    x, document = np.array([before]), Document(tree, ["age"], ["a", "b"])
    found = counterfactual(tree, x, int(before < threshold))
    assert changes_text(document, tree, x, found) == f"age from {after}"


def test_a_change_between_two_splits_of_a_forest_that_are_written_alike_has_few_digits():
    sides = [[1.0, 0], [0, 1.0]]
    trees = [
        make_tree(np.empty((0, 1)), [at], [0], [-1], [~0], [~1], values)
        for at, values in ((-0.1524363, sides), (-0.1518246, sides[::-1]))
    ]
    forest, x = Forest(trees, [1.0, 1.0], "shares"), np.array([-0.1475013])
    found = counterfactual(forest, x, 1, background=[[-0.152]])
    told = changes_text(Document(forest, ["age"], ["a", "b"]), forest, x, found)
    assert told == "age from −0.148 to **−0.152**"


def test_others_are_counted_where_there_are_two_at_least():
    for n, last in ((12, "11"), (13, "12"), (14, "2 others together")):
        assert largest([str(j) for j in range(n)], np.linspace(2, 1, n))[0][-1] == last

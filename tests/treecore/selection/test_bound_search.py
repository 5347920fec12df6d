"""The paper's pipeline: its start is a candidate, and stays where nothing is clearly better."""

import numpy as np
import pytest

from tests.helpers.same import assert_same
from treecore.core.tree import tree_depth
from treecore.data.generators import generate
from treecore.losses.metrics import evaluate
from treecore.selection import (
    TeacherQuestion,
    bound_contest,
    bound_search,
    bound_summary,
    choose_tree,
)
from treecore.selection.lesson import TeacherLesson


@pytest.fixture(autouse=True)
def few_pairs(monkeypatch):
    monkeypatch.setattr(bound_search, "NUS", (0.01, 43.0))
    monkeypatch.setattr(bound_search, "ETAS", (0.1,))


def question(name, size=200, seed=0):
    """The question to the points of a generator."""
    table = generate(name, size, seed=seed)
    return TeacherQuestion.of(table, "log" if table.n_classes else "squared", "none", seed)


@pytest.mark.parametrize("name", ["xor", "hill"])
def test_the_choice_is_one_of_the_candidates_and_says_what_its_start_has(name):
    tree, decision, _ = choose_tree(question(name), contest=bound_contest(3, 5))
    assert tree_depth(tree) <= 3
    assert decision.candidates[0].name == "co2"
    assert len(decision.candidates) == 1 + 2 * 2
    assert decision.score_text(decision.candidates[0]) in bound_summary(decision)


def test_margins_that_are_too_wide_lose_against_the_start(monkeypatch):
    """At a tiny nu the bound is loose, and joint learning cannot keep what CO2 has learnt."""
    monkeypatch.setattr(bound_search, "NUS", (0.01,))
    requested = question("spirals", 300)
    tree, decision, _ = choose_tree(requested, contest=bound_contest(4, 5))
    assert decision.chosen == "co2"
    start = TeacherLesson.of(requested).grown("co2", 4)
    assert_same(tree, start._replace(missing=tree.missing))
    assert bound_summary(decision).startswith("The CO2 tree stays, ")


def test_joint_learning_is_taken_where_it_is_clearly_better(rng):
    """A shallow CO2 tree of a chessboard's corner is far from what all splits together reach."""
    X = rng.uniform(-1, 1, size=(400, 2)).astype(np.float32)
    y = ((X[:, 0] > 0) ^ (X[:, 1] > 0)).astype(np.int64)
    requested = TeacherQuestion(X, y, None, "log", "none", 2, 0)
    tree, decision, _ = choose_tree(requested, contest=bound_contest(2, 40))
    start = TeacherLesson.of(requested).grown("co2", 2)
    assert decision.best.method in bound_search.METHODS
    assert evaluate(tree, X, y).accuracy > evaluate(start, X, y).accuracy
    assert " from the CO2 tree, the best of 4 pairs: " in bound_summary(decision)


def test_too_few_rows_keep_the_start():
    decision = choose_tree(question("xor", 10), contest=bound_contest(2, 5)).decision
    assert decision.chosen == "co2"
    assert "too few rows" in bound_summary(decision)

"""Splits in words."""

from __future__ import annotations

import pytest

from ui.drawing.split_text import question_text


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


def test_numbers_have_as_many_digits_as_asked_for():
    assert question_text([("a", 1.23456)], 1, -0.12345, digits=4) == "+1.235·a > −0.1235"

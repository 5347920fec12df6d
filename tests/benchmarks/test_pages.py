"""Pages of results: rows that a piece of a measurement does not renew stay as they are."""

from benchmarks import (
    accuracy,
    budgets,
    compiling,
    hinge,
    inference,
    methods,
)
from benchmarks.pages import Page, today


def page(path):
    return Page(path, "Times", "Written by `python -m benchmarks.times`.", ("what", "at", "s"), 2)


def test_a_row_takes_the_place_of_the_one_of_its_keys(tmp_path):
    times = page(tmp_path / "times.md")
    for row in (("a", 1, 5), ("b", 1, 6), ("a", 2, 7), ("a", 1, 8)):
        times.keep(*row)
    found = times.rows()
    day = today()
    assert list(found.values()) == [
        ("a", "1", "8", day),
        ("b", "1", "6", day),
        ("a", "2", "7", day),
    ]
    assert times.path.read_text(encoding="utf-8") == times.text(found)


def test_pages_in_the_repository_are_as_their_commands_write_them():
    for there in (
        accuracy.PAGE,
        budgets.PAGE,
        compiling.PAGE,
        hinge.SPEED_PAGE,
        inference.PAGE,
        methods.PAGE,
    ):
        assert there.path.read_text(encoding="utf-8") == there.text(there.rows()), there.path
        assert there.rows()

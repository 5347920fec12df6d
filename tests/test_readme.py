"""What the README and the pages it leads to promise."""

import re
from pathlib import Path

import pytest

from tests.helpers.paths import ROOT

README = ROOT / "README.md"
LIBRARY = ROOT / "docs/library.md"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


def examples(path: Path) -> list[str]:
    """The programs that a page shows."""
    return re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.fixture(scope="module")
def names():
    """What the README's programs leave behind, run one after another as a reader would."""
    found: dict = {}
    for program in examples(README):
        exec(program, found)
    return found


def test_the_estimator_is_searched_and_written(names):
    assert names["best"].score(names["X_test"], names["y_test"]) >= 0.94
    assert names["best"].get_params()["depth"] == 8
    again = type(names["best"]).from_json(names["text"])
    assert (again.predict(names["X_test"]) == names["best"].predict(names["X_test"])).all()


def test_the_door_opens_and_a_tree_learns(names):
    assert names["event"].done == 200
    assert names["accuracy"] >= 0.94


def test_forests_learn_as_the_library_shows(names):
    boosted, family = examples(LIBRARY)
    exec(boosted, names)
    assert names["forest"].score(names["X_test"], names["y_test"]) >= 0.98
    exec(family, names)
    assert names["forest"].n_trees == 20
    assert (names["forest"].predict(names["X_test"]) == names["y_test"]).mean() >= 0.9


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    paths = re.findall(r"\]\((?!http)([^)#]+)\)", page.read_text(encoding="utf-8"))
    assert [path for path in paths if not (page.parent / path).exists()] == []


def test_make_knows_the_targets():
    targets = {
        target
        for page in PAGES
        for target in re.findall(r"`make ([a-z-]+)`", page.read_text(encoding="utf-8"))
    }
    known = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert targets
    assert targets <= known

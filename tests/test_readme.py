"""What the README promises."""

import re

import pytest
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from tests.helpers.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


DOOR, ESTIMATOR, BOOSTED, FAMILY = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


@pytest.fixture
def names():
    """What the first example leaves to the others: the digits, in two parts."""
    X, X_test, y, y_test = train_test_split(*load_digits(return_X_y=True), random_state=0)
    return {"X": X, "X_test": X_test, "y": y, "y_test": y_test}


def test_the_door_opens_and_a_tree_learns(names, capsys):
    found = {}
    exec(DOOR, found)
    assert all((found[name] == part).all() for name, part in names.items())
    assert found["accuracy"] >= 0.94
    assert "sgd 200: bound" in capsys.readouterr().out


def test_the_estimator_is_searched_and_written(names):
    exec(ESTIMATOR, names)
    assert names["best"].score(names["X_test"], names["y_test"]) >= 0.94
    assert names["best"].get_params()["depth"] == 8
    again = type(names["best"]).from_json(names["text"])
    assert (again.predict(names["X_test"]) == names["best"].predict(names["X_test"])).all()


def test_the_boosted_trees_learn(names):
    exec(BOOSTED, names)
    assert names["forest"].score(names["X_test"], names["y_test"]) >= 0.98


def test_any_family_goes_through_the_door(names):
    exec(FAMILY, names)
    assert names["forest"].n_trees == 20
    assert (names["forest"].predict(names["X_test"]) == names["y_test"]).mean() >= 0.9


def test_links_lead_somewhere():
    paths = re.findall(r"\]\((?!http)([^)]+)\)", README)
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_make_knows_the_targets():
    targets = set(re.findall(r"make ([a-z-]+)(?: |`)", README))
    known = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert targets
    assert targets <= known

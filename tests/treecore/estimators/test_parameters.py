"""Signatures, docstrings and the tables of settings say the same of every parameter."""

from __future__ import annotations

import dataclasses
import inspect
import re

import pytest

from treecore import (
    HingeForestClassifier,
    HingeForestRegressor,
    ObliqueTreeClassifier,
    ObliqueTreeRegressor,
)
from treecore.estimators.parameter_docs import MARK
from treecore.learners.hinge import HingeSettings

DOCUMENTED = (ObliqueTreeClassifier, HingeForestClassifier)


def sections(estimator):
    """The parameters that a docstring explains: name to type, and name to text without breaks."""
    text = inspect.getdoc(estimator)
    text = text[text.index("Parameters\n") : text.index("Attributes\n")]
    entries = re.findall(r"^(\w+) : (.+)\n((?: {4}.*\n)*)", text, re.M)
    kinds = {name: kind for name, kind, _ in entries}
    assert len(kinds) == len(entries), "a parameter is explained twice"
    return kinds, {name: " ".join(lines.split()) for name, _, lines in entries}


@pytest.mark.parametrize("estimator", DOCUMENTED)
def test_every_parameter_is_explained_and_nothing_else(estimator):
    kinds, _ = sections(estimator)
    assert set(kinds) == set(inspect.signature(estimator).parameters)
    assert MARK not in estimator.__doc__
    assert max(map(len, estimator.__doc__.splitlines())) <= 100


@pytest.mark.parametrize(
    ("other", "documented"),
    [(ObliqueTreeRegressor, ObliqueTreeClassifier), (HingeForestRegressor, HingeForestClassifier)],
)
def test_what_only_the_regressor_has_is_explained_there(other, documented):
    only = set(inspect.signature(other).parameters) - set(inspect.signature(documented).parameters)
    assert only == ({"loss"} if other is ObliqueTreeRegressor else set())
    assert all(f"{name} : " in other.__doc__ for name in only)


def test_a_parameter_of_hinge_forests_has_the_type_and_the_words_of_its_setting():
    annotations = {field.name: field.type for field in dataclasses.fields(HingeForestClassifier)}
    kinds, texts = sections(HingeForestClassifier)
    for setting in HingeSettings.definitions():
        if setting.name == "batches":
            assert annotations["batches"].replace("|", "or") == kinds["batches"] == "int or None"
            continue
        assert annotations[setting.name] == kinds[setting.name] == type(setting.default).__name__
        assert " ".join(setting.help.split()) in texts[setting.name]

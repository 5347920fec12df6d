"""Signatures and docstrings say the same of every parameter."""

import inspect
import re

import pytest

import treecore

NAMES = [name for name in treecore.__all__ if name.endswith(("Classifier", "Regressor"))]
ESTIMATORS = [getattr(treecore, name) for name in NAMES]
ELSEWHERE = {
    "ObliqueTreeRegressor": "ObliqueTreeClassifier",
    "ObliqueForestRegressor": "ObliqueForestClassifier",
}
"""Docstrings that say where their parameters are explained, but for those that are theirs alone."""


def explained(estimator) -> list[str]:
    """The parameters that a docstring explains."""
    text = inspect.getdoc(estimator)
    if "Parameters\n---" not in text:
        return []
    text = text[text.index("Parameters\n---") :]
    lines = re.findall(r"^(\w+(?:, \w+)*)(?: : .+)?\n {4}", text.partition("\nAttributes")[0], re.M)
    return [name for line in lines for name in line.split(", ")]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_parameter_is_explained_once_and_nothing_else(estimator):
    names = explained(estimator)
    assert len(names) == len(set(names))
    elsewhere = ELSEWHERE.get(estimator.__name__)
    if elsewhere:
        names += explained(getattr(treecore, elsewhere))
        assert set(inspect.signature(estimator).parameters) <= set(names)
    else:
        assert set(names) == set(inspect.signature(estimator).parameters)
    assert max(map(len, estimator.__doc__.splitlines())) <= 100


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_no_estimator_has_more_than_24_and_all_but_the_first_are_named(estimator):
    parameters = list(inspect.signature(estimator).parameters.values())
    assert len(parameters) <= 24
    assert all(one.kind is inspect.Parameter.KEYWORD_ONLY for one in parameters[1:])

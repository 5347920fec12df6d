"""What estimators cannot learn from or be set to: one sentence that names what the caller gave."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest

from treecore import (
    AxisTreeClassifier,
    AxisTreeRegressor,
    BoostedTreeClassifier,
    HingeForestClassifier,
    HingeForestRegressor,
    ObliqueForestClassifier,
    ObliqueForestRegressor,
)

TREE = AxisTreeClassifier(max_depth=2)
STOPPING = AxisTreeClassifier(max_depth=2, early_stopping=True)
NUMBERS = AxisTreeRegressor(max_depth=2)
HINGE = {"n_estimators": 3, "depth": 2, "batches": 20, "n_features": 4}
CLASSIFIERS = (
    TREE,
    ObliqueForestClassifier(TREE, n_estimators=2),
    BoostedTreeClassifier(TREE, n_estimators=2),
    HingeForestClassifier(**HINGE),
)
REGRESSORS = (
    NUMBERS,
    ObliqueForestRegressor(NUMBERS, n_estimators=2),
    HingeForestRegressor(**HINGE),
)
X = np.random.default_rng(0).standard_normal((40, 3))
Y = (X[:, 0] + X[:, 1] > 0).astype(int)


def copy_of(estimator, /, **changes):
    return type(estimator)(**estimator.get_params(deep=False) | changes)


def sentence(estimator, X, y, weight=None) -> str:
    """What fitting says; not a warning, and nothing but a ValueError."""
    with pytest.raises(ValueError, match=r"^[^\n]+$") as caught:
        copy_of(estimator).fit(X, y, sample_weight=weight)
    return str(caught.value)


@pytest.mark.parametrize("estimator", CLASSIFIERS)
def test_labels_of_several_kinds_have_no_order(estimator):
    for labels in (["a", 1] * 20, np.array(["a", 1] * 20, dtype=object)):
        assert "labels of several kinds" in sentence(estimator, X, labels)
    for missing, kind in itertools.product((None, pd.NA, np.nan), (None, object, "string")):
        labels = pd.Series(["a", missing] * 20, dtype=kind)
        assert "y holds missing values: leave out" in sentence(estimator, X, labels)


DAYS = pd.date_range("2024-01-01", periods=40)


@pytest.mark.parametrize("estimator", CLASSIFIERS + REGRESSORS)
@pytest.mark.parametrize(
    "column",
    [DAYS, DAYS.tz_localize("UTC"), DAYS - DAYS[0], DAYS.date, pd.Categorical(["u", "v"] * 20)],
    ids=["dates", "zoned", "spans", "objects", "words"],
)
def test_a_column_that_is_no_number_is_named(estimator, column):
    frame = pd.DataFrame({"a": X[:, 0], "odd": column})
    y = Y if estimator in CLASSIFIERS else X[:, 0]
    if isinstance(column, pd.TimedeltaIndex):  # all others are read, see test_words
        assert "column 'odd' of X holds" in sentence(estimator, frame, y)
    fitted = copy_of(estimator).fit(frame.assign(odd=X[:, 1]), y)
    with pytest.raises(ValueError, match="column 'odd' of X holds"):
        fitted.predict(frame)


@pytest.mark.parametrize("estimator", CLASSIFIERS + REGRESSORS)
def test_bad_numbers_are_told(estimator):
    y = Y if estimator in CLASSIFIERS else X[:, 0]
    for value, reported in ((np.inf, "infinity"), (-1e300, "write NaN for a missing value")):
        spoilt = X.copy()
        spoilt[3, 1] = value
        assert reported in sentence(estimator, spoilt, y)
    for weight, reported in (
        (np.zeros(40), "non-zero"),
        (-np.ones(40), "Negative"),
        (np.r_[np.nan, np.ones(39)], "NaN"),
        (np.full(40, 1e308), "overflow"),
    ):
        assert reported in sentence(estimator, X, y, weight)


@pytest.mark.parametrize(
    ("estimator", "changes", "message"),
    [
        (CLASSIFIERS[0], {"callbacks": [3]}, "callbacks=.* must be a list of callables"),
        (CLASSIFIERS[1], {"callbacks": 5}, "callbacks=5 must be a list of callables"),
        (CLASSIFIERS[3], {"callbacks": [print, "x"]}, "callbacks=.* must be a list of callables"),
        (CLASSIFIERS[0], {"random_state": -1}, "random_state=-1 must be a whole number from 0"),
        (CLASSIFIERS[1], {"random_state": 2**32}, "random_state=4294967296 must be"),
        (CLASSIFIERS[3], {"random_state": -1}, "random_state=-1 must be a whole number from 0"),
        (CLASSIFIERS[3], {"warm_start": "a"}, "warm_start='a' must be True or False"),
        (CLASSIFIERS[1], {"bootstrap": 1}, "bootstrap=1 must be True or False"),
        (CLASSIFIERS[1], {"n_estimators": 10**9}, "n_estimators=1000000000 must be between"),
        (CLASSIFIERS[2], {"n_estimators": 1.5}, "n_estimators=1.5 must be a whole number"),
        (CLASSIFIERS[2], {"max_features": "sqrt"}, "max_features='sqrt' must be a number"),
        (CLASSIFIERS[0], {"class_weight": {0: np.nan}}, "class_weight holds nan"),
        (CLASSIFIERS[3], {"class_weight": {0: -1}}, "class_weight holds -1, and must hold numb"),
        (CLASSIFIERS[3], {"class_weight": {9: 1}}, "class_weight names 9, which is none of"),
        (CLASSIFIERS[3], {"class_weight": "x"}, "class_weight='x' must be a dict"),
        (CLASSIFIERS[3], {"depth": 0}, "depth=0 must be between 1 and"),
        (CLASSIFIERS[1], {"estimator": TREE, "class_weight": {0: -1}}, "class_weight holds"),
        (CLASSIFIERS[1], {"estimator": "cart"}, "there is no method 'cart'"),
        (CLASSIFIERS[1], {"estimator": NUMBERS}, "must be the name of a method or an estimator"),
        (CLASSIFIERS[1], {"estimator": STOPPING}, "is for single trees"),
        (CLASSIFIERS[1], {"max_features": 0}, "max_features=0 must be between"),
        (CLASSIFIERS[1], {"max_samples": 2.0}, "max_samples=2.0 must be between"),
        (CLASSIFIERS[1], {"oob_score": True, "bootstrap": False}, "set bootstrap to True"),
        (CLASSIFIERS[2], {"algorithm": "logit"}, 'must be "samme" or "adaboost-m1"'),
    ],
)
def test_a_wrong_parameter_is_told_by_its_own_name(estimator, changes, message):
    assert re.search(message, sentence(copy_of(estimator, **changes), X, Y))

"""Tables of other libraries than pandas: Arrow's, and Polars' where it is installed."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from treecore import (
    AxisTreeClassifier,
    AxisTreeRegressor,
    BoostedTreeClassifier,
    HingeForestClassifier,
    ObliqueForestRegressor,
    SGDTreeClassifier,
)

RNG = np.random.default_rng(0)
NUMBERS = RNG.standard_normal((80, 3)).round(2)
NAMES = ["a", "b", "c"]
CLASSES = np.where(NUMBERS[:, 0] > NUMBERS[:, 1], "p", "q")


def arrow(X, y):
    return pa.table(dict(zip(NAMES, X.T))), pa.array(y)


def polars(X, y):
    library = pytest.importorskip("polars")
    return library.DataFrame(X, schema=NAMES), library.Series("y", y)


@pytest.mark.parametrize("table", [arrow, polars])
@pytest.mark.parametrize(
    "model",
    [
        SGDTreeClassifier(depth=2, epochs=3, random_state=0),
        BoostedTreeClassifier(AxisTreeClassifier(max_depth=2), n_estimators=2, random_state=0),
        HingeForestClassifier(depth=2, random_state=0),
        AxisTreeRegressor(max_depth=3, random_state=0),
        ObliqueForestRegressor(AxisTreeRegressor(max_depth=3), n_estimators=2, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_table_is_learnt_from_and_answered_as_in_pandas(model, table):
    y = NUMBERS[:, 2] if "Regressor" in type(model).__name__ else CLASSES
    X, target = table(NUMBERS, y)
    frame = pd.DataFrame(NUMBERS, columns=NAMES)
    expected, score = model.fit(frame, y).predict(frame[:20]), model.score(frame, y)
    found = model.fit(X, target)
    assert found.feature_names_in_.tolist() == NAMES
    np.testing.assert_array_equal(found.predict(table(NUMBERS[:20], y[:20])[0]), expected)
    assert found.score(X, target) == score


@pytest.mark.parametrize("table", [arrow, polars])
def test_columns_in_another_order_are_refused(table):
    model = AxisTreeClassifier(max_depth=2).fit(*table(NUMBERS, CLASSES))
    turned = table(NUMBERS, CLASSES)[0].select(NAMES[::-1])
    with pytest.raises(ValueError, match="feature names"):
        model.predict(turned)


def test_whole_numbers_truth_values_and_categories_may_be_missing():
    plain = pd.DataFrame({"a": NUMBERS[:, 0].round(), "b": NUMBERS[:, 1] > 0, "c": NUMBERS[:, 2]})
    plain = plain.astype(float)
    plain.iloc[::7, :2] = np.nan
    typed = plain.astype({"a": "Int64", "b": "boolean", "c": "category"})
    expected = AxisTreeClassifier(max_depth=3).fit(plain, CLASSES).predict(plain)
    found = AxisTreeClassifier(max_depth=3).fit(typed, CLASSES).predict(typed)
    np.testing.assert_array_equal(found, expected)

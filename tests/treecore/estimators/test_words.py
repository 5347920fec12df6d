"""Words, categories, dates, labels and numbers of every type, in tables handed to estimators."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from treecore import (
    AxisTreeClassifier,
    AxisTreeRegressor,
    BoostedTreeClassifier,
    HingeForestClassifier,
    HingeForestRegressor,
    ObliqueForestClassifier,
    ObliqueForestRegressor,
    SGDTreeClassifier,
)

N = 60
STEPS = np.arange(N)
FRAME = pd.DataFrame(
    {
        "colour": np.array(["red", "blue", "green, dark"])[STEPS % 3],
        "size": STEPS % 7 / 2,
        "when": pd.Series(pd.date_range("2020-01-01", periods=N)).where(STEPS % 5 > 0),
        "sort": pd.Categorical(np.array(["u", "v"])[STEPS % 2]),
        "well": pd.array(STEPS % 4 > 1, dtype="boolean"),
    }
)
WARM = np.where((FRAME.colour == "red") & (FRAME["size"] > 1), "warm", "cold")
ESTIMATORS = [
    AxisTreeClassifier(max_depth=4, random_state=0),
    SGDTreeClassifier(depth=2, epochs=3, random_state=0),
    AxisTreeClassifier(max_depth=2, leaf="linear", random_state=0),
    AxisTreeRegressor(max_depth=2, leaf="linear", random_state=0),
    ObliqueForestClassifier("axis", n_estimators=2, random_state=0),
    ObliqueForestRegressor("axis", n_estimators=2, random_state=0),
    BoostedTreeClassifier(AxisTreeClassifier(max_depth=2), n_estimators=2, random_state=0),
    HingeForestClassifier(depth=2, n_estimators=3, batches=20, random_state=0),
    HingeForestRegressor(depth=2, n_estimators=3, batches=20, random_state=0),
]


@pytest.mark.parametrize("model", ESTIMATORS, ids=lambda model: repr(model)[:50])
def test_words_are_read_in_fit_in_predict_and_from_a_file(model):
    y = (WARM == "warm") * 5.0 if "Regressor" in type(model).__name__ else WARM
    found = model.fit(FRAME, y).predict(FRAME)
    assert model.n_features_in_ == 5
    assert model.feature_names_in_.tolist() == list(FRAME.columns)
    named = model.to_document().feature_names
    assert named[:5] == ("colour=blue", "colour=green, dark", "colour=red", "size", "when")
    assert named[5:] == ("sort=u", "sort=v", "well=False", "well=True")
    read = type(model).from_json(model.to_json())
    assert read.n_features_in_ == 5
    for one in (model, read):
        np.testing.assert_array_equal(one.predict(FRAME), found)
        turned = FRAME[::-1].assign(more="x")[["more", *FRAME.columns[::-1]]]
        np.testing.assert_array_equal(one.predict(turned), found[::-1])
        table = pa.Table.from_pandas(FRAME)
        np.testing.assert_array_equal(one.predict(table), found)
        with pytest.raises(ValueError, match="X has no rows"):
            one.predict(FRAME[:0])
        with pytest.raises(ValueError, match="lacks 'colour', which the tree reads"):
            one.predict(FRAME.drop(columns="colour"))


def test_words_that_were_not_learnt_from_are_missing_and_told_once():
    model = AxisTreeClassifier(max_depth=2, leaf="linear").fit(FRAME, WARM)
    for ask in (model.predict, model.predict_proba):
        with pytest.warns(UserWarning, match="not in training, 'pink', in 60 rows") as reported:
            found = ask(FRAME.assign(colour="pink"))
        assert len(reported) == 1
        np.testing.assert_array_equal(found, ask(FRAME.assign(colour=None)))


def test_pieces_of_a_stream_are_read_as_the_first_one():
    model = SGDTreeClassifier(depth=2, random_state=0)
    model.partial_fit(FRAME[:30], WARM[:30], classes=["cold", "warm"])
    red = FRAME[FRAME.colour == "red"]
    model.partial_fit(red, WARM[red.index])
    assert model.tree_.n_features == 9


def test_dates_are_days_and_no_time_is_missing():
    day = np.repeat(np.array(["2020-01-01", "NaT", "2022-01-01"], "M8[D]"), 20)
    with pytest.raises(ValueError, match="give a frame"):
        AxisTreeClassifier().fit(day[:, None], np.arange(60) >= 40)
    day = pd.DataFrame({"day": day.astype("M8[s]")})
    model = AxisTreeClassifier(max_depth=3).fit(day, np.arange(60) >= 40)
    assert model.tree_.missing.tolist() == [18262 + 365.5]
    assert model.predict(day).tolist() == [False] * 20 + [False] * 20 + [True] * 20


@pytest.mark.parametrize(
    ("X", "reported"),
    [
        (np.zeros((4, 1), "m8[s]"), "X holds durations"),
        (np.zeros(4, [("a", float)]), "X holds records"),
        (np.zeros((4, 1), complex), "Complex data not supported"),
        (pd.DataFrame({"a": np.zeros(4, complex)}), "column 'a' of X holds complex numbers"),
        (pd.DataFrame({"a": pd.period_range("2020", periods=4)}), "column 'a' of X holds period"),
        (pd.DataFrame(np.eye(4), columns=[*"abca"]), "two columns of X are called 'a': rename"),
        (pa.table([[1, 2], [3, 4]], ["a", "a"]), "two columns of X are called 'a': rename"),
        (pa.table({"a": pa.array([1] * 4, pa.duration("s"))}), "column 'a' of X holds durations"),
        (pd.DataFrame({"a": pd.cut(range(4), 2)}), "column 'a' of X holds interval"),
        (pd.DataFrame({"a": [[1]] * 4}), "column 'a' holds cells of the type list"),
        (pd.DataFrame({"a": pd.Categorical(pd.date_range("2020", periods=4))}), "'a' holds cells"),
    ],
)
def test_what_is_neither_numbers_nor_words_is_refused(X, reported):
    with pytest.raises(ValueError, match=reported):
        AxisTreeClassifier().fit(X, [0, 1, 0, 1])


def test_a_lazy_frame_is_refused():
    polars = pytest.importorskip("polars")
    with pytest.raises(ValueError, match=r"call X\.collect"):
        AxisTreeClassifier().fit(polars.LazyFrame({"a": [1, 2]}), [0, 1])


def test_masked_numbers_are_missing_and_masked_targets_refused():
    X = np.ma.array([[1.0], [2.0], [9.0], [4.0]], mask=[[0], [0], [1], [0]])
    model = AxisTreeClassifier().fit(X, [0, 0, 1, 1])
    assert model.tree_.missing[0] == np.float32(7 / 3)
    frame = pd.DataFrame({"a": [1.0, 2.0, pd.NA, 4.0]}, dtype=object)
    again = AxisTreeClassifier().fit(frame, [0, 0, 1, 1])
    assert again.tree_.missing[0] == np.float32(7 / 3)
    with pytest.warns(UserWarning, match="were read as missing: 'a' has '1000"):
        AxisTreeClassifier().fit(frame.fillna(10**400), [0, 0, 1, 1])
    for targets in ([np.ma.array([0, 1, 1, 0], mask=[1, 0, 0, 0])], [[0, 0, 1, 1], X[:, 0]]):
        with pytest.raises(ValueError, match="holds masked values: leave out their rows"):
            AxisTreeClassifier().fit(np.ones((4, 1)), *targets)


@pytest.mark.parametrize(
    "y", [["a", "b", "a", "b"], pd.Series(["a", "b"] * 2), np.array(["2020-01-01"] * 4, "M8[D]")]
)
def test_a_regressor_refuses_words_and_dates(y):
    for model in (AxisTreeRegressor(), ObliqueForestRegressor("axis")):
        with pytest.raises(ValueError, match=r"y holds .*, and a regressor learns from numbers"):
            model.fit(np.arange(4.0)[:, None], y)


def test_targets_that_differ_too_little_are_refused_in_a_sentence():
    X = np.arange(10.0)[:, None]
    for model in (AxisTreeRegressor(), HingeForestRegressor(depth=2)):
        for scale in (1e-60, 1e-200):
            with pytest.raises(ValueError, match=r"the deviation of y is .* smallest"):
                model.fit(X, X[:, 0] * scale)
    small = AxisTreeRegressor(smoothing=1e-3).fit(X, (X[:, 0] > 4) * 1e-28)
    np.testing.assert_allclose(small.predict(X)[[0, 9]] * 1e28, [0, 1], atol=1e-3)


def test_values_that_are_too_far_away_to_scale_are_told():
    X = np.random.default_rng(0).standard_normal((60, 3))
    X[7, 1] = 1e20
    y = X[:, 0] > 0
    quick = SGDTreeClassifier(depth=1, epochs=1), HingeForestClassifier(batches=5, depth=1)
    for model in quick:
        with pytest.warns(UserWarning, match="values of column 'x1' of X are so far away that"):
            model.fit(X, y)
    AxisTreeClassifier(max_depth=1).fit(X, y)  # a warning would be an error


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.uint64])
def test_numbers_that_float32_merges_are_told(dtype):
    time = (1.7e12 + np.arange(40) * 1000).astype(dtype)[:, None]
    with pytest.warns(UserWarning, match="column 'x0' of X lie within 3.9e.04, too close"):
        AxisTreeClassifier().fit(time, np.arange(40) > 20)

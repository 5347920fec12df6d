"""Estimators asked why, by labels and in the columns of frames: what is told holds for them."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from treecore import (
    AxisTreeClassifier,
    AxisTreeRegressor,
    BoostedTreeClassifier,
    ObliqueForestClassifier,
    ObliqueForestRegressor,
    RunConfig,
    SGDTreeClassifier,
)
from treecore.training.tree_trainer import TreeTrainer

RNG = np.random.default_rng(0)
N = 200
FRAME = pd.DataFrame(
    {
        "colour": RNG.choice(["red", "blue", "green"], N),
        "size": np.where(np.arange(N) % 7 == 0, np.nan, RNG.normal(size=N)),
        "when": pd.date_range("2020-01-01", periods=N),
        "rooms": RNG.integers(1, 6, N),
    }
)
LABELS = np.where((FRAME.colour == "red") & (FRAME["size"] > 0.3), "warm", "cold")
NUMBERS = FRAME["size"].fillna(0) + FRAME.rooms
TREES = [AxisTreeClassifier(4), SGDTreeClassifier(3, epochs=20, random_state=0)]
FORESTS = [
    ObliqueForestClassifier("axis", n_estimators=7, random_state=0),
    BoostedTreeClassifier(AxisTreeClassifier(2), n_estimators=3, random_state=0),
]


def changed(row: pd.Series, values) -> pd.DataFrame:
    """The row with what is said to change."""
    table = row.to_frame().T.infer_objects()
    for name, value in values.items():
        day = pd.Timestamp(0) + pd.Timedelta(days=value) if name == "when" else value
        table[name] = day
    return table


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("tree", TREES + FORESTS, ids=lambda tree: type(tree).__name__)
def test_a_changed_row_is_what_was_wanted(tree, norm):
    tree.fit(FRAME, LABELS)
    for i in np.flatnonzero((tree.predict(FRAME) == "cold") & FRAME["size"].notna())[:8]:
        found = tree.counterfactual(FRAME.iloc[i], "warm", FRAME, norm=norm, integer=["rooms"])
        assert tree.predict(changed(FRAME.iloc[i], found.values)).tolist() == ["warm"]
        assert found.values.get("colour", "red") == "red"
        assert found.values.get("rooms", 1.0) % 1 == 0
        again = tree.counterfactual(changed(FRAME.iloc[i], found.values), "warm", FRAME, norm=norm)
        assert not again.values


@pytest.mark.parametrize("kind", [bool, "boolean"])
def test_booleans_of_a_frame_of_numbers_change_to_booleans(kind):
    frame = FRAME[["rooms"]].assign(new=FRAME.colour == "red").astype({"new": kind})
    tree = AxisTreeClassifier().fit(frame, frame.new.astype(bool))
    for i in range(5):
        found = tree.counterfactual(frame.iloc[[i]], not frame.new[i], frame)
        assert found.values == {"new": 1 - frame.new[i]}


def test_columns_that_are_fixed_stay_and_nothing_else_helps():
    tree = AxisTreeClassifier(4).fit(FRAME, LABELS)
    blue = FRAME[FRAME.colour == "blue"].iloc[0]
    for fixed in (["colour"], [0]):
        with pytest.raises(ValueError, match="no point within the bounds, with these features fix"):
            tree.counterfactual(blue, "warm", FRAME, fixed=fixed)
    for name in ("color", np.False_):  # a mask is no list of names or places
        with pytest.raises(ValueError, match=f"no column {name!r}; they are colour, size, when"):
            tree.counterfactual(blue, "warm", FRAME, fixed=[name])
    with pytest.raises(ValueError, match="wanted='hot' is none of the classes cold, warm"):
        tree.counterfactual(blue, "hot", FRAME)
    with pytest.raises(ValueError, match="x must be one row, and is a table of 2"):
        tree.counterfactual(FRAME[:2], "warm", FRAME)


@pytest.mark.parametrize(
    "tree",
    [AxisTreeRegressor(4), ObliqueForestRegressor("axis", n_estimators=5, random_state=0)],
    ids=lambda tree: type(tree).__name__,
)
def test_numbers_are_wanted_within_a_range(tree):
    tree.fit(FRAME, NUMBERS)
    found = tree.counterfactual(FRAME.iloc[1], [4.5, 9.0], FRAME, integer=["rooms"])
    assert 4.5 <= tree.predict(changed(FRAME.iloc[1], found.values))[0] <= 9.0
    for wanted in (4.5, (4.5, None)):
        with pytest.raises(ValueError, match="wanted must be a range of numbers"):
            tree.counterfactual(FRAME.iloc[1], wanted, FRAME)


@pytest.mark.parametrize(
    "model",
    [
        *TREES,
        *FORESTS,
        ObliqueForestRegressor("axis", n_estimators=3, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_what_columns_are_worth_adds_up_to_the_answer(model):
    numeric = "Regressor" in type(model).__name__
    model.fit(FRAME, NUMBERS if numeric else LABELS)
    found = model.shapley_values(FRAME.iloc[3], FRAME[:30])
    answer = model.predict(FRAME[:30])[:, None] if numeric else model.predict_proba(FRAME[:30])
    assert found.values.shape == (4, answer.shape[1])
    assert found.exact
    np.testing.assert_allclose(found.prediction, answer[3], atol=1e-6)
    np.testing.assert_allclose(found.values.sum(axis=0), answer[3] - answer.mean(axis=0), atol=1e-6)
    if not numeric:
        assert np.abs(found.values[:2]).sum() > np.abs(found.values[2:]).sum()


def test_what_has_moved_a_row_is_said_of_columns():
    tree = SGDTreeClassifier(3, epochs=20, random_state=0).fit(FRAME, LABELS)
    found = tree.contributions(FRAME.iloc[3], FRAME)
    assert found.moved.shape == (len(found.splits), 4)
    np.testing.assert_allclose(
        found.moved.sum(axis=1), found.score - found.score_of_mean, rtol=1e-4, atol=1e-4
    )


def test_a_column_that_the_background_lacks_is_read_as_the_tree_reads_it():
    X = np.column_stack([RNG.normal(size=60), np.full(60, np.nan)])
    tree = AxisTreeClassifier(2).fit(X, X[:, 0] > 0)
    assert (tree.contributions(X[0], X).moved[:, 1] == 0).all()


def test_behind_splines_values_are_those_of_the_columns():
    X = RNG.standard_normal((300, 4))
    y = (np.abs(X[:, 0]) > 1).astype(int)
    trainer = TreeTrainer(RunConfig("sgd", depth=2, kernel="spline", components=20), X, y)
    plain = SGDTreeClassifier(2, epochs=1).fit(X, y)
    parts = {"model": trainer.run(), "feature_map": trainer.feature_map, "counts": None}
    tree = SGDTreeClassifier.from_document(dataclasses.replace(plain.to_document(), **parts))
    found = tree.shapley_values(X[0], X[:10])
    assert found.values.shape == (4, 2)
    np.testing.assert_allclose(found.prediction, tree.predict_proba(X[:1])[0])
    with pytest.raises(ValueError, match="behind splines has no nearest row"):
        tree.counterfactual(X[0], 1, X)

"""Trees that learn what a teacher answers."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC

from tests.helpers.estimators import DIABETES, IRIS
from tests.helpers.same import assert_same
from treecore import AnnealedTreeClassifier, AxisTreeClassifier, AxisTreeRegressor
from treecore.selection import answered_rows

X, Y = IRIS
FOREST = RandomForestClassifier(10, random_state=0).fit(X, Y)


def shares(rows):
    """Probabilities of three classes, by the first two columns."""
    share = np.clip(np.asarray(rows, dtype=float)[:, :2] / 16, 0.1, 0.4)
    return np.column_stack([share, 1 - share.sum(axis=1)])


def test_without_drawn_rows_labels_and_numbers_are_learnt_as_fit_learns_them():
    labels = np.where(X[:, 2] > 4, "long", "short")
    tree = AxisTreeClassifier(3, random_state=0)
    taught = tree.distil(lambda rows: labels, X, n_drawn=0)
    assert_same(taught.tree_, AxisTreeClassifier(3, random_state=0).fit(X, labels).tree_)
    for y in (X[:, 2] ** 2, X[:, :2] ** 2):
        taught = AxisTreeRegressor(3, random_state=0).distil(lambda rows, y=y: y, X, n_drawn=0)
        fitted = AxisTreeRegressor(3, random_state=0).fit(X, y)
        assert_same(taught.tree_, fitted.tree_)
        assert taught.predict(X).shape == y.shape


def test_probabilities_are_learnt_as_weights_of_rows_that_come_once_for_each_class():
    weight = 1.0 + np.arange(len(X)) % 3
    taught = AxisTreeClassifier(4, random_state=0).distil(
        shares, X, sample_weight=weight, n_drawn=0
    )
    rows, label = np.repeat(X, 3, axis=0), np.tile([0, 1, 2], len(X))
    each = (shares(X) * weight[:, None]).ravel()
    fitted = AxisTreeClassifier(4, random_state=0).fit(rows, label, each)
    assert_same(taught.tree_, fitted.tree_)
    assert taught._counts.sum() == len(X), "leaves count the rows themselves"


def test_a_tree_that_can_say_what_its_teacher_says_does_so_where_there_were_no_rows(rng):
    rows, test = rng.uniform(-1, 1, size=(100, 3)), rng.uniform(-1, 1, size=(2000, 3))

    def teacher(rows):
        return (rows[:, 0] > 0.1).astype(int) + (rows[:, 1] > -0.3)

    taught = AxisTreeClassifier(2, random_state=0).distil(teacher, rows)
    alone = AxisTreeClassifier(2, random_state=0).fit(rows, teacher(rows))
    assert taught.score(test, teacher(test)) > 0.99 > alone.score(test, teacher(test))
    numbers = AxisTreeRegressor(2, random_state=0).distil(teacher, rows)
    assert numbers.score(test, teacher(test)) > 0.99
    again = AxisTreeRegressor(2, random_state=0).distil(teacher, rows)
    assert_same(numbers.tree_, again.tree_)


def test_drawn_rows_have_values_of_their_columns_or_lie_between_rows():
    said = answered_rows(lambda rows: rows.sum(axis=1), X, 500, 0)
    assert said.X.shape == (500, 4)
    assert_array_equal(said.answers, said.X.sum(axis=1))
    for j in range(4):
        assert np.isin(said.X[:, j], X[:, j]).all()
    heavy = np.arange(150) >= 100
    light = answered_rows(len, X, 300, 0, sample_weight=heavy.astype(float), between=0.5).X
    assert (light[:150] >= X[heavy].min(axis=0)).all()
    assert ((light >= X.min(axis=0) - 1e-5) & (light <= X.max(axis=0) + 1e-5)).all()
    holes = np.where(np.arange(4) == 1, np.nan, X)
    assert np.isnan(answered_rows(len, holes, 100, 0, between=0.5).X[:, 1]).all()


def test_models_teach_by_probabilities_or_labels_and_own_targets_may_join():
    svm = LinearSVC(random_state=0).fit(X, Y)
    for teacher in (FOREST, svm, FOREST.predict_proba):
        tree = AnnealedTreeClassifier(3, rounds=10, random_state=0).distil(teacher, X, n_drawn=500)
        assert tree.score(X, Y) > 0.9
        assert_array_equal(tree.classes_, [0, 1, 2])
    with_targets = AxisTreeClassifier(random_state=0).distil(FOREST, X, Y)
    assert with_targets.score(X, Y) > 0.95
    numbers = RandomForestRegressor(10, random_state=0).fit(*DIABETES)
    tree = AxisTreeRegressor(8, random_state=0).distil(numbers, DIABETES[0])
    assert tree.score(DIABETES[0], numbers.predict(DIABETES[0])) > 0.85
    assert not hasattr(tree, "decision_")


def test_a_booster_of_xgboost_is_asked_about_tables():
    booster = SimpleNamespace(inplace_predict=lambda rows: rows[:, 0], predict=None)
    taught = AxisTreeRegressor(3).distil(booster, X, n_drawn=0)
    assert_same(taught.tree_, AxisTreeRegressor(3).fit(X, X[:, 0]).tree_)


def test_a_teacher_of_words_is_asked_about_frames_with_its_words(rng):
    frame = pd.DataFrame({"word": rng.choice(["u", "v", "w"], 200), "size": rng.normal(size=200)})
    y = np.where((frame["word"] == "u") & (frame["size"] > 0), "yes", "no")
    columns = make_column_transformer((OneHotEncoder(), ["word"]), remainder="passthrough")
    teacher = make_pipeline(columns, RandomForestClassifier(10, random_state=0)).fit(frame, y)
    tree = AxisTreeClassifier(4, random_state=0).distil(teacher, frame)
    assert tree.score(frame, y) > 0.98
    weight = (frame["word"] != "w").astype(float)
    light = AxisTreeClassifier(4, random_state=0).distil(teacher, frame, sample_weight=weight)
    assert_allclose(light._n_samples, weight.sum())


@pytest.mark.parametrize(
    ("teacher", "sentence"),
    [
        (RandomForestClassifier, "a fitted model with predict_proba or predict, or a function"),
        (RandomForestClassifier(), "is not fitted yet"),
        (3, "the teacher is 3, and must be a fitted model"),
        (RandomForestRegressor(1).fit(X, Y), "answers with numbers, and the tree with classes"),
        (RandomForestClassifier(1).fit(X, Y + 1), "knows the classes 1, 2, 3, and the targets"),
        (lambda rows: np.full((len(rows), 3), np.nan), r"\[nan, nan, nan\] for row 0: no prob"),
        (lambda rows: np.ones((len(rows), 3)), "at least 0 and sum to 1"),
        (lambda rows: np.ones((len(rows), 2)), "answers with 2 of 3 classes"),
        (lambda rows: np.ones(5), r"answers 2000 rows with an array of shape \(5,\)"),
        (lambda rows: np.full(len(rows), 7), "answers 7 for row 0: none of the classes 0, 1, 2"),
    ],
)
def test_a_teacher_that_cannot_teach_gets_one_sentence(teacher, sentence):
    with pytest.raises(ValueError, match=sentence) as error:
        AxisTreeClassifier().distil(teacher, X, Y)
    assert "\n" not in str(error.value)


def test_numbers_must_be_numbers_and_counts_counts():
    for teacher, sentence in (
        (lambda rows: np.full(len(rows), np.nan), r"\[nan\] for row 0: no finite number"),
        (lambda rows: np.full(len(rows), "a"), "must be numbers"),
        (FOREST, "answers with classes, and the tree with numbers"),
    ):
        with pytest.raises(ValueError, match=sentence):
            AxisTreeRegressor().distil(teacher, X)
    with pytest.raises(ValueError, match="n_drawn=-1 must be a number of rows"):
        AxisTreeClassifier().distil(FOREST, X, n_drawn=-1)

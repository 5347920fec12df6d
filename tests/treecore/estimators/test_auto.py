"""The default of the estimators of one tree: what is chosen, and when nothing is."""

import itertools
import json
import pickle
import time
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import clone

from benchmarks.planted import slanted
from tests.helpers.estimators import BOTH, DIABETES, IRIS, check_conventions
from treecore import ObliqueTreeClassifier, ObliqueTreeRegressor
from treecore.export import FORMATS
from treecore.selection import TeacherQuestion, choice
from treecore.selection.candidates import CONTESTS
from treecore.selection.folds import draw_folds
from treecore.selection.lesson import TeacherLesson
from treecore.selection.pruned import OutOfTime

pytestmark = pytest.mark.usefixtures("little_time")
SOME = tuple(part[::4] for part in DIABETES)
DATA = {ObliqueTreeClassifier: IRIS, ObliqueTreeRegressor: SOME}
OWN = ("model-cuts", "annealed", "deep", "annealed-linear")
"""Candidates that need more rows than there are here."""


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # the checks provoke some
@pytest.mark.parametrize("estimator", BOTH)
def test_scikit_learn_accepts_the_default(estimator):
    check_conventions(estimator())


@pytest.mark.parametrize("estimator", BOTH)
def test_the_decision_is_a_table_and_a_sentence(estimator):
    fitted = estimator(random_state=0).fit(*DATA[estimator])
    decision = fitted.decision_
    names = [candidate.name for candidate in CONTESTS[decision.task].candidates]
    suited = [name for name in names if name not in OWN]
    assert [row["name"] for row in decision.table()] == suited
    assert json.loads(json.dumps(decision.table())) == decision.table()
    assert [row["chosen"] for row in decision.table()].count(True) == 1
    sentence = decision.summary()
    assert "\n" not in sentence
    assert all(row["title"].lower() in sentence.lower() for row in decision.table())
    assert fitted.history_[-1].stage == decision.chosen
    figure = fitted.history_[-1].accuracy or fitted.history_[-1].r2
    assert figure == pytest.approx(fitted.score(*DATA[estimator]), abs=1e-6)


@pytest.mark.parametrize("estimator", BOTH)
def test_constant_leaves_may_be_asked_of_a_choice(estimator):
    X, y = slanted(200)
    fitted = estimator(leaf="constant", random_state=0).fit(X, y)
    assert fitted.tree_.linear is None
    assert not any("linear" in row["title"] for row in fitted.decision_.table())
    read = estimator.from_json(fitted.to_json())
    assert (type(read), read.leaf) == (estimator, "constant")


def slow_clock(monkeypatch):
    """For the choice a second passes between any two looks, and none while a tree learns."""
    looks = map(float, itertools.count())
    clock = SimpleNamespace(perf_counter=lambda: next(looks), thread_time=time.thread_time)
    monkeypatch.setattr("treecore.selection.choice.time", clock)
    monkeypatch.setattr("treecore.selection.pruned.time", SimpleNamespace(perf_counter=lambda: 0.0))


@pytest.mark.parametrize("estimator", BOTH)
def test_a_budget_that_is_used_up_ends_the_measuring(estimator, monkeypatch):
    X, y = DATA[estimator]
    slow_clock(monkeypatch)
    quick = estimator(time_budget=1, random_state=0).fit(X, y)
    assert [one.score is None for one in quick.decision_.candidates][:2] == [False, True]
    assert quick.decision_.summary() == (
        "A pruned tree of cuts: there was no time to measure others. It has learnt from "
        f"{quick.decision_.share:.0%} of the rows."
    )
    assert quick.decision_.share < 1
    some = estimator(time_budget=7, random_state=0).fit(X, y).decision_
    assert 1 < sum(one.score is not None for one in some.candidates) < len(some.candidates)
    assert some.n_folds == 1
    longer = estimator(time_budget=np.inf, random_state=0).fit(X, y)
    assert longer.decision_.n_folds == 3
    for wrong in (0, -1.0, True, "long"):
        with pytest.raises(ValueError, match=r"time_budget=.* must be a number of seconds above 0"):
            estimator(time_budget=wrong).fit(X, y)


@pytest.mark.parametrize("estimator", BOTH)
def test_threads_change_neither_the_tree_nor_what_was_measured(estimator):
    X, y = DATA[estimator]
    alone, pair = (estimator(n_jobs=n, random_state=0).fit(X, y) for n in (None, 2))
    np.testing.assert_array_equal(alone.tree_.values, pair.tree_.values)
    np.testing.assert_array_equal(alone.tree_.threshold, pair.tree_.threshold)
    for one, other in zip(alone.decision_.candidates, pair.decision_.candidates, strict=True):
        assert (one.score, one.gain, one.chosen) == (other.score, other.gain, other.chosen)
    with pytest.raises(ValueError, match="n_jobs=0 must be"):
        estimator(n_jobs=0).fit(X, y)


def test_where_nothing_is_measured_the_decision_says_why():
    X, y = IRIS
    one = ObliqueTreeClassifier().fit(X, np.full(len(X), "only"))
    assert set(one.predict(X)) == {"only"}
    assert (one.predict_proba(X) == 1).all()
    assert (one.feature_importances_ == 0).all()
    assert one.decision_.summary() == "A single leaf: all rows are of one class."
    assert one.decision_.chosen == "annealed"
    assert json.loads(json.dumps(one.decision_.table()))[0]["chosen"]
    few = ObliqueTreeClassifier(random_state=0).fit(X[48:52], y[48:52])
    assert "too few rows" in few.decision_.summary()


@pytest.mark.parametrize("estimator", BOTH)
def test_it_is_cloned_pickled_and_written(estimator):
    X, y = DATA[estimator]
    X = np.where(X[0] == X, np.nan, X)
    fitted = estimator(random_state=0).fit(X, y)
    back = pickle.loads(pickle.dumps(fitted))
    assert back.decision_ == fitted.decision_
    read = estimator.from_json(fitted.to_json())
    assert type(read) is estimator
    assert read.decision_.summary().startswith("A tree: it was read from a file")
    for other in (back, read, clone(fitted).fit(X, y)):
        np.testing.assert_array_equal(other.predict(X), fitted.predict(X))


@pytest.mark.parametrize("estimator", BOTH)
def test_of_many_rows_annealed_trees_compete_in_which_every_leaf_is_reached(estimator, monkeypatch):
    monkeypatch.setattr("treecore.selection.candidates.LARGE", 50)
    monkeypatch.setattr("treecore.selection.candidates.LARGE_ROUNDS", 2)
    monkeypatch.setattr("treecore.selection.model_trees.MOST_NUMBERS", 0)
    monkeypatch.setattr("treecore.selection.pruned.MANY_NUMBERS", 0)
    X, y = DATA[estimator]
    monkeypatch.setattr(
        "treecore.selection.choice.choose",
        lambda evidence, contest: [one.name for one in contest.candidates].index("deep"),
    )
    fitted = estimator(random_state=0).fit(X, y)
    assert fitted.decision_.chosen == "deep"
    n_reached = len(np.unique(fitted.apply(X)))
    assert 3 < n_reached < fitted.get_n_leaves() < 1024  # some are reached by drawn rows alone
    monkeypatch.setattr("treecore.selection.candidates.MOST_LEAVES", n_reached + 1)
    assert clone(fitted).fit(X, y).get_n_leaves() == n_reached + 1
    monkeypatch.setattr("treecore.selection.candidates.MOST_LEAVES", 0)
    assert clone(fitted).fit(X, y).get_n_leaves() == n_reached
    linear = "annealed-linear" in {one.name for one in fitted.decision_.candidates}
    assert linear == (estimator is ObliqueTreeRegressor)


@pytest.mark.parametrize("estimator", BOTH)
def test_a_teacher_may_be_learnt_from(estimator):
    X, y = DATA[estimator]
    said = np.eye(3)[y] if estimator is ObliqueTreeClassifier else 7 + 3 * X[:, 2]
    taught = estimator(random_state=0).distil(lambda rows: said, X, n_drawn=0)
    assert taught.decision_.n_folds > 0
    assert taught.score(X, y if estimator is ObliqueTreeClassifier else said) > 0.9
    assert taught._counts.sum() == len(X)


def test_weights_count_in_learning_and_in_measuring():
    X, y = IRIS
    flipped = np.where(np.arange(len(y)) % 2, y, (y + 1) % 3)
    weight = np.where(np.arange(len(y)) % 2, 1.0, 1e-6)  # of the rows whose class is another
    fitted = ObliqueTreeClassifier(random_state=0).fit(X, flipped, weight)
    assert fitted.score(X, y) > 0.9
    assert fitted.decision_.best.score > 0.9


def test_callbacks_see_the_one_tree_and_a_stream_goes_on_from_it(monkeypatch):
    monkeypatch.setattr("treecore.selection.model_trees.MOST_NUMBERS", 0)
    seen = []
    X, y = IRIS
    estimator = ObliqueTreeClassifier(random_state=0, callbacks=[seen.append]).fit(X, y)
    assert seen == estimator.history_
    assert "model-tree" not in {c.name for c in estimator.decision_.candidates}
    estimator.partial_fit(X, y)
    assert estimator.score(X, y) > 0.6


@pytest.mark.parametrize("estimator", BOTH)
def test_a_chosen_tree_may_have_linear_leaves(estimator):
    X, y = slanted(400)
    y = y if estimator is ObliqueTreeClassifier else X @ np.arange(10.0) + y
    fitted = estimator(random_state=0).fit(X, y)
    assert fitted.decision_.chosen == "linear"
    assert (fitted.get_depth(), fitted.get_n_leaves()) == (0, 1)
    assert fitted.feature_importances_.sum() == pytest.approx(1)
    assert (fitted.feature_importances_[1:] > 0).all()
    figure = fitted.history_[-1].accuracy or fitted.history_[-1].r2
    assert figure == pytest.approx(fitted.score(X, y), abs=1e-6)
    assert "<svg" in fitted._repr_html_()
    document = fitted.to_document()
    space: dict = {}
    exec(FORMATS["py"].write(document), space)
    assert [space["predict"](x) for x in X[:20].tolist()] == [
        str(said) if document.class_names else said for said in fitted.predict(X[:20]).tolist()
    ]
    with pytest.raises(ValueError, match="linear leaves, which learn from all rows at once"):
        fitted.partial_fit(X, y)


def test_a_chosen_tree_may_read_curves(rng):
    y = np.where(np.arange(300) % 2, "in", "out")
    X = rng.standard_normal((300, 5)) * np.where(y == "in", 1.0, 3.0)[:, None]
    X[::9, 1] = np.nan
    fitted = ObliqueTreeClassifier(random_state=0).fit(X, y)
    assert fitted.decision_.chosen == "annealed-splines"
    assert fitted.tree_.n_features == fitted.feature_map_.n_components > 5
    again = ObliqueTreeClassifier.from_json(fitted.to_json())
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    with pytest.raises(ValueError, match="linear leaves, which learn from all rows at once"):
        fitted.partial_fit(X, y)


@pytest.mark.parametrize("estimator", BOTH)
def test_of_very_many_rows_the_tree_that_was_measured_is_kept(estimator, monkeypatch):
    X, y = slanted(100)
    for place in ("choice", "folds"):
        monkeypatch.setattr(f"treecore.selection.{place}.VERY_MANY", 60)
    monkeypatch.setattr("treecore.selection.folds.MANY", 60)
    fitted = estimator(random_state=0).fit(X, y)
    assert (fitted.decision_.n_folds, fitted.decision_.share) == (1, 0.9)
    assert fitted.decision_.summary().endswith(" It has learnt from 90% of the rows.")
    held = draw_folds(y if estimator is ObliqueTreeClassifier else np.zeros(100, int), 0, 10)[0]
    right = fitted.decision_.best.score
    if estimator is ObliqueTreeClassifier:
        assert right == pytest.approx(fitted.score(X[held], y[held]))
    else:
        rest = np.delete(y, held)
        gap = ((fitted.predict(X[held]) - y[held]) ** 2).sum()
        assert right == pytest.approx(1 - gap / ((y[held] - rest.mean()) ** 2).sum(), abs=1e-5)


def test_where_time_is_short_few_rows_are_read(monkeypatch):
    X, y = slanted(400)
    monkeypatch.setattr("treecore.selection.choice.FIRST_TRIED", 50)
    slow_clock(monkeypatch)
    read = [
        choice.within(TeacherQuestion(X, y, None, "log", "none", 2, 0), s)
        for s in (0.5, 10, 15, 1e3)
    ]
    assert [len(question.y) for question in read] == [50, 100, 150, 400]
    assert {row.tobytes() for row in read[0].X} <= {row.tobytes() for row in X}


def test_a_tree_that_is_too_late_is_not_finished():
    X, y = slanted(50)
    lesson = TeacherLesson.of(TeacherQuestion(X, y, None, "log", "none", 2, 0))
    lesson.deadline = time.perf_counter()
    with pytest.raises(OutOfTime):
        lesson.learn("annealed", lesson.rows, None, depth=2)

"""The choice of a tree: honest, reproducible, and towards the simpler of two that are as good."""

import dataclasses

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.metrics import r2_score

import treecore.selection.choice as choice_module
from benchmarks.planted import noise_columns, nothing
from treecore.core.routing import predict_values
from treecore.losses.metrics import evaluate
from treecore.selection import TeacherQuestion, choose_tree
from treecore.selection.candidates import CONTESTS, LINEAR, SHARE_OF_ERROR, Contest
from treecore.selection.choice import Evidence, choose
from treecore.selection.folds import held_out_parts
from treecore.selection.lesson import TeacherLesson
from treecore.selection.model_trees import MOST_FEATURES
from treecore.selection.taught_rows import BETWEEN, TIMES_OF_FEW
from treecore.selection.teacher import SHARES, fit_small_trees, linear_answers


def question(X, y, **more):
    """A question to classes or numbers."""
    classes = y.dtype.kind == "i"
    given = {
        "weight": None,
        "loss": "log" if classes else "squared",
        "class_weight": "none",
        "n_classes": int(y.max()) + 1 if classes else None,
        "seed": 0,
    }
    return TeacherQuestion(X.astype(np.float32), y if classes else y[:, None], **(given | more))


WINE = load_wine(return_X_y=True)
TASKS = [load_iris(return_X_y=True), load_diabetes(return_X_y=True)]


@pytest.mark.parametrize(("X", "y"), TASKS)
def test_no_candidate_learns_from_a_row_that_it_is_scored_on(X, y, little_time, monkeypatch):
    X = X + np.arange(len(X))[:, None] * 1e-3  # so that every row is known by its values
    learnt, scored = [], []

    class Spied(TeacherLesson):
        @classmethod
        def of(cls, requested):
            lesson = TeacherLesson.of(requested)
            learnt.append({row.tobytes() for row in lesson.rows.X})
            assert len(lesson.rows.y) == len(requested.y)
            return lesson

    gains = choice_module.gains

    def spied_gains(tree, rows):
        if tree.n_features == X.shape[1]:  # hinges behind splines are those of the same rows
            scored.append((len(learnt) - 1, {row.tobytes() for row in rows.X}))
        return gains(tree, rows)

    monkeypatch.setattr(choice_module, "TeacherLesson", Spied)
    monkeypatch.setattr(choice_module, "gains", spied_gains)
    choose_tree(question(X, y))
    assert len(scored) >= 3 * 2
    for number, rows in scored:
        assert number > 0, "the lesson of all rows is not for measuring"
        assert not rows & learnt[number]
        assert rows <= learnt[0]
    every = set.union(*(rows for _, rows in scored))
    assert every == learnt[0], "every row is scored once in a small table"


def test_what_depends_on_held_out_rows_is_not_known_to_the_lesson():
    X, y = WINE
    held = held_out_parts(y, 0)[0]
    requested = question(X, y)
    learning = np.setdiff1d(np.arange(len(y)), held)
    spoiled = X.copy()
    spoiled[held] = 1e6
    lessons = [TeacherLesson.of(question(table, y).take(learning)) for table in (X, spoiled)]
    one, other = (lesson.taught.rows for lesson in lessons)
    np.testing.assert_array_equal(one.X, other.X)
    np.testing.assert_array_equal(one.weight, other.weight)
    bent, bent_other = (lesson.with_splines(2).feature_map.knots for lesson in lessons)
    np.testing.assert_array_equal(bent, bent_other)
    assert len(requested.y) == len(y)


def evidence(*rows):
    gains = np.array(rows, dtype=np.float64)
    k, n = gains.shape
    return Evidence(gains, gains, np.ones(n), np.zeros(k), 1)


def test_the_best_is_taken_unless_a_simpler_one_is_as_good(rng):
    plain = (rng.random(200) < 0.5).astype(float)
    much_better = np.ones(200)
    assert choose(evidence(plain, much_better), Contest()) == 1
    assert choose(evidence(much_better, plain), Contest()) == 0
    assert choose(evidence(plain, plain, plain), Contest()) == 0
    hardly = plain.copy()
    hardly[np.flatnonzero(plain == 0)[:5]], hardly[np.flatnonzero(plain)[:5]] = 1.0, 0.0
    assert choose(evidence(plain, hardly), Contest()) == 0


@pytest.mark.parametrize("seed", range(5))
def test_the_simplest_is_taken_unless_a_lead_is_more_than_a_share_of_its_error(seed):
    rng = np.random.default_rng(seed)
    seen = evidence(*(rng.random((4, 100)) < rng.uniform(0.4, 0.8, (4, 1))))
    sure = [lead - SHARE_OF_ERROR * error for lead, error in (seen.lead(i, 0) for i in range(4))]
    assert choose(seen, Contest()) == int(np.argmax(sure))
    assert sure[choose(seen, Contest())] >= 0


def test_what_cannot_be_learnt_is_told_as_its_classes_are_spread(little_time):
    X, y = nothing()
    tree, decision, _ = choose_tree(question(X, y))
    X_test, y_test = nothing(seed=1)
    shares = np.bincount(y) / len(y)
    assert evaluate(tree, X_test, y_test).accuracy > shares.max() - 0.05
    assert decision.best.score < shares.max() + 0.05


def test_a_lead_has_the_standard_error_of_a_paired_difference():
    one, other = np.array([[1.0, 1, 0, 1], [0, 1, 0, 0]])
    lead, error = evidence(one, other).lead(0, 1)
    assert lead == pytest.approx(0.5)
    assert error == pytest.approx(np.std(one - other) / np.sqrt(4))


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.arange(4.0)[:, None], np.array([0, 1, 0, 1])),
        (np.ones((40, 2)), np.arange(40) % 2),
        (np.arange(60.0)[:, None], (np.arange(60) > 30).astype(int)),
        (np.arange(30.0)[:, None], np.array([0] * 29 + [1])),
        (np.arange(30.0)[:, None], np.arange(30)),
        (np.arange(50.0)[:, None], np.full(50, 3.0)),
        (np.full((40, 2), np.nan), np.arange(40) / 7),
        (np.arange(60.0)[:, None], np.where(np.arange(60) == 5, 1e25, np.arange(60))),
    ],
    ids=["few", "constant", "one feature", "one of a class", "all classes", "number", "nan", "far"],
)
def test_what_is_poor_in_rows_or_values_gets_a_tree(X, y, little_time):
    tree, decision, feature_map = choose_tree(question(X, y))
    assert tree.n_features == (X if feature_map is None else feature_map(X)).shape[1]
    assert np.isfinite(tree.values).all()
    assert decision.summary().endswith(".")
    assert sum(candidate.chosen for candidate in decision.candidates) == 1


def test_noise_columns_cost_no_more_than_they_cost_a_pruned_tree(little_time):
    X, y = noise_columns(400, 40)
    X_test, y_test = noise_columns(1000, 40, seed=1)
    requested = question(X, y)
    tree = choose_tree(requested).tree
    pruned = TeacherLesson.of(requested).pruned
    ours, theirs = (evaluate(t, X_test, y_test).accuracy for t in (tree, pruned))
    assert theirs > 0.9
    assert ours >= theirs - 0.02


def test_what_would_take_minutes_is_no_candidate(little_time, monkeypatch):
    X, y = load_iris(return_X_y=True)
    requested = question(X, y)
    candidates = CONTESTS["classification"].suited(TeacherLesson.of(requested).rows).candidates
    lean = {candidate.name for candidate in candidates if candidate.settings == LINEAR}
    assert lean == {"linear", "model-tree", "annealed-splines"}
    assert lean <= {candidate.name for candidate in choose_tree(requested).decision.candidates}
    monkeypatch.setattr("treecore.selection.model_trees.MOST_FEATURES", 3)
    _, decision, _ = choose_tree(requested)
    assert not lean - {"linear"} & {candidate.name for candidate in decision.candidates}
    constant = choose_tree(requested, contest=CONTESTS["classification"].of_constants())
    assert constant.tree.linear is None


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_a_linear_model_is_a_candidate_at_any_number_of_features(n_classes, little_time, rng):
    X = rng.standard_normal((1000, MOST_FEATURES + 20))
    y = X[:, :30].sum(axis=1) + 5
    if n_classes:
        y = np.digitize(y, np.quantile(y, np.arange(1, n_classes) / n_classes))
    requested = question(X[:800], y[:800], n_classes=n_classes + 1 if n_classes else None)
    tree, decision, _ = choose_tree(requested)  # of classes there is one that no row is of
    assert decision.chosen == "linear"
    unseen, truth = X[800:].astype(np.float32), y[800:]
    said = predict_values(tree, unseen)
    if n_classes:
        assert (said.argmax(axis=1) == truth).mean() > 0.75
    else:
        assert r2_score(truth, said[:, 0]) > 0.95


def test_boosting_teaches_where_rows_with_numbers_are_many(monkeypatch, rng):
    X = rng.uniform(-1, 1, size=(500, 3))
    y = np.where(X[:, 0] > 0, 2.0, -1.0) * X[:, 1]
    requested = question(X, y)
    forest = TeacherLesson.of(requested).teacher
    monkeypatch.setattr("treecore.selection.teacher.MANY_NUMBERS", 400)
    lesson = TeacherLesson.of(requested)
    boosting = lesson.teacher
    assert boosting.shares == ()
    reported = boosting.answers(lesson.rows.X)
    assert reported.shape == (500, 1)
    assert r2_score(lesson.rows.y, reported) > r2_score(
        lesson.rows.y, forest.answers(lesson.rows.X)
    )
    np.testing.assert_array_equal(
        reported, TeacherLesson.of(requested).teacher.answers(lesson.rows.X)
    )


@pytest.mark.parametrize("kind", ["a plane", "steps"])
def test_a_teacher_of_few_numbers_listens_to_the_model_that_errs_least(kind, rng):
    X = rng.integers(0, 4, size=(240, 5)).astype(float)
    steps = np.where(X[:, 0] > 1, 2.0, 0.0) * (X[:, 1] > 1) + (X[:, 2] == 3)
    y = X @ [3.0, -2.0, 1.0, 0.5, 0.25] if kind == "a plane" else steps
    lesson = TeacherLesson.of(question(X[:160], y[:160]))
    of_plane, of_boosting = lesson.teacher.shares
    assert of_plane + of_boosting <= SHARES[-1]
    assert (of_plane if kind == "a plane" else of_boosting) >= 0.5
    # Their sum, in the shares that are left to each of them.
    rows, unseen = lesson.rows, X[160:].astype(np.float32)
    parts = linear_answers(rows, 0)(unseen), fit_small_trees(rows, 0)(unseen)
    forest = lesson.teacher._answers(unseen)
    mixed = forest * (1 - of_plane - of_boosting) + of_plane * parts[0] + of_boosting * parts[1]
    reported = lesson.teacher.answers(unseen)
    np.testing.assert_allclose(reported, mixed, atol=1e-5)
    truth = (y[160:, None] - lesson.units.centre) / lesson.units.spread
    assert np.mean((reported - truth) ** 2) < np.mean((forest - truth) ** 2)


def test_a_taught_model_tree_leans_where_its_rows_do(rng):
    X = rng.uniform(-1, 1, size=(500, 3))
    y = np.where(X[:, 0] > 0, 2.0, -1.0) * X[:, 1]
    lesson = TeacherLesson.of(question(X, y))
    found = {candidate.name: candidate for candidate in CONTESTS["regression"].candidates}
    assert "model-tree" not in found
    taught = found["taught-model-tree"]
    tree = taught.learn(lesson)
    bent = dataclasses.replace(taught, n_hinges=lambda rows: 3)
    curved, after = bent.learn_from(lesson)
    drawn, before = after.taught, lesson.taught
    np.testing.assert_array_equal(drawn.rows.X, after.feature_map(before.rows.X))
    assert (curved.feature[curved.feature >= 0] < 3).all(), "hinges are no more than their features"
    cuts = found["taught-cuts"].learn(lesson)
    test = rng.uniform(-1, 1, size=(500, 3)).astype(np.float32)
    truth = np.where(test[:, 0] > 0, 2.0, -1.0) * test[:, 1]
    raw = map(lesson.units.inverse_transform, (tree, cuts))
    ours, theirs = (r2_score(truth, predict_values(one, test)[:, 0]) for one in raw)
    assert tree.linear is not None
    assert tree.n_leaves < cuts.n_leaves / 4
    assert ours > theirs - 0.01


def test_cuts_for_linear_leaves_bend_where_the_rows_do(monkeypatch):
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, size=(600, 3))
    lesson = TeacherLesson.of(question(X, np.abs(X[:, 0]) + X[:, 1]))
    own = {candidate.name: candidate for candidate in CONTESTS["regression"].candidates}[
        "model-cuts"
    ]
    assert not own.suits(lesson.rows)
    monkeypatch.setattr("treecore.selection.candidates.MANY_ROWS", 500)
    assert own.suits(lesson.rows)
    curved, after = own.learn_from(lesson)
    plain, _ = dataclasses.replace(own, n_hinges=lambda rows: 0).learn_from(lesson)
    assert plain.feature[0] == 0
    for tree, rows in ((plain, lesson.rows), (curved, after.rows)):
        assert r2_score(lesson.rows.y, predict_values(tree, rows.X)) > 0.99
    assert curved.n_leaves <= plain.n_leaves


@pytest.mark.parametrize(("n", "n_folds"), [(20, 5), (301, 3), (3100, 1)])
def test_folds_are_disjoint_and_spread_every_class(n, n_folds):
    strata = np.arange(n) % 3
    folds = held_out_parts(strata, 0)
    assert len(folds) == n_folds
    together = np.concatenate(folds)
    assert len(np.unique(together)) == len(together)
    assert len(together) == n or (len(folds) == 1 and 0.2 * n < len(together) < 0.3 * n)
    for held in folds:
        shares = np.bincount(strata[held], minlength=3)
        assert shares.max() - shares.min() <= 1


def shells(n, seed):
    """A narrow cloud within a wide one, in six features: no plane tells one from the other."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.standard_normal((n, 6)) * np.where(y, 1.0, 3.0)[:, None], y


def test_a_sum_of_curves_is_chosen_where_it_is_right(little_time):
    X, y = shells(400, 0)
    X[::7, 2] = np.nan
    tree, decision, feature_map = choose_tree(question(X, y))
    assert decision.chosen == "annealed-splines"
    assert feature_map.n_features == 6
    assert feature_map.n_components == tree.n_features
    np.testing.assert_allclose(feature_map.missing, np.nanmean(X, axis=0), rtol=1e-6)
    X_test, y_test = shells(1000, 1)
    assert evaluate(tree, feature_map(X_test), y_test).accuracy > 0.95
    plain = CONTESTS["classification"].of_plain_features()
    assert choose_tree(question(X, y), contest=plain).feature_map is None


@pytest.mark.parametrize("most_near", [80, 200])
def test_rows_between_neighbours_lie_between_them(most_near, monkeypatch):
    monkeypatch.setattr("treecore.selection.taught_rows.MOST_NEAR", most_near)
    x = np.repeat([0.0, 10.0], 50) + np.linspace(-1, 1, 100)
    lesson = TeacherLesson.of(question(np.stack([x, 2 * x], axis=1), x))
    drawn = lesson.taught.X
    assert len(drawn) == TIMES_OF_FEW * len(x)
    between = drawn[-round(BETWEEN * len(drawn)) :]
    np.testing.assert_allclose(between[:, 1], 2 * between[:, 0], rtol=1e-5, atol=1e-5)
    assert ((between[:, 0] < 2) | (between[:, 0] > 8)).all()  # no row is near the other half
    again = TeacherLesson.of(question(np.stack([x, 2 * x], axis=1), x)).taught.X
    np.testing.assert_array_equal(again, drawn)

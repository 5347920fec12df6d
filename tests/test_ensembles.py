"""Forests: how trees answer together, bagging, and the door."""

from __future__ import annotations

import json

import joblib
import naive_ensembles as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from strategies import random_tree
from test_boosting import same_forest

from treecore import EnsembleConfig, Forest, ForestTrainer, RunConfig, Trainer
from treecore.ensembles.bagging import (
    draw_columns,
    draw_rows,
    generator_of,
    take_features,
    widened,
)
from treecore.ensembles.forest import ANSWERS
from treecore.ensembles.memory import check_memory, forest_bytes
from treecore.forest_config import ENSEMBLES, PRESETS, find_ensemble
from treecore.methods import METHODS
from treecore.routing import apply, as_rows
from treecore.tree import single_leaf

IRIS = load_iris(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
QUICK = {"depth": 2, "epochs": 2, "rounds": 2}
properties = settings(max_examples=40, deadline=None)


def quick(method="axis", loss="log", **more):
    known = {setting.name for setting in METHODS[method].settings.known()}
    chosen = {k: v for k, v in QUICK.items() if k in known}
    return RunConfig(method, loss=loss, **(chosen | more))


def bagged(method="axis", n_trees=4, loss="log", base=None, **settings):
    base = quick(method, loss, **(base or {}))
    return EnsembleConfig("bagging", base, n_trees=n_trees, **settings)


def random_forest(rng, answer, n_trees=5):
    trees = [random_tree(rng, n_splits=rng.integers(0, 9)) for _ in range(n_trees)]
    weights = rng.exponential(size=n_trees)
    weights[0] = 0.0
    return Forest(trees, weights, answer)


# ------------------------------------------------------------------------- trees answer together


@properties
@given(st.integers(0, 2**32 - 1), st.sampled_from(ANSWERS))
def test_answers_are_those_of_the_plain_twin(seed, answer):
    rng = np.random.default_rng(seed)
    forest, X = random_forest(rng, answer), rng.standard_normal((9, 3))
    assert_array_equal(forest.scores(X), naive.scores(forest, X))
    staged = list(forest.staged_scores(X))
    assert len(staged) == 5
    for n, scores in enumerate(staged[1:], start=2):
        assert_array_equal(scores, forest.first(n).scores(X))
    X[rng.random(X.shape) < 0.4] = 0.0
    assert_array_equal(forest.scores(csr_matrix(X)), forest.scores(X))


@pytest.mark.parametrize("answer", ANSWERS)
def test_blocks_of_rows_are_answered_as_the_rows_alone(answer):
    rng = np.random.default_rng(0)
    trees = [random_tree(rng, n_splits=5, n_features=4000) for _ in range(3)]
    forest = Forest([t._replace(missing=trees[0].missing + 1) for t in trees], np.ones(3), answer)
    X = rng.standard_normal((150, 4000))
    X[rng.random(X.shape) < 0.1] = np.nan
    together = forest.scores(X)
    assert_array_equal(together, np.concatenate([forest.scores(x[None]) for x in X]))
    assert_array_equal(together, forest.scores(np.where(np.isnan(X), 1.0, X)))
    assert_array_equal(forest.scores(X[:0]), np.empty((0, 3)))


@properties
@given(st.integers(0, 2**32 - 1), st.sampled_from(ANSWERS[:2]))
def test_margins_are_positive_where_the_forest_is_right(seed, answer):
    rng = np.random.default_rng(seed)
    forest, X, y = random_forest(rng, answer), rng.normal(size=(20, 3)), rng.integers(3, size=20)
    margins = forest.margins(X, y)
    assert (np.abs(margins) <= 1 + 1e-12).all()
    scores, right = forest.scores(X), forest.predict(X) == y
    assert (margins[right] >= 0).all()
    assert (margins[~right] <= 0).all()
    for i in range(20):
        others = np.delete(scores[i], y[i]).max()
        assert margins[i] == scores[i, y[i]] - others


def test_shares_sum_to_one_and_a_forest_of_one_tree_is_that_tree():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 3))
    for answer in ANSWERS[:2]:
        forest = random_forest(rng, answer)
        assert_allclose(forest.scores(X).sum(axis=1), 1)
        tree = forest.trees[1]
        alone = Forest((tree,), [0.3], answer)
        assert_array_equal(alone.predict(X), tree.values[apply(tree, X)].argmax(axis=1))
        assert_array_equal(alone.apply(X)[:, 0], apply(tree, X))
    alone = Forest((tree,), [2.0], "mean")
    assert_array_equal(alone.predict(X), tree.values[apply(tree, X)])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"trees": ()}, "a forest needs at least one tree"),
        ({"weights": [1.0]}, "2 trees need as many weights"),
        ({"weights": [1.0, -1.0]}, "must be finite and not negative"),
        ({"weights": [1.0, np.nan]}, "must be finite and not negative"),
        ({"weights": [0.0, 0.0]}, "are all zero"),
        ({"weights": [1e308, 1e308]}, "overflows"),
        ({"answer": "shout"}, "answer='shout' must be one of"),
        ({"trees": (single_leaf([0, 1], 3), single_leaf([0, 1], 4))}, "tree 1 has n_features = 4"),
        ({"trees": (single_leaf([0, 1], 3), single_leaf([0], 3))}, "tree 1 has n_outputs = 1"),
    ],
)
def test_trees_that_cannot_answer_together_are_refused(change, message):
    leaf = single_leaf([0.0, 1.0], 3)
    given = {"trees": (leaf, leaf), "weights": [1.0, 1.0], "answer": "votes"} | change
    with pytest.raises(ValueError, match=message):
        Forest(**given)
    with pytest.raises(ValueError, match="reads missing values otherwise"):
        Forest((leaf, leaf._replace(missing=np.ones(3, np.float32))), [1, 1], "votes")


def test_margins_need_classes():
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="numbers have no margins"):
        random_forest(rng, "mean").margins(np.zeros((2, 3)), [0, 1])
    forest = random_forest(rng, "votes")
    for y in ([0], [0.5, 1], [0, 3], [-1, 0]):
        with pytest.raises(ValueError, match="class indices"):
            forest.margins(np.zeros((2, 3)), y)


# --------------------------------------------------------------------------------- what is drawn


@properties
@given(st.integers(0, 2**32 - 1), st.sampled_from((0.3, 1.0)))
def test_a_bootstrap_is_that_of_the_plain_twin(seed, share):
    rng = np.random.default_rng(seed)
    weight = np.where(rng.random(12) < 0.3, 0.0, rng.exponential(size=12))
    weight[3] = 1.0
    n = max(1, round(share * np.count_nonzero(weight)))
    numbers = np.random.default_rng(seed).random(n)
    drawn = draw_rows(weight, "bootstrap", share, np.random.default_rng(seed))
    assert_array_equal(drawn, naive.bootstrap(weight, n, numbers))
    assert drawn.sum() == n
    assert not drawn[weight == 0].any()


def test_rows_are_drawn_in_proportion_to_their_weights():
    weight = np.array([1.0, 2.0, 0.0, 5.0])
    rng = np.random.default_rng(0)
    mean = np.mean([draw_rows(weight, "bootstrap", 1.0, rng) for _ in range(4000)], axis=0)
    assert_allclose(mean, 3 * weight / 8, atol=0.05)


def test_a_subsample_keeps_weights_and_repeats_nothing():
    weight = np.arange(10.0)
    drawn = draw_rows(weight, "subsample", 0.5, np.random.default_rng(0))
    assert np.count_nonzero(drawn) == 4
    assert_array_equal(drawn[drawn > 0], weight[drawn > 0])
    assert_array_equal(draw_rows(weight, "all", 0.1, None), weight)


def test_a_tree_on_some_features_says_the_same_on_all():
    rng = np.random.default_rng(0)
    columns = draw_columns(20, 0.3, rng)
    assert len(columns) == 6
    assert (np.diff(columns) > 0).all()
    tree = random_tree(rng, n_features=6)
    wide = widened(tree, columns, 20)
    X = rng.standard_normal((200, 20)).astype(np.float32)
    X[:, ::2] = 0.0
    assert_array_equal(apply(wide, X), apply(tree, take_features(X, columns)))
    sparse = take_features(as_rows(csr_matrix(X)), columns)
    assert_array_equal(apply(tree, sparse), apply(wide, X))
    assert_array_equal(draw_columns(5, 1.0, None), np.arange(5))
    assert len(draw_columns(5, 0.001, rng)) == 1


def test_trees_read_the_features_that_were_drawn_for_them():
    config = bagged("axis", n_trees=6, feature_share=0.2, base={"depth": 6})
    forest = ForestTrainer(config, *CANCER).run()
    for number, tree in enumerate(forest.trees):
        rng = generator_of(0, number)
        draw_rows(np.ones(len(CANCER[1])), "bootstrap", 1.0, rng)
        assert set(tree.feature) <= set(draw_columns(30, 0.2, rng))
    assert len({tuple(tree.feature) for tree in forest.trees}) > 1


# --------------------------------------------------------------------------------------- bagging


@pytest.mark.parametrize("loss", ["log", "squared"])
@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_bagged(method, loss):
    X, y = IRIS if loss == "log" else (DIABETES[0][:120, :4], DIABETES[1][:120])
    trainer = ForestTrainer(bagged(method, 3, loss), X, y, validation=(X[:50], y[:50]))
    events = list(trainer.events())
    assert [event.done for event in events] == [1, 2, 3]
    assert [event.stage for event in events] == ["bagging"] * 3
    forest = trainer.forest
    if loss == "log":
        assert forest.answer == "shares"
        own = forest.scores(X)[np.arange(len(y)), y]
        wrong = forest.predict(X) != y
        assert events[-1].error == pytest.approx(wrong.mean())
        assert events[-1].validation_error == pytest.approx(wrong[:50].mean())
        assert events[-1].loss == pytest.approx(-np.log(own).mean())
        assert 0 <= events[-1].oob_error < 0.5
    else:
        assert forest.answer == "mean"
        error = (forest.predict(X)[:, 0] - y) ** 2
        assert events[-1].error == pytest.approx(error.mean(), rel=1e-5)
        assert events[-1].validation_error == pytest.approx(error[:50].mean(), rel=1e-5)
        assert events[-1].loss is None
    assert all(np.isfinite(tree.values).all() for tree in forest.trees)


@pytest.mark.parametrize("method", [name for name, method in METHODS.items() if method.sparse])
def test_sparse_tables_give_the_same_forest(method):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((120, 6)) < 0.5, 0.0, rng.integers(1, 4, size=(120, 6)))
    y = (X[:, 0] > X[:, 1]).astype(int)
    config = bagged(method, n_trees=2, feature_share=0.7)
    dense, sparse = (ForestTrainer(config, table, y).run() for table in (X, csr_matrix(X)))
    assert (dense.predict(X) == sparse.predict(csr_matrix(X))).mean() > 0.95


@pytest.mark.parametrize("loss", ["log", "squared"])
def test_out_of_bag_are_the_rows_that_were_not_drawn(loss):
    X, y = CANCER if loss == "log" else DIABETES
    trainer = ForestTrainer(bagged("axis", 5, loss, base={"depth": 4}), X, y)
    *_, event = trainer.events()
    sums, asked = np.zeros((len(y), trainer.forest.n_outputs)), np.zeros(len(y))
    for number, tree in enumerate(trainer.trees):
        drawn = draw_rows(np.ones(len(y)), "bootstrap", 1.0, generator_of(0, number))
        unseen = drawn == 0
        assert 0.3 < unseen.mean() < 0.45  # (1 - 1/n)^n
        sums[unseen] += Forest((tree,), [1.0], trainer.answer).scores(X[unseen])
        asked[unseen] += 1
    known = asked > 0
    scores = sums[known] / asked[known, None]
    assert_allclose(trainer.oob_scores[known], scores)
    assert np.isnan(trainer.oob_scores[~known]).all()
    if loss == "log":
        right = (scores.argmax(axis=1) == y[known]).mean()
        assert event.oob_error == pytest.approx(1 - right)
        assert trainer.oob_score() == pytest.approx(right)
    else:
        error = (scores[:, 0] - y[known]) ** 2
        assert event.oob_error == pytest.approx(error.mean(), rel=1e-5)
        assert trainer.oob_score() == pytest.approx(1 - error.mean() / y[known].var(), rel=1e-4)


def test_where_every_tree_sees_all_rows_there_is_no_out_of_bag():
    trainer = ForestTrainer(bagged(sampling="all"), *IRIS)
    *_, event = trainer.events()
    assert event.oob_error is None
    assert trainer.oob_scores is None


@pytest.mark.parametrize("loss", ["log", "squared"])
def test_one_tree_on_all_rows_is_the_trainers_tree(loss):
    X, y = IRIS if loss == "log" else DIABETES
    base = quick("axis", loss, depth=5)
    config = EnsembleConfig("bagging", base, n_trees=1, sampling="all")
    (tree,) = ForestTrainer(config, X, y).run().trees
    assert all(map(np.array_equal, tree, Trainer(base, X, y).run()))


def test_a_random_forest_is_as_good_as_scikit_learns():
    for (X, y), theirs in (
        (CANCER, RandomForestClassifier(60, random_state=0)),
        (DIABETES, RandomForestRegressor(60, random_state=0)),
    ):
        train = np.arange(len(y)) % 2 == 0
        config = PRESETS["random-forest"].config.replace(n_trees=60)
        if isinstance(theirs, RandomForestRegressor):
            base = config.base.replace(loss="squared")
            config = config.replace(base=base, split_features="all")
        forest = ForestTrainer(config, X[train], y[train]).run()
        theirs.fit(X[train], y[train])
        ours, theirs = forest.predict(X[~train]), theirs.predict(X[~train])
        if config.loss == "log":
            assert (ours == theirs).mean() > 0.96
        else:
            assert np.corrcoef(ours[:, 0], theirs)[0, 1] > 0.96


def test_features_that_compete_are_drawn_for_every_split():
    X, y = CANCER
    config = bagged("axis", n_trees=5, base={"depth": 1}, split_features="root")
    few = ForestTrainer(config, X, y).run()
    full = ForestTrainer(config.replace(split_features="all"), X, y).run()
    strong = {int(tree.feature[0]) for tree in full.trees}
    assert any(int(tree.feature[0]) not in strong for tree in few.trees)
    # As many as there are is all of them.
    for max_features in (30, 31):
        tree = Trainer(RunConfig("axis", depth=3, max_features=max_features), X, y).run()
        assert all(map(np.array_equal, tree, Trainer(RunConfig("axis", depth=3), X, y).run()))
    # A feature that is constant at a node is not drawn there.
    X = np.column_stack([np.zeros(len(y)), X[:, 0], np.ones(len(y))])
    for seed in range(5):
        tree = Trainer(RunConfig("axis", depth=1, max_features=1, seed=seed), X, y).run()
        assert tree.feature.tolist() == [1]


def test_a_class_may_be_missing_from_a_bootstrap():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = np.where(np.arange(40) == 7, 2, (X[:, 0] > 0).astype(int))
    for method in METHODS:
        config = bagged(method, n_trees=4)
        drawn = [draw_rows(np.ones(40), "bootstrap", 1.0, generator_of(0, t))[7] for t in range(4)]
        assert 0 in drawn
        forest = ForestTrainer(config, X, y).run()
        assert forest.n_outputs == 3
        assert_allclose(forest.scores(X).sum(axis=1), 1)


@pytest.mark.parametrize("method", METHODS)
def test_constant_targets_and_single_rows_are_learnt(method):
    X = np.random.default_rng(0).normal(size=(12, 2))
    forest = ForestTrainer(bagged(method, 2), X, np.ones(12, int)).run()
    assert_array_equal(forest.predict(X), 1)
    forest = ForestTrainer(bagged(method, 2, "squared"), X, np.full(12, 3.5)).run()
    assert_allclose(forest.predict(X), 3.5, atol=1e-5)
    forest = ForestTrainer(bagged(method, 2), X[:1], np.zeros(1, int)).run()
    assert_array_equal(forest.predict(X), 0)


def test_rows_without_weight_do_not_matter():
    X, y = IRIS
    weight = np.where(np.arange(len(y)) % 3 == 0, 0.0, 1.0)
    broken = np.where(weight[:, None] == 0, 1e6, X)
    trainer = ForestTrainer(bagged(n_trees=5), broken, y, sample_weight=weight)
    *_, event = trainer.events()
    kept = weight > 0
    assert event.error == pytest.approx((trainer.forest.predict(X[kept]) != y[kept]).mean())


# --------------------------------------------------------------------------------------- the door


KINDS = {
    "bagging": bagged("sgd", 4, seed=5, feature_share=0.7),
    "random forest": bagged("axis", 4, split_features="root"),
    "boosting": EnsembleConfig("samme", quick("axis"), n_trees=4),
    "drawn": EnsembleConfig("adaboost-m1", quick("axis"), n_trees=4, sampling="draw"),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_run_goes_on_from_its_state_to_the_same_forest(name):
    X, y = CANCER
    whole = ForestTrainer(KINDS[name], X, y, validation=(X[:50], y[:50]))
    whole.run()
    begun = ForestTrainer(KINDS[name], X, y, validation=(X[:50], y[:50]))
    for _ in range(4):
        state = begun.state()
        # It survives a file: arrays without objects, and what JSON can say.
        for value in state.values():
            if isinstance(value, np.ndarray):
                assert value.dtype.kind in "iuf"
            else:
                json.dumps(value)
        resumed = ForestTrainer(KINDS[name], X, y, validation=(X[:50], y[:50]), state=state)
        assert resumed.history[: len(begun.history)] == begun.history
        resumed.run()
        assert same_forest(resumed.forest, whole.forest)
        assert_array_equal(resumed.weights, whole.weights)
        for ours, theirs in zip(resumed.history, whole.history, strict=True):
            for figure in ("error", "validation_error", "oob_error", "loss", "validation_loss"):
                assert getattr(ours, figure) == getattr(theirs, figure)
        while not begun.step().complete:
            pass
    more = KINDS[name].replace(n_trees=6)
    longer = ForestTrainer(more, X, y, state=whole.state()).run()
    assert same_forest(longer, ForestTrainer(more, X, y).run())


def test_a_state_is_of_one_run_and_its_data():
    X, y = IRIS
    trainer = ForestTrainer(bagged(), X, y)
    trainer.run()
    state = trainer.state()
    for config, table, broken, message in (
        (bagged(seed=1), X, {}, "run with other settings"),
        (bagged(base={"depth": 3}), X, {}, "run with other settings"),
        (bagged(), X + 1, {}, "run on other data"),
        (bagged(n_trees=3), X, {}, "has 4 trees already, and n_trees=3"),
        (bagged(), X, {"threshold": np.zeros(2)}, "threshold of the state has shape"),
        (bagged(), X, {"seconds": np.zeros(1)}, "of 4 trees and of 1 times"),
        (bagged(), X, {"left": 0 * state["left"]}, "the children do not form one tree"),
        (bagged(), X, {"n_splits": -np.ones(4, int)}, "how large its trees are"),
        (bagged(), X, {"config": {}}, "does not tell how a forest is grown"),
    ):
        with pytest.raises(ValueError, match=message):
            ForestTrainer(config, table, y, state=state | broken)
    for key in state:
        rest = {k: v for k, v in state.items() if k != key}
        with pytest.raises(ValueError, match="lacks"):
            ForestTrainer(bagged(), X, y, state=rest)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_trees_may_grow_side_by_side(backend):
    X, y = np.tile(CANCER[0], (12, 1)), np.tile(CANCER[1], 12)  # large enough to be mapped
    config = bagged("axis", 4, feature_share=0.5)
    with joblib.parallel_config(backend):
        trainer = ForestTrainer(config, X, y)
        events = list(trainer.events(n_jobs=2))
    alone = ForestTrainer(config, X, y)
    for ours, theirs in zip(events, alone.events(), strict=True):
        assert (ours.done, ours.error, ours.oob_error) == (
            theirs.done,
            theirs.error,
            theirs.oob_error,
        )
    assert same_forest(trainer.forest, alone.forest)


def test_a_run_begun_alone_may_go_on_side_by_side():
    config = bagged("sgd", 4)
    trainer = ForestTrainer(config, *IRIS)
    while trainer.step().done < 2:
        pass
    trainer.step()  # in the midst of a tree
    with joblib.parallel_config("threading"):
        forest = trainer.run(n_jobs=2)
    assert same_forest(forest, ForestTrainer(config, *IRIS).run())


def test_boosted_trees_grow_one_after_the_other_whatever_is_asked():
    config = KINDS["boosting"]
    assert same_forest(ForestTrainer(config, *CANCER).run(2), ForestTrainer(config, *CANCER).run())


def test_steps_tell_how_far_the_run_is():
    trainer = ForestTrainer(bagged("sgd", 3, base={"epochs": 400}), *CANCER)
    with pytest.raises(RuntimeError, match="no forest before the first tree"):
        _ = trainer.forest
    events = []
    while not trainer.finished:
        events.append(trainer.step())
    progress = [event.progress for event in events]
    assert progress == sorted(progress)
    assert progress[-1] == 1.0
    assert sum(event.complete for event in events) == 3
    assert len(events) > 6
    assert trainer.history == [event for event in events if event.complete]
    seconds = [event.seconds for event in events]
    assert seconds == sorted(seconds)


def test_a_closed_run_keeps_its_forest():
    trainer = ForestTrainer(bagged("axis", 50), *IRIS)
    for event in trainer.events():
        if event.done == 3:
            trainer.close()
    assert trainer.forest.n_trees == 3


def test_a_share_of_the_rows_is_held_out():
    trainer = ForestTrainer(bagged(validation=0.2, seed=3), *IRIS)
    *_, event = trainer.events()
    assert len(trainer.held_out.y) == 30
    held = trainer.held_out
    assert event.validation_error == (trainer.forest.predict(held.X) != held.y).mean()


def test_balanced_classes_and_missing_values_reach_the_trees():
    X, y = IRIS
    X = X.copy()
    X[::7, 2] = np.nan
    kept = np.r_[0:50, 50:60]
    plain = bagged(sampling="all", n_trees=1)
    balanced = plain.replace(base=plain.base.replace(class_weight="balanced"))
    trainer = ForestTrainer(balanced, X[kept], y[kept])
    by_class = np.bincount(y[kept], trainer.weights)
    assert by_class[0] == pytest.approx(by_class[1])
    assert np.isfinite(trainer.run().scores(X)).all()


def test_configs_are_told_and_read_back():
    for preset in PRESETS.values():
        config = preset.config
        told = json.loads(json.dumps(config.as_dict()))
        assert EnsembleConfig.from_dict(told) == config
        assert preset.title
        for kind in ENSEMBLES:
            if config.base.method == "axis" or "split_features" not in told:
                assert config.replace(kind=kind, n_trees=7).n_trees == 7
    numbers = PRESETS["oc1-forest"].numbers()
    assert numbers.loss == "squared"
    assert hash(numbers) == hash(PRESETS["oc1-forest"].numbers())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: find_ensemble("stacking"), "there is no ensemble 'stacking'; known are bagging"),
        (lambda: EnsembleConfig("bagging", n_trees=0), "n_trees=0 must be between 1 and"),
        (lambda: EnsembleConfig("samme", sampling="bootstrap"), "must be one of weights, draw"),
        (lambda: EnsembleConfig("bagging", "axis"), "base='axis' must be the RunConfig"),
        (lambda: EnsembleConfig("samme", quick(loss="squared")), "SAMME is for classes"),
        (lambda: EnsembleConfig("bagging", quick(kernel="fourier")), "is for single trees"),
        (lambda: bagged("sgd", split_features="root"), "is for axis-aligned trees"),
        (lambda: EnsembleConfig(seed=-1), "seed=-1 must be"),
        (lambda: EnsembleConfig(learning_rate=1), "there is no setting 'learning_rate' here"),
        (lambda: PRESETS["boosted-tao"].numbers(), "SAMME is for classes"),
    ],
)
def test_a_config_that_cannot_be_grown_gets_one_sentence(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.empty((0, 2)), np.empty(0, int), "there are no training rows"),
        (np.zeros((3, 2)), [0, 1], "3 rows need as many labels"),
        (np.zeros((3, 2)), [0.5, 1, 2], "y must hold class indices"),
        (np.full((2, 2), np.inf), [0, 1], "infinite"),
    ],
)
def test_data_that_cannot_be_learnt_from_get_one_sentence(X, y, message):
    with pytest.raises(ValueError, match=message):
        ForestTrainer(bagged(), X, y)
    with pytest.raises(ValueError, match="all rows have weight 0"):
        ForestTrainer(bagged(), *IRIS, sample_weight=np.zeros(150))
    with pytest.raises(ValueError, match="needs a dense table"):
        ForestTrainer(bagged("oc1"), csr_matrix(IRIS[0]), IRIS[1])


def test_more_trees_than_memory_allows_are_refused_beforehand():
    config = bagged("annealed", 100_000, base={"depth": 12, "start": "random"})
    with pytest.raises(ValueError, match=r"100,000 trees may take .* of memory and 1 GB are free"):
        ForestTrainer(config, *CANCER, memory=10**9)
    with pytest.raises(ValueError, match="a single one would not fit"):
        check_memory(2000, 100, 2)
    check_memory(2000, None, 2)


@pytest.mark.parametrize("method", METHODS)
def test_no_forest_takes_more_memory_than_was_told(method):
    forest = ForestTrainer(bagged(method, 3, base={"depth": 4}), *CANCER).run()
    forest.scores(CANCER[0])
    arrays = [*(array for tree in forest.trees for array in tree[:-1]), *forest._packed]
    told = forest_bytes(3, 16, 30, 2, method != "axis")
    assert sum(array.nbytes for array in arrays) <= told

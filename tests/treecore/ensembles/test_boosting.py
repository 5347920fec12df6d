"""Boosting: the algorithms of the papers, their identities, and where they stop."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_digits
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from tests.helpers.bagged import CANCER, IRIS
from tests.helpers.cases import examples
from tests.helpers.same import assert_same
from tests.naive import ensembles as naive
from treecore import RunConfig, Trainer
from treecore.ensembles.boosting import ALGORITHMS, Boosting

STUMP = RunConfig("axis", depth=1)
properties = examples(60)


@properties
@given(
    st.sampled_from(ALGORITHMS),
    st.integers(2, 5),
    st.integers(0, 2**32 - 1),
    st.sampled_from((0.1, 0.4, 0.8)),
)
def test_weights_votes_and_stops_are_the_plain_twins(algorithm, n_classes, seed, share):
    rng = np.random.default_rng(seed)
    weight = rng.exponential(size=12)
    wrongs = rng.random((6, 12)) < share
    votes, errors, weights = naive.boost(algorithm, weight, n_classes, wrongs)
    boosting = Boosting(algorithm, weight, n_classes)
    for wrong in wrongs:
        if not boosting.stopped:
            boosting.add(wrong)
    kept = [one for one in boosting.rounds if one.accepted]
    assert [one.error for one in kept] == errors
    assert_array_equal(boosting.weights, weights)
    assert [one.vote for one in kept if one.error > 0] == [v for v in votes if v < math.inf]
    assert boosting.stopped == (len(kept) < len(wrongs) or 0 in errors)


@properties
@given(st.sampled_from(ALGORITHMS), st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_the_exponential_loss_is_the_product_of_what_the_trees_leave_of_it(algorithm, k, seed):
    rng = np.random.default_rng(seed)
    weight = rng.exponential(size=20)
    boosting, exponents, product = Boosting(algorithm, weight, k), np.zeros(20), 1.0
    c = 2 if algorithm == "adaboost-m1" else k
    for wrong in rng.random((4, 20)) < 0.3:
        one = boosting.add(wrong)
        if one.note:
            return
        boosting.add_exponents(exponents, wrong, one.vote)
        e = one.error
        left = (1 - e) * math.exp(-one.vote * (c - 1) / c) + e * math.exp(one.vote / c)
        if c == 2:
            assert left == pytest.approx(2 * math.sqrt(e * (1 - e)))
        product *= left
        loss = np.exp(exponents) * weight
        assert loss.sum() / weight.sum() == pytest.approx(product)
        assert_allclose(loss / loss.sum(), boosting.weights)  # they are the loss, made to sum to 1


BY_NEWTON = pytest.param(RunConfig("tao", depth=2, epochs=2), marks=pytest.mark.jit)


@pytest.mark.parametrize("base", [STUMP, BY_NEWTON])
def test_with_two_classes_samme_is_adaboost_m1(base):
    forests = []
    for kind in ALGORITHMS:
        trainer = Trainer(RunConfig(kind, base=base, n_trees=8), *CANCER)
        events = list(trainer.events())
        forests.append((trainer.model, [(e.error, e.loss) for e in events], trainer.weights))
    assert_same(forests[0][0], forests[1][0])
    assert forests[0][1] == forests[1][1]
    assert_array_equal(forests[0][2], forests[1][2])


@pytest.mark.parametrize("data", [IRIS, CANCER])
def test_given_the_same_trees_errors_and_votes_are_those_of_scikit_learn(data):
    X, y = data
    theirs = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=15).fit(X, y)
    ours = Boosting("samme", np.ones(len(y)), len(np.unique(y)))
    for tree in theirs.estimators_:
        ours.add(tree.predict(X) != y)
    assert_allclose([one.error for one in ours.rounds], theirs.estimator_errors_[:15])
    assert_allclose([one.vote for one in ours.rounds], theirs.estimator_weights_[:15])


def test_many_classes_are_boosted_by_stumps_with_samme_and_refused_by_m1():
    X, y = load_digits(return_X_y=True)
    trainer = Trainer(RunConfig("samme", base=STUMP, n_trees=10), X, y)
    *_, event = trainer.events()
    assert event.done == 10
    assert not event.note
    trainer = Trainer(RunConfig("adaboost-m1", base=STUMP), X, y)
    (event,) = trainer.events()
    assert "AdaBoost.M1 needs less than 50 % from the start" in event.note
    assert "or SAMME" in event.note
    assert (event.done, event.progress, trainer.finished, trainer.trees) == (1, 1.0, True, ())
    # What is left is the largest class.
    assert_array_equal(np.unique(trainer.model.predict(X)), np.bincount(y).argmax())
    assert event.error == (y != np.bincount(y).argmax()).mean()
    resumed = Trainer.from_state(trainer.state(), trainer.config, X, y)
    assert resumed.finished
    assert resumed.history[-1].note == event.note


def test_a_tree_too_weak_ends_the_run_and_is_not_in_it(rng):
    X = rng.integers(2, size=(200, 2)).astype(float)
    y = X[:, 0].astype(int) ^ X[:, 1].astype(int)
    y[:20] = 1 - y[:20]  # a stump finds a little, and then nothing
    trainer = Trainer(RunConfig("samme", base=STUMP, n_trees=1000), X, y)
    *_, event = trainer.events()
    assert "SAMME stops at 50 %" in event.note
    assert trainer.model.n_trees == event.done - 1 == len(trainer.boosting.rounds) - 1
    with pytest.raises(StopIteration):
        trainer.step()


def test_a_perfect_tree_outvotes_all_others_and_ends_the_run(rng):
    boosting = Boosting("samme", np.ones(10), 3)
    for i in range(3):
        boosting.add(np.arange(10) == i)
    one = boosting.add(np.zeros(10, dtype=bool))
    assert one.vote > sum(other.vote for other in boosting.rounds[:-1])
    assert "tree 4 gets no row wrong" in one.note

    X = rng.normal(size=(100, 2))
    y = (X[:, 0] > 0).astype(int)
    trainer = Trainer(RunConfig("adaboost-m1", base=STUMP), X, y)
    (event,) = trainer.events()
    assert event.error == 0
    assert "boosting adds no trees" in event.note
    assert trainer.model.n_trees == 1


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_restart_draws_weights_and_goes_on(algorithm):
    weight = np.where(np.arange(50) < 10, 0.0, 1.0)
    boosting = Boosting(algorithm, weight, 3, restart=True)
    never, always = np.zeros(50, dtype=bool), np.ones(50, dtype=bool)
    half = boosting.add(np.arange(50) % 4 == 1, np.random.default_rng(0)).vote
    seen = [boosting.weights]
    for number, wrong in enumerate((never, always, never)):
        one = boosting.add(wrong, np.random.default_rng(number))
        assert one.accepted == (wrong is never)
        assert one.note == ""
        assert not boosting.stopped
        # A tree without error has more votes than one with, and less than all others together.
        assert one.vote == 0 or half < one.vote < 10
        assert boosting.weights.sum() == pytest.approx(1)
        assert not boosting.weights[:10].any()
        assert all((boosting.weights != weights)[10:].all() for weights in seen)
        seen.append(boosting.weights)


def test_strong_trees_are_boosted_on_where_boosting_restarts(rng):
    X, y = IRIS
    X = X + np.arange(len(y))[:, None] * 1e-4
    config = RunConfig("samme", base=RunConfig("axis", depth=12), n_trees=6, ending="restart")
    trainer = Trainer(config, X, y)
    *_, event = trainer.events()
    assert (event.done, event.error, event.note) == (6, 0.0, "")
    assert [one.error for one in trainer.boosting.rounds] == [0.0] * 6
    assert trainer.model.n_trees == 6
    assert len({tuple(tree.threshold) for tree in trainer.trees}) > 1
    # A stump on noise is no better than chance, now and then; it is not kept, and the run goes on.
    X, y = rng.integers(2, size=(300, 2)).astype(float), rng.integers(2, size=300)
    config = RunConfig("samme", base=STUMP, n_trees=40, ending="restart")
    trainer = Trainer(config, X, y)
    trainer.run()
    assert len(trainer.boosting.rounds) == 40
    assert 0 < trainer.model.n_trees < 40
    state = trainer.state()
    again = Trainer.from_state(state, config.replace(n_trees=45), X, y).run()
    assert_same(again, Trainer(config.replace(n_trees=45), X, y).run())


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_tree_that_is_right_on_the_only_row_has_a_vote(algorithm):
    config = RunConfig(algorithm, base=STUMP, n_trees=3, ending="restart")
    trainer = Trainer(config, np.zeros((1, 2)), np.array([1]))
    *_, event = trainer.events()
    assert event.error == 0
    assert (trainer.model.weights > 0).all()


def test_weights_of_rows_are_where_boosting_begins():
    X, y = IRIS
    weight = np.where(y == 2, 0.0, 1.0 + np.arange(len(y)) % 3)
    trainer = Trainer(RunConfig("samme", base=STUMP, n_trees=4), X, y, sample_weight=weight)
    assert_allclose(trainer.weights, weight / weight.sum())
    trainer.run()
    assert_array_equal(trainer.weights[y == 2], 0)
    smoother = trainer.config.replace(base=STUMP.replace(smoothing=2.0))
    doubled = Trainer(smoother, X, y, sample_weight=2 * weight)
    assert_same(doubled.run(), trainer.model)

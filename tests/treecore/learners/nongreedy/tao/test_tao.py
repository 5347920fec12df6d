"""TAO: its reduced problems, its promise, and what it cuts off at the end."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.bagged import DIGITS
from tests.helpers.cases import examples
from tests.helpers.growing import class_rows
from tests.helpers.same import assert_same
from tests.helpers.strategies import random_tree
from tests.naive import tao as naive_tao
from treecore import RunConfig, Trainer, predict
from treecore.core.routing import apply, leaf_labels
from treecore.core.tree import OBLIQUE, check_tree, complete_tree
from treecore.learners.nongreedy.settings import TAOSettings
from treecore.learners.nongreedy.start import random_tree as random_start
from treecore.learners.nongreedy.tao.care_points import (
    care_loss,
    constant_costs,
    follow_split,
    leaf_below,
    reduced_problem,
)
from treecore.learners.nongreedy.tao.tao import TAO
from treecore.learners.states import load_state, state_of
from treecore.losses import ABSOLUTE, HUBER, LOG, SQUARED
from treecore.rows.training_rows import TrainingRows


def random_problem(rng, n_rows=60, n_classes=3, **shape):
    tree = random_tree(rng, n_classes=n_classes, **shape)
    X = rng.standard_normal((n_rows, tree.n_features)).astype(np.float32)
    return tree, X, rng.integers(n_classes, size=n_rows)


def rows_below(tree, split, leaves):
    return np.flatnonzero(np.isin(leaves, naive_tao.leaves_under(tree, split)))


def solve_kernels(tree, split, X, y, weight, loss=LOG):
    """Run the kernels on one split; give the care points, sides, stakes, and leaf and other."""
    leaf = apply(tree, X)
    rows = rows_below(tree, split, leaf)
    problem = reduced_problem(tree, split, X, rows, leaf, constant_costs(tree, loss, y), weight)
    return rows, *problem[2:], leaf, *problem[:2]


def make_tao(X, y, start, n_epochs=5, weight=None, n_threads=None, **more):
    settings = TAOSettings(**({"C": 1.0, "epochs": n_epochs} | more))
    return TAO(class_rows(X, y, start.n_outputs, weight), start, settings, n_threads=n_threads)


def finish(learner):
    while not learner.finished:
        learner.advance(10**9)
    return learner.tree()


@pytest.mark.parametrize("loss", [LOG, SQUARED, HUBER, ABSOLUTE], ids=lambda loss: loss.name)
@examples(5)
@given(seed=st.integers(0, 2**32 - 1))
def test_care_points_and_pseudolabels_match_naive(seed, loss):
    rng = np.random.default_rng(seed)
    tree, X, y = random_problem(rng, n_splits=12)
    weight = rng.choice([0.0, 0.5, 1.0, 2.0], size=len(y))
    labels = leaf_labels(tree)
    if loss is not LOG:
        y = 2 * rng.standard_normal((len(y), tree.n_outputs)).astype(np.float32)

    def cost(leaf, row):
        if loss is LOG:
            return labels[leaf] != y[row]
        leaf = np.array([leaf], dtype=np.int32)
        return loss.of_rows(tree.values, leaf, y[row : row + 1])[0]

    for split in range(tree.n_splits):
        rows, care, wants_right, stake, leaf, other, went_right = solve_kernels(
            tree, split, X, y, weight, loss
        )
        twin, twin_right, twin_stake = naive_tao.find_care_points(
            tree, split, X, weight, cost, rows
        )
        np.testing.assert_array_equal(care, twin)
        np.testing.assert_array_equal(wants_right, twin_right)
        np.testing.assert_array_equal(stake, twin_stake)
        assert care_loss(tree, split, X, care, wants_right, stake) == naive_tao.care_loss(
            tree, split, X, care, wants_right, stake
        )
        turned = tree._replace(threshold=tree.threshold.copy())
        turned.threshold[split] += 0.5
        follow_split(turned, split, X, rows, went_right, other, leaf)
        expected = apply(tree, X)
        naive_tao.follow_split(turned, split, X, rows, expected)
        np.testing.assert_array_equal(leaf, expected)
        for row in rows[:5]:
            assert leaf_below(tree, split, X[row]) == naive_tao.leaf_below(tree, split, X[row])


@examples(40)
@given(
    seed=st.integers(0, 2**32 - 1),
    C=st.floats(1e-2, 1e3),
    path=st.sampled_from([1.0, 100.0]),
    share_axis=st.sampled_from([0.0, 0.5, 1.0]),
    weighted=st.booleans(),
)
def test_the_objective_never_rises_and_is_that_of_the_tree(seed, C, path, share_axis, weighted):
    rng = np.random.default_rng(seed)
    start, X, y = random_problem(rng, n_splits=int(rng.integers(0, 12)), share_axis=share_axis)
    weight = rng.random(len(y)) if weighted else None
    learner = make_tao(X, y, start, C=C, path=path, weight=weight, n_threads=1)
    weight = np.ones(len(y)) if weight is None else weight
    last = weight[predict(start, X) != y].sum()
    assert learner.objective == pytest.approx(last)
    while not learner.finished:
        learner.advance(20)
        error = weight[predict(learner.tree(), X) != y].sum()
        assert error <= last + 1e-9, "not even between two splits"
        last = error
        if learner.epoch == int(learner.epoch):
            assert learner.objective == pytest.approx(error)
    check_tree(learner.tree())


@examples(25)
@given(
    seed=st.integers(0, 2**32 - 1),
    loss=st.sampled_from([SQUARED, HUBER, ABSOLUTE]),
    smoothing=st.sampled_from([1e-3, 1.0, 30.0]),
)
def test_the_cost_of_numbers_never_rises(seed, loss, smoothing):
    rng = np.random.default_rng(seed)
    start, X, _ = random_problem(rng, n_splits=int(rng.integers(0, 12)))
    y = rng.standard_t(2, size=(len(X), start.n_outputs)).astype(np.float32)
    weight = rng.random(len(X))
    rows = TrainingRows(X, y, weight, start.n_outputs, loss)
    settings = TAOSettings(C=1.0, epochs=4, smoothing=smoothing)
    learner = TAO(rows, start, settings)

    def cost():
        tree = learner.tree()
        at_zero = np.zeros_like(tree.values)
        own = np.arange(tree.n_leaves, dtype=np.int32)
        return (weight * loss.of_rows(tree.values, apply(tree, X), y)).sum() + (
            smoothing * loss.of_rows(tree.values, own, at_zero)
        ).sum()

    last = cost()
    assert learner.objective == pytest.approx(last, rel=1e-5)
    while not learner.finished:
        learner.advance(20)
        if learner.finished:
            break  # leaves that were pruned no longer count
        assert cost() <= last * (1 + 1e-5)
        last = cost()
    assert learner.objective <= last * (1 + 1e-5)
    check_tree(learner.tree())


def test_the_number_of_threads_never_changes_the_tree():
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((400, 6)).astype(np.float32), rng.integers(3, size=400)
    start = random_start(class_rows(X, y, 3), 4, 1.0, rng)
    serial = finish(make_tao(X, y, start, n_threads=1))
    for n_threads in (2, 4, 5):
        assert_same(serial, finish(make_tao(X, y, start, n_threads=n_threads)))
    with ThreadPoolExecutor(3) as pool:  # as several people at one server
        for tree in pool.map(finish, [make_tao(X, y, start, n_threads=2) for _ in range(3)]):
            assert_same(serial, tree)


def test_a_run_ends_where_nothing_changes_any_more():
    rng = np.random.default_rng(4)
    X = rng.standard_normal((150, 3)).astype(np.float32)
    y = (X @ [1.0, 2.0, 0.0] > 0.3).astype(np.int64)
    start = random_start(class_rows(X, y, 2), 2, 1.0, rng)
    learner = make_tao(X, y, start, n_epochs=60)
    tree = finish(learner)
    assert learner.epoch < 60
    assert_same(tree, finish(make_tao(X, y, start, n_epochs=61)))
    assert np.mean(predict(tree, X) == y) > 0.95


def test_splits_are_sparse_and_a_smaller_C_makes_them_sparser():
    rng = np.random.default_rng(5)
    X = rng.standard_normal((600, 20)) * 100 + 1000
    y = (X[:, 3] + X[:, 7] > 2000).astype(np.int64)
    used = []
    for C in (0.05, 100.0):
        trainer = Trainer(RunConfig("tao", start="random", depth=1, C=C), X, y)
        tree = trainer.run()
        assert np.mean(predict(tree, X) == y) > 0.9
        used.append(set(np.flatnonzero(tree.weights[0])))
    assert used[0] == {3, 7}
    assert used[0] < used[1]


def test_C_rises_in_equal_ratios_and_is_whole_in_the_second_half():
    start, X, y = random_problem(np.random.default_rng(6), n_splits=3)
    learner = make_tao(X, y, start, n_epochs=6, C=8.0, path=8.0)
    seen = []
    while not learner.finished and learner.epoch < 4:
        if learner.epoch == int(learner.epoch):
            seen.append(learner._C_of_pass())
        learner.advance(1)
    assert seen == pytest.approx([1.0, 2.0, 4.0, 8.0])
    assert make_tao(X, y, start, n_epochs=1, C=8.0, path=8.0)._C_of_pass() == 8.0


def test_care_points_of_one_side_make_a_split_that_sends_all_there():
    X = np.array([[0.0], [1.0], [2.0]], dtype=np.float32)
    start = complete_tree(1, 1, 2)._replace(values=np.array([[1, 0], [0, 1]], dtype=np.float32))
    for label in (0, 1):
        learner = make_tao(X, np.full(3, label), start)
        tree = finish(learner)
        assert learner.objective == 0
        assert tree.n_splits == 0, "the other side is dead"
        assert (predict(tree, X) == label).all()


def test_digits_are_learnt_by_splits_of_few_pixels():
    X, X_test, y, y_test = DIGITS
    trainer = Trainer(RunConfig("tao", depth=8, epochs=8), X, y, validation=(X_test, y_test))
    events = [event for event in trainer.events() if event.stage == "tao"]
    accuracy = [event.accuracy for event in events]
    assert accuracy == sorted(accuracy)
    assert events[0].validation_accuracy < 0.85
    assert np.mean(predict(trainer.model, X_test) == y_test) >= 0.91
    oblique = trainer.model.feature == OBLIQUE
    assert np.count_nonzero(trainer.model.weights) < 16 * oblique.sum()


def test_a_rising_objective_would_be_told():
    start, X, y = random_problem(np.random.default_rng(0), n_splits=5)
    learner = make_tao(X, y, start)
    learner.objective = 0.0
    with pytest.raises(AssertionError, match="misclassified rows rose from 0 to"):
        finish(learner)


def test_a_state_that_is_of_no_tree_is_refused():
    start, X, y = random_problem(np.random.default_rng(0), n_splits=5)
    for name, value, sentence in (
        ("leaf", 1 << 20, "index outside 0 to 5"),
        ("threshold", np.nan, "threshold"),
    ):
        state = state_of(make_tao(X, y, start))
        state[name][0] = value
        with pytest.raises(ValueError, match=sentence):
            load_state(make_tao(X, y, start), state)

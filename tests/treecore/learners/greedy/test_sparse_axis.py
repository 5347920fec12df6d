"""Greedy growth on sparse tables: the tree of the filled table, at the price of what is stored."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from tests.helpers.growing import (
    CRITERIA,
    blobs,
    class_rows,
    finish,
    grow,
    rows,
    sparse,
    training,
)
from tests.helpers.same import assert_same
from tests.naive import greedy as naive
from treecore import RunConfig, Trainer
from treecore.learners.greedy.finders.sparse_axis import Spans, best_sparse_cut, divide_spans
from treecore.learners.greedy.targets import make_targets
from treecore.losses.metrics import evaluate
from treecore.rows.tables import SparseRows


@given(rows(), st.sampled_from(CRITERIA), st.integers(1, 4), st.data())
def test_the_best_cut_beside_implied_zeros_is_that_of_the_filled_column(
    sample, criterion, min_samples_leaf, data
):
    X, y, n_classes = sample
    targets = make_targets(data.draw(training(X, y, n_classes)), criterion)
    order = np.argsort(X[:, 0], kind="stable").astype(np.int32)
    values = X[order, 0]
    stored = values != 0
    if not stored.any():
        return
    criterion, whole = targets.criterion, targets.tally(order)
    found, units, lower, upper = best_sparse_cut(
        values[stored],
        order[stored],
        len(y),
        criterion,
        whole,
        min_samples_leaf,
        np.zeros_like(whole),
    )
    expected, n_left, expected_units = naive.best_cut(
        values, order, criterion, whole, min_samples_leaf
    )
    assert (found, units) == (expected, expected_units)
    if found < np.inf:
        assert (lower, upper) == (values[n_left - 1], values[n_left])


@given(rows(), st.sampled_from(CRITERIA), st.integers(1, 6), st.integers(1, 4), st.data())
def test_the_tree_is_that_of_the_filled_table(sample, criterion, depth, min_samples_leaf, data):
    X, y, n_classes = sample
    given_rows = data.draw(training(X, y, n_classes))
    rules = {"min_samples_leaf": min_samples_leaf}
    dense = finish(grow("axis", given_rows, depth, criterion, **rules))
    learner = grow("axis", dataclasses.replace(given_rows, X=sparse(X)), depth, criterion, **rules)
    budget = data.draw(st.integers(1, 100))
    while not learner.finished:  # in portions, which change nothing
        assert learner.advance(budget) <= budget + len(y)
    assert_same(learner.tree(), dense)


def test_stored_zeros_are_zeros(rng):
    X, y = blobs(rng, 100, 3, 2)
    X[X < 0] = 0
    full = SparseRows(X.ravel(), np.tile(np.arange(3, dtype=np.int32), 100), np.arange(101) * 3, 3)
    one, other = (finish(grow("axis", class_rows(Z, y, 2), 4)) for Z in (full, sparse(X)))
    assert_same(one, other)


@given(rows(), st.data())
def test_ranges_are_divided_with_their_order_kept(sample, data):
    X, y, _ = sample
    n = len(y)
    right = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    start, stop = sorted(data.draw(st.tuples(st.integers(0, n), st.integers(0, n))))
    values, order = X[:, 0].copy(), np.arange(n, dtype=np.int32)
    spans = Spans(np.zeros(1, np.int32), np.array([start]), np.array([stop]))
    middle, spare = np.zeros(1, int), (np.zeros(n, np.float32), np.zeros(n, np.int32))
    divide_spans(0, 1, spans, values, order, right, middle, *spare)
    inside = np.arange(start, stop)
    expected = [*range(start), *inside[~right[inside]], *inside[right[inside]], *range(stop, n)]
    assert_array_equal(order, expected)
    assert_array_equal(values, X[expected, 0])
    assert middle == [start + np.count_nonzero(~right[inside])]


def test_rows_without_any_entry_and_tables_of_zeros_are_sound():
    y = np.array([0, 1, 1, 0])
    zeros = sparse(np.zeros((4, 3), np.float32))
    for name in ("axis", "random"):
        assert finish(grow(name, class_rows(zeros, y, 2), 3)).n_splits == 0
    X = np.zeros((4, 3), np.float32)
    X[1:3, 1] = -2
    tree = finish(grow("axis", class_rows(sparse(X), y, 2), 3))
    assert (tree.feature, tree.threshold) == ([1], [-1])


def test_wide_tables_cost_what_they_store(rng):
    n, p, per_row = 2000, 50_000, 20
    X = scipy.sparse.random(n, p, per_row / p, "csr", np.float32, rng)
    topic = rng.integers(2, size=n)
    marks = scipy.sparse.csr_matrix((np.ones(n, np.float32), (np.arange(n), 7 + topic)), (n, p))
    trainer = Trainer(RunConfig("axis", depth=3), X + marks, topic)
    assert trainer.run().feature == [7]
    # Filled, the table has n * p values.
    assert trainer.learner.pass_units < 50 * n


def test_random_directions_are_drawn_for_sparse_tables_too(rng):
    X = np.where(rng.random((400, 30)) < 0.3, rng.normal(size=(400, 30)), 0).astype(np.float32)
    y = (X[:, :4].sum(axis=1) > 0).astype(np.int64)
    rows = class_rows(sparse(X), y, 2)
    tree = finish(grow("random", rows, 5))
    assert tree.weights.shape[0] == tree.n_splits > 3
    assert evaluate(tree, X, y).accuracy > 0.75


@pytest.mark.parametrize("method", ["axis", "random-oblique"])
def test_sparse_tables_come_through_the_door(method, rng):
    X, y = blobs(rng, 300, 6, 3)
    X[X < 0.3] = 0
    tree = Trainer(RunConfig(method, depth=4), scipy.sparse.csr_matrix(X), y).run()
    assert evaluate(tree, X, y).accuracy > 0.5
    if method == "axis":
        assert_same(
            tree._replace(missing=0),
            Trainer(RunConfig(method, depth=4), X, y).run()._replace(missing=0),
        )
    for refusing in ("oc1", "co2"):
        with pytest.raises(ValueError, match="needs a dense table"):
            Trainer(RunConfig(refusing), scipy.sparse.csr_matrix(X), y)


def test_joint_learning_starts_from_the_axes_of_a_sparse_table(rng):
    X, y = blobs(rng, 300, 6, 3)
    X[X < 0.3] = 0
    trainer = Trainer(
        RunConfig("sgd", start="axis", depth=4, epochs=20), scipy.sparse.csr_matrix(X), y
    )
    bounds = [event.bound for event in trainer.events() if event.stage == "sgd"]
    assert bounds[-1] < bounds[0]

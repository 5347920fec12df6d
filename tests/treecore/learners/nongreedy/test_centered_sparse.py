"""Sparse tables: read and learnt from as dense ones, up to rounding."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits

from tests.helpers.cases import case, examples
from tests.helpers.same import assert_same
from tests.helpers.strategies import random_tree
from treecore import RunConfig, Trainer, apply, evaluate, predict
from treecore.compiling.kernels import dot, kernel
from treecore.core.routing import as_rows
from treecore.core.scaling import Scaling
from treecore.core.tree import check_tree
from treecore.learners.nongreedy.centered_sparse import CenteredSparseRows
from treecore.learners.nongreedy.weight_rows import add_scaled_row, split_score
from treecore.losses import LOSSES
from treecore.rows.reading import add_scaled, entry, inner, row_at
from treecore.rows.tables import CentredRows, SparseRows, take_rows

SGD_METHODS = ["sgd", "stable-sgd"]


def random_table(rng, n, p, density=0.3):
    """A dense float32 table of positive numbers and zeros, empty rows and full columns."""
    X = np.where(rng.random((n, p)) < density, rng.exponential(3.0, (n, p)), 0.0)
    X[:, 0] = 1.0 + rng.random(n)
    X[0, :] = 0.0
    return X.astype(np.float32)


def rows_of(X) -> SparseRows:
    return as_rows(sp.csr_matrix(X))


@kernel
def read_row(X, i, w, column, factor):
    x = row_at(X, i)
    total = inner(x, w)
    add_scaled(x, factor, w)
    return total, entry(x, column)


@kernel
def score(W, X, split, row):
    return split_score(W, split, row_at(X, row))


@kernel
def turn_rows(W, X, splits, rows, steps, nu):
    for k in range(splits.shape[0]):
        add_scaled_row(W, splits[k], steps[k], row_at(X, rows[k]), nu)


@examples(60)
@given(seed=st.integers(0, 2**32 - 1), p=st.integers(1, 70))
def test_a_row_answers_alike_whether_dense_or_sparse(seed, p):
    rng = np.random.default_rng(seed)
    X = random_table(rng, 6, p)
    w = rng.standard_normal(p).astype(np.float32)
    for i in range(6):
        a, b = w.copy(), w.copy()
        column = int(rng.integers(p))
        dense, sparse = read_row(X, i, a, column, 0.3), read_row(rows_of(X), i, b, column, 0.3)
        assert dense == (dot(w, X[i]), X[i, column])
        assert sparse == pytest.approx(dense, rel=1e-4, abs=1e-4)
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csc_matrix, sp.coo_matrix, sp.csr_array])
def test_leaves_are_those_of_the_dense_table(kind):
    for p in (3, 16, 50):
        with case(p=p):
            rng = np.random.default_rng(p)
            tree = random_tree(rng, n_splits=40, n_features=p)
            X = random_table(rng, 200, p)
            np.testing.assert_array_equal(apply(tree, kind(X)), apply(tree, X))


def test_zeros_that_are_stored_and_entries_that_repeat_change_nothing():
    rng = np.random.default_rng(0)
    tree, X = random_tree(rng, n_splits=40, n_features=20), random_table(rng, 50, 20)
    every = np.indices(X.shape).reshape(2, -1)
    full = sp.csr_matrix((X.ravel(), every), shape=X.shape)
    assert full.nnz == X.size
    np.testing.assert_array_equal(apply(tree, full), apply(tree, X))
    twice = sp.coo_matrix((np.tile(X.ravel() / 2, 2), np.tile(every, 2)), shape=X.shape)
    np.testing.assert_array_equal(apply(tree, twice), apply(tree, X))


def test_some_rows_are_those_of_the_dense_table():
    X = random_table(np.random.default_rng(1), 10, 7)
    slices = slice(2, 5), slice(0), slice(None), slice(0, 9, 2)
    for rows in (*slices, np.array([4, 0, 4]), np.arange(10) > 6):
        with case(rows=rows):
            some = take_rows(rows_of(X), rows)
            back = sp.csr_matrix((some.values, some.where, some.start), shape=X[rows].shape)
            np.testing.assert_array_equal(back.toarray(), X[rows])


def test_scaling_is_that_of_the_dense_table():
    rng = np.random.default_rng(2)
    X = random_table(rng, 300, 12)
    X[:, 5], X[:, 6], X[:, 7] = 4.0, 0.0, -X[:, 7]
    X[3, 8] = 1e6
    dense, sparse = Scaling.fit(X), Scaling.fit(rows_of(X))
    np.testing.assert_allclose(sparse.mean, dense.mean, rtol=1e-12)
    varying = np.arange(12) != 5
    np.testing.assert_allclose(sparse.deviation[varying], dense.deviation[varying], rtol=1e-6)
    assert sparse.factor == pytest.approx(dense.factor)
    Z = sparse.transform(rows_of(X))
    assert isinstance(Z, CentredRows)
    stored = Z.stored
    shape = 300, stored.n_columns
    filled = sp.csr_matrix((stored.values, stored.where, stored.start), shape=shape).toarray()
    np.testing.assert_allclose(filled - sparse.centre, dense.transform(X), atol=1e-5)
    np.testing.assert_allclose(Z.along_centre, filled @ sparse.centre, rtol=1e-6)


@examples(60)
@given(seed=st.integers(0, 2**32 - 1), nu=st.floats(0.01, 1e3), size=st.floats(1e-3, 10.0))
def test_implicit_rows_are_dense_rows_and_obey_nu(seed, nu, size):
    """The twin keeps ``w`` written out in float64 and steps along the centred rows."""
    rng = np.random.default_rng(seed)
    X = random_table(rng, 30, 20)
    scaling = Scaling.fit(rows_of(X))
    rows, Z = scaling.transform(rows_of(X)), Scaling.fit(X).transform(X).astype(float)
    twin = np.float32(0.2 * rng.standard_normal((3, scaling.width))).astype(float)
    twin[:, 21:] = 0.0
    W = CenteredSparseRows.of(twin, scaling.centre)
    splits, visits = rng.integers(3, size=60), rng.integers(30, size=60)
    steps = np.float32(size * rng.choice([-2.0, 2.0], 60))
    turn_rows(W, rows, splits, visits, steps, nu)
    for split, row, step in zip(splits, visits, steps.astype(float)):
        twin[split] += step * Z[row]
        square = (twin[split] ** 2).sum()
        if square > nu:
            twin[split] *= np.sqrt(nu / square)
    scale = np.abs(twin).max()
    np.testing.assert_allclose(W.dense(), twin, atol=1e-4 * scale)
    np.testing.assert_allclose(W.norms(), np.linalg.norm(twin, axis=1), rtol=1e-3)
    np.testing.assert_allclose(W.along_centre, W.v @ W.centre, rtol=1e-9, atol=1e-6)
    np.testing.assert_allclose(W.square, (W.v.astype(float) ** 2).sum(axis=1), rtol=1e-9)
    scores = [[score(W, rows, i, n) for n in range(30)] for i in range(3)]
    np.testing.assert_allclose(scores, twin @ Z.T, atol=1e-3 * np.abs(twin @ Z.T).max())
    before = W.dense()
    np.testing.assert_allclose(W.apply_pending(), before, atol=1e-6 * scale)
    np.testing.assert_array_equal(W.dense(), W.v)
    assert (W.norms()[np.unique(splits)] <= np.sqrt(nu) * (1 + 1e-4)).all()


def clusters(rng, n=400, p=40):
    """Four far clusters of sparse positive rows."""
    y = rng.integers(4, size=n)
    X = np.where(rng.random((n, p)) < 0.2, rng.exponential(1.0, (n, p)), 0.0)
    X[np.arange(n), 5 * y] += 8.0
    return X.astype(np.float32), y


@pytest.mark.parametrize("method", SGD_METHODS)
def test_an_epoch_on_a_sparse_table_is_one_on_the_dense_table_up_to_rounding(method):
    X, y = clusters(np.random.default_rng(3))
    config = RunConfig(method, depth=3, epochs=1)
    dense, sparse = Trainer(config, X, y).run(), Trainer(config, sp.csr_matrix(X), y).run()
    np.testing.assert_allclose(sparse.weights, dense.weights, atol=1e-4)
    np.testing.assert_allclose(sparse.threshold, dense.threshold, atol=1e-3)
    np.testing.assert_allclose(sparse.values, dense.values, atol=1e-3)
    assert (apply(dense, X) == apply(sparse, X)).all()


@pytest.mark.parametrize("method", SGD_METHODS)
def test_digits_as_a_sparse_table_are_learnt_as_well(method):
    """Without centring they stay near 20 %."""
    X, y = load_digits(return_X_y=True)
    config = RunConfig(method, depth=6, epochs=15)
    accuracy = [evaluate(Trainer(config, A, y).run(), X, y).accuracy for A in (X, sp.csr_matrix(X))]
    assert accuracy[1] == pytest.approx(accuracy[0], abs=0.02)
    assert accuracy[1] > 0.5


@pytest.mark.parametrize("loss", ["squared", "huber"])
def test_numbers_are_learnt_from_sparse_tables(loss):
    X, y = clusters(np.random.default_rng(4))
    config, target = RunConfig("sgd", loss=loss, depth=3, epochs=20), 10.0 * y
    dense, sparse = (
        Trainer(config, X, target).run(),
        Trainer(config, sp.csr_matrix(X), target).run(),
    )
    np.testing.assert_allclose(sparse.values[apply(sparse, X)], dense.values[apply(dense, X)], 0.02)
    assert evaluate(sparse, X, target, loss=LOSSES[loss]).r2 > 0.8


@pytest.mark.parametrize("method", SGD_METHODS)
@pytest.mark.parametrize("sparsity", [0.0, 0.001])
def test_portions_never_change_the_tree_of_a_sparse_table(method, sparsity):
    X, y = clusters(np.random.default_rng(5), n=100)
    config = RunConfig(method, depth=3, epochs=3, sparsity=sparsity, validation=0.2)
    whole = Trainer(config, sp.csr_matrix(X), y).run()
    trainer = Trainer(config, sp.csr_matrix(X), y)
    while not trainer.finished:
        event = trainer.step(0.1)
    assert_same(trainer.model, whole)
    assert event.bound >= event.loss


@pytest.mark.jit  # minutes without it
def test_a_table_too_wide_to_be_filled_is_learnt():
    """As a dense table of float32 it would take 1.6 GB."""
    rng = np.random.default_rng(6)
    n, p, stored = 2000, 200_000, 20
    where = rng.integers(100, p, size=(n, stored))
    y = rng.integers(2, size=n)
    where[:, 0] = y  # a word of their own for each class
    start = np.arange(0, n * stored + 1, stored)
    X = sp.csr_matrix((np.ones(n * stored, np.float32), where.ravel(), start), shape=(n, p))
    config = RunConfig("sgd", depth=3, epochs=5, validation=0.25)
    tracemalloc.start()
    trainer = Trainer(config, X, y)
    *_, last = trainer.events()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200e6
    assert last.validation_accuracy > 0.9
    assert np.mean(predict(trainer.model, X) == y) > 0.9


@pytest.mark.parametrize(
    "X",
    [
        pytest.param(np.zeros((12, 4)), id="nothing stored"),
        pytest.param(np.full((12, 4), 1e30), id="huge constants"),
        pytest.param(np.eye(12) * 1e30, id="huge"),
        pytest.param(np.eye(12) * 1e-38, id="tiny"),
        pytest.param(np.ones((1, 1)), id="one row"),
    ],
)
def test_awkward_sparse_tables_give_a_sound_tree(X):
    y = np.arange(len(X)) % 3
    for extreme in ({}, {"nu": 0.01, "eta": 10.0}, {"nu": 1e4, "eta": 10.0}):
        with case(**extreme):
            tree = Trainer(
                RunConfig("sgd", depth=4, epochs=10, **extreme), sp.csr_matrix(X), y
            ).run()
            check_tree(tree)
            assert np.isfinite(evaluate(tree, sp.csr_matrix(X), y).loss)


@pytest.mark.parametrize("more", [{"batch": 8}, {"momentum": 0.5}])
def test_batches_and_momentum_on_sparse_tables_are_refused_with_a_sentence(more):
    X, y = clusters(np.random.default_rng(7), n=50)
    trainer = Trainer(RunConfig("sgd", **more), sp.csr_matrix(X), y)
    with pytest.raises(ValueError, match="batch=1 and momentum=0"):
        trainer.step()


def test_missing_values_in_sparse_tables_are_refused_with_a_sentence():
    X = sp.csr_matrix(np.array([[1.0, np.nan], [0.0, 2.0]]))
    with pytest.raises(ValueError, match="sparse X has missing values"):
        Trainer(RunConfig("sgd"), X, [0, 1])

"""Rows that weigh, or come in pieces: what the estimators make of them."""

import gc
import pickle
import tracemalloc

import numpy as np
import pytest

from tests.helpers.bagged import DIGITS, IRIS
from tests.helpers.estimators import quick
from tests.helpers.same import assert_same, same
from treecore import (
    AxisTreeRegressor,
    ObliqueForestRegressor,
    ObliqueTreeClassifier,
    ObliqueTreeRegressor,
)
from treecore.estimators.methods import CLASSIFIERS
from treecore.training.registry import TREES


def test_weights_that_add_up_to_one_row_are_told_of():
    X, y = np.arange(40.0)[:, None], np.arange(40.0)
    for tree in (AxisTreeRegressor(), ObliqueForestRegressor("axis", n_estimators=1)):
        with pytest.warns(UserWarning, match="adds up to 1, .* so that their mean is 1"):
            tree.fit(X, y, sample_weight=np.full(40, 1 / 40))


def test_rows_without_weight_teach_nothing():
    X, y = IRIS
    kept = np.arange(len(X)) % 3 > 0
    one = quick(ObliqueTreeClassifier).fit(X, y, sample_weight=kept)
    other = quick(ObliqueTreeClassifier).fit(X[kept], y[kept])
    assert_same(one.tree_, other.tree_)
    with pytest.raises(ValueError, match=r"sample_weight\.shape"):
        quick(ObliqueTreeClassifier).fit(X, y, sample_weight=np.ones(3))


def pieces(X, y, n_sweeps):
    for sweep in range(n_sweeps):
        for piece in np.array_split(np.random.default_rng(sweep).permutation(len(X)), 20):
            yield X[piece], y[piece]


@pytest.mark.parametrize("method", [name for name in TREES if TREES[name].streams])
def test_digits_in_twenty_pieces_come_close_to_digits_at_once(method):
    X, X_test, y, y_test = DIGITS
    settings = {"depth": 6, "eta": 0.03, "random_state": 0}
    passes = {"rounds": 20} if method == "annealed" else {"epochs": 10, "schedule": "constant"}
    once = CLASSIFIERS[method](**passes, **settings).fit(X, y)
    stream = CLASSIFIERS[method](**settings)
    for X_piece, y_piece in pieces(X, y, n_sweeps=10):
        stream.partial_fit(X_piece, y_piece, classes=range(10))
    assert stream.n_iter_ == 200
    # Annealed pieces end 0.04 below, give or take 0.01 by the rounding of sums alone.
    assert stream.score(X_test, y_test) > once.score(X_test, y_test) - 0.07
    assert stream.score(X_test, y_test) > 0.8


def test_a_stream_has_the_memory_of_a_piece(rng):
    stream = quick(ObliqueTreeClassifier, epochs=1)

    def some_pieces(n):
        for _ in range(n):
            X = rng.normal(size=(500, 50))
            stream.partial_fit(X, (X[:, 0] > 0).astype(int), classes=[0, 1])

    some_pieces(3)
    gc.collect()
    gc.disable()  # what a piece leaves behind must go by itself, not when it has piled up
    try:
        tracemalloc.start()
        some_pieces(2)
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        some_pieces(20)
        after, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        gc.enable()
    assert after - before < 1_000_000  # twenty pieces have four million bytes
    assert peak - before < 4_000_000


def test_a_stream_is_decided_by_its_seed_and_goes_on_after_fit_and_pickling():
    X, y = IRIS
    one = quick(ObliqueTreeClassifier).fit(X[::2], y[::2])
    other = pickle.loads(pickle.dumps(one))
    for stream in (one, other):
        for _ in range(3):
            stream.partial_fit(X[1::2], y[1::2])
    assert_same(one.tree_, other.tree_)
    assert one.score(X, y) > 0.8
    fresh = quick(ObliqueTreeClassifier).fit(X[::2], y[::2])
    assert not same(one.tree_, fresh.tree_)
    np.testing.assert_array_equal(one.fit(X[::2], y[::2]).tree_.values, fresh.tree_.values)


def test_what_cannot_be_streamed_is_refused_in_one_sentence():
    X, y = IRIS
    for name, method in TREES.items():
        estimator = quick(ObliqueTreeClassifier, name)
        assert hasattr(estimator, "partial_fit") == method.streams
        if not method.streams:
            with pytest.raises(AttributeError, match=f"{name}' needs all rows at once") as error:
                estimator.partial_fit(X, y)
            assert "\n" not in str(error.value)
    for parameters, arguments, message in [
        ({}, {}, "classes must be given in the first call"),
        ({}, {"classes": [0]}, "holds one class"),
        ({}, {"classes": [0, 1]}, "y holds .*2.*, which is none of the classes announced"),
        ({"class_weight": "balanced"}, {"classes": [0, 1, 2]}, "needs all rows .* give a dict"),
        ({"early_stopping": True}, {"classes": [0, 1, 2]}, "early_stopping needs all rows"),
    ]:
        with pytest.raises(ValueError, match=message):
            quick(ObliqueTreeClassifier, **parameters).partial_fit(X, y, **arguments)
    started = quick(ObliqueTreeClassifier).partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="are not those of the first call"):
        started.partial_fit(X, y, classes=[0, 1])
    with pytest.raises(ValueError, match=r"depth=9 is .* began with depth=3: use fit"):
        started.set_params(depth=9).partial_fit(X, y)
    read = ObliqueTreeClassifier.from_json(started.to_json())
    with pytest.raises(ValueError, match="cannot continue"):
        read.partial_fit(X, y)
    several = quick(ObliqueTreeRegressor).partial_fit(X, X[:, :2])
    with pytest.raises(ValueError, match="y has 1 outputs, and had 2 before"):
        several.partial_fit(X, y)

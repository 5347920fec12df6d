"""Greedy growth on weighted rows: a weight of k is k copies, a weight of 0 is no row."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

from tests.helpers.cases import case
from tests.helpers.growing import (
    CRITERIA,
    FINDERS,
    blobs,
    class_rows,
    finish,
    grow,
    nodes_of,
    number_rows,
    rows,
    slopes,
)
from tests.helpers.same import assert_same
from treecore.core.impurity import Criterion
from treecore.core.routing import apply
from treecore.core.terms import summable_weights
from treecore.losses.metrics import leaf_counts

# --- weights that add up exactly -----------------------------------------------------------


@given(
    st.lists(st.integers(1, 10_000), min_size=1, max_size=300),
    st.floats(1e-12, 1e12, allow_nan=False),
)
def test_multiples_of_the_smallest_weight_are_whole_numbers(multiples, unit):
    multiples = np.array([1, *multiples])
    found, entire = summable_weights(multiples * unit)
    assert entire
    assert_array_equal(found, multiples)


@given(arrays(np.float64, st.integers(1, 50), elements=st.floats(1e-6, 1e6)), st.randoms())
def test_sums_of_weights_do_not_depend_on_their_order(weight, random):
    found, _ = summable_weights(weight)
    order = list(range(len(weight)))
    random.shuffle(order)
    assert sum(found[order].tolist()) == sum(found.tolist())
    assert_allclose(found / found.sum(), weight / weight.sum(), atol=2.0**-42)


# --- copies ----------------------------------------------------------------------------------


def repeated(rows, times):
    """The rows, each as often as ``times`` says, none of them weighted."""
    copies = np.repeat(np.arange(len(times)), times)
    return dataclasses.replace(rows.take(copies), weight=np.ones(len(copies)))


@given(rows(), st.sampled_from(CRITERIA), st.integers(1, 6), st.data())
def test_a_weight_of_k_is_k_copies_for_classes(sample, criterion, depth, data):
    X, y, n_classes = sample
    times = np.array(data.draw(st.lists(st.integers(0, 6), min_size=len(y), max_size=len(y))))
    times[data.draw(st.integers(0, len(y) - 1))] = 1  # the unit
    given_rows = class_rows(X, y, n_classes, times)
    copies = finish(grow("axis", repeated(given_rows, times), depth, criterion))
    assert_same(finish(grow("axis", given_rows, depth, criterion)), copies)


@given(rows(), st.integers(1, 6), st.data())
def test_a_weight_of_k_is_k_copies_for_numbers(sample, depth, data):
    X, y, _ = sample
    y = np.column_stack([y, y % 2, -y]).astype(np.float32)[:, : data.draw(st.integers(1, 3))] / 3
    times = np.array(data.draw(st.lists(st.integers(0, 6), min_size=len(y), max_size=len(y))))
    times[data.draw(st.integers(0, len(y) - 1))] = 1
    given_rows = number_rows(X, y, times)
    copies = finish(grow("axis", repeated(given_rows, times), depth))
    tree = finish(grow("axis", given_rows, depth))
    assert_same(tree._replace(values=None), copies._replace(values=None))
    # A product is rounded otherwise than a sum of copies.
    assert_allclose(tree.values, copies.values, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", ["random", "oc1", "oc1 r-50"])
@pytest.mark.jit
def test_a_weight_of_k_is_k_copies_for_oblique_searches(name):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X, y = blobs(rng, 150, 4, 3)
        times = rng.integers(1, 5, size=150)
        for given_rows in (class_rows(X, y, 3, times), number_rows(*slopes(rng, 150, 4, 2), times)):
            with case(seed=seed, task=given_rows.loss.task):
                weighted = finish(grow(name, given_rows, 3))
                copies = finish(grow(name, repeated(given_rows, times), 3))
                # Deviations are sums in another order, so directions may differ in their last bits.
                assert_array_equal(apply(weighted, given_rows.X), apply(copies, given_rows.X))
                assert_allclose(weighted.threshold, copies.threshold, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ["axis", *FINDERS])
def test_rows_without_weight_are_left_out(name, rng):
    X, y = blobs(rng, 200, 4, 3)
    weight = rng.integers(0, 3, size=200).astype(np.float64)
    kept = weight > 0
    for given_rows in (class_rows(X, y, 3, weight), number_rows(*slopes(rng, 200, 4, 1), weight)):
        one = finish(grow(name, given_rows, 4, min_samples_leaf=5))
        assert_same(one, finish(grow(name, given_rows.take(kept), 4, min_samples_leaf=5)))
    counts = leaf_counts(finish(grow(name, class_rows(X, y, 3, weight), 4)), X[kept], y[kept])
    assert counts.sum(axis=1).min() >= 1


# --- rules -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["axis", *FINDERS])
def test_rows_are_counted_as_rows_and_gains_as_weights(name, rng):
    X, y = blobs(rng, 300, 4, 3)
    weight = 10.0 ** rng.integers(0, 3, size=300)
    given_rows = class_rows(X, y, 3, weight)
    rules = {"min_samples_leaf": 12, "min_samples_split": 40, "min_gain": 0.01}
    learner = grow(name, given_rows, 6, Criterion.GINI, **rules)
    tree = finish(learner)
    assert tree.n_splits > 1
    assert leaf_counts(tree, X, y).sum(axis=1).min() >= 12
    for node in nodes_of(learner):
        if not node.is_leaf:
            assert node.n_rows >= 40
            assert node.gain * node.tally.sum() / weight.sum() >= 0.01

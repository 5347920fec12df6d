"""Greedy growth by gain ratio, significance and impurity, and on rows that weigh."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chi2_contingency

from tests.helpers.cases import case
from tests.helpers.growing import (
    CRITERIA,
    FINDERS,
    axis_growth,
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
from tests.naive import greedy as naive
from treecore.core.impurity import Criterion, impurity
from treecore.core.routing import apply
from treecore.core.terms import make_terms, summable_weights, term
from treecore.learners.greedy.finders import axis
from treecore.learners.greedy.significance import chi_squared
from treecore.losses.metrics import leaf_counts


def test_the_gain_ratio_prefers_what_its_definition_says():
    counts, terms = np.array([8.0, 8.0]), make_terms(16.0, True, Criterion.GAIN_RATIO)

    def score(left):
        sides = np.array(left), counts - left
        return sum(n * naive.impurity(side, n, 0) for side in sides for n in [side.sum()])

    lefts = [[7, 1], [5, 0], [1, 0]]
    cuts, ties = np.zeros(3, axis.CUT), np.arange(3)
    cuts["score"], cuts["weight_left"] = [score(left) for left in lefts], np.sum(lefts, axis=1)
    # Gains 0.456, 0.419 and 0.065; their ratios 0.456, 0.467 and 0.194.
    assert axis.best_feature(cuts, ties, counts, terms) == 1
    assert axis.best_feature(cuts, ties, counts, None) == 0
    # Of the first two alone, the second gains less than the average and may not compete.
    assert axis.best_feature(cuts, ties[:2], counts, terms) == 0
    # Nothing can be cut but the last.
    cuts["score"][:2] = np.inf
    assert axis.best_feature(cuts, ties, counts, terms) == 2
    cuts["score"] = np.inf
    assert axis.best_feature(cuts, ties, counts, terms) == axis.NO_SPLIT


@given(st.integers(1, 6), st.data())
def test_the_p_value_is_that_of_scipy(n_classes, data):
    table = data.draw(arrays(np.int64, (2, n_classes), elements=st.integers(0, 50)))
    table[0, 0] += 1
    value = chi_squared(*table)
    table = table[:, table.any(axis=0)]
    if table.shape[1] == 1 or not table.any(axis=1).all():
        assert value == 1
    else:
        assert_allclose(value, chi2_contingency(table, correction=False).pvalue, atol=1e-12)


def test_only_significant_splits_are_made(rng):
    X, y = blobs(rng, 300, 4, 3, noise=0.4)
    learner = axis_growth(X, y, 3, 10, Criterion.GAIN_RATIO, significance=1e-3)
    tree = finish(learner)
    left = learner.nodes["left"][learner.nodes["left"] > 0]
    assert left.size
    for sides in learner.run.tally[np.stack([left, left + 1], axis=1)]:
        assert chi_squared(*sides) <= 1e-3
    full = finish(axis_growth(X, y, 3, 10, Criterion.GAIN_RATIO))
    assert tree.n_splits < full.n_splits / 3
    assert_same(finish(axis_growth(X, y, 3, 10, Criterion.GAIN_RATIO, significance=1)), full)
    noise = axis_growth(X, rng.permutation(y), 3, 10, Criterion.ENTROPY, significance=1e-5)
    assert finish(noise).n_splits == 0


@pytest.mark.parametrize("criterion", [Criterion.ENTROPY, Criterion.GINI])
@pytest.mark.parametrize("smallest", [0.2, 0.45])
def test_not_splitting_pure_enough_nodes_is_cutting_their_subtrees_off(criterion, smallest, rng):
    X, y = blobs(rng, 300, 4, 3, noise=0.1)
    full = axis_growth(X, y, 3, 8, criterion)
    stopped = axis_growth(X, y, 3, 8, criterion, min_impurity=smallest)
    finish(full)
    finish(stopped)

    def outline(nodes, node, cut):
        """The tree as nested splits, with subtrees of nodes below the threshold cut off."""
        if node.is_leaf or (cut and impurity(node.tally, node.n_rows, criterion) < smallest):
            return node.n_rows
        sides = (outline(nodes, nodes[child], cut) for child in (node.left, node.left + 1))
        return (node.feature, node.threshold, *sides)

    few, all_nodes = nodes_of(stopped), nodes_of(full)
    assert outline(few, few[0], cut=False) == outline(all_nodes, all_nodes[0], cut=True)
    assert 3 < len(few) < len(all_nodes)


@pytest.mark.parametrize("criterion", [Criterion.ENTROPY, Criterion.GINI])
@given(counts=arrays(np.float64, 40, elements=st.integers(0, 10**6)), random=st.randoms())
def test_sums_of_terms_do_not_depend_on_their_order(criterion, counts, random):
    for entire in (True, False):
        terms = make_terms(float(counts.sum()) + 1, entire, criterion)
        found = [term(terms, m) for m in counts]
        assert_allclose(found, [naive.term(terms, m) for m in counts], rtol=1e-14)
        exact = counts**2 if criterion == Criterion.GINI else counts * np.log2(counts.clip(1))
        assert_allclose(found, exact, atol=1 / terms.fine)
        total = sum(found)
        random.shuffle(found)
        assert sum(found) == total


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
    rules = {"min_samples_leaf": 20, "min_gain": 0.01}
    learner = grow(name, given_rows, 6, Criterion.GINI, **rules)
    tree = finish(learner)
    assert tree.n_splits > 1
    assert leaf_counts(tree, X, y).sum(axis=1).min() >= 20
    for node in nodes_of(learner):
        if not node.is_leaf:
            assert node.n_rows >= 40
            assert node.gain * node.tally.sum() / weight.sum() >= 0.01

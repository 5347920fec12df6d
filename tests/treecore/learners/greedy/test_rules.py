"""Greedy growth by gain ratio, and splits that must be significant or start impure enough."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy.stats import chi2_contingency

from tests.helpers.growing import axis_growth, blobs, finish, nodes_of
from tests.helpers.same import assert_same
from tests.naive import greedy as naive
from treecore.core.impurity import Criterion, impurity
from treecore.core.terms import make_terms, term
from treecore.learners.greedy.finders import axis
from treecore.learners.greedy.significance import chi_squared


def test_the_gain_ratio_prefers_what_its_definition_says():
    counts, terms = np.array([8.0, 8.0]), make_terms(16.0, True, Criterion.GAIN_RATIO)

    def score(left):
        sides = np.array(left), counts - left
        return sum(n * naive.impurity(side, n, 0) for side in sides for n in [side.sum()])

    lefts = [[7, 1], [5, 0], [1, 0]]
    scores = np.array([score(left) for left in lefts])
    n_left = np.sum(lefts, axis=1).astype(np.float64)
    # Gains 0.456, 0.419 and 0.065; their ratios 0.456, 0.467 and 0.194.
    assert axis.by_gain_ratio(counts, scores, n_left, terms) == 1
    # Of the first two alone, the second gains less than the average and may not compete.
    assert axis.by_gain_ratio(counts, scores[:2], n_left[:2], terms) == 0
    # Nothing can be cut but the last.
    scores[:2], n_left[:2] = np.inf, 0
    assert axis.by_gain_ratio(counts, scores, n_left, terms) == 2


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
    left = learner.nodes.left[learner.nodes.left > 0]
    assert left.size
    for sides in learner.nodes.tally[np.stack([left, left + 1], axis=1)]:
        assert chi_squared(*sides) <= 1e-3
    full = finish(axis_growth(X, y, 3, 10, Criterion.GAIN_RATIO))
    assert tree.n_splits < full.n_splits / 3
    assert_same(finish(axis_growth(X, y, 3, 10, Criterion.GAIN_RATIO, significance=1)), full)
    assert finish(axis_growth(X, rng.permutation(y), 3, 10, 0, significance=1e-5)).n_splits == 0


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

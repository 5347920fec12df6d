"""Steps along a coefficient or a direction: their twins, and that none makes a split worse."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.growing import IMPURITIES, rows, training
from tests.helpers.same import assert_same
from tests.naive import greedy as naive
from treecore.learners.greedy.finders import perturbation
from treecore.learners.greedy.finders.oblique import NodeSpace
from treecore.learners.greedy.finders.perturbation import Hyperplane, NodeProjection
from treecore.learners.greedy.targets import make_criterion

properties = examples(40)


@st.composite
def grounds(draw):
    """A node with some of the rows, and two equal hyperplanes somewhere among them."""
    X, y, n_classes = draw(rows())
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    criterion = draw(st.sampled_from(IMPURITIES))
    members = rng.permutation(len(y))[: rng.integers(1, len(y) + 1)].astype(np.int32)
    of_all = make_criterion(draw(training(X, y, n_classes)), criterion)
    tally = of_all.tally(members)
    ground = NodeProjection(
        rows=members,
        columns=np.ascontiguousarray(X.T),
        centres=np.sort(X[members], axis=0)[len(members) // 2].astype(np.float64),
        scales=rng.choice([0.0, 0.5, 2.0], size=X.shape[1]),
        criterion=of_all,
        tally=tally,
        min_samples_leaf=draw(st.integers(1, 3)),
        space=NodeSpace.of(len(members), len(tally)),
    )
    weights = rng.integers(-2, 3, size=X.shape[1] + 1).astype(np.float64)
    planes = []
    for _ in range(2):
        heights = naive.slopes_along(weights, ground)
        right = naive.rows_on_right(heights, ground)
        on_right = of_all.tally(members[right])
        n_right = np.array([len(right)])
        score = np.array([naive.sides_score(right, ground)])
        stagnant = np.zeros(1, np.int64)
        planes.append(Hyperplane(weights.copy(), heights, on_right, n_right, score, stagnant))
    return ground, *planes, rng


@properties
@given(grounds(), st.integers(1, 200))
def test_coefficients_are_perturbed_as_naive_does(made, budget):
    ground, comp, ref, rng = made
    coefficients = rng.integers(len(comp.weights), size=12)
    coins = rng.random(12)
    n_moved = first = 0
    while first < 12:  # in portions, which change nothing
        n_tried, n_more, _ = perturbation.perturb(
            coefficients[first:], coins[first:], np.empty(0), comp, ground, budget, None
        )
        first += n_tried
        n_moved += n_more
    assert n_moved == naive.perturb(coefficients, coins, ref, ground)
    assert_same(comp, ref)


@properties
@given(grounds())
def test_leaps_match_naive(made):
    ground, comp, ref, rng = made
    for _ in range(4):
        direction = rng.integers(-1, 2, size=len(comp.weights)).astype(np.float64)
        slopes = naive.slopes_along(direction, ground)
        written = np.empty(len(slopes))
        perturbation.write_slopes(direction, ground, written)
        np.testing.assert_allclose(written, slopes, rtol=1e-12, atol=1e-12)
        one = np.array([len(direction)]), np.zeros(1)  # all coefficients at once
        _, moved, _ = perturbation.perturb(*one, direction, comp, ground, 1, None)
        assert moved == naive.random_jump(direction, slopes, ref, ground)
        assert_same(comp, ref)

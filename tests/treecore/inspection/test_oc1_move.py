"""Moves of OC1 taken apart are those of the kernel."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.growing import blobs
from tests.helpers.strategies import random_tree
from treecore.core.impurity import Criterion
from treecore.inspection.oc1_move import (
    node_projection,
    plane_at,
    raw_split,
    split_coefficients,
    try_coefficient,
)
from treecore.learners.greedy.finders.perturbation import perturb

SEEDS = st.integers(0, 2**32 - 1)


@examples(60)
@given(seed=SEEDS, kind=st.sampled_from(["entropy", "gini", "numbers"]))
def test_moves_of_oc1_are_the_kernels(seed, kind):
    rng = np.random.default_rng(seed)
    n, p, k = int(rng.integers(1, 40)), int(rng.integers(1, 5)), int(rng.integers(2, 5))
    X = rng.standard_normal((n, p)).astype(np.float32)
    if seed % 2:
        X = X.round(0)  # ties, and rows at the median that never move
    y = rng.integers(k, size=n)
    rows = np.flatnonzero(rng.random(n) < 0.8)
    rows = rows if rows.size else np.arange(n)
    if kind == "numbers":
        y, k = rng.standard_normal((n, 2)).astype(np.float32), 2
    criterion = Criterion.GINI if kind == "gini" else Criterion.ENTROPY
    ground = node_projection(X, y, rows, k, criterion, int(rng.integers(1, 4)))
    plane = plane_at(ground, rng.standard_normal(p + 1))
    kernels = copy.deepcopy(plane)
    for coefficient in rng.integers(p + 1, size=8):
        coin = rng.random()
        move = try_coefficient(plane, ground, int(coefficient), coin)
        tried = np.array([coefficient]), np.array([coin])
        _, n_moved, _ = perturb(*tried, np.empty(0), kernels, ground, 10**9, None)
        assert n_moved == move.moves
        for mine, own in zip(move.plane, kernels):
            np.testing.assert_array_equal(mine, own)
        assert (np.diff(move.crossings) >= 0).all()
        if move.best is not None:
            assert move.impurity_best <= move.impurities.min() + 1e-9
            right = plane.heights > 0
            if kind == "numbers" and 0 < right.sum() < len(right):
                own = y[ground.rows].astype(np.float64)
                parts = own[right], own[~right]
                sides = sum(((part - part.mean(0)) ** 2).sum() for part in parts)
                share = sides / ((own - own.mean(0)) ** 2).sum()
                if np.isfinite(move.impurity_before):
                    assert move.impurity_before == pytest.approx(share, abs=1e-9)
        plane = move.plane


def test_a_hyperplane_of_oc1_is_the_split_it_was_made_of():
    rng = np.random.default_rng(4)
    X, y = blobs(rng, 80, 3, 2)
    tree = random_tree(rng, n_splits=4, n_features=3, n_classes=2)
    ground = node_projection(X, y, np.arange(80), 2, Criterion.ENTROPY)
    for split in range(4):
        plane = plane_at(ground, split_coefficients(tree, split, ground))
        weights, threshold = raw_split(plane, ground)
        axis = tree.feature[split]
        w = np.eye(3)[axis] if axis >= 0 else tree.weights[tree.row[split]]
        wanted = X @ w.astype(np.float64) - tree.threshold[split]
        for scores in (X @ weights - threshold, plane.heights):
            np.testing.assert_array_equal(scores > 0, wanted > 0)

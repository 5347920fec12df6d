"""The textbook's inference: against its plain twins, and against branch and bound."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.reproduce.textbook import infer_all, infer_siblings, textbook_rows
from tests.helpers.cases import case, examples
from tests.helpers.same import assert_same
from tests.helpers.strategies import random_case
from tests.naive import nongreedy as naive
from treecore.learners.nongreedy.inference import infer, plain_leaf
from treecore.learners.nongreedy.sgd.updates import StepRule
from treecore.learners.nongreedy.sgd.visits import sgd_rows
from treecore.losses import LOG


@pytest.mark.parametrize("exact", [True, False])
@examples(200)
@given(seed=st.integers(0, 2**32 - 1))
def test_inference_equals_its_plain_twin_and_ours(exact, seed):
    twin = naive.infer_exact if exact else naive.infer_fast
    _, joint, X, y, _ = random_case(seed, 1, LOG, max_splits=60)
    x, target = X[0], y[0]
    ref_leaf, ref_bound, _ = twin(joint, x, target)
    if exact:
        penalty = np.empty(len(joint.left), dtype=np.float32)
        h_leaf, g_leaf, bound = infer_all(joint, x, target, penalty)
    else:
        h_leaf, g_leaf, bound, _ = infer_siblings(joint, x, target)
    assert h_leaf == plain_leaf(joint, x)
    assert bound == ref_bound == infer(joint, x, target, exact)[2]
    if g_leaf != ref_leaf:  # two leaves of equal value: both are answers
        scores = [naive.dot(w, x) for w in joint.W]
        path = naive.paths(joint)[g_leaf]
        assert naive.leaf_value(joint, scores, path, g_leaf, target) == ref_bound


@pytest.mark.parametrize("exact", [True, False])
def test_the_textbook_learns_the_tree_of_branch_and_bound(exact):
    for seed in range(10):
        with case(seed=seed):
            _, joint, X, y, _ = random_case(seed, 60, LOG, n_splits=25)
            ours, theirs = copy.deepcopy(joint), copy.deepcopy(joint)
            order = np.random.default_rng(seed).permutation(60)
            sgd_rows(ours, X, y, np.ones(60), order, StepRule(exact, 0.1, 4.0))
            penalty = np.empty(len(joint.left), dtype=np.float32)
            textbook_rows(theirs, X, y, order, exact, 0.1, 4.0, penalty)
            assert_same((ours.W, ours.theta), (theirs.W, theirs.theta))
            assert not np.array_equal(ours.theta, joint.theta)

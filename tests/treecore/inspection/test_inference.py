"""The traced search against the kernel: the same decisions, and the same numbers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.strategies import random_case
from tests.naive import nongreedy as naive
from treecore.inspection.inference import BranchOutcome, candidates, trace_search
from treecore.learners.nongreedy.inference import infer
from treecore.pruning.subtrees import leaves_below

SEEDS = st.integers(0, 2**32 - 1)


@examples(150)
@given(seed=SEEDS, exact=st.booleans())
def test_the_traced_search_is_the_kernels(seed, exact):
    _, joint, X, y, _ = random_case(seed)
    joint.score[:] = np.nan
    kernel = infer(joint, X[0], y[0], exact)
    visited = {split: s for split, s in enumerate(joint.score) if not np.isnan(s)}
    traced = trace_search(joint, X[0], y[0], exact)
    assert (traced.h_leaf, traced.g_leaf, traced.bound, traced.n_products) == kernel
    scored = {look.node: look.score for look in traced.visited if look.score is not None}
    assert scored == visited, "the kernel scored the same splits and got the same numbers"
    textbook = naive.infer_exact if exact else naive.infer_fast
    assert traced.textbook == textbook(joint, X[0], y[0])[2]


@given(seed=SEEDS, exact=st.booleans())
def test_what_was_dropped_could_not_win_and_every_leaf_is_accounted_for(seed, exact):
    _, joint, X, y, _ = random_case(seed)
    search = trace_search(joint, X[0], y[0], exact)
    table = {c.leaf: c for c in candidates(joint, X[0], y[0], exact)}
    seen = set()
    for look in search.visited:
        below = leaves_below(joint, look.node)
        if look.outcome is BranchOutcome.DROPPED:
            assert look.ceiling - look.penalty <= look.best
            assert all(table[leaf].value <= look.best for leaf in below)
        if look.outcome in (BranchOutcome.DROPPED, BranchOutcome.PATH_LEAF, BranchOutcome.TAKEN):
            assert seen.isdisjoint(below)
            seen.update(below)
        if look.outcome is BranchOutcome.TAKEN:
            assert table[~look.node].value > look.best
    assert seen == set(table) or not exact
    assert table[search.h_leaf].penalty == 0


@given(seed=SEEDS, exact=st.booleans())
def test_the_greatest_candidate_is_the_bound(seed, exact):
    _, joint, X, y, _ = random_case(seed)
    search = trace_search(joint, X[0], y[0], exact)
    table = candidates(joint, X[0], y[0], exact)
    assert len(table) == len(joint.theta)
    values = [c.value for c in table]
    assert values == sorted(values, reverse=True)
    allowed = [c for c in table if c.allowed]
    assert allowed[0].value == search.bound
    assert search.g_leaf in [c.leaf for c in allowed if c.value == search.bound]
    for c in table:
        assert c.value == c.loss - c.penalty
        way = dict(naive.paths(joint)[c.leaf])
        scores = [naive.dot(w, X[0]) for w in joint.W]
        assert set(c.against) == {i for i, right in way.items() if (scores[i] > 0) != right}

"""Sets of levels: the best of all, for two classes and numbers, and the right rows on each side."""

import dataclasses

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.helpers.growing import class_rows, finish, grow, number_rows
from tests.naive import greedy as naive
from treecore.core.impurity import Criterion
from treecore.core.routing import apply
from treecore.learners.greedy.finders.levels import (
    LevelGroups,
    level_codes,
    search_levels,
    write_level_weights,
)
from treecore.learners.greedy.targets import make_criterion


def drawn(seed, kind, holes):
    """Rows of one column of up to six levels, and their targets."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 40)), int(rng.integers(1, 7))
    level = np.where(rng.random(n) < holes, -1, rng.integers(0, k, n))
    X = np.ascontiguousarray(level[:, None] == np.arange(k), dtype=np.float32)
    weight = rng.integers(1, 4, n).astype(float)
    if kind == "numbers":
        y = (rng.integers(-3, 4, (n, 1)) + level[:, None] % 3).astype(np.float32)
        made = number_rows(X, y, weight)
    else:
        made = class_rows(X, rng.integers(0, kind, n), kind, weight)
    return dataclasses.replace(made, categories=np.zeros(k, dtype=int))


def searched(rows, criterion, min_samples_leaf=1):
    """The kernel's score, and which rows its split sends right."""
    made_of, group = make_criterion(rows, criterion), np.arange(rows.X.shape[1])
    every, codes = np.arange(len(rows.X), dtype=np.int32), level_codes(rows.X, group)
    entire, weights = made_of.tally(every), np.empty(len(group), dtype=np.float32)
    levels = LevelGroups.of([group], len(group), len(entire))
    rules = made_of, entire, min_samples_leaf
    best, gone_left, weight_left = search_levels(codes, every, *rules, levels, 0)
    threshold = write_level_weights(levels, 0, gone_left, weights)
    return best, weight_left, rows.X @ weights > threshold, (codes, every, *rules)


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([2, "numbers"]),
    st.sampled_from([0.0, 0.3]),
    st.integers(1, 4),
)
@example(86400, 2, 0.0, 1)  # equal weights, of which the criterion makes ones
def test_of_all_sets_of_levels_the_best_is_found(seed, kind, holes, min_samples_leaf):
    rows = drawn(seed, kind, holes)
    best, weight_left, right, asked = searched(rows, Criterion.GINI, min_samples_leaf)
    _, every, scored, entire, _ = asked
    least = naive.best_of_all_sets(*asked)
    # Levels in order hold the best set, but not always the best that leaves enough rows.
    assert best == pytest.approx(least) if min_samples_leaf == 1 else best >= least - 1e-9
    if best < np.inf:
        assert min(right.sum(), (~right).sum()) >= min_samples_leaf
        left = naive.fitted(naive.tally(scored, every[~right]), entire)
        assert weight_left == pytest.approx(naive.weight_in(scored, left))


@given(st.integers(0, 2**32 - 1), st.integers(2, 5), st.sampled_from([0.0, 0.3]), st.booleans())
def test_the_sides_have_the_score_and_lie_apart_on_the_naive_keys(seed, kind, holes, entropy):
    rows = drawn(seed, kind, holes)
    criterion = Criterion.ENTROPY if entropy else Criterion.GINI
    best, _, right, (codes, every, scored, entire, _) = searched(rows, criterion)
    if best == np.inf:
        return
    tally = naive.fitted(naive.tally(scored, every[right]), entire)
    assert best == pytest.approx(naive.score(scored, entire - tally, tally))
    known = np.unique(codes[~np.isnan(codes)])
    if len(known) == 0:
        return
    tallies = [naive.fitted(naive.tally(scored, every[codes == one]), entire) for one in known]
    keys = naive.level_keys(scored, tallies)
    sides = np.array([right[codes == one][0] for one in known])
    if sides.any() and not sides.all():
        assert (
            keys[~sides].max() <= keys[sides].min() + 1e-6
            or keys[sides].max() <= keys[~sides].min() + 1e-6
        )


def test_a_tree_grows_over_levels_and_numbers_and_sends_rows_as_it_learnt(rng):
    level, number = rng.integers(-1, 8, 400), rng.normal(size=400)
    X = np.column_stack([number, level[:, None] == np.arange(8)]).astype(np.float32)
    y = (np.isin(level, [0, 2, 5, -1]) ^ (number > 0.2)).astype(np.int64)
    rows = class_rows(np.ascontiguousarray(X), y, 2)
    tree = finish(grow("axis", rows, 2))
    sets = dataclasses.replace(rows, categories=np.array([-1] + [3] * 8))
    found = finish(grow("axis", sets, 2))
    assert (found.values[apply(found, X)].argmax(axis=1) == y).all()
    assert (tree.values[apply(tree, X)].argmax(axis=1) == y).mean() < 0.9

"""Loss-augmented inference against the textbook, and the bounds of single examples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import case, examples
from tests.helpers.strategies import (
    random_case,
    random_joint,
    random_rows,
    random_targets,
    random_tree,
    random_weights,
)
from tests.naive import nongreedy as naive
from treecore import RunConfig, Trainer
from treecore.core.scaling import Scaling
from treecore.data.generators import generate
from treecore.learners.nongreedy.bounds import Bounded, figures_of_points, scaled_weights
from treecore.learners.nongreedy.inference import infer, measure_rows, plain_leaf, plain_leaves
from treecore.learners.nongreedy.joint_tree import make_joint
from treecore.losses import LOG, LOSSES

SEEDS = st.integers(0, 2**32 - 1)


def example(seed, max_splits=80):
    """A random tree of random shape and scale up to depth 10, its loss, and one example."""
    _, joint, X, y, _ = random_case(seed, max_splits=max_splits, max_depth=10)
    return joint, X[0], y[0]


@examples(1000)
@given(seed=SEEDS)
def test_branch_and_bound_equals_brute_force(seed):
    joint, x, y = example(seed)
    for exact, textbook in ((True, naive.infer_exact), (False, naive.infer_fast)):
        ref_leaf, ref_bound, ref_products = textbook(joint, x, y)
        _h_leaf, g_leaf, bound, n_products = infer(joint, x, y, exact)
        assert bound == ref_bound
        if g_leaf != ref_leaf:  # two leaves of equal value: both are answers
            path = naive.paths(joint)[g_leaf]
            scores = [naive.dot(w, x) for w in joint.W]
            assert naive.leaf_value(joint, scores, path, g_leaf, y) == ref_bound
        assert n_products <= ref_products


@examples(50)
@given(seed=SEEDS)
def test_the_bound_is_the_maximum_over_all_codes(seed):
    joint, x, y = example(seed, max_splits=8)
    bound = infer(joint, x, y, True)[2]
    assert bound == pytest.approx(naive.infer_codes(joint, x, y), rel=1e-5, abs=1e-5)


@examples(300)
@given(seed=SEEDS)
def test_loss_is_below_fast_bound_is_below_exact_bound(seed):
    joint, x, y = example(seed)
    h_leaf, _, exact, _ = infer(joint, x, y, True)
    _, _, fast, _ = infer(joint, x, y, False)
    assert naive.cost(joint, h_leaf, y) <= fast <= exact


@examples(200)
@given(seed=SEEDS, factor=st.floats(1.0, 100.0))
def test_a_larger_scale_of_W_tightens_the_bound(seed, factor):
    joint, x, y = example(seed)
    _, _, before, _ = infer(joint, x, y, True)
    joint.W[:] *= np.float32(factor)
    _, _, after, _ = infer(joint, x, y, True)
    assert after <= before + 1e-5 * abs(before)


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_measuring_sums_weighted_bounds_and_finds_leaves(loss, rng):
    joint = random_joint(rng, n_splits=20, loss=loss)
    X, y = random_rows(rng, joint, 50)
    weight = random_weights(rng, 50)
    leaf = np.empty(50, dtype=np.int32)
    total = measure_rows(joint, X, y, weight, True, leaf)
    bounds = [naive.infer_exact(joint, *case)[1] for case in zip(X, y)]
    assert total == pytest.approx(np.dot(weight, bounds))
    np.testing.assert_array_equal(leaf, [plain_leaf(joint, x) for x in X])
    unbounded = np.empty_like(leaf)
    plain_leaves(joint, X, unbounded)
    np.testing.assert_array_equal(unbounded, leaf)


def test_a_tree_with_axis_aligned_splits_has_no_bound():
    data = generate("xor", 100)
    tree = Trainer(RunConfig("axis", depth=2), data.X, data.y).run()
    with pytest.raises(ValueError, match="no bound"):
        scaled_weights(tree, Scaling.fit(data.X))


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
@examples(15)
@given(seed=st.integers(0, 2**32 - 1), exact=st.booleans(), n_splits=st.integers(0, 9))
def test_every_figure_of_a_point_is_that_of_its_twin(loss, seed, exact, n_splits):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, n_splits=n_splits, share_axis=0.0)
    X = rng.standard_normal((20, 3)).astype(np.float32)
    scaling = Scaling.fit(X)
    rows, W = scaling.transform(X), scaled_weights(tree, scaling)
    joint = make_joint(tree, W, loss)
    y = random_targets(rng, joint, len(X))
    found = figures_of_points(tree, X, y, loss, Bounded(scaling, rows, exact))
    twin = naive.look_at_points(tree, joint, X, rows, y, exact)
    for name, expected in zip(("leaf", "loss", "bound"), twin, strict=True):
        np.testing.assert_array_equal(getattr(found, name), expected, err_msg=name)
    assert (found.reach is not None) == (loss is LOG)
    assert figures_of_points(tree, X, y, loss).bound.shape == (0,)


@examples(20)
@given(seed=st.integers(0, 2**32 - 1))
def test_half_ranges_are_those_of_the_leaves_below(seed):
    tree = random_tree(np.random.default_rng(seed), n_splits=30, n_classes=4)
    found = reach_of(tree)
    loss = LOG.tables(tree.values, tree.left, tree.right).leaf_loss
    below = {split: [] for split in range(tree.n_splits)}
    for leaf, path in naive.paths(tree).items():
        for split, _ in path:
            below[split].append(leaf)
    for split, leaves in below.items():
        part = loss[leaves]
        assert found[split] == np.float32(0.5) * (part.max(axis=0) - part.min(axis=0)).max()


def test_outside_all_margins_of_its_path_a_bound_is_the_loss():
    for seed in range(40):
        with case(seed=seed):
            rng = np.random.default_rng(seed)
            joint = random_joint(rng, scale=10.0 ** rng.uniform(0.5, 1.5), n_splits=12, n_classes=3)
            shape = {"left": joint.left, "right": joint.right, "values": joint.theta}
            tree = random_tree(rng)._replace(threshold=np.zeros(12, np.float32), **shape)
            reach = reach_of(tree)
            X, y = random_rows(rng, joint, 100)
            outside = 0
            for x, label in zip(X, y, strict=True):
                leaf = outer_leaf(joint, x, reach)
                if leaf is not None:
                    outside += 1
                    bound = naive.infer_exact(joint, x, label)[1]
                    assert bound == joint.tables.leaf_loss[leaf, label]
            assert outside, "some rows are outside"


def reach_of(tree):
    """r_i of every split, whatever rows there are."""
    nobody = np.empty((0, tree.n_features), np.float32)
    return figures_of_points(tree, nobody, np.empty(0, np.int64), LOG).reach


def outer_leaf(joint, x, reach):
    """The leaf of a row that is outside the margins of all splits on its path; None if not."""
    node = 0
    while node >= 0:
        s = naive.dot(joint.W[node], x)
        if abs(s) < reach[node]:
            return None
        node = joint.right[node] if s > 0 else joint.left[node]
    return ~node

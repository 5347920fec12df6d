"""Loss-augmented inference: branch and bound against the textbook, and the bounds' order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.strategies import random_case, random_joint, random_rows, random_weights
from tests.naive import nongreedy as naive
from treecore import RunConfig, Trainer
from treecore.learners.nongreedy.inference import infer, measure_rows, plain_leaf, plain_leaves
from treecore.losses import LOSSES

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
def test_measuring_sums_weighted_bounds_and_finds_leaves(loss):
    rng = np.random.default_rng(0)
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


@pytest.mark.jit  # minutes without it
def test_inference_is_cheap_on_mnist_at_depth_12(paper_data):
    """The figures of ``benchmarks/inference.py``, on a part of the rows and two passes."""
    from benchmarks.inference import branch_and_bound, textbook_fast

    data = paper_data("mnist")
    X, y = data["X_train"].reshape(60_000, -1)[:5000], data["y_train"][:5000].astype(int)
    trainer = Trainer(RunConfig("sgd", depth=12, start="axis", epochs=2), X, y)
    trainer.run()
    joint, rows = trainer.learner.joint, trainer.learner.train_rows
    fast = branch_and_bound(joint, rows, y, False)
    exact = branch_and_bound(joint, rows, y, True)
    assert fast <= textbook_fast(joint, rows) / 3
    assert exact <= 1.5 * fast

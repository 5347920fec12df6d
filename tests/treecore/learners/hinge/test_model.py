"""Random hinge forests and ferns: descents and gradients, against their twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.hinges import FEATURES, IRIS, KINDS, images, trained
from tests.naive import hinge as naive
from treecore.learners.hinge.augmentation import no_augmentation
from treecore.learners.hinge.batches import learn_batches
from treecore.learners.hinge.gradients import loss_gradient, make_buffers
from treecore.learners.hinge.layer import Layer, n_features
from treecore.learners.hinge.optimizers import OPTIMIZERS, move_row, zero_state
from treecore.learners.hinge.traversal import Trees, descend, n_nodes

# ------------------------------------------------------------------------------------ the traversal


@examples(80)
@given(
    depth=st.integers(1, 6),
    fern=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
    grid=st.booleans(),
)
def test_a_descent_is_its_plain_twin(depth, fern, seed, grid):
    rng = np.random.default_rng(seed)
    nodes = n_nodes("fern" if fern else "forest", depth)
    feature = rng.integers(5, size=nodes).astype(np.int32)
    z, threshold = rng.standard_normal(5).astype("f4"), rng.standard_normal(nodes).astype("f4")
    if grid:  # many ties, of margins with zero and with each other
        z, threshold = np.round(z), np.round(threshold)
    found = descend(z[None], 0, feature[None], threshold[None], 0, depth)
    assert found == naive.descend(z, feature, threshold, depth, fern)
    leaf, _, margin = found
    # Algorithm 3 finds the one leaf whose indicator (eq. 8) can be positive, and its value.
    values = [naive.indicator(z, feature, threshold, depth, fern, j) for j in range(2**depth)]
    assert values[leaf] == abs(margin)
    assert not any(values[:leaf] + values[leaf + 1 :])


@pytest.mark.parametrize("kind", KINDS)
def test_a_descent_computes_as_many_margins_as_the_tree_is_deep(kind):
    class Counted:
        def __init__(self):
            self.reads = 0

        def __getitem__(self, index):
            self.reads += 1
            return np.float32(0.5)

    depth = 9
    z, threshold = Counted(), np.zeros(n_nodes(kind, depth), dtype=np.float32)
    feature = np.zeros((1, len(threshold)), dtype=np.int32)
    descend.__wrapped__(z, 0, feature, threshold[None], 0, depth)
    assert z.reads == depth


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_a_forest_decides_as_its_plain_twin(kind, features, task):
    X, y = images()
    if task == "numbers":
        y = np.stack([X[:, 24] + X[:, 3], X[:, 10]], axis=1)
    loss = {"classes": "log", "numbers": "squared"}[task]
    forest = trained(X, y, kind=kind, loss=loss, batches=30, **FEATURES[features]).run()
    twins = np.array([naive.decide(forest, x) for x in X[:20].astype("f4")])
    assert np.array_equal(forest.decision(X[:20]), twins)


# -------------------------------------------------------------------------------- the gradient


def one_step(kind, features, task, seed):
    """A forest, a batch, and the gradient that one step of Adam has remembered of it."""
    rng = np.random.default_rng(seed)
    X, y = images(n=40, seed=seed)
    X += 0.01 * rng.standard_normal(X.shape)  # no ties
    if task == "squared":
        y = rng.standard_normal((40, 2))
    trainer = trained(
        X, y, seed, kind=kind, loss=task, validation=0.0, pace=0.0, batch=12, **FEATURES[features]
    )
    trees = trainer.present.trees
    trees = trees._replace(weights=rng.standard_normal(trees.weights.shape).astype("f4"))
    layer = trainer.present.layer
    rows = np.arange(12)
    y = trainer.rows.y
    weight = rng.uniform(0.5, 2, 40).astype("f4")
    moved = Layer(*(array.copy() for array in layer)), Trees(*(a.copy() for a in trees))
    memory = zero_state(layer.filters, trees.threshold, trees.weights)
    base, k = rng.standard_normal(trees.weights.shape[2]).astype("f4"), trees.weights.shape[2]
    learn_batches(
        moved[0], layer.deviation**2, moved[1], memory,
        make_buffers(trees, layer, 12, n_features(layer)), 3, base, trainer.rows.X, y, weight,
        rows, 12, 0, 1, np.array([0.01]), OPTIMIZERS["adam"], 0.0, 0.0, np.ones(k),
        np.float32(0), np.ones((1, 4), dtype=np.float32), no_augmentation(), np.zeros(4),
    )  # fmt: skip
    given = (trainer.rows.X[rows], y[rows], weight[rows])
    return layer, trees, base, given, memory


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("task", ["log", "squared"])
def test_gradients_are_finite_differences(kind, features, task):
    layer, trees, base, given, memory = one_step(kind, features, task, seed=1)
    parts = {
        "filters": memory.filters1,
        "threshold": memory.threshold1,
        "weights": memory.weights1,
    }
    layer = layer._replace(filters=layer.filters.astype(float))
    trees = trees._replace(
        threshold=trees.threshold.astype(float), weights=trees.weights.astype(float)
    )
    rng, step, n_checked = np.random.default_rng(0), 1e-6, 0
    for name, first in parts.items():
        gradient = first.ravel() / 0.1  # what the first step of Adam remembers
        moving = (layer if name == "filters" else trees)._asdict()[name].reshape(-1)
        # All of what was met would take long, some of what was not met must be zero.
        met = np.flatnonzero(gradient)
        rest = np.flatnonzero(gradient == 0)
        some = [*rng.permutation(met)[:20], *rng.permutation(rest)[:5]]
        for i in some:
            losses = []
            for sign in (1, -1):
                moving[i] += sign * step
                losses.append(naive.mean_loss(layer, trees, 3, kind == "fern", base, *given))
                moving[i] -= sign * step
            slope = (losses[0] - losses[1]) / (2 * step)
            assert gradient[i] == pytest.approx(slope, rel=1e-3, abs=2e-5), (name, i)
            n_checked += gradient[i] != 0
    assert n_checked >= (40 if features != "raw" else 25)


@examples(60)
@given(
    out=st.lists(st.floats(-30, 30, width=32), min_size=3, max_size=3),
    y=st.integers(0, 2),
    weight=st.floats(0.125, 4, width=32),
    smoothing=st.sampled_from([0.0, 0.1, 0.75]),
)
def test_the_softmax_loss_and_its_gradient(out, y, weight, smoothing):
    out = np.array([out], dtype=np.float32)
    slope = np.empty_like(out)
    loss, error = loss_gradient(
        out, np.array([y]), np.array([weight], dtype="f4"), np.ones(3), np.float32(smoothing), slope
    )
    odds = np.exp(out[0].astype(float) - out.max())
    share = odds / odds.sum()
    assert loss == pytest.approx(-weight * np.log(share[y]), rel=1e-4, abs=1e-4)
    assert error == weight * (out[0].argmax() != y)
    target = (1 - smoothing) * np.eye(3)[y] + smoothing / 3
    assert slope[0] == pytest.approx(weight * (share - target), rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_the_optimizers_are_those_of_their_papers(name):
    rng = np.random.default_rng(0)
    steps = rng.standard_normal((30, 5)).astype("f4")
    p = start = rng.standard_normal(5).astype("f4")
    p, first, second = p.copy(), np.zeros(5, "f4"), np.zeros(5, "f4")
    for t, g in enumerate(steps, 1):
        rate, rate2 = 0.1, 1.0
        if name == "adam":
            rate, rate2 = rate / (1 - 0.9**t), 1 / (1 - 0.999**t)
        move_row(OPTIMIZERS[name], p, g, first, second, np.float32(rate), np.float32(rate2))
    twin = getattr(naive, name)
    expected = [twin(float(start[i]), steps[:, i].astype(float), 0.1) for i in range(5)]
    assert p == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_touches_one_leaf_and_one_threshold_a_row_and_tree(kind):
    trainer = trained(*IRIS, kind=kind, depth=6, batches=1, batch=5, validation=0.0)
    before = trainer.state()
    trainer.run()
    after = trainer.state()
    for name in ("threshold", "weights"):
        changed = before["trees"][name] != after["trees"][name]
        changed = changed.any(axis=2) if changed.ndim == 3 else changed
        assert (changed.sum(axis=1) <= 5).all(), name
        assert changed.any(axis=1).all(), name

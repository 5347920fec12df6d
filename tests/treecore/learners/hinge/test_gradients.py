"""Gradients of hinge forests are finite differences, and move what was decisive."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.hinges import FEATURES, IRIS, KINDS, images, trained
from tests.naive import hinge as naive
from treecore import RunConfig, Trainer
from treecore.learners.hinge.gradients import loss_gradient
from treecore.learners.hinge.layer import Layer
from treecore.learners.hinge.run import advance, make_run
from treecore.learners.hinge.traversal import Trees
from treecore.losses import find_loss
from treecore.rows.training_rows import TrainingRows
from treecore.training.hinge_validation import loss_and_error


def one_step(kind, features, task, seed):
    """A forest, a batch, and the gradient that one step of Adam has remembered of it."""
    rng = np.random.default_rng(seed)
    X, y = images(n=40, seed=seed)
    X += 0.01 * rng.standard_normal(X.shape)  # no ties
    if task == "squared":
        y = rng.standard_normal((40, 2))
    trainer = trained(
        X, y, seed, kind=kind, loss=task, validation=0.0, batch=12, **FEATURES[features]
    )
    trees = trainer.present.trees
    trees = trees._replace(weights=rng.standard_normal(trees.weights.shape).astype("f4"))
    layer = trainer.present.layer
    rows = np.arange(12)
    y = trainer.rows.y
    weight = rng.uniform(0.5, 2, 40).astype("f4")
    moved = Layer(*(array.copy() for array in layer)), Trees(*(a.copy() for a in trees))
    base, k = rng.standard_normal(trees.weights.shape[2]).astype("f4"), trees.weights.shape[2]
    settings = trainer.config.settings
    run = make_run(
        moved[0], layer.deviation**2, moved[1], base, trainer.rows, np.ones(k), settings, rng
    )
    run = run._replace(weight=weight)
    run.order[:] = np.arange(40)
    run.clock[0] = 1  # this order is the first pass
    run.rates[4] = 0.0  # means of features stay
    assert advance(run, 1) == 1
    memory = run.memory
    given = (trainer.rows.X[rows], y[rows], weight[rows])
    return layer, trees, base, given, memory


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("task", ["log", "squared"])
def test_gradients_are_finite_differences(kind, features, task):
    layer, trees, base, given, memory = one_step(kind, features, task, seed=1)
    parts = {"filters": memory.filters1, "threshold": memory.threshold1, "weights": memory.weights1}
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
)
def test_the_softmax_loss_and_its_gradient(out, y, weight):
    out = np.array([out], dtype=np.float32)
    slope = np.empty_like(out)
    loss, error = loss_gradient(
        out,
        np.array([0, y]),
        np.array([9, weight], dtype="f4"),
        np.ones(1, int),
        np.ones(3),
        np.zeros(3),
        slope,
    )
    odds = np.exp(out[0].astype(float) - out.max())
    share = odds / odds.sum()
    assert loss == pytest.approx(-weight * np.log(share[y]), rel=1e-4, abs=1e-4)
    assert error == weight * (out[0].argmax() != y)
    assert slope[0] == pytest.approx(weight * (share - np.eye(3)[y]), rel=1e-4, abs=1e-6)


@examples(60)
@given(
    name=st.sampled_from(["squared", "huber", "absolute", "quantile:0.9", "quantile:0.25"]),
    out=st.lists(st.floats(-3, 3, width=32), min_size=2, max_size=2),
    y=st.lists(st.floats(-3, 3, width=32), min_size=2, max_size=2),
    weight=st.floats(0.125, 4, width=32),
)
def test_the_losses_of_numbers_and_their_gradients(name, out, y, weight):
    """Those of trees with one leaf, of which the smooth ones are twice as large."""
    loss, size = find_loss(name), 0.5 if name in ("squared", "huber") else 1.0
    out, y = np.array([out], dtype=np.float32), np.array([y], dtype=np.float32)
    slope, unit = np.empty_like(out), np.array([0.5, 2.0])
    given = (np.array([weight], dtype="f4"), np.zeros(1, int), unit, np.array(loss.pull))
    found, error = loss_gradient(out, y, *given, slope)
    assert found == pytest.approx(
        weight * size * loss.of_predictions(out, y)[0], rel=1e-4, abs=1e-6
    )
    assert error == pytest.approx(weight * (unit * (out - y) ** 2).sum(), rel=1e-4, abs=1e-6)
    held = TrainingRows(np.zeros((1, 1), "f4"), y, np.ones(1), 2, loss)
    assert loss_and_error(out, held, unit) == pytest.approx(
        (found / weight, error / weight), rel=1e-4
    )
    for q, step in enumerate(0.001 * np.eye(2, dtype=np.float32)):
        if min(abs(np.abs(out - y)[0, q] - edge) for edge in (0, 1)) > 0.01:  # no corner is near
            rise = loss.of_predictions(out + step, y) - loss.of_predictions(out - step, y)
            expected = weight * size * float(rise[0]) / 0.002
            assert slope[0, q] == pytest.approx(expected, rel=0.01, abs=0.01)
        if name not in ("squared", "huber") and out[0, q] == y[0, q]:
            assert slope[0, q] == 0


@pytest.mark.parametrize("loss", ["absolute", "quantile:0.9"])
def test_a_forest_learns_medians_and_quantiles(loss, rng):
    X = rng.standard_normal((1000, 2))
    y = X[:, 0] + rng.exponential(size=1000)
    config = {"depth": 3, "trees": 10, "batches": 200, "seed": 0}
    forest = Trainer(RunConfig("hinge-forest", loss=loss, **config), X, y).run()
    share = (y <= forest.decision(X)[:, 0]).mean()
    assert share == pytest.approx(0.9 if "9" in loss else 0.5, abs=0.06)
    mean = Trainer(RunConfig("hinge-forest", loss="squared", **config), X, y).run()
    measure, y = find_loss(loss), y[:, None].astype(np.float32)
    ours, theirs = (measure.of_predictions(one.decision(X), y).mean() for one in (forest, mean))
    assert ours < theirs


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_touches_one_leaf_and_one_threshold_a_row_and_tree(kind):
    trainer = trained(*IRIS, kind=kind, depth=6, batches=1, batch=5, validation=0.0)
    before = trainer.state()
    trainer.run()
    after = trainer.state()
    for name in ("threshold", "weights"):
        changed = before["run"][name] != after["run"][name]
        changed = changed.any(axis=2) if changed.ndim == 3 else changed
        assert (changed.sum(axis=1) <= 5).all(), name
        assert changed.any(axis=1).all(), name

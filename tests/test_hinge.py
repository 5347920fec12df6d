"""Random hinge forests and ferns: kernels against their twins, gradients, the trainer."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys

import naive_hinge as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits, load_iris

from treecore.hinge import HingeForest, HingeSettings, HingeTrainer
from treecore.hinge.batches import learn_batches
from treecore.hinge.changes import draw_changes, move_image, no_changes
from treecore.hinge.gradients import loss_gradient, make_work
from treecore.hinge.layer import Layer, n_features
from treecore.hinge.optimizers import OPTIMIZERS, fresh_memory, move_row
from treecore.hinge.start import random_trees
from treecore.hinge.traversal import Trees, decide_rows, descend, n_nodes

IRIS = load_iris(return_X_y=True)
KINDS = ("forest", "fern")
FEATURES = {
    "raw": {"features": "raw"},
    "inner products": {"features": "inner products", "n_features": 7},
    "convolutions": {"features": "convolutions", "n_features": 3, "filter_size": 3, "stride": 2},
}
QUICK = {"trees": 4, "depth": 3, "batches": 250, "batch": 10, "n_features": 7}


def images(n=60, side=7, n_classes=3, seed=0):
    """Rows of small images, of which many pixels are dark."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, side * side)) * (rng.random((n, side * side)) < 0.6)
    return X, rng.integers(n_classes, size=n)


def trained(X, y, seed=0, **changes):
    return HingeTrainer(HingeSettings(**(QUICK | changes)), X, y, seed=seed)


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other))


def same_forest(one, other):
    return (
        same(one.layer, other.layer)
        and same(one.trees, other.trees)
        and np.array_equal(one.base, other.base)
        and (one.kind, one.depth, one.task) == (other.kind, other.depth, other.task)
    )


# ------------------------------------------------------------------------------------ the traversal


@given(
    depth=st.integers(1, 6),
    fern=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
    grid=st.booleans(),
)
@settings(max_examples=80, deadline=None)
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
    descend.py_func(z, 0, feature, threshold[None], 0, depth)
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
    y = trainer._rows.y
    weight = rng.uniform(0.5, 2, 40).astype("f4")
    moved = Layer(*(array.copy() for array in layer)), Trees(*(a.copy() for a in trees))
    memory = fresh_memory(layer.filters, trees.threshold, trees.weights)
    base, k = rng.standard_normal(trees.weights.shape[2]).astype("f4"), trees.weights.shape[2]
    learn_batches(
        moved[0], layer.deviation**2, moved[1], memory,
        make_work(trees, layer, 12, n_features(layer)), 3, base, trainer._rows.X, y, weight,
        rows, 12, 0, 1, np.array([0.01]), OPTIMIZERS["adam"], 0.0, 0.0, np.ones(k),
        np.float32(0), np.ones((1, 4), dtype=np.float32), no_changes(), np.zeros(4),
    )  # fmt: skip
    given = (trainer._rows.X[rows], y[rows], weight[rows])
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


@given(
    out=st.lists(st.floats(-30, 30, width=32), min_size=3, max_size=3),
    y=st.integers(0, 2),
    weight=st.floats(0.125, 4, width=32),
    smoothing=st.sampled_from([0.0, 0.1, 0.75]),
)
@settings(max_examples=60, deadline=None)
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
    for name in ("trees.threshold", "trees.weights"):
        changed = before[name] != after[name]
        changed = changed.any(axis=2) if changed.ndim == 3 else changed
        assert (changed.sum(axis=1) <= 5).all(), name
        assert changed.any(axis=1).all(), name


# -------------------------------------------------------------------------------- the start


@given(seed=st.integers(0, 1000), kind=st.sampled_from(KINDS))
@settings(max_examples=20, deadline=None)
def test_every_decision_is_in_reach_at_the_start(seed, kind):
    rng = np.random.default_rng(seed)
    Z, depth = rng.standard_normal((64, 3)).astype("f4"), 7
    trees = random_trees(kind, 5, depth, 2, Z, rng)
    for feature, threshold in zip(trees.feature, trees.threshold):
        # In each node's region of space, what its ancestors left of the feature is not used up.
        for v in range(len(feature)):
            low, high = Z[:, feature[v]].min(), Z[:, feature[v]].max()
            child = v
            while child and kind == "forest":
                node = (child - 1) // 2
                if feature[node] == feature[v]:
                    if child == 2 * node + 1:
                        high = min(high, threshold[node])
                    else:
                        low = max(low, threshold[node])
                child = node
            assert low <= threshold[v] <= high


def test_rows_reach_far_more_leaves_than_by_thresholds_drawn_blindly():
    rng = np.random.default_rng(0)
    Z, depth = rng.standard_normal((1000, 20)).astype("f4"), 8
    trees = random_trees("forest", 10, depth, 1, Z, rng)
    blind = trees._replace(threshold=rng.uniform(-3, 3, trees.threshold.shape).astype("f4"))

    def reached(trees):
        return np.mean(
            [
                len(
                    {
                        descend(Z, b, trees.feature, trees.threshold, m, depth)[0]
                        for b in range(1000)
                    }
                )
                for m in range(10)
            ]
        )

    assert reached(trees) > 2 * reached(blind)


# -------------------------------------------------------------------------------- the layer


def test_running_means_and_deviations_follow_the_features():
    X, y = IRIS
    trainer = trained(X, y, pace=0.05, eta=1e-6, batches=400, validation=0.0)
    trainer.run()
    forest = trainer.present
    plain = forest.layer._replace(mean=np.zeros(7, np.float32), deviation=np.ones(7, np.float32))
    answers = np.array([naive.features(plain, x) for x in X.astype("f4")])
    assert np.abs(forest.layer.mean - answers.mean(axis=0)).max() < 0.3
    assert forest.layer.deviation == pytest.approx(answers.std(axis=0), rel=0.2)


@pytest.mark.parametrize("features", ["raw", "inner products"])
def test_columns_of_one_scale_keep_their_proportions(features):
    X, y = IRIS
    layer = trained(X, y, features=features, scale="one", validation=0.0, batches=5).present.layer
    assert layer.centre == pytest.approx(X.mean(axis=0), rel=1e-6)
    assert layer.scale == pytest.approx(np.full(4, X.var(axis=0).mean() ** -0.5), rel=1e-5)
    layer = trained(X, y, features=features, validation=0.0, batches=5).present.layer
    assert layer.scale == pytest.approx(1 / X.std(axis=0), rel=1e-5)


def test_convolutions_are_those_of_scipy():
    from scipy.signal import correlate2d

    X, y = images(side=9)
    forest = trained(X, y, **FEATURES["convolutions"], batches=20).run()
    layer = forest.layer
    image = X[0].astype("f4") * layer.scale[0]
    z = naive.features(layer, X[0].astype("f4")).reshape(4, 4, 3)
    for c in range(3):
        whole = correlate2d(image.reshape(9, 9), layer.filters[:, c].reshape(3, 3), mode="valid")
        expected = (whole[::2, ::2] - layer.mean[c]) / layer.deviation[c]
        assert z[:, :, c] == pytest.approx(expected, abs=1e-4)


def test_an_inner_product_is_a_convolution_as_large_as_the_image():
    X, y = images(side=5)
    one = trained(X, y, features="inner products", n_features=6)
    other = trained(X, y, features="convolutions", n_features=6, filter_size=5, stride=1)
    assert np.array_equal(one.present.layer.filters, other.present.layer.filters)
    assert one.present.layer.place.tolist() == other.present.layer.place.tolist() == [0]


# -------------------------------------------------------------------------------- changes


@given(
    width=st.integers(1, 6),
    height=st.integers(1, 6),
    down=st.floats(-7, 7, width=32),
    right=st.floats(-7, 7, width=32),
    seed=st.integers(0, 100),
)
@settings(max_examples=100, deadline=None)
def test_a_moved_image_is_its_plain_twin(width, height, down, right, seed):
    x = np.random.default_rng(seed).standard_normal(width * height).astype("f4")
    found = np.empty_like(x)
    down, right = np.float32(down), np.float32(right)
    move_image(x, width, down, right, found)
    assert np.array_equal(found, naive.move_image(x, width, down, right))


def test_a_move_by_whole_pixels_rolls_the_image_and_between_two_it_is_their_mean():
    x = np.zeros((6, 5), dtype="f4")
    x[2:4, 2:4] = [[1, 2], [3, 4]]
    found = np.empty(30, dtype="f4")
    move_image(x.ravel(), 5, np.float32(2), np.float32(-1), found)
    whole = np.roll(x, (2, -1), axis=(0, 1))
    assert np.array_equal(found.reshape(6, 5), whole)
    move_image(x.ravel(), 5, np.float32(1.5), np.float32(-1), found)
    assert np.array_equal(found.reshape(6, 5), (whole + np.roll(whole, -1, axis=0)) / 2)
    move_image(x.ravel(), 5, np.float32(6), np.float32(0), found)
    assert not found.any()


def test_changes_depend_on_the_seed_and_the_number_of_the_mini_batch_alone():
    one = draw_changes(0.5, 2.0, 8, 40, 64, 7, range(10))
    assert one.noise.std() == pytest.approx(0.5, rel=0.02)
    assert np.abs(one.moves).max() == pytest.approx(2, abs=0.05)
    assert np.abs(one.moves).max() <= 2
    later = draw_changes(0.5, 2.0, 8, 40, 64, 7, range(6, 10))
    assert same(one[:2], [np.concatenate([a[:6], b]) for a, b in zip(one[:2], later[:2])])
    other = draw_changes(0.5, 2.0, 8, 40, 64, 8, range(10))
    assert not np.array_equal(one.moves, other.moves)


def test_forests_that_met_moved_images_know_moved_images():
    X, y = load_digits(return_X_y=True)
    moved = np.empty((400, 64), dtype="f4")
    for image, row in zip(X[1000:1400].astype("f4"), moved):
        move_image(image, 8, np.float32(0.7), np.float32(-0.7), row)
    settings = {"trees": 30, "depth": 5, "batches": 600, "features": "raw", "eta": 0.02}
    errors = {}
    for shift in (0.0, 1.0):
        forest = trained(X[:1000], y[:1000], **settings, shift=shift).run()
        errors[shift] = (forest.predict(moved) != y[1000:1400]).mean()
    assert errors[1.0] < 0.8 * errors[0.0]


# -------------------------------------------------------------------------------- the trainer


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_it_learns(kind, optimizer):
    X, y = IRIS
    eta = {"adam": 0.02, "adagrad": 0.2}[optimizer]
    trainer = trained(X, y, kind=kind, optimizer=optimizer, trees=10, batches=500, eta=eta)
    events = list(trainer.events())
    assert events[0].validation_error > 0.3 > 0.1 > trainer.forest.predict(X).__ne__(y).mean()
    assert [event.done for event in events] == [0, 100, 200, 300, 400, 500]
    assert events[-1].loss < events[1].loss
    assert {event.unit for event in events} == {"batch"}
    assert all(event.stage == "hinge" and event.total == 500 for event in events)


def test_numbers_are_learnt_in_their_own_units():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (400, 2))
    y = 1000 + 50 * np.stack([np.abs(X[:, 0]), X[:, 0] * X[:, 1]], axis=1)
    trainer = trained(X, y, loss="squared", trees=20, batches=1500, features="raw", eta=0.02)
    *_, last = trainer.events()
    forest = trainer.forest
    assert ((forest.predict(X) - y) ** 2).mean() < 0.1 * y.var(axis=0).mean()
    assert last.validation_error == pytest.approx(last.validation_loss * 2 / 2 * _scale(y), rel=0.6)


def _scale(y):
    """Between a mean over outputs in own units and a sum in deviations, halved."""
    return y.var(axis=0).mean()


def test_the_kept_forest_is_the_one_that_errs_least_on_validation_rows():
    X, y = load_digits(return_X_y=True)
    trainer = HingeTrainer(
        HingeSettings(**QUICK | {"batches": 900, "eta": 0.05, "schedule": "constant"}),
        X[:600],
        y[:600],
        validation=(X[600:900], y[600:900]),
    )
    errors = {}
    for event in trainer.events():
        errors[event.done] = event.validation_error
        present = (trainer.present.predict(X[600:900]) != y[600:900]).mean()
        assert event.validation_error == pytest.approx(present)
    assert (trainer.forest.predict(X[600:900]) != y[600:900]).mean() == min(errors.values())
    assert errors[trainer.best_at] == min(errors.values())


@pytest.mark.parametrize("features", FEATURES)
def test_a_seed_means_one_forest_however_it_is_cut_into_steps(features, monkeypatch):
    X, y = images()
    one = trained(X, y, **FEATURES[features]).run()
    assert same_forest(one, trained(X, y, **FEATURES[features]).run())
    assert not same_forest(one, trained(X, y, seed=1, **FEATURES[features]).run())
    monkeypatch.setattr("treecore.hinge.training.SLICE", 1e-9)  # one mini-batch a step
    trainer = trained(X, y, **FEATURES[features])
    n_steps = 0
    while not trainer.finished:
        trainer.step()
        n_steps += 1
    assert n_steps >= 250
    assert same_forest(one, trainer.forest)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("stop", [0, 1, 37, 100, 101, 249])
def test_going_on_from_a_state_is_as_not_having_stopped(kind, stop, monkeypatch):
    monkeypatch.setattr("treecore.hinge.training.SLICE", 1e-9)
    X, y = IRIS
    whole = trained(X, y, kind=kind)
    events = [dataclasses.replace(event, seconds=0) for event in whole.events()]
    first = trained(X, y, kind=kind)
    told = []
    while first._done < stop or first._measured_at < 0:
        event = first.step()
        if event.complete:
            told.append(dataclasses.replace(event, seconds=0))
    state = first.state()
    plain = {name: value for name, value in state.items() if not isinstance(value, np.ndarray)}
    arrays = {name: value for name, value in state.items() if isinstance(value, np.ndarray)}
    assert all(array.dtype.kind in "fi" for array in arrays.values())
    state = json.loads(json.dumps(plain)) | arrays
    first.run()  # what goes on does not change the state that was given
    second = HingeTrainer(first.settings, X, y, seed=0, state=state)
    told += [dataclasses.replace(event, seconds=0) for event in second.events()]
    assert told == events
    assert same_forest(second.forest, whole.forest)
    assert same_forest(second.present, whole.present)


def test_an_average_is_that_of_the_states_it_is_said_to_be_of(monkeypatch):
    monkeypatch.setattr("treecore.hinge.training.SLICE", 1e-9)
    X, y = IRIS
    plain, averaged = trained(X, y), trained(X, y, average=0.4)
    states = {}
    while not plain.finished:  # learning itself does not know of the average
        plain.step()
        if plain._done in (160, 180, 200, 220, 240, 250):
            states[plain._done] = plain.present
        if plain._done == 150:
            while averaged._done < 150:
                averaged.step()
            assert same_forest(averaged.present, plain.present)
    *_, last = averaged.events()
    for part, name in (("trees", "threshold"), ("trees", "weights"), ("layer", "filters")):
        each = [getattr(getattr(state, part), name).astype(float) for state in states.values()]
        found = getattr(getattr(averaged.present, part), name)
        assert found == pytest.approx(np.mean(each, axis=0), abs=1e-5)
    held = averaged._held
    error = (averaged.present.predict(held.X) != held.y).mean()
    assert last.validation_error == pytest.approx(error)


@pytest.mark.parametrize(
    "changes",
    [{"noise": 0.3, "dropout": 0.5}, {"shift": 0.5, "smoothing": 0.1}, {"average": 0.5}],
)
def test_going_on_is_the_same_with_all_that_is_drawn_or_remembered(changes, monkeypatch):
    monkeypatch.setattr("treecore.hinge.training.SLICE", 1e-9)
    X, y = images()
    changes = {"validation": 0.0} | changes
    whole = trained(X, y, **changes).run()
    assert not same_forest(whole, trained(X, y, validation=0.0).run())
    first = trained(X, y, **changes)
    while first._done < 137:
        first.step()
    second = HingeTrainer(first.settings, X, y, seed=0, state=first.state())
    assert same_forest(second.run(), whole)


def test_a_run_that_is_closed_keeps_what_it_has():
    trainer = trained(*IRIS, batches=5000)
    for event in trainer.events():
        if event.done == 200:
            trainer.close()
    assert trainer.finished
    assert trainer.forest.predict(IRIS[0]).shape == (150,)
    with pytest.raises(RuntimeError, match="has ended"):
        trainer.step()


def test_learning_goes_on_from_a_forest_and_more_trees_join():
    X, y = IRIS
    settings = HingeSettings(**QUICK | {"eta": 1e-6, "batches": 1})
    first = trained(X, y, batches=500, eta=0.02).run()
    again = HingeTrainer(settings, X, y, start=first, seed=3)
    assert same_forest(again.present, first)
    more = HingeTrainer(dataclasses.replace(settings, trees=6), X, y, start=first, seed=3).present
    assert more.n_trees == 6
    assert same(first.trees, [array[:4] for array in more.trees])


def test_weights_of_rows_count_in_the_loss():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 2))
    y = rng.integers(2, size=300)  # noise: the weight decides
    weight = np.where(y == 1, 20.0, 1.0)
    forest = HingeTrainer(HingeSettings(**QUICK), X, y, sample_weight=weight).run()
    assert forest.predict(X).mean() > 0.95


def test_after_warming_up_nothing_is_left_to_compile():
    program = """
import itertools
import numpy as np
from treecore import HingeSettings, HingeTrainer, warm_up_hinge
from treecore.kernels import KERNELS

told = []
warm_up_hinge(told.append)
warm_up_hinge(told.append)
assert len(told) == 2 and "Preparing compiled code" in told[0], told
before = [len(kernel.signatures) for kernel in KERNELS]
assert sum(before) > 5  # those that Python calls; they bring the others
X = np.random.default_rng(0).standard_normal((60, 16))
y = {"log": (X[:, 0] > 0).astype(int), "squared": X[:, :2]}
plain = {"trees": 3, "depth": 3, "batches": 5, "n_features": 4, "filter_size": 2, "stride": 2}
for kind, features, loss in itertools.product(
    ("forest", "fern"), ("raw", "inner products", "convolutions"), y
):
    settings = HingeSettings(kind=kind, features=features, loss=loss, shift=0.5, noise=0.1, **plain)
    HingeTrainer(settings, X, y[loss]).run().predict(X)
assert [len(kernel.signatures) for kernel in KERNELS] == before
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_any_number_of_threads_gives_the_same_bits(n_jobs):
    X, y = load_digits(return_X_y=True)
    forest = trained(X, y, batches=50).run()
    X = np.concatenate([X, X])
    assert np.array_equal(forest.decision(X), forest.decision(X, n_jobs))


# ----------------------------------------------------------------------------------- awkward data


def test_missing_values_are_the_mean_of_their_column():
    X, y = IRIS
    X = X.copy()
    X[::7, 2] = np.nan
    forest = trained(X, y).run()
    filled = np.where(np.isnan(X), forest.missing, X.astype("f4"))
    assert np.array_equal(forest.decision(X), forest.decision(filled))


@pytest.mark.parametrize("features", ["raw", "inner products"])
@pytest.mark.parametrize(
    "X",
    [
        np.zeros((30, 3)),
        np.full((30, 1), 1e38),
        np.geomspace(1e-38, 1e38, 90).reshape(30, 3),
        np.eye(30)[:, :3],
        np.arange(30.0)[:, None] * 1e-42,
        np.concatenate([np.zeros((29, 2)), [[3e38, -3e38]]]),
    ],
)
def test_awkward_columns_give_finite_forests(X, features):
    y = np.arange(30) % 3
    trainer = trained(X, y, features=features, eta=0.5, batches=200)
    *_, last = trainer.events()
    assert np.isfinite(last.loss)
    far = np.full((2, X.shape[1]), 3e38) * [[1], [-1]]
    assert np.isfinite(trainer.forest.decision(far)).all()


@pytest.mark.parametrize("rows", [1, 2, 9, 10, 11])
def test_few_rows(rows):
    X, y = np.arange(rows, dtype=float)[:, None], np.arange(rows) % 2
    forest = trained(X, y, batch=32, batches=20).run()
    assert forest.n_outputs == 2
    assert np.isfinite(forest.decision(X)).all()


def test_constant_targets():
    X = np.arange(40.0).reshape(20, 2)
    forest = trained(X, np.full(20, 7.5), loss="squared", batches=50).run()
    assert forest.predict(X) == pytest.approx(7.5, abs=0.01)
    assert trained(X, np.zeros(20, dtype=int), batches=50).run().predict(X).sum() == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"trees": 0}, "trees=0 must be between 1 and"),
        ({"kind": "bush"}, "kind='bush' must be one of forest, fern"),
        ({"features": "convolutions"}, "4 columns are no image|filter_size=5 is more than"),
        ({"shift": 1.0, "width": 3}, "4 columns are no image of width 3"),
        ({"features": "convolutions", "width": 3}, "4 columns are no image of width 3"),
        ({"trees": 5000, "depth": 16}, "leaf weights, 12 GB with what the optimizer remembers"),
    ],
)
def test_bad_settings_are_told_in_a_sentence(changes, message):
    with pytest.raises(ValueError, match=message):
        trained(*IRIS, **changes)


def test_bad_data_are_told_in_a_sentence():
    from scipy.sparse import csr_matrix

    X, y = IRIS
    for bad, message in (
        ((X[:5], y), "5 rows need as many labels"),
        ((X, y.astype(float)), "must hold class indices"),
        ((csr_matrix(X), y), "sparse X"),
        ((X[:0], y[:0]), "there are no training rows"),
    ):
        with pytest.raises(ValueError, match=message):
            trained(*bad)
    forest = trained(X, y, batches=5).run()
    with pytest.raises(ValueError, match="X has 3 features"):
        forest.decision(X[:, :3])
    with pytest.raises(ValueError, match="sparse X"):
        forest.decision(csr_matrix(X))
    with pytest.raises(ValueError, match="reads 4 columns and has 3 outputs"):
        HingeTrainer(HingeSettings(**QUICK), X[:, :3], y, start=forest)
    with pytest.raises(ValueError, match="it can only grow"):
        HingeTrainer(HingeSettings(**QUICK | {"trees": 2}), X, y, start=forest)
    with pytest.raises(ValueError, match="settings ask for a forest of depth 4"):
        HingeTrainer(HingeSettings(**QUICK | {"depth": 4}), X, y, start=forest)
    with pytest.raises(ValueError, match="not the state of a hinge forest"):
        HingeTrainer(HingeSettings(**QUICK), X, y, state={"state": 0})


def test_a_forest_is_read_only_and_checked():
    forest = trained(*IRIS, batches=5).run()
    with pytest.raises(ValueError, match="read-only"):
        forest.trees.weights[0] = 1
    for changes, message in (
        ({"depth": 2}, "feature must be int32 of shape"),
        ({"kind": "fern"}, "feature must be int32 of shape"),
        ({"base": np.array([np.nan] * 3, "f4")}, "base holds a number that is missing"),
        ({"trees": forest.trees._replace(feature=forest.trees.feature + 7)}, "outside 0 to 6"),
        ({"layer": forest.layer._replace(tap=forest.layer.tap + 1)}, "beyond the 4 columns"),
    ):
        with pytest.raises(ValueError, match=message):
            dataclasses.replace(forest, **changes)
    assert isinstance(forest, HingeForest)
    out = np.empty((150, 3), dtype=np.float32)
    decide_rows(forest.layer, forest.trees, forest.depth, forest.base, IRIS[0].astype("f4"), out)
    assert np.array_equal(out, forest.decision(IRIS[0]))

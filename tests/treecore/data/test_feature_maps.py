"""Kernel features: against scikit-learn, against the kernel itself, and what they buy."""

import numpy as np
import pytest
from sklearn.datasets import make_circles
from sklearn.kernel_approximation import Nystroem, RBFSampler

from treecore import RunConfig, Trainer, predict
from treecore.data.feature_maps import KERNELS, fit_map

MAPS = [kind for kind in KERNELS if kind != "none"]


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(80, 4)) * [1, 10, 0.1, 3] + [5, 0, 0, -7]


def scaled(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


@pytest.mark.parametrize(("gamma", "number"), [(0.2, 0.2), ("scale", 1 / 4)])
@pytest.mark.parametrize(("kind", "theirs"), [("fourier", RBFSampler), ("nystroem", Nystroem)])
def test_features_are_those_of_scikit_learn(X, kind, theirs, gamma, number):
    expected = theirs(gamma=number, n_components=30, random_state=3).fit_transform(scaled(X))
    np.testing.assert_allclose(fit_map(X, kind, 30, gamma, seed=3)(X), expected, atol=1e-5)


def test_functions_that_are_linear_between_the_knots_are_linear_in_splines(X):
    result = fit_map(X, "spline", 20, "scale", seed=0)
    assert result.n_components == 20  # four features, and four knots for each
    assert np.bincount(result.features).tolist() == [4, 4, 4, 4]
    knots = result.knots.reshape(4, 4)
    expected = np.quantile(scaled(X), [0.2, 0.4, 0.6, 0.8], axis=0).T
    np.testing.assert_allclose(knots, expected, atol=1e-5)
    far = np.array([-9.0, 9.0])
    bent = sum(
        np.interp(z, np.sort([*far, *t]), np.random.default_rng(j).normal(size=6))
        for j, (z, t) in enumerate(zip(scaled(X).T, knots, strict=True))
    )
    design = np.column_stack([result(X), np.ones(len(X))]).astype(float)
    weights = np.linalg.lstsq(design, bent, rcond=None)[0]
    np.testing.assert_allclose(design @ weights, bent, atol=1e-4)
    for row, mapped in zip(X[:5], result(X[:5]), strict=True):
        values = dict(zip("abcd", row.tolist(), strict=True))
        reported = [eval(name, {"max": max}, values) for name in result.names("abcd")]
        np.testing.assert_allclose(reported, mapped, atol=1e-3)  # names have four digits


def test_a_feature_of_two_values_has_no_knots(X):
    flags = (X > 0).astype(float)
    assert fit_map(flags, "spline", 100, "scale", seed=0).n_components == 4
    X[:, 1] = flags[:, 1]
    assert set(fit_map(X, "spline", 1, "scale", seed=0).features) == {0, 2, 3}  # one knot at least


def last_event(trainer):
    *_, event = trainer.events()
    return event


def test_a_linear_leaf_behind_splines_is_an_additive_model():
    X = np.random.default_rng(0).uniform(-1, 1, size=(400, 2))
    y = np.abs(X[:, 0]) - 2 * np.maximum(X[:, 1], 0.2)
    plain = RunConfig("annealed", loss="squared", depth=1, leaf="linear")
    spline = plain.replace(kernel="spline", components=40)
    curved, straight = (last_event(Trainer(config, X, y)).r2 for config in (spline, plain))
    assert curved > 0.999 > straight


@pytest.mark.parametrize("kind", MAPS)
def test_a_map_reads_the_same_of_missing_and_single_rows(kind, X):
    X[X < 0] = 0
    X[::3, 1] = np.nan
    dense = fit_map(X, kind, 20, "scale", seed=0)
    filled = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    np.testing.assert_allclose(dense(X), dense(filled), atol=1e-5)
    np.testing.assert_allclose(dense(X[:1])[0], dense(X)[0], atol=1e-6)
    with pytest.raises(ValueError, match="X has 3 features, but"):
        dense(X[:, :3])


@pytest.mark.parametrize("kind", MAPS)
def test_a_circle_in_a_circle_takes_one_split(kind):
    X, y = make_circles(400, noise=0.05, factor=0.4, random_state=0)
    plain = RunConfig("annealed", depth=1)
    assert last_event(Trainer(plain, X, y)).accuracy < 0.75
    curved = Trainer(plain.replace(kernel=kind, gamma=1.0), X, y)
    assert last_event(curved).accuracy > 0.98
    assert curved.model.n_leaves == 2
    assert curved.model.n_features == curved.feature_map.n_components == 100


@pytest.mark.parametrize("kind", MAPS)
def test_the_door_maps_rows_once_and_validation_rows_too(kind):
    X, y = make_circles(300, noise=0.05, factor=0.4, random_state=0)
    X[0] = np.nan
    config = RunConfig("sgd", depth=1, epochs=20, kernel=kind, components=50, gamma=1.0)
    trainer = Trainer(config, X[:200], y[:200], validation=(X[200:], y[200:]))
    *_, event = trainer.events()
    reported = predict(trainer.model, trainer.feature_map(X))
    assert event.accuracy == pytest.approx((reported[:200] == y[:200]).mean())
    assert event.validation_accuracy == pytest.approx((reported[200:] == y[200:]).mean())
    assert trainer.rows.X.shape == (200, 50)
    assert not trainer.model.missing.any()  # the map has filled what was missing
    held = Trainer(config.replace(validation=0.2), X, y)
    held.run()
    assert held.held_out.X.shape == (60, 50)
    again = Trainer(config, X, y, feature_map=trainer.feature_map)
    assert again.feature_map is trainer.feature_map


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kernel": "rbf"}, "kernel='rbf' must be one of none, fourier, nystroem, spline"),
        ({"components": 0}, "components=0 must be between 1 and 10000"),
        ({"components": 2.5}, "components=2.5 must be"),
        ({"gamma": "auto"}, "gamma='auto' must be \"scale\" or a positive number"),
        ({"gamma": np.inf}, "gamma=inf must be"),
    ],
)
def test_a_config_checks_its_kernel(settings, message):
    with pytest.raises(ValueError, match=message):
        RunConfig("sgd", **settings)


def test_a_map_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one row and one feature"):
        fit_map(np.empty((0, 2)), "fourier", 3, "scale", seed=0)

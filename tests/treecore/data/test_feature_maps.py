"""Splines: what they make of rows, and what a tree behind them learns."""

import numpy as np
import pytest
from sklearn.datasets import make_circles

from treecore import RunConfig, Trainer, predict
from treecore.data.feature_maps import fit_map


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(80, 4)) * [1, 10, 0.1, 3] + [5, 0, 0, -7]


def scaled(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def test_functions_that_are_linear_between_the_knots_are_linear_in_splines(X):
    result = fit_map(X, 20)
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
    assert fit_map(flags, 100).n_components == 4
    X[:, 1] = flags[:, 1]
    assert set(fit_map(X, 1).features) == {0, 2, 3}  # one knot at least


def last_event(trainer):
    *_, event = trainer.events()
    return event


def r2(config, X, y):
    return last_event(Trainer(config, X, y)).r2


def test_a_linear_leaf_behind_splines_is_an_additive_model():
    X = np.random.default_rng(0).uniform(-1, 1, size=(400, 2))
    y = np.abs(X[:, 0]) - 2 * np.maximum(X[:, 1], 0.2)
    plain = RunConfig("annealed", loss="squared", depth=1, leaf="linear")
    spline = plain.replace(kernel="spline", components=40)
    assert r2(spline, X, y) > 0.999 > r2(plain, X, y)


def test_a_map_reads_the_same_of_missing_and_single_rows(X):
    X[X < 0] = 0
    X[::3, 1] = np.nan
    dense = fit_map(X, 20)
    filled = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    np.testing.assert_allclose(dense(X), dense(filled), atol=1e-5)
    np.testing.assert_allclose(dense(X[:1])[0], dense(X)[0], atol=1e-6)
    with pytest.raises(ValueError, match="X has 3 features, but"):
        dense(X[:, :3])


def test_units_do_not_matter(X):
    units = np.array([4.0, 0.5, 1024.0, 1.0])
    one = fit_map(X, 20)(X)
    np.testing.assert_allclose(fit_map(X * units, 20)(X * units), one, atol=1e-5)


def test_the_door_maps_rows_once_and_validation_rows_too():
    X, y = make_circles(300, noise=0.05, factor=0.4, random_state=0)
    X[0] = np.nan
    config = RunConfig("sgd", depth=1, epochs=20, kernel="spline", components=50)
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
        ({"kernel": "fourier"}, "kernel='fourier' must be one of none, spline"),
        ({"components": 0}, "components=0 must be a whole number from 1 to 10000"),
        ({"components": 2.5}, "components=2.5 must be"),
        ({"gamma": 0.5}, "the setting 'gamma' is gone: features of a Gaussian kernel are gone"),
    ],
)
def test_a_config_checks_its_kernel(settings, message):
    with pytest.raises(ValueError, match=message):
        RunConfig("sgd", **settings)


def test_a_map_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one row and one feature"):
        fit_map(np.empty((0, 2)), 3)

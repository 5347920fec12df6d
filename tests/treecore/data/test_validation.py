"""What a run accepts: weights, missing values, numbers in their own units; how it is measured."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.metrics import r2_score
from sklearn.utils.class_weight import compute_sample_weight

from tests.helpers.bagged import IRIS
from tests.helpers.same import assert_same, same
from treecore import RunConfig, Trainer, evaluate, predict
from treecore.core.routing import predict_values
from treecore.core.tree import check_tree
from treecore.data.validation import far_columns, read_training
from treecore.losses import LOG, SQUARED

SGD_METHODS = ["sgd", "stable-sgd"]


@pytest.fixture(scope="module")
def numbers():
    """Three outputs of very different sizes, one of them a constant."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = np.column_stack([1e6 * np.sign(X[:, 0] + X[:, 1]), 1e-3 * X[:, 2] - 5, np.full(300, 7.0)])
    return X, y


@pytest.mark.parametrize("method", ["axis", "random-oblique", "co2"])
def test_smoothing_is_in_the_units_of_the_weights_and_else_only_their_ratios_matter(method):
    X, y = IRIS
    weight = np.r_[5e-324, np.random.default_rng(0).integers(0, 4, size=len(y) - 1)]
    config = RunConfig(method, depth=3, smoothing=0.5)
    eightfold = config.replace(smoothing=4.0)
    a = Trainer(config, X, y, sample_weight=weight).run()
    assert_same(a, Trainer(eightfold, X, y, sample_weight=8 * weight).run())
    assert not same(a, Trainer(config, X, y).run())


def test_figures_are_weighted_means():
    X, y = IRIS
    weight = np.random.default_rng(1).exponential(size=len(y))
    trainer = Trainer(RunConfig("sgd", depth=2, epochs=1), X, y, sample_weight=weight)
    *_, last = trainer.events()
    right = predict(trainer.model, X) == y
    assert last.accuracy == pytest.approx(np.average(right, weights=weight))
    assert last.accuracy == pytest.approx(
        evaluate(trainer.model, X, y, sample_weight=weight).accuracy
    )
    assert last.bound >= last.loss


def test_balanced_classes_are_scikit_learns_weights():
    X, y = IRIS
    X, y = X[:110], y[:110]  # 50, 50 and 10
    rows, _ = read_training(X, y, None, "balanced", LOG, None)
    np.testing.assert_allclose(rows.weight, compute_sample_weight("balanced", y))
    np.testing.assert_allclose(np.bincount(y, rows.weight), 110 / 3)


@pytest.mark.parametrize("loss", ["squared", "huber", "absolute"])
@pytest.mark.parametrize("method", SGD_METHODS)
def test_numbers_are_learnt_in_their_own_units(method, loss, numbers):
    X, y = numbers
    trainer = Trainer(RunConfig(method, loss=loss, depth=5, epochs=60), X, y)
    events = list(trainer.events())
    tree = trainer.model
    check_tree(tree)
    assert tree.n_outputs == 3
    guess = predict_values(tree, X)
    explained = r2_score(y[:, :2], guess[:, :2], multioutput="raw_values")
    assert (explained > 0.5).all(), explained
    np.testing.assert_allclose(guess[:, 2], 7.0, rtol=1e-6)
    assert events[-1].r2 > events[0].r2
    assert events[-1].accuracy is None
    assert all(event.bound >= event.loss for event in events)


def test_r2_is_scikit_learns():
    X, y = load_diabetes(return_X_y=True)
    weight = np.random.default_rng(0).exponential(size=len(y))
    config = RunConfig("sgd", loss="squared", depth=4, epochs=20, eta=0.02)
    trainer = Trainer(config, X, y, sample_weight=weight, validation=(X[:100], y[:100]))
    *_, last = trainer.events()
    guess = predict_values(trainer.model, X)[:, 0]
    assert last.r2 == pytest.approx(r2_score(y, guess, sample_weight=weight), abs=1e-5)
    assert last.validation_r2 == pytest.approx(r2_score(y[:100], guess[:100]), abs=1e-5)
    figures = evaluate(trainer.model, X, y, loss=SQUARED, sample_weight=weight)
    assert figures.r2 == pytest.approx(last.r2, abs=1e-5)
    assert figures.accuracy is None


def test_a_run_on_numbers_can_go_on_from_its_tree(numbers):
    X, y = numbers
    first = Trainer(RunConfig("sgd", loss="squared", depth=3, epochs=10), X, y)
    *_, last = first.events()
    second = Trainer(RunConfig("sgd", loss="squared", epochs=1), X, y, start=first.model)
    assert next(second.events()).loss == pytest.approx(last.loss, rel=1e-4)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"sample_weight": np.ones(3)}, "150 rows need as many weights"),
        ({"sample_weight": -np.ones(150)}, "negative"),
        ({"sample_weight": np.full(150, np.nan)}, "missing"),
        ({"sample_weight": np.full(150, 5e-324)}, "all rows have weight 0"),
        ({"sample_weight": ["a"] * 150}, "must hold numbers"),
    ],
)
def test_bad_weights_are_refused_with_a_sentence(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        Trainer(RunConfig("sgd"), *IRIS, **arguments)


@pytest.mark.parametrize("y", [[1.0, np.nan], [1.0, np.inf], [1.0, 1e31], [1.0], [["a"], ["b"]]])
def test_bad_numbers_are_refused_with_a_sentence(y):
    with pytest.raises(ValueError, match=r"training: (y|2 rows)"):
        Trainer(RunConfig("sgd", loss="squared"), np.zeros((2, 2)), y)


@pytest.mark.parametrize("unit", [1.0, 1e-20, -1e15])
def test_columns_whose_range_is_far_beyond_their_middle_half_are_found(unit, rng):
    X = rng.normal(size=(401, 5))
    X[rng.random(X.shape) < 0.2] = np.nan
    X[:, 3] = X[:, 3] > 2.5  # most of it is one value
    X[:, 4] = np.nan
    lower, upper = np.nanquantile(X[:, :3], [0.25, 0.75], axis=0)
    X[5, 1] = 1.5 * 500 * (upper - lower)[1]
    X[6, 2] = 0.5 * 500 * (upper - lower)[2]
    assert far_columns(unit * X).tolist() == [1]
    assert far_columns(X[:0]).size == far_columns(X[:1]).size == 0

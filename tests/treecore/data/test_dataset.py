"""Datasets: what belongs together, and how they are divided."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treecore import RunConfig, Trainer, predict
from treecore.data.dataset import Dataset, complete, guess_image_shape, split, subsample
from treecore.data.generators import generate


def dataset_of(y, n_classes=None):
    """A dataset whose single feature is the row's number, so that rows can be told apart."""
    y = np.asarray(y, dtype=np.int64)
    n_classes = int(y.max()) + 1 if n_classes is None else n_classes
    names = tuple(f"c{c}" for c in range(n_classes))
    return Dataset("rows", np.arange(float(y.size))[:, None], y, ("row",), names)


classes = st.lists(st.integers(0, 4), min_size=1, max_size=60)


def numbers_of(y):
    """A dataset of numbers whose single feature is the row's number."""
    y = np.asarray(y, dtype=np.float64)
    return Dataset("rows", np.arange(float(y.size))[:, None], y, ("row",), ())


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"X": np.zeros((4, 2), dtype=np.float32)}, "float64"),
        ({"X": np.zeros((2, 4)).T}, "C order"),
        ({"X": np.full((4, 2), np.inf)}, "infinite"),
        ({"X": np.zeros((0, 2))}, "at least one row"),
        ({"y": np.zeros(4, dtype=np.int32)}, "int64"),
        ({"y": np.zeros(3, dtype=np.int64)}, "shape"),
        ({"y": np.array([0, 1, 2, 0])}, "between 0 and 1"),
        ({"feature_names": ("a",)}, "1 feature names"),
        ({"feature_names": ("a", "a")}, "twice"),
        ({"class_names": ["a", "b"]}, "tuple of str"),
        ({"image_shape": (2, 2)}, "image_shape"),
        ({"target_name": ""}, "target_name"),
        ({"class_names": ()}, "float64"),
        ({"class_names": (), "y": np.array([0.0, 1.0, np.nan, 2.0])}, "missing or infinite"),
        ({"class_names": (), "y": np.zeros((4, 2))}, "one number a row"),
    ],
)
def test_a_dataset_that_does_not_fit_together_is_refused(change, sentence):
    fields = {
        "name": "d",
        "X": np.zeros((4, 2)),
        "y": np.array([0, 1, 0, 1]),
        "feature_names": ("a", "b"),
        "class_names": ("A", "B"),
    }
    Dataset(**fields)
    with pytest.raises(ValueError, match=sentence):
        Dataset(**{**fields, **change})


@given(classes, st.floats(0.01, 0.9), st.integers(0, 99))
def test_a_split_gives_every_row_to_exactly_one_part(y, test_share, seed):
    entire = dataset_of(y)
    if np.ceil(test_share * len(y)) == len(y):
        with pytest.raises(ValueError, match="no training row"):
            split(entire, test_share, seed)
        return
    train, test = split(entire, test_share, seed)
    rows = np.concatenate([train.X, test.X]).ravel()
    assert sorted(rows) == list(range(len(y)))
    assert train.class_names == test.class_names == entire.class_names


def test_a_split_keeps_the_shares_of_the_classes():
    entire = dataset_of([0] * 60 + [1] * 30 + [2] * 10)
    train, test = split(entire, 0.2, seed=3)
    assert np.bincount(train.y).tolist() == [48, 24, 8]
    assert np.bincount(test.y).tolist() == [12, 6, 2]


def test_a_share_of_zero_leaves_no_test_part():
    entire = dataset_of([0, 1])
    assert split(entire, 0, seed=0) == (entire, None)


@pytest.mark.parametrize("share", [-0.1, 1, float("nan")])
def test_a_share_out_of_range_is_refused(share):
    with pytest.raises(ValueError, match="test_share"):
        split(dataset_of([0, 1]), share, seed=0)


@given(classes, st.integers(1, 70), st.integers(0, 99))
def test_a_subsample_keeps_every_class_and_the_order(y, n, seed):
    entire = dataset_of(y)
    present = np.unique(entire.y)
    if n < min(present.size, len(y)):
        with pytest.raises(ValueError, match="one row of each"):
            subsample(entire, n, seed)
        return
    part = subsample(entire, n, seed)
    rows = part.X.ravel().astype(int)
    assert part.n_samples == min(n, len(y))
    assert (np.diff(rows) > 0).all()
    assert np.array_equal(part.y, entire.y[rows])
    assert np.array_equal(np.unique(part.y), present)


def test_a_subsample_keeps_the_shares_of_the_classes():
    part = subsample(dataset_of([0] * 600 + [1] * 300 + [2] * 100), 100, seed=0)
    assert np.abs(np.bincount(part.y) - [60, 30, 10]).max() <= 1


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=40), st.integers(0, 99))
def test_numbers_are_divided_without_classes(y, seed):
    entire = numbers_of(y)
    assert (entire.task, entire.n_classes) == ("regression", 0)
    train, test = split(entire, 0.4, seed)
    rows = np.concatenate([train.X, test.X]).ravel().astype(int)
    assert sorted(rows) == list(range(len(y)))
    assert np.array_equal(np.concatenate([train.y, test.y]), entire.y[rows])
    part = subsample(entire, len(y) - 1, seed)
    kept = part.X.ravel().astype(int)
    assert part.n_samples == len(y) - 1
    assert (np.diff(kept) > 0).all()
    assert np.array_equal(part.y, entire.y[kept])
    with pytest.raises(ValueError, match="at least one"):
        subsample(entire, 0, seed)


def test_what_is_missing_is_read_as_the_core_reads_it(rng):
    """Learning from completed rows or from those with holes gives the same oblique tree."""
    X = rng.normal(size=(60, 3))
    X[rng.random(X.shape) < 0.2] = np.nan
    X[:, 2] = np.where(np.arange(60) < 40, np.nan, X[:, 2])
    y = np.arange(60) % 2
    entire = Dataset("holes", X, y.astype(np.int64), ("a", "b", "c"), ("A", "B"))
    train, held = entire.take(np.arange(45)), entire.take(np.arange(45, 60))
    full, full_held = complete(train, held)
    assert np.isfinite(full.X).all()
    assert np.isfinite(full_held.X).all()
    known = ~np.isnan(held.X)
    assert np.array_equal(full_held.X[known], held.X[known])
    config = RunConfig("sgd", depth=3, epochs=3)
    trees = [Trainer(config, part.X, part.y).run() for part in (train, full)]
    for name, one, other in zip(trees[0]._fields, *trees, strict=True):
        if name != "linear":
            assert np.allclose(one, other, rtol=1e-6, atol=1e-7), name
    assert np.array_equal(predict(trees[0], held.X), predict(trees[1], full_held.X))
    assert np.array_equal(full.given, train.X, equal_nan=True)
    assert np.array_equal(full_held.take([3, 1]).given, held.X[[3, 1]], equal_nan=True)
    assert complete(full, None) == (full, None)


def test_pixels_are_told_from_measurements(rng):
    grey = rng.integers(0, 256, size=(50, 49)).astype(float)
    assert guess_image_shape(grey) == (7, 7)
    assert guess_image_shape(grey / 255) == (7, 7)
    assert guess_image_shape(grey[:, :48]) is None, "48 is no square"
    assert guess_image_shape(grey[:, :25]) is None, "too few"
    assert guess_image_shape(grey - 1) is None, "negative values"
    assert guess_image_shape(grey + 0.5) is None, "neither whole nor at most 1"
    assert guess_image_shape(grey // np.geomspace(1, 300, 49)) is None, "different ranges"
    assert guess_image_shape(np.zeros((50, 49))) is None, "nothing to see"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"name": "donut"}, "no generator 'donut', choose one of moons"),
        ({"name": "rings", "n_samples": 5}, "at least 6"),
        ({"name": "hill", "n_samples": 1}, "at least 2$"),
        ({"name": "moons", "noise": 1.1}, "noise=1.1 must lie between 0 and 1"),
        ({"name": "moons", "noise": float("nan")}, "noise"),
        ({"name": "moons", "seed": -1}, "seed=-1"),
    ],
)
def test_a_wrong_wish_gets_a_sentence(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        generate(**arguments)

"""What every learner is given: a checked table of numbers with names, and ways to divide it.

Generators (:mod:`treecore.data.generators`) and readers (:mod:`treecore.data.readers`)
build a :class:`Dataset`; from there on nobody has to ask again whether the arrays fit together.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from treecore.base.units import units_of
from treecore.rows.column_sums import column_means

if TYPE_CHECKING:
    from treecore.data.readers.columns import Column, ColumnReport
    from treecore.data.readers.settings import ReadingSettings

SMALLEST_IMAGE = 36
"""Fewer features than this (6 x 6) are not taken for the pixels of an image."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows, what is to be predicted of them, and names. Equal only when they are the same one.

    - name: for titles and file names.
    - X: float64 (n_samples, n_features), in C order, with at least one row and one column; finite,
      or NaN where a value is missing.
    - y: (n_samples,), classes 0 to n_classes - 1, int64.
    - feature_names, class_names: without repetitions, in the order of the columns and of the
      classes.
    - image_shape: when the features are the pixels of an image, row by row.
    - notes: remarks for the user, a sentence each.
    - target_name: what is predicted.
    - columns: how the columns of a file became the features, see
      :mod:`treecore.data.readers.columns`; empty where each is one number.
    - reading: what was said of how to read the file.
    - reports: what the columns of a file hold and why, the target first; empty for all else.
    - holes: bool (n_samples, n_features) or None, where ``X`` has a mean for a missing value.
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    feature_names: tuple[str, ...]
    class_names: tuple[str, ...]
    image_shape: tuple[int, int] | None = None
    notes: tuple[str, ...] = ()
    target_name: str = "target"
    columns: tuple[Column, ...] = ()
    reading: ReadingSettings | None = None
    reports: tuple[ColumnReport, ...] = ()
    holes: np.ndarray | None = None

    def __post_init__(self):
        _check(self)

    @cached_property
    def given(self) -> np.ndarray:
        """``X`` as it was read, NaN where :func:`complete` has put a mean: what trees read."""
        return self.X if self.holes is None else np.where(self.holes, np.nan, self.X)

    @property
    def n_samples(self) -> int:
        return self.X.shape[0]

    @property
    def n_features(self) -> int:
        return self.X.shape[1]

    @property
    def n_classes(self) -> int:
        """How many classes there are; 0 where targets are numbers."""
        return len(self.class_names)

    @property
    def units(self) -> tuple[str, ...]:
        """What the numbers of each feature count, see :mod:`treecore.base.units`."""
        return units_of(self.columns, self.n_features)

    @property
    def task(self) -> str:
        """``"classification"`` or ``"regression"``, in the words of :mod:`treecore.losses`."""
        return "classification" if self.class_names else "regression"

    def take(self, rows) -> Dataset:
        """The dataset of some rows, an index array of shape (n_rows,), in that order."""
        holes = None if self.holes is None else self.holes[rows]
        return dataclasses.replace(self, X=self.X[rows], y=self.y[rows], holes=holes)


def _check(dataset: Dataset) -> None:
    X = dataset.X
    if X.ndim != 2 or X.dtype != np.float64 or not X.flags.c_contiguous:
        raise ValueError("X must be a two-dimensional float64 array in C order")
    if dataset.holes is not None and dataset.holes.shape != X.shape:
        raise ValueError(f"holes have shape {dataset.holes.shape}, and X has {X.shape}")
    n_samples, n_features = X.shape
    if n_samples < 1 or n_features < 1:
        raise ValueError("a dataset needs at least one row and one feature")
    if _has_infinite(X):
        raise ValueError("X holds a number that is infinite")
    _check_names(dataset)
    _check_targets(dataset)
    if dataset.image_shape is not None and math.prod(dataset.image_shape) != n_features:
        raise ValueError(
            f"image_shape {dataset.image_shape} does not hold the {n_features} features"
        )


def _has_infinite(X: np.ndarray) -> bool:
    """Whether some number is infinite."""
    with np.errstate(over="ignore", invalid="ignore"):  # a sum is quicker, and says no for most
        return any(not np.isfinite(part.sum()) and bool(np.isinf(part).any()) for part in _parts(X))


def _parts(X: np.ndarray) -> Iterator[np.ndarray]:
    """Rows of a matrix, or numbers of a list, a few at a time: what is made of them stays small."""
    n = max(1, 100_000 // max(1, math.prod(X.shape[1:])))
    return (X[start : start + n] for start in range(0, len(X), n))


def _check_names(dataset: Dataset) -> None:
    for names, title in ((dataset.feature_names, "feature"), (dataset.class_names, "class")):
        if not isinstance(names, tuple) or not all(isinstance(name, str) for name in names):
            raise ValueError(f"{title}_names must be a tuple of str")
        if len(set(names)) < len(names):
            raise ValueError(f"{title}_names holds a name twice")
    if len(dataset.feature_names) != dataset.n_features:
        raise ValueError(
            f"there are {dataset.n_features} features, "
            f"but {len(dataset.feature_names)} feature names"
        )
    if not isinstance(dataset.target_name, str) or not dataset.target_name:
        raise ValueError("target_name must be a str, and not empty")


def _check_targets(dataset: Dataset) -> None:
    y, shape = dataset.y, (dataset.n_samples,)
    if dataset.task == "regression":
        if y.shape != shape or y.dtype != np.float64:
            raise ValueError(
                f"y must be a float64 array of shape {shape}, one number a row; "
                "for classes give their class_names"
            )
        if not np.isfinite(y).all():
            raise ValueError("y holds a number that is missing or infinite")
        return
    if y.shape != shape or y.dtype != np.int64:
        raise ValueError(f"y must be an int64 array of shape {shape}, one class a row")
    if y.min() < 0 or y.max() >= dataset.n_classes:
        raise ValueError(f"y must lie between 0 and {dataset.n_classes - 1}, one class a name")


def split_rows(y: np.ndarray, test_share: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Row numbers of a training and a test part, drawn at random.

    The parts have the same shares of the classes where every class has two rows or more and either
    part has room for every class. y: (n_samples,), classes, integers; or numbers, floats;
    test_share: at least 0 and less than 1; of the rows, rounded up. Returns train, test: int64.
    """
    # Imported here because it takes a second, and who only reads or draws data never needs it.
    from sklearn.model_selection import train_test_split

    if not 0 <= test_share < 1:
        raise ValueError(f"test_share={test_share} must be at least 0 and less than 1")
    rows = np.arange(len(y))
    if test_share == 0:
        return rows, rows[:0]
    # scikit-learn rounds up just so; it is repeated here to know beforehand what will fit.
    n_test = math.ceil(test_share * len(y))
    n_train = len(y) - n_test
    if n_train < 1:
        raise ValueError(f"test_share={test_share} leaves no training row of {len(y)}, lower it")
    stratify = y.dtype.kind != "f"
    if stratify:
        _, counts = np.unique(y, return_counts=True)
        stratify = counts.min() >= 2 and min(n_train, n_test) >= counts.size
    train, test = train_test_split(
        rows,
        train_size=n_train,
        test_size=n_test,
        random_state=seed,
        stratify=y if stratify else None,
    )
    return train, test


def split(dataset: Dataset, test_share: float, seed: int) -> tuple[Dataset, Dataset | None]:
    """A training and a test part, see :func:`split_rows`; None for a test part without rows."""
    train, test = split_rows(dataset.y, test_share, seed)
    if not test.size:
        return dataset, None
    return dataset.take(train), dataset.take(test)


def complete(train: Dataset, held: Dataset | None) -> tuple[Dataset, Dataset | None]:
    """Both parts with the mean of the training part's column in place of what is missing.

    So whoever draws the rows has a place for each. Trees learn from ``Dataset.given``, which keeps
    the holes.
    """
    means = column_means(train.X)
    return _filled(train, means), held and _filled(held, means)


def _filled(dataset: Dataset, means: np.ndarray) -> Dataset:
    holes = np.isnan(dataset.X)
    if not holes.any():
        return dataset
    return dataclasses.replace(dataset, X=np.where(holes, means, dataset.X), holes=holes)


def subsample(dataset: Dataset, n: int, seed: int) -> Dataset:
    """At most ``n`` rows drawn at random, in their old order.

    Every class that has rows keeps at least one, and the classes share the others as they
    share the rows of the whole. n: from 1.
    """
    if n >= dataset.n_samples:
        return dataset
    if dataset.task == "regression":
        if n < 1:
            raise ValueError(f"n={n} rows are too few: ask for at least one")
        rows = np.random.default_rng(seed).choice(dataset.n_samples, n, replace=False)
        return dataset.take(np.sort(rows))
    classes, counts = np.unique(dataset.y, return_counts=True)
    if n < classes.size:
        raise ValueError(f"n={n} rows cannot hold one row of each of the {classes.size} classes")
    # One row each, and the rest by largest remainder; no class is asked for more than it has,
    # because its quota is a share below 1 of its rows but one.
    quota = (n - classes.size) * (counts - 1) / (dataset.n_samples - classes.size)
    take = 1 + np.floor(quota).astype(int)
    largest_first = np.argsort(np.floor(quota) - quota, kind="stable")
    take[largest_first[: n - take.sum()]] += 1
    rng = np.random.default_rng(seed)
    of_classes = [
        rng.choice(np.flatnonzero(dataset.y == c), size, replace=False)
        for c, size in zip(classes, take, strict=True)
    ]
    return dataset.take(np.sort(np.concatenate(of_classes)))


def guess_image_shape(X: np.ndarray) -> tuple[int, int] | None:
    """The shape of the square image whose pixels the features seem to be, or None.

    Pixels are a perfect square of at least 36 features without missing or negative values, either
    all whole or none greater than 1, of which at least half reach half of the greatest value:
    columns of different units do not. X: float64 (n_samples, n_features).
    """
    side = math.isqrt(X.shape[1])
    if X.shape[1] < SMALLEST_IMAGE or side * side != X.shape[1] or np.isnan(X).any():
        return None
    brightest = X.max(axis=0)  # (n_features,)
    white = brightest.max()
    if X.min() < 0 or white == 0:
        return None
    if white > 1 and not all(np.array_equal(part, np.rint(part)) for part in _parts(X)):
        return None
    return (side, side) if np.mean(brightest >= white / 2) >= 0.5 else None

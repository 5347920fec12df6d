"""The data of the hinge paper's Table 2, split as its Table 1 says: training, validation, test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold

from benchmarks.poker import deal, label
from benchmarks.protocol import Part

TEST_HANDS = 100_000


def _parts(X: np.ndarray, y: np.ndarray, *rows: np.ndarray) -> tuple[Part, ...]:
    return tuple(Part(X[some], y[some]) for some in rows)


def _shuffled(n: int, seed: int, *sizes: int) -> list[np.ndarray]:
    order = np.random.default_rng(seed).permutation(n)
    return np.split(order, np.cumsum(sizes))[: len(sizes)]


def iris(folder: Path, seeds: int) -> list[tuple[Part, ...]]:
    """Five shuffles, three folds, each in turn for training, validation and test."""
    X, y = load_iris(return_X_y=True)
    found = []
    for seed in range(5):
        folds = [
            rows for _, rows in StratifiedKFold(3, shuffle=True, random_state=seed).split(X, y)
        ]
        found += [_parts(X, y, folds[i], folds[i - 1], folds[i - 2]) for i in range(3)]
    return found


def _abalone(folder: Path, seeds: int, target: Callable) -> list[tuple[Part, ...]] | None:
    path = folder / "abalone.npz"
    if not path.exists():
        return None
    with np.load(path) as archive:
        X, y = archive["X"], target(archive["y"])
    return [_parts(X, y, *_shuffled(len(y), seed, 2089, 1044, 1044)) for seed in range(seeds)]


def abalone(folder: Path, seeds: int):
    """Rings in three classes, as UCI suggests: 8 or fewer, 9 or 10, more."""
    return _abalone(folder, seeds, lambda rings: np.digitize(rings, [8.5, 10.5]))


def abalone_regression(folder: Path, seeds: int):
    """The number of rings."""
    return _abalone(folder, seeds, lambda rings: rings.astype(float))


def madelon(folder: Path, seeds: int) -> list[tuple[Part, ...]] | None:
    """The official validation part is the test part; 500 training rows are held out."""
    path = folder / "madelon.npz"
    if not path.exists():
        return None
    with np.load(path) as archive:
        X, y, *test = (archive[key] for key in ("X_train", "y_train", "X_test", "y_test"))
    return [
        (*_parts(X, y.astype(int), *_shuffled(len(y), seed, 1500, 500)), Part(test[0], test[1]))
        for seed in range(seeds)
    ]


def poker(folder: Path, seeds: int) -> list[tuple[Part, ...]] | None:
    """Test hands are dealt, others for every seed."""
    path = folder / "poker_train.npz"
    if not path.exists():
        return None
    with np.load(path) as archive:
        X, y = (archive[key] for key in sorted(archive.files) if key.startswith(("X", "y")))
    found = []
    for seed in range(seeds):
        hands = deal(TEST_HANDS, seed)
        parts = _parts(X, y.astype(int), *_shuffled(len(y), seed, 18757, 6253))
        found.append((*parts, Part(hands, label(hands))))
    return found


def human_activity(folder: Path, seeds: int) -> list[tuple[Part, ...]] | None:
    """UCI's "Human Activity Recognition Using Smartphones", unpacked as ``UCI HAR Dataset``."""
    root = folder / "UCI HAR Dataset"
    if not root.is_dir():
        return None
    X, y, X_test, y_test = (
        np.loadtxt(root / part / f"{letter}_{part}.txt", dtype=np.float32)
        for part in ("train", "test")
        for letter in "Xy"
    )
    test = Part(X_test, y_test.astype(int) - 1)
    return [
        (*_parts(X, y.astype(int) - 1, *_shuffled(len(y), seed, 5514, 1838)), test)
        for seed in range(seeds)
    ]


TABLE2 = {
    "iris": iris,
    "abalone": abalone,
    "abalone_regression_r2": abalone_regression,
    "human_activity": human_activity,
    "madelon": madelon,
    "poker": poker,
}
"""By name: (folder of archives, seeds) -> (training, validation, test) of every run, or None."""

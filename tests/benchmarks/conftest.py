"""Small stand-ins of the papers' datasets."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.data import PaperData
from benchmarks.reproduce.poker import deal, label


def stand_in(rng, n, p, k, integers=False):
    """Rows whose classes follow from a few of their columns."""
    X = rng.integers(0, 16, (n, p)) if integers else rng.standard_normal((n, p))
    score = X[:, : 2 * (p // 2)].reshape(n, 2, -1)[:, :, :3].sum(axis=2) @ rng.standard_normal(2)
    y = np.searchsorted(np.quantile(score, np.arange(1, k) / k), score)
    return X.astype(np.uint8 if integers else np.float32), y.astype(np.uint8)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A folder of archives of the papers' names and forms, with few rows each."""
    folder, rng = tmp_path_factory.mktemp("data"), np.random.default_rng(0)
    for name, shape, k in (
        ("mnist", (240, 64), 4),
        ("letter", (220, 8), 4),
        ("usps", (150, 16), 3),
        ("madelon", (120, 10), 2),
    ):
        X, y = stand_in(rng, *shape, k, integers=name == "mnist")
        n = len(y) * 2 // 3
        parts = {"X_train": X[:n], "y_train": y[:n], "X_test": X[n:], "y_test": y[n:]}
        np.savez(folder / f"{name}.npz", **parts)
    for name, shape, k in (("connect4", (200, 12), 3), ("abalone", (200, 8), 20)):
        X, y = stand_in(rng, *shape, k)
        np.savez(folder / f"{name}.npz", X=X, y=y)
    hands = deal(300, 5)
    np.savez(folder / "poker_train.npz", X=hands.astype(np.uint8), y=label(hands).astype(np.uint8))
    return folder


@pytest.fixture
def data(folder):
    """The datasets of that folder."""
    return PaperData(folder)

"""Tables in which what is to be learnt is known: what a default must not stumble over."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from treecore.data.generators import generate

Rows = tuple[np.ndarray, np.ndarray]


def _rule(X: np.ndarray) -> np.ndarray:
    """Class 1 where both of the first two columns are high, or both are low."""
    return ((X[:, 0] > 0.3) == (X[:, 1] > -0.2)).astype(np.int64)


def noise_columns(n: int = 1000, n_noise: int = 100, seed: int = 0) -> Rows:
    """Draw a rule on two features beside columns of noise."""
    X = np.random.default_rng(seed).normal(size=(n, 2 + n_noise))
    return X, ((X[:, 0] > 0.3) & (X[:, 1] > -0.2)).astype(np.int64)


def outliers(n: int = 1000, seed: int = 0) -> Rows:
    """Draw a rule on two of five features; one row in a hundred is a thousand times too large."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    y = _rule(X)
    X[rng.choice(n, n // 100, replace=False)] *= 1000.0
    return X, y


def flips(n: int = 1000, share: float = 0.2, seed: int = 0) -> Rows:
    """Draw a rule on two of five features, with a share of the labels turned over."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    return X, _rule(X) ^ (rng.random(n) < share)


def slanted(n: int = 1000, seed: int = 0) -> Rows:
    """Draw classes on two sides of a hyperplane in ten features, with a tenth of labels turned."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 10))
    return X, (X.sum(axis=1) > 0).astype(np.int64) ^ (rng.random(n) < 0.1)


def nothing(n: int = 300, seed: int = 0) -> Rows:
    """Draw labels that the features say nothing of; two of three are 0."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 10)), (rng.random(n) < 1 / 3).astype(np.int64)


def spirals(seed: int = 0) -> Rows:
    """Draw two spirals of 500 points each."""
    data = generate("spirals", 1000, seed=seed)
    return data.X, data.y


PLANTED: dict[str, Callable[..., Rows]] = {
    "noise columns": noise_columns,
    "outliers": outliers,
    "few rows": partial(noise_columns, 100, 8),
    "flips": flips,
    "slanted": slanted,
    "nothing": nothing,
    "spirals": spirals,
}
"""Functions of a seed that draw the tables, by name."""

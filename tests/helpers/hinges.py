"""Hinge forests for tests: quick runs and small images."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_iris

from treecore import RunConfig, Trainer

IRIS = load_iris(return_X_y=True)
KINDS = ("forest", "fern")
METHODS = dict(zip(KINDS, ("hinge-forest", "hinge-ferns"), strict=True))
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


def config_of(kind="forest", **changes):
    return RunConfig(METHODS[kind], **({"validation": 0.1} | QUICK | changes))


def trained(X, y, seed=0, **changes):
    return Trainer(config_of(seed=seed, **changes), X, y)

"""Documents for tests of the JSON format: random ones, their schema, and when two are the same."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import numpy as np
from strategies import random_tree

from treecore import persistence
from treecore.persistence import TreeDocument
from treecore.tree import OBLIQUE

SCHEMA = jsonschema.Draft202012Validator(
    json.loads(Path(persistence.__file__).with_name("tree.schema.json").read_text())
)


def mixed_tree(rng):
    """A random tree of axis-aligned, sparse and dense splits, its rows in the order of splits."""
    tree = random_tree(rng, n_splits=rng.integers(4, 30), n_features=12)
    oblique = tree.feature == OBLIQUE
    share = rng.choice([0.2, 1.0], size=(tree.weights.shape[0], 1))
    return tree._replace(
        weights=np.where(rng.random(tree.weights.shape) < share, tree.weights, np.float32(0)),
        row=np.where(oblique, np.cumsum(oblique, dtype=np.int32) - 1, -1).astype(np.int32),
    )


def document_of(tree, counts=None, **training):
    features = tuple(f"feature {i}" for i in range(tree.n_features))
    classes = tuple(f"class {i}" for i in range(tree.n_outputs))
    return TreeDocument(tree, features, classes, counts, training)


def random_document(seed):
    rng = np.random.default_rng(seed)
    tree = mixed_tree(rng)
    counts = rng.integers(0, 3, size=tree.values.shape) if seed % 2 else None
    data = {"name": "moons", "fingerprint": "0" * 64, "n_samples": 100}
    return document_of(tree, counts, method="sgd", settings={"nu": 10.0}, seed=seed, data=data)


def assert_same_bits(result, expected):
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    assert result.tobytes() == expected.tobytes()


def assert_same_document(result, expected):
    for name, array in expected.tree._asdict().items():
        assert_same_bits(getattr(result.tree, name), array)
    assert result.feature_names == expected.feature_names
    assert result.class_names == expected.class_names
    assert result.training == expected.training
    if expected.counts is None:
        assert result.counts is None
    else:
        assert_same_bits(result.counts, expected.counts.astype(np.int64))

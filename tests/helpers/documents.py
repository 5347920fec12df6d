"""Documents for tests of the JSON format: random ones, and their schema."""

from __future__ import annotations

import json
import re
import textwrap
from pathlib import Path

import jsonschema
import numpy as np
from referencing import Registry, Resource

from tests.helpers.strategies import random_tree
from treecore import RunConfig, Trainer, persistence
from treecore.core.tree import OBLIQUE, means_go_left
from treecore.data.feature_maps import FourierMap, NystroemMap, SplineMap
from treecore.persistence import Document, from_json, to_json
from treecore.runs.result import data_of


def schema(name):
    """What checks files of a kind, by the schema of that name in the package."""
    folder = Path(persistence.__file__).parent
    tree = json.loads((folder / "tree.schema.json").read_text())
    own = json.loads((folder / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(own)
    registry = Registry().with_resource(tree["$id"], Resource.from_contents(tree))
    return jsonschema.Draft202012Validator(own, registry=registry)


SCHEMA = schema("tree")


def programs(module):
    """The programs that a module's docstring shows, word for word."""
    blocks = re.findall(r"::\n((?:\n|    .*\n)+)", module.__doc__)
    return [textwrap.dedent(block).strip() for block in blocks]


def mixed_tree(rng):
    """A random tree of axis-aligned, sparse and dense splits, its rows in the order of splits."""
    tree = random_tree(rng, n_splits=rng.integers(4, 30), n_features=12)
    oblique = tree.feature == OBLIQUE
    share = rng.choice([0.2, 1.0], size=(tree.weights.shape[0], 1))
    return tree._replace(
        weights=np.where(rng.random(tree.weights.shape) < share, tree.weights, np.float32(0)),
        row=np.where(oblique, np.cumsum(oblique, dtype=np.int32) - 1, -1).astype(np.int32),
    )


def random_map(rng, n_features, n_components, kind):
    missing, centre, weights = rng.standard_normal((3, n_features))
    shared = missing, centre, np.exp(weights)
    if kind == "spline":
        n_knots = n_components - n_features
        return SplineMap(
            *shared, rng.integers(n_features, size=n_knots), rng.standard_normal(n_knots)
        )
    rows = rng.standard_normal((n_components, n_features))
    if kind == "fourier":
        return FourierMap(*shared, rows, rng.uniform(0, 6, n_components))
    return NystroemMap(*shared, 0.3, rows, rng.standard_normal((n_components, n_components)))


def document_of(tree, counts=None, outputs=False, feature_map=None, **training):
    n_features = tree.n_features if feature_map is None else feature_map.n_features
    features = tuple(f"feature {i}" for i in range(n_features))
    names = tuple(f"{'output' if outputs else 'class'} {i}" for i in range(tree.n_outputs))
    key = "output_names" if outputs else "class_names"
    return Document(
        tree, features, counts=counts, training=training, feature_map=feature_map, **{key: names}
    )


KINDS = (
    "classes",
    "outputs",
    "missing",
    "fourier",
    "nystroem",
    "missing outputs",
    "fourier outputs",
    "spline outputs",
)


def random_document(seed):
    """One of each kind, in turns; every other one with counts."""
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % len(KINDS)]
    tree = mixed_tree(rng)
    outputs = "outputs" in kind
    if outputs:
        tree = tree._replace(values=tree.values.astype(np.float64))
    feature_map = None
    if "missing" in kind:
        tree = tree._replace(missing=rng.standard_normal(tree.n_features).astype(np.float32))
    if kind.startswith(("fourier", "nystroem", "spline")):
        tree = tree._replace(missing_left=means_go_left(tree))
        feature_map = random_map(rng, 3, tree.n_features, kind.split()[0])
    shape = (tree.n_leaves, 1 if outputs else tree.n_outputs)
    counts = rng.integers(0, 3, size=shape) if seed % 2 else None
    data = {"name": "moons", "fingerprint": "0" * 64, "n_samples": 100}
    training = {"method": "sgd", "settings": {"nu": 10.0}, "seed": seed, "data": data}
    return document_of(tree, counts, outputs, feature_map, **training)


def learnt_document(dataset):
    """A tree that has learnt a table, and what it knows of it, as its file gives them back."""
    loss = "log" if dataset.class_names else "squared"
    made = Document(
        Trainer(RunConfig("axis", depth=4, loss=loss), dataset.X, dataset.y).run(),
        dataset.feature_names,
        dataset.class_names,
        columns=dataset.columns,
        training={"data": json.loads(json.dumps(data_of(dataset)))},
        output_names=() if dataset.class_names else (dataset.target_name,),
    )
    return from_json(to_json(made))

"""Hinge forests as files: bit-equal, readable by anyone, hostile ones told in a sentence."""

import copy
import json
import re

import numpy as np
import pytest

import treecore.persistence.hinge as hinge
from tests.helpers.documents import programs, schema
from tests.helpers.hinges import METHODS
from tests.helpers.same import assert_same
from tests.helpers.spoiling import drop, put
from treecore import RunConfig, Trainer
from treecore.persistence import Document, TreeFormatError, from_json, load, save, to_json

HINGE_SCHEMA = schema("hinge")
FEATURES = {
    "raw": {},
    "inner products": {"n_features": 5},
    "convolutions": {"n_features": 2, "filter_size": 2, "stride": 2},
}


def document(kind="forest", features="inner products", task="log", seed=0, depth=3):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((50, 16)), rng.integers(3, size=50)
    X[::9, 3] = np.nan
    names = {"class_names": ("red", "green", "blue")}
    if task == "squared":
        y, names = rng.standard_normal((50, 2)) * 100, {"output_names": ("up", "down")}
    config = RunConfig(
        METHODS[kind],
        seed=seed,
        validation=0.1,
        features=features,
        loss=task,
        trees=4,
        depth=depth,
        batches=50,
        **FEATURES[features],
    )
    forest = Trainer(config, X, y).run()
    return Document(forest, tuple(f"x{i}" for i in range(16)), training={"seed": seed}, **names), X


@pytest.mark.parametrize("kind", ["forest", "fern"])
@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("task", ["log", "squared"])
def test_what_is_read_is_what_was_written(kind, features, task, tmp_path):
    written, X = document(kind, features, task)
    save(written, tmp_path / "forest.json")
    read = load(tmp_path / "forest.json")
    assert_same(read, written)
    assert np.array_equal(read.model.decision(X), written.model.decision(X))
    assert to_json(read) == to_json(written)
    HINGE_SCHEMA.validate(json.loads(to_json(written)))


@pytest.mark.parametrize("kind", ["forest", "fern"])
@pytest.mark.parametrize("features", FEATURES)
def test_twenty_lines_of_python_predict_from_the_file(kind, features):
    written, X = document(kind, features)
    text, reader = to_json(written), {}
    exec(programs(hinge)[0], reader)
    for x, out in zip(X[:10], written.model.decision(X[:10])):
        x = [None if np.isnan(number) else float(number) for number in x]
        assert reader["outputs"](text, x) == pytest.approx(out, rel=1e-4, abs=1e-4)


CONTENT = json.loads(to_json(document()[0]))


def spoilt(change):
    content = copy.deepcopy(CONTENT)
    change(content)
    return json.dumps(content)


BAD = [
    (put("format", "treecore-bush"), "not a tree or forest exported by treecore"),
    (put("version", 2), "version 2 of the format"),
    (put("version", True), '"version" must be 1'),
    (drop("layer"), 'the key "layer" is missing'),
    (drop("classes"), "one of the two"),
    (put("outputs", ["a"]), "one of the two"),
    (put("kind", "bush"), '"kind" must be'),
    (put("kind", "fern"), 'tree 0: "feature" has 7 entries and must have 3'),
    (put("depth", 4), "has 7 entries and must have 15"),
    (put("depth", 60), '"depth" must be a whole number'),
    (put("trees", []), '"trees" is empty'),
    (put("trees", {}), '"trees" must be a list'),
    (put("trees", 1, []), "tree 1 must be an object"),
    (put("trees", 1, "more", 1), "tree 1 must have exactly the keys"),
    (put("trees", 1, "feature", 2, 5), 'tree 1: "feature", entry 2, is 5'),
    (put("trees", 1, "feature", 2, -1), "whole number from 0 to 4"),
    (put("trees", 1, "feature", 3), 'tree 1: "feature" must be a list'),
    (put("trees", 1, "threshold", 2, "3"), "must be a number, not a string"),
    (put("trees", 1, "threshold", 2, 1e39), "must be a finite float32"),
    (put("trees", 1, "leaves", [[0, 0, 0]]), 'tree 1: "leaves" has 1 entries and must have 8'),
    (put("trees", 1, "leaves", 3, [0, 0]), 'tree 1: "leaves", row 3 has 2 entries'),
    (put("layer", "taps", 0, 16), "whole number from 0 to 15"),
    (put("layer", "places", 0, 1), "a filter reaches beyond the 16 columns"),
    (put("layer", "filters", []), "not empty"),
    (put("layer", "filters", 1, [0]), "row 1 has 1 entries and must have 16"),
    (put("layer", "deviation", 0, 0), "deviation must be positive"),
    (drop("layer", "deviation"), '"layer" must have exactly the keys'),
    (put("layer", None), '"layer" must be an object, not null'),
    (put("base", [0]), '"base" has 1 entries and must have 3'),
    (put("missing", 0, None), "must be a number, not null"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_a_bad_file_is_told_in_a_sentence(change, message):
    with pytest.raises(TreeFormatError, match=re.escape(message)):
        from_json(spoilt(change))


def test_the_schema_refuses_most_of_what_the_reader_refuses():
    refused = [not HINGE_SCHEMA.is_valid(json.loads(spoilt(change))) for change, _ in BAD]
    assert sum(refused) >= 20


def test_a_small_file_cannot_ask_for_much():
    content = copy.deepcopy(CONTENT)
    content["depth"], content["classes"] = 16, [str(i) for i in range(9999)]
    with pytest.raises(TreeFormatError, match="at most"):
        from_json(json.dumps(content))
    content = copy.deepcopy(CONTENT)
    content["layer"]["places"], content["layer"]["filters"] = [0] * 40_000, [[0.0] * 16] * 40_000
    with pytest.raises(TreeFormatError, match="at most 1000000 fit"):
        from_json(json.dumps(content))

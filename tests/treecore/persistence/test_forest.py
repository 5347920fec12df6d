"""Forests as JSON: what is read back is what was written, and nothing else gets in."""

import json
from math import exp

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tests.helpers.documents import mixed_tree, programs, schema
from tests.helpers.same import assert_same
from tests.helpers.spoiling import put
from treecore import Forest, persistence
from treecore.persistence import Document, TreeFormatError, forest, from_json, to_json

FOREST_SCHEMA = schema("forest")


def document(rng, answer="votes", n_trees=3, missing=False):
    trees = [mixed_tree(rng) for _ in range(n_trees)]
    if missing:
        fill = rng.standard_normal(12).astype(np.float32)
        trees = [tree._replace(missing=fill) for tree in trees]
    if answer == "mean":
        trees = [tree._replace(values=tree.values.astype(np.float64)) for tree in trees]
    names = tuple(f"name {i}" for i in range(3))
    key = "output_names" if answer == "mean" else "class_names"
    features = tuple(f"feature {i}" for i in range(12))
    made = Forest(trees, rng.exponential(size=n_trees), answer)
    return Document(made, features, training={"method": "oc1"}, **{key: names})


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("answer", ["votes", "shares", "mean"])
@pytest.mark.parametrize("indent", [None, 1])
def test_what_is_read_is_what_was_written(answer, missing, indent, rng):
    written = document(rng, answer, missing=missing)
    text = to_json(written, indent)
    FOREST_SCHEMA.validate(json.loads(text))
    read = from_json(text)
    assert_same(read, written)
    assert to_json(read, indent) == text
    X = rng.standard_normal((40, 12))
    assert_array_equal(read.model.scores(X), written.model.scores(X))


@pytest.mark.parametrize("answer", ["votes", "shares", "mean"])
def test_the_reader_in_the_documentation_predicts(answer):
    rng = np.random.default_rng(1)
    names = {"exp": exp}
    for module in (persistence, forest):
        exec(programs(module)[0], names)
    names["value_of"] = lambda tree, x: names["predict"](
        json.dumps({k: v for k, v in tree.items() if k != "classes"}), x
    )
    made = document(rng, answer, missing=True)
    text = to_json(made)
    X = rng.standard_normal((20, 12)).astype(np.float32)
    reported = [names["predict_together"](text, row) for row in X.tolist()]
    if answer == "mean":
        np.testing.assert_allclose(reported, made.model.scores(X), rtol=1e-5, atol=1e-6)
    else:
        expected = [made.class_names[k] for k in made.model.predict(X)]
        assert reported == expected


def spoilt(change):
    content = json.loads(to_json(document(np.random.default_rng(0))))
    change(content)
    return json.dumps(content)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("format", "treecore-tree"), 'the key "splits" is missing; export the tree again'),
        (put("format", "treecore-bush"), "this is not a tree or forest exported by treecore"),
        (put("version", 3), "has version 3 of the format"),
        (put("answer", "shout"), '"answer" must be one of votes|"answer" must be one of shares'),
        (put("answer", "mean"), 'has "outputs", not "classes"'),
        (put("answer", ["votes"]), '"answer" must be one of'),
        (lambda c: c.pop("trees"), 'the key "trees" is missing'),
        (put("trees", {}), '"trees" must be a list, not an object'),
        (put("trees", []), "a forest has 1 to 100000 trees, not 0"),
        (put("trees", 1, 7), "tree 1 must be an object, not a number"),
        (put("trees", 1, "names", []), "tree 1 must have exactly the keys"),
        (put("trees", 1, "splits", 7), 'tree 1: "splits" must be a list, not a number'),
        (put("trees", 2, "leaves", []), "tree 2: a tree with .* leaves"),
        (put("trees", 1, "splits", 0, "threshold", "x"), 'tree 1: split 0: "threshold"'),
        (put("trees", 1, "splits", 0, "left", {"split": 0}), "tree 1: split 0 has the child split"),
        (put("trees", 0, "leaves", 0, "value", [1, 2]), 'tree 0: leaf 0: "value"'),
        (put("weights", [1.0]), "3 trees need as many weights"),
        (put("weights", [1.0, -1.0, 1.0]), "not negative"),
        (put("weights", [1.0, None, 1.0]), '"weights", entry 1, must be a number, not null'),
        (put("weights", [0, 0, 0]), "are all zero"),
        (put("weights", [10**400, 0, 0]), '"weights", entry 0, is'),
        (put("classes", ["a", "b"]), "must have 2"),
        (put("missing", [0]), '"missing" has 1 entries and must have 12'),
        (put("map", {}), 'a forest has no "map"'),
    ],
)
def test_a_spoilt_file_gets_one_sentence(change, message):
    with pytest.raises(TreeFormatError, match=message) as error:
        from_json(spoilt(change))
    assert "\n" not in str(error.value)


def test_a_few_bytes_cannot_ask_for_all_memory():
    split = {
        "weights": {"indices": [], "values": []},
        "threshold": 0,
        "left": {"leaf": 0},
        "right": {"leaf": 1},
    }
    leaf = {"value": [0, 0], "samples": None, "impurity": None}
    content = {
        "format": "treecore-forest",
        "version": 1,
        "features": [str(i) for i in range(50_000)],
        "classes": ["a", "b"],
        "answer": "votes",
        "weights": [1] * 3000,
        "trees": [{"splits": [split], "leaves": [leaf, leaf]}] * 3000,
    }
    with pytest.raises(TreeFormatError, match="the forest has 150000000 weights"):
        from_json(json.dumps(content))

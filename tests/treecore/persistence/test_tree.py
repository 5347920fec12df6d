"""The JSON format: what is written comes back bit for bit, and strangers can read it."""

import hashlib
import json
import os
import struct

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.helpers.cases import case
from tests.helpers.documents import KINDS, SCHEMA, document_of, programs, random_document
from tests.helpers.exports import leaning
from tests.helpers.same import assert_same
from tests.helpers.strategies import random_tree
from treecore import persistence
from treecore.core.routing import apply, predict_values
from treecore.core.tree import complete_tree, means_go_left, single_leaf
from treecore.persistence import (
    Document,
    TreeFormatError,
    fingerprint,
    from_json,
    load,
    save,
    to_json,
)

SEEDS = range(2 * len(KINDS))  # each kind, with counts and without

# ---------------------------------------------------------------------------------- round trips


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_a_document_comes_back_bit_for_bit(indent):
    for seed in SEEDS:
        with case(seed=seed):
            document = random_document(seed)
            text = to_json(document, indent)
            SCHEMA.validate(json.loads(text))
            assert_same(from_json(text), document)
            assert_same(from_json(text.encode()), document)


def test_a_tree_without_splits_comes_back():
    document = document_of(single_leaf([0.5, -0.5], n_features=3), np.array([[2, 2]]))
    text = to_json(document, indent=2)
    assert_same(from_json(text), document)
    assert json.loads(text)["leaves"][0]["impurity"] == 1.0
    SCHEMA.validate(json.loads(text))


@given(
    st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1, max_size=40)
)
# 7.038531e-26 is rounded to the wrong float32 by readers that pass through float64.
@example([0.0, -0.0, 1e-45, -1e-45, 1.1754944e-38, 3.4028235e38, 7.038531e-26, 1e16, 16777216.0])
def test_every_finite_float32_comes_back_bit_for_bit(numbers):
    numbers = np.array(numbers, dtype=np.float32)
    tree = complete_tree(1, n_features=len(numbers), n_outputs=len(numbers))
    tree.weights[0] = numbers
    tree.threshold[0] = numbers[0]
    tree.values[:] = numbers
    text = to_json(document_of(tree))
    assert_same(from_json(text), document_of(tree))
    weights = json.loads(text)["splits"][0]["weights"]
    if isinstance(weights, list):  # and any reader of float64 gets them, not just ours
        assert_same(np.array(weights).astype(np.float32), numbers)


def test_sparse_weights_are_written_where_they_are_shorter_and_keep_negative_zeros():
    tree = complete_tree(1, n_features=50, n_outputs=2)
    tree.weights[0, [3, 7]] = [1.5, -0.0]
    text = to_json(document_of(tree))
    weights = json.loads(text)["splits"][0]["weights"]
    assert weights == {"indices": [3, 7], "values": [1.5, -0.0]}
    assert_same(from_json(text).tree.weights, tree.weights)
    tree.weights[0] = 1
    assert json.loads(to_json(document_of(tree)))["splits"][0]["weights"] == [1] * 50


def test_impurity_is_the_entropy_of_the_samples_in_bits():
    tree = complete_tree(2, n_features=1, n_outputs=4)
    counts = np.array([[1, 1, 1, 1], [0, 5, 0, 0], [3, 1, 0, 0], [0, 0, 0, 0]])
    leaves = json.loads(to_json(document_of(tree, counts)))["leaves"]
    assert [leaf["impurity"] for leaf in leaves] == [2.0, 0.0, pytest.approx(0.8112781), None]
    assert [leaf["samples"] for leaf in leaves] == counts.tolist()


def test_the_version_rises_only_where_an_old_reader_would_be_misled():
    for seed in SEEDS:
        with case(seed=seed):
            content = json.loads(to_json(random_document(seed)))
            misleading = content.keys() & {"outputs", "map"}
            expected = 2 if misleading else 1
            if any("missing" in split for split in content["splits"]):
                expected = 5
            assert content["version"] == expected
            assert ("missing" in content) == (seed % len(KINDS) not in (0, 1))


def test_directions_of_an_earlier_version_are_refused_and_those_of_the_means_are_not_written():
    tree = random_tree(np.random.default_rng(0), 9, share_axis=1.0)
    document = document_of(tree)
    content = json.loads(to_json(document))
    assert content["version"] == 5
    written = [i for i, split in enumerate(content["splits"]) if "missing" in split]
    np.testing.assert_array_equal(written, np.flatnonzero(tree.missing_left != means_go_left(tree)))
    with pytest.raises(TreeFormatError, match='must have "version" 5, or be misread'):
        from_json(json.dumps(content | {"version": 4}))
    plain = tree._replace(missing_left=means_go_left(tree))
    assert '"missing"' not in to_json(document_of(plain))


def test_a_tree_behind_a_map_reads_what_the_map_makes():
    document = random_document(KINDS.index("fourier"))
    for changes, message in [
        ({"missing": np.ones(12, dtype=np.float32)}, "its missing must be 0"),
        ({"weights": np.zeros((0, 3)), "missing": np.zeros(3)}, "reads 3 features, its map makes"),
    ]:
        tree = single_leaf([0, 0, 0], document.tree.n_features)._replace(**changes)
        with pytest.raises(TreeFormatError, match=message):
            document_of(tree, feature_map=document.feature_map)


# ---------------------------------------------------------------------------- a stranger's reader


def test_twenty_lines_of_plain_python_read_the_format():
    walk, *others = programs(persistence)
    assert len(walk.splitlines()) <= 20
    assert len(others) == 2
    reader = {}
    for program in (walk, *others):
        exec(program, reader)
    for seed in SEEDS:
        document = random_document(seed)
        tree, feature_map = document.tree, document.feature_map
        # A score of random normal numbers is far from zero compared to float32 rounding.
        rng = np.random.default_rng([seed, 1])
        X = rng.normal(size=(50, len(document.feature_names))).astype(np.float32)
        X[rng.random(X.shape) < 0.2] = np.nan
        values = tree.values[apply(tree, X if feature_map is None else feature_map(X))]
        text = to_json(document)
        rows = [[None if np.isnan(number) else number for number in x] for x in X.tolist()]
        reported = [reader["predict"](text, x) for x in rows]
        if document.output_names:
            np.testing.assert_array_equal(np.float32(reported), values)
        else:
            assert reported == [document.class_names[c] for c in values.argmax(axis=1)]


def leaning_document():
    rng = np.random.default_rng(0)
    tree = leaning(random_tree(rng, 5, n_features=3, n_classes=2), rng)
    tree = tree._replace(missing_left=means_go_left(tree))
    return Document(tree, ("a", "b", "c"), output_names=("p", "q"))


def test_linear_leaves_are_read_back_by_us_by_strangers_and_by_the_schema():
    document = leaning_document()
    text = to_json(document)
    content = json.loads(text)
    SCHEMA.validate(content)
    assert content["version"] == 3
    assert not SCHEMA.is_valid(content | {"version": 2})
    of_classes = {("classes" if k == "outputs" else k): v for k, v in content.items()}
    assert SCHEMA.is_valid(of_classes)
    back = from_json(text).tree
    rows = np.random.default_rng(1).standard_normal((30, 3)).astype(np.float32)
    np.testing.assert_array_equal(predict_values(back, rows), predict_values(document.tree, rows))
    reader: dict = {}
    for block in programs(persistence):
        exec(block, reader)
    reported = [reader["predict"](text, x) for x in rows.tolist()]
    np.testing.assert_allclose(
        reported, predict_values(back, rows), rtol=1e-5, atol=1e-5
    )  # of float32


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda c: c["linear"].pop(), "weights of the linear leaves has shape"),
        (lambda c: c["linear"][1].pop("low"), "linear leaf 1 must have exactly the keys"),
        (lambda c: c["linear"][2]["weights"].pop(), 'linear leaf 2: "weights" has 1 entries'),
        (lambda c: c["linear"][0]["weights"][1].append(1), "output 1, has 4 entries"),
        (lambda c: c["linear"][0].update(intercept=[0, "x"]), "must be a number, not a string"),
        (lambda c: c["linear"][0].update(low=[9e9, 0]), "a range whose low is above its high"),
        (lambda c: c.update(linear=3), '"linear" must be a list, not a number'),
        (lambda c: c.update(version=2), 'must have "version" 3'),
    ],
)
def test_spoiled_linear_leaves_are_told_in_a_sentence(change, sentence):
    content = json.loads(to_json(leaning_document()))
    change(content)
    for leaf in content["leaves"]:
        leaf["samples"] = None
    with pytest.raises(TreeFormatError, match=sentence):
        from_json(json.dumps(content))


# ---------------------------------------------------------------------------- documents and files


def test_a_tree_that_became_infinite_is_not_written(tmp_path):
    document = random_document(0)
    save(document, tmp_path / "tree.json")
    before = (tmp_path / "tree.json").read_bytes()
    document.tree.values[0, 0] = np.inf
    with pytest.raises(ValueError, match="values holds a number that is not finite"):
        save(document, tmp_path / "tree.json")
    assert (tmp_path / "tree.json").read_bytes() == before


def test_a_saved_tree_loads_and_leaves_no_other_file(tmp_path):
    path = tmp_path / "tree.json"
    for seed in (0, 1):  # the second replaces the first
        save(random_document(seed), path)
        assert_same(load(str(path)), random_document(seed))
    assert os.listdir(tmp_path) == ["tree.json"]


def test_an_error_in_a_file_names_the_file(tmp_path):
    path = tmp_path / "broken.json"
    path.write_text("{}")
    with pytest.raises(TreeFormatError, match=r"broken\.json: this is not a tree"):
        load(path)


# ---------------------------------------------------------------------------------- fingerprints


@pytest.mark.parametrize(
    ("y", "recipe"),
    [
        ([1, 0], b"(2, 2) (2,)" + struct.pack("<4f2q", 0.1, 2, -3, 4, 1, 0)),
        ([[0.5], [3]], b"(2, 2) (2, 1)" + struct.pack("<4f2d", 0.1, 2, -3, 4, 0.5, 3)),
    ],
)
def test_a_fingerprint_follows_the_recipe_in_the_schema_whatever_the_layout(y, recipe):
    X = np.array([[0.1, 2], [-3, 4]])
    assert fingerprint(X, np.array(y)) == hashlib.sha256(recipe).hexdigest()
    turned = np.asfortranarray(X, dtype=np.float32)
    assert fingerprint(turned, np.array(y)) == fingerprint(X, np.array(y))
    with pytest.raises(ValueError, match="class indices or numbers, not <U1"):
        fingerprint(X, np.array(["a", "b"]))

"""Files that are not trees: each gets one sentence."""

import json

import pytest

from tests.helpers.documents import SCHEMA, document_of
from tests.helpers.spoiling import GOOD, drop, mapped, put, small
from treecore import persistence
from treecore.base.limits import Limits
from treecore.persistence import TreeFormatError, from_json, to_json

NUMBER = "must be a number, not "
INFINITE = "must be a finite float32, within ±3.4e38"

# What the schema can express, so that both must refuse it: (change, part of the message).
AGAINST_THE_SCHEMA = [
    (put("format", "xgboost"), '"format" must be "treecore-tree"'),
    (put("version", 6), "update treecore"),
    (put("version", True), '"version" must be 1'),
    (drop("classes"), 'the key "classes" is missing'),
    (put("outputs", ["p", "q"]), '"outputs" must have "version" 2'),
    (put("map", {}), '"map" must have "version" 2'),
    (put("missing", 0), '"missing" must be a list, not a number'),
    (put("missing", [0, 0, "x"]), f'"missing", entry 2, {NUMBER}a string'),
    (put("splits", {}), '"splits" must be a list, not an object'),
    (put("features", []), "at least one feature"),
    (put("features", 0, 7), "feature name 0 must be a string, not a number"),
    (put("features", 2, "a"), "two feature names are 'a'"),
    (put("classes", 0, "yes"), "two class names are 'yes'"),
    (put("splits", 1, None), "split 1 must be an object, not null"),
    (drop("splits", 0, "feature"), "split 0 must have exactly the keys"),
    (put("splits", 0, "weights", [0, 0, 1]), "split 0 must have exactly the keys"),
    (put("splits", 0, "missing", True), 'split 0: "missing" must be "left" or "right"'),
    (put("splits", 0, "levels", [0]), "sends sets of categories to its sides, which this treecore"),
    (put("splits", 0, "threshold", "0.5"), f'split 0: "threshold" {NUMBER}a string'),
    (put("splits", 0, "threshold", 1e39), INFINITE),
    (put("splits", 0, "feature", -1), 'split 0: "feature" is -1, and must be a whole number'),
    (put("splits", 1, "weights", "dense"), 'split 1: "weights" must be a list, not a string'),
    (put("splits", 1, "weights", 2, None), f'split 1: "weights", entry 2, {NUMBER}null'),
    (drop("splits", 2, "weights", "values"), 'split 2: sparse "weights" must be the two lists'),
    (put("splits", 2, "weights", "indices", [2, 2]), "index 2 after 2; sort the indices"),
    (put("splits", 2, "weights", "values", 0, [1]), f'split 2: "weights" {NUMBER}a list'),
    (put("splits", 1, "left", 0), 'split 1: "left" must be an object with one key, "split" or'),
    (put("splits", 1, "left", {"node": 1}), 'split 1: "left" must be an object with one key'),
    (put("splits", 1, "left", {"leaf": 0.5}), 'split 1: "left" is 0.5'),
    (put("leaves", 1, []), "leaf 1 must be an object, not a list"),
    (drop("leaves", 1, "samples"), "leaf 1 must have exactly the keys"),
    (put("leaves", 1, "value", {}), 'leaf 1: "value" must be a list, not an object'),
    (put("leaves", 1, "value", 0, "x"), f'leaf 1: "value", entry 0, {NUMBER}a string'),
    (put("leaves", 0, "samples", 0, -1), 'leaf 0: "samples" is -1'),
    (put("leaves", 0, "impurity", -0.5), 'leaf 0: "impurity" is an entropy'),
    (put("training", []), '"training" must be an object, not a list'),
    (put("training", "seed", "x"), '"seed" of "training" must be a whole number or null'),
    (put("training", "method", 3), '"method" of "training" must be a string, not a number'),
]

# What only the reader can know.
BEYOND_THE_SCHEMA = [
    (put("splits", 0, "threshold", float("nan")), 'split 0: "threshold" is nan, and must be'),
    (put("splits", 1, "weights", 0, float("inf")), 'split 1: "weights", entry 0, is inf'),
    (put("leaves", 3, "value", 1, float("-inf")), 'leaf 3: "value", entry 1, is -inf'),
    (put("training", "metrics", {"loss": float("nan")}), '"training" must be plain finite JSON'),
    (put("future", [float("inf")]), "what the file adds to the format must be plain finite"),
    (put("splits", 0, "feature", 3), 'split 0: "feature" is 3, and must be a whole number'),
    (put("splits", 1, "weights", [1, 2]), 'split 1: "weights" has 2 entries and must have 3'),
    (put("splits", 2, "weights", "indices", [0]), "of one length"),
    (put("splits", 2, "weights", "indices", [0, 3]), 'split 2: "weights" is 3, and must be'),
    (put("leaves", 2, "value", [1]), 'leaf 2: "value" has 1 entries and must have 2'),
    (put("leaves", 2, "samples", None), 'leaf 2: "samples" is null; give the samples of all'),
    (put("classes", ["only"]), 'leaf 0: "value" has 2 entries and must have 1'),
    (drop("leaves", 3), "a tree with 3 splits has 4 leaves, but the file lists 3"),
    (put("splits", 1, "left", {"split": 3}), 'split 1: "left" is 3, and must be a whole number'),
    (put("splits", 1, "left", {"leaf": 4}), 'split 1: "left" is 4, and must be a whole number'),
    (put("splits", 1, "left", {"split": 1}), "split 1 has the child split 1: a child must have"),
    (
        put("splits", 1, "left", {"leaf": 3}),
        "leaf 3 is a child of split 1 and again of split 2, and leaf 0 of none",
    ),
    (
        put("splits", 1, "left", {"split": 2}),
        "split 2 is a child of split 1 and again of split 0, and leaf 0 of none",
    ),
]

FOURIER = {"weights": [[1, 2, 3], [4, 5, 6]], "offsets": [0, 1]}

MAPS_AGAINST_THE_SCHEMA = [
    (put("classes", ["no", "yes"]), "or"),
    (put("version", 1), 'must have "version" 2'),
    (put("outputs", []), "at least one output"),
    (put("outputs", ["a", "a"]), "two output names are 'a'"),
    (put("map", []), '"map" must be an object, not a list'),
    (drop("map", "centre"), '"map" must have exactly the keys'),
    (drop("map", "nystroem"), '"map" must have exactly the keys'),
    (put("map", "fourier", FOURIER), '"map" must have exactly the keys'),
    (put("map", "scale", 1), '"map" must have exactly the keys'),
    (put("map", "deviation", 1, 0), "deviation of a map must be positive"),
    (put("map", "centre", 0, None), f'"map": "centre", entry 0, {NUMBER}null'),
    (put("map", "nystroem", "gamma", -1), "the gamma of a map is -1.0, and must be positive"),
    (put("map", "nystroem", "gamma", "scale"), f'"map": "nystroem": "gamma" {NUMBER}a string'),
    (put("map", "nystroem", "more", 1), '"map": "nystroem" must have exactly the keys'),
    (put("map", "nystroem", "components", []), "must be a list that is not empty"),
    (put("map", "nystroem", "components", 0, 1), "row 0 must be a list, not a number"),
    (put("leaves", 0, "samples", [7]), f'leaf 0: "samples" {NUMBER}a list'),
]

MAPS_BEYOND_THE_SCHEMA = [
    (put("map", "nystroem", "components", 1, [1]), "row 1 has 1 entries and must have 3"),
    (put("map", "nystroem", "normalization", [[1, 0]]), "must have shape (2, 2), not (1, 2)"),
    (put("map", "nystroem", "normalization", [[1], [1]]), "row 0 has 1 entries and must have 2"),
    (put("map", "nystroem", "normalization", 0, 0, float("nan")), "must be a finite number"),
    (put("map", "deviation", [1]), '"deviation" has 1 entries and must have 3'),
    (put("missing", 0, float("inf")), '"missing", entry 0, is inf'),
    (put("splits", 0, "weights", [1, 2, 3]), 'split 0: "weights" has 3 entries and must have 2'),
]

SPLINES = {"features": [0, 2], "knots": [0.5, -1]}


@pytest.mark.parametrize(
    ("spline", "message"),
    [
        (SPLINES | {"features": [0, 3]}, '"features", knot 1 is 3, and must be a whole number'),
        (SPLINES | {"features": [0]}, "the features of a map must have shape (2,), not (1,)"),
        (SPLINES | {"knots": [0.5, None]}, '"knots", knot 1 must be a number, not null'),
        (SPLINES | {"knots": 7}, '"knots" must be a list'),
        ({"knots": []}, "must have exactly the keys"),
    ],
)
def test_bad_splines_get_one_sentence_too(spline, message):
    content = mapped()
    del content["map"]["nystroem"]
    content["map"]["spline"] = SPLINES
    content["splits"][0]["weights"] = [1, -1, 0, 0.5, 2]
    SCHEMA.validate(content)
    from_json(json.dumps(content))
    content["map"]["spline"] = spline
    with pytest.raises(TreeFormatError) as error:
        from_json(json.dumps(content))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("make", "change", "message", "in_schema"),
    [
        *((small, *row, True) for row in AGAINST_THE_SCHEMA),
        *((small, *row, False) for row in BEYOND_THE_SCHEMA),
        *((mapped, *row, True) for row in MAPS_AGAINST_THE_SCHEMA),
        *((mapped, *row, False) for row in MAPS_BEYOND_THE_SCHEMA),
    ],
)
def test_a_bad_file_gets_one_sentence_that_names_the_place(make, change, message, in_schema):
    content = make()
    SCHEMA.validate(content)
    from_json(json.dumps(content))
    change(content)
    with pytest.raises(TreeFormatError) as error:
        from_json(json.dumps(content))
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 250
    assert not (in_schema and SCHEMA.is_valid(content)), "the schema refuses what the reader does"


def test_a_tree_over_learnt_filters_is_refused_in_a_sentence():
    content = small() | {"version": 4, "filters": {}}
    assert not SCHEMA.is_valid(content)
    with pytest.raises(TreeFormatError, match=r"learnt filters, which treecore no longer has: use"):
        from_json(json.dumps(content))


def test_a_fourier_map_is_read_like_the_other():
    content = mapped()
    del content["map"]["nystroem"]
    content["map"]["fourier"] = FOURIER
    SCHEMA.validate(content)
    result = from_json(json.dumps(content))
    assert result.feature_map.n_components == 2
    assert json.loads(to_json(result))["map"] == content["map"]
    content["map"]["fourier"] = FOURIER | {"offsets": [1]}
    with pytest.raises(TreeFormatError, match='"offsets" has 1 entries and must have 2'):
        from_json(json.dumps(content))


def test_keys_of_later_versions_a_byte_order_mark_and_no_training_are_no_errors():
    content = small() | {"calibration": {"temperature": 2}}
    content["training"]["host"] = "a quiet room"
    SCHEMA.validate(content)
    assert from_json("\ufeff" + json.dumps(content)).training == content["training"]
    del content["training"]
    SCHEMA.validate(content)
    assert from_json(json.dumps(content)).training == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        (GOOD[:-20], "line 105, column 13 is not JSON; the file seems to be cut"),
        (GOOD[: GOOD.index("threshold") + 3], "the file seems to be cut off"),
        ("a,b,c\n1,2,3", "this is not JSON: it begins with 'a,b,c'; export the tree again"),
        (GOOD.replace('"tao"', "tao"), "is not JSON; export the tree again, or correct it there"),
        ('[{"nodeid": 0, "depth": 0}]', 'save the model itself, by save_model("model.json")'),
        (b"\x80\x04\x95", "byte 0 is not UTF-8; a tree file is text, saved as UTF-8"),
        ("[1, 2]", "a tree file holds an object, not a list"),
        (GOOD.replace('"threshold": 0.5', '"threshold": 1e999'), "is inf, and must be"),
        (GOOD.replace('"seed": 0', '"best": 1e999'), '"training" must be plain finite JSON'),
    ],
)
def test_a_text_that_is_not_a_tree_gets_one_sentence(text, message):
    with pytest.raises(TreeFormatError) as error:
        from_json(text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "limit", "message"),
    [
        ("MAX_SPLITS", 2, "the tree has 3 splits, but at most 2 fit"),
        ("MAX_FEATURES", 2, "the tree has 3 features, but at most 2 fit"),
        ("MAX_WEIGHTS", 5, "the tree has 6 weights"),
        ("MAX_DEPTH", 1, "the tree is 2 splits deep, but at most 1 fit"),
    ],
)
def test_sizes_have_limits_in_reading_and_in_writing(monkeypatch, name, limit, message):
    document = from_json(GOOD)
    for module in (persistence.document, persistence.values, persistence.formats):
        if hasattr(module, name):
            monkeypatch.setattr(module, name, limit)
    with pytest.raises(TreeFormatError, match=message):
        from_json(GOOD)
    with pytest.raises(TreeFormatError):
        to_json(document_of(document.tree))


def test_a_reader_may_set_limits_of_its_own():
    assert from_json(GOOD, Limits()).n_trees == 1
    for limits, message in (
        ({"json_values": 20}, "the file holds more than 20 values"),
        ({"n_weights": 5}, "the tree has 6 weights"),
    ):
        with pytest.raises(TreeFormatError, match=message):
            from_json(GOOD, Limits(**limits))


def test_a_few_bytes_of_sparse_weights_cannot_ask_for_all_memory():
    n_splits = 2000
    sparse = {"indices": [], "values": []}
    content = small()
    content["features"] = [str(i) for i in range(60_000)]
    content["splits"] = [
        {"weights": sparse, "threshold": 0, "left": {"leaf": i}, "right": {"split": i + 1}}
        for i in range(n_splits)
    ]
    content["leaves"] = [{"value": [0, 0], "samples": None, "impurity": None}] * (n_splits + 1)
    with pytest.raises(TreeFormatError, match="120000000 weights"):
        from_json(json.dumps(content))
    content["trees"] = []  # what a forest has is unknown here, and hides nothing
    with pytest.raises(TreeFormatError, match="the tree has 120000000 weights"):
        from_json(json.dumps(content))

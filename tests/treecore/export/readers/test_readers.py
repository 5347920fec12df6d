"""Models of other packages predict here what they predict there, on their splits too."""

import json
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from sklearn.ensemble import ExtraTreesRegressor, RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, export_text

from tests.helpers.cases import case
from tests.helpers.exports import labels_of, outputs_of, random_model
from tests.treecore.export.readers.make_models import CASES, FOLDER, on_splits, rows
from treecore.base.limits import UPLOADS
from treecore.export import FORMATS
from treecore.export.readers import from_sklearn, read_any, read_content
from treecore.export.readers.nodes import at_most, decimal_edges, less_than
from treecore.persistence import TreeFormatError, from_json, to_json


def kept(name):
    """The text of a model, rows, and what its package says of them."""
    given = json.loads((FOLDER / f"{name}.json").read_text())
    return given["model"], np.array(given["rows"], dtype=np.float32), np.array(given["sums"])


def assert_says(document, X, sums):
    if document.class_names:
        assert len(document.class_names) == 2
        shares = outputs_of(document, X)
        assert_allclose(shares[:, 1], expit(sums[:, 0]), atol=1e-6)
        assert labels_of(document, X) == [str(int(s > 0)) for s in sums[:, 0]]
    else:
        assert_allclose(outputs_of(document, X), sums, rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("name", CASES)
def test_sums_and_classes_are_those_of_the_source(name, tmp_path):
    text, X, sums = kept(name)
    (tmp_path / "model").write_text(text)
    document = read_any(tmp_path / "model")
    assert_says(document, X, sums)
    assert from_json(to_json(document)).training["method"].lower().startswith(name.split("-")[0])


def fitted(seed):
    """An estimator of scikit-learn, and rows on its splits."""
    X, y = rows(seed, False)
    named = np.array(["low", "middle", "high"])[np.digitize(y, [-0.5, 0.5])]
    estimator = [
        lambda: DecisionTreeClassifier(max_depth=4, random_state=seed).fit(X, named),
        lambda: DecisionTreeRegressor(max_leaf_nodes=12, random_state=seed).fit(X, y),
        lambda: RandomForestClassifier(5, max_depth=4, random_state=seed).fit(X, named),
        lambda: ExtraTreesRegressor(5, max_depth=4, random_state=seed).fit(
            X, np.c_[y, -y, X[:, 0]]
        ),
        lambda: DecisionTreeRegressor(max_depth=3).fit(X, np.c_[y, 2 * y]),
    ][seed % 5]()
    trees = getattr(estimator, "estimators_", [estimator])
    splits = [
        (j, edge)
        for tree in trees
        for j, edge in zip(tree.tree_.feature, tree.tree_.threshold)
        if j >= 0
    ]
    return estimator, on_splits(X, splits)


@pytest.mark.parametrize("seeds", [range(20), pytest.param(range(300), marks=pytest.mark.slow)])
def test_scikit_learns_trees_and_forests_keep_their_answers(seeds):
    for seed in seeds:
        with case(seed=seed):
            estimator, X = fitted(seed)
            document = from_sklearn(estimator)
            if hasattr(estimator, "classes_"):
                shares = estimator.predict_proba(X)
                assert_allclose(outputs_of(document, X), shares, atol=1e-6)
                first, second = np.sort(shares, axis=1)[:, :-3:-1].T
                clear = first - second > 1e-6
                said = np.array(labels_of(document, X))
                assert_array_equal(said[clear], estimator.predict(X)[clear])
            else:
                wanted = estimator.predict(X).reshape(len(X), -1)
                assert_allclose(outputs_of(document, X), wanted, rtol=1e-6, atol=1e-6)


def test_thresholds_divide_float32_numbers_as_the_exact_ones(rng):
    x = rng.standard_normal(2000).astype(np.float32)
    exact = x.astype(float) + rng.choice([0, 1e-12, -1e-12, 1e-3], 2000)
    others = np.concatenate([x, np.nextafter(x, np.float32(9)), np.nextafter(x, np.float32(-9))])
    exact = np.tile(exact, 3)
    assert_array_equal(others <= at_most(exact), others.astype(float) <= exact)
    assert_array_equal(others <= less_than(exact), others.astype(float) < exact)
    assert at_most(1e300) == np.finfo(np.float32).max
    with pytest.raises(TreeFormatError, match="below all numbers that treecore reads"):
        at_most(-1e300)


def test_onnx_ensembles_of_every_comparison(rng):
    """A model as other converters write it: nodes out of order, four kinds of comparison."""
    onnx = pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    for seed in range(12):
        with case(seed=seed):
            content, X = foreign_onnx(onnx, rng, regression=seed % 2 == 0)
            session = runtime.InferenceSession(content)
            said = session.run(None, {"X": X})
            document = read_content(content)
            if document.output_names:
                assert_allclose(outputs_of(document, X), said[0], rtol=1e-6, atol=1e-6)
            else:
                assert_allclose(outputs_of(document, X), said[1], atol=1e-6)
                assert labels_of(document, X) == [label.decode() if isinstance(label, bytes)
                                                  else label for label in said[0]]  # fmt: skip


def foreign_onnx(onnx, rng, regression):
    helper, proto = onnx.helper, onnx.TensorProto
    modes = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GT", "BRANCH_GTE"]
    edges = rng.standard_normal(3).astype(np.float32)
    # Node 4 is the root: 4 -> (0, 2), 0 -> (leaf 1, leaf 3), 2 -> (leaf 5, leaf 6).
    mode = modes[rng.integers(4)]
    nodes = {
        "nodes_treeids": [0] * 7,
        "nodes_nodeids": [0, 1, 2, 3, 4, 5, 6],
        "nodes_featureids": [0, 0, 1, 0, 0, 0, 0],
        "nodes_values": [*map(float, (edges[0], 0, edges[1], 0, edges[2], 0, 0))],
        "nodes_modes": [mode, "LEAF", mode, "LEAF", mode, "LEAF", "LEAF"],
        "nodes_truenodeids": [1, 0, 5, 0, 0, 0, 0],
        "nodes_falsenodeids": [3, 0, 6, 0, 2, 0, 0],
    }
    # Runtimes start a tree at its first node: the root comes first in the lists.
    order = [4, 0, 1, 2, 3, 5, 6]
    nodes = {key: [values[i] for i in order] for key, values in nodes.items()}
    leaves = [1, 3, 5, 6]
    x = helper.make_tensor_value_info("X", proto.FLOAT, [None, 2])
    if regression:
        node = helper.make_node(
            "TreeEnsembleRegressor", ["X"], ["y"], domain="ai.onnx.ml", n_targets=1,
            base_values=[0.25], target_treeids=[0] * 4, target_nodeids=leaves,
            target_ids=[0] * 4, target_weights=rng.standard_normal(4).tolist(), **nodes,
        )  # fmt: skip
        outputs = [helper.make_tensor_value_info("y", proto.FLOAT, [None, 1])]
    else:
        shares = rng.dirichlet([1, 1, 1], 4)
        node = helper.make_node(
            "TreeEnsembleClassifier", ["X"], ["label", "p"], domain="ai.onnx.ml",
            classlabels_strings=["a", "b", "c"], class_treeids=[0] * 12,
            class_nodeids=np.repeat(leaves, 3).tolist(), class_ids=[0, 1, 2] * 4,
            class_weights=shares.ravel().tolist(), post_transform="NONE", **nodes,
        )  # fmt: skip
        outputs = [
            helper.make_tensor_value_info("label", proto.STRING, [None]),
            helper.make_tensor_value_info("p", proto.FLOAT, [None, 3]),
        ]
    model = helper.make_model(
        helper.make_graph([node], "g", [x], outputs),
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)],
        ir_version=8,
    )
    X = np.array([[a, b] for a in [*edges, 0.3, -2] for b in [*edges, 5]], np.float32)
    return model.SerializeToString(), X


def test_onnx_of_other_operators_is_refused():
    pytest.importorskip("onnx")
    with pytest.raises(TreeFormatError, match=r"other operators beside its trees: .*Gather"):
        read_content(FORMATS["onnx"].write(random_model(3, "votes")))
    with pytest.raises(TreeFormatError, match="not a complete ONNX model"):
        read_content(FORMATS["onnx"].write(random_model(3, "votes"))[:-40])


@pytest.mark.parametrize("raw", [b"\xc5\0\x14\x84" * 9, b"PK\x03\x04\0", b"\0" * 9, b"\x08\xff\0"])
def test_bytes_of_any_kind_are_no_text_rather_than_onnx(raw):
    with pytest.raises(TreeFormatError, match=r"not UTF-8|no JSON|not JSON"):
        read_content(raw)


def test_limits_of_uploads_hold_for_models_of_others():
    text, _, _ = kept("lightgbm-numbers")
    with pytest.raises(TreeFormatError, match="longer than 0 MB; is it a model"):
        read_content(text.encode(), limits=replace(UPLOADS, json_bytes=1000))


@pytest.mark.parametrize(
    ("package", "old", "new", "sentence"),
    [
        ("xgboost", "reg:squarederror", "none:such", "Unrecognized"),
        ("xgboost", '"gbtree"', '"gblinear"', "^the model's booster is gblinear"),
        ("xgboost", '"split_type":[0', '"split_type":[1', "categories"),
        ("xgboost", '"left_children":[1', '"left_children":[2', "unique"),
        ("xgboost", '"split_indices":[', '"split_indices":[7', "feature 7., and there are 4"),
        ("xgboost", '"split_indices":[', '"split_indices":[-7', "reads"),
        ("xgboost", '4","num_target', '999999999","num_target', "999999999 features, but at most"),
        ("xgboost", '"num_class":"0"', '"num_class":"999999999"', "not a complete model of XGB"),
        ("lightgbm", "is_linear=0", "is_linear=1", "linear model"),
        ("lightgbm", "decision_type=2", "decision_type=1", "categories"),
        ("lightgbm", "decision_type=2", "decision_type=6", "zeros as"),
        ("lightgbm", "leaf_value=", "leaf_value=1 ", "do not have the length"),
    ],
)
def test_what_cannot_be_held_is_one_sentence(package, old, new, sentence):
    text, _, _ = kept(f"{package}-numbers")
    assert old in text
    with pytest.raises(TreeFormatError, match=sentence) as caught:
        read_content(text.replace(old, new, 1).encode())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b'{"learner": {}}', "not a complete model of XGBoost"),
        (kept("lightgbm-numbers")[0].encode()[:600], "seems to be cut off"),
        (b"tree\nversion=v4\n\nTree=0\n\nend of trees\n", "not a complete model of LightGBM"),
        (b"tree\xff", "not UTF-8"),
        (export_text(DecisionTreeClassifier().fit([[0], [1]], [0, 1])).encode(), "skl2onnx"),
        (b"", "empty"),
        (b"{L\0\0\0\0\0\0\0\x07learner" + b"[" * 100_000, "deeper than"),
        (b"{L\0\xff\xff\xff\xff\xff\xff\xff", "a length of"),
        (b"{L\0\0\0\0\0\0\0\x01a", "not complete UBJSON"),
        (b"{L\0\0\0\0\0\0\0\x01aT}", "not a complete model of XGBoost"),
    ],
)
def test_what_is_no_model_is_one_sentence(content, sentence):
    with pytest.raises(TreeFormatError, match=sentence) as caught:
        read_content(content)
    assert "\n" not in str(caught.value)


def mutilated(content, rng):
    """A part cut out, doubled, or overwritten by a part from elsewhere."""
    first, stop = np.sort(rng.integers(0, len(content), 2))
    stop = min(stop, first + int(rng.integers(1, 40)))
    other = int(rng.integers(0, len(content)))
    part = [b"", content[first:stop] * 2, content[other : other + stop - first], b"-9", b"[]"]
    return content[:first] + part[rng.integers(len(part))] + content[stop:]


@pytest.mark.parametrize("name", ["xgboost-numbers", "lightgbm-one-tree", "onnx"])
@pytest.mark.parametrize("times", [40, pytest.param(1000, marks=pytest.mark.slow)])
def test_nothing_but_a_sentence_comes_of_a_file_that_was_mutilated(name, times):
    """Or a model, where the part did not matter: then it predicts."""
    if name == "onnx":
        onnx = pytest.importorskip("onnx")
        content, _ = foreign_onnx(onnx, np.random.default_rng(0), regression=False)
    else:
        content = kept(name)[0].encode()
    rng, sentences = np.random.default_rng(0), []
    for number in range(times):
        with case(number=number):
            try:
                document = read_content(mutilated(content, rng))
            except TreeFormatError as error:
                sentences.append(str(error))
            else:
                outputs_of(document, np.zeros((1, len(document.feature_names))))
    assert len(sentences) > times / 8
    assert not [said for said in sentences if "\n" in said]


def test_other_estimators_are_refused():
    with pytest.raises(TreeFormatError, match="LinearRegression is not a decision tree"):
        from_sklearn(LinearRegression())
    X, y = rows(0, False)
    with pytest.raises(TreeFormatError, match="reads 4 features, and there are 2 names"):
        from_sklearn(DecisionTreeRegressor(max_depth=1).fit(X, y), np.array(["a", "b"]))
    several = DecisionTreeClassifier(max_depth=2).fit(X, np.c_[y > 0, y > 1])
    with pytest.raises(TreeFormatError, match="several sets of classes"):
        from_sklearn(several)


def read_or_refused(estimator, **options):
    """A document, or None and the sentence."""
    try:
        return from_sklearn(estimator, **options), ""
    except TreeFormatError as error:
        return None, str(error)


@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(200), marks=pytest.mark.slow)])
def test_trees_of_scikit_learn_are_refused_or_answer_missing_values_alike(seeds):
    kinds = DecisionTreeRegressor, DecisionTreeClassifier, RandomForestClassifier
    n_read = 0
    for seed in seeds:
        X, y = rows(seed, holes=True)
        y = y if seed % 3 == 0 else (y > 0)
        options = {"n_estimators": 3} if seed % 3 == 2 else {}
        estimator = kinds[seed % 3](max_depth=1 + seed % 4, random_state=seed, **options).fit(X, y)
        document, refusal = read_or_refused(estimator)
        if document is None:
            assert "missing values where no number goes" in refusal
            continue
        n_read += 1
        wanted = estimator.predict(X)[:, None] if seed % 3 == 0 else estimator.predict_proba(X)
        assert_allclose(outputs_of(document, X), wanted, rtol=1e-6, atol=1e-6)
    assert n_read > 0


def test_a_split_that_parts_missing_values_from_all_others_is_read():
    X = np.array([[1.0], [2.0], [np.nan], [np.nan]])
    estimator = DecisionTreeClassifier(max_depth=1).fit(X, [0, 0, 1, 1])
    assert labels_of(from_sklearn(estimator), X) == ["0", "0", "1", "1"]


def test_rounds_behind_the_best_one_are_left_out():
    text, X, sums = kept("xgboost-numbers")
    best = '"attributes":{"best_iteration":"%d"'
    assert '"attributes":{' in text
    first = read_content(text.replace('"attributes":{', best % 1, 1).encode())
    assert first.n_trees == 3  # two rounds and the base
    assert_says(read_content(text.replace('"attributes":{', best % 2, 1).encode()), X, sums)


def test_cells_of_a_table_of_decimals_stay_on_their_side_of_a_float64_threshold():
    """0.2 lies on the left of LightGBM's 0.20000000000000004, and float32's 0.2 does not."""
    column = np.zeros(1, dtype=int)
    for threshold, left, right in (
        (0.20000000000000004, 0.2, 0.3),
        (3.1500000000000004, 3.15, 3.16),  # of iris, between 3.1 and 3.2
        (0.7, 0.7, 0.8),
        (2.5000000000000004, 2.5, 2.6),
        (np.finfo(float).max, 3e38, np.inf),
        (2.5e17, 2e17, 3e17),
    ):
        with case(threshold=threshold):
            edge = decimal_edges(np.array([threshold]), True, column, ["x"], "LightGBM")[0]
            assert np.float32(left) <= edge < np.float32(right)
    edge = decimal_edges(np.array([0.7]), False, column, ["x"], "the ONNX model")[0]
    assert np.float32(0.6) <= edge < np.float32(0.7)  # although float32's 0.7 is less than 0.7
    drawn = np.random.default_rng(0).normal(size=(2, 50)).astype(np.float32)
    for other in (0.23718237192318312, 0.0):
        # Of a table of float32 numbers one threshold may be a short decimal by chance.
        exact = np.append(drawn.astype(float).mean(axis=0), [other, -0.5500488281249999])
        edges = decimal_edges(exact, True, np.zeros(52, dtype=int), ["x"], "LightGBM")
        assert_array_equal(edges, at_most(exact))


def test_decimals_that_float32_cannot_tell_apart_are_refused():
    for threshold in (1700000001.5, 0.123456785):
        with case(threshold=threshold), pytest.raises(TreeFormatError, match=r"cannot tell .* on"):
            decimal_edges(np.array([threshold]), True, np.zeros(1, int), ["x"], "LightGBM")


def test_numbers_of_leaves_that_rounding_would_lose_are_refused_or_kept():
    X = np.arange(8.0)[:, None]
    estimator = DecisionTreeRegressor().fit(X, 1e9 + 10 * np.arange(8.0))
    assert estimator.get_n_leaves() > 1
    document, refusal = read_or_refused(estimator)
    if document is None:
        assert "subtract a constant from the target" in refusal
    else:
        assert_array_equal(outputs_of(document, X)[:, 0], estimator.predict(X))

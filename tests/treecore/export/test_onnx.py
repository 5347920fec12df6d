"""ONNX models answer as treecore does in onnxruntime, but for rows that rounding decides."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.helpers.cases import case
from tests.helpers.exports import (
    LINEAR,
    hard_rows,
    labels_of,
    outputs_of,
    random_model,
    with_splines,
)
from tests.helpers.hinges import FEATURES, KINDS, images, trained
from treecore.core.routing import predict_values
from treecore.export import FORMATS, close_rows
from treecore.persistence import Document
from treecore.persistence.evaluation import mapped_rows

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")


def run(document, X):
    """What onnxruntime says: labels (None of numbers), outputs."""
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    session = runtime.InferenceSession(FORMATS["onnx"].write(document), options)
    said = session.run(None, {"X": X})
    return said if document.class_names else [None, *said]


@pytest.mark.parametrize(
    ("seeds", "rows"), [(range(40), 200), pytest.param(range(1000), 100, marks=pytest.mark.slow)]
)
def test_labels_are_equal_and_numbers_to_a_millionth(seeds, rows):
    """In the slow test, 1,000 models on 100,000 rows in all."""
    n_close = 0
    for seed in seeds:
        with case(seed=seed):
            document = random_model(seed)
            X = hard_rows(document, rows, seed)
            labels, outputs = run(document, X)
            far = ~close_rows(document.model, X)
            n_close += (~far).sum()
            assert outputs.dtype == np.float32
            assert_allclose(outputs[far], outputs_of(document, X)[far], rtol=1e-6, atol=1e-6)
            if document.class_names:
                assert_array_equal(labels[far], np.array(labels_of(document, X))[far])
    assert n_close <= 2e-3 * len(seeds) * rows, "close rows are the few, or nothing was compared"


@pytest.mark.parametrize(
    ("make", "answer"),
    [*product([with_splines], ["classes", "outputs", *LINEAR]), *product([random_model], LINEAR)],
)
def test_splines_and_linear_leaves_answer_alike(make, answer):
    for seed in range(8):
        with case(seed=seed):
            document = make(seed, answer)
            X = hard_rows(document, 100, seed)
            labels, outputs = run(document, X)
            mapped = mapped_rows(document, X)
            far = ~close_rows(document.model, mapped)
            assert far.mean() > 0.9
            assert_allclose(outputs[far], outputs_of(document, X)[far], rtol=1e-6, atol=1e-6)
            if document.class_names:
                if answer in LINEAR:
                    log_odds = np.sort(predict_values(document.model, mapped), axis=1)
                    far &= log_odds[:, -1] - log_odds[:, -2] > 1e-9
                assert far.mean() > 0.9
                assert_array_equal(labels[far], np.array(labels_of(document, X))[far])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("features", FEATURES)
def test_hinge_forests_answer_alike(kind, features):
    X, y = images()
    trainer = trained(X, y, kind=kind, **FEATURES[features])
    trainer.run()
    X = X.astype(np.float32)
    X[3, 4] = np.nan
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    document = Document(trainer.model, names, ("a", "b", "c"))
    labels, shares = run(document, X)
    forest = document.model
    assert_allclose(shares, forest.predict_proba(X), rtol=1e-5, atol=1e-6)
    first, second = np.sort(forest.decision(X), axis=1)[:, :-3:-1].T
    clear = first - second > 1e-4
    assert clear.mean() > 0.9
    assert_array_equal(labels[clear], np.array(["a", "b", "c"])[forest.predict(X)][clear])


@pytest.mark.parametrize("kind", KINDS)
def test_hinge_forests_of_numbers_answer_alike(kind):
    X, _ = images()
    X, y = X.astype(np.float32), np.c_[X[:, 3], X[:, 20] * X[:, 4]]
    trainer = trained(X, y, kind=kind, loss="squared")
    trainer.run()
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    document = Document(trainer.model, names, output_names=("u", "v"))
    _, values = run(document, X)
    assert_allclose(values, document.model.decision(X), rtol=1e-5, atol=1e-5)


def test_models_are_valid_and_name_what_they_read():
    import json

    document = random_model(2, "votes")
    model = onnx.load_from_string(FORMATS["onnx"].write(document))
    onnx.checker.check_model(model, full_check=True)
    props = {entry.key: json.loads(entry.value) for entry in model.metadata_props}
    assert tuple(props["features"]) == document.feature_names
    assert tuple(props["classes"]) == document.class_names
    kinds = {node.op_type for node in model.graph.node}
    assert "TreeEnsembleRegressor" in kinds


def test_one_row_and_none_are_answered():
    document = random_model(5, "classes")
    X = hard_rows(document, 1)
    assert run(document, X)[0].shape == (1,)
    assert run(document, X[:0])[1].shape == (0, len(document.class_names))


def test_without_its_package_onnx_says_what_to_install(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ValueError, match=r"pip install 'treecore\[onnx\]'"):
        FORMATS["onnx"].write(random_model(0))

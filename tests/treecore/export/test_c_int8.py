"""Models in bytes: C computes what is told beforehand, and bytes cost little."""

from __future__ import annotations

import re
import shutil

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris, load_wine

from tests.helpers.cases import case
from tests.helpers.exports import hard_rows, outputs_of, random_model
from tests.treecore.export.test_sources import compiled
from treecore import RunConfig, Trainer
from treecore.export.c_int8 import int8_tables, quantization_cost, write_c_int8
from treecore.persistence import Document

MAIN = """
#include <stdio.h>
#include "model{i}.c"
int main(void)
{{
    static float x[{n}][MODEL_FEATURES];
    FILE *file = fopen("rows{i}.bin", "rb");
    if (fread(x, sizeof x, 1, file) != 1) return 1;
    for (int i = 0; i < {n}; i++) {{
        int8_t q[MODEL_FEATURES];
        model_bytes(x[i], q);
        PREDICT
        for (int j = 0; j < MODEL_FEATURES; j++) printf(" %d", q[j]);
        puts("");
    }}
    return 0;
}}
"""
CLASS = MAIN.replace("PREDICT", 'printf("%d", model_predict(q));')
NUMBERS = MAIN.replace(
    "PREDICT",
    "float out[MODEL_OUTPUTS]; model_predict(q, out); "
    'for (int k = 0; k < MODEL_OUTPUTS; k++) printf(" %.9g", out[k]);',
)


@pytest.mark.parametrize("seeds", [range(10), pytest.param(range(200), marks=pytest.mark.slow)])
def test_c_computes_what_is_told(seeds, tmp_path):
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler")
    for seed in seeds:
        with case(seed=seed):
            document = random_model(seed)
            X = hard_rows(document, 60, seed)
            tables = int8_tables(document, X[:40])  # the others may be out of range
            main = CLASS if document.class_names else NUMBERS
            said = compiled(tmp_path, seed, write_c_int8(document, tables), X, main)
            found = np.array([line.split() for line in said.decode().splitlines()], dtype=float)
            k = 1 if document.class_names else len(document.output_names)
            assert_array_equal(found[:, k:], tables.features(X))
            wanted = tables.predict(X).reshape(len(X), k)
            assert_allclose(found[:, :k], wanted, rtol=1e-7, atol=1e-30)


def test_bytes_are_as_near_as_their_steps():
    document = random_model(1, "outputs", n_features=3)
    X = hard_rows(document, 200, missing=False)
    tables = int8_tables(document, X)
    there = tables.centre + tables.features(X) / tables.rate
    assert (np.abs(there - X) <= 0.5 / tables.rate * (1 + 1e-5)).all()


@pytest.mark.parametrize(
    ("load", "method", "least"), [(load_iris, "tao", 0.97), (load_wine, "axis", 0.97)]
)
def test_real_trees_keep_nearly_all_their_classes(load, method, least):
    X, y = load(return_X_y=True)
    tree = Trainer(RunConfig(method, depth=4), X, y).run()
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    document = Document(tree, names, ("a", "b", "c"))
    tables = int8_tables(document, X)
    said = quantization_cost(document, tables, X, y)
    kept = float(re.search(r"([\d.]+)% of", said)[1]) / 100
    assert kept >= least
    after, before = map(
        float, re.search(r"accuracy ([\d.]+), without bytes ([\d.]+)", said).groups()
    )
    assert_allclose(after, np.mean(tables.predict(X) == y), atol=1e-4)
    assert_allclose(before, np.mean(outputs_of(document, X).argmax(axis=1) == y), atol=1e-4)
    assert tables.n_bytes < 1000


def test_numbers_are_off_by_what_is_told():
    document = random_model(4, "mean")
    X = hard_rows(document, 300)
    tables = int8_tables(document, X)
    off = np.sqrt(np.mean((tables.predict(X) - outputs_of(document, X)) ** 2))
    assert f"are off by {off:.4g} (root mean square)" in quantization_cost(document, tables, X)


def test_a_feature_of_one_value_stays_on_its_side():
    document = random_model(0, "classes", n_features=2)
    X = np.tile([0.3, -0.2], (5, 1))
    tables = int8_tables(document, X)
    assert_array_equal(tables.predict(X), outputs_of(document, X).argmax(axis=1))


def test_huge_numbers_are_at_the_ends_of_the_range():
    document = random_model(0, "classes", n_features=2)
    tables = int8_tables(document, np.array([[-3e38, 0.0], [-2.9e38, 0.0]]))
    huge = np.float32([[3e38, 3e38], [-3e38, -3e38]])
    assert_array_equal(tables.features(huge), [[127, 0], [-127, 0]])


def test_ranges_need_rows():
    with pytest.raises(ValueError, match="need rows"):
        int8_tables(random_model(0, n_features=2), np.zeros((0, 2)))

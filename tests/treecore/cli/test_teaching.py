"""``treecore train --teacher``: a tree that learns from another model's answers."""

from pathlib import Path

import numpy as np
import pytest

from tests.helpers.same import assert_same
from treecore import AxisTreeClassifier
from treecore.data.sources import Source, read_parts
from treecore.ensembles.forest import Forest
from treecore.persistence import Document, load, save

TEACH = ("train", "sample:xor", "--size", 80, "-m", "axis", "--depth", 3, "-o", "tree.json")
MODULE = """
import numpy as np

def shares(X):
    first = (X[:, 0] > 0) ^ (X[:, 1] > 0)
    return np.column_stack([first, ~first]).astype(float)

def holes(X):
    return np.full((len(X), 2), np.nan)

def third(X):
    return X[:, 2]
"""


def test_a_file_teaches_as_it_does_in_the_library(shell):
    train, _ = read_parts(Source("sample:xor", size=80, held_out=0.25, seed=0))
    fitted = AxisTreeClassifier(6, random_state=0).fit(train.X, train.y)
    forest = Forest((fitted.tree_,) * 2, np.ones(2), "shares")
    classes = tuple(train.class_names)
    save(Document(forest, train.feature_names, classes), "teacher.json")
    shell(*TEACH, "--teacher", "teacher.json")
    document, rows = load("tree.json"), train.X.astype(np.float32)
    taught = AxisTreeClassifier(3, random_state=0).distil(forest.scores, rows, train.y)
    assert_same(document.tree, taught.tree_)
    assert document.training["teacher"] == "teacher.json"
    assert {"accuracy", "validation_accuracy", "n_leaves"} <= set(document.training["metrics"])
    assert document.counts.sum() == train.n_samples
    assert not Path("runs").exists()
    turned = Forest(
        (fitted.tree_._replace(values=fitted.tree_.values[:, ::-1]),), np.ones(1), "shares"
    )
    save(Document(turned, train.feature_names, classes[::-1]), "turned.json")
    shell(*TEACH, "--teacher", "turned.json")
    assert_same(load("tree.json").tree, document.tree)


def test_a_function_teaches_and_what_it_cannot_do_is_told(shell):
    Path("of_tests.py").write_text(MODULE)
    Path("broken.py").write_text("def f(:")
    shell(*TEACH, "--teacher", "of_tests:shares")
    assert load("tree.json").training["method"] == "axis"
    for word, sentence in (
        (
            "of_tests:nothing",
            "module 'of_tests' has no attribute 'nothing'; give a model's file, or MODULE:FUNCTION",
        ),
        ("no_module:f", "No module named 'no_module'; give"),
        ("of_tests:third", "--teacher of_tests:third: IndexError: index 2 is out of bounds"),
        ("broken:f", "--teacher broken:f: invalid syntax"),
        ("of_tests:holes", "the teacher answers [nan, nan] for row 0"),
        ("missing.json", "missing.json cannot be read"),
    ):
        assert sentence in shell(*TEACH, "--teacher", word, code=1).stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--method", "bagging", "--out", "t.json"], "a single tree of a method, not bagging"),
        (["--method", "axis"], "say --out FILE"),
        (["--method", "axis", "--out", "t.json", "--run", "r"], "leave out --run"),
        (["--method", "axis", "--out", "t.json", "--nu", 3], "axis has no --nu"),
    ],
)
def test_what_belongs_to_a_run_is_refused(shell, words, sentence):
    assert sentence in shell("train", "sample:xor", "--teacher", "a:b", *words, code=2).stderr


def test_a_teacher_of_another_table_is_refused(shell):
    train, _ = read_parts(Source("sample:xor", size=80))
    tree = AxisTreeClassifier(2).fit(train.X, train.y).tree_
    for document, sentence in (
        (Document(tree, ("left", "right"), train.class_names), "reads left, which the table lacks"),
        (
            Document(tree, train.feature_names, ("p", "q")),
            "predicts the classes p, q, and the table has",
        ),
        (
            Document(tree, train.feature_names, output_names=("p", "q")),
            "predicts numbers, and the table",
        ),
    ):
        save(document, "other.json")
        assert sentence in shell(*TEACH, "--teacher", "other.json", code=1).stderr

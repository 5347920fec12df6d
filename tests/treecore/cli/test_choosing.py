"""``treecore train --method auto``: the estimators' default tree, and what was decided."""

from pathlib import Path

import numpy as np
import pytest

from tests.helpers.same import assert_same
from treecore import ObliqueTreeClassifier, ObliqueTreeRegressor
from treecore.data.sources import Source, read_parts
from treecore.persistence import load
from treecore.persistence.evaluation import figures_on

pytestmark = pytest.mark.usefixtures("little_time")


@pytest.mark.parametrize(
    ("name", "estimator"),
    [("sample:xor", ObliqueTreeClassifier), ("sample:hill", ObliqueTreeRegressor)],
)
def test_it_writes_the_tree_of_the_estimator_and_says_why(shell, name, estimator):
    words = ("--size", 60, "--seed", 3, "--out", "tree.json")
    said = shell("train", name, "--method", "auto", *words).stderr
    document = load("tree.json")
    train, held = read_parts(Source(name, size=60, held_out=0.25, seed=3))
    fitted = estimator(random_state=3).fit(train.X, train.y)
    assert_same(document.tree, fitted.tree_)
    np.testing.assert_array_equal(document.counts.sum(axis=1), fitted._counts.sum(axis=1))
    assert fitted.decision_.summary() in said
    assert document.training["decision"]["chosen"] == fitted.decision_.chosen
    figures = figures_on(document, held.X, held.y)
    assert document.training["metrics"]["validation_loss"] == figures["loss"]
    assert not Path("runs").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "say --out FILE"),
        (["--out", "tree.json", "--depth", 3], "leave out --depth"),
        (["--out", "tree.json", "--run", "r", "--base", "axis"], "leave out --base, --run"),
        (["--out", "tree.json", "--loss", "hinge"], "must be one of log, squared,"),
    ],
)
def test_what_only_a_named_method_can_do_is_refused(shell, words, sentence):
    said = shell("train", "sample:xor", "--method", "auto", *words, code=2).stderr
    assert sentence in said
    assert not list(Path().iterdir())

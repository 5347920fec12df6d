"""One document for all kinds of models: whoever reads a file need not know what is in it."""

import json

import numpy as np
import pytest

from tests.helpers.documents import mixed_tree, random_document
from tests.helpers.hinges import METHODS
from treecore import (
    Forest,
    HingeForestClassifier,
    ObliqueForestClassifier,
    ObliqueTreeClassifier,
    RunConfig,
    Trainer,
)
from treecore.core.tree import single_leaf
from treecore.persistence import Document, TreeFormatError, from_json, to_json
from treecore.persistence.formats import CODECS

NAMES = tuple("abcdefghijkl"), ("red", "green", "blue")

KINDS = ("tree", "forest", "hinge forest")


@pytest.fixture(scope="module")
def documents():
    """A document of each kind, for three classes of rows of twelve features."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((40, 12)), rng.integers(3, size=40)
    config = RunConfig(METHODS["fern"], trees=2, depth=2, batches=20, n_features=3)
    hinge = Trainer(config, X, y).run()
    forest = Forest((mixed_tree(rng), mixed_tree(rng)), [1.0, 2.0], "shares")
    models = {"tree": mixed_tree(rng), "forest": forest, "hinge forest": hinge}
    return {kind: Document(model, *NAMES) for kind, model in models.items()}


def test_whoever_wants_a_single_tree_is_told_of_another_kind(documents):
    assert documents["tree"].tree is documents["tree"].model
    with pytest.raises(TreeFormatError, match="this is a forest, where a single tree is wanted"):
        _ = documents["forest"].tree
    with pytest.raises(TreeFormatError, match="this is a hinge forest, where a single tree"):
        _ = documents["hinge forest"].tree


@pytest.mark.parametrize(
    ("estimator", "kind"),
    [
        (ObliqueTreeClassifier, "tree"),
        (ObliqueForestClassifier, "forest"),
        (HingeForestClassifier, "hinge forest"),
    ],
)
def test_an_estimator_refuses_other_kinds(documents, estimator, kind):
    for other, document in documents.items():
        text = to_json(document)
        if other == kind:
            assert estimator.from_json(text).classes_.tolist() == [*NAMES[1]]
            continue
        with pytest.raises(
            TreeFormatError, match=f"holds a {other}, which {estimator.__name__} is"
        ):
            estimator.from_json(text)


REFUSED = [
    *((kind, {"features": ("x",)}, "needs 12 feature names, but has 1") for kind in KINDS),
    *((kind, {"class_names": ("a",)}, "needs 3 class names") for kind in KINDS),
    *((kind, {"output_names": ("u",)}, "not both|not .outputs.") for kind in KINDS),
    *((kind, {"class_names": ("a", "a", "b")}, "two class names are 'a'") for kind in KINDS),
    *((kind, {"training": {"seed": "one"}}, '"seed" of "training"') for kind in KINDS),
    *((kind, {"counts": np.ones((2, 3), int)}, "a single tree is wanted") for kind in KINDS[1:]),
    *((kind, {"feature_map": random_document(3).feature_map}, "a single tree is wanted")
      for kind in KINDS[1:]),
    ("tree", {"features": (*"abcdefghijk", 1)}, "feature name 11 must be a string"),
    ("tree", {"counts": np.zeros((17, 3))}, "counts must be integers of shape"),
    ("tree", {"counts": np.full((17, 3), -1)}, "counts must be from 0 to"),
    ("tree", {"class_names": (), "output_names": tuple("uvw"), "counts": np.zeros((17, 3), int)},
     r"of shape \(17, 1\)"),
    ("tree", {"training": {"seed": np.int64(1)}}, "Python int64"),
    ("tree", {"training": {"metrics": {"loss": np.nan}}}, "plain finite JSON"),
    ("tree", {"training": {"metrics": {"loss": {1}}}}, "plain finite JSON"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "more", "message"), REFUSED)
def test_a_document_is_checked_when_it_is_made(documents, kind, more, message):
    given = {"features": NAMES[0], "class_names": NAMES[1]} | more
    with pytest.raises(TreeFormatError, match=message):
        Document(documents[kind].model, given.pop("features"), **given)


def test_a_document_holds_a_finite_model(documents):
    with pytest.raises(TreeFormatError, match="a document holds a tree or a forest, not a list"):
        Document([1, 2], *NAMES)
    forest = documents["forest"].model
    with pytest.raises(TreeFormatError, match='numbers: it has "outputs", not "classes"'):
        Document(Forest(forest.trees, forest.weights, "mean"), *NAMES)
    broken = forest.trees[0]._replace(values=forest.trees[0].values * np.inf)
    with pytest.raises(TreeFormatError, match="tree 0: values holds a number that is not finite"):
        Document(Forest((broken,), [1], "votes"), *NAMES)


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_says_classes_or_outputs(documents, kind):
    content = json.loads(to_json(documents[kind]))
    content["version"] = next(codec.version for codec in CODECS if codec.kind == kind)
    with pytest.raises(TreeFormatError, match='"classes" or "outputs", one of the two'):
        from_json(json.dumps(content | {"outputs": ["y"]}))
    del content["classes"]
    with pytest.raises(TreeFormatError, match='the key "classes" is missing'):
        from_json(json.dumps(content))


def test_models_and_documents_are_shown_in_a_line(documents):
    """A notebook would print all their arrays otherwise."""
    tree, forest, hinge = (documents[kind].model for kind in KINDS)
    assert repr(tree) == "Tree of 16 splits, 17 leaves, depth 8, 12 features"
    assert repr(forest) == "Forest of 2 trees, 49 leaves, 12 features, answering by shares"
    assert repr(hinge) == "HingeForest of 2 ferns, depth 2, 12 features, for classification"
    assert repr(documents["tree"]) == f"Document: {tree!r}, 3 classes"
    assert repr(single_leaf([0.0, 1.0], 1)) == "Tree of 0 splits, 1 leaf, depth 0, 1 feature"
    assert len(repr(random_document(3))) < 120

"""One document for all kinds of models: whoever reads a file need not know what is in it."""

import json

import numpy as np
import pytest

from tests.helpers.documents import mixed_tree, random_document
from tests.helpers.hinges import METHODS
from tests.helpers.same import assert_same
from treecore import (
    Forest,
    HingeForestClassifier,
    ObliqueForestClassifier,
    ObliqueTreeClassifier,
    RunConfig,
    Trainer,
)
from treecore.core.tree import single_leaf
from treecore.persistence import Document, TreeFormatError, from_json, load, save, to_json
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


@pytest.mark.parametrize("kind", KINDS)
def test_one_reader_and_one_writer_serve_all_kinds(documents, kind, tmp_path):
    document = documents[kind]
    assert document.kind == kind
    save(document, tmp_path / "model.json")
    read = load(tmp_path / "model.json")
    assert_same(read, document)
    assert (read.kind, read.n_trees) == (kind, {"tree": 1}.get(kind, 2))


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


@pytest.mark.parametrize("kind", ["forest", "hinge forest"])
def test_counts_and_maps_are_of_single_trees(documents, kind):
    model = documents[kind].model
    with pytest.raises(TreeFormatError, match="where a single tree is wanted"):
        Document(model, *NAMES, counts=np.ones((2, 3), dtype=np.int64))
    feature_map = random_document(3).feature_map
    assert feature_map is not None
    with pytest.raises(TreeFormatError, match="where a single tree is wanted"):
        Document(model, *NAMES, feature_map=feature_map)


@pytest.mark.parametrize("kind", ["forest", "hinge forest"])
def test_a_forest_of_classes_has_no_outputs(documents, kind):
    with pytest.raises(TreeFormatError, match='predicts classes: it has "classes", not "outputs"'):
        Document(documents[kind].model, NAMES[0], output_names=NAMES[1])


def test_a_document_holds_a_model():
    with pytest.raises(TreeFormatError, match="a document holds a tree or a forest, not a list"):
        Document([1, 2], *NAMES)


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

"""Random models of every kind that formats are written for, and rows that are hard on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.helpers.documents import random_map
from tests.helpers.strategies import random_tree
from treecore.core.routing import predict, predict_proba, predict_values
from treecore.core.tree import OBLIQUE, Tree, make_tree, means_go_left, single_leaf
from treecore.ensembles.forest import Forest
from treecore.persistence import Document
from treecore.persistence.evaluation import mapped_rows

HOSTILE = (
    'quo"te', "apo'strophe", "back\\slash", "*/ comment", "</script>", "line\nbreak", "{brace}",
    "%d", "??/trigraph", "Öl − ü", "--", "\u2028", "x); DROP TABLE data", "$(x)", "#hash",
    "`tick`", "tab\t", "a;b", "<b>&amp;",
)  # fmt: skip
"""Names that end strings, comments and scripts where they are not quoted."""

ANSWERS = ("classes", "outputs", "shares", "votes", "mean")
LINEAR = ("linear", "logistic")
"""Answers of trees whose leaves are linear: numbers, and classes."""

NUMBERS = ("outputs", "mean", "linear")


def names(what: str, n: int) -> tuple[str, ...]:
    """Different names, hostile ones first."""
    return tuple(f"{HOSTILE[i % len(HOSTILE)]} {what} {i}" for i in range(n))


def any_model(seed: int) -> Document:
    """A model of any kind; two of five behind splines, two of seven of linear leaves."""
    answer = {5: "linear", 6: "logistic"}.get(seed % 7, ANSWERS[seed % 5])
    return (with_splines if seed % 5 < 2 else random_model)(seed, answer)


def with_splines(seed: int, answer: str) -> Document:
    """A tree whose features splines make, of fewer than it has."""
    rng = np.random.default_rng(seed)
    document = random_model(seed, answer, int(rng.integers(2, 40)))
    tree = document.tree._replace(missing=np.zeros_like(document.tree.missing))
    spline = random_map(rng, int(rng.integers(1, tree.n_features)), tree.n_features, "spline")
    return replace(
        document,
        model=tree._replace(missing_left=means_go_left(tree)),
        feature_names=names("feature", spline.n_features),
        feature_map=spline,
    )


def random_model(seed: int, answer: str | None = None, n_features: int | None = None) -> Document:
    """A tree, or a forest by how it answers; axis-aligned, oblique or mixed, sparse or dense."""
    rng = np.random.default_rng(seed)
    answer = ANSWERS[seed % len(ANSWERS)] if answer is None else answer
    p = int(rng.integers(1, 40)) if n_features is None else n_features
    k = int(rng.integers(1 if answer in NUMBERS else 2, 5))
    missing = rng.standard_normal(p).astype(np.float32)
    share_axis = rng.choice([0.0, 0.5, 1.0])

    def tree():
        if rng.random() < 0.05:
            return single_leaf(rng.standard_normal(k), p)._replace(missing=missing)
        made = random_tree(rng, int(rng.integers(1, 25)), p, k, max_depth=30, share_axis=share_axis)
        keep = rng.random(made.weights.shape) < rng.choice([0.2, 1.0])
        return made._replace(weights=made.weights * keep.astype(np.float32), missing=missing)

    key = "output_names" if answer in NUMBERS else "class_names"
    model = tree()
    if answer in LINEAR:
        model = leaning(model, rng)
    if answer in ("shares", "votes", "mean"):
        trees = [tree() for _ in range(rng.integers(1, 6))]
        model = Forest(trees, rng.exponential(size=len(trees)), answer)
    return Document(model, names("feature", p), **{key: names("name", k)})


def leaning(tree: Tree, rng: np.random.Generator) -> Tree:
    """The tree with random linear leaves, whose ranges some rows leave."""
    shape = tree.values.shape
    weights = rng.standard_normal((*shape, tree.n_features))
    low = rng.uniform(-3, 0, shape)
    return make_tree(*tree[:-1], (weights, tree.values, low, low + rng.uniform(0, 6, shape)))


def hard_rows(document: Document, n: int, seed: int = 0, missing: bool = True) -> np.ndarray:
    """Rows for a model, float32; some have missing values, some lie on a split of one feature."""
    rng = np.random.default_rng(seed)
    trees = document.model.trees if isinstance(document.model, Forest) else (document.model,)
    X = rng.standard_normal((n, len(document.feature_names))).astype(np.float32)
    spline = document.feature_map
    for tree in trees:
        for split in np.flatnonzero(tree.feature != OBLIQUE):
            row = rng.integers(n)
            feature, threshold = tree.feature[split], tree.threshold[split]
            if spline is not None:
                last = spline.last_below(feature, threshold)
                feature, threshold = spline.sources[feature], 0.0 if last is None else last
            X[row, feature] = threshold
    if missing:
        X[rng.random(X.shape) < 0.1] = np.nan
    return X


def outputs_of(document: Document, X) -> np.ndarray:
    """What treecore says: shares of classes, or numbers; float64 (n_samples, n_outputs)."""
    model = document.model
    if isinstance(model, Forest):
        return model.scores(X)
    X = mapped_rows(document, X)
    if document.class_names:
        return predict_proba(model, X)
    return predict_values(model, X).astype(np.float64)


def labels_of(document: Document, X) -> list[str]:
    """The class names that treecore predicts."""
    model = document.model
    forest = isinstance(model, Forest)
    found = model.predict(X) if forest else predict(model, mapped_rows(document, X))
    return [document.class_names[k] for k in found]

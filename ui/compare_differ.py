"""Where two trees differ: who is right on which rows, and the way of a row through each tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treecore import Tree, predict
from treecore.routing import filled, leaf_probabilities, score
from treecore.tree import OBLIQUE

BOTH, ONLY_FIRST, ONLY_SECOND, NONE = range(4)
"""Who is right about a row."""


def verdicts(y: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Who is right about each row, int8 (n_samples,): ``BOTH`` to ``NONE``.

    Parameters
    ----------
    y, first, second : int arrays, shape (n_samples,)
        True classes, and those that two trees predict.
    """
    return np.where(
        first == y,
        np.where(second == y, BOTH, ONLY_FIRST),
        np.where(second == y, ONLY_SECOND, NONE),
    ).astype(np.int8)


@dataclass(frozen=True)
class Difference:
    """Two trees on the same rows.

    Attributes
    ----------
    first, second : int arrays, shape (n_samples,)
        Predicted classes.
    verdict : int8 array, shape (n_samples,)
    """

    y: np.ndarray
    first: np.ndarray
    second: np.ndarray
    verdict: np.ndarray

    def count(self, verdict: int) -> int:
        """Rows of that verdict."""
        return int((self.verdict == verdict).sum())

    def rows(self) -> np.ndarray:
        """Rows on which the predictions differ: those only the first has right, then the second's.

        Rows that both have wrong, each in its own way, come last.
        """
        rows = np.flatnonzero(self.first != self.second)
        return rows[np.argsort(self.verdict[rows], kind="stable")]


def difference(first: Tree, second: Tree, X: np.ndarray, y: np.ndarray) -> Difference:
    """Compare two trees on some rows, X of shape (n_samples, n_features)."""
    one, two = predict(first, X), predict(second, X)
    return Difference(y, one, two, verdicts(y, one, two))


@dataclass(frozen=True)
class Question:
    """One split on a row's way.

    Attributes
    ----------
    split : int
    terms : tuple of (feature, weight, value)
        What the score is made of, the terms that move it most first.
    n_terms : int
        How many there are in all; ``terms`` may hold fewer.
    threshold, score : float
        The score is the weighted sum less the threshold.
    right : bool
        Where the row goes: right when its score is positive.
    """

    split: int
    terms: tuple[tuple[int, float, float], ...]
    n_terms: int
    threshold: float
    score: float
    right: bool


@dataclass(frozen=True)
class Way:
    """The way of a row from the root to its leaf.

    Attributes
    ----------
    questions : tuple of Question
    leaf : int
    shares : float64 array, shape (n_classes,)
        What the leaf says: the probability of each class.
    """

    questions: tuple[Question, ...]
    leaf: int
    shares: np.ndarray


def way(tree: Tree, x: np.ndarray, most_terms: int = 3) -> Way:
    """The way of one row, ``x`` of shape (n_features,).

    It ends in the leaf that :func:`treecore.apply` gives: the scores are those of its kernel.
    """
    x = filled(np.asarray(x)[None], tree.missing)[0]
    questions = []
    node = tree.root
    while node >= 0:
        value, feature = float(score(tree, node, x)), int(tree.feature[node])
        if feature != OBLIQUE:
            terms = [(feature, 1.0, float(x[feature]))]
        else:
            w = tree.weights[tree.row[node]]
            order = np.argsort(-np.abs(w * x), kind="stable")
            terms = [(int(j), float(w[j]), float(x[j])) for j in order if w[j] != 0]
        right = value > 0
        questions.append(
            Question(
                node,
                tuple(terms[:most_terms]),
                len(terms),
                float(tree.threshold[node]),
                value,
                right,
            )
        )
        node = int(tree.right[node] if right else tree.left[node])
    return Way(tuple(questions), ~node, leaf_probabilities(tree)[~node])

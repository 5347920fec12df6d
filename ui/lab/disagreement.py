"""Where two trees differ: who is right on which rows, and the way of a row through each tree.

Of classes a tree is right or wrong. Of numbers the one of the lesser squared error is *nearer*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treecore import Tree, predict
from treecore.core.routing import decision_path, predict_proba, predict_values, score
from treecore.core.tree import OBLIQUE
from treecore.rows.finite import filled

BOTH, ONLY_FIRST, ONLY_SECOND, NONE = range(4)
"""Who is right about a row; of numbers, who alone is nearer, and BOTH where they are as near."""

AS_NEAR = 0.01
"""Squared errors that differ by less than this share of the target's variance are called equal."""


def verdicts(y: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Who is right about each row, int8 (n_samples,): ``BOTH`` to ``NONE``.

    y, first, second: int (n_samples,), true classes, and those that two trees predict.
    """
    return np.where(
        first == y,
        np.where(second == y, BOTH, ONLY_FIRST),
        np.where(second == y, ONLY_SECOND, NONE),
    ).astype(np.int8)


def nearer(first: np.ndarray, second: np.ndarray, variance: float) -> np.ndarray:
    """Who is nearer to the number of each row, int8 (n_samples,).

    first, second: float (n_samples,), squared errors of two trees.
    """
    gain = second - first
    clear = np.abs(gain) > AS_NEAR * variance
    return np.where(clear, np.where(gain > 0, ONLY_FIRST, ONLY_SECOND), BOTH).astype(np.int8)


@dataclass(frozen=True)
class Difference:
    """Two trees on the same rows.

    - y, first, second: (n_samples,), targets, and what the trees predict: int classes, or float
      numbers.
    - verdict: int8 (n_samples,).
    - costs: float64 (2, n_samples), what the rows cost each tree: 1 where a class is wrong, the
      squared error of a number.
    """

    y: np.ndarray
    first: np.ndarray
    second: np.ndarray
    verdict: np.ndarray
    costs: np.ndarray

    def count(self, verdict: int) -> int:
        """Rows of that verdict."""
        return int((self.verdict == verdict).sum())

    def rows(self) -> np.ndarray:
        """Rows on which the predictions differ: those only the first has right, then the second's.

        Rows that both have wrong, each in its own way, come last. Of numbers, rows that are as
        near are left out, and the greatest differences come first.
        """
        rows = np.flatnonzero(self.first != self.second)
        if self.y.dtype.kind == "f":
            rows = rows[self.verdict[rows] != BOTH]
        apart = np.abs(self.costs[0] - self.costs[1])[rows]
        return rows[np.lexsort((-apart, self.verdict[rows]))]


def difference(
    first: Tree, second: Tree, X: tuple[np.ndarray, np.ndarray], y: np.ndarray
) -> Difference:
    """Compare two trees on some rows, X as each of them reads these.

    ``y``, shape (n_samples,), holds classes where it is of integers, else numbers.
    """
    both = tuple(zip((first, second), X, strict=True))
    if y.dtype.kind in "iu":
        one, two = (predict(tree, rows) for tree, rows in both)
        costs = np.array([one != y, two != y], dtype=np.float64)
        return Difference(y, one, two, verdicts(y, one, two), costs)
    one, two = (predict_values(tree, rows)[:, 0].astype(np.float64) for tree, rows in both)
    errors = (one - y) ** 2, (two - y) ** 2
    verdict = nearer(*errors, float(y.var()))
    return Difference(y.astype(np.float64), one, two, verdict, np.array(errors))


@dataclass(frozen=True)
class Question:
    """One split on a row's way.

    - terms: what the score is made of, the terms that move it most first.
    - n_terms: how many there are in all; ``terms`` may hold fewer.
    - threshold, score: the score is the weighted sum less the threshold.
    - right: where the row goes: right when its score is positive.
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

    shares: float64 (n_classes,), what the leaf says: the probability of each class; values: float
    (n_outputs,), the same as the tree holds it; of numbers, the answer.
    """

    questions: tuple[Question, ...]
    leaf: int
    shares: np.ndarray
    values: np.ndarray


def way(tree: Tree, x: np.ndarray, most_terms: int = 3) -> Way:
    """The way of one row, ``x`` of shape (n_features,).

    It ends in the leaf that :func:`treecore.apply` gives: the scores are those of its kernel.
    """
    given = np.asarray(x, dtype=np.float32)
    x, plain = filled(given[None], tree.missing)[0], tree.without_linear()
    splits, sides, leaf = decision_path(tree, given)
    questions = []
    for node, right in zip(splits, sides, strict=True):
        value, feature = float(score(plain, node, x)), int(tree.feature[node])
        if feature != OBLIQUE:
            terms = [(feature, 1.0, float(x[feature]))]
        else:
            w = tree.weights[tree.row[node]]
            order = np.argsort(-np.abs(w * x), kind="stable")
            terms = [(int(j), float(w[j]), float(x[j])) for j in order if w[j] != 0]
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
    said = predict_values(tree, given[None])[0]
    return Way(tuple(questions), leaf, predict_proba(tree, given[None])[0], said)

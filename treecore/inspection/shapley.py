"""Shapley values: how much of a tree's answer each feature of a row is worth.

What a set S of features is worth is the mean answer where they have the row's values and the others
those of a background row, each in turn (the *interventional* game; Lundberg and Lee, *A unified
approach to interpreting model predictions*, NeurIPS 2017, and Janzing et al., AISTATS 2020)::

    v(S) = mean over background rows z of f(x on S, z elsewhere)
    phi_j = sum over S without j of  |S|! (k - |S| - 1)! / k!  (v(S + j) - v(S))

They add up: sum_j phi_j = f(x) - mean f(z). A feature that the tree does not use has 0, so k is the
number of those that it uses, and where these are few the sum is taken as it stands. Where they are
many, it is estimated by random orders of the features (Castro, Gómez and Tejada, *Polynomial
calculation of the Shapley value based on sampling*, 2009), each with its reverse (Mitchell et al.,
*Sampling permutations for Shapley value estimation*, JMLR 2022). Every background row has equally
many orders, so that the estimates add up as well.

Where several columns are made of one feature, as splines make them, they take the row's values
together: the values are those of the features.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from treecore.core.routing import as_rows, predict_proba, predict_values
from treecore.core.tree import OBLIQUE, Tree

EXACT = 12
"""Most features in use for which all sets of them are tried: 4096 times the background rows."""

_CELLS = 1 << 20
"""Values of the rows that are answered at once."""


@dataclass(frozen=True, eq=False)
class ShapleyValues:
    """What each feature of a row is worth.

    - values: float64 (n_features, n_outputs), they sum over the features to ``prediction - base``.
    - base: float64 (n_outputs,), mean answer for the background rows.
    - prediction: float64 (n_outputs,), answer for the row: probabilities of the classes, or
      numbers.
    - error: float64 (n_features, n_outputs), standard error of each value; 0 where it is exact.
    - exact: whether all sets of features were tried.
    - x: float32 (n_features,), the row as the tree reads it.
    """

    values: np.ndarray
    base: np.ndarray
    prediction: np.ndarray
    error: np.ndarray
    exact: bool
    x: np.ndarray

    def explanation(self, feature_names: Sequence[str] | None = None) -> Any:
        """The same as a ``shap.Explanation``, for the plots of that package.

        Raises ImportError where shap is not installed.
        """
        try:
            import shap
        except ImportError as error:
            raise ImportError("a shap.Explanation needs the package shap: pip install shap") from (
                error
            )
        single = self.values.shape[1] == 1
        return shap.Explanation(
            values=self.values[:, 0] if single else self.values,
            base_values=float(self.base[0]) if single else self.base,
            data=self.x,
            feature_names=None if feature_names is None else list(feature_names),
        )


def shapley_values(
    tree: Tree,
    x: Any,
    background: Any,
    *,
    task: str = "classification",
    exact: int = EXACT,
    n_permutations: int = 400,
    seed: int = 0,
    sources: np.ndarray | None = None,
) -> ShapleyValues:
    """What each feature of a row is worth, against background rows.

    x: array-like of numbers, shape (n_features,); background: array-like of numbers, shape (n_rows,
    n_features); sources: int (n_columns,) or None. Raises ValueError for rows that are not of this
    tree, or an unknown task.
    """
    if task not in ("classification", "regression"):
        raise ValueError(f"task={task!r} must be one of classification, regression")
    answer = predict_proba if task == "classification" else predict_values
    row, rest = (
        as_rows(given, tree.n_features, missing=True).astype(np.float32)
        for given in (np.asarray(x)[None], np.asarray(background))
    )
    if not len(rest):
        raise ValueError("background must have at least one row to compare with")
    columns = used_features(tree)
    sources = np.arange(tree.n_features) if sources is None else sources
    used, player = np.unique(sources[columns], return_inverse=True)
    prediction = np.asarray(answer(tree, row), dtype=np.float64)[0]
    base = np.asarray(answer(tree, rest), dtype=np.float64).mean(axis=0)
    values, error = np.zeros((2, sources.max() + 1, len(base)))
    few = len(used) <= exact
    if few:
        worth = _worth_of_sets(tree, row[0], rest, columns, player, answer)
        values[used] = _weighted(worth, len(used))
    else:
        rng = np.random.default_rng(seed)
        pairs = max(2, -(-n_permutations // (2 * len(rest))))
        values[used], error[used] = _sampled(
            tree, row[0], rest, columns, player, answer, pairs, rng
        )
    return ShapleyValues(values, base, prediction, error, few, row[0])


def used_features(tree: Tree) -> np.ndarray:
    """Features that some split has a weight on, or the model of a linear leaf; int64, ascending."""
    used = np.zeros(tree.n_features, dtype=bool)
    axis = tree.feature != OBLIQUE
    used[tree.feature[axis]] = True
    used |= (tree.weights[tree.row[~axis]] != 0).any(axis=0)
    if tree.linear is not None:
        used |= (tree.linear.weights != 0).any(axis=(0, 1))
    return np.flatnonzero(used)


def _worth_of_sets(tree, x, rest, columns, player, answer) -> np.ndarray:
    """V of every set of the used features, by its bits: float64 (2^k, n_outputs).

    Column ``columns[i]`` is made of the used feature ``player[i]``.
    """
    k = int(player.max(initial=-1)) + 1
    n_sets, n = 1 << k, len(rest)
    worth = np.empty((n_sets, tree.n_outputs))
    inside = (np.arange(n_sets)[:, None] >> np.arange(k)) & 1 == 1
    step = max(1, _CELLS // (n * tree.n_features))
    for first in range(0, n_sets, step):
        part = inside[first : first + step, player]
        rows = np.repeat(rest[None], len(part), axis=0)
        rows[:, :, columns] = np.where(part[:, None], x[columns], rest[:, columns])
        answers = np.asarray(answer(tree, rows.reshape(-1, tree.n_features)), dtype=np.float64)
        worth[first : first + step] = answers.reshape(len(part), n, -1).mean(axis=1)
    return worth


def _weighted(worth: np.ndarray, k: int) -> np.ndarray:
    """The values of k features from what all sets of them are worth, float64 (k, n_outputs)."""
    sets = np.arange(1 << k)
    size = np.array([int(s).bit_count() for s in sets])
    weight = np.array([1 / (k * comb(k - 1, s)) for s in range(k)])  # |S|! (k - |S| - 1)! / k!
    values = np.empty((k, worth.shape[1]))
    for j in range(k):
        without = sets[sets >> j & 1 == 0]
        gain = worth[without | 1 << j] - worth[without]
        values[j] = weight[size[without]] @ gain
    return values


def _sampled(tree, x, rest, columns, player, answer, pairs, rng) -> tuple[np.ndarray, np.ndarray]:
    """Means over orders of the features, and their standard errors: float64 (k, n_outputs)."""
    k, p = int(player.max(initial=-1)) + 1, tree.n_features
    mean, variance = np.zeros((2, k, tree.n_outputs))
    step = max(1, _CELLS // (2 * pairs * (k + 1) * p))
    for first in range(0, len(rest), step):
        part = rest[first : first + step]
        orders = rng.permuted(np.tile(np.arange(k), (len(part) * pairs, 1)), axis=1)
        both = np.stack([orders, orders[:, ::-1]], axis=1).reshape(-1, k)
        starts = np.repeat(part, 2 * pairs, axis=0)
        # Along an order one feature after another takes the row's value.
        turned = np.argsort(both, axis=1)[:, None] < np.arange(k + 1)[:, None]
        rows = np.repeat(starts[:, None], k + 1, axis=1)
        rows[:, :, columns] = np.where(turned[..., player], x[columns], starts[:, None, columns])
        answers = np.asarray(answer(tree, rows.reshape(-1, p)), dtype=np.float64)
        gains = np.diff(answers.reshape(len(both), k + 1, -1), axis=1)
        of_feature = np.take_along_axis(gains, np.argsort(both, axis=1)[:, :, None], axis=1)
        of_pair = of_feature.reshape(len(part), pairs, 2, k, -1).mean(axis=2)
        mean += of_pair.mean(axis=1).sum(axis=0)
        variance += of_pair.var(axis=1, ddof=1).sum(axis=0) / pairs
    return mean / len(rest), np.sqrt(variance) / len(rest)

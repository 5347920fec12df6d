"""Shapley values: how much of a model's answer each feature of a row is worth.

A set S of features is worth the mean answer where they have the row's values and the others those
of a background row, each in turn (the *interventional* game; Lundberg and Lee, NeurIPS 2017, and
Janzing et al., AISTATS 2020)::

    v(S) = mean over background rows z of f(x on S, z elsewhere)
    phi_j = sum over S without j of  |S|! (k - |S| - 1)! / k!  (v(S + j) - v(S))

so that sum_j phi_j = f(x) - mean f(z). Trees with constant leaves whose splits ask one feature
each, or the levels of one column of categories, are summed leaf by leaf (Lundberg et al. 2020;
Laberge and Pequignot 2022); other models are asked for all sets of the k used features where k is
small, else by random orders (Castro, Gómez and Tejada 2009), each with its reverse (Mitchell et al.
2022). Columns made of one feature take the row's values together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import comb

from treecore.core.routing import apply, as_rows, predict_proba, predict_values
from treecore.core.tree import OBLIQUE, Tree
from treecore.ensembles.forest import Forest, leaf_votes

EXACT = 12
"""Most features in use for which all sets of them are tried: 4096 times the background rows.

Models whose splits ask one each, with constant leaves, are exact at any number."""

_CELLS = 1 << 20
"""Values of the rows that are answered at once."""


@dataclass(frozen=True, eq=False)
class ShapleyValues:
    """What each feature of a row is worth.

    values: (n_features, n_outputs), they sum to ``prediction - base``, both (n_outputs,); error:
    their standard errors, 0 where exact; x: float32 (n_features,), the row as the tree reads it.
    """

    values: np.ndarray
    base: np.ndarray
    prediction: np.ndarray
    error: np.ndarray
    exact: bool
    x: np.ndarray

    def explanation(self, feature_names: Sequence[str] | None = None) -> Any:
        """The same as a ``shap.Explanation``; ImportError where shap is not installed."""
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
    model: Tree | Forest,
    x: Any,
    background: Any,
    *,
    task: str = "classification",
    exact: int = EXACT,
    n_permutations: int = 400,
    seed: int = 0,
    sources: np.ndarray | None = None,
) -> ShapleyValues:
    """What each feature of a row x (n_features,) is worth, against background (n_rows, n_features).

    task: what a tree answers; sources: int (n_columns,), the feature that each column is made of.
    Raises ValueError for rows that are not of this model, or an unknown task.
    """
    if task not in ("classification", "regression"):
        raise ValueError(f"task={task!r} must be one of classification, regression")
    row, rest = (
        as_rows(given, model.n_features, missing=True).astype(np.float32)
        for given in (np.asarray(x)[None], np.asarray(background))
    )
    if not len(rest):
        raise ValueError("background must have at least one row to compare with")
    answer = _answer_of(model, task)
    columns = used_features(model)
    sources = np.arange(model.n_features) if sources is None else sources
    used, player = np.unique(sources[columns], return_inverse=True)
    prediction, base = answer(row)[0], answer(rest).mean(axis=0)
    values, error = np.zeros((2, sources.max() + 1, len(base)))
    of_feature = np.zeros(model.n_features, dtype=np.int64)
    of_feature[columns] = player
    trees = _trees_by_leaves(model, task, of_feature)
    few = bool(trees) or len(used) <= exact
    if trees:
        for tree, says in trees:
            values[used] += _by_leaves(tree, says, row[0], rest, of_feature, len(used))
    elif few:
        worth = _worth_of_sets(model, row[0], rest, columns, player, answer)
        values[used] = _weighted(worth, len(used))
    else:
        rng = np.random.default_rng(seed)
        pairs = max(2, -(-n_permutations // (2 * len(rest))))
        values[used], error[used] = _sampled(
            model, row[0], rest, columns, player, answer, pairs, rng
        )
    return ShapleyValues(values, base, prediction, error, few, row[0])


def used_features(model: Tree | Forest) -> np.ndarray:
    """Features that some split has a weight on, or the model of a linear leaf; int64, ascending."""
    used = np.zeros(model.n_features, dtype=bool)
    for tree in (model,) if isinstance(model, Tree) else model.trees:
        axis = tree.feature != OBLIQUE
        used[tree.feature[axis]] = True
        used |= (tree.weights[tree.row[~axis]] != 0).any(axis=0)
        if tree.linear is not None:
            used |= (tree.linear.weights != 0).any(axis=(0, 1))
    return np.flatnonzero(used)


def _answer_of(model: Tree | Forest, task: str) -> Callable[[np.ndarray], np.ndarray]:
    """What a model says of rows: float64 (n_rows, n_outputs)."""
    if isinstance(model, Forest):
        return model.scores
    says = predict_proba if task == "classification" else predict_values
    return lambda rows: np.asarray(says(model, rows), dtype=np.float64)


def _trees_by_leaves(
    model: Tree | Forest, task: str, player: np.ndarray
) -> list[tuple[Tree, np.ndarray]]:
    """The trees that a model adds up, with their leaves' summands.

    Empty where some split asks more than one player; player: int (n_features,).
    """
    trees: tuple[Tree, ...] = (model,) if isinstance(model, Tree) else model.trees
    if isinstance(model, Tree):
        answers, weights = "shares" if task == "classification" else "mean", np.ones(1)
    else:
        answers, weights = model.answer, model.weights / model.weights.sum()
    for tree in trees:
        rows, read = np.nonzero(tree.weights)
        first = np.zeros(len(tree.weights), dtype=np.int64)
        first[rows] = player[read]
        if tree.linear is not None or (first[rows] != player[read]).any():
            return []
    votes = (leaf_votes(tree, answers, w) for tree, w in zip(trees, weights.tolist(), strict=True))
    return list(zip(trees, votes, strict=True))


def _alone(tree: Tree, split: int) -> Tree:
    own = {
        name: getattr(tree, name)[[split]]
        for name in ("threshold", "feature", "row", "missing_left")
    }
    left, right = np.array([[~0], [~1]], dtype=np.int32)
    return tree._replace(left=left, right=right, values=tree.values[:2], **own)


def _by_leaves(tree, says, x, rest, player, k) -> np.ndarray:
    """The values of k features in a tree of cuts, float64 (k, n_outputs).

    A set S reaches a leaf if it holds the a features whose cuts only the row passes, and none of
    the b that only the other row passes. Each of the first is worth ``(a - 1)! b! / (a + b)!`` of
    what the leaf says, each of the second ``-a! (b - 1)! / (a + b)!``.
    """
    rows = np.concatenate([x[None], rest])
    values = np.zeros((k, says.shape[1]))
    pending = [(0, np.ones((len(rows), k), dtype=bool))] if tree.n_splits else []
    while pending:
        split, passes = pending.pop()
        feature = tree.feature[split]
        if feature == OBLIQUE:  # without a weight it asks anybody
            feature = abs(tree.weights[tree.row[split]]).argmax()
        of, goes_left = player[feature], apply(_alone(tree, split), rows) == 0
        for child, goes in ((tree.left[split], goes_left), (tree.right[split], ~goes_left)):
            further = passes.copy()
            further[:, of] &= goes
            mine, others = further[0], further[1:]
            possible = (mine | others).all(axis=1)
            if not possible.any():
                continue
            if child >= 0:
                pending.append((child, further))
                continue
            others = others[possible]
            first, second = mine & ~others, others & ~mine
            a, b = first.sum(axis=1, keepdims=True), second.sum(axis=1, keepdims=True)
            orders = comb(a + b, a)
            share = first / np.maximum(a * orders, 1) - second / np.maximum(b * orders, 1)
            values += (share.sum(axis=0) / len(rest))[:, None] * says[~child]
    return values


def _worth_of_sets(model, x, rest, columns, player, answer) -> np.ndarray:
    """Worth of every set of k used features, by its bits, (2^k, n_outputs)."""
    k = int(player.max(initial=-1)) + 1
    n_sets, n = 1 << k, len(rest)
    worth = np.empty((n_sets, model.n_outputs))
    inside = (np.arange(n_sets)[:, None] >> np.arange(k)) & 1 == 1
    step = max(1, _CELLS // (n * model.n_features))
    for first in range(0, n_sets, step):
        part = inside[first : first + step, player]
        rows = np.repeat(rest[None], len(part), axis=0)
        rows[:, :, columns] = np.where(part[:, None], x[columns], rest[:, columns])
        answers = answer(rows.reshape(-1, model.n_features))
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


def _sampled(model, x, rest, columns, player, answer, pairs, rng) -> tuple[np.ndarray, np.ndarray]:
    """Means over orders of the features, and their standard errors: float64 (k, n_outputs)."""
    k, p = int(player.max(initial=-1)) + 1, model.n_features
    mean, variance = np.zeros((2, k, model.n_outputs))
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
        answers = answer(rows.reshape(-1, p))
        gains = np.diff(answers.reshape(len(both), k + 1, -1), axis=1)
        of_feature = np.take_along_axis(gains, np.argsort(both, axis=1)[:, :, None], axis=1)
        of_pair = of_feature.reshape(len(part), pairs, 2, k, -1).mean(axis=2)
        mean += of_pair.mean(axis=1).sum(axis=0)
        variance += of_pair.var(axis=1, ddof=1).sum(axis=0) / pairs
    return mean / len(rest), np.sqrt(variance) / len(rest)

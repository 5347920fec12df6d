"""A teacher: a random forest, joined by other models as far as they help it, or boosting.

Where rows are many, histogram boosting teaches numbers; where they are few, small boosted trees and
a linear model join the forest.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from treecore.core.routing import class_probabilities, predict_values
from treecore.rows.training_rows import TrainingRows
from treecore.selection.linear import fit_linear

Answers = Callable[[np.ndarray], np.ndarray]
"""From rows, float32 (n_rows, n_features), to probabilities or numbers, (n_rows, n_outputs)."""

TREES = 30

MOST_DRAWN = 2000
"""Rows at most from which one tree learns."""

SHARES = (0.0, 0.25, 0.5, 0.75)
"""Shares that the models beside the forest may have, each one and all of them together."""

MANY_NUMBERS = 3000
"""Rows with numbers as targets beyond which boosting teaches."""

BOOSTING_ROUNDS, FEWEST_ROUNDS, BOOSTED_NUMBERS = 200, 50, 40_000_000
"""Rounds of boosting, within these limits as many as read so many numbers, each row times each
feature counted once a round: a second or two."""

SMALL_NUMBERS = 40_000
"""Numbers, rows times features, up to which small boosted trees join the forest."""

SMALL_TREES = {"learning_rate": 0.2, "n_estimators": 50, "max_depth": 4, "subsample": 0.5}


class Teacher:
    """A random forest, mixed with a linear model and, of numbers, small boosted trees; or boosting.

    shares: of the others in the mix, those of least loss on a third of the rows.
    """

    def __init__(self, rows: TrainingRows, seed: int):
        self._others: list[Answers] = []
        self.shares: tuple[float, ...] = ()
        numbers, size = rows.loss.task == "regression", rows.X.size * rows.n_outputs
        if numbers and len(rows.y) > MANY_NUMBERS:
            self._answers = fit_boosting(rows, seed)
            return
        makers = [linear_answers]
        if numbers and size <= SMALL_NUMBERS:
            makers.append(fit_small_trees)
        self._answers, unseen = _fit_forest(rows, seed)
        self.shares = _best_shares(rows, unseen, makers, seed)
        self._others = [makers[i](rows, seed) for i in np.flatnonzero(self.shares)]

    def answers(self, X: np.ndarray) -> np.ndarray:
        """Probabilities or numbers (n_rows, n_outputs), rounded: last digits decide nothing."""
        answers = self._answers(X)
        if self._others:
            others = [other(X) for other in self._others]
            answers = _mixed(answers, others, [share for share in self.shares if share > 0])
        return np.round(answers, 5)


# scikit-learn's models are imported where they are fitted: that takes a second.


def fit_boosting(rows: TrainingRows, seed: int) -> Answers:
    """Histogram boosting of numbers; seed: of nothing but what it draws for its bins."""
    from sklearn.ensemble import HistGradientBoostingRegressor
    from threadpoolctl import threadpool_limits

    rounds = int(np.clip(BOOSTED_NUMBERS // rows.X.size, FEWEST_ROUNDS, BOOSTING_ROUNDS))
    settings = {"max_iter": rounds, "early_stopping": False, "random_state": seed % 2**32}
    # Alone: sums of several threads round as these happen to end, and others share the processor.
    with threadpool_limits(1, "openmp"):
        return _one_each(rows, lambda: HistGradientBoostingRegressor(**settings))


def fit_small_trees(rows: TrainingRows, seed: int) -> Answers:
    """Stochastic gradient boosting of numbers (Friedman 2002), by exact trees, for few rows."""
    from sklearn.ensemble import GradientBoostingRegressor

    settings = SMALL_TREES | {"random_state": seed % 2**32}
    return _one_each(rows, lambda: GradientBoostingRegressor(**settings))


def _one_each(rows: TrainingRows, make: Callable[[], Any]) -> Answers:
    """One model of scikit-learn for each output."""
    runs = [make().fit(rows.X, y, _unequal(rows.weight)) for y in rows.y.T]
    return lambda X: np.stack([run.predict(X) for run in runs], axis=1)


def _unequal(weight: np.ndarray) -> np.ndarray | None:
    """Weights, or None where all are equal: with weights bins take longer than all else."""
    return None if np.ptp(weight) == 0 else weight


def _fit_forest(rows: TrainingRows, seed: int) -> tuple[Answers, np.ndarray]:
    """A random forest, and what its trees say that have not seen a row; of others NaN or zeros."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    settings = {"n_estimators": TREES, "oob_score": True, "random_state": seed % 2**32}
    settings |= {"max_samples": MOST_DRAWN} if len(rows.y) > MOST_DRAWN else {}
    weight = _unequal(rows.weight)
    with warnings.catch_warnings():  # of rows that every tree has seen
        warnings.simplefilter("ignore", UserWarning)
        if rows.loss.task == "classification":
            forest = RandomForestClassifier(**settings).fit(rows.X, rows.y, weight)
            say, unseen = forest.predict_proba, forest.oob_decision_function_
            present = forest.classes_
        else:
            y = rows.y if rows.n_outputs > 1 else rows.y[:, 0]
            forest = RandomForestRegressor(max_features="sqrt", **settings).fit(rows.X, y, weight)
            say, unseen, present = forest.predict, forest.oob_prediction_, np.arange(rows.n_outputs)

    def whole(said: np.ndarray) -> np.ndarray:
        """Of all classes, also those that no row is of."""
        out = np.zeros((len(said), rows.n_outputs))
        out[:, present] = said.reshape(len(said), -1)
        return out

    return lambda X: whole(say(X)), whole(unseen)


def linear_answers(rows: TrainingRows, seed: int) -> Answers:
    tree = fit_linear(rows, seed)
    if rows.loss.task == "regression":
        return lambda X: predict_values(tree, X)
    return lambda X: class_probabilities(predict_values(tree, X))


def _best_shares(
    rows: TrainingRows,
    of_forest: np.ndarray,
    makers: Sequence[Callable[[TrainingRows, int], Answers]],
    seed: int,
) -> tuple[float, ...]:
    third = np.arange(len(rows.y)) % 3 == 0
    classes = rows.loss.task == "classification"
    known = np.isfinite(of_forest).all(axis=1) & third
    if classes:
        known &= of_forest.sum(axis=1) > 0
    fresh, part = np.flatnonzero(known), rows.take(~third)
    # Too few rows that some tree has not seen to choose a share by.
    if len(fresh) < 10:
        return (0.0,) * len(makers)
    of_others = np.array([make(part, seed)(rows.X[fresh]) for make in makers])
    mixtures = [
        each for each in itertools.product(SHARES, repeat=len(makers)) if sum(each) <= SHARES[-1]
    ]
    tested = rows.take(fresh)
    costs = [_cost(_mixed(of_forest[fresh], of_others, shares), tested) for shares in mixtures]
    return mixtures[int(np.argmin(np.round(costs, 9)))]


def _mixed(
    of_forest: np.ndarray, of_others: Iterable[np.ndarray], shares: Sequence[float]
) -> np.ndarray:
    """Answers in which each other model has its share, and the forest what they leave."""
    mixed = (1 - sum(shares)) * of_forest
    for answers, share in zip(of_others, shares, strict=True):
        mixed = mixed + share * answers
    return mixed


def _cost(answers: np.ndarray, rows: TrainingRows) -> float:
    """Mean log loss of probabilities, or squared error of numbers."""
    if rows.loss.task == "classification":
        right = answers[np.arange(len(rows.y)), rows.y]
        # The log loss ends there, lest one row decide.
        costs = -np.log(np.maximum(right, 1e-3))
    else:
        costs = ((answers - rows.y) ** 2).mean(axis=1)
    return float(np.average(costs, weights=rows.weight))

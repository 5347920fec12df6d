"""A teacher: a random forest, joined by other models as far as they help it, or boosting.

Of numbers histogram boosting teaches where rows are many: on held-out training rows of California
housing its R² was 0.85 where the forest's was 0.77, after an eighth of its time, and a tree of
depth 8 with linear leaves that it taught had 0.80 in place of 0.76. Where they are fewer, small
boosted trees join the forest, as a linear model does: on held-out training rows of nine small
tables the mean R² of the teacher rises from 0.699 to 0.714, on `servo` from 0.81 to 0.89.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np

from treecore.rows.training_rows import TrainingRows
from treecore.selection.boosting import fit_boosting, fit_small_trees, has_time_for_small_trees
from treecore.selection.linear import Answers, fit_linear

TREES = 30

MOST_DRAWN = 2000
"""Rows at most from which one tree learns: what many rows add to one tree, others add as well."""

SHARES = (0.0, 0.25, 0.5, 0.75)
"""Shares that the models beside the forest may have, each one and all of them together."""

MOST_CLASSES = 30
"""With more classes there is no linear model, which is one for each of them."""

FRESH = 10
"""Rows that some tree has not seen, without which no share can be chosen."""

MANY_NUMBERS = 3000
"""Rows with numbers as targets beyond which boosting teaches."""

SMALLEST_PROBABILITY = 1e-3
"""Where the log loss ends, lest one row decide."""


Maker = Callable[[TrainingRows], Answers]
"""What fits a model to rows."""


class Teacher:
    """A random forest, mixed with a linear model and, of numbers, small boosted trees; or boosting.

    The shares are those of least loss on a third of the training rows, as the trees answer that
    have not seen a row (out of bag), and other models of the other two thirds.

    rows: dense. shares: of the linear model and, where there are some, of the boosted trees:
    :data:`SHARES`.
    """

    def __init__(self, rows: TrainingRows, seed: int):
        self._others: list[Answers] = []
        self.shares: tuple[float, ...] = ()
        if rows.loss.task == "regression" and len(rows.y) > MANY_NUMBERS:
            self._answers = fit_boosting(rows, seed)
        else:
            makers: list[Maker] = [fit_linear]
            if has_time_for_small_trees(rows):
                makers.append(partial(fit_small_trees, seed=seed))
            self._answers = self._fit_forest(rows, seed, makers)
            wanted = np.flatnonzero(self.shares)
            self._others = [makers[i](rows) for i in wanted]

    def _fit_forest(self, rows: TrainingRows, seed: int, makers: list[Maker]) -> Answers:
        # Imported here because it takes a second, and boosting needs none of it.
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

        classes = rows.loss.task == "classification"
        n = len(rows.y)
        settings = {"max_samples": MOST_DRAWN} if n > MOST_DRAWN else {}
        settings |= {"n_estimators": TREES, "oob_score": True, "random_state": seed % 2**32}
        weight = None if np.ptp(rows.weight) == 0 else rows.weight
        with warnings.catch_warnings():  # of rows that every tree has seen
            warnings.simplefilter("ignore", UserWarning)
            if classes:
                forest = RandomForestClassifier(**settings).fit(rows.X, rows.y, weight)
                present, unseen = forest.classes_, forest.oob_decision_function_
            else:
                y = rows.y if rows.n_outputs > 1 else rows.y[:, 0]
                forest = RandomForestRegressor(max_features="sqrt", **settings).fit(
                    rows.X, y, weight
                )
                present, unseen = np.arange(rows.n_outputs), forest.oob_prediction_
        say = forest.predict_proba if classes else forest.predict

        def whole(said: np.ndarray) -> np.ndarray:
            """Of all classes, also those that no row is of."""
            out = np.zeros((len(said), rows.n_outputs))
            out[:, present] = said.reshape(len(said), -1)
            return out

        self.shares = self._best_shares(rows, whole(unseen), makers)
        return lambda X: whole(say(X))

    def _best_shares(
        self, rows: TrainingRows, of_forest: np.ndarray, makers: list[Maker]
    ) -> tuple[float, ...]:
        """of_forest: what the trees say that have not seen a row; of others NaN or zeros."""
        third = np.arange(len(rows.y)) % 3 == 0
        classes = rows.loss.task == "classification"
        known = np.isfinite(of_forest).all(axis=1) & third
        if classes:
            known &= of_forest.sum(axis=1) > 0
        fresh, part = np.flatnonzero(known), rows.take(~third)
        few = classes and len(np.unique(part.y)) < 2
        if few or len(fresh) < FRESH or (classes and rows.n_outputs > MOST_CLASSES):
            return (0.0,) * len(makers)
        of_others = np.array([make(part)(rows.X[fresh]) for make in makers])
        mixtures = [
            shares
            for shares in itertools.product(SHARES, repeat=len(makers))
            if sum(shares) <= SHARES[-1]
        ]
        costs = [
            _cost(_mixed(of_forest[fresh], of_others, shares), rows.take(fresh))
            for shares in mixtures
        ]
        return mixtures[int(np.argmin(np.round(costs, 9)))]

    def answers(self, X: np.ndarray) -> np.ndarray:
        """Probabilities of the classes, or numbers; float64 (n_rows, n_outputs).

        Rounded, so that the last digits of a sum decide nothing.
        """
        answers = self._answers(X)
        if self._others:
            others = [other(X) for other in self._others]
            answers = _mixed(answers, others, [share for share in self.shares if share > 0])
        return np.round(answers, 5)


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
        seen_by_tree = answers[np.arange(len(rows.y)), rows.y]
        costs = -np.log(np.maximum(seen_by_tree, SMALLEST_PROBABILITY))
    else:
        costs = ((answers - rows.y) ** 2).mean(axis=1)
    return float(np.average(costs, weights=rows.weight))

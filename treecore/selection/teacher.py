"""A teacher: a random forest, joined by a linear model as far as that helps it, or boosting.

Of numbers histogram boosting teaches where rows are many: on held-out training rows of California
housing its R² was 0.85 where the forest's was 0.77, after an eighth of its time, and a tree of
depth 8 with linear leaves that it taught had 0.80 in place of 0.76.
"""

from __future__ import annotations

import numpy as np

from treecore.ensembles.bagging import draw_rows, generator_of
from treecore.ensembles.forest import Forest
from treecore.ensembles.settings import BaggingSettings
from treecore.rows.tables import SparseRows, n_columns
from treecore.rows.training_rows import TrainingRows
from treecore.selection.linear import Answers, fit_linear
from treecore.training.config import RunConfig
from treecore.training.member import train_whole_member

TREES = 30

MOST_DRAWN = 2000
"""Rows at most from which one tree learns: what many rows add to one tree, others add as well."""

SHARES = (0.0, 0.25, 0.5, 0.75)
"""Shares that the linear model may have."""

MOST_CLASSES = 30
"""With more classes there is no linear model, which is one for each of them."""

FRESH = 10
"""Rows that some tree has not seen, without which no share can be chosen."""

MANY_NUMBERS = 3000
"""Rows with numbers as targets beyond which boosting teaches."""

BOOSTING_ROUNDS, FEWEST_ROUNDS, BOOSTED_NUMBERS = 200, 50, 40_000_000
"""Rounds of boosting, within these limits as many as read so many numbers, each row times each
feature counted once a round: a second or two."""

LEAST_PROBABILITY = 1e-3
"""Where the log loss ends, lest one row decide."""


class Teacher:
    """A random forest, mixed with a linear model; of many numbers histogram boosting.

    The share of the linear model is the one of least loss on the training rows, as the trees answer
    that have not seen a row (out of bag), and linear models of two thirds of the other rows.

    Parameters
    ----------
    rows : TrainingRows
        Dense.
    seed : int

    Attributes
    ----------
    share : float
        Of the linear model, one of :data:`SHARES`.
    """

    def __init__(self, rows: TrainingRows, seed: int):
        self._linear: Answers | None = None
        self.share = 0.0
        if rows.loss.task == "regression" and len(rows.y) > MANY_NUMBERS:
            self._answers = fit_boosting(rows, seed)
        else:
            self._answers = self._fit_forest(rows, seed)
            if self.share > 0:
                self._linear = fit_linear(rows)

    def _fit_forest(self, rows: TrainingRows, seed: int) -> Answers:
        classes = rows.loss.task == "classification"
        config = RunConfig(
            "random-forest",
            n_trees=TREES,
            row_share=min(1.0, MOST_DRAWN / len(rows.y)),
            loss=rows.loss.name,
            seed=seed,
        )
        assert config.base is not None
        assert isinstance(config.settings, BaggingSettings)
        stages = [(config.base.method, config.base.settings)]
        seen = np.zeros((TREES, len(rows.y)), dtype=bool)
        trees = []
        for number in range(TREES):
            trees.append(train_whole_member(config, stages, rows, number, None))
            share, rng = config.settings.row_share, generator_of(seed, number)
            seen[number] = draw_rows(rows.weight, config.settings.sampling, share, rng) > 0
        forest = Forest(tuple(trees), np.ones(TREES), "shares" if classes else "mean")
        self.share = self._best_share(rows, forest, seen)
        return forest.scores

    def _best_share(self, rows: TrainingRows, forest: Forest, seen: np.ndarray) -> float:
        fresh = np.flatnonzero(~seen.all(axis=0))
        third = np.arange(len(rows.y)) % 3
        parts = [rows.take(third != k) for k in range(3)]
        assert not isinstance(rows.X, SparseRows), "estimators have refused sparse tables"
        classes = rows.loss.task == "classification"
        few = classes and any(len(np.unique(part.y)) < 2 for part in parts)
        if few or len(fresh) < FRESH or (classes and rows.n_outputs > MOST_CLASSES):
            return 0.0
        of_forest = np.zeros((len(rows.y), rows.n_outputs))
        for tree, seen_by_tree in zip(forest.trees, seen, strict=True):
            alone = Forest((tree,), np.ones(1), forest.answer)
            of_forest[~seen_by_tree] += alone.scores(rows.X[~seen_by_tree])
        of_forest[fresh] /= (~seen[:, fresh]).sum(axis=0)[:, None]
        of_linear = np.zeros_like(of_forest)
        for k, part in enumerate(parts):
            of_linear[third == k] = fit_linear(part)(rows.X[third == k])
        known = rows.take(fresh)
        costs = [
            _cost((1 - share) * of_forest[fresh] + share * of_linear[fresh], known)
            for share in SHARES
        ]
        return SHARES[int(np.argmin(np.round(costs, 9)))]

    def answers(self, X: np.ndarray) -> np.ndarray:
        """Probabilities of the classes, or numbers; float64 (n_rows, n_outputs).

        Rounded, so that the last digits of a sum decide nothing.
        """
        answers = self._answers(X)
        if self._linear is not None:
            answers = (1 - self.share) * answers + self.share * self._linear(X)
        return np.round(answers, 5)


def fit_boosting(rows: TrainingRows, seed: int) -> Answers:
    """Histogram boosting of numbers, one run for each output.

    Parameters
    ----------
    rows : TrainingRows
        Dense.
    seed : int
        Of nothing but what boosting draws for its bins.
    """
    # Imported here because it takes a second, and most tables are small.
    from sklearn.ensemble import HistGradientBoostingRegressor
    from threadpoolctl import threadpool_limits

    numbers = len(rows.y) * n_columns(rows.X)
    rounds = int(np.clip(BOOSTED_NUMBERS // numbers, FEWEST_ROUNDS, BOOSTING_ROUNDS))

    # Equal weights are left out: bins by weighted quantiles take several times as long as all else.
    weight = None if np.ptp(rows.weight) == 0 else rows.weight

    def fit(y: np.ndarray) -> HistGradientBoostingRegressor:
        made = HistGradientBoostingRegressor(
            max_iter=rounds, early_stopping=False, random_state=seed % 2**32
        )
        return made.fit(rows.X, y, sample_weight=weight)

    # Alone: sums of several threads round as these happen to end, and others share the processor.
    with threadpool_limits(1, "openmp"):
        runs = [fit(y) for y in rows.y.T]

    def answers(X: np.ndarray) -> np.ndarray:
        with threadpool_limits(1, "openmp"):
            return np.stack([run.predict(X) for run in runs], axis=1)

    return answers


def _cost(answers: np.ndarray, rows: TrainingRows) -> float:
    """Mean log loss of probabilities, or squared error of numbers."""
    if rows.loss.task == "classification":
        seen_by_tree = answers[np.arange(len(rows.y)), rows.y]
        costs = -np.log(np.maximum(seen_by_tree, LEAST_PROBABILITY))
    else:
        costs = ((answers - rows.y) ** 2).mean(axis=1)
    return float(np.average(costs, weights=rows.weight))

"""Boosted trees that teach numbers, by scikit-learn."""

from __future__ import annotations

import numpy as np

from treecore.rows.training_rows import TrainingRows
from treecore.selection.linear import Answers

BOOSTING_ROUNDS, FEWEST_ROUNDS, BOOSTED_NUMBERS = 200, 50, 40_000_000
"""Rounds of boosting, within these limits as many as read so many numbers, each row times each
feature counted once a round: a second or two."""

SMALL_ROUNDS, SMALL_NUMBERS = 50, 40_000
"""Small trees, and the numbers, rows times features, up to which they are asked for: each round
sorts half of them on every level."""

SMALL_DEPTH, SMALL_SHARE, SMALL_RATE = 4, 0.5, 0.2
"""Their depth, the share of the rows that each is grown from, and the learning rate. On held-out
training rows of seven small tables a teacher with 100 of half the rate had an R² of 0.738 in the
mean (0.723 without), with 200 of a quarter 0.744, with 100 of depth 6 or of all rows 0.741 and
0.734, and with histograms 0.729 to 0.737. With 40 or 60 it was as good as with 100 on two tables,
in half of the time."""


def fit_boosting(rows: TrainingRows, seed: int) -> Answers:
    """Histogram boosting of numbers, one run for each output.

    rows: dense; seed: of nothing but what boosting draws for its bins.
    """
    # Imported here because it takes a second, and most tables are small.
    from sklearn.ensemble import HistGradientBoostingRegressor
    from threadpoolctl import threadpool_limits

    numbers = len(rows.y) * rows.X.shape[1]
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


def has_time_for_small_trees(rows: TrainingRows) -> bool:
    """Whether small trees take a moment; they are of numbers only."""
    numbers = len(rows.y) * rows.X.shape[1] * rows.n_outputs
    return rows.loss.task == "regression" and numbers <= SMALL_NUMBERS


def fit_small_trees(rows: TrainingRows, seed: int) -> Answers:
    """Stochastic gradient boosting of numbers (Friedman 2002), one run for each output.

    Its trees are exact, and of few rows better than those of histograms.

    rows: dense.
    """
    # Imported here because it takes a second, and classes need none of it.
    from sklearn.ensemble import GradientBoostingRegressor

    def fit(y: np.ndarray) -> GradientBoostingRegressor:
        made = GradientBoostingRegressor(
            learning_rate=SMALL_RATE,
            n_estimators=SMALL_ROUNDS,
            max_depth=SMALL_DEPTH,
            subsample=SMALL_SHARE,
            random_state=seed % 2**32,
        )
        return made.fit(rows.X, y, sample_weight=rows.weight)

    runs = [fit(y) for y in rows.y.T]

    def answers(X: np.ndarray) -> np.ndarray:
        return np.stack([run.predict(X) for run in runs], axis=1)

    return answers

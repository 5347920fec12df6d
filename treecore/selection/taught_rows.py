"""Rows drawn for a single tree to learn from, with what a teacher says of them.

Such a tree keeps most of what an ensemble has gained (Breiman and Shang 1996, "Born again trees").
A drawn row is a training row with some values of other rows, or lies between two neighbours.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.rows.column_sums import column_means
from treecore.rows.finite import filled
from treecore.rows.training_rows import TrainingRows
from treecore.selection.teacher import MANY_NUMBERS, Answers, Teacher

TIMES, FEWEST, MOST = 5, 2000, 10_000
"""Rows drawn: so many times the training rows, within these limits."""

TIMES_OF_FEW = 30
"""The same of numbers, up to :data:`treecore.selection.teacher.MANY_NUMBERS` rows."""

MOST_OF_NUMBERS, NUMBERS = 40_000, 400_000
"""Of numbers up to the first are drawn where that is no more than the second times features."""

BETWEEN = 0.5
"""Share of the drawn rows with numbers that lie between neighbours; of classes it helps nothing."""

MOST_NEAR = 500_000
"""Numbers, rows times features, of the rows among which neighbours are sought."""


class TaughtRows(NamedTuple):
    """The training rows with their own targets, and drawn ones, X (n_drawn, n_features).

    answers: float64 (n_drawn, n_outputs), probabilities, or numbers in the units of the rows.
    """

    rows: TrainingRows
    X: np.ndarray
    answers: np.ndarray


class AnsweredRows(NamedTuple):
    """Drawn rows X (n_drawn, n_features) and the answers (n_drawn, n_outputs) of a teacher."""

    X: np.ndarray
    answers: np.ndarray


def draw_taught_rows(rows: TrainingRows, teacher: Teacher, seed: int) -> TaughtRows:
    """Draw rows and have them taught; rows: dense."""
    numbers = rows.loss.task == "regression"
    n, between = n_to_draw(rows.X.shape, numbers), BETWEEN if numbers else 0.0
    drawn = answered_rows(
        teacher.answers, rows.X, n, seed, sample_weight=rows.weight, between=between
    )
    seen, y, weight = as_targets(*drawn, numbers)
    weight = np.concatenate([rows.weight, weight])
    taught = TrainingRows(
        np.concatenate([rows.X, seen]),
        np.concatenate([rows.y, y.astype(rows.y.dtype)]),
        weight * (len(weight) / weight.sum()),
        rows.n_outputs,
        rows.loss,
    )
    return TaughtRows(taught, *drawn)


def n_to_draw(shape: tuple[int, ...], numbers: bool) -> int:
    """How many rows are drawn where nobody says. shape: of the rows that there are."""
    (n_rows, n_features), times, most = shape, TIMES, MOST
    if numbers:
        times = TIMES if n_rows > MANY_NUMBERS else TIMES_OF_FEW
        most = int(np.clip(NUMBERS // max(1, n_features), MOST, MOST_OF_NUMBERS))
    return int(np.clip(times * n_rows, FEWEST, most))


def answered_rows(
    teacher: Answers,
    X: np.ndarray,
    n_rows: int,
    seed: int,
    *,
    sample_weight: np.ndarray | None = None,
    between: float = 0.0,
) -> AnsweredRows:
    """Draw ``n_rows`` like those of ``X`` (NaN: missing) and ask ``teacher``, a function of rows.

    between: share that lies between neighbours, while the others have some values of other rows.
    """
    weight = np.ones(len(X)) if sample_weight is None else sample_weight
    n_between = round(between * n_rows)
    drawn = smeared(X, weight, n_rows - n_between, np.random.default_rng([seed, 1]))
    if n_between:
        near = _between(X, weight, n_between, np.random.default_rng([seed, 2]))
        drawn = np.concatenate([drawn, near])
    return AnsweredRows(drawn, teacher(drawn))


def as_targets(
    X: np.ndarray, answers: np.ndarray, numbers: bool, weight: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, targets and weights to learn answers from: a row for each possible class."""
    weight = np.ones(len(X)) if weight is None else weight
    if numbers:
        return X, answers, weight
    # Classes below 5 % are not taught.
    row, label = np.nonzero(answers > 0.05)
    return X[row], label, answers[row, label] * weight[row]


def _drawn(weight: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """So many row numbers, by the rows' weights."""
    return rng.choice(len(weight), n, p=weight / weight.sum())


def _between(X: np.ndarray, weight: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Rows drawn by their weights, each moved towards one of its nearest neighbours."""
    # Imported here because it takes a while, and most runs draw no such rows.
    from sklearn.neighbors import KDTree

    known = filled(X, column_means(X))
    deviation = known.std(axis=0, dtype=np.float64)
    Z = known / np.where(deviation > 0, deviation, 1.0)
    # Whether a row finds itself first does not matter: then it is drawn as it is.
    row = _drawn(weight, n, rng)
    asked, place = np.unique(row, return_inverse=True)
    among = np.arange(len(X))
    if X.size > MOST_NEAR:
        n_near = max(6, MOST_NEAR // X.shape[1])
        among = np.random.default_rng(len(X)).permutation(among)[:n_near]
    k = min(6, len(among))  # itself and five neighbours
    near = among[KDTree(Z[among]).query(Z[asked], k, return_distance=False)]
    other = near[place, rng.integers(0, k, n)]
    way = rng.random((n, 1))
    return (X[row] + way * (X[other] - X[row])).astype(np.float32)


def smeared(X: np.ndarray, weight: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Rows drawn by their weights, of which some values are drawn anew from their columns."""
    drawn = X[_drawn(weight, n, rng)]
    for j in range(X.shape[1]):
        other = np.flatnonzero(rng.random(n) < 0.3)
        drawn[other, j] = X[_drawn(weight, len(other), rng), j]
    return drawn

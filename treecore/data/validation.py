"""What a run accepts: rows, targets and weights, checked once and scaled.

Learners trust what comes from here. Numbers to be predicted have mean 0 and deviation 1, weights
have mean 1. Missing values stay: the rows know the means that learners read who need a number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treecore.core.routing import as_rows
from treecore.core.running_stats import RunningStats
from treecore.core.tree import Tree
from treecore.losses.base import Loss
from treecore.rows.column_sums import column_means
from treecore.rows.training_rows import TrainingRows

MAX_LOG_ODDS = 1e4
"""Greatest leaf value of a starting tree: a probability of e^-10000 is beyond learning."""

MIN_SPREAD = 1e-35
"""Smallest deviation of targets that can be learnt; beyond it float32 numbers become 0."""

MAX_CLASSES = 10_000
"""Most classes of a tree; more are a sign of numbers that were never class indices."""


@dataclass(frozen=True)
class TargetScaling:
    """How numbers are scaled for training, and what missing values are read as.

    missing: float64 (n_features,); centre, spread: float64 (n_outputs,) or (0,), mean and deviation
    of the training targets; empty for classes.
    """

    missing: np.ndarray
    centre: np.ndarray
    spread: np.ndarray

    def inverse_transform(self, tree: Tree) -> Tree:
        """A learner's tree with values in the targets' own units."""
        if self.spread.size:
            values = tree.values * self.spread + self.centre  # float64, as the centre may be far
            linear = tree.linear and tree.linear.scaled(self.spread, self.centre)
            tree = tree._replace(values=values, linear=linear)
        return tree._replace(missing=self.missing.astype(np.float32))

    def transform(self, tree: Tree) -> Tree:
        """A tree with values in the targets' own units as a learner reads it."""
        if not self.spread.size:
            return tree
        values = ((tree.values - self.centre) / self.spread).astype(np.float32)
        linear = tree.linear and tree.linear.scaled(1 / self.spread, -self.centre / self.spread)
        return tree._replace(values=values, linear=linear and linear.rounded())

    def scale(self, y: np.ndarray, what: str) -> np.ndarray:
        """Targets as a learner reads them, float32 (n_samples, n_outputs)."""
        with np.errstate(over="ignore"):
            scaled = ((y - self.centre) / self.spread).astype(np.float32)
        if not np.isfinite(scaled).all():
            raise ValueError(
                f"{what}: y holds a number that is more than 1e38 deviations away from the mean of "
                "the training targets; remove such rows"
            )
        return scaled


def balanced(y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Weights of rows, of mean 1, by which all classes that have weight weigh the same.

    y: int64 (n_samples,), classes; weight: float64 (n_samples,).
    """
    total = np.bincount(y, weight)
    present = total > 0
    factor = np.divide(total.sum(), present.sum() * total, out=np.zeros_like(total), where=present)
    weight = weight * factor[y]
    return weight * (len(weight) / weight.sum())


def read_training(
    X,
    y,
    sample_weight,
    class_weight: str,
    loss: Loss,
    n_classes: int | None,
    moments: RunningStats | None = None,
    one_unit: bool = False,
):
    """Training rows from what a caller gives; returns (TrainingRows, Units).

    one_unit: several numbers, as shares of classes, are not divided by their deviations.
    Raises ValueError for rows, targets or weights that no tree can be learnt from.
    """
    X, y = _checked(X, y, loss, "training")
    weight, mean_weight = _weights(sample_weight, len(y))
    if class_weight == "balanced" and loss.task == "classification":
        weight = balanced(y, weight)
    missing = column_means(X, weight) if moments is None else moments.missing
    X = np.ascontiguousarray(X, dtype=np.float32)
    if loss.task == "classification":
        n_outputs = max(n_classes or 2, 2, 1 + int(y.max()))
        units = TargetScaling(missing, np.empty(0), np.empty(0))
    else:
        n_outputs = y.shape[1]
        if moments is not None:
            centre, spread = moments.targets
        else:
            centre, spread = _moments(y, weight)
        spread = np.ones_like(spread) if one_unit else _checked_spread(centre, spread)
        units = TargetScaling(missing, centre, spread)
        y = units.scale(y, "training")
    means = missing.astype(np.float32)
    return TrainingRows(X, y, weight, n_outputs, loss, mean_weight, means), units


def _moments(y: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and deviation of targets, float64 (n_outputs,) each."""
    centre = np.average(y, axis=0, weights=weight)
    for _ in range(2):
        off = y - centre
        size = np.exp2(
            np.floor(
                np.log2(np.abs(off).max(axis=0), where=off.any(axis=0), out=np.zeros_like(centre))
            )
        )
        off /= size  # squares of tiny numbers would be 0
        spread = size * np.sqrt(np.average(off**2, axis=0, weights=weight))
        far = np.abs(centre) > 1e6 * spread
        if not far.any():
            break
        # Summing many large numbers has rounded their mean; that of what is left is exact.
        centre = np.where(far, centre + size * np.average(off, axis=0, weights=weight), centre)
    return centre, spread


def _checked_spread(centre: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """What targets are divided by: their deviation, or 1 where that is the rounding of float64."""
    constant = spread <= 1e-15 * np.abs(centre)
    tiny = np.flatnonzero(~constant & (spread > 0) & (spread < MIN_SPREAD))
    if tiny.size:
        raise ValueError(
            f"training: the deviation of y is {spread[tiny[0]]:.3g}, and {MIN_SPREAD:g} is the "
            "smallest that can be learnt; give the targets in a smaller unit"
        )
    return np.where(constant | (spread == 0), 1.0, spread)


def read_validation(X, y, rows: TrainingRows, units: TargetScaling, weight=None) -> TrainingRows:
    """Rows to be measured only, as ``rows`` are; each counts as one, or its weight.

    X: (n_samples, n_features); y: (n_samples,) or (n_samples, n_outputs); weight: (n_samples,) or
    None.
    """
    X, y = _checked(X, y, rows.loss, "validation")
    if X.shape[1] != rows.X.shape[1]:
        raise ValueError(
            f"the validation rows have {X.shape[1]} features, the training rows {rows.X.shape[1]}"
        )
    X = np.ascontiguousarray(X, dtype=np.float32)
    n_outputs = rows.n_outputs
    if rows.loss.task == "regression":
        if y.shape[1] != n_outputs:
            raise ValueError(
                f"the validation targets have {y.shape[1]} outputs, the training targets "
                f"{n_outputs}"
            )
        y = units.scale(y, "validation")
    elif y.max() >= n_outputs:
        raise ValueError(
            f"validation: y holds class {y.max()}, which the training rows do not know"
        )
    weight = _weights(weight, len(y))[0]
    return TrainingRows(X, y, weight, n_outputs, rows.loss, means=rows.means)


MIN_LEVELS = 256
"""Values that float32 must tell apart in the range of a column, or a caller is told."""


def coarse_columns(X: np.ndarray) -> list[tuple[int, float]]:
    """Columns whose values are too close together for float32, and the range of each.

    X: array of numbers, shape (n_samples, n_features).
    """
    if X.dtype.itemsize < 4 or not X.size:
        return []
    with np.errstate(all="ignore"):
        low, high = (f.reduce(X, axis=0).astype(np.longdouble) for f in (np.fmin, np.fmax))
        apart = np.spacing(np.maximum(np.abs(low), np.abs(high)).astype(np.float32))
        span = high - low
        tiny = span < MIN_SPREAD
        doubtful = np.flatnonzero((span > 0) & (tiny | (span < MIN_LEVELS * apart)))
        return [
            (int(j), float(span[j]))
            for j in doubtful
            if tiny[j] or len(np.unique(X[:, j].astype(np.float32))) < len(np.unique(X[:, j]))
        ]


def far_columns(X: np.ndarray) -> np.ndarray:
    """Columns in which few values are so far away that the others are one place once scaled.

    Such a column is more than 500 times as wide as the middle half of its values.
    X: array of numbers, shape (n_samples, n_features), NaN where missing.
    """
    if not X.size:
        return np.arange(0)
    some = np.sort(X[:: -(-len(X) // 5000)].astype(np.float64), axis=0)  # what is missing last
    known = np.count_nonzero(~np.isnan(some), axis=0)
    lower, upper = (np.take_along_axis(some, known[None] * k // 4, 0)[0] for k in (1, 3))
    low, high = (f.reduce(X, axis=0).astype(np.float64) for f in (np.fmin, np.fmax))
    return np.flatnonzero((lower < upper) & (high - low > 500 * (upper - lower)))


def check_start(start: Tree | None, rows: TrainingRows) -> None:
    """Check that learning can go on from ``start``, whose values are in the targets' own units.

    Raises ValueError where its features or outputs are not those of the rows, or its values are too
    large.
    """
    if start is None:
        return
    if start.n_features != rows.X.shape[1]:
        raise ValueError(
            f"the starting tree reads {start.n_features} features, the data have {rows.X.shape[1]}"
        )
    classes = rows.loss.task == "classification"
    if classes and np.abs(start.values).max() > MAX_LOG_ODDS:
        raise ValueError(
            f"the starting tree has leaf values beyond {MAX_LOG_ODDS:g}, too large to learn from"
        )
    if start.n_outputs != rows.n_outputs:
        what = "classes" if classes else "outputs"
        raise ValueError(
            f"the starting tree knows {start.n_outputs} {what}, the data have {rows.n_outputs}"
        )


def _checked(X, y, loss: Loss, what: str):
    X = as_rows(X, missing=True)
    n = len(X)
    if X.shape[1] == 0:
        raise ValueError(f"the {what} rows have no features")
    if n == 0:
        raise ValueError(f"there are no {what} rows")
    y = np.asarray(y)
    if loss.task == "classification":
        return X, _classes(y, n, what)
    return X, _numbers(y, n, what)


def _classes(y: np.ndarray, n: int, what: str) -> np.ndarray:
    if y.shape != (n,):
        raise ValueError(f"{what}: {n} rows need as many labels, y has shape {y.shape}")
    if y.dtype.kind not in "iu" or y.min() < 0:
        raise ValueError(f"{what}: y must hold class indices 0, 1, 2, ... as whole numbers")
    if y.max() >= MAX_CLASSES:  # kernels use labels as addresses
        raise ValueError(
            f"{what}: y holds class {y.max()}, but {MAX_CLASSES} classes are allowed at most"
        )
    # No copy of those that are as kernels read them; nobody writes to them.
    return np.require(y, np.int64, ["C", "W", "A"])


def _numbers(y: np.ndarray, n: int, what: str) -> np.ndarray:
    if y.ndim == 1:
        y = y[:, None]
    if y.ndim != 2 or len(y) != n or y.shape[1] == 0:
        raise ValueError(f"{what}: {n} rows need as many targets, y has shape {y.shape}")
    if y.dtype.kind not in "fiub":
        raise ValueError(f"{what}: y must hold numbers for a loss on numbers, but holds {y.dtype}")
    y = y.astype(np.float64)
    if not np.isfinite(y).all() or np.abs(y).max() > 1e30:
        raise ValueError(
            f"{what}: y holds a number that is missing, infinite or beyond 1e30: leave out its "
            "row, or give the targets in another unit"
        )
    return y


def _weights(weight, n: int) -> tuple[np.ndarray, float]:
    """Weights of mean 1, float64 (n,), and what their mean was."""
    if weight is None:  # no array of equal numbers for as long as the run takes
        return np.broadcast_to(1.0, n), 1.0
    weight = np.asarray(weight)
    if weight.shape != (n,):
        raise ValueError(f"{n} rows need as many weights, sample_weight has shape {weight.shape}")
    if weight.dtype.kind not in "fiub":
        raise ValueError(f"sample_weight must hold numbers, but holds {weight.dtype}")
    weight = weight.astype(np.float64)
    if not np.isfinite(weight).all() or weight.min() < 0:
        raise ValueError("sample_weight holds a number that is missing, infinite or negative")
    with np.errstate(over="ignore"):  # which the sentence below tells
        mean = weight.mean()
    if not 1e-300 < mean < np.inf:  # what is smoothed is divided by it
        raise ValueError("all rows have weight 0 (or weights overflow): there is nothing to learn")
    weight /= mean
    weight[weight < 1e-290] = 0.0  # else the ratio of two weights may be infinite
    return weight, float(mean)

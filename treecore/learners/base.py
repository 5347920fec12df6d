"""What every learner offers, and what comes out of every step.

A learner is one method at work on one training set. It advances in small portions, so that
whoever drives it (a page, a progress bar, a test) can stop between any two of them; how the
portions are cut never changes the tree that comes out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from treecore.core.rows import SparseRows
from treecore.core.tree import Tree


@dataclass(frozen=True)
class Reassignment:
    """What Stable SGD did when it assigned all examples to leaves anew.

    Attributes
    ----------
    n_moved : int
        Training rows whose leaf has changed.
    n_woken, n_asleep : int
        Leaves that got rows and had none, and that lost all of theirs.
    """

    n_moved: int
    n_woken: int
    n_asleep: int


@dataclass(frozen=True)
class Event:
    """What one step of training did, and how good the tree is.

    The figures are those of the last *measured* tree: one is measured before the first update
    and at the end of every pass. A step in the middle of a pass repeats them. Means are weighted
    where rows have weights. With numbers as targets, losses and the bound are in squared standard
    deviations of the training targets, summed over the outputs.

    Attributes
    ----------
    stage : str
        The method at work: the run's own, or the one that grows its starting tree.
    epoch : float
        Passes over the training rows so far, fractional inside a pass. Greedy learners count
        the levels of the tree instead.
    complete : bool
        Whether this step finished a measurement, so that the figures are new.
    progress : float
        Share of this stage that is done, 0 to 1.
    bound : float or None
        Mean surrogate bound over the training rows, in nats for the log loss; None where the
        method has none.
    loss, validation_loss : float or None
        Mean loss, in nats for the log loss; None before the first measurement, and without
        validation rows.
    accuracy, validation_accuracy : float or None
        Share of rows classified correctly, 0 to 1; None where targets are numbers.
    active_leaves : int
        Leaves reached by at least one training row.
    n_leaves : int
        Leaves of the tree.
    row_norm : float or None
        Mean Euclidean norm of the rows of W, offset included, in training coordinates.
    inner_products : float or None
        Inner products spent per training row in the present or last pass.
    seconds : float
        Time spent learning so far, measuring not included.
    reassignment : Reassignment or None
        Set where the pass that ended here ended with one.
    r2, validation_r2 : float or None
        Share of the targets' variance that is explained, at most 1; None for classes.
    """

    stage: str
    epoch: float
    complete: bool
    progress: float
    bound: float | None
    loss: float | None
    validation_loss: float | None
    accuracy: float | None
    validation_accuracy: float | None
    active_leaves: int
    n_leaves: int
    row_norm: float | None
    inner_products: float | None
    seconds: float
    reassignment: Reassignment | None = None
    r2: float | None = None
    validation_r2: float | None = None


@dataclass(frozen=True)
class EnsembleEvent:
    """What one step of an ensemble's training did, and how good the ensemble is.

    Errors are weighted shares of rows that are classified wrongly, 0 to 1; for numbers as targets
    they are mean squared errors in the targets' own units.

    Attributes
    ----------
    stage : str
        Name of the ensemble in its registry.
    unit : str
        What ``done`` counts: ``"tree"`` or ``"batch"`` (a mini-batch).
    done, total : int
        Units so far, and at most in the whole run.
    progress : float
        Share of the run that is done, 0 to 1; moves inside a unit as well.
    complete : bool
        Whether this step finished a measurement, so that the figures are new.
    error, validation_error, oob_error : float or None
        Of the whole ensemble on training rows, on held-out rows, and on every training row by the
        trees that have not seen it; None where there is no such measurement.
    loss, validation_loss : float or None
        Mean loss, in nats for the log loss; for boosting the exponential loss.
    seconds : float
        Time spent learning so far, measuring not included.
    note : str
        Why the run has ended before its time, in a sentence; empty otherwise.
    """

    stage: str
    unit: str
    done: int
    total: int
    progress: float
    complete: bool
    error: float | None = None
    validation_error: float | None = None
    oob_error: float | None = None
    loss: float | None = None
    validation_loss: float | None = None
    seconds: float = 0.0
    note: str = ""


class Learner(Protocol):
    """One method at work on one training set; see the module docstring."""

    name: str
    """Name of the method in the registry."""

    epoch: float
    """Passes done so far, fractional inside a pass."""

    n_epochs: int
    """Passes in the whole run."""

    pass_units: int
    """Units of work in one pass, see :meth:`advance`."""

    train_rows: np.ndarray | SparseRows
    """The training rows in the form that :meth:`measure` reads."""

    finished: bool
    """Whether nothing is left to do."""

    row_norm: float | None
    """See :class:`Event`."""

    inner_products: float | None
    """See :class:`Event`."""

    def advance(self, budget: int) -> int:
        """Do about ``budget`` units of work, never beyond the end of the current pass.

        Returns the units done. What a unit is, is the learner's affair (an example, a scanned
        value); only its cost in time must be roughly constant.
        """
        ...

    def tree(self) -> Tree:
        """The present tree. It reads raw features, whatever the learner itself works on."""
        ...

    def prepare(self, X: np.ndarray | SparseRows) -> np.ndarray | SparseRows:
        """Raw rows, shape (n_samples, n_features), in the form that :meth:`measure` reads."""
        ...

    def measure(self, rows: np.ndarray | SparseRows, y: np.ndarray, weight: np.ndarray, bounded):
        """Where some prepared rows are, and their bound.

        Returns the leaf of every row, int32 (n_rows,), and the weighted sum of their surrogate
        bounds, or None where ``bounded`` is false or the method has no bound.
        """
        ...

    def values(self) -> np.ndarray:
        """The present leaf values, float32 (n_leaves, n_outputs)."""
        ...

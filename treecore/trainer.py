"""What every learner offers, and what comes out of every step.

A learner is one method at work on prepared rows. It advances in small portions, so that
whoever drives it (a page, a progress bar, a test) can stop between any two of them; how the
portions are cut never changes the tree that comes out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from treecore.tree import Tree


@dataclass(frozen=True)
class Event:
    """What one step of training did, and how good the tree is.

    The figures are those of the last *measured* tree: one is measured before the first step
    and at the end of every pass. A step in the middle of a pass repeats them.

    Attributes
    ----------
    stage : str
        The method at work: the run's own, or the one that grows its starting tree.
    epoch : float
        Passes over the training data so far, fractional inside a pass. Greedy learners count
        the levels of the tree instead.
    complete : bool
        Whether this step ended a pass, so that the figures are new.
    progress : float
        Share of the whole run that is done, 0 to 1.
    bound : float or None
        Mean surrogate bound over the training rows, in nats; None where the method has none.
    loss, validation_loss : float
        Mean log loss in nats. Validation figures are None without validation rows.
    accuracy, validation_accuracy : float
        Share of rows classified correctly, 0 to 1.
    active_leaves : int
        Leaves reached by at least one training row.
    n_leaves : int
        Leaves of the tree.
    row_norm : float or None
        Mean Euclidean norm of the rows of W, offset included, in the learner's coordinates.
    inner_products : float or None
        Inner products spent per training row in the last pass.
    seconds : float
        Time spent learning so far, measuring not included.
    """

    stage: str
    epoch: float
    complete: bool
    progress: float
    bound: float | None
    loss: float
    validation_loss: float | None
    accuracy: float
    validation_accuracy: float | None
    active_leaves: int
    n_leaves: int
    row_norm: float | None
    inner_products: float | None
    seconds: float


class Learner(Protocol):
    """One method at work on prepared rows; see the module docstring."""

    name: str
    """Name of the method in the registry."""

    epoch: float
    """Passes done so far, fractional inside a pass."""

    n_epochs: float
    """Passes in the whole run."""

    finished: bool
    """Whether nothing is left to do."""

    def advance(self, budget: int) -> int:
        """Do about ``budget`` units of work, never beyond the end of the current pass.

        Returns the units done. What a unit is, is the learner's affair (an example, a scanned
        value); only its cost in time must be roughly constant.
        """
        ...

    def tree(self) -> Tree:
        """The present tree, in the coordinates of the rows that the learner was given."""
        ...

    def measure(self, tally: Tally, X: np.ndarray, y: np.ndarray, bound: bool) -> None:
        """Add prepared rows to ``tally``: X (n, p) float32, y (n,) int64."""
        ...


class Tally:
    """Sums over measured rows; means are taken when all rows are in.

    Attributes
    ----------
    n : int
        Rows measured.
    loss, bound : float
        Sums in nats; ``bound`` stays 0 where it is not asked for.
    hits : int
        Rows classified correctly.
    inner_products : int
        Inner products spent.
    counts : int64 array, shape (n_leaves, n_classes)
        Rows of each class in each leaf.
    """

    def __init__(self, n_leaves: int, n_classes: int):
        self.n = 0
        self.loss = 0.0
        self.bound = 0.0
        self.hits = 0
        self.inner_products = 0
        self.counts = np.zeros((n_leaves, n_classes), dtype=np.int64)

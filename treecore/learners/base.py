"""The interface of all learners: one method at work on one training set.

It advances in small portions; how they are cut never changes the tree that comes out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from treecore.core.tree import Tree
from treecore.rows.training_rows import TrainingRows


@dataclass(frozen=True)
class Reassignment:
    """What Stable SGD did when it assigned all examples to leaves anew.

    n_moved: rows whose leaf has changed; n_woken, n_asleep: leaves that got rows, or lost all.
    """

    n_moved: int
    n_woken: int
    n_asleep: int


class Learner(Protocol):
    """One method at work on one training set; see the module docstring."""

    name: str
    """Name of the method in the registry."""

    n_epochs: int
    """Passes in the whole run."""

    train_rows: np.ndarray
    """The training rows, in the form that :meth:`measure` reads."""

    @property
    def epoch(self) -> float:
        """Passes done so far, fractional inside a pass."""
        ...

    @property
    def pass_units(self) -> int:
        """Units of work in one pass, see :meth:`advance`."""
        ...

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        ...

    @property
    def row_norm(self) -> float | None:
        """See :class:`treecore.training.events.Event`."""
        ...

    @property
    def inner_products(self) -> float | None:
        """See :class:`treecore.training.events.Event`."""
        ...

    def advance(self, budget: int) -> int:
        """Do about ``budget`` units, at most to the end of the pass; return how many.

        Units are the learner's affair; each must take about the same time.
        """
        ...

    def tree(self) -> Tree:
        """The present tree. It reads raw features, whatever the learner itself works on."""
        ...

    def prepare(self, rows: TrainingRows) -> np.ndarray:
        """Other rows like those of the training, in the form that :meth:`measure` reads."""
        ...

    def measure(self, rows: np.ndarray, y: np.ndarray, weight: np.ndarray, bounded):
        """Leaves, int32 (n_rows,), of prepared rows, and the weighted sum of bounds, or None."""
        ...

    def predictions(self, rows: np.ndarray, leaf: np.ndarray) -> np.ndarray | None:
        """What linear leaves predict for prepared rows (n_rows, n_outputs); None for constants."""
        ...

    def values(self) -> np.ndarray:
        """The present leaf values, float32 (n_leaves, n_outputs)."""
        ...

"""The interface of all learners.

A learner is one method at work on one training set. It advances in small portions, so that
whoever drives it (a page, a progress bar, a test) can stop between any two of them; how the
portions are cut never changes the tree that comes out.
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


class Learner(Protocol):
    """One method at work on one training set; see the module docstring."""

    @property
    def name(self) -> str:
        """Name of the method in the registry."""
        ...

    @property
    def epoch(self) -> float:
        """Passes done so far, fractional inside a pass."""
        ...

    @property
    def n_epochs(self) -> int:
        """Passes in the whole run."""
        ...

    @property
    def pass_units(self) -> int:
        """Units of work in one pass, see :meth:`advance`."""
        ...

    @property
    def train_rows(self) -> np.ndarray:
        """The training rows; some of them, by ``take_rows``, are what :meth:`measure` reads."""
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
        """Do about ``budget`` units of work, never beyond the end of the current pass.

        Returns the units done. What a unit is, is the learner's affair (an example, a scanned
        value); only its cost in time must be roughly constant.
        """
        ...

    def tree(self) -> Tree:
        """The present tree. It reads raw features, whatever the learner itself works on."""
        ...

    def prepare(self, rows: TrainingRows) -> np.ndarray:
        """Other rows like those of the training, in the form that :meth:`measure` reads."""
        ...

    def measure(self, rows: np.ndarray, y: np.ndarray, weight: np.ndarray, bounded):
        """Where some prepared rows end, and their surrogate bound.

        Parameters
        ----------
        rows : array, shape (n_rows, width)
            As :meth:`prepare` gives them.
        y : int64 array, shape (n_rows,), or float32 array, shape (n_rows, n_outputs)
        weight : float64 array, shape (n_rows,)
        bounded : bool
            Whether to compute the bound.

        Returns
        -------
        leaf : int32 array, shape (n_rows,)
        bound : float or None
            Weighted sum over the rows; None where ``bounded`` is false or the method has no bound.
        """
        ...

    def predictions(self, rows: np.ndarray, leaf: np.ndarray) -> np.ndarray | None:
        """What linear leaves predict for prepared rows, by the leaves that these end in.

        None where all leaves predict :meth:`values`; else float64, shape (n_rows, n_outputs).

        Parameters
        ----------
        rows : array, shape (n_rows, width)
            As :meth:`prepare` gives them.
        leaf : int32 array, shape (n_rows,)
        """
        ...

    def values(self) -> np.ndarray:
        """The present leaf values, float32 (n_leaves, n_outputs)."""
        ...

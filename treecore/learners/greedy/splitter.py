"""Between growth and its finders: what looks for the best split of one node after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from treecore.learners.greedy.state import GreedyRun
    from treecore.rows.training_rows import TrainingRows


class SplitFinder:
    """What growth asks of a kind of splits in Python. One finder serves one growth.

    All else is in kernels: the best axis-aligned split of a node is found by
    :mod:`treecore.learners.greedy.finders.axis`, any other by its own.
    """

    name: str
    """Name of the method in the registry."""

    n_readings: int
    """About how often a level reads every value of X: the scale of ``Learner.pass_units``."""

    from_axis = False
    """Whether the best axis-aligned split of a node is found first."""

    refine: Callable[[Any, GreedyRun, int], int] | None = None
    """A kernel: (search, run, budget) -> units of work, about as many as ``budget``, on the node at
    hand. The node holds the best axis-aligned split, if that is asked for, and in the end the best
    of all, ``NO_SPLIT`` without any; then the phase is ``FOUND``. None where that is all there is
    to do; only then there may be rows without weight.
    """

    begin: Callable[[Any, GreedyRun, np.ndarray], Any] | None = None
    """Turns to the node at hand, or back to it, before it is refined: (search, run, rows) -> the
    search, of the same type. rows: int32 (n,), the node's. None where there is nothing to do.
    """

    max_features = 0
    """Features that compete for an axis-aligned split, drawn for each node; 0: all."""

    rng: np.random.Generator | None = None
    """Tells how numbers are drawn, and stays as it is; None where none is."""

    def search_of(self, rows: TrainingRows, n_numbers: int) -> Any:
        """What :attr:`refine` reads and changes, a NamedTuple; n_numbers: of a tally.

        Its ``changing()`` gives the arrays that the next call reads, and how many things they may
        name.
        """
        return None

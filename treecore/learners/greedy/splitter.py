"""Between growth and the finders that are written in Python: a node, a split, a finder."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from treecore.learners.greedy.targets import Criteria
    from treecore.rows.training_rows import TrainingRows


class Split(NamedTuple):
    """A split of one node: ``x`` goes right when its score exceeds ``threshold``.

    - feature: the score is ``x[feature]``, or ``weights @ x`` when this is ``OBLIQUE``.
    - gain: impurity of the node less the mean impurity of the two sides, over weights; >= 0.
    - weights: float32 (n_features,) or None.
    - missing_left: whether rows without the feature go left; None: where its mean goes.
    """

    feature: int
    threshold: float
    gain: float
    weights: np.ndarray | None = None
    missing_left: bool | None = None


Search = Generator[int, None, Split | None]
"""Units of work, portion by portion, and at the end a split or none."""


class Node(NamedTuple):
    """A node at hand: ``n_rows`` training rows reach it.

    ``tally`` sums up their targets, see :mod:`treecore.learners.greedy.criteria`.
    """

    n_rows: int
    tally: np.ndarray


class SplitFinder:
    """Looks for the best split of one node after another, in portions.

    Growth calls ``attach`` once; then for every node it expands ``begin`` and ``search``, a
    generator that pauses after every portion of work and gives the units that it took; how many are
    wanted is in ``budget``, and nothing that it decides may depend on that. One finder serves one
    growth.
    """

    name: str
    """Name of the method in the registry."""

    n_readings: int
    """About how often a level reads every value of X: the scale of ``Learner.pass_units``."""

    from_axis = False
    """Whether kernels find the best axis-aligned split of a node first."""

    refines = True
    """Whether there is more to do than that. Else there may be rows without weight."""

    max_features = 0
    """Features that compete for an axis-aligned split, drawn for each node; 0: all."""

    rng: np.random.Generator | None = None
    """What it draws from; None where it draws nothing."""

    keeps_order = False
    """Whether it minds ``TrainingRows.monotonic``."""

    budget = 0

    def pieces(self, n: int, cost: int, least: int = 1) -> Iterator[tuple[int, int]]:
        """First and last of consecutive things out of ``n``, as many as a portion should have.

        cost: of one, in units; least: fewest in a portion.
        """
        first = 0
        while first < n:
            last = min(n, first + max(least, self.budget // cost))
            yield first, last
            first = last

    def attach(self, rows: TrainingRows, criterion: Criteria, min_samples_leaf: int) -> None:
        """Take the training rows, all of which have weight, and their targets.

        min_samples_leaf: fewest rows on either side of a split.
        """

    def begin(self, node: Node, rows: np.ndarray) -> None:
        """Turn to a node. rows: int32 (n,), the numbers of its rows."""
        self._node, self._rows = node, rows

    def search(self, axis: Split | None) -> Search:
        """Return the best split with ``min_samples_leaf`` rows on either side; None without any.

        axis: the best axis-aligned one, where that is asked for.
        """
        raise NotImplementedError

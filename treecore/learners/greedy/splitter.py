"""Between growth and the finders of splits: a node, a split, a finder, and how rows are divided."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from treecore.learners.greedy.targets import Targets
    from treecore.rows.training_rows import TrainingRows


class Split(NamedTuple):
    """A split of one node: ``x`` goes right when its score exceeds ``threshold``.

    - feature: the score is ``x[feature]``, or ``weights @ x`` when this is ``OBLIQUE``.
    - gain: impurity of the node less the mean impurity of the two sides, over weights; >= 0.
    - weights: float32 (n_features,) or None.
    - missing_left: whether rows without the feature go left; None: where its mean goes.
    """

    feature: int
    threshold: np.float32
    gain: float
    weights: np.ndarray | None = None
    missing_left: bool | None = None


Search = Generator[int, None, Split | None]
"""Units of work, portion by portion, and at the end a split or none."""


class Node(NamedTuple):
    """A node at hand: the training rows ``rows[start:stop]`` reach it.

    ``tally`` sums up their targets, see :mod:`treecore.learners.greedy.criteria`; ``bounds`` are
    those of :mod:`treecore.learners.greedy.monotonic`, None without constraints.
    """

    start: int
    stop: int
    depth: int
    tally: np.ndarray
    bounds: np.ndarray | None = None

    @property
    def n_rows(self) -> int:
        return self.stop - self.start


class SplitFinder:
    """Looks for the best split of one node after another, in portions.

    Growth calls ``attach`` once; then for every node it expands ``begin`` and ``search``; and
    ``divide``, where a child is to be expanded too. These two are generators that pause after every
    portion of work and give the units that it took; how many are wanted is in ``budget``, and
    nothing that they decide may depend on that. One finder serves one growth.
    """

    name: str
    """Name of the method in the registry."""

    n_readings: int
    """About how often a level reads every value of X: the scale of ``Learner.pass_units``."""

    passes_over_rows = False
    """Whether there may be rows without weight, which are in no node; else they are taken out."""

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

    def attach(self, rows: TrainingRows, targets: Targets, min_samples_leaf: int) -> None:
        """Take the training rows.

        rows: all of them have weight, unless it ``passes_over_rows``; targets: the same rows'
        targets, for kernels; min_samples_leaf: fewest rows on either side of a split.
        """

    def begin(self, node: Node, rows: np.ndarray) -> None:
        """Turn to a node.

        rows: int32 (n_samples,), row numbers; the node holds ``rows[node.start:node.stop]``.
        """
        self._node, self._rows = node, rows[node.start : node.stop]  # a view

    def search(self) -> Search:
        """Return the best split with ``min_samples_leaf`` rows on either side; None without any."""
        raise NotImplementedError

    def divide(self, right: np.ndarray) -> Iterator[int]:
        """Divide the finder's own arrays, if any, as the node is divided.

        right: bool (n_samples,), true for the node's rows that go right.
        """
        return iter(())

    def resume(self, starts: np.ndarray, rows: np.ndarray) -> None:
        """Divide the finder's own arrays, if any, as growth has divided its rows.

        starts: int (n_leaves,), where the range of each present leaf begins, ascending; rows: int32
        (n_samples,), all ranges of rows.
        """

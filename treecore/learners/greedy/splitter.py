"""Between growth and the finders of splits: a node, a split, a finder, and how rows are divided."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from treecore.compiling.kernels import kernel

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


class Node(NamedTuple):
    """A node at hand: the training rows ``rows[start:stop]`` reach it.

    ``tally`` sums up their targets, see :mod:`treecore.learners.greedy.criteria`.
    """

    start: int
    stop: int
    depth: int
    tally: np.ndarray

    @property
    def n_rows(self) -> int:
        return self.stop - self.start


class SplitFinder(Protocol):
    """Looks for the best split of one node after another, in portions.

    Growth calls ``attach`` once; then for every node it expands ``begin``, ``search`` until that
    is complete, ``best``; and ``divide`` until that is complete, where a child is to be
    expanded too. One finder serves one growth.
    """

    name: str
    """Name of the method in the registry."""

    n_readings: int
    """About how often a level reads every value of X: the scale of ``Learner.pass_units``."""

    passes_over_rows: bool
    """Whether there may be rows without weight, which are in no node; else they are taken out."""

    rng: np.random.Generator | None
    """What it draws from; None where it draws nothing."""

    def attach(self, rows: TrainingRows, targets: Targets, min_samples_leaf: int) -> None:
        """Take the training rows.

        rows: all of them have weight, unless it ``passes_over_rows``; targets: the same rows'
        targets, for kernels; min_samples_leaf: fewest rows on either side of a split.
        """
        ...

    def begin(self, node: Node, rows: np.ndarray) -> None:
        """Turn to a node.

        rows: int32 (n_samples,), row numbers; the node holds ``rows[node.start:node.stop]``.
        """
        ...

    def search(self, budget: int) -> tuple[int, bool]:
        """Search on for about ``budget`` units; return the units done and whether that was all."""
        ...

    def best(self) -> Split | None:
        """The best split with ``min_samples_leaf`` rows on either side; None without any."""
        ...

    def divide(self, right: np.ndarray, budget: int) -> tuple[int, bool]:
        """Divide the finder's own arrays, if any, as the node is divided.

        right: bool (n_samples,), true for the node's rows that go right; budget: units of work,
        about. Returns units: units done; complete: whether the division is over.
        """
        return 0, True

    def resume(self, starts: np.ndarray, rows: np.ndarray) -> None:
        """Divide the finder's own arrays, if any, as growth has divided its rows.

        starts: int (n_leaves,), where the range of each present leaf begins, ascending; rows: int32
        (n_samples,), all ranges of rows.
        """
        return None


@kernel
def divide(rows, right, spare):
    """Bring the rows that go left to the front, keeping the order on both sides.

    rows: int32 (n,); right: bool (n_samples,), whether a row goes right; spare: int32 array, work
    space, longer by one at least than there are rows that go right. Returns int, rows that go left.
    """
    n_left = n_right = 0
    for row in rows:
        # Written to both ends' next place, of which one moves on: no branch to mispredict.
        # rows[n_left] has been read already, and spare is not yet full.
        rows[n_left] = row
        spare[n_right] = row
        step = np.int64(right[row])
        n_left += 1 - step
        n_right += step
    for i in range(n_right):
        rows[n_left + i] = spare[i]
    return n_left

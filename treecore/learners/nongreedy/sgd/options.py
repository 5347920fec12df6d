"""What SGD may do besides Algorithm 1 of Norouzi et al. 2015."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """What SGD may do besides Algorithm 1; as it stands, nothing.

    Attributes
    ----------
    momentum : float
        Share of its last step that a split repeats, 0 to 1; see
        :mod:`treecore.learners.nongreedy.sgd.batches`.
    batch : int
        Examples whose mean gradient makes one step.
    averaging : float
        Share of the passes, the last ones, over whose ends W and theta are averaged.
    sparsity : float
        Weight of the L1 norm of W, offsets excluded, beside the mean bound.
    max_features : int
        Features that a split may use at most, 0 for all.
    """

    momentum: float = 0.0
    batch: int = 1
    averaging: float = 0.0
    sparsity: float = 0.0
    max_features: int = 0

    @property
    def heavy(self) -> bool:
        """Whether steps are not those of Algorithm 1, one for every example."""
        return self.batch > 1 or self.momentum > 0

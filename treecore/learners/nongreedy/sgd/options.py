"""What SGD may do besides Algorithm 1 of Norouzi et al. 2015."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """What SGD may do besides Algorithm 1; as it stands, nothing.

    - momentum: share of its last step that a split repeats, 0 to 1; see
      :mod:`treecore.learners.nongreedy.sgd.batches`.
    - batch: examples whose mean gradient makes one step.
    - averaging: share of the passes, the last ones, over whose ends W and theta are averaged.
    - sparsity: weight of the L1 norm of W, offsets excluded, beside the mean bound.
    - max_features: features that a split may use at most, 0 for all.
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

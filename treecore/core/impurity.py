"""Impurity of class counts: ``-sum p log2 p`` (entropy, in bits) or ``1 - sum p^2`` (Gini)."""

from __future__ import annotations

import math
from enum import IntEnum

from treecore.compiling.kernels import kernel


class Criterion(IntEnum):
    """What a split is to reduce; ``GAIN_RATIO`` measures entropy, but chooses features its way."""

    ENTROPY = 0
    GINI = 1
    GAIN_RATIO = 2


@kernel
def impurity(counts, n, criterion):
    """Impurity of class counts (n_classes,) of sum n (Breiman et al. 1984); 0 when ``n`` is 0."""
    if n == 0:
        return 0.0
    total = 0.0
    for c in range(counts.shape[0]):
        p = counts[c] / n
        if criterion == Criterion.GINI:
            total += p * p
        elif counts[c] > 0:
            total -= p * math.log2(p)
    if criterion == Criterion.GINI:
        return 1.0 - total
    return total

"""Impurity of class counts, and what a split is to reduce.

With ``n_c`` rows of class c among n, and ``p_c = n_c / n``, the impurity is ``-sum p log2 p``
(entropy, in bits) or ``1 - sum p^2`` (Gini). A search that moves row after row has an exact form of
it, :mod:`treecore.core.terms`.
"""

from __future__ import annotations

import math
from enum import IntEnum

from treecore.compiling.kernels import kernel


class Criterion(IntEnum):
    """What a split is to reduce.

    ``GAIN_RATIO`` measures impurity as ``ENTROPY`` does, in everything below; it differs in how
    one feature is chosen, see :func:`treecore.learners.greedy.finders.axis.by_gain_ratio`.
    """

    ENTROPY = 0
    GINI = 1
    GAIN_RATIO = 2


@kernel
def impurity(counts, n, criterion):
    """Impurity of class counts: entropy in bits, or Gini (Breiman et al. 1984).

    counts: array of numbers, shape (n_classes,), rows of every class, or their weights; n: their
    sum. Returns float, 0 when ``n`` is 0.
    """
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

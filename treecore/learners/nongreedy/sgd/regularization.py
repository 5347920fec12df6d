"""What may happen to the rows of W between updates: weights fall to zero, passes are averaged.

The penalty ``lambda ||w||_1`` beside the mean bound pulls every weight towards zero by ``lambda``
times the learning rate at every example. Paid example by example it would cost a pass over all of
W each time; here it is paid for a round of examples together, of which a pass has ``ROUNDS``, and
what would change its sign becomes zero: soft thresholding (the truncated gradient of Langford, Li
and Zhang 2009). The paper names such a penalty as future work.

A bound on the *number* of weights is kept by iterative hard thresholding (Blumensath and Davies
2009): all but the largest weights of a row become zero at the end of a pass, and during the next
one the others may grow again and try. The bound tightens over the first half of the run.
"""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel

ROUNDS = 64
"""Payments a pass. With one, a long pass would owe more than any weight has, and all would fall."""


@kernel
def soft_threshold(W, n_features, amount):
    """Pull every weight towards zero by ``amount``, and not beyond; offsets stay.

    W: float32 (n_splits, width); n_features: columns before the offset.
    """
    shift = np.float32(amount)
    for i in range(W.shape[0]):
        for j in range(n_features):
            if W[i, j] > shift:
                W[i, j] -= shift
            elif W[i, j] < -shift:
                W[i, j] += shift
            else:
                W[i, j] = np.float32(0.0)


def hard_threshold(W: np.ndarray, n_features: int, n_kept: int) -> None:
    """Set all but the largest weights of every row to zero; of equals the first ones stay.

    W: float32 (n_splits, width); n_features: columns before the offset, which stays; n_kept:
    weights that a row keeps.
    """
    if n_kept >= n_features:
        return
    weights = W[:, :n_features]
    size = np.abs(weights)
    place = n_features - n_kept
    least = np.partition(size, place, axis=1)[:, place, None]
    larger, equal = size > least, size == least
    room = n_kept - larger.sum(axis=1, keepdims=True)
    weights[~(larger | (equal & (np.cumsum(equal, axis=1) <= room)))] = 0.0


def features_left(n_features: int, n_kept: int, done: float) -> int:
    """How many weights a row may keep at a point of the run.

    Falls from all to ``n_kept`` in equal ratios over the first half: the weights of a random start
    say nothing yet about which features matter.

    n_features, n_kept: all weights of a row, and those that it keeps in the end; done: share of the
    run that is done, 0 to 1.
    """
    if n_kept >= n_features:
        return n_features
    share = min(1.0, 2.0 * done)
    return max(n_kept, round(n_features ** (1.0 - share) * n_kept**share))


class Average:
    """The mean of W and theta over the ends of several passes, in float64.

    Every row of W lies in the ball ``||w||^2 <= nu``, and so does their mean.
    """

    def __init__(self):
        self.n = 0
        self._sums: list[np.ndarray] = []

    def add(self, *arrays: np.ndarray) -> None:
        """Add one state, always the same arrays in the same order."""
        if self.n == 0:
            self._sums = [np.zeros(array.shape) for array in arrays]
        for total, array in zip(self._sums, arrays, strict=True):
            total += array
        self.n += 1

    def write(self, *arrays: np.ndarray) -> None:
        """Write the means into such arrays."""
        for total, array in zip(self._sums, arrays, strict=True):
            array[:] = total / self.n

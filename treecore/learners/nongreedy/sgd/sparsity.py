"""An L1 penalty on W: weights that do not pay for themselves fall to zero.

The penalty ``lambda ||w||_1`` beside the mean bound pulls every weight towards zero by ``lambda``
times the learning rate at every example. Paid example by example it would cost a pass over all of
W each time; here it is paid for a round of examples together, and what would change its sign
becomes zero: soft thresholding (the truncated gradient of Langford, Li and Zhang 2009). Norouzi et
al. 2015 name such a penalty as future work.
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

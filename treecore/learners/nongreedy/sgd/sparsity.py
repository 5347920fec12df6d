"""An L1 penalty on W, which Norouzi et al. 2015 name as future work, paid for a round of examples.

What would change its sign becomes zero: soft thresholding (the truncated gradient of Langford, Li
and Zhang 2009).
"""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel

ROUNDS = 64
"""Payments a pass. With one, a long pass would owe more than any weight has, and all would fall."""


@kernel
def soft_threshold(W, n_features, amount):
    """Pull every weight of W (n_splits, width) towards zero by ``amount``; offsets stay."""
    shift = np.float32(amount)
    for i in range(W.shape[0]):
        for j in range(n_features):
            if W[i, j] > shift:
                W[i, j] -= shift
            elif W[i, j] < -shift:
                W[i, j] += shift
            else:
                W[i, j] = np.float32(0.0)

"""Whether a split tells anything about the classes: the chi-squared test of independence.

Under the hypothesis that class and side have nothing to do with each other, ``sum (O - E)^2 / E``
over the 2 x k table of rows by side and class is distributed as chi-squared with k - 1 degrees
of freedom, nearly; E are the counts that the margins alone would lead to expect. ID3 stops
where the hypothesis cannot be rejected (Quinlan 1986).

The test takes the split as given. It was chosen as the best of many, so it looks better than it
is, and a level of 0.05 lets more than one useless split in twenty through.
"""

from __future__ import annotations

import numpy as np
from scipy.special import chdtrc


def p_value(left: np.ndarray, right: np.ndarray) -> float:
    """How likely sides at least as different are where class and side are independent.

    Parameters
    ----------
    left, right : int64 arrays, shape (n_classes,)
        Rows of each class on either side, not both empty.
    """
    observed = np.array([left, right], dtype=np.float64)
    observed = observed[:, observed.any(axis=0)]  # classes without rows tell nothing
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / observed.sum()
    if observed.shape[1] == 1 or not expected.all():
        return 1.0  # one class or one empty side
    statistic = ((observed - expected) ** 2 / expected).sum()
    return float(chdtrc(observed.shape[1] - 1, statistic))

"""Whether a split and the targets are independent: two classical tests of significance.

**Classes, chi-squared.** Under the hypothesis that class and side have nothing to do with each
other, ``sum (O - E)^2 / E`` over the 2 x k table of rows by side and class is distributed as
chi-squared with k - 1 degrees of freedom, nearly; E are the counts that the margins alone would
lead to expect. ID3 stops where the hypothesis cannot be rejected (Quinlan 1986).

**Numbers, F.** The squares that the means of two sides explain, against those left around them:
``(between / q) / (within / (q (n - 2)))`` is distributed as F with q and q (n - 2) degrees of
freedom where side and targets are independent, the targets normal, and the q outputs alike and
independent. For one output this is the two-sample t-test, squared.

The tests take the split as given. It was chosen as the best of many, so it looks better than it
is, and a level of 0.05 lets more than one useless split in twenty through. Where rows have
weights, n is the number of rows, and the weights share them out.
"""

from __future__ import annotations

import numpy as np


def chi_squared(left: np.ndarray, right: np.ndarray) -> float:
    """The p-value of sides with so many rows of each class, (n_classes,) each, not both empty."""
    observed = np.array([left, right], dtype=np.float64)
    observed = observed[:, observed.any(axis=0)]  # classes without rows say nothing
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / observed.sum()
    if observed.shape[1] == 1 or not expected.all():
        return 1.0  # one class or one empty side
    statistic = ((observed - expected) ** 2 / expected).sum()
    from scipy.special import chdtrc  # a third of the time that importing a trainer takes

    return float(chdtrc(observed.shape[1] - 1, statistic))


def f_test(between: float, within: float, n: int, n_outputs: int) -> float:
    """The p-value of sides so far apart; n: rows, of which two leave nothing to judge by."""
    if n <= 2 or not between > 0:
        return 1.0
    if not within > 1e-12 * between:
        return 0.0
    from scipy.special import fdtrc

    return float(fdtrc(n_outputs, n_outputs * (n - 2), between * (n - 2) / within))

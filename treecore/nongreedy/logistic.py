"""One sparse oblique split: logistic regression with an L1 penalty, by LIBLINEAR.

LIBLINEAR draws the order of its coordinates from one generator for the whole process (see
scikit-learn's issue 31883), so two fits at a time would draw from each other's numbers and no
seed would mean anything. Fits therefore wait for each other, across all runs of the process.
"""

from __future__ import annotations

import threading
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from treecore.scaling import Scaling
from treecore.tree import complete_tree

OFFSET_SCALE = 10.0
"""How many times less the penalty weighs on the offset than on the weights."""

_one_at_a_time = threading.Lock()


def sparse_row(
    scaling: Scaling,
    X: np.ndarray,
    right: np.ndarray,
    weight: np.ndarray,
    *,
    C: float,
    max_iter: int,
    seed: int,
) -> tuple[np.ndarray, np.float32]:
    """Weights and threshold of a split that sends rows to their sides.

    Minimises ``C * sum_n weight_n log(1 + exp(-t_n s_n)) + ||w||_1``, where t is 1 for rows that
    want to go right and -1 for the others, over scores ``s = w.z - b`` in training coordinates.
    The result reads raw features; weights that are zero there are zero here.

    Parameters
    ----------
    scaling : Scaling
    X : array, shape (n_rows, n_features)
        Raw rows.
    right : bool array, shape (n_rows,)
        Whether a row should go right. Both sides must be wanted by some row.
    weight : float64 array, shape (n_rows,)
    C : float
        1 / lambda in eq. 1 of Gabidolla et al.
    max_iter : int
        Newton steps at most. A fit that needs more is used as it is.
    seed : int

    Returns
    -------
    weights : float32 array, shape (n_features,)
    threshold : float32
    """
    p = scaling.n_features
    Z = scaling.transform(X)
    Z[:, p] *= OFFSET_SCALE
    model = LogisticRegression(
        l1_ratio=1.0,
        solver="liblinear",
        C=C,
        fit_intercept=False,  # rows in training coordinates carry a constant
        max_iter=max_iter,
        random_state=seed,
    )
    with _one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(Z, right, sample_weight=weight)
    row = model.coef_.copy()
    row[:, p] *= OFFSET_SCALE
    stump = complete_tree(1, p, 2)
    folded = scaling.fold(row, stump, stump.values)
    return folded.weights[0], folded.threshold[0]

"""How much each feature has moved the scores on a row's decision path.

Against a row of means, feature j has moved split i by ``w_ij (x_j - mean_j)``, which sum to
``s_i(x) - s_i(mean)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore.core.routing import as_rows, decision_path
from treecore.core.tree import Tree, split_weights
from treecore.rows.finite import filled


@dataclass(frozen=True, eq=False)
class Contributions:
    """What the features have moved along one decision path.

    splits: int (n_path,), from the root; right: bool (n_path,); moved: float64 (n_path,
    n_features); score, score_of_mean: float64 (n_path,), their difference is the sum of a row of
    ``moved``.
    """

    splits: np.ndarray
    right: np.ndarray
    moved: np.ndarray
    score: np.ndarray
    score_of_mean: np.ndarray
    leaf: int

    @property
    def turned(self) -> np.ndarray:
        """Whether the row of means would have gone to the other side, bool (n_path,)."""
        return self.right != (self.score_of_mean > 0)


def contributions(
    tree: Tree, x: Any, mean: Any, sources: np.ndarray | None = None
) -> Contributions:
    """What each feature of a row has moved at each split of its path, against a row of means.

    x, mean: (n_features,), NaN where missing; sources: int (n_columns,) or None. ValueError for
    others.
    """
    given, base = (
        as_rows(np.asarray(row)[None], tree.n_features, missing=True).astype(np.float32)
        for row in (x, mean)
    )
    row, base = filled(given, tree.missing)[0], filled(base, tree.missing)[0]
    splits, right, leaf = decision_path(tree, given[0])
    weights = split_weights(tree, splits)
    threshold = tree.threshold[splits].astype(np.float64)
    wide, wide_base = row.astype(np.float64), base.astype(np.float64)
    moved = weights * (wide - wide_base)
    return Contributions(
        splits=np.array(splits, dtype=np.int64),
        right=np.array(right, dtype=bool),
        moved=moved if sources is None else moved @ np.eye(sources.max() + 1)[sources],
        score=(weights * wide).sum(axis=1) - threshold,
        score_of_mean=(weights * wide_base).sum(axis=1) - threshold,
        leaf=leaf,
    )

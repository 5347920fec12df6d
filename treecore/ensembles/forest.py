"""A forest: class probabilities and numbers of its trees are averaged, or votes are counted.

Every row's sum runs over the trees in their order, so it is the same to the last bit
whether the trees answer together, one by one, or some at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treecore.base.array_types import Labels, Rows
from treecore.core.descent import DescentSpace
from treecore.core.routing import apply, as_table, leaf_labels, leaf_probabilities, row_blocks
from treecore.core.tree import Tree, counted
from treecore.ensembles.packed import Packed, add_votes, pack
from treecore.rows.column_sums import row_parts

ANSWERS = ("shares", "votes", "mean")
"""How trees answer together: by the mean of their class probabilities, by counting their most
probable classes, or by the mean of their numbers; in each case weighted."""


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees that answer together; checked when made.

    Attributes
    ----------
    trees : tuple of Tree
        At least one, all for the same features and outputs, with the same ``missing``.
    weights : float64 array, shape (n_trees,)
        What each tree's answer counts: not negative, not all zero; only ratios matter.
    answer : str
        One of :data:`ANSWERS`.

    Raises
    ------
    ValueError
        In one sentence, for trees that cannot answer together.
    """

    trees: tuple[Tree, ...]
    weights: np.ndarray
    answer: str

    def __post_init__(self):
        object.__setattr__(self, "trees", tuple(self.trees))
        object.__setattr__(self, "weights", np.array(self.weights, dtype=np.float64))
        if not self.trees:
            raise ValueError("a forest needs at least one tree")
        if self.answer not in ANSWERS:
            raise ValueError(f"answer={self.answer!r} must be one of {', '.join(ANSWERS)}")
        first = self.trees[0]
        for i, tree in enumerate(self.trees):
            for what in ("n_features", "n_outputs"):
                if getattr(tree, what) != getattr(first, what):
                    raise ValueError(
                        f"tree {i} has {what} = {getattr(tree, what)}, but tree 0 has "
                        f"{getattr(first, what)}"
                    )
            if not np.array_equal(tree.missing, first.missing):
                raise ValueError(f"tree {i} reads missing values otherwise than tree 0")
        if self.weights.shape != (len(self.trees),):
            raise ValueError(
                f"{len(self.trees)} trees need as many weights, but weights have shape "
                f"{self.weights.shape}"
            )
        if not np.isfinite(self.weights).all() or self.weights.min() < 0:
            raise ValueError("the trees' weights must be finite and not negative")
        if not 0 < self.weights.max() < np.finfo(np.float64).max / len(self.trees):
            raise ValueError("the trees' weights are all zero, or their sum overflows")

    @property
    def n_trees(self) -> int:
        return len(self.trees)

    @property
    def n_features(self) -> int:
        return self.trees[0].n_features

    @property
    def n_outputs(self) -> int:
        return self.trees[0].n_outputs

    @property
    def n_leaves(self) -> int:
        return sum(tree.n_leaves for tree in self.trees)

    def __repr__(self) -> str:
        """One line of sizes: the arrays would fill a screen."""
        sizes = [
            counted(self.n_trees, "tree"),
            counted(self.n_leaves, "leaf", "leaves"),
            counted(self.n_features, "feature"),
        ]
        return f"Forest of {', '.join(sizes)}, answering by {self.answer}"

    def first(self, n_trees: int) -> Forest:
        """The forest of the first ``n_trees`` trees, at least one."""
        return Forest(self.trees[:n_trees], self.weights[:n_trees], self.answer)

    def scores(self, X: Rows) -> np.ndarray:
        """The scores of every row: shares of the classes, which sum to 1, or numbers.

        Shares are those of the trees' probabilities, or of their votes.

        Parameters
        ----------
        X : array of numbers, shape (n_samples, n_features)
            NaN stands for a missing value.

        Returns
        -------
        float64 array, shape (n_samples, n_outputs)

        Raises
        ------
        ValueError
            See :func:`treecore.core.routing.as_rows`.
        """
        *_, sums = self._sums(X, [self.n_trees])
        return sums / self.weights.cumsum()[-1]

    def predict(self, X: Rows) -> np.ndarray:
        """The class index of greatest share (the first of equals), int64 (n_samples,).

        Numbers are float64 (n_samples, n_outputs).
        """
        if self.answer == "mean":
            return self.scores(X)
        X = as_table(X, self.n_features)
        # The shares of a long table would take the memory of many of its columns.
        labels = np.empty(len(X), dtype=np.int64)
        for part in row_parts(len(X), self.n_outputs):
            labels[part] = self.scores(X[part]).argmax(axis=1)
        return labels

    def staged_scores(self, X: Rows) -> Iterator[np.ndarray]:
        """The :meth:`scores` of the first tree, of the first two, and so on, each a new array."""
        totals = self.weights.cumsum()
        for total, sums in zip(totals, self._sums(X, range(1, self.n_trees + 1)), strict=True):
            # No vote yet is no opinion, as long as only trees of weight 0 have been asked.
            yield sums / total if total > 0 else np.full(sums.shape, 1 / sums.shape[1])

    def staged_predict(self, X: Rows) -> Iterator[np.ndarray]:
        """The :meth:`predict` of the first tree, of the first two, and so on."""
        for scores in self.staged_scores(X):
            yield scores if self.answer == "mean" else scores.argmax(axis=1)

    def apply(self, X: Rows) -> np.ndarray:
        """The leaf of every row in every tree, int32 (n_samples, n_trees)."""
        return np.stack([apply(tree, X) for tree in self.trees], axis=1)

    def margins(self, X: Rows, y: Labels) -> np.ndarray:
        """How clearly every row is classified rightly, float64 (n_samples,), from -1 to 1.

        The share of its class less the greatest share of another one (Schapire et al. 1998).
        Rows with a positive margin are classified rightly, those with a negative one wrongly.

        Parameters
        ----------
        X
            As for :meth:`scores`.
        y : int array, shape (n_samples,)
            Class indices below ``n_outputs``.

        Raises
        ------
        ValueError
            As :meth:`scores`, for labels that are no such indices, and where answers are numbers.
        """
        if self.answer == "mean":
            raise ValueError("numbers have no margins; those are of classes")
        scores, y = self.scores(X), np.asarray(y)
        if y.shape != (len(scores),) or y.dtype.kind not in "iu":
            raise ValueError(f"{len(scores)} rows need as many class indices in y")
        if len(y) and not 0 <= y.min() <= y.max() < self.n_outputs:
            raise ValueError(f"y must hold class indices from 0 to {self.n_outputs - 1}")
        return margins(scores, y)

    def _sums(self, X: Rows, stops) -> Iterator[np.ndarray]:
        """Weighted sums over the trees up to each of ``stops``, which rise."""
        X, p = as_table(X, self.n_features), self.n_features
        sums, first = np.zeros((len(X), self.n_outputs)), 0
        blocks = list(row_blocks(X, p)) if len(stops) > 1 else None
        for stop in stops:
            for part, block in row_blocks(X, p) if blocks is None else blocks:
                space = np.empty(len(block), dtype=np.int32), DescentSpace.of(p)
                add_votes(self._packed, first, stop, block, sums[part], *space)
            first = stop
            yield sums.copy() if blocks is not None else sums

    @cached_property
    def _packed(self) -> Packed:
        pairs = zip(self.trees, self.weights.tolist(), strict=True)
        votes = [leaf_votes(tree, self.answer, weight) for tree, weight in pairs]
        return pack(self.trees, np.concatenate(votes))


def leaf_votes(tree: Tree, answer: str, weight: float = 1.0) -> np.ndarray:
    """What every leaf adds to the sums of its rows, float64 (n_leaves, n_outputs)."""
    if answer == "shares":
        votes = leaf_probabilities(tree)
    elif answer == "votes":
        votes = np.zeros(tree.values.shape)
        votes[np.arange(tree.n_leaves), leaf_labels(tree)] = 1.0
    else:
        if tree.linear is not None:
            raise ValueError("the trees of a forest have constant leaves, and this one linear ones")
        votes = tree.values.astype(np.float64)
    return weight * votes


def margins(scores: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Share of the class y less the largest share of another (Schapire et al. 1998)."""
    others = scores.copy()
    rows = np.arange(len(y))
    others[rows, y] = -np.inf
    return scores[rows, y] - others.max(axis=1)

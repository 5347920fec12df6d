"""TAO, tree alternating optimisation: one split at a time, each exactly in the tree's interest.

Carreira-Perpinan and Tavallali 2018; with sample weights as in Gabidolla et al., eq. 1:

    E = sum_n w_n [y_n != T(x_n)]  +  1/C sum_i ||w_i||_1

An iteration visits the splits from the deepest level up to the root. Splits of one level share no
rows, so they are independent ("separability condition"). At each of them the care points with
their pseudolabels (:mod:`treecore.nongreedy.care`) make a two-class problem; logistic regression
with an L1 penalty (:mod:`treecore.nongreedy.logistic`) stands in for its 0/1 loss. At the end
every leaf takes the classes of its rows.

The new split is taken only if it sends no greater weight of care points to the wrong side than
the old one did. So the first sum, the weight of misclassified training rows, never rises; a run
checks that. Where the papers are silent we choose: a split without care points stays as it is; one
whose care points all want the same side sends everything there (no weights, no loss); a leaf that
no row reaches keeps its values.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from treecore.losses import class_log_odds
from treecore.nongreedy.care import care_loss, find_care_points, follow_split
from treecore.nongreedy.logistic import sparse_row
from treecore.pruning import prune_dead
from treecore.routing import apply, apply_rows, leaf_labels
from treecore.rows import TrainingRows
from treecore.scaling import Scaling
from treecore.tree import OBLIQUE, Tree, make_tree, split_depths


class TAO:
    """A :class:`treecore.trainer.Learner`: TAO from a given starting tree.

    Works on the raw tree itself, whose untouched splits may stay axis-aligned: what is measured
    is what is exported, and the promise about the objective holds for it to the last row.

    A unit of work is one row at one split. A split is never cut, and LIBLINEAR may need seconds
    for one with tens of thousands of care points. The tree is pruned when the run is finished.

    Parameters
    ----------
    rows : TrainingRows
    start : Tree
        Tree to start from: its shape, splits and leaf values.
    n_epochs : int
        Iterations at most; the run ends early with one that changes nothing.
    C : float
        Weight of the loss against the L1 penalty; a small one makes sparse splits.
    path : float
        The first iteration works with ``C / path``; C then rises in equal ratios, and
        has its full value in the second half of the run.
    smoothing : float
        See :func:`treecore.losses.class_log_odds`.
    max_iter : int
        See :func:`treecore.nongreedy.logistic.sparse_row`.
    rng : numpy.random.Generator
        Gives LIBLINEAR's seed.
    n_threads : int or None
        Splits worked on at a time, None for the number of processors. Never changes the tree.
        Fits themselves wait for each other, see :mod:`treecore.nongreedy.logistic`: what runs
        side by side is the search for care points and the preparation of their rows.
    """

    name = "tao"
    row_norm = None
    inner_products = None

    def __init__(
        self,
        rows: TrainingRows,
        start: Tree,
        *,
        n_epochs: int,
        C: float,
        path: float,
        smoothing: float,
        max_iter: int,
        rng: np.random.Generator,
        n_threads: int | None = None,
    ):
        self.train_rows = rows.X
        self._y, self._weight = rows.y, rows.weight
        self._scaling = Scaling.fit(rows.X)
        self._C, self._path, self._smoothing = C, path, smoothing
        self._max_iter, self._seed = max_iter, int(rng.integers(2**31))
        self._n_threads = n_threads or os.cpu_count() or 1
        self._open = _with_a_row_each(start)
        self._pruned: Tree | None = None
        self._depths = split_depths(start)
        self._order_of_leaf, self._first, self._stop = leaf_ranges(start)
        self._leaf = apply(start, rows.X)  # of every row, kept up to date
        self._solved: dict[int, tuple] = {}  # the last reduced problem of every split
        self.n_epochs = n_epochs
        self._n_passes = 0  # finished so far
        self.objective = self._error()
        self._begin_pass()

    @property
    def epoch(self) -> float:
        """Iterations done, fractional inside one."""
        return self._n_passes + self._n_done / self.pass_units

    @property
    def finished(self) -> bool:
        """Whether all iterations are done, or one has changed nothing."""
        return self._pruned is not None

    def advance(self, budget: int) -> int:
        """Solve about ``budget`` rows' worth of splits, all of one level; see ``Learner``."""
        if self.finished:
            return 0
        level, units = [], 0
        while self._queue and (units < budget or len(level) < self._n_threads):
            split = self._queue[-1]
            if level and self._depths[split] != self._depths[level[0]]:
                break
            level.append(self._queue.pop())
            units += len(self._rows_of(split))
        self._changed |= any(self._solve_all(level))
        self._n_done += units
        if not self._queue:
            self._end_pass()
        return units

    def _begin_pass(self) -> None:
        n_leaves = self._open.n_leaves
        place = self._order_of_leaf[self._leaf]
        self._sorted_rows = np.argsort(place, kind="stable")
        self._bounds = np.searchsorted(place[self._sorted_rows], np.arange(n_leaves + 1))
        self._labels = leaf_labels(self._open)
        # Popped from the back: the deepest splits are last.
        self._queue = np.argsort(self._depths, kind="stable").tolist()
        self.pass_units = max(1, sum(len(self._rows_of(split)) for split in self._queue))
        self._n_done = 0
        self._changed = False

    def _end_pass(self) -> None:
        counts = self._class_weights()
        reached = counts.sum(axis=1) > 0
        self._open.values[reached] = class_log_odds(counts[reached], self._smoothing)
        self._check_objective()
        self._changed |= not np.array_equal(self._labels, leaf_labels(self._open))
        settled = self._C_of_pass() == self._C
        self._n_passes += 1
        if self._n_passes == self.n_epochs or (settled and not self._changed):
            self._n_done = 0
            self._pruned = prune_dead(_without_spare_rows(self._open), counts)
        else:
            self._begin_pass()

    def _C_of_pass(self) -> float:
        rising = self.n_epochs // 2
        if self._n_passes >= rising:
            return self._C
        return self._C / self._path ** (1.0 - self._n_passes / rising)

    def _rows_of(self, split: int) -> np.ndarray:
        """Rows that reach a split: above it, nothing has changed since the pass began."""
        first, stop = self._bounds[self._first[split]], self._bounds[self._stop[split]]
        return self._sorted_rows[first:stop]

    def _solve_all(self, splits: list[int]) -> list[bool]:
        """Solve splits of one level; they read the tree below and write their own rows only."""
        if self._n_threads == 1 or len(splits) < 2:
            return [self._solve(split) for split in splits]
        with ThreadPoolExecutor(self._n_threads) as pool:
            return list(pool.map(self._solve, splits))

    def _solve(self, split: int) -> bool:
        """Improve one split; return whether it has changed."""
        tree, X, weight = self._open, self.train_rows, self._weight
        rows = np.sort(self._rows_of(split))
        other, went_right = np.empty(len(rows), np.int32), np.empty(len(rows), bool)
        care, wants_right = np.empty(len(rows), np.int64), np.empty(len(rows), bool)
        n_care = find_care_points(
            tree,
            split,
            X,
            self._y,
            weight,
            self._labels,
            rows,
            self._leaf,
            other,
            went_right,
            care,
            wants_right,
        )
        care, wants_right = care[:n_care], wants_right[:n_care]
        C = self._C_of_pass()
        if n_care == 0 or self._is_solved(split, C, care, wants_right):
            return False
        before = _cut(tree, split)
        loss = care_loss(tree, split, X, weight, care, wants_right)
        _set_cut(tree, split, self._fit(C, care, wants_right))
        if care_loss(tree, split, X, weight, care, wants_right) > loss:
            _set_cut(tree, split, before)
            return False
        follow_split(tree, split, X, rows, went_right, other, self._leaf)
        return not _same_cut(before, _cut(tree, split))

    def _is_solved(self, split: int, *problem) -> bool:
        """Whether the split has met this very problem last: it would get the same answer."""
        last = self._solved.get(split)
        self._solved[split] = problem
        return last is not None and all(map(np.array_equal, last, problem))

    def _fit(self, C: float, care: np.ndarray, wants_right: np.ndarray):
        """Feature, weights and threshold of a split for this reduced problem."""
        if wants_right.all() or not wants_right.any():
            nothing = np.zeros(self._open.n_features, dtype=np.float32)
            return OBLIQUE, nothing, np.float32(-1.0 if wants_right[0] else 1.0)
        weights, threshold = sparse_row(
            self._scaling,
            self.train_rows[care],
            wants_right,
            self._weight[care],
            C=C,
            max_iter=self._max_iter,
            seed=self._seed,
        )
        return OBLIQUE, weights, threshold

    def _class_weights(self) -> np.ndarray:
        """Weight of the rows of each class in each leaf, float64 (n_leaves, n_classes)."""
        table = np.zeros(self._open.values.shape)
        np.add.at(table, (self._leaf, self._y), self._weight)
        return table

    def _error(self) -> float:
        """Weight of the misclassified training rows."""
        return float(self._weight[leaf_labels(self._open)[self._leaf] != self._y].sum())

    def _check_objective(self) -> None:
        error = self._error()
        if error > self.objective + 1e-9 * self._weight.sum():
            raise AssertionError(
                f"TAO made the tree worse: the weight of misclassified rows rose from "
                f"{self.objective:g} to {error:g} in iteration {self._n_passes + 1}"
            )
        self.objective = error

    def tree(self) -> Tree:
        """The present tree; once the run is finished, without dead branches."""
        return _without_spare_rows(self._open) if self._pruned is None else self._pruned

    def values(self) -> np.ndarray:
        """The present leaf values, float32 (n_leaves, n_classes)."""
        return self._open.values if self._pruned is None else self._pruned.values

    def prepare(self, X: np.ndarray) -> np.ndarray:
        """Raw rows as they are, float32 (n_samples, n_features)."""
        return np.ascontiguousarray(X, dtype=np.float32)

    def measure(self, rows, y, weight, bounded):
        """The leaf of every row; there is no bound. See ``Learner``."""
        leaf = np.empty(len(y), dtype=np.int32)
        apply_rows(self._open if self._pruned is None else self._pruned, rows, leaf)
        return leaf, None


def leaf_ranges(tree: Tree) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Places of the leaves from left to right, so that every subtree is a range of them.

    Returns
    -------
    place : int64 array, shape (n_leaves,)
    first, stop : int64 arrays, shape (n_splits,)
        The leaves below split i are those with ``first[i] <= place < stop[i]``.
    """
    size = np.ones(tree.n_splits, dtype=np.int64)
    for split in range(tree.n_splits - 1, -1, -1):
        size[split] = sum(size[c] if c >= 0 else 1 for c in (tree.left[split], tree.right[split]))
    place = np.zeros(tree.n_leaves, dtype=np.int64)
    first = np.zeros(tree.n_splits, dtype=np.int64)
    for split in range(tree.n_splits):
        begin = first[split]
        for child in (tree.left[split], tree.right[split]):
            if child >= 0:
                first[child] = begin
                begin += size[child]
            else:
                place[~child] = begin
                begin += 1
    return place, first, first + size


def _with_a_row_each(tree: Tree) -> Tree:
    """A copy of ``tree`` in which axis-aligned splits have a spare row of weights, too."""
    weights = np.zeros((tree.n_splits, tree.n_features), dtype=np.float32)
    oblique = np.flatnonzero(tree.feature == OBLIQUE)
    weights[oblique] = tree.weights[tree.row[oblique]]
    own = np.arange(tree.n_splits, dtype=np.int32)
    return Tree(weights, *(np.array(part) for part in tree[1:]))._replace(row=own)


def _without_spare_rows(tree: Tree) -> Tree:
    """A copy of ``tree`` as a checked tree: rows of weights for the oblique splits only."""
    oblique = tree.feature == OBLIQUE
    row = np.where(oblique, np.cumsum(oblique) - 1, -1)
    parts = tree._replace(weights=tree.weights[oblique], row=row)
    return make_tree(*(np.array(part) for part in parts))


def _cut(tree: Tree, split: int) -> tuple[int, np.ndarray, np.float32]:
    return tree.feature[split], tree.weights[split].copy(), tree.threshold[split]


def _set_cut(tree: Tree, split: int, cut) -> None:
    tree.feature[split], tree.weights[split], tree.threshold[split] = cut


def _same_cut(a, b) -> bool:
    return all(map(np.array_equal, a, b))

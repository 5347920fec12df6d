"""Growth of a greedy tree, level by level; where to split is left to the finder it is given.

The training rows of a node are one range of a single array of row numbers, and a split divides
the range in two, keeping the order within each side::

    rows                [ . . . . a b c d e f g . . ]
                                  start         stop
    after the split     [ . . . . a c f b d e g . . ]
                                  left  right

Nodes are expanded breadth-first: the tree appears node by node, and all of one level before any
of the next. The work is cut into portions of bounded size, which never changes the tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from treecore.greedy.significance import p_value
from treecore.kernels import dot, kernel
from treecore.losses import class_log_odds
from treecore.routing import apply_rows
from treecore.tree import OBLIQUE, Tree, make_tree, single_leaf


class Split(NamedTuple):
    """A split of one node: ``x`` goes right when its score exceeds ``threshold``.

    Attributes
    ----------
    feature : int
        The score is ``x[feature]``, or ``weights @ x`` when this is ``OBLIQUE``.
    threshold : float32
    gain : float
        Impurity of the node less the mean impurity, over its rows, of the two sides; >= 0.
    weights : float32 array, shape (n_features,), or None
    """

    feature: int
    threshold: np.float32
    gain: float
    weights: np.ndarray | None = None


@dataclass(eq=False, slots=True)
class Node:
    """A node of the growing tree: the training rows ``rows[start:stop]`` reach it.

    ``counts`` are those rows by class, int64 of shape (n_classes,). A node without a split is
    a leaf, for the time being at least; ``left`` and ``right`` number the children of the others.
    """

    start: int
    stop: int
    depth: int
    counts: np.ndarray
    split: Split | None = None
    left: int = -1
    right: int = -1

    @property
    def n_rows(self) -> int:
        return self.stop - self.start


class SplitFinder(Protocol):
    """Looks for the best split of one node after another, in portions.

    Growth calls ``attach`` once; then for every node it expands ``begin``, ``search`` until that
    is complete, ``best``; and ``divide`` until that is complete, where a child is to be
    expanded too. One finder serves one growth.
    """

    name: str
    """Name of the method in the registry."""

    n_readings: int
    """About how often a level reads every value of X: the scale of ``Learner.pass_units``."""

    def attach(self, X: np.ndarray, y: np.ndarray, n_classes: int, min_samples_leaf: int) -> None:
        """Take the checked training rows: X (n_samples, n_features), y (n_samples,)."""
        ...

    def begin(self, node: Node, rows: np.ndarray) -> None:
        """Turn to ``node``, which holds ``rows[node.start:node.stop]``; int32 row numbers."""
        ...

    def search(self, budget: int) -> tuple[int, bool]:
        """Search on for about ``budget`` units; return the units done and whether it is over."""
        ...

    def best(self) -> Split | None:
        """The best split with ``min_samples_leaf`` rows on either side; None without any."""
        ...

    def divide(self, right: np.ndarray, budget: int) -> tuple[int, bool]:
        """Divide the finder's own arrays, if any; returns as ``search`` does.

        ``right`` is bool of shape (n_samples,) and true for the node's rows that go right.
        """
        ...


class Growth:
    """A learner that grows one tree greedily; see :class:`treecore.trainer.Learner`.

    A node stays a leaf when its rows are of one class, when it lies at ``depth``, when it has
    fewer than ``min_samples_split`` rows, when no split leaves ``min_samples_leaf`` rows on
    either side, or when the best one gains less than ``min_gain`` or is not significant.

    A unit of work is one value read of one training row. ``epoch`` counts finished levels, and
    the share of the present level's nodes that is done; it is whole only between two levels.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features), C-contiguous and finite
    y : int64 array, shape (n_samples,)
        Classes 0 to ``n_classes - 1``.
    n_classes : int
    depth : int
        Greatest number of splits on a path.
    finder : SplitFinder
        A fresh one.
    min_samples_split, min_samples_leaf : int
    min_gain : float
        Compared with ``n_node / n_samples * gain``, as ``min_impurity_decrease`` of scikit-learn
        is; a split whose gain equals it is made, so 0 admits splits that gain nothing (the
        first split of XOR is one).
    significance : float
        Level of the test of :mod:`treecore.greedy.significance`; 0 tests nothing.
    smoothing : float
        Examples added to every leaf's counts; see :func:`treecore.losses.class_log_odds`.

    Attributes
    ----------
    nodes : list of Node
        All nodes so far, in the order in which they were made: children after their parents.

    Raises
    ------
    ValueError
        When the rows or the settings cannot be grown from.
    """

    def __init__(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        depth: int,
        finder: SplitFinder,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_gain: float = 0.0,
        significance: float = 0.0,
        smoothing: float = 1.0,
    ):
        _check_rows(X, y, n_classes)
        if depth < 1:
            raise ValueError(f"depth={depth} must be at least 1")
        if min_samples_split < 2:
            raise ValueError(f"min_samples_split={min_samples_split} must be at least 2")
        if min_samples_leaf < 1:
            raise ValueError(f"min_samples_leaf={min_samples_leaf} must be at least 1")
        if not min_gain >= 0:
            raise ValueError(f"min_gain={min_gain} must not be negative")
        if not 0 <= significance <= 1:
            raise ValueError(f"significance={significance} must be between 0 and 1")
        if not 0 < smoothing < np.inf:
            raise ValueError(f"smoothing={smoothing} must be positive and finite")
        self.name = finder.name
        self.n_epochs = depth
        self._units_per_row = finder.n_readings * X.shape[1]
        self.pass_units = self._units_per_row * X.shape[0]
        self.finished = False
        self.n_read = 0  # values read so far
        self.train_rows = self._X = X
        self.row_norm = self.inner_products = None  # it has no W and no bound
        self._y = y
        self._built: tuple[int, Tree] | None = None
        self._depth = depth
        self._finder = finder
        self._min_rows = max(min_samples_split, 2 * min_samples_leaf)
        self._min_gain = min_gain
        self._significance = significance
        self._smoothing = smoothing

        n_samples = X.shape[0]
        self._rows = np.arange(n_samples, dtype=np.int32)
        self._right = np.zeros(n_samples, dtype=np.bool_)
        self._spare = np.empty(n_samples, dtype=np.int32)
        root = Node(0, n_samples, depth=0, counts=np.bincount(y, minlength=n_classes))
        self.nodes = [root]
        self._level = [root] if self._expands(root) else []  # nodes of this level to expand
        self._n_done = 0  # of them
        self._next_level: list[Node] = []
        self._levels_done = 0
        finder.attach(X, y, n_classes, min_samples_leaf)
        self._open_node()

    @property
    def epoch(self) -> float:
        """Levels finished, plus the share of the present level's nodes that is done."""
        if self.finished:
            return float(self.n_epochs)
        # How much work a node takes is not known before, so its share nears 1 ever more slowly.
        expected = self._level[self._n_done].n_rows * self._units_per_row
        under_way = self._node_units / (self._node_units + expected)
        return self._levels_done + (self._n_done + under_way) / len(self._level)

    def advance(self, budget: int) -> int:
        """Do about ``budget`` units of work, at most to the end of the level; return the units.

        They exceed ``budget`` by no more than one feature, or direction, of one node: that much
        is never cut.
        """
        level = self._levels_done
        done = 0
        while done < budget and self._levels_done == level and not self.finished:
            done += self._advance_node(budget - done)
        self.n_read += done
        return done

    def tree(self) -> Tree:
        """The tree grown so far; nodes that are still to be expanded are leaves."""
        if self._built is None or self._built[0] != len(self.nodes):
            self._built = len(self.nodes), self._build()
        return self._built[1]

    def values(self) -> np.ndarray:
        """The present leaf values, float32 (n_leaves, n_classes)."""
        return self.tree().values

    def prepare(self, X: np.ndarray) -> np.ndarray:
        """Rows as the tree reads them: raw, float32."""
        return np.ascontiguousarray(X, dtype=np.float32)

    def measure(self, rows, y, weight, bounded):
        """The leaf of every row; see ``Learner``. Greedy growth has no bound."""
        leaf = np.empty(len(y), dtype=np.int32)
        apply_rows(self.tree(), rows, leaf)
        return leaf, None

    def _build(self) -> Tree:
        inner = [node for node in self.nodes if node.split is not None]
        leaves = [node for node in self.nodes if node.split is None]
        values = class_log_odds(np.array([leaf.counts for leaf in leaves]), self._smoothing)
        n_features = self._X.shape[1]
        if not inner:
            return single_leaf(values, n_features)
        # Nodes are listed as they were made, so children come after their parents.
        references = np.empty(len(self.nodes), dtype=np.int32)
        is_inner = np.array([node.split is not None for node in self.nodes])
        references[is_inner] = np.arange(len(inner))
        references[~is_inner] = ~np.arange(len(leaves))
        oblique = np.array([node.split.feature == OBLIQUE for node in inner])
        weights = [node.split.weights for node in inner if node.split.weights is not None]
        return make_tree(
            weights=np.reshape(weights, (len(weights), n_features)),
            threshold=[node.split.threshold for node in inner],
            feature=[node.split.feature for node in inner],
            row=np.where(oblique, np.cumsum(oblique) - 1, -1),
            left=references[[node.left for node in inner]],
            right=references[[node.right for node in inner]],
            values=values,
        )

    def _advance_node(self, budget: int) -> int:
        """One portion of work on the node at hand, which is first searched, then divided."""
        node = self._level[self._n_done]
        if node.split is not None:
            units, complete = self._finder.divide(self._right, budget)
        else:
            units, complete = self._finder.search(budget)
            if complete:
                split = self._finder.best()
                if split is not None and self._gains_enough(node, split):
                    # The finder's arrays need not follow where both children stay leaves.
                    complete = not self._split(node, split)
        self._node_units += units
        if complete:
            self._n_done += 1
            self._open_node()
        return units

    def _open_node(self) -> None:
        """Turn to the next node of the level, to the next level, or to the end."""
        self._node_units = 0
        if self._n_done == len(self._level):
            self._levels_done += 1
            self._level, self._next_level = self._next_level, []
            self._n_done = 0
        if self._level:
            self._finder.begin(self._level[self._n_done], self._rows)
        else:
            self.finished = True

    def _expands(self, node: Node) -> bool:
        pure = node.counts.max() == node.n_rows
        return not pure and node.depth < self._depth and node.n_rows >= self._min_rows

    def _gains_enough(self, node: Node, split: Split) -> bool:
        return split.gain * (node.n_rows / self._X.shape[0]) >= self._min_gain

    def _split(self, node: Node, split: Split) -> bool:
        """Split ``node`` if that is significant; return whether a child of it will be expanded."""
        weights = split.weights if split.weights is not None else np.empty(0, dtype=np.float32)
        rows = self._rows[node.start : node.stop]  # a view
        mark_right(self._X, rows, split.feature, weights, split.threshold, self._right)
        counts = np.bincount(self._y[rows[self._right[rows]]], minlength=len(node.counts))
        if self._significance > 0 and p_value(node.counts - counts, counts) > self._significance:
            return False
        middle = node.start + divide(rows, self._right, self._spare)
        left = Node(node.start, middle, node.depth + 1, node.counts - counts)
        right = Node(middle, node.stop, node.depth + 1, counts)
        node.split = split
        node.left, node.right = len(self.nodes), len(self.nodes) + 1
        self.nodes += [left, right]
        expanding = [child for child in (left, right) if self._expands(child)]
        self._next_level += expanding
        return bool(expanding)


@kernel
def mark_right(X, rows, feature, weights, threshold, right):
    """Set ``right[row]`` for each of ``rows`` to whether the row goes right at a split.

    X (n_samples, n_features) and ``weights``, which is empty unless ``feature`` is ``OBLIQUE``,
    are float32; ``right`` is bool of shape (n_samples,).
    """
    for row in rows:
        score = dot(weights, X[row]) if feature == OBLIQUE else X[row, feature]
        right[row] = score > threshold


@kernel
def divide(rows, right, spare):
    """Bring the rows that go left to the front, keeping the order on both sides, in place.

    Returns their number. ``rows`` is int32, ``right`` bool of shape (n_samples,), and ``spare``
    int32 with room for ``rows``.
    """
    n_left = n_right = 0
    for row in rows:
        # Written to both ends' next place, of which one moves on: no branch to mispredict.
        # rows[n_left] has been read already, and spare is not yet full.
        rows[n_left] = row
        spare[n_right] = row
        step = np.int64(right[row])
        n_left += 1 - step
        n_right += step
    rows[n_left:] = spare[:n_right]
    return n_left


def _check_rows(X: np.ndarray, y: np.ndarray, n_classes: int) -> None:
    if X.dtype != np.float32 or X.ndim != 2 or not X.flags.c_contiguous:
        raise ValueError("X must be a C-contiguous float32 array of shape (n_samples, n_features)")
    if min(X.shape) < 1:
        raise ValueError(f"X has shape {X.shape}: a tree needs at least one row and one feature")
    if y.dtype != np.int64 or y.shape != X.shape[:1]:
        raise ValueError(
            f"y must be int64 of shape ({X.shape[0]},), not {y.dtype} of shape {y.shape}"
        )
    if y.min() < 0 or y.max() >= n_classes:
        raise ValueError(
            f"y holds classes {y.min()} to {y.max()}, but there are classes 0 to {n_classes - 1}"
        )

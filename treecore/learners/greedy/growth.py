"""Growth of a greedy tree, level by level or best first; a finder says where to split.

The training rows of a node are one range of a single array of row numbers, and a split divides
the range in two, keeping the order within each side::

    rows                [ . . . . a b c d e f g . . ]
                                  start         stop
    after the split     [ . . . . a c f b d e g . . ]
                                  left  right

Without a limit on the leaves all nodes of one level are split before any of the next. With one
(``max_leaf_nodes``) the split that lowers the impurity of all rows most is made next, as in
scikit-learn, and a level is one such split and the search of its two sides. The work is cut into
portions of bounded size, which never changes the tree.
"""

from __future__ import annotations

import heapq

import numpy as np

from treecore.base.state_file import CheckpointError
from treecore.compiling.kernels import dot, kernel
from treecore.core.impurity import Criterion
from treecore.core.routing import apply_rows, predict_linear
from treecore.core.tree import OBLIQUE, Tree, make_tree, single_leaf
from treecore.learners.greedy.grown_leaves import GrownLeaves
from treecore.learners.greedy.settings import max_levels
from treecore.learners.greedy.splitter import Node, Split, SplitFinder
from treecore.learners.greedy.targets import make_targets
from treecore.rows.training_rows import TrainingRows


class Growth:
    """A learner that grows one tree greedily; see :class:`treecore.learners.base.Learner`.

    A node stays a leaf when its rows are of one class or number, when it lies at ``depth``, when
    it has fewer than ``min_samples_split`` rows, when its impurity is below ``min_impurity``, when
    no split leaves ``min_samples_leaf`` rows on either side, or when the best one gains less than
    ``min_gain`` or is not significant. Rows without weight are left out; all others count as one
    where rows are counted, and by their weights in impurities and gains.

    A unit of work is one value read of one training row. ``epoch`` counts finished levels, and
    the share of the present level's nodes that is done; it is an integer only between two levels.

    nodes: all nodes so far, in the order in which they were made: children after their parents.
    Raises ValueError when the rows or the settings cannot be grown from.

    - criterion: impurity of classes; that of numbers is their variance, summed over the outputs.
    - depth: greatest number of splits on a path.
    - finder: a fresh one.
    - max_leaf_nodes: greatest number of leaves; 0: any.
    - min_impurity: the pruning of OC1 (the slides): "cutting off subtrees at nodes whose impurity
      measures are less than a certain threshold".
    - significance: level of the tests of :mod:`treecore.learners.greedy.significance`; 0 tests
      nothing.
    - smoothing: examples that know nothing, added to every leaf; see :class:`treecore.losses.Loss`.
    - linear: whether leaves are linear.
    """

    def __init__(
        self,
        rows: TrainingRows,
        criterion: Criterion,
        depth: int,
        finder: SplitFinder,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_gain: float = 0.0,
        min_impurity: float = 0.0,
        significance: float = 0.0,
        smoothing: float = 1.0,
        max_leaf_nodes: int = 0,
        linear: bool = False,
    ):
        _check_rows(rows)
        if depth < 1:
            raise ValueError(f"depth={depth} must be at least 1")
        if min_samples_split < 2:
            raise ValueError(f"min_samples_split={min_samples_split} must be at least 2")
        if min_samples_leaf < 1:
            raise ValueError(f"min_samples_leaf={min_samples_leaf} must be at least 1")
        if not min_gain >= 0:
            raise ValueError(f"min_gain={min_gain} must not be negative")
        if not min_impurity >= 0:
            raise ValueError(f"min_impurity={min_impurity} must not be negative")
        if not 0 <= significance <= 1:
            raise ValueError(f"significance={significance} must be between 0 and 1")
        if not 0 < smoothing < np.inf:
            raise ValueError(f"smoothing={smoothing} must be positive and finite")
        if max_leaf_nodes < 0:
            raise ValueError(f"max_leaf_nodes={max_leaf_nodes} must not be negative")
        self.name = finder.name
        self.n_epochs = max_levels(depth, max_leaf_nodes)
        self.train_rows = rows.X
        n_samples = int(np.count_nonzero(rows.weight))
        if n_samples < len(rows.weight) and not finder.passes_over_rows:
            rows = rows.take(np.flatnonzero(rows.weight))
        self._training_rows = rows
        self._targets = make_targets(rows, criterion)
        self._units_per_row = finder.n_readings * rows.X.shape[1]
        self.pass_units = self._units_per_row * n_samples
        self.finished = False
        self.n_read = 0  # values read so far
        self.row_norm = self.inner_products = None  # it has no W and no bound
        self._models = GrownLeaves(rows, smoothing) if linear else None
        self._built: tuple[tuple[int, bool], Tree] | None = None
        self._depth = depth
        self._finder: SplitFinder | None = finder
        self._min_rows = max(min_samples_split, 2 * min_samples_leaf)
        self._min_gain, self._min_impurity = min_gain, min_impurity
        self._significance = significance
        self._smoothing = smoothing / rows.mean_weight
        self._max_leaf_nodes = max_leaf_nodes

        self._rows = np.arange(n_samples, dtype=np.int32)
        if n_samples < len(rows.weight):
            self._rows = np.flatnonzero(rows.weight).astype(np.int32)
        self._right = np.zeros(len(rows.X), dtype=np.bool_)
        root = Node(0, n_samples, depth=0, tally=self._targets.tally(self._rows))
        self.nodes = [root]
        expands = self._expands(root) and max_leaf_nodes != 1
        self._level = [0] if expands else []  # nodes of this level to expand, by their places
        self._n_done = 0  # of them
        self._next_level: list[int] = []
        # Splits found and not made, a heap: minus the fall of impurity, place in nodes, split.
        self.waiting: list[tuple[float, int, Split]] = []
        self._levels_done = 0
        self._node_units = self._phase_units = 0  # of the node at hand, of its search or division
        finder.attach(rows, self._targets, min_samples_leaf)
        self._open_node()

    @property
    def epoch(self) -> float:
        """Levels finished, plus the share of the present level's nodes that is done."""
        if self.finished:
            return float(self.n_epochs)
        # How much work a node takes is not known before, so its share nears 1 ever more slowly.
        expected = self._node.n_rows * self._units_per_row
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
        if self.finished:
            self.tree()  # whose models take a while
        return done

    def tree(self) -> Tree:
        """The tree grown so far; nodes that are still to be expanded are leaves."""
        state = len(self.nodes), self.finished
        if self._built is None or self._built[0] != state:
            self._built = state, self._build()
        return self._built[1]

    def values(self) -> np.ndarray:
        """The present leaf values, float32 (n_leaves, n_outputs)."""
        return self.tree().values

    def prepare(self, rows):
        """Rows as the tree reads them: raw, NaN where a value is missing."""
        return rows.X

    def measure(self, rows, y, weight, bounded):
        """The leaf of every row; there is no bound."""
        tree = self.tree().without_linear()
        leaf = np.empty(len(y), dtype=np.int32)
        apply_rows(tree, rows, leaf)
        return leaf, None

    def predictions(self, rows, leaf):
        """What linear leaves say to prepared rows; None of constant ones. See ``Learner``."""
        return None if self._models is None else predict_linear(self.tree(), rows, leaf)

    def _build(self) -> Tree:
        leaves = [node for node in self.nodes if node.split is None]
        leaf = self._leaf_of_rows(leaves)
        tree = self._build_splits(self._leaf_values(leaf, len(leaves)))
        return tree if self._models is None else self._models.on(tree, leaf, self.finished)

    def _build_splits(self, values: np.ndarray) -> Tree:
        inner = [node for node in self.nodes if node.split is not None]
        n_leaves = len(values)
        n_features = self._training_rows.X.shape[1]
        if not inner:
            leaf = single_leaf(values, n_features)
            means = self._training_rows.means
            return leaf if means is None else leaf._replace(missing=means)
        # Nodes are listed as they were made, so children come after their parents.
        references = np.empty(len(self.nodes), dtype=np.int32)
        is_inner = np.array([node.split is not None for node in self.nodes])
        references[is_inner] = np.arange(len(inner))
        references[~is_inner] = ~np.arange(n_leaves)
        splits = [node.split for node in self.nodes if node.split is not None]
        oblique = np.array([split.feature == OBLIQUE for split in splits])
        weights = [split.weights for split in splits if split.weights is not None]
        return make_tree(
            weights=np.reshape(weights, (len(weights), n_features)),
            threshold=[split.threshold for split in splits],
            feature=[split.feature for split in splits],
            row=np.where(oblique, np.cumsum(oblique) - 1, -1),
            left=references[[node.left for node in inner]],
            right=references[[node.right for node in inner]],
            values=values,
            missing=self._training_rows.means,
            missing_left=[self._sends_left(split) for split in splits],
        )

    def _sends_left(self, split: Split) -> bool:
        """Whether a split sends a missing value left: as it says, or as the mean goes."""
        if split.feature == OBLIQUE or split.missing_left is not None:
            return bool(split.missing_left)
        means = self._training_rows.means
        return bool((0.0 if means is None else means[split.feature]) <= split.threshold)

    def _leaf_of_rows(self, leaves: list[Node]) -> np.ndarray:
        """The leaf of every row; of rows without weight the first."""
        leaf = np.zeros(len(self._training_rows.weight), dtype=np.int32)
        for number, node in enumerate(leaves):
            leaf[self._rows[node.start : node.stop]] = number
        return leaf

    def _leaf_values(self, leaf: np.ndarray, n_leaves: int) -> np.ndarray:
        """The best constants of the leaves, float32 (n_leaves, n_outputs)."""
        rows = self._training_rows
        y, weight = rows.y, rows.weight
        # Rows without weight add nothing to the counts of classes.
        if len(self._rows) < len(leaf) and rows.loss.task == "regression":
            heavy = np.sort(self._rows)
            leaf, y, weight = leaf[heavy], y[heavy], weight[heavy]
        return rows.loss.constants(leaf, y, weight, n_leaves, rows.n_outputs, self._smoothing)

    @property
    def _node(self) -> Node:
        """The node at hand."""
        return self.nodes[self._level[self._n_done]]

    @property
    def _at_work(self) -> SplitFinder:
        assert self._finder is not None, "there is a node to split"
        return self._finder

    def _advance_node(self, budget: int) -> int:
        """One portion of work on the node at hand, which is first searched, then divided."""
        node = self._node
        units, complete = self._work_on(node, budget)
        self._node_units += units
        self._phase_units += units
        if complete and node.split is None:
            split = self._at_work.best()
            if split is None or not self._gains_enough(node, split):
                pass
            elif self._max_leaf_nodes:
                self.wait(self._level[self._n_done], split)
            elif self._split(self._level[self._n_done], split):
                # Else both children stay leaves, which the finder's arrays need not follow.
                complete, self._phase_units = False, 0
        if complete:
            self._n_done += 1
            self._open_node()
        return units

    def _work_on(self, node: Node, budget: int) -> tuple[int, bool]:
        """Search a node, or divide it where it has its split."""
        if node.split is None:
            return self._at_work.search(budget)
        return self._at_work.divide(self._right, budget)

    def _open_node(self) -> None:
        """Turn to the next node of the level, to the next level, or to the end."""
        self._node_units = self._phase_units = 0
        if self._n_done == len(self._level):
            self._levels_done += 1
            if self._max_leaf_nodes:
                self._split_best()
            self._level, self._next_level = self._next_level, []
            self._n_done = 0
        if self._level:
            self._drawn_from = _state(self._at_work.rng)
            self._at_work.begin(self._node, self._rows)
        else:
            self.finished = True
            self._finder = None  # and its work space

    def wait(self, place: int, split: Split) -> None:
        """Keep the split of a node, by its place in ``nodes``, for when it is the best one."""
        fall = split.gain * self._targets.weight(self.nodes[place].tally)
        heapq.heappush(self.waiting, (-fall, place, split))

    def _split_best(self) -> None:
        """Make the best of the splits that wait; its node is the next level's first, to divide."""
        n_leaves = (len(self.nodes) + 1) // 2
        while self.waiting and not self._next_level and n_leaves < self._max_leaf_nodes:
            _, place, split = heapq.heappop(self.waiting)
            expands = self._split(place, split)
            n_leaves = (len(self.nodes) + 1) // 2
            if expands:
                self._next_level = [place, *self._next_level]
        if n_leaves == self._max_leaf_nodes:
            self._next_level = []

    def resume(self) -> None:
        """Bring a fresh finder to where growth is: what it did at the node at hand is done again.

        Raises CheckpointError where the node has less work than was done.
        """
        if not self._level:
            return
        finder, node = self._at_work, self._node
        now = _state(finder.rng)
        if len(self.nodes) > 1:
            starts = np.sort([node.start for node in self.nodes if node.split is None])
            finder.resume(starts, self._rows)
        _set_state(finder.rng, self._drawn_from)
        finder.begin(node, self._rows)
        done, complete = 0, False
        while done < self._phase_units and not complete:
            units, complete = self._work_on(node, self._phase_units - done)
            done += units
        if complete:
            raise CheckpointError("the state does not fit these rows and settings")
        _set_state(finder.rng, now)

    def _expands(self, node: Node) -> bool:
        if node.depth >= self._depth or node.n_rows < self._min_rows:
            return False
        impurity = self._targets.impurity(node.tally, self._rows[node.start : node.stop])
        return impurity > 0 and impurity >= self._min_impurity

    def _gains_enough(self, node: Node, split: Split) -> bool:
        weight = self._targets.weight
        share = weight(node.tally) / weight(self.nodes[0].tally)
        return split.gain * share >= self._min_gain

    def _split(self, place: int, split: Split) -> bool:
        """Split a node if that is significant; return whether a child of it will be expanded."""
        node = self.nodes[place]
        weights = split.weights if split.weights is not None else np.empty(0, dtype=np.float32)
        rows = self._rows[node.start : node.stop]  # a view
        X = self._training_rows.X if split.weights is None else self._training_rows.complete.X
        ways = split.threshold, self._sends_left(split)
        mark_right(X, rows, split.feature, weights, *ways, self._right)
        to_right = rows[self._right[rows]]
        tally = self._targets.tally(to_right)
        if self._significance > 0:
            p_value = self._targets.p_value(node.tally - tally, tally, rows)
            if p_value > self._significance:
                return False
        spare = np.empty(len(to_right) + 1, dtype=np.int32)
        middle = node.start + divide(rows, self._right, spare)
        left = Node(node.start, middle, node.depth + 1, node.tally - tally)
        right = Node(middle, node.stop, node.depth + 1, tally)
        node.split = split
        node.left, node.right = len(self.nodes), len(self.nodes) + 1
        self.nodes += [left, right]
        children = (node.left, left), (node.right, right)
        expanding = [place for place, child in children if self._expands(child)]
        self._next_level += expanding
        return bool(expanding)


def _state(rng: np.random.Generator | None) -> dict | None:
    return None if rng is None else dict(rng.bit_generator.state)


def _set_state(rng: np.random.Generator | None, state: dict | None) -> None:
    if rng is not None and state is not None:
        rng.bit_generator.state = state


@kernel
def mark_right(X, rows, feature, weights, threshold, missing_left, right):
    """Write for some rows whether they go right at a split.

    X: float32 (n_samples, n_features); rows: int32 (n,); feature: ``OBLIQUE`` where ``weights`` is
    read; weights: float32 (n_features,) or empty; missing_left: of a split on one feature; right:
    bool (n_samples,), written, only ``right[rows]`` is written.
    """
    for row in rows:
        score = dot(weights, X[row]) if feature == OBLIQUE else X[row, feature]
        right[row] = score > threshold or (score != score and not missing_left)


@kernel
def divide(rows, right, spare):
    """Bring the rows that go left to the front, keeping the order on both sides.

    rows: int32 (n,); right: bool (n_samples,), whether a row goes right; spare: int32 array, work
    space, longer by one at least than there are rows that go right. Returns int, rows that go left.
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
    for i in range(n_right):
        rows[n_left + i] = spare[i]
    return n_left


def _check_rows(rows: TrainingRows) -> None:
    X, y, n = rows.X, rows.y, len(rows.weight)
    if X.dtype != np.float32 or X.ndim != 2 or not X.flags.c_contiguous:
        raise ValueError("X must be a C-contiguous array (n_samples, n_features) of float32")
    if len(X) < 1 or X.shape[1] < 1:
        raise ValueError("a tree needs at least one row and one feature")
    if len(X) != n or len(y) != n:
        raise ValueError(f"there are {len(X)} rows, {len(y)} targets and {n} weights")
    if not (rows.weight >= 0).all() or not 0 < rows.weight.sum() < np.inf:
        raise ValueError("weights must not be negative, nor all of them 0 or any infinite")
    if rows.loss.task == "regression":
        if y.dtype != np.float32 or y.shape != (n, rows.n_outputs) or not np.isfinite(y).all():
            raise ValueError(
                f"y must be finite float32 of shape ({n}, {rows.n_outputs}), "
                f"not {y.dtype} of shape {y.shape}"
            )
        return
    if y.dtype != np.int64 or y.shape != (n,):
        raise ValueError(f"y must be int64 of shape ({n},), not {y.dtype} of shape {y.shape}")
    if y.min() < 0 or y.max() >= rows.n_outputs:
        raise ValueError(
            f"y holds classes {y.min()} to {y.max()}, but there are classes 0 to "
            f"{rows.n_outputs - 1}"
        )

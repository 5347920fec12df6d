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

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from treecore.base.state_file import CheckpointError
from treecore.core.impurity import Criterion
from treecore.core.routing import apply_rows, predict_linear
from treecore.core.tree import OBLIQUE, Tree, make_tree, single_leaf
from treecore.learners.greedy.finders.oblique import multiply_rows
from treecore.learners.greedy.grown_leaves import GrownLeaves
from treecore.learners.greedy.monotonic import MonotonicBounds, check_monotonic
from treecore.learners.greedy.settings import max_levels
from treecore.learners.greedy.splitter import Node, Split, SplitFinder
from treecore.learners.greedy.targets import make_targets
from treecore.rows.training_rows import TrainingRows


class NodeArrays(NamedTuple):
    """The nodes in the order in which they were made: children after their parents.

    - start, stop: int32 (n,), the training rows ``rows[start:stop]`` reach a node.
    - depth: int32 (n,).
    - left: int32 (n,), its left child, after which comes the right one; 0 of a leaf, for the time
      being at least.
    - pending: bool (n,), whether a node is still to be searched.
    - waiting: bool (n,), whether its split is found, and may be made later.
    - fall: float64 (n,), of the impurity of all rows by its split.
    - feature, threshold, missing_left: int32, float32 and bool (n,), the split.
    - row: int32 (n,), the place of its weights among all; not read of an axis-aligned one.
    - tally: float64 (n, n_numbers), sums up the targets of a node's rows.
    """

    start: np.ndarray
    stop: np.ndarray
    depth: np.ndarray
    left: np.ndarray
    pending: np.ndarray
    waiting: np.ndarray
    fall: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    missing_left: np.ndarray
    row: np.ndarray
    tally: np.ndarray

    @classmethod
    def room_for(cls, n: int, n_numbers: int) -> NodeArrays:
        """Room for ``n`` nodes; memory is taken where nodes are made."""
        kinds = [*["i4"] * 4, "?", "?", "f8", "i4", "f4", "?", "i4", f"({n_numbers},)f8"]
        return cls(*(np.zeros(n, kind) for kind in kinds))


_CLOCK = ("_at", "_levels_done", "_n_done", "_level_size", "_node_units", "_phase_units", "n_read")
"""Numbers that change while a tree grows."""


class Growth:
    """A learner that grows one tree greedily; see :class:`treecore.learners.base.Learner`.

    A node stays a leaf when its rows are of one class or number, when it lies at ``depth``, when
    it has fewer than ``min_samples_split`` rows, when its impurity is below ``min_impurity``, when
    no split leaves ``min_samples_leaf`` rows on either side, or when the best one gains less than
    ``min_gain`` or is not significant. Rows without weight are left out; all others count as one
    where rows are counted, and by their weights in impurities and gains.

    A unit of work is one value read of one training row. ``epoch`` counts finished levels, and
    the share of the present level's nodes that is done; it is an integer only between two levels.

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
        self.n_read = 0  # values read so far
        self.row_norm = self.inner_products = None  # it has no W and no bound
        self._models = GrownLeaves(rows, smoothing) if linear else None
        self._built: tuple[tuple[int, bool], Tree] | None = None
        self._depth = depth
        self._finder = finder
        self._min_rows = max(min_samples_split, 2 * min_samples_leaf)
        self._min_gain, self._min_impurity = min_gain, min_impurity
        self._significance = significance
        self._smoothing = smoothing / rows.mean_weight
        self._max_leaf_nodes = max_leaf_nodes

        self._rows = np.arange(n_samples, dtype=np.int32)
        if n_samples < len(rows.weight):
            self._rows = np.flatnonzero(rows.weight).astype(np.int32)
        self._right = np.zeros(len(rows.X), dtype=np.bool_)
        tally = self._targets.tally(self._rows)
        n_leaves = min(n_samples, 1 << depth, max_leaf_nodes or n_samples)
        self._room = NodeArrays.room_for(2 * n_leaves - 1, len(tally))
        self._bounds: MonotonicBounds | None = None
        if rows.monotonic is not None:
            check_monotonic(rows)
            if not finder.keeps_order:
                raise ValueError("monotonic_cst needs axis-aligned splits")
        if rows.monotonic is not None and not linear:
            known = self._smoothing * self._targets.weight(tally) / rows.weight.sum()
            self._bounds = MonotonicBounds(rows, self._targets, known, 2 * n_leaves - 1)
        self.n_nodes = 0
        self._weights: list[np.ndarray] = []  # of all oblique splits found
        self._add_node(0, n_samples, 0, tally)
        self._levels_done = -1
        self._at = 0  # the place of the node at hand
        self._rng = finder.rng or np.random.default_rng(0)  # which nothing is drawn from
        self._drawn_from = self._rng.bit_generator.state  # when that node was begun
        self._n_done = self._level_size = 0  # nodes of this level, those to expand
        self._node_units = self._phase_units = 0  # of the node at hand, of its search or division
        finder.attach(rows, self._targets, min_samples_leaf)
        self._open_node()

    @property
    def finished(self) -> bool:
        """Whether no node is left to expand."""
        return self._level_size == 0

    @property
    def nodes(self) -> NodeArrays:
        """All nodes so far; views."""
        return NodeArrays(*(array[: self.n_nodes] for array in self._room))

    @property
    def epoch(self) -> float:
        """Levels finished, plus the share of the present level's nodes that is done."""
        if self.finished:
            return float(self.n_epochs)
        # How much work a node takes is not known before, so its share nears 1 ever more slowly.
        expected = self._node.n_rows * self._units_per_row
        under_way = self._node_units / (self._node_units + expected)
        return self._levels_done + (self._n_done + under_way) / self._level_size

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
        state = self.n_nodes, self.finished
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

    def arrays(self) -> dict[str, Any]:
        """Everything that changes while it grows: its state."""
        return {
            "nodes": self.nodes,
            "weights": np.array(self._weights, dtype=np.float32),
            "rows": self._rows,
            "clock": np.array([getattr(self, name) for name in _CLOCK]),
            "drawn_from": self._drawn_from,
        }

    def _build(self) -> Tree:
        nodes = self.nodes
        is_leaf = nodes.left == 0
        leaf = self._leaf_of_rows(nodes.start[is_leaf])
        values = self._leaf_values(leaf, is_leaf.sum())
        if self._bounds is not None:
            values = self._bounds.clipped(values, np.flatnonzero(is_leaf))
        tree = self._build_splits(nodes, is_leaf, values)
        return tree if self._models is None else self._models.on(tree, leaf, self.finished)

    def _build_splits(self, nodes: NodeArrays, is_leaf: np.ndarray, values: np.ndarray) -> Tree:
        means = self._training_rows.means
        n_features = self._training_rows.X.shape[1]
        if is_leaf[0]:
            leaf = single_leaf(values, n_features)
            return leaf if means is None else leaf._replace(missing=means)
        # Children come after their parents, so that splits do in the tree as well.
        references = np.where(is_leaf, -np.cumsum(is_leaf), np.cumsum(~is_leaf) - 1)
        inner = NodeArrays(*(array[~is_leaf] for array in nodes))
        oblique = inner.feature == OBLIQUE
        weights = [self._weights[row] for row in inner.row[oblique]]
        return make_tree(
            weights=np.reshape(weights, (len(weights), n_features)),
            threshold=inner.threshold,
            feature=inner.feature,
            row=np.where(oblique, np.cumsum(oblique) - 1, -1),
            left=references[inner.left],
            right=references[inner.left + 1],
            values=values,
            missing=means,
            missing_left=inner.missing_left,
        )

    def _sends_left(self, split: Split) -> bool:
        """Whether a split sends a missing value left: as it says, or as the mean goes."""
        if split.feature == OBLIQUE or split.missing_left is not None:
            return bool(split.missing_left)
        means = self._training_rows.means
        return bool((0.0 if means is None else means[split.feature]) <= split.threshold)

    def _leaf_of_rows(self, starts: np.ndarray) -> np.ndarray:
        """The leaf of every row; of rows without weight the first. starts: of their ranges."""
        leaf = np.zeros(len(self._training_rows.weight), dtype=np.int32)
        order = np.argsort(starts).astype(np.int32)
        sizes = np.diff(starts[order], append=len(self._rows))
        leaf[self._rows] = np.repeat(order, sizes)
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

    def _advance_node(self, budget: int) -> int:
        """One portion of work on the node at hand, or none where that was all."""
        self._finder.budget = budget
        units = next(self._portions, None)
        if units is None:
            self._n_done += 1
            self._open_node()
            return 0
        self._node_units += units
        self._phase_units += units
        return units

    def _work(self) -> Iterator[int]:
        """Search the node at hand, if it has no split yet, and divide it."""
        at, nodes = self._at, self._room
        if nodes.left[at] == 0:
            split = yield from self._finder.search()
            nodes.pending[at] = False
            if split is None or not self._keep(split) or self._max_leaf_nodes:
                return
            self._phase_units = 0
            if not self._split(at):
                return  # both children stay leaves, which the finder's arrays need not follow
        yield from self._finder.divide(self._right)

    def _open_node(self) -> None:
        """Turn to the next node of the level, to the next level, or to the end."""
        self._node_units = self._phase_units = 0
        divided = -1  # the node whose division is the first work of a level
        if self._n_done == self._level_size:
            self._levels_done += 1
            if self._max_leaf_nodes:
                divided = self._split_best()
            n_pending = int(np.count_nonzero(self._room.pending[: self.n_nodes]))
            self._n_done, self._level_size = 0, n_pending + (divided >= 0)
        # Nodes to search are all of this level, or of the next one, which comes after.
        self._at = divided if divided >= 0 else int(self._room.pending.argmax())
        self._begin()

    def _begin(self) -> None:
        """Turn the finder to the node at hand."""
        if self.finished:
            del self._finder  # and its work space
            return
        at, nodes = self._at, self._room
        ends = int(nodes.start[at]), int(nodes.stop[at])
        bounds = None if self._bounds is None else self._bounds.of(at)
        self._node = Node(*ends, int(nodes.depth[at]), nodes.tally[at], bounds)
        self._drawn_from = self._rng.bit_generator.state
        self._finder.begin(self._node, self._rows)
        self._portions = self._work()

    def _keep(self, split: Split) -> bool:
        """Keep the split of the node at hand if it gains enough; return whether it does."""
        at, nodes = self._at, self._room
        weight, of_all = map(self._targets.weight, (nodes.tally[at], nodes.tally[0]))
        if not split.gain * (weight / of_all) >= self._min_gain:
            return False
        nodes.feature[at], nodes.threshold[at] = split.feature, split.threshold
        nodes.missing_left[at] = self._sends_left(split)
        nodes.fall[at], nodes.waiting[at] = split.gain * weight, self._max_leaf_nodes > 0
        if split.weights is not None:
            nodes.row[at] = len(self._weights)
            self._weights.append(split.weights)
        return True

    def _split_best(self) -> int:
        """Make the best of the splits that wait; return its node, to be divided, or -1."""
        nodes, most = self._room, 2 * self._max_leaf_nodes - 1
        while self.n_nodes < most:
            waiting = np.flatnonzero(nodes.waiting[: self.n_nodes])
            if not waiting.size:
                return -1
            place = int(waiting[nodes.fall[waiting].argmax()])  # the first of equals
            nodes.waiting[place] = False
            if self._split(place) and self.n_nodes < most:
                return place
        nodes.pending[:] = False
        return -1

    def go_on(self, state: Mapping[str, Any]) -> None:
        """Go on from what :meth:`arrays` gave.

        A fresh finder does again what it did at the node at hand. Raises CheckpointError where the
        node has less work than was done.
        """
        self.n_nodes = len(state["nodes"]["start"])
        for name, array in self.nodes._asdict().items():
            array[:] = state["nodes"][name]
        self._weights, self._rows[:] = list(state["weights"]), state["rows"]
        for name, number in zip(_CLOCK, state["clock"].tolist(), strict=True):
            setattr(self, name, number)
        self._built = None
        if self._bounds is not None:
            for place in np.flatnonzero(self.nodes.left):
                self._hand_down(int(place))
        if self.finished:
            return
        nodes, now = self.nodes, self._rng.bit_generator.state
        if self.n_nodes > 1:
            self._finder.resume(np.sort(nodes.start[nodes.left == 0]), self._rows)
        child = nodes.left[self._at]
        if child:
            self._right[self._rows[nodes.stop[child] : nodes.stop[self._at]]] = True
        self._rng.bit_generator.state = state["drawn_from"]
        self._begin()
        left = self._phase_units
        while left > 0:
            self._finder.budget = left
            units = next(self._portions, None)
            if units is None:
                raise CheckpointError("the state does not fit these rows and settings")
            left -= units
        self._rng.bit_generator.state = now

    def _split(self, place: int) -> bool:
        """Split a node if that is significant; return whether a child of it will be expanded."""
        nodes = self._room
        start, stop, below = nodes.start[place], nodes.stop[place], int(nodes.depth[place]) + 1
        rows = self._rows[start:stop]  # a view
        goes_right = self._goes_right(place, rows)
        to_left, to_right = rows[~goes_right], rows[goes_right]
        right = self._targets.tally(to_right)
        left = nodes.tally[place] - right
        level = self._significance
        if level > 0 and self._targets.p_value(left, right, rows) > level:
            return False
        middle = start + len(to_left)
        self._right[rows] = goes_right
        rows[: len(to_left)], rows[len(to_left) :] = to_left, to_right
        nodes.left[place] = self.n_nodes
        left_goes_on = self._add_node(start, middle, below, left)
        right_goes_on = self._add_node(middle, stop, below, right)
        if self._bounds is not None:
            self._hand_down(place)
        return left_goes_on or right_goes_on

    def _goes_right(self, place: int, rows: np.ndarray) -> np.ndarray:
        """Whether some rows, int32 (n,), go right at a split, bool (n,)."""
        nodes, feature = self._room, int(self._room.feature[place])
        if feature == OBLIQUE:
            X, weights = self._training_rows.complete.X, self._weights[nodes.row[place]]
            scores = np.empty((1, len(rows)), dtype=np.float32)
            multiply_rows(X, rows, weights[None], 0, scores)
            return scores[0] > nodes.threshold[place]
        values = self._training_rows.X[rows, feature]
        goes_right = values > nodes.threshold[place]
        return goes_right if nodes.missing_left[place] else goes_right | np.isnan(values)

    def _hand_down(self, place: int) -> None:
        """Set the bounds of the children of a node."""
        assert self._bounds is not None, "something is constrained"
        nodes, child = self._room, int(self._room.left[place])
        right = nodes.tally[child + 1]
        self._bounds.hand_down(place, child, int(nodes.feature[place]), nodes.tally[place], right)

    def _add_node(self, start: int, stop: int, depth: int, tally: np.ndarray) -> bool:
        """Make a node; return whether it will be expanded."""
        place, nodes = self.n_nodes, self._room
        nodes.start[place], nodes.stop[place], nodes.depth[place] = start, stop, depth
        nodes.tally[place] = tally
        if depth < self._depth and stop - start >= self._min_rows:
            impurity = self._targets.impurity(tally, self._rows[start:stop])
            nodes.pending[place] = impurity > 0 and impurity >= self._min_impurity
        self.n_nodes += 1
        return bool(nodes.pending[place])

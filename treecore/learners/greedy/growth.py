"""Growth of a greedy tree, level by level or best first: a learner around a run.

What happens between two reads of the tree is in :mod:`treecore.learners.greedy.run`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treecore.core.impurity import Criterion
from treecore.core.routing import apply_rows, predict_linear
from treecore.core.tree import OBLIQUE, Tree, make_tree, single_leaf
from treecore.learners.greedy.class_criterion import ClassCriterion
from treecore.learners.greedy.criteria import impurity_of_node, weight_of
from treecore.learners.greedy.finders.axis import CUT, SortedTable, make_search
from treecore.learners.greedy.finders.levels import LevelGroups
from treecore.learners.greedy.grown_leaves import GrownLeaves
from treecore.learners.greedy.monotonic import Monotonic
from treecore.learners.greedy.run import advance_run, send_rows
from treecore.learners.greedy.settings import GreedySettings, max_levels
from treecore.learners.greedy.splitter import SplitFinder
from treecore.learners.greedy.state import (
    AT,
    BEGIN,
    DIVIDE,
    FOUND,
    KEEP,
    LEVEL,
    N_DONE,
    N_NODES,
    N_RIVALS,
    N_WEIGHTS,
    NEXT,
    NO_SPLIT,
    NODE,
    NODE_UNITS,
    PHASE,
    PLACE,
    REFINE,
    SEARCH,
    SIZE,
    SORT,
    TEST,
    GreedyRun,
    Rules,
)
from treecore.learners.greedy.targets import make_criterion
from treecore.rows.training_rows import TrainingRows


class Growth:
    """A learner that grows one tree greedily; see :class:`treecore.learners.base.Learner`.

    A node stays a leaf when its rows are of one class or number, or where the settings say so. Rows
    without weight are left out; all others count as one where rows are counted, and by their
    weights in impurities and gains. A unit of work is one value read of one training row.

    finder: a fresh one; linear: whether leaves are linear.
    """

    def __init__(
        self,
        rows: TrainingRows,
        settings: GreedySettings,
        finder: SplitFinder,
        linear: bool = False,
    ):
        self.name = finder.name
        depth, max_leaf_nodes = settings.depth, settings.max_leaf_nodes
        self.n_epochs = max_levels(depth, max_leaf_nodes)
        self.train_rows = rows.X
        n_samples = int(np.count_nonzero(rows.weight))
        if n_samples < len(rows.weight) and finder.refine:
            rows = rows.take(np.flatnonzero(rows.weight))
        self._training_rows, (n, p) = rows, rows.X.shape
        self._units_per_row = finder.n_readings * p
        self.pass_units = self._units_per_row * n_samples
        self.row_norm = self.inner_products = None  # it has no W and no bound
        self._models = GrownLeaves(rows, settings.smoothing) if linear else None
        self._built: tuple[tuple[int, bool], Tree] | None = None
        self._finder: SplitFinder | None = finder
        self.smoothing = settings.smoothing / rows.mean_weight
        self._significance = settings.significance

        heavy = np.arange(n, dtype=np.int32)
        criterion = Criterion[settings.criterion.upper().replace(" ", "_")]
        targets = make_criterion(rows, criterion)
        if n_samples < n:
            heavy = np.flatnonzero(rows.weight).astype(np.int32)
        tally = targets.tally(heavy)
        room = 2 * min(n_samples, 1 << depth, max_leaf_nodes or n_samples) - 1
        min_rows = 2 * settings.min_samples_leaf
        self.run = GreedyRun(
            nodes=np.zeros(room, NODE),
            tally=np.zeros((room, len(tally))),
            clock=np.zeros(11, dtype=np.int64),
            weights=np.zeros((1, p), dtype=np.float32),
            rows=heavy,
            spare=np.empty(n_samples, dtype=np.int32),
            goes_right=np.zeros(n, dtype=np.bool_),
            right=np.empty_like(tally),
            X=rows.X,
            complete=rows.complete.X if finder.refine or rows.categories is not None else rows.X,
            means=np.zeros(p, np.float32) if rows.means is None else rows.means,
            criterion=targets,
            rules=Rules(
                depth,
                min_rows,
                settings.min_samples_leaf,
                max_leaf_nodes,
                settings.min_gain,
                settings.min_impurity,
                BEGIN if finder.begin else REFINE if finder.refine else FOUND,
                settings.significance > 0,
            ),
        )
        axis = draws = levels = None
        if finder.from_axis:
            table = rows.sorted_table
            if not isinstance(table, SortedTable) or table.X is not rows.X:
                table = SortedTable(rows.X, rows.categories)
            self._table: SortedTable | None = table
            axis, draws = make_search(rows, table, finder)
            levels = LevelGroups.of(table.groups, p, len(tally))
        self._monotonic: Monotonic | None = None
        if rows.monotonic is not None and not linear:
            known = self.smoothing * weight_of(targets, tally) / rows.weight.sum()
            bounds = np.tile([-np.inf, np.inf, known], (room, 1))
            self._monotonic = Monotonic(rows.monotonic, bounds)
        by_ratio = criterion == Criterion.GAIN_RATIO
        # What advance_run is given beside the run; pages read it too.
        self.parts: tuple[Any, ...] = (
            axis,
            draws,
            levels,
            targets.terms if by_ratio and isinstance(targets, ClassCriterion) else None,
            self._monotonic,
        )
        self.search = finder.search_of(rows, len(tally))
        self._make_root(tally, n_samples >= min_rows and max_leaf_nodes != 1)

    def _make_root(self, tally: np.ndarray, may_split: bool) -> None:
        root, clock, rules = self.run.nodes[0], self.run.clock, self.run.rules
        root["stop"], self.run.tally[0] = len(self.run.rows), tally
        if may_split:
            impurity = impurity_of_node(self.run.criterion, tally, self.run.rows)
            root["pending"] = impurity > 0 and impurity >= rules.min_impurity
        axis, draws, *_ = self.parts
        clock[PHASE] = rules.first if axis is None else SORT if draws is None else SEARCH
        clock[N_NODES] = clock[NEXT] = 1
        clock[SIZE], clock[N_RIVALS] = root["pending"], 0 if axis is None else len(axis.rivals)

    @property
    def finished(self) -> bool:
        """Whether no node is left to expand."""
        return bool(self.run.clock[SIZE] == 0)

    @property
    def nodes(self) -> np.ndarray:
        """All nodes so far, see ``NODE``; a view."""
        return self.run.nodes[: self.run.clock[N_NODES]]

    @property
    def epoch(self) -> float:
        """Levels finished, plus the share of the present level's nodes that is done."""
        if self.finished:
            return float(self.n_epochs)
        clock = self.run.clock.tolist()
        # How much work a node takes is not known before, so its share nears 1 ever more slowly.
        n_rows = len(self._rows_at_hand())
        under_way = clock[NODE_UNITS] / (clock[NODE_UNITS] + n_rows * self._units_per_row)
        return clock[LEVEL] + (clock[N_DONE] + under_way) / clock[SIZE]

    def advance(self, budget: int) -> int:
        """Do about ``budget`` units of work, at most to the end of the level; return the units."""
        clock, done = self.run.clock, 0
        level = clock[LEVEL]
        while clock[LEVEL] == level and not self.finished:
            if clock[PHASE] == TEST:
                self._test()
            elif done >= budget and clock[PHASE] <= DIVIDE:
                break
            elif clock[PHASE] == SORT:
                done += self._sort(budget - done)
            elif clock[PHASE] == BEGIN:
                self._begin()
            elif clock[PHASE] == REFINE:
                done += self._refine(budget - done)
            else:
                self._make_room()
                done += advance_run(self.run, budget - done, *self.parts)
        if self.finished and self._finder is not None:
            self.tree()  # whose models take a while
            self._finish()
        return done

    def tree(self) -> Tree:
        """The tree grown so far; nodes that are still to be expanded are leaves."""
        state = int(self.run.clock[N_NODES]), self.finished
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
        """What changes while it grows and that the next call reads, without its finder's search."""
        self._make_room()
        run, n = self.run, self.run.clock[N_NODES]
        arrays = {name: self.nodes[name] for name in NODE.names or ()}
        arrays |= {"clock": run.clock, "rows": run.rows, "tally": run.tally[:n]}
        arrays["weights"] = run.weights[: run.clock[N_WEIGHTS] + 1]
        if self._monotonic is not None:
            arrays["bounds"] = self._monotonic.bounds[:n]
        if self._finder is not None and self.parts[0] is not None:
            axis, draws, levels, *_ = self.parts
            arrays |= {name: axis.cuts[name] for name in CUT.names or ()}
            arrays |= {} if draws is None else {"random": draws.random, "drawn": draws.drawn}
            arrays |= {} if levels is None else {"level_goes_right": levels.goes_right}
        return arrays

    def arrays_of_search(self) -> dict[str, tuple[np.ndarray, int]]:
        """Those of its finder, see ``SplitFinder.search_of``; between nodes, its random numbers."""
        arrays = {} if self.search is None else self.search.changing()
        if self.run.clock[PHASE] != REFINE:
            arrays = {name: arrays[name] for name in arrays if name == "random"}
        return arrays

    def _build(self) -> Tree:
        nodes = self.nodes
        is_leaf = nodes["left"] == 0
        leaf = self._leaf_of_rows(nodes["start"][is_leaf])
        values = self._leaf_values(leaf, is_leaf.sum())
        if self._monotonic is not None:
            values = self._monotonic.clipped(values, np.flatnonzero(is_leaf))
        tree = self._build_splits(nodes, is_leaf, values)
        return tree if self._models is None else self._models.on(tree, leaf, self.finished)

    def _build_splits(self, nodes: np.ndarray, is_leaf: np.ndarray, values: np.ndarray) -> Tree:
        means = self._training_rows.means
        n_features = self._training_rows.X.shape[1]
        if is_leaf[0]:
            leaf = single_leaf(values, n_features)
            return leaf if means is None else leaf._replace(missing=means)
        # Children come after their parents, so that splits do in the tree as well.
        references = np.where(is_leaf, -np.cumsum(is_leaf), np.cumsum(~is_leaf) - 1)
        inner = nodes[~is_leaf]
        oblique = inner["feature"] == OBLIQUE
        return make_tree(
            weights=self.run.weights[inner["row"][oblique]],
            threshold=inner["threshold"],
            feature=inner["feature"],
            row=np.where(oblique, np.cumsum(oblique) - 1, -1),
            left=references[inner["left"]],
            right=references[inner["left"] + 1],
            values=values,
            missing=means,
            missing_left=inner["missing_left"],
        )

    def _leaf_of_rows(self, starts: np.ndarray) -> np.ndarray:
        """The leaf of every row; of rows without weight the first. starts: of their ranges."""
        leaf = np.zeros(len(self._training_rows.weight), dtype=np.int32)
        order = np.argsort(starts).astype(np.int32)
        sizes = np.diff(starts[order], append=len(self.run.rows))
        leaf[self.run.rows] = np.repeat(order, sizes)
        return leaf

    def _leaf_values(self, leaf: np.ndarray, n_leaves: int) -> np.ndarray:
        """The best constants of the leaves, float32 (n_leaves, n_outputs)."""
        rows = self._training_rows
        y, weight = rows.y, rows.weight
        # Rows without weight add nothing to the counts of classes.
        if len(self.run.rows) < len(leaf) and rows.loss.task == "regression":
            heavy = np.sort(self.run.rows)
            leaf, y, weight = leaf[heavy], y[heavy], weight[heavy]
        return rows.loss.constants(leaf, y, weight, n_leaves, rows.n_outputs, self.smoothing)

    def make_room(self, n_weights: int) -> None:
        """Make room for so many rows of weights before those of a state are read."""
        self.run = self.run._replace(weights=np.zeros((n_weights, self.run.X.shape[1]), "f4"))
        if self.finished:
            self._finish()

    def go_on(self) -> None:
        """Go on from what :meth:`arrays` gave; then fill :meth:`arrays_of_search`."""
        self._built = None
        if self.finished:
            return
        clock, nodes, (axis, draws, *_) = self.run.clock, self.run.nodes, self.parts
        at, child = clock[AT], nodes["left"][clock[AT]]
        if axis is not None and draws is None:
            n_sorted = int(clock[PLACE]) if clock[PHASE] == SORT else len(axis.order)
            self._sort_up_to(0, n_sorted)
            self._divide(axis.order[:n_sorted])
        if child:  # its division may be under way: those already divided stay as they are
            self.run.goes_right[self.run.rows[nodes["stop"][child] : nodes["stop"][at]]] = True
        if clock[PHASE] == REFINE and self._finder and self._finder.begin:
            self._begin()

    def _divide(self, orders: np.ndarray) -> None:
        """Divide orders of all rows among the leaves so far."""
        starts = np.sort(self.nodes["start"][self.nodes["left"] == 0])
        rows, place = self.run.rows, np.empty(len(self.run.X), dtype=np.int64)
        place[rows] = np.searchsorted(starts, np.arange(len(rows)), side="right")
        for order in orders:
            order[:] = order[np.argsort(place[order], kind="stable")]

    def _make_room(self) -> None:
        """Twice as much for weights of oblique splits, where there is none left."""
        n, p = self.run.weights.shape
        if self.run.clock[N_WEIGHTS] == n:
            weights = np.concatenate([self.run.weights, np.zeros((n, p), np.float32)])
            self.run = self.run._replace(weights=weights)

    def _sort(self, budget: int) -> int:
        """Sort the rows that have weight by some more features; return the units."""
        clock, (p, n) = self.run.clock, self.parts[0].columns.shape
        first = int(clock[PLACE])
        last = min(p, first + max(1, budget // n))
        self._sort_up_to(first, last)
        clock[PLACE] = last
        if last == p:
            clock[PHASE], clock[PLACE] = SEARCH, 0
        clock[NODE_UNITS] += (last - first) * n
        return (last - first) * n

    def _sort_up_to(self, first: int, last: int) -> None:
        assert self._table is not None, "it is searched"
        order, weight = self.parts[0].order, self._training_rows.weight
        self._table.sort_up_to(last)
        for f in range(first, last):
            line = self._table.order[f]
            order[f] = line if len(line) == order.shape[1] else line[weight[line] > 0]

    def _begin(self) -> None:
        """Turn the finder to the node at hand."""
        begin = self._finder and self._finder.begin
        assert begin, "it has not finished, and begins"
        self.search = begin(self.search, self.run, self._rows_at_hand())
        self.run.clock[PHASE] = REFINE

    def _refine(self, budget: int) -> int:
        """Go on with the finder's own work on the node at hand; return the units."""
        refine = self._finder and self._finder.refine
        assert refine, "it has not finished, and refines"
        self._make_room()
        units = refine(self.search, self.run, budget)
        self.run.clock[NODE_UNITS] += units
        return units

    def _test(self) -> None:
        """Drop the split that is found where it is not significant."""
        run, at = self.run, self.run.clock[AT]
        send_rows(run, at)
        run.clock[PHASE] = KEEP
        left, rows = run.tally[at] - run.right, self._rows_at_hand()
        if run.criterion.p_value(left, run.right, rows) > self._significance:
            run.nodes[at]["feature"] = NO_SPLIT

    def _rows_at_hand(self) -> np.ndarray:
        """The rows of the node at hand, int32 (n,); a view."""
        node = self.run.nodes[self.run.clock[AT]]
        return self.run.rows[node["start"] : node["stop"]]

    def _finish(self) -> None:
        """Let go of the finder and its work space."""
        self._finder = self._table = self.search = None
        self.parts = ()

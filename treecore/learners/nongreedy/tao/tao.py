"""TAO, tree alternating optimisation: one split at a time, each exactly in the tree's interest.

Carreira-Perpinan and Tavallali 2018; with sample weights as in Gabidolla et al., eq. 1:

    E = sum_n w_n l(y_n, T(x_n))  +  1/C sum_i (||w_i||_1 + ridge/2 ||w_i||^2)

where l is 1 for a misclassified row, or what the loss says of numbers; the ridge is ours. An
iteration visits the splits from the deepest level up to the root. Splits of one level share no
rows, so they are independent ("separability condition"). At each of them the care points with their
pseudolabels (:mod:`treecore.learners.nongreedy.tao.care_points`) make a two-class problem, which
:mod:`treecore.learners.nongreedy.tao.oblique_cut` solves by a surrogate of its 0/1 loss. At the
end every leaf takes the best values for its rows.

A new split is taken only if it sends no greater stake of care points to the wrong side than the
old one did, and new numbers in a leaf only if they cost no more. So the first sum never rises; a
run checks that. (Of numbers it includes ``smoothing`` examples at 0 in every leaf, of linear leaves
their ridge.) Where the papers are silent we choose: a split without care points stays as it is; one
whose care points all want the same side sends everything there; a leaf that no row reaches keeps
its values.
"""

from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from treecore.core.routing import apply, apply_rows, leaf_labels, predict_linear
from treecore.core.scaling import Scaling
from treecore.core.tree import Tree, parents, split_depths
from treecore.learners.nongreedy.settings import TAOSettings
from treecore.learners.nongreedy.tao.care_points import (
    care_loss,
    constant_costs,
    follow_split,
    reduced_problem,
)
from treecore.learners.nongreedy.tao.editable_tree import (
    compact_tree,
    get_split,
    same_split,
    set_split,
    with_a_row_each,
)
from treecore.learners.nongreedy.tao.leaf_values import refit_leaves, smoothing_costs
from treecore.learners.nongreedy.tao.linear_leaves import LeafRegressions
from treecore.learners.nongreedy.tao.oblique_cut import oblique_cut
from treecore.pruning.dead import prune_dead
from treecore.rows.training_rows import TrainingRows


class TAO:
    """A :class:`treecore.learners.base.Learner`: TAO from a given starting tree, a raw one.

    A unit of work is one row at one split. n_threads: splits at a time, None: one a processor.
    """

    name = "tao"
    row_norm = None
    inner_products = None

    def __init__(
        self,
        rows: TrainingRows,
        start: Tree,
        settings: TAOSettings,
        *,
        scaling: Scaling | None = None,
        n_threads: int | None = None,
    ):
        self.train_rows = rows.X
        self._y, self._weight, self._loss = rows.y, rows.weight_in_order, rows.loss
        self._classes = rows.loss.task == "classification"
        self._scaling = scaling or Scaling.fit(rows.X)
        self._settings, self._smoothing = settings, settings.smoothing / rows.mean_weight
        self._n_threads = n_threads or os.cpu_count() or 1
        self._open = with_a_row_each(start)
        if rows.means is not None:
            self._open = self._open._replace(missing=rows.means)
        self._pruned: Tree | None = None
        self._depths, self._parents = split_depths(start), parents(start)
        self._order = np.argsort(self._depths, kind="stable")[::-1]  # the deepest splits first
        self._level = -1  # whose rows are at hand
        self._leaf = apply(start, rows.X)  # of every row, kept up to date
        self._solved = np.zeros((start.n_splits, 16), np.uint8)  # digests of the last problems
        self.n_epochs = settings.epochs
        # Iterations done; of this one the splits solved, their rows, the rows of all, and whether
        # something has changed; whether the run is finished.
        self._clock = np.zeros(6, dtype=np.int64)
        self._models: LeafRegressions | None = None
        if settings.leaf == "linear":
            self._models = LeafRegressions(rows, self._scaling, self._leaf, start, settings)
        self.objective = self._total_cost()
        self._begin_pass()

    @property
    def epoch(self) -> float:
        return int(self._clock[0]) + int(self._clock[2]) / self.pass_units

    @property
    def pass_units(self) -> int:
        return int(self._clock[3])

    @property
    def finished(self) -> bool:
        return self._pruned is not None

    def advance(self, budget: int) -> int:
        """Solve about ``budget`` rows' worth of splits, all of one level; see ``Learner``."""
        if self.finished:
            return 0
        clock, order, units = self._clock, self._order, 0
        first = stop = int(clock[1])
        if first < len(order):
            self._gather_level(level := int(self._depths[order[first]]))
            while stop < len(order) and self._depths[order[stop]] == level:
                if units >= budget and stop - first >= self._n_threads:
                    break
                units += len(self._rows_of(order[stop]))
                stop += 1
            clock[4] |= any(self._solve_all(order[first:stop].tolist()))
        clock[1], clock[2] = stop, clock[2] + units
        if stop == len(order):
            self._end_pass()
        return units

    def _begin_pass(self) -> None:
        below = np.append(self._depths, -1)[self._parents[1]] + 1  # without splits none
        self._clock[1:5] = 0, 0, max(1, int(below[self._leaf].sum())), 0

    def _end_pass(self) -> None:
        changed = self._refit_leaves() or self._clock[4]
        self._check_objective()
        C_is_final = self._C_of_pass() == self._settings.C
        self._clock[0] += 1
        self._begin_pass()
        if self._clock[0] == self.n_epochs or (C_is_final and not changed):
            self._clock[5] = 1
            if self._models is not None:
                self._models.settle(self._leaf)
            self._prune()

    def _prune(self) -> None:
        self._pruned = prune_dead(self._present(), self._counts(), task=self._loss.task)

    def _gather_level(self, level: int) -> None:
        """Put the rows of every split of a level side by side, each split's in their order."""
        if self._level == level:  # they are the same all the while
            return
        self._level, (above, node) = level, self._parents
        depth = np.append(self._depths, -1)  # the last one above the root
        while (depth[node] > level).any():
            node = np.where(depth[node] > level, above[node], node)
        split = np.where(depth[node] == level, node, len(above))[self._leaf]
        self._rows = np.argsort(split, kind="stable").astype(np.int32)
        self._bounds = np.append(0, np.cumsum(np.bincount(split, minlength=len(depth))))

    def _refit_leaves(self) -> bool:
        """Give leaves the best values for their rows; return whether that matters."""
        labels, rows = leaf_labels(self._open), (self._leaf, self._y, self._weight)
        values, changed = refit_leaves(self._open.values, *rows, self._loss, self._smoothing)
        self._open.values[:] = values
        if self._models is not None:
            return self._models.refit(self._leaf)
        if self._classes:
            changed = labels != leaf_labels(self._open)
        return bool(changed.any())

    def _C_of_pass(self) -> float:
        C, rising = self._settings.C, self.n_epochs // 2
        n_passes = int(self._clock[0])
        return C if n_passes >= rising else C / self._settings.path ** (1.0 - n_passes / rising)

    def _rows_of(self, split: int) -> np.ndarray:
        """Rows that reach a split of the level at hand, int32, ascending."""
        return self._rows[self._bounds[split] : self._bounds[split + 1]]

    def _solve_all(self, splits: list[int]) -> list[bool]:
        """Solve splits of one level; they read the tree below and write their own rows only."""
        if self._n_threads == 1 or len(splits) < 2:
            return [self._solve(split) for split in splits]
        with ThreadPoolExecutor(self._n_threads) as pool:
            return list(pool.map(self._solve, splits))

    def _solve(self, split: int) -> bool:
        """Improve one split; return whether it has changed."""
        tree, X = self._open, self.train_rows
        rows = self._rows_of(split)
        costs, weight = constant_costs(tree, self._loss, self._y), self._weight
        if self._models is not None:
            costs, weight = self._models.costs, np.broadcast_to(1.0, len(self._y))
        problem = reduced_problem(tree, split, X, rows, self._leaf, costs, weight)
        care, C = (problem.care, problem.wants_right, problem.stake), self._C_of_pass()
        if len(problem.care) == 0 or self._is_solved(split, C, *care):
            return False
        before, lost_before = get_split(tree, split), care_loss(tree, split, X, *care)
        data, settings = (before, problem, X, self._scaling), self._settings
        cut = oblique_cut(*data, C=C, ridge=settings.ridge, max_iter=settings.max_iter)
        set_split(tree, split, cut)
        if care_loss(tree, split, X, *care) > lost_before:
            set_split(tree, split, before)
            return False
        if same_split(before, cut):
            return False
        follow_split(tree, split, X, rows, problem.went_right, problem.other, self._leaf)
        return True

    def _is_solved(self, split: int, C: float, *problem: np.ndarray) -> bool:
        """Whether the split has met this very problem last: it would get the same answer."""
        digest = hashlib.blake2b(repr(C).encode(), digest_size=16)
        for part in problem:  # kept whole, they would take most of a run's memory
            digest.update(part.view(np.uint8).data)
        last, now = self._solved[split].tobytes(), digest.digest()
        self._solved[split] = np.frombuffer(now, np.uint8)
        return last == now

    def _counts(self) -> np.ndarray:
        """Weight of the rows in every leaf, float64: (n_leaves, n_classes), or (n_leaves, 1)."""
        n_leaves, n_classes = self._open.values.shape
        if not self._classes:
            return np.bincount(self._leaf, self._weight, n_leaves)[:, None]
        cells = self._leaf.astype(np.int64) * n_classes + self._y
        return np.bincount(cells, self._weight, n_leaves * n_classes).reshape(n_leaves, -1)

    def _total_cost(self) -> float:
        """Weight of the misclassified training rows; or what numbers cost, with smoothing."""
        if self._models is not None:
            return self._models.total_cost(self._leaf)
        if self._classes:
            return float(self._weight[leaf_labels(self._open)[self._leaf] != self._y].sum())
        values = self._open.values
        costs = self._loss.of_rows(values, self._leaf, self._y).astype(np.float64)
        smoothing = smoothing_costs(values, self._loss, self._smoothing)
        return float((self._weight * costs).sum() + smoothing.sum())

    def _check_objective(self) -> None:
        cost = self._total_cost()
        if cost > self.objective + 1e-9 * (self._weight.sum() + self.objective):
            mistakes = self._classes and self._models is None
            what = "weight of misclassified rows" if mistakes else "cost of all rows"
            raise AssertionError(
                f"TAO made the tree worse: the {what} rose from {self.objective:g} to {cost:g} "
                f"in iteration {self._clock[0] + 1}"
            )
        self.objective = cost

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything that changes while it learns: its state."""
        names = "weights", "feature", "threshold", "values"
        arrays = {name: getattr(self._open, name) for name in names}
        arrays |= {"leaf": self._leaf, "solved": self._solved, "clock": self._clock}
        if self._models is not None:
            models = self._models.models._asdict()
            arrays |= {f"leaf_{name}": array for name, array in models.items()}
        return arrays

    def go_on(self) -> None:
        """Go on from what the arrays hold now; ValueError where that is no tree."""
        compact_tree(self._open)
        self._level, self.objective = -1, self._total_cost()
        if self._clock[5]:
            self._prune()

    def tree(self) -> Tree:
        return self._present() if self._pruned is None else self._pruned

    def _present(self) -> Tree:
        tree = compact_tree(self._open)
        return tree if self._models is None else self._models.on(tree, self._leaf)

    def values(self) -> np.ndarray:
        if self._models is not None:
            return self.tree().values
        return self._open.values if self._pruned is None else self._pruned.values

    def prepare(self, rows: TrainingRows) -> np.ndarray:
        return rows.complete.X

    def measure(self, rows, y, weight, bounded):
        leaf = np.empty(len(y), dtype=np.int32)
        tree = self._open if self._pruned is None else self._pruned.without_linear()
        apply_rows(tree, rows, leaf)
        return leaf, None

    def predictions(self, rows, leaf):
        return None if self._models is None else predict_linear(self.tree(), rows, leaf)

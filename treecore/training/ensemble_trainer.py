"""The trainer of ensembles: one tree after another, or side by side, and the forest measured.

Tree t depends on the config, the data, t, and where boosting on the trees before it. All else is
computed from the trees, so they may grow in parallel, and a state holds nothing but trees.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Generator, Iterator
from typing import Any

import numpy as np

from treecore.base.state_file import State
from treecore.core.routing import apply
from treecore.core.tree import Tree, single_leaf
from treecore.data.validation import read_training
from treecore.ensembles.bagging import draw_rows, generator_of
from treecore.ensembles.boosting import Boosting
from treecore.ensembles.forest import Forest
from treecore.ensembles.growing_figures import GrowingFigures
from treecore.ensembles.memory import check_memory, forest_bytes, free_bytes
from treecore.ensembles.settings import BaggingSettings, BoostingSettings
from treecore.ensembles.state import pack_trees, unpack_trees
from treecore.learners.greedy.finders.axis import SortedTable
from treecore.losses import find_loss
from treecore.pruning import prune_cost_complexity, restore_order
from treecore.training.config import RunConfig
from treecore.training.events import Event
from treecore.training.member import train_member, train_member_at_once
from treecore.training.prepare import constrain, divide, read_held_out, stages_of
from treecore.training.registry import find_method
from treecore.training.trainer import Trainer


class ForestTrainer(Trainer):
    """One run of an ensemble of trees; see :class:`treecore.training.trainer.Trainer`.

    ccp_alpha: the price of a leaf by which every bagged tree is pruned on its own rows
    (:func:`treecore.pruning.prune_cost_complexity`); 0: none is. A state holds the trees before
    that. history: the complete events so far, one for every tree; those of a state among them;
    boosting: errors and votes of the trees so far, where they are boosted. Raises ValueError: also
    for a forest that may not fit into nine tenths of the memory that is free.

    Examples
    --------
    >>> import numpy as np
    >>> from treecore import RunConfig, Trainer
    >>> X = np.random.default_rng(0).normal(size=(300, 2))
    >>> config = RunConfig("samme", base="axis", depth=1, n_trees=20)
    >>> trainer = Trainer(config, X, (X[:, 0] > X[:, 1]).astype(int))
    >>> events = list(trainer.events())
    >>> len(events), events[0].accuracy < 0.85, events[-1].accuracy > 0.95
    (20, True, True)
    """

    def __init__(
        self,
        config: RunConfig,
        X,
        y,
        *,
        sample_weight=None,
        validation=None,
        n_classes: int | None = None,
        monotonic: np.ndarray | None = None,
        categories: np.ndarray | None = None,
        ccp_alpha: float = 0.0,
        one_unit: bool = False,
    ):
        base, settings = config.base, config.settings
        assert base is not None, "of every method of this family"
        assert isinstance(settings, BaggingSettings | BoostingSettings)
        self.config, self._settings, self._tree_method = config, settings, base.method
        if isinstance(ccp_alpha, str) or not 0 <= ccp_alpha < math.inf:
            raise ValueError(f"ccp_alpha={ccp_alpha!r} must be a number from 0")
        self._ccp_alpha = ccp_alpha
        loss = find_loss(config.loss)
        self._classes = loss.task == "classification"
        given = X, y, sample_weight, validation, n_classes
        X, y, weight, validation, n_classes = divide(config, *given)
        self.rows, self.units = read_training(
            X, y, weight, config.class_weight, loss, n_classes, one_unit=one_unit
        )
        self.held_out = read_held_out(validation, self.rows, self.units)
        self._stages = stages_of(base, None, self.rows, self._shape())
        self.rows = constrain(self.rows, monotonic, categories, self._stages, config)
        table = SortedTable(self.rows.X, self.rows.categories)
        self.rows = dataclasses.replace(self.rows, sorted_table=table)
        self._check_memory()
        self.answer, self.boosting = "shares" if self._classes else "mean", None
        if isinstance(settings, BoostingSettings):
            algorithm, restart = find_method(config.method).algorithm, settings.ending == "restart"
            self.answer = "votes"
            rows = self.rows
            self.boosting = Boosting(algorithm, rows.weight, rows.n_outputs, restart)
        self._grown: list[Tree] = []  # all, those among them that boosting does not keep
        self._trees: list[Tree] = []
        self._votes: list[float] = []
        has_bags = isinstance(settings, BaggingSettings) and settings.sampling != "all"
        drawn = self._drawn if has_bags else None
        data, forest = (self.rows, self.held_out, self.units), (self._trees, self._votes)
        self._measured = GrowingFigures(*data, self.boosting, self.answer, *forest, drawn)
        self.history: list[Event] = []
        self.finished = False
        self._inside = 0.0  # share of the tree that is growing
        self._spent = 0.0  # seconds on that tree
        self._tree_seconds: list[float] = []
        self._figures: dict[str, Any] = {}
        self._portions = self._run()

    @property
    def weights(self) -> np.ndarray:
        """The weights of the rows for the next tree, float64 (n_samples,)."""
        if self.boosting is not None:
            return self.boosting.weights
        return self.rows.weight / math.fsum(self.rows.weight)

    @property
    def trees(self) -> tuple[Tree, ...]:
        """The trees of the forest so far; they read raw features."""
        return tuple(self._trees)

    @property
    def model(self) -> Forest:
        """The present forest; it reads raw features. RuntimeError before the first tree."""
        if not self._trees:
            if not self._grown:
                raise RuntimeError("there is no forest before the first tree")
            everywhere = np.zeros(len(self.rows.y), dtype=np.int32)
            values = self.rows.loss.constants(
                everywhere, self.rows.y, self.rows.weight, 1, self.rows.n_outputs, 1.0
            )
            tree = self.units.inverse_transform(single_leaf(values[0], self.rows.X.shape[1]))
            return Forest((tree,), np.ones(1), self.answer)
        return Forest(tuple(self._trees), np.array(self._votes), self.answer)

    @property
    def started(self) -> bool:
        return bool(self._grown)

    @property
    def oob_scores(self) -> np.ndarray | None:
        """Out-of-bag scores (n_samples, n_outputs), NaN for rows that all trees saw; or None."""
        return self._measured.oob_scores

    def oob_score(self) -> float:
        """Out-of-bag accuracy, or explained share of the variance; NaN without such rows."""
        return self._measured.oob_score

    def _step(self, share: float | None) -> Event:
        """A few milliseconds, at the end of a tree as long as measuring the forest takes."""
        return next(self._portions)

    def events(self, n_jobs: int | None = None) -> Iterator[Event]:
        if n_jobs not in (None, 1) and self.boosting is None:  # boosted trees wait for each other
            yield from self._side_by_side(n_jobs)
        yield from super().events()

    def close(self) -> None:
        super().close()
        self._portions.close()

    def _state(self) -> State:
        # A tree that is not finished begins anew.
        return {"seconds": np.array(self._tree_seconds), "trees": pack_trees(self._grown)}

    def _check_config(self, config: Any) -> None:
        if isinstance(config, dict) and "n_trees" in config:
            config = config | {"n_trees": self.config.n_trees}
        super()._check_config(config)

    def _load_state(self, state: State) -> None:
        """Go on from a state: its trees are added anew, one after the other."""
        n_trees, seconds = self.config.n_trees, state["seconds"]
        shape = self.rows.X.shape[1], self.rows.n_outputs
        trees = unpack_trees(state["trees"], *shape)
        if len(seconds) != len(trees):
            raise ValueError(f"the state tells of {len(trees)} trees and of {len(seconds)} times")
        if len(trees) > n_trees:
            raise ValueError(
                f"the state has {len(trees)} trees already, but n_trees={n_trees} allows no more"
            )
        for tree, elapsed in zip(trees, np.asarray(seconds).tolist(), strict=True):
            if self.finished:
                raise ValueError("the state has trees beyond the one at which boosting stops")
            self._add(tree, elapsed)

    def _shape(self) -> tuple[int, int]:
        """Rows and features that one tree is grown from, at most."""
        columns = max(1, round(self._settings.feature_share * self.rows.X.shape[1]))
        share = getattr(self._settings, "row_share", 1.0)
        return max(1, round(share * len(self.rows.X))), columns

    def _check_memory(self) -> None:
        starts = [getattr(settings, "start", "") for _, settings in self._stages]
        most = min(2**self.config.depth, 2**62)
        n_leaves = most if {"random", "auto"} & {*starts} else min(most, self._shape()[0])
        shape = n_leaves, self.rows.X.shape[1], self.rows.n_outputs
        needed = forest_bytes(self.config.n_trees, *shape, self._tree_method != "axis")
        check_memory(needed, free_bytes(), self.config.n_trees)

    def _run(self) -> Generator[Event, None, None]:
        while not self.finished:
            growing = train_member(*self._plan(len(self._tree_seconds)))
            self._spent = 0.0
            while True:
                started = time.perf_counter()
                try:
                    self._inside = next(growing)
                except StopIteration as done:
                    tree = done.value
                    break
                finally:
                    self._spent += time.perf_counter() - started
                yield self._event(complete=False)
            elapsed, self._inside, self._spent = self._spent, 0.0, 0.0
            self._add(self.units.inverse_transform(tree), elapsed)
            yield self.history[-1]

    def _plan(self, number: int) -> tuple[Any, ...]:
        """The arguments of :func:`train_member` for tree ``number``."""
        weight = None if self.boosting is None else self.boosting.weights
        return self.config, self._stages, self.rows, number, weight

    def _side_by_side(self, n_jobs: int) -> Iterator[Event]:
        """Grow all trees that are missing, several at a time; they are added in their order."""
        numbers = range(len(self._tree_seconds), self.config.n_trees)
        # Rows are mapped into the other processes' memory, where kernels may not find them
        # read-only: those would be compiled anew.
        import joblib  # slow to import, and single trees never need it

        # What one process has sorted would be copied to all.
        self.rows = dataclasses.replace(self.rows, sorted_table=None)
        parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator", mmap_mode="c")
        tasks = (joblib.delayed(train_member_at_once)(*self._plan(number)) for number in numbers)
        self._inside = self._spent = 0.0  # what has been begun alone begins anew
        started = time.perf_counter()
        for tree in parallel(tasks):
            elapsed = time.perf_counter() - started
            self._add(self.units.inverse_transform(tree), elapsed)
            yield self.history[-1]
            started = time.perf_counter()
            if self.finished:  # by whoever has read the event
                break

    def _add(self, tree: Tree, seconds: float) -> None:
        """Add a finished tree, which reads raw features, and measure the forest."""
        number = len(self._tree_seconds)
        self._tree_seconds.append(seconds)
        self._grown.append(tree)
        vote, note, leaf = 1.0, "", None
        if self.boosting is not None:
            leaf = apply(tree, self.rows.X)
            rng = generator_of(self.config.seed, number)
            outcome = self.boosting.add(tree.values.argmax(axis=1)[leaf] != self.rows.y, rng)
            vote, note = outcome.vote, outcome.note
            if not outcome.accepted:
                self._close_with(note)
                return
        elif self._ccp_alpha > 0:
            tree = self._prune(tree, number)
        self._trees.append(tree)
        self._votes.append(vote)
        self._close_with(note, leaf)

    def _prune(self, tree: Tree, number: int) -> Tree:
        """A bagged tree, pruned on the rows that were drawn for it."""
        assert self.config.base is not None, "a forest is one of trees"
        drawn, settings = self._drawn(number), self.config.base.settings
        y: np.ndarray = self.rows.y
        more = {
            "criterion": "gini" if getattr(settings, "criterion", "") == "gini" else "entropy",
            "smoothing": getattr(settings, "smoothing", 1.0),
            "task": self.rows.loss.task,
        }
        if not self._classes:
            y = y.astype(np.float64) * self.units.spread + self.units.centre
        tree = prune_cost_complexity(tree, self.rows.X, y, self._ccp_alpha, drawn, **more)
        if self.rows.monotonic is None:
            return tree
        return restore_order(tree, self.rows.monotonic, task=self.rows.loss.task)

    def _drawn(self, number: int) -> np.ndarray:
        """What every row weighs for a bagged tree, float64 (n_samples,)."""
        settings = self._settings
        assert isinstance(settings, BaggingSettings)
        rng = generator_of(self.config.seed, number)
        return draw_rows(self.rows.weight, settings.sampling, settings.row_share, rng)

    def _close_with(self, note: str, leaf: np.ndarray | None = None) -> None:
        """Measure, and end the run where the last tree is there, or with a note."""
        self.finished = bool(note) or len(self._tree_seconds) == self.config.n_trees
        self._figures = {}
        if self.finished or self.measuring != "last":
            without_trees = None
            if not self._trees:
                without_trees = self.model.scores(np.zeros((1, self.rows.X.shape[1])))[0]
            self._measured.sum_up(leaf)
            self._figures = self._measured.present(without_trees)
        self.history.append(self._event(complete=True, note=note))

    def _event(self, complete: bool, note: str = "") -> Event:
        done, total = len(self._tree_seconds), self.config.n_trees
        return Event(
            stage=self.config.method,
            unit="tree",
            done=done,
            total=total,
            progress=1.0 if self.finished else min(1.0, (done + self._inside) / total),
            complete=complete,
            seconds=math.fsum(self._tree_seconds) + self._spent,
            note=note,
            n_leaves=sum(tree.n_leaves for tree in self._trees),
            **self._figures,
        )

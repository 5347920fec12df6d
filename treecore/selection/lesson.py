"""Rows to learn from, and what several candidates need of them."""

from __future__ import annotations

import dataclasses
import threading
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from treecore.core.tree import Tree
from treecore.data.dataset import Dataset
from treecore.data.feature_maps import FeatureMap, fit_map
from treecore.data.validation import TargetScaling, read_training
from treecore.losses import find_loss
from treecore.rows.training_rows import TrainingRows
from treecore.selection.pruned import grow_pruned, learn
from treecore.selection.taught_rows import TaughtRows, draw_taught_rows
from treecore.selection.teacher import Teacher


@dataclass(frozen=True)
class TeacherQuestion:
    """A table (n_samples, n_features), NaN where missing, targets, weights; unchecked.

    in_haste: whether time is so short that rows were left out.
    """

    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray | None
    loss: str
    class_weight: str
    n_classes: int | None
    seed: int
    in_haste: bool = False

    @classmethod
    def of(cls, table: Dataset, loss: str, class_weight: str, seed: int) -> TeacherQuestion:
        y = table.y if table.n_classes else table.y[:, None]
        return cls(table.X, y, None, loss, class_weight, table.n_classes or None, seed)

    def take(self, part: np.ndarray) -> TeacherQuestion:
        weight = None if self.weight is None else self.weight[part]
        return dataclasses.replace(self, X=self.X[part], y=self.y[part], weight=weight)

    def read(self) -> tuple[TrainingRows, TargetScaling]:
        """Rows as learners take them, and how their numbers were scaled."""
        loss = find_loss(self.loss)
        rows = self.X, self.y, self.weight, self.class_weight
        read, units = read_training(*rows, loss, self.n_classes)
        return read.complete, units


@dataclass(eq=False)
class TeacherLesson:
    """The rows of a question as learners read them; plain: the same without ``feature_map``.

    deadline: of ``time.perf_counter``, when trees that are not finished end by ``OutOfTime``.
    """

    rows: TrainingRows
    units: TargetScaling
    seed: int
    feature_map: FeatureMap | None = None
    plain: TeacherLesson | None = None
    in_haste: bool = False
    deadline: float = np.inf
    _grown: dict[tuple[str, int], Tree] = field(default_factory=dict, repr=False)
    _teaching: threading.RLock = field(default_factory=threading.RLock, repr=False)

    @classmethod
    def of(cls, question: TeacherQuestion) -> TeacherLesson:
        """The lesson of all rows; ValueError where no tree can be learnt from them."""
        return cls(*question.read(), question.seed, in_haste=question.in_haste)

    def with_splines(self, n_hinges: int) -> TeacherLesson:
        """The lesson whose rows are the features and so many hinges of each, nothing missing."""
        n_components = self.rows.X.shape[1] * (1 + n_hinges)
        heavy = self.rows.X[self.rows.weight > 0]
        fitted = fit_map(heavy, "spline", n_components, "scale", self.seed)
        feature_map = dataclasses.replace(fitted, missing=self.units.missing)
        rows = dataclasses.replace(self.rows, X=feature_map(self.rows.X), means=None)
        nothing = np.zeros(feature_map.n_components)
        units = dataclasses.replace(self.units, missing=nothing)
        return dataclasses.replace(
            self, rows=rows, units=units, feature_map=feature_map, plain=self, _grown={}
        )

    @cached_property
    def pruned(self) -> Tree:
        """CART pruned by cross-validation, in the units of ``rows``."""
        return grow_pruned(self.rows, self.seed, self.in_haste)

    @cached_property
    def teacher(self) -> Teacher:
        """Many trees, and a linear model where that helps them."""
        return Teacher(self.rows, self.seed)

    @property
    def taught(self) -> TaughtRows:
        """The rows, and many drawn from them before they are mapped, with the teacher's answers.

        Threads that want them wait for the one that was first.
        """
        with self._teaching:
            return self._taught

    @cached_property
    def _taught(self) -> TaughtRows:
        if self.plain is None or self.feature_map is None:
            return draw_taught_rows(self.rows, self.teacher, self.seed)
        before = self.plain.taught
        rows = dataclasses.replace(before.rows, X=self.feature_map(before.rows.X))
        return TaughtRows(rows, self.feature_map(before.X), before.answers)

    def grown(self, method: str, depth: int) -> Tree:
        """The tree of a greedy method of so great a depth, grown once; in the units of ``rows``."""
        if (method, depth) not in self._grown:
            self._grown[method, depth] = self.learn(method, self.rows, None, depth=depth)
        return self._grown[method, depth]

    def learn(self, method: str, rows: TrainingRows, start: Tree | None, **settings) -> Tree:
        """The tree of a method of the registry, in the units of ``rows``."""
        return learn(method, rows, start, self.seed, self.deadline, **settings)

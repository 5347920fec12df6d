"""The candidates, from the simplest on."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from treecore.core.routing import apply
from treecore.core.scaling import Scaling
from treecore.core.tree import Tree, single_leaf
from treecore.learners.greedy.finders.model_cuts import pair_directions
from treecore.learners.greedy.settings import AxisSettings
from treecore.losses.log import class_log_odds
from treecore.rows.training_rows import TrainingRows
from treecore.selection.lesson import TeacherLesson, to_its_end
from treecore.selection.model_trees import (
    has_room,
    has_room_for_curves,
    has_room_for_cuts,
    with_linear_leaves,
)
from treecore.selection.pruned import prune_to
from treecore.selection.teacher import MANY_NUMBERS
from treecore.training.builders import build_for_models

LINEAR = {"leaf": "linear"}

ROUNDS = 20
"""Rounds of 50 mini-batches for a tree that has a teacher: labels that agree are soon learnt."""

ROUNDS_ALONE = 40
"""The same without one."""

MOST_LEAVES = 64
"""Leaves of a pruned tree up to which an annealed one starts from it; a larger one, which would
take minutes, is pruned on to as many. So a candidate that is measured on parts of the rows starts
in the same way on all of them, whose pruned tree is larger."""

MIDDLE = 6
"""Depth of a complete tree that is annealed."""

MODELS = 8
"""Leaves of a pruned tree that get linear models; a larger one is pruned on to as many."""

SHALLOW = 2
"""Depth of an annealed tree with linear leaves."""

MANY_ROWS = 1000
"""Rows up to which cuts that a forest teaches are 8 deep, else 12."""

TAUGHT_DEPTH, TAUGHT_DEEPEST = 6, 10
"""Depths of cuts with linear leaves that are taught, of few and of many leaves. Where rows repeat
many leaves pay: on held-out training rows of `winequality_red` they are two points of R² ahead."""

DEEPEST = 8
"""Depth of cuts that are grown for linear leaves, at most, and of those that boosting teaches: what
they cost ends them before."""

PRICE, HIGH_PRICE = 2.0, 5.0
"""What such a cut must spare, see :mod:`treecore.learners.greedy.model_cuts`: on held-out training
rows the first is better by seven points of R² on `puma32h` and two on `bikes`, the second by six on
`qsar_fish` and `winequality_red`."""

TAUGHT_PRICE = 1.0
"""The same where most targets are a teacher's, which have no noise."""

MOST_IN_PAIRS = 8
"""Features up to which cuts that boosting teaches may be on sums and differences of two: on
held-out training rows of California these are worth 3 % of RMSE. Where a forest teaches they lose
as often as they gain."""

HINGES = 3
"""Hinges of each feature of candidates behind splines."""

FEWEST_TAUGHT = 20
"""Rows, own and drawn, behind a linear leaf that a forest teaches."""

PRIOR, PRIOR_OF_CUTS = 20.0, 5.0
"""Rows that the teacher's opinion of a leaf counts as, beside the rows of the leaf. Oblique splits
fit their own rows so well that these say little: on `german` 30 instead of 3 takes the log loss
from 0.68 to 0.55 and adds a point of accuracy. Where splits are cuts more than 5 costs points on
`tic-tac-toe`."""


@dataclass(frozen=True)
class TreeCandidate:
    """One way to make a tree of a lesson.

    - method: the one of the registry that grows it.
    - costly: whether it is worth giving it up early.
    - learn: the tree is in the units of the lesson's rows; :meth:`learn_from` is what asks for it.
    - settings: those of the method that candidates of one kind differ in.
    - suits: whether it is worth its time for some rows at all.
    - n_hinges: hinges of each feature that it reads beside the features themselves; 0: none.
    """

    name: str
    title: str
    method: str
    costly: bool
    learn: Callable[[TeacherLesson], Tree]
    settings: Mapping[str, Any] = field(default_factory=dict)
    suits: Callable[[TrainingRows], bool] = lambda rows: True
    n_hinges: int = 0

    def learn_from(self, lesson: TeacherLesson) -> tuple[Tree, TeacherLesson]:
        """The tree, and the lesson that it has learnt: this one, or that behind its hinges."""
        if self.n_hinges:
            lesson = lesson.with_splines(self.n_hinges)
        return self.learn(lesson), lesson


def _constant(lesson: TeacherLesson) -> Tree:
    rows = lesson.rows
    values = np.zeros((1, rows.n_outputs))  # the mean of numbers, in the units of the rows
    if rows.loss.task == "classification":
        values = class_log_odds(np.bincount(rows.y, rows.weight, rows.n_outputs)[None, :])
    return single_leaf(values, rows.X.shape[1])


def _pruned(lesson: TeacherLesson) -> Tree:
    return lesson.pruned


def _annealed(lesson: TeacherLesson) -> Tree:
    start = prune_to(MOST_LEAVES, lesson.pruned, lesson.rows)
    if start.n_splits == 0:
        return start
    return lesson.learn("annealed", lesson.rows, start, rounds=ROUNDS_ALONE)


def _linear(lesson: TeacherLesson) -> Tree:
    return with_linear_leaves(_constant(lesson), lesson.rows)


def _model_tree(lesson: TeacherLesson) -> Tree:
    return with_linear_leaves(prune_to(MODELS, lesson.pruned, lesson.rows), lesson.rows)


def _annealed_linear(lesson: TeacherLesson) -> Tree:
    settings = {"depth": SHALLOW, "rounds": ROUNDS_ALONE} | LINEAR
    return lesson.learn("annealed", lesson.rows, None, **settings)


def _taught_cuts(lesson: TeacherLesson) -> Tree:
    depth = 8 if len(lesson.rows.y) <= MANY_ROWS else 12
    tree = lesson.learn("axis", lesson.taught.rows, None, depth=depth)
    return refit(tree, lesson, PRIOR_OF_CUTS)


def _taught_model_tree(lesson: TeacherLesson, depth_of_few: int = TAUGHT_DEPTH) -> Tree:
    n = len(lesson.rows.y)
    depth = depth_of_few if n <= MANY_NUMBERS else DEEPEST
    rows, directions = lesson.taught_between.rows, None
    p = (lesson.plain or lesson).rows.X.shape[1]  # hinges come behind all features
    if n > MANY_NUMBERS and p <= MOST_IN_PAIRS:
        pairs = pair_directions(Scaling.fit(rows.X[:, :p], robust=True).deviation)
        directions = np.pad(pairs, [(0, 0), (0, rows.X.shape[1] - p)])
    settings = AxisSettings(
        leaf="linear",
        depth=depth,
        min_samples_leaf=FEWEST_TAUGHT,
        leaf_price=TAUGHT_PRICE,
    )
    return to_its_end(build_for_models(settings, rows, directions))


def _own_model_cuts(price: float) -> Callable[[TeacherLesson], Tree]:
    settings = {"depth": DEEPEST, "leaf_price": price} | LINEAR
    return lambda lesson: lesson.learn("axis", lesson.rows, None, **settings)


def _suits_own_model_cuts(rows: TrainingRows) -> bool:
    """Whether there are rows enough: on held-out training rows of tables of fewer, taught ones are
    better on five of seven, and a choice among more candidates is a worse one.
    """
    return len(rows.y) > MANY_ROWS and has_room_for_cuts(rows)


def _curves_are_taught(rows: TrainingRows) -> bool:
    """Whether leaves that are taught read hinges: on held-out training rows of California that
    takes RMSE from 48.3 to 48.0 thousand; of few rows it has not been tried.
    """
    return len(rows.y) > MANY_NUMBERS and has_room_for_curves(rows, HINGES)


def _lines_are_taught(rows: TrainingRows) -> bool:
    return has_room_for_cuts(rows) and not _curves_are_taught(rows)


def _many_lines_are_taught(rows: TrainingRows) -> bool:
    return MANY_ROWS < len(rows.y) <= MANY_NUMBERS and has_room_for_cuts(rows)


def _suits_few_curves(rows: TrainingRows) -> bool:
    """Whether few own cuts have hinges behind them: on held-out training rows that is better on all
    of the seven tables tried, by 3 % of RMSE on abalone, 7 % on cpuact, 8 % on `bikes`.
    """
    return _suits_own_model_cuts(rows) and has_room_for_curves(rows, HINGES)


def _suits_few_lines(rows: TrainingRows) -> bool:
    return _suits_own_model_cuts(rows) and not _suits_few_curves(rows)


def _has_room_for_splines(rows: TrainingRows) -> bool:
    return has_room(rows, HINGES)


def _taught(lesson: TeacherLesson) -> Tree:
    tree = lesson.learn("annealed", lesson.taught.rows, None, depth=MIDDLE, rounds=ROUNDS)
    return refit(tree, lesson, PRIOR)


def refit(tree: Tree, lesson: TeacherLesson, strength: float) -> Tree:
    """The tree with values by the lesson's own rows, and by the teacher where those are few.

    strength: rows that the teacher's opinion of a leaf counts as.
    """
    rows, drawn = lesson.rows, lesson.taught
    leaf, of_drawn = apply(tree, rows.X), apply(tree, drawn.X)
    n_leaves, k = tree.n_leaves, rows.n_outputs
    observed = np.bincount(of_drawn, minlength=n_leaves)[:, None]
    prior = np.zeros((n_leaves, k))
    np.add.at(prior, of_drawn, drawn.answers)
    share_in_leaf = np.zeros((n_leaves, k))
    classes = rows.loss.task == "classification"
    if classes:
        np.add.at(share_in_leaf, (leaf, rows.y), rows.weight)
        prior = (prior + 1.0 / k) / (observed + 1.0)
        values = class_log_odds(share_in_leaf + strength * prior, 1e-3)
    else:
        np.add.at(share_in_leaf, leaf, rows.weight[:, None] * rows.y)
        weight = np.bincount(leaf, rows.weight, n_leaves)[:, None]
        prior /= np.maximum(observed, 1)
        counted = strength * (observed > 0)
        values = np.where(
            weight + counted > 0,
            (share_in_leaf + counted * prior) / np.maximum(weight + counted, 1e-9),
            0.0,
        ).astype(np.float32)
    return tree._replace(values=values)


CANDIDATES = (
    TreeCandidate("constant", "a single leaf", "axis", False, _constant),
    TreeCandidate("pruned", "a pruned tree of cuts", "axis", False, _pruned),
    TreeCandidate("taught-cuts", "cuts taught by many trees", "axis", False, _taught_cuts),
    TreeCandidate("annealed", "an annealed tree from the pruned one", "annealed", True, _annealed),
    TreeCandidate("taught", "an annealed tree taught by many trees", "annealed", True, _taught),
    TreeCandidate("linear", "a linear model", "annealed", False, _linear, LINEAR, has_room),
    TreeCandidate(
        "model-tree",
        "a pruned tree with linear leaves",
        "annealed",
        True,
        _model_tree,
        LINEAR,
        has_room,
    ),
    TreeCandidate(
        "annealed-linear",
        "an annealed tree with linear leaves",
        "annealed",
        True,
        _annealed_linear,
        LINEAR,
        has_room,
    ),
    TreeCandidate(
        "splines",
        "a sum of curves, one of each feature",
        "annealed",
        False,
        _linear,
        LINEAR,
        _has_room_for_splines,
        HINGES,
    ),
    TreeCandidate(
        "annealed-splines",
        "an annealed tree with sums of curves in its leaves",
        "annealed",
        True,
        _annealed_linear,
        LINEAR,
        _has_room_for_splines,
        HINGES,
    ),
    TreeCandidate(
        "taught-model-tree",
        "cuts with linear leaves, taught by many trees",
        "axis",
        False,
        _taught_model_tree,
        LINEAR,
        _lines_are_taught,
    ),
    TreeCandidate(
        "deep-taught-model-tree",
        "many cuts with linear leaves, taught by many trees",
        "axis",
        False,
        partial(_taught_model_tree, depth_of_few=TAUGHT_DEEPEST),
        LINEAR,
        _many_lines_are_taught,
    ),
    TreeCandidate(
        "taught-curves",
        "cuts with sums of curves in the leaves, taught by many trees",
        "axis",
        False,
        _taught_model_tree,
        LINEAR,
        _curves_are_taught,
        HINGES,
    ),
    TreeCandidate(
        "model-cuts",
        "cuts grown for linear leaves",
        "axis",
        False,
        _own_model_cuts(PRICE),
        LINEAR,
        _suits_own_model_cuts,
    ),
    TreeCandidate(
        "few-model-cuts",
        "few cuts grown for linear leaves",
        "axis",
        False,
        _own_model_cuts(HIGH_PRICE),
        LINEAR,
        _suits_few_lines,
    ),
    TreeCandidate(
        "few-curves",
        "few cuts with sums of curves in the leaves",
        "axis",
        False,
        _own_model_cuts(HIGH_PRICE),
        LINEAR,
        _suits_few_curves,
        HINGES,
    ),
)
"""All candidates: the simple ones, other trees of constants, and those with linear leaves."""

N_SIMPLE = 2
"""The first ones are taken where the best of all is hardly better."""

SHARE_OF_ERROR = 0.5
"""A simple candidate, a constant or a pruned tree, is taken where the best one is better by no more
than this share of the standard error of their difference."""
SHARE_OF_NUMBERS = 1.0
"""The same of a pruned tree where targets are numbers: there the squares of a few rows are most of
a score, and its standard error is itself uncertain. On `servo` 0.9 errors ahead inside the training
rows were six points behind outside."""


@dataclass(frozen=True)
class Contest:
    """Who competes, and the rule of choice.

    candidates: the simplest first; margins: one for each simple candidate, which are the first
    ones: it is taken where the best of all is better by no more than so many standard errors of
    their difference.
    """

    candidates: tuple[TreeCandidate, ...] = CANDIDATES
    margins: tuple[float, ...] = (SHARE_OF_ERROR,) * N_SIMPLE

    @property
    def n_simple(self) -> int:
        """Number of simple candidates."""
        return len(self.margins)

    def suited(self, rows: TrainingRows) -> Contest:
        """The contest of those that suit some rows; simple candidates suit all."""
        return self._of(lambda candidate: candidate.suits(rows))

    def of_constants(self) -> Contest:
        """The contest of those whose leaves are constants."""
        return self._of(lambda candidate: candidate.settings.get("leaf") != "linear")

    def of_plain_features(self) -> Contest:
        """The contest of those that read features as they are, without hinges."""
        return self._of(lambda candidate: candidate.n_hinges == 0)

    def _of(self, wanted: Callable[[TreeCandidate], bool]) -> Contest:
        return dataclasses.replace(self, candidates=tuple(filter(wanted, self.candidates)))


def _without(*names: str) -> tuple[TreeCandidate, ...]:
    return tuple(candidate for candidate in CANDIDATES if candidate.name not in names)


OF_NUMBERS = (
    "taught-model-tree",
    "deep-taught-model-tree",
    "taught-curves",
    "model-cuts",
    "few-model-cuts",
    "few-curves",
)
"""Candidates that are for numbers alone."""

CONTESTS = {
    "classification": Contest(_without(*OF_NUMBERS)),
    "regression": Contest(
        _without("model-tree", "taught"),
        margins=(SHARE_OF_ERROR, SHARE_OF_NUMBERS),
    ),
}
"""Those of ``method="auto"``. Of numbers a pruned tree with linear leaves is none: on `servo` it
was ahead of the pruned tree inside the training rows and seven points of R² behind outside. An
annealed tree of constants that is taught was chosen of no table of numbers, and took a tenth of the
time. Of classes a forest teaches none: each drawn row would come once for every class that it may
have."""

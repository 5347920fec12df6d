"""The candidates, from the simplest on."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treecore.core.routing import apply
from treecore.core.scaling import Scaling
from treecore.core.tree import Tree, single_leaf
from treecore.learners.greedy.finders.model_cuts import pair_directions
from treecore.learners.greedy.settings import AxisSettings
from treecore.learners.nongreedy.leaf_family import sums_by_leaf
from treecore.losses.log import class_log_odds
from treecore.pruning import prune_dead
from treecore.rows.training_rows import TrainingRows
from treecore.selection.lesson import TeacherLesson
from treecore.selection.linear import fit_linear
from treecore.selection.model_trees import (
    MOST_FEATURES,
    has_room,
    has_room_for_curves,
    has_room_for_cuts,
    with_linear_leaves,
)
from treecore.selection.pruned import prune_to, to_its_end
from treecore.selection.taught_rows import smeared
from treecore.selection.teacher import MANY_NUMBERS
from treecore.training.builders import build_for_models

LINEAR = {"leaf": "linear"}

ROUNDS = 20
"""Rounds of 50 mini-batches for a tree that has a teacher: labels that agree are soon learnt."""

ROUNDS_ALONE = 40
"""The same without one."""

MANY_CLASSES = 10
"""From so many classes on a deep annealed tree is a candidate in place of a pruned one with linear
leaves."""

LARGE, LARGE_DEPTH, LARGE_ROUNDS = 5000, 10, 80
"""Of more rows than the first an annealed tree is deeper, learns longer, and needs no teacher."""

MOST_LEAVES = 700
"""Leaves that such a tree has where rows do not reach more."""

LINEAR_DEPTH = 5
"""Depth of an annealed tree with linear leaves, in place of grown ones that would take minutes."""

DECAY_OF_MANY = 0.1
"""Weight decay of a deep annealed tree of :data:`MANY_CLASSES`; fewer lose half a point by it."""

SHALLOW, FEW_ROWS = 2, 500
"""Depth of an annealed tree with linear leaves of more than so many rows, else 0."""

MANY_ROWS = 1000
"""Rows up to which cuts that a forest teaches are 8 deep, else 12."""

TAUGHT_DEPTH, TAUGHT_DEEPER = 6, 10
"""Depths of cuts with linear leaves that are taught, up to :data:`MANY_ROWS` rows and beyond."""

DEEPEST = 8
"""Most depth of cuts that are grown for linear leaves, or that boosting teaches."""

PRICE, PRICE_OF_CURVES = 2.0, 5.0
"""What such a cut must spare, see :mod:`treecore.learners.greedy.finders.model_cuts`; the second
where leaves read hinges."""

HINGES = 3
"""Hinges of each feature of candidates behind splines."""


PRIOR, PRIOR_OF_CUTS = 20.0, 5.0
"""Rows that the teacher's opinion of a leaf counts as, beside the rows of the leaf. Oblique splits
fit their own rows so well that these say little."""


@dataclass(frozen=True)
class TreeCandidate:
    """One way to make a tree of a lesson, by a method of the registry.

    - settings: those of the method that candidates of one kind differ in.
    - suits: whether it is worth its time; n_hinges: hinges of each feature that it reads as well.
    - shares: whether it uses what one before it made, a pruned tree or a teacher.
    """

    name: str
    title: str
    method: str
    learn: Callable[[TeacherLesson], Tree]
    settings: Mapping[str, Any] = field(default_factory=dict)
    suits: Callable[[TrainingRows], bool] = lambda rows: True
    n_hinges: Callable[[TrainingRows], int] = lambda rows: 0
    shares: bool = False

    def learn_from(self, lesson: TeacherLesson) -> tuple[Tree, TeacherLesson]:
        """The tree, and the lesson that it has learnt: this one, or that behind its hinges."""
        if n_hinges := self.n_hinges(lesson.rows):
            lesson = lesson.with_splines(n_hinges)
        return self.learn(lesson), lesson


def _linear(lesson: TeacherLesson) -> Tree:
    rows = lesson.rows
    if not has_room(rows):
        return fit_linear(rows, lesson.seed, 0.1)
    return with_linear_leaves(single_leaf(np.zeros((1, rows.n_outputs)), rows.X.shape[1]), rows)


def _model_tree(lesson: TeacherLesson) -> Tree:
    return with_linear_leaves(prune_to(8, lesson.pruned, lesson.rows), lesson.rows)


def _annealed(**settings: Any) -> Callable[[TeacherLesson], Tree]:
    return lambda lesson: lesson.learn("annealed", lesson.rows, None, **settings)


def _sums_of_curves(lesson: TeacherLesson) -> Tree:
    if len(lesson.rows.y) <= FEW_ROWS:
        return _linear(lesson)
    return _annealed(depth=SHALLOW, rounds=ROUNDS_ALONE, **LINEAR)(lesson)


def is_large(rows: TrainingRows) -> bool:
    return len(rows.y) > LARGE


def has_many_classes(rows: TrainingRows) -> bool:
    return rows.loss.task == "classification" and rows.n_outputs >= MANY_CLASSES


def _suits_deep(rows: TrainingRows) -> bool:
    """Of numbers cuts with linear leaves are better, where these take seconds."""
    few_numbers = rows.loss.task == "regression" and has_room_for_cuts(rows)
    return is_large(rows) and not few_numbers


def _suits_annealed_linear(rows: TrainingRows) -> bool:
    few_features = rows.X.shape[1] <= MOST_FEATURES
    return rows.loss.task == "regression" and _suits_deep(rows) and few_features


def _deep(lesson: TeacherLesson) -> Tree:
    rows = lesson.rows
    more = {"decay": DECAY_OF_MANY} if has_many_classes(rows) else {}
    tree = _annealed(depth=LARGE_DEPTH, rounds=LARGE_ROUNDS, **more)(lesson)
    weight = np.bincount(apply(tree, rows.X), rows.weight, tree.n_leaves)
    # Leaves that only drawn rows reach stay too, as far as there is room, for test rows.
    drawn = smeared(rows.X, rows.weight, 20_000, np.random.default_rng([lesson.seed, 4]))
    of_drawn = np.bincount(apply(tree, drawn), minlength=tree.n_leaves) * (weight == 0)
    rarest = np.argsort(-of_drawn, kind="stable")[max(0, MOST_LEAVES - np.count_nonzero(weight)) :]
    of_drawn[rarest] = 0
    weight += of_drawn
    # As of numbers: leaves of one class whose probabilities differ stay apart.
    return prune_dead(tree, weight[:, None], task="regression")


def _taught_cuts(lesson: TeacherLesson) -> Tree:
    depth = 8 if len(lesson.rows.y) <= MANY_ROWS else 12
    tree = lesson.learn("axis", lesson.taught.rows, None, depth=depth)
    return refit(tree, lesson, PRIOR_OF_CUTS)


def _taught_model_tree(lesson: TeacherLesson) -> Tree:
    n = len(lesson.rows.y)
    depth = TAUGHT_DEPTH if n <= MANY_ROWS else TAUGHT_DEEPER
    rows, directions = lesson.taught.rows, None
    p = (lesson.plain or lesson).rows.X.shape[1]  # hinges come behind all features
    if n > MANY_NUMBERS:
        depth = DEEPEST
        # With few features boosting may teach cuts on sums and differences of two. Where a forest
        # teaches they lose as often as they gain.
        if p <= 8:
            pairs = pair_directions(Scaling.fit(rows.X[:, :p], robust=True).deviation)
            directions = np.pad(pairs, [(0, 0), (0, rows.X.shape[1] - p)])
    # At least 20 rows, own and drawn; a teacher's targets have no noise, so leaves are cheap.
    settings = AxisSettings(leaf="linear", depth=depth, min_samples_leaf=20, leaf_price=1.0)
    return to_its_end(build_for_models(settings, rows, directions), lesson.deadline)


def _own_cuts(lesson: TeacherLesson) -> Tree:
    price = PRICE if lesson.plain is None else PRICE_OF_CURVES
    return lesson.learn("axis", lesson.rows, None, leaf="linear", depth=DEEPEST, leaf_price=price)


def _suits_own_cuts(rows: TrainingRows) -> bool:
    return len(rows.y) > MANY_ROWS and has_room_for_cuts(rows)


def _hinges_of_cuts(rows: TrainingRows) -> int:
    return HINGES if has_room_for_curves(rows, HINGES) else 0


def _hinges_of_taught_cuts(rows: TrainingRows) -> int:
    return _hinges_of_cuts(rows) if len(rows.y) > MANY_NUMBERS else 0


def _taught(lesson: TeacherLesson) -> Tree:
    tree = lesson.learn("annealed", lesson.taught.rows, None, depth=6, rounds=ROUNDS)
    return refit(tree, lesson, PRIOR)


def refit(tree: Tree, lesson: TeacherLesson, strength: float) -> Tree:
    """The tree with values by the lesson's rows; the teacher counts as ``strength`` rows more."""
    rows, drawn, n_leaves = lesson.rows, lesson.taught, tree.n_leaves
    classes = rows.loss.task == "classification"
    leaf, of_drawn = apply(tree, rows.X), apply(tree, drawn.X)
    target = np.eye(rows.n_outputs)[rows.y] if classes else rows.y
    own = sums_by_leaf(target, rows.weight, leaf, n_leaves)
    prior = sums_by_leaf(drawn.answers, np.ones(len(of_drawn)), of_drawn, n_leaves)
    n_drawn = np.bincount(of_drawn, minlength=n_leaves)[:, None]
    if classes:
        prior = (prior + 1.0 / rows.n_outputs) / (n_drawn + 1.0)
        return tree._replace(values=class_log_odds(own + strength * prior, 1e-3))
    counted = strength * (n_drawn > 0)
    weight = np.bincount(leaf, rows.weight, n_leaves)[:, None] + counted
    values = (own + counted * prior / np.maximum(n_drawn, 1)) / np.maximum(weight, 1e-9)
    return tree._replace(values=values.astype(np.float32))


FOR_ALL = (
    TreeCandidate("pruned", "a pruned tree of cuts", "axis", lambda lesson: lesson.pruned),
    TreeCandidate("linear", "a linear model", "annealed", _linear, LINEAR),
    TreeCandidate("deep", "a deep annealed tree", "annealed", _deep, suits=_suits_deep),
    TreeCandidate(
        "annealed-linear",
        "an annealed tree with linear leaves",
        "annealed",
        _annealed(depth=LINEAR_DEPTH, rounds=LARGE_ROUNDS, **LINEAR),
        LINEAR,
        _suits_annealed_linear,
    ),
    TreeCandidate("taught-cuts", "cuts taught by many trees", "axis", _taught_cuts),
    TreeCandidate(
        "annealed-splines",
        "sums of curves, in the leaves of an annealed tree",
        "annealed",
        _sums_of_curves,
        LINEAR,
        lambda rows: has_room(rows, HINGES),
        lambda rows: HINGES,
    ),
)

OF_CLASSES = (
    TreeCandidate(
        "taught",
        "an annealed tree taught by many trees",
        "annealed",
        _taught,
        suits=lambda rows: not is_large(rows),
        shares=True,
    ),
    TreeCandidate(
        "model-tree",
        "a pruned tree with linear leaves",
        "annealed",
        _model_tree,
        LINEAR,
        lambda rows: not has_many_classes(rows) and has_room(rows),
        shares=True,
    ),
    TreeCandidate(
        "annealed",
        "an annealed tree",
        "annealed",
        _annealed(depth=DEEPEST, rounds=ROUNDS_ALONE),
        suits=lambda rows: has_many_classes(rows) and not is_large(rows),
    ),
)

OF_NUMBERS = (
    TreeCandidate(
        "taught-model-tree",
        "cuts with linear leaves, taught by many trees",
        "axis",
        _taught_model_tree,
        LINEAR,
        has_room_for_cuts,
        _hinges_of_taught_cuts,
        shares=True,
    ),
    TreeCandidate(
        "model-cuts",
        "cuts grown for linear leaves",
        "axis",
        _own_cuts,
        LINEAR,
        _suits_own_cuts,
        _hinges_of_cuts,
    ),
)

SHARE_OF_ERROR, SHARE_OF_NUMBERS = 0.5, 0.25
"""Of classes and of numbers: so many standard errors are taken off each candidate's lead over the
pruned tree, so that an uncertain lead loses."""


@dataclass(frozen=True)
class Contest:
    """Who competes, the simplest first; margin: standard errors taken off the others' leads."""

    candidates: tuple[TreeCandidate, ...] = FOR_ALL + OF_CLASSES
    margin: float = SHARE_OF_ERROR

    def suited(self, rows: TrainingRows) -> Contest:
        """The contest of those that suit some rows; the simplest suits all."""
        return self._of(lambda candidate: candidate.suits(rows))

    def of_constants(self) -> Contest:
        return self._of(lambda candidate: candidate.settings.get("leaf") != "linear")

    def of_plain_features(self) -> Contest:
        """The contest with features as they are, without hinges."""
        plain = [dataclasses.replace(one, n_hinges=lambda rows: 0) for one in self.candidates]
        return dataclasses.replace(self, candidates=tuple(plain))

    def _of(self, wanted: Callable[[TreeCandidate], bool]) -> Contest:
        return dataclasses.replace(self, candidates=tuple(filter(wanted, self.candidates)))


CONTESTS = {
    "classification": Contest(),
    "regression": Contest(FOR_ALL + OF_NUMBERS, SHARE_OF_NUMBERS),
}
"""Those of the default estimators: what the choice loses without each candidate is measured by
``python -m benchmarks.tables --ablate``."""

"""The choice itself: every candidate is measured on rows that it has not learnt from."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treecore.core.tree import Tree
from treecore.data.feature_maps import FeatureMap
from treecore.rows.finite import filled
from treecore.rows.training_rows import TrainingRows
from treecore.selection.candidates import CONTESTS, Contest, TreeCandidate
from treecore.selection.decision import Decision, Measured
from treecore.selection.folds import held_out_parts
from treecore.selection.lesson import TeacherLesson, TeacherQuestion
from treecore.selection.scoring import cost_of_mean, gains, successes

FEWEST = 20
"""With fewer rows there is no comparison, and a pruned tree is taken."""

GIVEN_UP = 1.0
"""A costly candidate is given up after a fold where it is behind by more standard errors."""


MOST_REPETITIONS = 20
"""Greatest weight that may mean repetition."""


@dataclass(frozen=True)
class Evidence:
    """What every candidate has gained on rows that it has not learnt from.

    - rows: int64 (n_held,), which row each column of the others is of; one that was held out twice
      comes twice.
    - gains: float64 (n_candidates, n_held), see :func:`treecore.selection.scoring.gains`; NaN once
      a candidate has been given up.
    - successes: float64 (n_candidates, n_held), see :func:`treecore.selection.scoring.successes`;
      NaN likewise.
    - possible: float64 (n_held,), what a perfect tree would gain.
    - seconds: float64 (n_candidates,).
    - costly: bool (n_candidates,), which candidates are worth giving up early.
    """

    rows: np.ndarray
    gains: np.ndarray
    successes: np.ndarray
    possible: np.ndarray
    seconds: np.ndarray
    n_folds: int
    costly: np.ndarray

    @property
    def scores(self) -> np.ndarray:
        """Share of what is possible that each candidate has gained, float64 (n_candidates,)."""
        return self._share(self.gains)

    @property
    def success_rates(self) -> np.ndarray:
        """The same of ``successes``: accuracy, or the share of the loss that is gone."""
        return self._share(self.successes)

    def _share(self, of_rows: np.ndarray) -> np.ndarray:
        possible = np.where(np.isnan(of_rows), 0.0, self.possible).sum(axis=1)
        return np.nansum(of_rows, axis=1) / np.maximum(possible, np.finfo(float).tiny)

    def lead(self, one: int, other: int) -> tuple[float, float]:
        """By how much one score is above another on the rows that both know; its standard error.

        A row that was held out twice is one piece of evidence, not two.
        """
        gap = self.gains[one] - self.gains[other]
        known = ~np.isnan(gap)
        possible = max(float(self.possible[known].sum()), np.finfo(float).tiny)
        _, row = np.unique(self.rows[known], return_inverse=True)
        gap = np.bincount(row, gap[known])
        return float(gap.sum() / possible), float(gap.std() * np.sqrt(len(gap)) / possible)

    def finalists(self) -> np.ndarray:
        """Candidates that have been measured on all rows, int64 array."""
        return np.flatnonzero(~np.isnan(self.gains).any(axis=1))

    def best(self) -> int:
        """The finalist of greatest score, the simplest of equals."""
        finalists = self.finalists()
        return int(finalists[self.scores[finalists].argmax()])

    def is_worse(self) -> np.ndarray:
        """Which candidates are clearly worse than the best, so that no more time is spent on them.

        bool array, shape (n_candidates,)
        """
        best, after = self.best(), np.isnan(self.gains).any(axis=1)
        for i in np.flatnonzero(~after):
            lead, error = self.lead(best, int(i))
            after[i] = self.costly[i] and i != best and lead > GIVEN_UP * error
        return after


class Choice(NamedTuple):
    """What :func:`choose_tree` gives.

    tree: numbers are in their own units; feature_map: what makes the rows that the tree reads of
    those of the question; None where it reads these.
    """

    tree: Tree
    decision: Decision
    feature_map: FeatureMap | None


def choose_tree(
    question: TeacherQuestion,
    pause: Callable[[], object] | None = None,
    contest: Contest | None = None,
) -> Choice:
    """Choose a candidate by rows that are held out, and give its tree of all rows.

    pause: called after every tree: whoever shares a processor may wait there; contest: none: that
    of ``method="auto"``. Raises ValueError for rows, targets or weights that no tree can be learnt
    from.
    """
    requested = repeat_rows(question)
    lesson = TeacherLesson.of(requested)
    contest = (contest or CONTESTS[lesson.rows.loss.task]).suited(lesson.rows)
    candidates = contest.candidates
    evidence, chosen = None, contest.n_simple - 1
    if len(lesson.rows.y) >= FEWEST:
        evidence = gather_evidence(requested, lesson.rows, candidates, pause)
        chosen = choose(evidence, contest)
    tree, after = candidates[chosen].learn_from(lesson)
    decision = _decision(candidates, evidence, chosen, lesson.rows.loss.task)
    return Choice(after.units.inverse_transform(tree), decision, after.feature_map)


def repeat_rows(question: TeacherQuestion) -> TeacherQuestion:
    """The question with every row as often as its weight says, where weights are whole numbers.

    Rows that are given twice come here as one of weight two, which is held out as a whole or not at
    all. But where rows repeat, those to come will repeat some of these as well, and a tree that
    knows them by heart is right: one of two may be held out, and the other one learnt from. A
    factor that all weights share says nothing.
    """
    weight = question.weight
    if weight is None or (weight != np.rint(weight)).any() or weight.max() > MOST_REPETITIONS:
        return question
    times = weight.astype(np.int64)
    repeated = np.repeat(np.arange(len(times)), times // np.gcd.reduce(times))
    return dataclasses.replace(question.take(repeated), weight=None)


def gather_evidence(
    question: TeacherQuestion,
    rows: TrainingRows,
    candidates: tuple[TreeCandidate, ...],
    pause: Callable[[], object] | None = None,
) -> Evidence:
    """Measure candidates on each held-out part of the rows, having learnt from the others.

    rows: all its rows, for their weights; pause: called after every tree.
    """
    n = len(rows.y)
    strata = rows.y if rows.loss.task == "classification" else np.zeros(n, dtype=np.int64)
    seconds, alive = np.zeros(len(candidates)), np.ones(len(candidates), dtype=bool)
    gained, succeeded, possible = [], [], []
    folds = held_out_parts(strata, question.seed, rows.loss.task == "regression")
    for held in folds:
        learning = np.ones(n, dtype=bool)
        learning[held] = False
        lesson = TeacherLesson.of(question.take(np.flatnonzero(learning)))
        part = _held_rows(question, rows, held, lesson)
        of_part, right = np.full((2, len(candidates), len(held)), np.nan)
        for i in np.flatnonzero(alive):
            started = time.process_time()
            tree, after = candidates[i].learn_from(lesson)
            seconds[i] += time.process_time() - started
            read = _mapped(part, after.feature_map)
            of_part[i], right[i] = gains(tree, read), successes(tree, read)
            if pause is not None:
                pause()
        gained.append(of_part)
        succeeded.append(right)
        classes = rows.loss.task == "classification"
        possible.append(part.weight if classes else part.weight * cost_of_mean(part))
        evidence = Evidence(
            np.concatenate(folds[: len(gained)]),
            np.concatenate(gained, axis=1),
            np.concatenate(succeeded, axis=1),
            np.concatenate(possible),
            seconds,
            len(gained),
            np.array([candidate.costly for candidate in candidates]),
        )
        alive &= ~evidence.is_worse()
    return evidence


def _held_rows(
    question: TeacherQuestion, rows: TrainingRows, held: np.ndarray, lesson: TeacherLesson
) -> TrainingRows:
    """Rows held out, in the units of the lesson, with the weights they have among all rows."""
    part, y = question.take(held), rows.y[held]
    if rows.loss.task == "regression":
        numbers = np.asarray(part.y, dtype=np.float64).reshape(len(held), -1)
        y = ((numbers - lesson.units.centre) / lesson.units.spread).astype(np.float32)
    X = filled(np.asarray(part.X, dtype=np.float32), lesson.units.missing)
    return TrainingRows(X, y, rows.weight[held], rows.n_outputs, rows.loss)


def _mapped(part: TrainingRows, feature_map: FeatureMap | None) -> TrainingRows:
    return part if feature_map is None else dataclasses.replace(part, X=feature_map(part.X))


def choose(evidence: Evidence, contest: Contest) -> int:
    """The best finalist, or the first of the simple ones that it is hardly better than."""
    best, finalists = evidence.best(), evidence.finalists()
    for simple, margin in enumerate(contest.margins):
        lead, error = evidence.lead(best, simple)
        if simple in finalists and lead <= margin * error:
            return simple
    return best


def _decision(
    candidates: tuple[TreeCandidate, ...], evidence: Evidence | None, chosen: int, task: str
) -> Decision:
    measured = []
    for i, candidate in enumerate(candidates):
        one = Measured(candidate.name, candidate.title, candidate.method, chosen=i == chosen)
        if evidence is not None:
            one = dataclasses.replace(
                one,
                score=float(evidence.success_rates[i]),
                gain=float(evidence.scores[i]),
                error=evidence.lead(i, chosen)[1],
                seconds=float(evidence.seconds[i]),
            )
        measured.append(one)
    return Decision(tuple(measured), 0 if evidence is None else evidence.n_folds, task)

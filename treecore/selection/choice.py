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

GIVEN_UP, FEW_ROWS = 1.0, 300
"""A candidate is given up after a fold where it is behind by more standard errors, unless there are
so few rows that a fold says little and takes no time: `servo` lost 15 points of R² by that."""


@dataclass(frozen=True)
class Evidence:
    """What every candidate has gained on rows that it has not learnt from.

    - gains, successes: float64 (n_candidates, n_held); NaN once a candidate has been given up.
    - possible: float64 (n_held,), what a perfect tree would gain. seconds: float64 (n_candidates,).
    """

    gains: np.ndarray
    successes: np.ndarray
    possible: np.ndarray
    seconds: np.ndarray
    n_folds: int

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
        """By how much one score is above another on the rows that both know; its standard error."""
        gap = self.gains[one] - self.gains[other]
        known = ~np.isnan(gap)
        possible = max(float(self.possible[known].sum()), np.finfo(float).tiny)
        gap = gap[known]
        return float(gap.sum() / possible), float(gap.std() * np.sqrt(len(gap)) / possible)

    def finalists(self) -> np.ndarray:
        """Candidates that have been measured on all rows, int64 array."""
        return np.flatnonzero(~np.isnan(self.gains).any(axis=1))

    def is_worse(self) -> np.ndarray:
        """Candidates clearly worse than the best, bool (n_candidates,); never the simplest."""
        finalists = self.finalists()
        best, after = finalists[self.scores[finalists].argmax()], np.isnan(self.gains).any(axis=1)
        for i in finalists[finalists > 0]:
            lead, error = self.lead(best, i)
            after[i] = i != best and lead > GIVEN_UP * error
        return after


class Choice(NamedTuple):
    """The chosen tree, in the units of the targets; feature_map: of the rows it reads, or None."""

    tree: Tree
    decision: Decision
    feature_map: FeatureMap | None


def choose_tree(
    question: TeacherQuestion,
    pause: Callable[[], object] | None = None,
    contest: Contest | None = None,
    time_budget: float | None = None,
) -> Choice:
    """Choose a candidate by rows that are held out, and give its tree of all rows.

    pause: called after every tree; time_budget: seconds after which none is begun to be measured.
    Raises ValueError for rows, targets or weights that no tree can be learnt from.
    """
    lesson = TeacherLesson.of(question)
    contest = (contest or CONTESTS[lesson.rows.loss.task]).suited(lesson.rows)
    candidates = contest.candidates
    evidence, chosen = None, 0
    # Fewer rows say nothing of who is better: a pruned tree is taken.
    if len(lesson.rows.y) >= 20:
        evidence = gather_evidence(question, lesson.rows, candidates, pause, True, time_budget)
        chosen = choose(evidence, contest)
    tree, after = candidates[chosen].learn_from(lesson)
    decision = _decision(candidates, evidence, chosen, lesson.rows.loss.task)
    return Choice(after.units.inverse_transform(tree), decision, after.feature_map)


def gather_evidence(
    question: TeacherQuestion,
    rows: TrainingRows,
    candidates: tuple[TreeCandidate, ...],
    pause: Callable[[], object] | None = None,
    eliminate: bool = True,
    time_budget: float | None = None,
) -> Evidence:
    """Measure candidates on each held-out part of the rows, having learnt from the others.

    The simplest is measured on one part whatever the budget; eliminate: give up worse ones early.
    """
    n, classes = len(rows.y), rows.loss.task == "classification"
    started, slowest = time.perf_counter(), 0.0
    seconds, alive = np.zeros(len(candidates)), np.ones(len(candidates), dtype=bool)
    gained, right = np.full((2, len(candidates), n), np.nan)
    possible = np.zeros(n)
    folds = held_out_parts(rows.y if classes else np.zeros(n, dtype=np.int64), question.seed)
    for n_folds, held in enumerate(folds, start=1):
        lesson = TeacherLesson.of(question.take(np.setdiff1d(np.arange(n), held)))
        part = held_rows(question, rows, held, lesson)
        for i in np.flatnonzero(alive):
            spent, before = time.perf_counter() - started, time.process_time()
            # The next one, and the last one of half as many rows again.
            late = time_budget is not None and spent + 2.5 * slowest > time_budget
            if late and (n_folds > 1 or i > 0):
                break
            tree, after = candidates[i].learn_from(lesson)
            seconds[i] += time.process_time() - before
            read = mapped(part, after.feature_map)
            gained[i, held], right[i, held] = gains(tree, read), successes(tree, read)
            slowest = max(slowest, time.perf_counter() - started - spent)
            if pause is not None:
                pause()
        if n_folds > 1 and np.isnan(gained[alive][:, held]).any():
            break  # what was measured on this part alone says nothing beside the others
        possible[held] = part.weight if classes else part.weight * cost_of_mean(part)
        seen = np.concatenate(folds[:n_folds])
        evidence = Evidence(gained[:, seen], right[:, seen], possible[seen], seconds, n_folds)
        if eliminate and n > FEW_ROWS:
            alive &= ~evidence.is_worse()
    return evidence


def held_rows(
    question: TeacherQuestion, rows: TrainingRows, held: np.ndarray, lesson: TeacherLesson
) -> TrainingRows:
    """Rows held out, in the units of the lesson, with the weights they have among all rows."""
    part, y = question.take(held), rows.y[held]
    if rows.loss.task == "regression":
        numbers = np.asarray(part.y, dtype=np.float64).reshape(len(held), -1)
        y = ((numbers - lesson.units.centre) / lesson.units.spread).astype(np.float32)
    X = filled(np.asarray(part.X, dtype=np.float32), lesson.units.missing)
    return TrainingRows(X, y, rows.weight[held], rows.n_outputs, rows.loss)


def mapped(part: TrainingRows, feature_map: FeatureMap | None) -> TrainingRows:
    return part if feature_map is None else dataclasses.replace(part, X=feature_map(part.X))


def choose(evidence: Evidence, contest: Contest) -> int:
    """The finalist whose lead over the simplest, less some standard errors, is greatest."""
    finalists = evidence.finalists()
    leads = np.array([evidence.lead(i, 0) for i in finalists])
    return int(finalists[(leads[:, 0] - contest.margin * leads[:, 1]).argmax()])


def _decision(
    candidates: tuple[TreeCandidate, ...], evidence: Evidence | None, chosen: int, task: str
) -> Decision:
    measured = []
    for i, candidate in enumerate(candidates):
        one = Measured(candidate.name, candidate.title, candidate.method, chosen=i == chosen)
        if evidence is not None and not np.isnan(evidence.gains[i]).all():
            one = dataclasses.replace(
                one,
                score=float(evidence.success_rates[i]),
                gain=float(evidence.scores[i]),
                error=evidence.lead(i, chosen)[1],
                seconds=float(evidence.seconds[i]),
            )
        measured.append(one)
    return Decision(tuple(measured), 0 if evidence is None else evidence.n_folds, task)

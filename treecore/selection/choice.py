"""The choice itself: every candidate is measured on rows that it has not learnt from."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from treecore.core.tree import Tree
from treecore.data.feature_maps import FeatureMap
from treecore.rows.finite import filled
from treecore.rows.training_rows import TrainingRows
from treecore.selection.candidates import CONTESTS, Contest, TreeCandidate
from treecore.selection.decision import Decision, Measured
from treecore.selection.folds import VERY_MANY, held_out_parts
from treecore.selection.lesson import TeacherLesson, TeacherQuestion
from treecore.selection.pruned import DEPTH, OutOfTime
from treecore.selection.scoring import cost_of_mean, gains, successes

PART, FIRST_TRIED = 0.2, 2000
"""With a time budget so many rows are read as a tree of cuts takes this part of it; the first tree
is of so many."""

SLOWER = 1.2
"""A tree of more rows may take so many times as long a row as the one that was measured."""

GIVEN_UP, FEW_ROWS = 1.0, 300
"""A candidate is given up after a fold where it is behind by more standard errors, unless there are
so few rows that a fold says little and takes no time."""


@dataclass(frozen=True)
class Evidence:
    """What every candidate has gained on rows that it has not learnt from.

    - gains, successes: float64 (n_candidates, n_held); NaN once a candidate has been given up.
    - possible: float64 (n_held,), what a perfect tree would gain. seconds: float64 (n_candidates,).
    - learnt: each candidate's last attempt.
    """

    gains: np.ndarray
    successes: np.ndarray
    possible: np.ndarray
    seconds: np.ndarray
    n_folds: int
    learnt: dict[int, Attempt] = field(default_factory=dict)

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
    n_threads: int = 1,
) -> Choice:
    """Choose a candidate by rows that are held out, and give its tree of all rows.

    Of very many rows, or where there is no time, it is the tree that was measured; what is left of
    a time budget (seconds) goes to a tree of more rows.

    pause: called after every tree; n_threads: candidates that are measured side by side.
    Raises ValueError for rows, targets or weights that no tree can be learnt from.
    """
    deadline, given = np.inf, question
    if time_budget is not None:
        # A tenth is left to who reads the rows before, and counts leaves after.
        deadline = time.perf_counter() + 0.9 * time_budget
        question = within(question, time_budget)
    lesson = TeacherLesson.of(question)
    contest = (contest or CONTESTS[lesson.rows.loss.task]).suited(lesson.rows)
    candidates = contest.candidates
    evidence, chosen, n = None, 0, len(lesson.rows.y)
    # Fewer rows say nothing of who is better: a pruned tree is taken.
    if n >= 20:
        measured = question, lesson.rows, candidates, pause, True, deadline, n_threads
        evidence = gather_evidence(*measured)
        chosen = choose(evidence, contest)
        tree, after, *_, seconds = evidence.learnt[chosen]
        if candidates[chosen].shares:
            seconds = max(one.took for i, one in evidence.learnt.items() if i <= chosen)
    if evidence is None or (time_budget is None and n <= VERY_MANY):
        tree, after = candidates[chosen].learn_from(lesson)
    elif time_budget is not None:
        left, learnt = deadline - time.perf_counter(), len(after.rows.y)
        reach = int(min(len(given.y), learnt * left / (SLOWER * seconds)))
        if reach > learnt:
            lesson = TeacherLesson.of(drawn(given, reach))
            lesson.deadline = deadline
            with contextlib.suppress(OutOfTime):
                tree, after = candidates[chosen].learn_from(lesson)
    decision = _decision(candidates, evidence, chosen, lesson.rows.loss.task)
    decision = dataclasses.replace(decision, share=len(after.rows.y) / len(given.y))
    return Choice(after.units.inverse_transform(tree), decision, after.feature_map)


def within(question: TeacherQuestion, time_budget: float) -> TeacherQuestion:
    """The question to as many of its rows, drawn by its seed, as there is time for."""
    n_all = len(question.y)
    for turn, n in enumerate((FIRST_TRIED, FIRST_TRIED, 4 * FIRST_TRIED)):
        if n >= n_all:
            return question
        lesson = TeacherLesson.of(drawn(question, n))
        before = time.perf_counter()
        lesson.grown("axis", DEPTH)
        seconds = time.perf_counter() - before
        if turn > 0 and 4 * seconds > PART * time_budget:  # first the kernels are loaded
            break
    return drawn(question, int(min(n_all, max(n, n * PART * time_budget / seconds))))


def drawn(question: TeacherQuestion, n: int) -> TeacherQuestion:
    """The question to ``n`` of its rows, drawn by its seed; more rows hold those of fewer."""
    if n == len(question.y):
        return question
    order = np.random.default_rng([question.seed, 3]).permutation(len(question.y))
    return dataclasses.replace(question.take(np.sort(order[:n])), in_haste=True)


def gather_evidence(
    question: TeacherQuestion,
    rows: TrainingRows,
    candidates: tuple[TreeCandidate, ...],
    pause: Callable[[], object] | None = None,
    eliminate: bool = True,
    deadline: float = np.inf,
    n_threads: int = 1,
) -> Evidence:
    """Measure candidates on each held-out part of the rows, having learnt from the others.

    The simplest is measured on one part whatever the deadline, of ``time.perf_counter``;
    eliminate: give up worse ones early.
    """
    n, classes = len(rows.y), rows.loss.task == "classification"
    learnt: dict[int, Attempt] = {}
    seconds, alive = np.zeros(len(candidates)), np.ones(len(candidates), dtype=bool)
    gained, right = np.full((2, len(candidates), n), np.nan)
    possible = np.zeros(n)
    folds = held_out_parts(rows.y if classes else np.zeros(n, dtype=np.int64), question.seed)
    with ThreadPoolExecutor(n_threads) as threads:  # begun where work is handed in
        side_by_side = map if n_threads == 1 else threads.map
        for n_folds, held in enumerate(folds, start=1):
            lesson = TeacherLesson.of(question.take(np.setdiff1d(np.arange(n), held)))
            part = held_rows(question, rows, held, lesson)
            attempt = functools.partial(_attempt, lesson, part, learnt)
            competing = np.flatnonzero(alive).tolist()
            lesson.deadline = deadline if n_folds > 1 else np.inf
            simplest = attempt(candidates[0])  # alone: others begin with its tree
            lesson.deadline = deadline
            others = side_by_side(attempt, [candidates[i] for i in competing[1:]])
            for i, one in zip(competing, itertools.chain([simplest], others), strict=True):
                if one is None:
                    break
                seconds[i] += one.seconds
                gained[i, held], right[i, held], learnt[i] = one.gains, one.successes, one
                if pause is not None:
                    pause()
            if n_folds > 1 and np.isnan(gained[alive][:, held]).any():
                break  # what was measured on this part alone says nothing beside the others
            possible[held] = part.weight if classes else part.weight * cost_of_mean(part)
            seen = np.concatenate(folds[:n_folds])
            outcomes = gained[:, seen], right[:, seen], possible[seen], seconds
            evidence = Evidence(*outcomes, n_folds, learnt)
            if eliminate and n > FEW_ROWS:
                alive &= ~evidence.is_worse()
    return evidence


class Attempt(NamedTuple):
    """What a candidate has learnt from a lesson, in seconds of its thread, and by the clock."""

    tree: Tree
    lesson: TeacherLesson
    gains: np.ndarray
    successes: np.ndarray
    seconds: float
    took: float


def _attempt(
    lesson: TeacherLesson, part: TrainingRows, learnt: dict[int, Attempt], candidate: TreeCandidate
) -> Attempt | None:
    """None where the lesson's deadline leaves no time, as the slowest so far took it."""
    now, before = time.perf_counter(), time.thread_time()
    if now + 1.5 * max((one.took for one in list(learnt.values())), default=0.0) > lesson.deadline:
        return None
    try:
        tree, after = candidate.learn_from(lesson)
    except OutOfTime:
        return None
    seconds, read = time.thread_time() - before, mapped(part, after.feature_map)
    of_rows = gains(tree, read), successes(tree, read)
    return Attempt(tree, after, *of_rows, seconds, time.perf_counter() - now)


def held_rows(
    question: TeacherQuestion, rows: TrainingRows, held: np.ndarray, lesson: TeacherLesson
) -> TrainingRows:
    """Rows held out, in the units of the lesson, with the weights they have among all rows."""
    part, y = question.take(held), rows.y[held]
    if rows.loss.task == "regression":
        numbers = np.asarray(part.y, dtype=np.float64).reshape(len(held), -1)
        y = (numbers - lesson.units.centre) / lesson.units.spread
        y = np.clip(y, -1e18, 1e18).astype(np.float32)  # float32 holds their squares
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
    if evidence is None:
        return Decision(
            tuple(measured), 0, task, "there are too few rows to compare it with others"
        )
    return Decision(tuple(measured), evidence.n_folds, task)

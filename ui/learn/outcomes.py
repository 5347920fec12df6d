"""What the runs of a lesson have shown: which answer was right this time, and by which figures.

Nothing is known beforehand. Each function reads what has been measured, says which choice it bears
out, and where that is not the usual one, says so: with other points, luck may have it otherwise.
"""

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NewType

from treecore.viewer import History
from ui.jobs.run_title import NUMERALS
from ui.language.translate import N_, MultilingualText, _
from ui.learn.figures import FIGURES, RunFigure, measured
from ui.learn.figures import percent as _percent

UNUSUAL = N_("This is unusual. Draw other points and play again, to see whether it was luck.")


@dataclass(frozen=True)
class Verdict:
    """The choice that the runs bear out, and what happened, in figures, and why."""

    right: int
    explanation: str


ALL = "all"
"""Instead of a numeral, in a comparison: every run."""

NO_TEXT = MultilingualText("")
Runs = tuple[History, ...]
Choice = NewType("Choice", int)
"""A number of a choice; in a lesson's file they are counted from 1."""


@dataclass(frozen=True)
class Highest:
    """Which run has the most of a figure, or the choice after: none; because: of the usual one."""

    figure: str
    usual: Choice
    because: MultilingualText = NO_TEXT

    @property
    def figures(self) -> tuple[str, ...]:
        return (self.figure,)

    def check(self, n_runs: int, n_choices: int, where: str) -> None:
        """Raise LessonError where it cannot judge so many runs; 0 choices: no matter how many."""
        if n_choices and n_choices not in (n_runs, n_runs + 1):
            message = N_("{n_runs} runs need a choice each; one more, for 'equal', is allowed")
            raise LessonError(message, where, n_runs=n_runs)
        if self.usual > n_runs:
            message = N_("usual={usual} must be the number of a choice from 1 to {last}")
            raise LessonError(message, where, usual=self.usual + 1, last=n_runs + 1)

    def __call__(self, runs: Runs) -> Verdict:
        figure = FIGURES[self.figure]
        values = [figure.value(run) for run in runs]
        listed = ", ".join(
            f"{numeral}: {figure.text(value)}"
            for numeral, value in zip(NUMERALS, values, strict=False)
        )
        first = max(range(len(values)), key=values.__getitem__)
        others = values[:first] + values[first + 1 :]
        clear = all(figure.apart(values[first], other) for other in others)
        right = first if clear else len(values)
        sentence = f"{_(figure.title)} – {listed}."
        more = _(self.because) if right == self.usual else _(UNUSUAL)
        return Verdict(right, f"{sentence} {more}".rstrip())


RELATIONS: dict[str, Callable[[float, float], bool]] = {
    "below": operator.lt,
    "at most": operator.le,
    "above": operator.gt,
    "at least": operator.ge,
}
ALIKE, APART = "close to", "apart from"
"""Relations by what a figure calls equal."""


@dataclass(frozen=True)
class Compare:
    """Whether ``"figure of run"`` has the relation to another, ``times`` and ``plus``: choice 1."""

    value: str
    relation: str
    other: float | str
    explanation: MultilingualText
    times: float = 1.0
    plus: float = 0.0

    @property
    def figures(self) -> tuple[str, ...]:
        return tuple(name for name, run in map(_side, (self.value, self.other)) if run)

    def check(self, n_runs: int, n_choices: int, where: str) -> None:
        numerals = NUMERALS[:n_runs]
        check_known([self.relation], (*RELATIONS, ALIKE, APART), where)
        check_known([_side(self.value)[1]], (*numerals, ALL), f"{where} › value")
        if isinstance(self.other, str):
            check_known([_side(self.other)[1]], numerals, f"{where} › other")

    def __call__(self, runs: Runs) -> Verdict:
        name, numeral = _side(self.value)
        figure, other = FIGURES[name], self.other
        chosen = runs if numeral == ALL else (runs[NUMERALS.index(numeral)],)
        if isinstance(other, str):
            name, numeral = _side(other)
            other = FIGURES[name].value(runs[NUMERALS.index(numeral)])
        holds = (self._holds(figure, figure.value(run), other) for run in chosen)
        return _against(all(holds), self.explanation)

    def _holds(self, figure: RunFigure, value: float, other: float) -> bool:
        if self.relation in RELATIONS:
            return RELATIONS[self.relation](value - self.times * other, self.plus)
        return figure.apart(value, self.times * other + self.plus) == (self.relation == APART)


@dataclass(frozen=True)
class MostIsNotBest:
    """Whether the run with the most of one figure is behind in another: choice 1, else 0."""

    most: str
    best: str
    explanation: MultilingualText

    @property
    def figures(self) -> tuple[str, ...]:
        return self.most, self.best

    def check(self, n_runs: int, n_choices: int, where: str) -> None:
        pass  # any runs will do

    def __call__(self, runs: Runs) -> Verdict:
        most, best = ([FIGURES[name].value(run) for run in runs] for name in self.figures)
        return _against(best[most.index(max(most))] < max(best), self.explanation)


@dataclass(frozen=True)
class JudgeByFigures:
    """A judge that has a function, which reads these figures of so many runs."""

    function: Callable[[Runs], Verdict]
    figures: tuple[str, ...]
    n_runs: int = 1
    n_choices: int = 3

    def check(self, n_runs: int, n_choices: int, where: str) -> None:
        if n_runs != self.n_runs:
            message = N_("the number of runs must be {wanted} for this judge, not {n_runs}")
            raise LessonError(message, where, wanted=self.n_runs, n_runs=n_runs)
        if n_choices and n_choices < self.n_choices:
            message = N_("the number of choices must be {wanted} or more, not {n_choices}")
            raise LessonError(message, where, wanted=self.n_choices, n_choices=n_choices)

    def __call__(self, runs: Runs) -> Verdict:
        return self.function(runs)


Judge = Highest | Compare | MostIsNotBest | JudgeByFigures


def _side(text: float | str) -> tuple[str, str]:
    """A figure and a run, of ``"unseen of II"``; of a number neither."""
    name, _of, run = text.rpartition(" of ") if isinstance(text, str) else ("", "", "")
    return name, run


def _against(holds: bool, explanation: str) -> Verdict:
    return Verdict(1, _(explanation)) if holds else Verdict(0, _(UNUSUAL))


def about_the_bound(runs: Runs) -> Verdict:
    """Whether the loss was ever above the bound."""
    (run,) = runs
    loss = [measured(event.loss) for event in run]
    bound = [measured(event.bound) for event in run]
    above = sum(one > most for one, most in zip(loss, bound, strict=True))
    sentence = _(
        "In {run} measurements, the loss was {above} above its bound. The bound went from "
        "{bound:.2f} to {bound2:.2f}, the loss from {loss:.2f} to {loss2:.2f}.",
        run=len(run),
        above=_times(above),
        bound=bound[0],
        bound2=bound[-1],
        loss=loss[0],
        loss2=loss[-1],
    )
    if above:
        return Verdict(1 if above < len(run) / 4 else 2, f"{sentence} {_(UNUSUAL)}")
    rose = sum(bound[i] < bound[i - 1] and loss[i] > loss[i - 1] for i in range(1, len(run)))
    if rose:
        sentence += _(
            " The bound guarantees no more than that: {rose} the loss rose a little from one "
            "epoch to the next, although the bound fell.",
            rose=_times(rose),
        )
    return Verdict(0, sentence)


def about_nu(runs: Runs) -> Verdict:
    """Active leaves of the least and the greatest ν, and who is most accurate."""
    small, chosen, large = (measured(run[-1].active_leaves) for run in runs)
    sentence = _(
        "Of {n_leaves} leaves, {small} stayed active in tree I, "
        "{chosen} in tree II and {large} in tree III.",
        n_leaves=runs[-1][-1].n_leaves,
        small=small,
        chosen=chosen,
        large=large,
    )
    right = _more(small, large)
    if right != 1:
        return Verdict(right, f"{sentence} {_(UNUSUAL)}")
    accuracy = [measured(run[-1].validation_accuracy) for run in runs]
    more = N_(
        " More is not better: their test accuracy is {accuracy}, {accuracy2} and {accuracy3}."
    )
    if accuracy[1] <= accuracy[2]:
        more = N_(
            " Their test accuracy is {accuracy}, {accuracy2} and {accuracy3}; another ν for tree "
            "II may beat both others."
        )
    values = zip(("accuracy", "accuracy2", "accuracy3"), map(_percent, accuracy), strict=True)
    return Verdict(1, sentence + _(more, **dict(values)))


def about_repair(runs: Runs) -> Verdict:
    """Whether the training accuracy of TAO ever fell."""
    (run,) = runs
    accuracy = [measured(event.accuracy) for event in run]
    fell = sum(b < a for a, b in pairwise(accuracy))
    sentence = _(
        "The greedy tree had a training accuracy of {accuracy}. After {run} epochs it is "
        "{accuracy2}; along the way it fell {fell}.",
        accuracy=_percent(accuracy[0]),
        run=len(run) - 1,
        accuracy2=_percent(accuracy[-1]),
        fell=_times(fell),
    )
    if fell:
        return Verdict(0 if accuracy[-1] > accuracy[0] else 2, f"{sentence} {_(UNUSUAL)}")
    first, last = (measured(run[i].validation_accuracy) for i in (0, -1))
    return Verdict(
        1,
        _(
            "{sentence} Test accuracy went from {first} to {last}.",
            sentence=sentence,
            first=_percent(first),
            last=_percent(last),
        ),
    )


def about_depth(runs: Runs) -> Verdict:
    """What became of the accuracy on test points while a greedy tree grew."""
    (run,) = runs
    figure = FIGURES["best unseen"]
    unseen = [measured(event.validation_accuracy) for event in run]
    best = max(range(len(unseen)), key=unseen.__getitem__)
    sentence = _(
        "Test accuracy was {unseen} at depth {done:.0f} and {unseen2} at the end. Meanwhile, "
        "training accuracy rose to {accuracy}.",
        unseen=figure.text(unseen[best]),
        done=run[best].done,
        unseen2=figure.text(unseen[-1]),
        accuracy=_percent(measured(run[-1].accuracy)),
    )
    if figure.apart(unseen[best], unseen[-1]):
        return Verdict(1, sentence)
    late = [u for u, event in zip(unseen, run, strict=True) if event.done >= run[-1].done / 2]
    return Verdict(0 if figure.apart(late[0], unseen[-1]) else 2, f"{sentence} {_(UNUSUAL)}")


def about_promises(runs: Runs) -> Verdict:
    """Whether the loss of TAO rose, where its accuracy never falls."""
    (run,) = runs
    pairs = list(pairwise(run))
    rose = sum(measured(b.loss) > measured(a.loss) for a, b in pairs)
    fell = sum(measured(b.accuracy) < measured(a.accuracy) for a, b in pairs)
    sentence = _(
        "In {pairs} epochs, the training accuracy fell {fell} and the loss rose {rose}.",
        pairs=len(pairs),
        fell=_times(fell),
        rose=_times(rose),
    )
    if not rose:
        return Verdict(0, f"{sentence} {_(UNUSUAL)}")
    why = _(
        "TAO counts mistakes and guarantees nothing else: a new split may make fewer mistakes "
        "and leave its leaves less confident."
    )
    return Verdict(1, f"{sentence} {why}")


def _more(before: int, after: int) -> int:
    """Number of the choice: fewer, more, or about as many (one leaf in ten)."""
    if abs(after - before) <= 0.1 * max(before, after):
        return 2
    return 1 if after > before else 0


def _times(n: int) -> str:
    return {0: _("0 times"), 1: _("once"), 2: _("twice")}.get(n) or _("{n} times", n=n)


JUDGES: dict[str, type[Highest | Compare | MostIsNotBest] | JudgeByFigures] = {
    "highest": Highest,
    "compare": Compare,
    "most is not best": MostIsNotBest,
    "bound": JudgeByFigures(about_the_bound, ("loss", "bound")),
    "nu": JudgeByFigures(about_nu, ("awake", "unseen"), n_runs=3),
    "repair": JudgeByFigures(about_repair, ("begun", "falls", "unseen")),
    "depth": JudgeByFigures(about_depth, ("best unseen", "training")),
    "promises": JudgeByFigures(about_promises, ("rises", "falls"), n_choices=2),
}
"""Judges by the names that lessons give them: those with arguments, and those without."""


class LessonError(ValueError):
    """A sentence, with values in its places, and the place in the file that it is about."""

    def __init__(self, message: str, where: str = "", **values: Any):
        super().__init__(message, where)
        self.file = ""
        self._message, self._where, self._values = message, where, values

    def __str__(self) -> str:
        place = ", ".join(filter(None, (self.file, self._where)))
        problem = _(self._message, **self._values)
        return _("This lesson is left out. {place}: {problem}.", place=place, problem=problem)


def check_known(given: Iterable[Any], known: Iterable[str], where: str) -> None:
    """Raise LessonError for a name that is not among the known ones."""
    allowed = list(known)
    for name in given:
        if name not in allowed:
            there = ", ".join(filter(None, allowed))
            message = N_("there is no {name!r} here; allowed are {known}")
            raise LessonError(message, where, name=name, known=there)

"""What the runs of a lesson have shown: which answer was right this time, and by which figures.

Nothing is known beforehand. Each function reads what has been measured, says which choice it bears
out, and where that is not the usual one, says so: with other points, luck may have it otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from treecore.viewer.messages.status import History
from ui.language.translate import N_, _
from ui.learn.figures import FIGURES, measured
from ui.learn.figures import percent as _percent

UNUSUAL = N_(
    "That is not what usually happens here. Draw other points and play again, to see whether it "
    "was luck."
)


@dataclass(frozen=True)
class Verdict:
    """The outcome of a lesson.

    right: number of the choice that the runs bear out; explanation: what happened, in figures, and
    why.
    """

    right: int
    explanation: str


NUMERALS = ("I", "II", "III")


@dataclass(frozen=True)
class Highest:
    """Which run has the most of a figure in the end: choice 0, 1, ..., or the one after for none.

    - figure: a name of :data:`ui.learn.figures.FIGURES`.
    - usual: the choice that ``because`` explains; of any other one no reason is given.
    - because: nothing where the reason is still to be asked for.
    """

    figure: str
    usual: int
    because: str = ""

    def __call__(self, runs: tuple[History, ...]) -> Verdict:
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


@dataclass(frozen=True)
class Against:
    """What runs say against an answer: choice 1 where ``holds`` is true of them, else 0.

    explanation: what that means.
    """

    holds: Callable[[tuple[History, ...]], bool]
    explanation: str

    def __call__(self, runs: tuple[History, ...]) -> Verdict:
        return Verdict(1, _(self.explanation)) if self.holds(runs) else Verdict(0, _(UNUSUAL))


def about_the_bound(runs: tuple[History, ...]) -> Verdict:
    """Whether the loss was ever above the bound."""
    (run,) = runs
    loss = [measured(event.loss) for event in run]
    bound = [measured(event.bound) for event in run]
    above = sum(one > most for one, most in zip(loss, bound, strict=True))
    sentence = _(
        "The tree was measured {run} times, and its loss was {above} above its "
        "bound. The bound went from {bound:.2f} to {bound2:.2f} and took "
        "the loss along, from {loss:.2f} to {loss2:.2f}.",
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
            " And yet the bound promises no more than that: {rose} the loss rose a little "
            "from one pass to the next although the bound fell.",
            rose=_times(rose),
        )
    return Verdict(0, sentence)


def about_nu(runs: tuple[History, ...]) -> Verdict:
    """Active leaves of the least and the greatest ν, and who is most accurate."""
    small, chosen, large = (measured(run[-1].active_leaves) for run in runs)
    sentence = _(
        "Of {n_leaves} leaves, {small} stayed awake in tree I, "
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
    sentence += (
        _(
            " More is not better: on unseen points they are right for "
            "{accuracy}, {accuracy2} and {accuracy3}.",
            accuracy=_percent(accuracy[0]),
            accuracy2=_percent(accuracy[1]),
            accuracy3=_percent(accuracy[2]),
        )
        if accuracy[1] > accuracy[2]
        else _(
            " On unseen points they are right for "
            "{accuracy}, {accuracy2} and {accuracy3}; "
            "another ν for tree II may beat both others.",
            accuracy=_percent(accuracy[0]),
            accuracy2=_percent(accuracy[1]),
            accuracy3=_percent(accuracy[2]),
        )
    )
    return Verdict(1, sentence)


def about_repair(runs: tuple[History, ...]) -> Verdict:
    """Whether the training accuracy of TAO ever fell."""
    (run,) = runs
    accuracy = [measured(event.accuracy) for event in run]
    fell = sum(b < a for a, b in pairwise(accuracy))
    sentence = _(
        "The greedy tree was right for {accuracy} of its training points. After "
        "{run} passes it is {accuracy2}, and on the way it fell "
        "{fell}.",
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
            "{sentence} On unseen points it went from {first} to {last}.",
            sentence=sentence,
            first=_percent(first),
            last=_percent(last),
        ),
    )


def about_depth(runs: tuple[History, ...]) -> Verdict:
    """What became of the accuracy on unseen points while a greedy tree grew."""
    (run,) = runs
    figure = FIGURES["best unseen"]
    unseen = [measured(event.validation_accuracy) for event in run]
    best = max(range(len(unseen)), key=unseen.__getitem__)
    sentence = _(
        "On unseen points it was right for {unseen} at depth "
        "{done:.0f} and for {unseen2} in the end, while on training "
        "points it rose to {accuracy}.",
        unseen=figure.text(unseen[best]),
        done=run[best].done,
        unseen2=figure.text(unseen[-1]),
        accuracy=_percent(measured(run[-1].accuracy)),
    )
    if figure.apart(unseen[best], unseen[-1]):
        return Verdict(1, sentence)
    late = [u for u, event in zip(unseen, run, strict=True) if event.done >= run[-1].done / 2]
    return Verdict(0 if figure.apart(late[0], unseen[-1]) else 2, f"{sentence} {_(UNUSUAL)}")


def about_promises(runs: tuple[History, ...]) -> Verdict:
    """Whether the loss of TAO rose, where its accuracy never falls."""
    (run,) = runs
    pairs = list(pairwise(run))
    rose = sum(measured(b.loss) > measured(a.loss) for a, b in pairs)
    fell = sum(measured(b.accuracy) < measured(a.accuracy) for a, b in pairs)
    sentence = _(
        "In {pairs} passes its training accuracy fell {fell}, and its loss rose {rose}.",
        pairs=len(pairs),
        fell=_times(fell),
        rose=_times(rose),
    )
    if not rose:
        return Verdict(0, f"{sentence} {_(UNUSUAL)}")
    why = _(
        "TAO counts mistakes, and promises nothing of anything else: a new cut may make fewer "
        "mistakes and leave its leaves less sure."
    )
    return Verdict(1, f"{sentence} {why}")


def _more(before: int, after: int) -> int:
    """Number of the choice: fewer, more, or about as many (one leaf in ten)."""
    if abs(after - before) <= 0.1 * max(before, after):
        return 2
    return 1 if after > before else 0


def _times(n: int) -> str:
    return {0: _("not once"), 1: _("once"), 2: _("twice")}.get(n) or _("{n} times", n=n)

"""What the runs of a lesson have shown: which answer was right this time, and by which figures.

Nothing is known beforehand. Each function reads what has been measured, says which choice it bears
out, and where that is not the usual one, says so: with other points, luck may have it otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from ui.jobs.status import History

T = TypeVar("T")

CLOSE = 0.02
"""Accuracies nearer than this are called equal: two points of a hundred held-out ones."""

UNUSUAL = (
    "That is not what usually happens here. Draw other points and play again, to see whether it "
    "was luck."
)


@dataclass(frozen=True)
class Verdict:
    """The outcome of a lesson.

    Attributes
    ----------
    right : int
        Number of the choice that the runs bear out.
    told : str
        What happened, in figures, and why.
    """

    right: int
    told: str


def about_angles(runs: tuple[History, ...]) -> Verdict:
    """Axis-aligned against oblique, both greedy: accuracy on held-out points."""
    axis, oblique = (measured(run[-1].validation_accuracy) for run in runs)
    sentence = (
        f"On points they have not seen, tree I is right for {_percent(axis)} "
        f"and tree II for {_percent(oblique)}."
    )
    right = _better(axis, oblique)
    why = (
        "A slanted border takes tree II one question. Tree I must climb it in a staircase, a "
        f"question for every step, and with its {runs[0][-1].n_leaves} leaves it runs out of them."
    )
    return Verdict(right, f"{sentence} {why if right == 1 else UNUSUAL}")


def about_greed(runs: tuple[History, ...]) -> Verdict:
    """Greedy against joint learning where no single split helps."""
    greedy, joint = (measured(run[-1].validation_accuracy) for run in runs)
    sentence = (
        f"Tree I is right for {_percent(greedy)} of the unseen points, "
        f"tree II for {_percent(joint)}."
    )
    right = _better(greedy, joint)
    first = next((event for event in runs[0] if event.done >= 1), runs[0][-1])
    why = (
        f"After its first cut, tree I was right for {_percent(measured(first.accuracy))} of its "
        "training points, where tossing a coin gives 50 %. It took what looked best by a hair, and "
        "could not take it back. Tree II judged its cuts by what they do together."
    )
    return Verdict(right, f"{sentence} {why if right == 1 else UNUSUAL}")


def about_the_bound(runs: tuple[History, ...]) -> Verdict:
    """Whether the loss was ever above the bound."""
    (run,) = runs
    loss = [measured(event.loss) for event in run]
    bound = [measured(event.bound) for event in run]
    above = sum(one > most for one, most in zip(loss, bound, strict=True))
    sentence = (
        f"The tree was measured {len(run)} times, and its loss was {_times(above)} above its "
        f"bound. The bound went from {bound[0]:.2f} to {bound[-1]:.2f} and took "
        f"the loss along, from {loss[0]:.2f} to {loss[-1]:.2f}."
    )
    if above:
        return Verdict(1 if above < len(run) / 4 else 2, f"{sentence} {UNUSUAL}")
    rose = sum(bound[i] < bound[i - 1] and loss[i] > loss[i - 1] for i in range(1, len(run)))
    more = (
        "That is no luck: a point's own leaf is among those that the bound looks at, so the bound "
        "cannot be below its loss."
    )
    if rose:
        more += (
            f" It promises no more than that: {_times(rose)} the loss rose a little from one pass "
            "to the next although the bound fell."
        )
    return Verdict(0, f"{sentence} {more}")


def about_nu(runs: tuple[History, ...]) -> Verdict:
    """Active leaves of the least and the greatest ν, and who is most accurate."""
    small, chosen, large = (measured(run[-1].active_leaves) for run in runs)
    sentence = (
        f"Of {runs[-1][-1].n_leaves} leaves, {small} stayed awake in tree I, "
        f"{chosen} in tree II and {large} in tree III."
    )
    right = _more(small, large)
    if right != 1:
        return Verdict(right, f"{sentence} {UNUSUAL}")
    accuracy = [measured(run[-1].validation_accuracy) for run in runs]
    sentence += (
        " More is not better: on unseen points they are right for "
        f"{_percent(accuracy[0])}, {_percent(accuracy[1])} and {_percent(accuracy[2])}."
        if accuracy[1] > accuracy[2]
        else " On unseen points they are right for "
        f"{_percent(accuracy[0])}, {_percent(accuracy[1])} and {_percent(accuracy[2])}; "
        "another ν for tree II may beat both others."
    )
    sentence += (
        " A small ν prunes the tree while it learns. With a large one, the bound lies so close to "
        "the loss that it hardly tells a cut where to turn."
    )
    return Verdict(1, sentence)


def about_sleep(runs: tuple[History, ...]) -> Verdict:
    """Active leaves of SGD and Stable SGD."""
    plain, stable = (run[-1] for run in runs)
    active = [measured(run[-1].active_leaves) for run in runs]
    accuracy = [measured(run[-1].validation_accuracy) for run in runs]
    sentence = (
        f"In tree I {active[0]} of {plain.n_leaves} leaves are awake, in tree II "
        f"{active[1]} of {stable.n_leaves}."
    )
    right = _more(*active)
    if right != 1:
        return Verdict(right, f"{sentence} {UNUSUAL}")
    anew = sum(event.reassignment is not None for event in runs[1])
    sentence += (
        f" Tree II assigned its points anew {_times(anew)} in {runs[1][-1].done:.0f} passes, and "
        "in between every point pulled its own leaf along."
    )
    if accuracy[1] > accuracy[0] + CLOSE:
        sentence += (
            " Here the leaves are needed: it is right for "
            f"{_percent(accuracy[1])} of the unseen points, tree I for {_percent(accuracy[0])}."
        )
    return Verdict(1, sentence)


def about_repair(runs: tuple[History, ...]) -> Verdict:
    """Whether the training accuracy of TAO ever fell."""
    (run,) = runs
    accuracy = [measured(event.accuracy) for event in run]
    fell = sum(b < a for a, b in pairwise(accuracy))
    sentence = (
        f"The greedy tree was right for {_percent(accuracy[0])} of its training points. After "
        f"{len(run) - 1} rounds it is {_percent(accuracy[-1])}, and on the way it {_times(fell)} "
        "went down."
    )
    if fell:
        return Verdict(0 if accuracy[-1] > accuracy[0] else 2, f"{sentence} {UNUSUAL}")
    first, last = (measured(run[i].validation_accuracy) for i in (0, -1))
    held = f"{_percent(first)} to {_percent(last)}"
    sentence += (
        " It cannot: a cut that would send more points astray is refused. On unseen points, where "
        f"nothing is promised, it went from {held}."
    )
    return Verdict(1, sentence)


def measured(figure: T | None) -> T:
    """A figure that every run of a lesson has: one tree tells classes apart, on held-out points."""
    assert figure is not None
    return figure


def _better(first: float, second: float) -> int:
    """Number of the choice: the first, the second, or neither."""
    if abs(first - second) <= CLOSE:
        return 2
    return 0 if first > second else 1


def _more(before: int, after: int) -> int:
    """Number of the choice: fewer, more, or about as many (one leaf in ten)."""
    if abs(after - before) <= 0.1 * max(before, after):
        return 2
    return 1 if after > before else 0


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _times(n: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(n, f"{n} times")

"""What the runs of a lesson have shown: which answer was right this time, and by which figures.

Nothing is known beforehand. Each function reads what has been measured, says which choice it bears
out, and where that is not the usual one, says so: with other points, luck may have it otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ui.jobs.status import History

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
    axis, oblique = (run[-1] for run in runs)
    sentence = (
        f"On points they have not seen, tree I is right for {_percent(axis.validation_accuracy)} "
        f"and tree II for {_percent(oblique.validation_accuracy)}."
    )
    right = _better(axis.validation_accuracy, oblique.validation_accuracy)
    why = (
        "A slanted border takes tree II one question. Tree I must climb it in a staircase, a "
        f"question for every step, and with its {axis.n_leaves} leaves it runs out of them."
    )
    return Verdict(right, f"{sentence} {why if right == 1 else UNUSUAL}")


def about_greed(runs: tuple[History, ...]) -> Verdict:
    """Greedy against joint learning where no single split helps."""
    greedy, joint = runs
    sentence = (
        f"Tree I is right for {_percent(greedy[-1].validation_accuracy)} of the unseen points, "
        f"tree II for {_percent(joint[-1].validation_accuracy)}."
    )
    right = _better(greedy[-1].validation_accuracy, joint[-1].validation_accuracy)
    first = next((event for event in greedy if event.done >= 1), greedy[-1])
    why = (
        f"After its first cut, tree I was right for {_percent(first.accuracy)} of its training "
        "points, where tossing a coin gives 50 %. It took what looked best by a hair, and could "
        "not take it back. Tree II judged its cuts by what they do together."
    )
    return Verdict(right, f"{sentence} {why if right == 1 else UNUSUAL}")


def about_the_bound(runs: tuple[History, ...]) -> Verdict:
    """Whether the loss was ever above the bound."""
    (run,) = runs
    above = sum(event.loss > event.bound for event in run)
    sentence = (
        f"The tree was measured {len(run)} times, and its loss was {_times(above)} above its "
        f"bound. The bound went from {run[0].bound:.2f} to {run[-1].bound:.2f} and took "
        f"the loss along, from {run[0].loss:.2f} to {run[-1].loss:.2f}."
    )
    if above:
        return Verdict(1 if above < len(run) / 4 else 2, f"{sentence} {UNUSUAL}")
    rose = sum(
        after.bound < before.bound and after.loss > before.loss for before, after in pairwise(run)
    )
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
    small, chosen, large = (run[-1] for run in runs)
    sentence = (
        f"Of {large.n_leaves} leaves, {small.active_leaves} stayed awake in tree I, "
        f"{chosen.active_leaves} in tree II and {large.active_leaves} in tree III."
    )
    right = _more(small.active_leaves, large.active_leaves)
    if right != 1:
        return Verdict(right, f"{sentence} {UNUSUAL}")
    accuracy = [event.validation_accuracy for event in (small, chosen, large)]
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
    sentence = (
        f"In tree I {plain.active_leaves} of {plain.n_leaves} leaves are awake, in tree II "
        f"{stable.active_leaves} of {stable.n_leaves}."
    )
    right = _more(plain.active_leaves, stable.active_leaves)
    if right != 1:
        return Verdict(right, f"{sentence} {UNUSUAL}")
    anew = sum(event.reassignment is not None for event in runs[1])
    sentence += (
        f" Tree II assigned its points anew {_times(anew)} in {runs[1][-1].done:.0f} passes, and "
        "in between every point pulled its own leaf along."
    )
    if stable.validation_accuracy > plain.validation_accuracy + CLOSE:
        sentence += (
            " Here the leaves are needed: it is right for "
            f"{_percent(stable.validation_accuracy)} of the unseen points, tree I for "
            f"{_percent(plain.validation_accuracy)}."
        )
    return Verdict(1, sentence)


def about_repair(runs: tuple[History, ...]) -> Verdict:
    """Whether the training accuracy of TAO ever fell."""
    (run,) = runs
    accuracy = [event.accuracy for event in run]
    fell = sum(b < a for a, b in pairwise(accuracy))
    sentence = (
        f"The greedy tree was right for {_percent(accuracy[0])} of its training points. After "
        f"{len(run) - 1} rounds it is {_percent(accuracy[-1])}, and on the way it {_times(fell)} "
        "went down."
    )
    if fell:
        return Verdict(0 if accuracy[-1] > accuracy[0] else 2, f"{sentence} {UNUSUAL}")
    held = f"{_percent(run[0].validation_accuracy)} to {_percent(run[-1].validation_accuracy)}"
    sentence += (
        " It cannot: a cut that would send more points astray is refused. On unseen points, where "
        f"nothing is promised, it went from {held}."
    )
    return Verdict(1, sentence)


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

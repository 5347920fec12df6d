"""What a lesson is made of. Nothing here knows a screen, and nothing knows an outcome.

Every lesson has the same parts: a guess that is recorded before anything is played, runs in which
one thing is changed and all else held, a question why, whose answers are mechanisms and usual
misconceptions, and a second guess on other data, which runs answer as well.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from treecore import RunConfig
from treecore.viewer.messages.status import History
from ui.learn.outcomes import Verdict

NUS = (2, 5, 10, 20, 50, 100, 200, 500)
"""What the slider of the lesson on ν offers; the runs beside it have 1 and 1000."""

TEST_SHARE = 25
"""Per cent of the points that learning never sees, where a trial does not say otherwise."""

USUAL_NU = 20
LEAST_NU, MOST_NU = 1, 1000

GUESS, WHY, TRANSFER = QUESTIONS = ("guess", "why", "transfer")
"""The questions of every lesson, in order."""

FIRST = "first"
"""The runs that a lesson begins with."""

Runs = tuple[History, ...]
Judge = Callable[[Runs], Verdict]


@dataclass(frozen=True)
class Trial:
    """Runs on the same points.

    - data: a generator.
    - runs: what is learnt; only the first runs of the lesson on ν look at ``nu``.
    - changed, held: the one thing in which the runs differ, and what is the same in all of them.
    - figures: names of :data:`ui.learn.figures.FIGURES`: the numbers that stand side by side.
    - names: what each run is called; the titles of their methods where nothing is said.
    - view: what is shown of every run: ``"tree"`` and map, ``"curves"`` and map, or the map
      ``"only"``.
    - chart: a chart below the views: one of the comparison's, ``"nu"``, or none.
    - n_points: Held-out ones included.
    - test_share: per cent of the points that learning never sees.
    - noise: of the generator, 0 to 1; None is what it thinks right.
    """

    data: str
    runs: Callable[[int, float], tuple[RunConfig, ...]]
    changed: str
    held: str
    figures: tuple[str, ...] = ("unseen",)
    names: tuple[str, ...] = ()
    view: str = "only"
    chart: str = ""
    n_points: int = 600
    test_share: int = TEST_SHARE
    noise: float | None = None

    @property
    def has_slider(self) -> bool:
        """Whether the visitor chooses a ν."""
        return self.chart == "nu"


@dataclass(frozen=True)
class Guess:
    """A question that is answered before runs are played, and settled by them.

    judge: reads from what the runs have measured which choice they bear out.
    """

    question: str
    choices: tuple[str, ...]
    trial: Trial
    judge: Judge


@dataclass(frozen=True)
class Demonstration:
    """Runs that show what is wrong with an answer.

    - watch: what to look at.
    - judge: tells what happened; ``right`` is 1 where it speaks against the answer.
    - trial: none: the runs that the lesson begins with show it already.
    """

    watch: str
    judge: Judge
    trial: Trial | None = None


@dataclass(frozen=True)
class Reason:
    """An answer to the question why.

    meaning: what one thinks who answers so, and what is to be said of it; against: of a
    misconception, what shows that it is one; None where the answer is the mechanism.
    """

    text: str
    meaning: str
    against: Demonstration | None = None


@dataclass(frozen=True)
class Lesson:
    """One lesson.

    - key: its name among recorded answers: another one where questions or choices change.
    - short, title: for the row of lessons, and above the text.
    - text: paragraphs.
    - claim: the one thing to take home, told when the guess is settled.
    - why: asks for the mechanism.
    - other: what is to be said of the other data before the second guess.
    - afterword: a paragraph that comes with the last answer.
    """

    key: str
    short: str
    title: str
    text: tuple[str, ...]
    guess: Guess
    claim: str
    why: str
    reasons: tuple[Reason, ...]
    other: str
    transfer: Guess
    afterword: str = ""

    def trial(self, part: str) -> Trial:
        """The runs of a part: ``"first"``, ``"transfer"``, or ``"why0"`` against reason 0."""
        if part == TRANSFER:
            return self.transfer.trial
        if part.startswith(WHY):
            against = self.reasons[int(part.removeprefix(WHY))].against
            if against is not None and against.trial is not None:
                return against.trial
        return self.guess.trial

    def choices(self, question: str) -> tuple[str, ...]:
        """The answers to a question, in the order of the table."""
        if question == WHY:
            return tuple(reason.text for reason in self.reasons)
        return (self.guess if question == GUESS else self.transfer).choices

    def requested(self, question: str) -> str:
        """The question itself."""
        if question == WHY:
            return self.why
        return (self.guess if question == GUESS else self.transfer).question

    def order(self, question: str, seed: int) -> list[int]:
        """Numbers of the choices in the order in which they are shown: the same for a link.

        Where the choices are the names of runs, or more and less, their place says nothing either.
        """
        places = list(range(len(self.choices(question))))
        random.Random(f"{seed}/{self.key}/{question}").shuffle(places)
        return places

"""What a lesson is made of. Nothing here knows a screen, and nothing knows an outcome.

Every lesson has the same parts: a guess that is recorded before anything is played, runs in which
one thing is changed and all else held, a question why, whose answers are mechanisms and usual
misconceptions, and a second guess on other data, which runs answer as well. Names of fields are
the entries of a lesson's file (:mod:`ui.learn.lesson_file`).
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from treecore import RunConfig
from ui.language.translate import MultilingualText
from ui.learn.outcomes import NO_TEXT, Judge

NUS = (2, 5, 10, 20, 50, 100, 200, 500)
"""What the slider of the lesson on ν offers; the runs beside it have 1 and 1000."""

TEST_SHARE = 25
"""Per cent of the points that learning never sees, where a trial does not say otherwise."""

USUAL_NU = 20
MIN_NU, MAX_NU = 1, 1000

GUESS, WHY, TRANSFER = QUESTIONS = ("guess", "why", "transfer")
"""The questions of every lesson, in order."""

FIRST = "first"
"""The runs that a lesson begins with."""


@dataclass(frozen=True)
class Run:
    """One run: its config but for the seed, its name, and whether the visitor chooses its ν."""

    config: RunConfig
    name: MultilingualText = NO_TEXT
    has_slider: bool = False

    def learnt_by(self, seed: int, nu: float) -> RunConfig:
        """What it is learnt by, with these points and this ν."""
        return self.config.replace(seed=seed, **({"nu": float(nu)} if self.has_slider else {}))


@dataclass(frozen=True)
class Trial:
    """Runs on the same points.

    - data: a generator.
    - changed, held: the one thing in which the runs differ, and what is the same in all of them.
    - figures: names of :data:`ui.learn.figures.FIGURES`: the numbers that stand side by side.
    - view: what is shown of every run: ``"tree"`` and map, ``"curves"`` and map, or the map
      ``"only"``.
    - chart: a chart below the views: one of the comparison's, ``"nu"``, or none.
    - n_points: Held-out ones included.
    - test_share: per cent of the points that learning never sees.
    - noise: of the generator, 0 to 1; None is what it thinks right.
    """

    data: str
    runs: tuple[Run, ...]
    changed: MultilingualText
    held: MultilingualText
    figures: tuple[str, ...] = ("unseen",)
    view: str = "only"
    chart: str = ""
    n_points: int = 600
    test_share: int = TEST_SHARE
    noise: float | None = None

    @property
    def has_slider(self) -> bool:
        """Whether the visitor chooses a ν."""
        return any(run.has_slider for run in self.runs)

    def configs(self, seed: int, nu: float) -> tuple[RunConfig, ...]:
        """What the runs are learnt by."""
        return tuple(run.learnt_by(seed, nu) for run in self.runs)


@dataclass(frozen=True)
class Guess:
    """A question that is answered before runs are played; judge: reads from them what is right."""

    question: MultilingualText
    choices: tuple[MultilingualText, ...]
    trial: Trial
    judge: Judge


@dataclass(frozen=True)
class Demonstration:
    """Runs that speak against an answer where their judge says 1; no trial: the first ones do."""

    watch: MultilingualText
    judge: Judge
    trial: Trial | None = None


@dataclass(frozen=True)
class Reason:
    """An answer to the question why, and what it means; against: None where it is the mechanism."""

    text: MultilingualText
    meaning: MultilingualText
    against: Demonstration | None = None


@dataclass(frozen=True)
class Lesson:
    """One lesson.

    - key: the name of its file, and its name among recorded answers: another one where questions or
      choices change.
    - number: its place, and its name in links.
    - short, title: for the row of lessons, and above the text.
    - text: paragraphs.
    - claim: the one thing to take home, told when the guess is settled.
    - why: asks for the mechanism.
    - other: what is to be said of the other data before the second guess.
    - afterword: a paragraph that comes with the last answer.
    """

    key: str
    number: int
    short: MultilingualText
    title: MultilingualText
    text: tuple[MultilingualText, ...]
    guess: Guess
    claim: MultilingualText
    why: MultilingualText
    reasons: tuple[Reason, ...]
    other: MultilingualText
    transfer: Guess
    afterword: MultilingualText = NO_TEXT

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
        """Numbers of the choices in the order shown, the same for a link; a place says nothing."""
        places = list(range(len(self.choices(question))))
        random.Random(f"{seed}/{self.key}/{question}").shuffle(places)
        return places

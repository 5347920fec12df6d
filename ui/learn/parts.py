"""What a lesson is made of. Nothing here knows a screen, and nothing knows an outcome.

A guess that is recorded before anything is played, runs that differ in one thing, a question why,
and a second guess on other data. Names of fields are entries of :mod:`ui.learn.lesson_file`.
"""

import random
from dataclasses import dataclass

from treecore import RunConfig
from treecore.training import METHODS
from ui.jobs.run_title import NUMERALS
from ui.language.translate import MultilingualText, _
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
        return self.config.replace(seed=seed, **({"nu": float(nu)} if self.has_slider else {}))


@dataclass(frozen=True)
class Trial:
    """Runs on the same points of a generator, in which one thing is changed and all else is held.

    view: ``"tree"``, ``"curves"`` (each with the map), or the map ``"only"``; chart: below it.
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
        return any(run.has_slider for run in self.runs)

    def run_name(self, number: int, config: RunConfig) -> str:
        """What a run is called; with its numeral where it is not alone."""
        name = _(self.runs[number].name or METHODS[config.method].title)
        if self.has_slider:
            name = f"ν = {config.as_dict()['nu']:g}"
        return name if len(self.runs) == 1 else f"{NUMERALS[number]} · {name}"

    def configs(self, seed: int, nu: float) -> tuple[RunConfig, ...]:
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
    """One lesson; key: the name of its file, and of its recorded answers; number: its place.

    claim: told when the guess is settled; other: said of the other data; afterword: at the end.
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
        if question == WHY:
            return tuple(reason.text for reason in self.reasons)
        return (self.guess if question == GUESS else self.transfer).choices

    def requested(self, question: str) -> str:
        if question == WHY:
            return self.why
        return (self.guess if question == GUESS else self.transfer).question

    def order(self, question: str, seed: int) -> list[int]:
        """Numbers of the choices in the order shown, the same for a link; a place says nothing."""
        places = list(range(len(self.choices(question))))
        random.Random(f"{seed}/{self.key}/{question}").shuffle(places)
        return places

"""The lessons: what each one says, asks and shows. Nothing here knows a screen.

A word in ``[[double brackets]]`` is explained where it stands; ``[[word|key]]`` takes the
explanation of ``key``. What a lesson answers is not here: see :mod:`ui.learn.outcomes`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from treecore import RunConfig
from ui.jobs.status import History
from ui.learn.outcomes import (
    Verdict,
    about_angles,
    about_greed,
    about_nu,
    about_repair,
    about_sleep,
    about_the_bound,
)

POINTS = 600
TEST_SHARE = 25
"""Per cent of the points that learning never sees."""

NUS = (2, 5, 10, 20, 50, 100, 200, 500)
"""What the slider of the lesson on ν offers; the runs beside it have 1 and 1000."""

USUAL_NU = 20
LEAST_NU, MOST_NU = 1, 1000


@dataclass(frozen=True)
class Lesson:
    """One lesson.

    Attributes
    ----------
    short, title : str
        For the row of lessons, and above the text.
    text : tuple of str
        Paragraphs.
    question : str
    choices : tuple of str
    data : str
        A generator.
    runs : callable (seed, nu) -> tuple of RunConfig
        What is learnt; only the lesson on ν looks at ``nu``.
    view : str
        What is shown of every run: ``"tree"`` and map, ``"curves"`` and map, or the map ``"only"``.
    judge : callable (histories) -> Verdict
        Reads the answer from what the runs have measured.
    chart : str
        A chart below the views: one of the comparison's, ``"nu"``, or none.
    afterword : str
        A paragraph that comes with the answer.
    n_points : int
        Held-out ones included.
    """

    short: str
    title: str
    text: tuple[str, ...]
    question: str
    choices: tuple[str, ...]
    data: str
    runs: Callable[[int, float], tuple[RunConfig, ...]]
    view: str
    judge: Callable[[tuple[History, ...]], Verdict]
    chart: str = ""
    afterword: str = ""
    n_points: int = POINTS

    @property
    def has_slider(self) -> bool:
        """Whether the visitor chooses a ν."""
        return self.chart == "nu"


def _angles(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return RunConfig("axis", depth=3, seed=seed), RunConfig("oc1", depth=3, seed=seed)


def _greed(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return RunConfig("axis", depth=2, seed=seed), RunConfig("sgd", depth=2, seed=seed)


def _bound(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return (RunConfig("sgd", depth=3, seed=seed),)


def _nus(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return tuple(
        RunConfig("sgd", depth=6, nu=float(value), seed=seed) for value in (LEAST_NU, nu, MOST_NU)
    )


def _sleep(seed: int, nu: float) -> tuple[RunConfig, ...]:
    same: dict[str, Any] = {"depth": 5, "nu": 10.0, "seed": seed}
    return RunConfig("sgd", **same), RunConfig("stable-sgd", **same)


def _repair(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return (RunConfig("tao", depth=4, start="axis", seed=seed),)


LESSONS = (
    Lesson(
        short="Angles",
        title="Why cuts along the axes are not enough",
        text=(
            "A decision [[tree]] asks one question after another until it knows enough to name a "
            "class. Each question is a [[split]]: a straight cut through the data.",
            "Most trees cut [[along one axis|axis-aligned]]: is x1 above 0.3? An [[oblique]] "
            "split weighs all [[features|feature]] at once, so it may lie at any angle. Here the "
            "classes are slanted stripes. Both trees may ask three questions in a row, and both "
            "pick each question the same way. Only the angles differ.",
        ),
        question="Which tree will be right more often, on points it has not seen?",
        choices=(
            "Tree I, which cuts along the axes",
            "Tree II, which cuts at any angle",
            "They will do about equally well",
        ),
        data="stripes",
        runs=_angles,
        view="tree",
        judge=about_angles,
        n_points=400,
    ),
    Lesson(
        short="Greed",
        title="Why greedy is not enough",
        text=(
            "Nearly all trees are grown [[greedily|greedy]]: take the cut that helps most right "
            "now, never change it, go on below it.",
            "Look at these four corners. Two cuts along the axes, one across and one up, tell the "
            "classes apart almost perfectly, and either tree may draw them. But one of them "
            "*alone* leaves both sides as mixed as before, so to a greedy learner every first "
            "cut looks equally useless. Tree II begins with random cuts and turns "
            "[[all of them together|sgd]].",
        ),
        question="Both may ask two questions in a row. Which tree finds the corners?",
        choices=(
            "Tree I, which takes the best cut at every step",
            "Tree II, which turns all cuts together",
            "They will do about equally well",
        ),
        data="xor",
        runs=_greed,
        view="tree",
        judge=about_greed,
    ),
    Lesson(
        short="The bound",
        title="What the bound is",
        text=(
            "What a tree gets wrong is measured by its [[loss]]. Turn a cut a little, and most of "
            "the time no point changes sides: the loss does not move, and then it jumps. Nothing "
            "tells the learner which way to turn.",
            "The [[bound]] does. For every point it takes the worst [[leaf]] that a small turn of "
            "the cuts could send it to, the smaller the turn the more it counts. It changes "
            "smoothly, so learning pushes the bound down, and looks at nothing else. Both are "
            "drawn on one scale beside the map.",
        ),
        question="Learning never looks at the loss itself. Can the loss come out above the bound?",
        choices=(
            "Never",
            "Now and then, early on",
            "Often: they have little to do with each other",
        ),
        data="moons",
        runs=_bound,
        view="curves",
        judge=about_the_bound,
        n_points=400,
    ),
    Lesson(
        short="ν",
        title="What ν does",
        text=(
            "One number decides how much of a tree comes alive: [[ν|nu]] (“nu”), which limits how "
            "large the weights of a cut may be. With small weights every cut has a broad "
            "[[margin]], and points near it are pulled to whichever side is safer.",
            "All three trees begin with the same 64 leaves. A leaf that some point reaches is "
            "[[awake|active]], and the others sleep. ν is 1 for tree I and 1000 for tree III. The "
            "ν of tree II is yours to choose.",
        ),
        question="As ν grows from 1 to 1000, how many leaves stay awake?",
        choices=("Fewer", "More", "About as many"),
        data="spirals",
        runs=_nus,
        view="only",
        judge=about_nu,
        chart="nu",
        n_points=500,
    ),
    Lesson(
        short="Sleep",
        title="Why leaves fall asleep",
        text=(
            "A step of learning pushes a point away from a bad [[leaf]], over the cuts, into a "
            "better one. Small leaves lose their last point that way. A leaf that nobody reaches "
            "predicts for nobody, so nothing pulls a point back: it is [[asleep]], often for good.",
            "[[Stable SGD|stable]] holds on. Each point is *assigned* to a leaf and stays so while "
            "the [[bound]] still falls; only then all points are assigned anew. Both trees start "
            "from the same 32 leaves, with the same ν.",
        ),
        question="Which tree has more leaves awake in the end?",
        choices=("Tree I, plain SGD", "Tree II, Stable SGD", "About as many in both"),
        data="spirals",
        runs=_sleep,
        view="tree",
        judge=about_sleep,
        chart="Active leaves",
        n_points=500,
    ),
    Lesson(
        short="Repair",
        title="Repairing a greedy tree",
        text=(
            "There is another way to undo greed. [[TAO|tao]] takes a finished tree and improves "
            "one cut at a time, with all others held still, from the leaves up to the root. To a "
            "single cut only those points matter that one side would get right and the other "
            "wrong, so it is an ordinary two-class problem.",
            "Here it starts from a [[greedy]] tree with cuts [[along the axes|axis-aligned]] on "
            "the stripes of the first lesson, four questions deep, and may turn every cut to any "
            "angle. A new cut is kept only if it sends no more of those points astray.",
        ),
        question="From one round to the next, what will its training accuracy do?",
        choices=(
            "Go up and down, but better in the end",
            "Never go down",
            "Fall: the greedy tree was best for its training points",
        ),
        data="stripes",
        runs=_repair,
        view="curves",
        judge=about_repair,
        afterword=(
            "That is as far as one tree goes here. A [[forest]] adds more of them: many trees "
            "that differ vote, and where their mistakes differ they cancel out. What it loses is "
            "that you can read it."
        ),
        n_points=400,
    ),
)
"""All lessons, in order."""

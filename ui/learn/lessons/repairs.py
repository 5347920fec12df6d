"""Lessons on TAO: what its steps promise, and how far they lead."""

from __future__ import annotations

from treecore import RunConfig
from treecore.viewer.messages.status import History
from ui.language.translate import N_
from ui.learn.figures import FIGURES
from ui.learn.outcomes import Against, Highest, about_promises, about_repair
from ui.learn.parts import Demonstration, Guess, Lesson, Reason, Trial


def _repair(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return (RunConfig("tao", depth=4, start="axis", seed=seed),)


def _beside_sgd(seed: int, nu: float) -> tuple[RunConfig, ...]:
    first = RunConfig("sgd", depth=4, start="axis", seed=seed)
    return first, RunConfig("tao", depth=4, start="axis", seed=seed)


def _noisy(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return (RunConfig("tao", depth=6, start="axis", seed=seed),)


def _no_more_leaves(runs: tuple[History, ...]) -> bool:
    return FIGURES["awake"].value(runs[0]) <= FIGURES["awake first"].value(runs[0])


REPAIR = Lesson(
    key="repair",
    short=N_("Repair"),
    title=N_("One cut at a time"),
    text=(
        N_(
            "[[TAO|tao]] takes a finished tree and improves one cut at a time, with all others "
            "held still, from the leaves up to the root. One [[pass|epoch]] visits every cut. To "
            "a single cut only those points matter that one side would get right and the other "
            "wrong, so it is an ordinary two-class problem."
        ),
        N_(
            "Here it starts from a [[greedy]] tree with cuts [[along the axes|axis-aligned]] "
            "on the stripes of the first lesson, and may turn every cut to any angle."
        ),
    ),
    guess=Guess(
        N_("From one pass to the next, what will its training accuracy do?"),
        (
            N_("Go up and down, but better in the end"),
            N_("Never go down"),
            N_("Fall: the greedy tree was best for its training points"),
        ),
        Trial(
            "stripes",
            _repair,
            changed=N_("time: the same tree before and after every pass"),
            held=N_("points, depth 4"),
            figures=("begun", "training", "falls", "awake first", "awake"),
            view="curves",
            n_points=400,
        ),
        about_repair,
    ),
    claim=N_("No pass of TAO makes more mistakes on the training points than the one before."),
    why=N_("Why can its training accuracy not go down?"),
    reasons=(
        Reason(
            N_(
                "A new cut is kept only if it sends no more of its points astray, and no "
                "other point is touched"
            ),
            N_(
                "With everything else held still, the mistakes of the whole tree change by "
                "just the points that this cut sends astray. A cut that would send more of "
                "them is refused."
            ),
        ),
        Reason(
            N_("All cuts are turned together in small steps downhill"),
            N_(
                "That is SGD, which may well lose accuracy on its way. TAO replaces one cut "
                "at a time."
            ),
            Demonstration(
                N_(
                    "Both start from the same greedy tree: tree I by SGD, tree II by TAO. "
                    "How often does the training accuracy fall?"
                ),
                Highest("falls", 0, N_("Small steps of all cuts promise no such thing.")),
                Trial(
                    "stripes",
                    _beside_sgd,
                    changed=N_("SGD or TAO"),
                    held=N_("points, depth 4, the greedy tree to begin with"),
                    figures=("begun", "training", "falls"),
                    n_points=400,
                ),
            ),
        ),
        Reason(
            N_("Every pass adds leaves, and a larger tree can only make fewer mistakes"),
            N_(
                "The tree never grows in TAO. Leaves that nobody reaches any more fall away "
                "instead."
            ),
            Demonstration(
                N_("Compare the leaves awake at the start and in the end."),
                Against(_no_more_leaves, N_("It ends with no more leaves than it began with.")),
            ),
        ),
    ),
    other=N_(
        "Two moons that overlap: where they do, no tree can be right about every point. TAO "
        "starts from a greedy tree again."
    ),
    transfer=Guess(
        N_("Its training accuracy cannot go down. What about its training loss?"),
        (N_("It cannot rise either"), N_("It can rise"), N_("It rises in every pass")),
        Trial(
            "moons",
            _noisy,
            changed=N_("time: the same tree before and after every pass"),
            held=N_("points, depth 6"),
            figures=("training", "falls", "loss", "rises"),
            view="curves",
            n_points=1000,
            noise=1.0,
            test_share=50,
        ),
        about_promises,
    ),
)


def _starts(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return tuple(RunConfig("tao", depth=6, start=start, seed=seed) for start in ("axis", "random"))


def _passes(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return tuple(
        RunConfig("tao", depth=6, start="axis", epochs=epochs, seed=seed) for epochs in (20, 100)
    )


def _oblique_starts(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return tuple(RunConfig("tao", depth=6, start=start, seed=seed) for start in ("co2", "random"))


START = Lesson(
    key="start",
    short=N_("Start"),
    title=N_("Where to begin"),
    text=(
        N_(
            "[[TAO|tao]] improves the tree that it is given, one cut at a time. Tree I is given a "
            "[[greedy]] tree, each cut of which was the best for the training points at its "
            "place. Tree II is given 63 cuts at random."
        ),
        N_(
            "No [[pass|epoch]] makes more mistakes than the one before. Both have 20 passes, and "
            "stop earlier when nothing can be improved."
        ),
    ),
    guess=Guess(
        N_("Which tree will be right more often in the end, on unseen points?"),
        (
            N_("Tree I, which began with a greedy tree"),
            N_("Tree II, which began at random"),
            N_("Both alike: they are improved until nothing can be"),
        ),
        Trial(
            "spirals",
            _starts,
            changed=N_("the tree to begin with"),
            held=N_("points, depth 6, TAO"),
            figures=("begun", "training", "unseen", "awake"),
            names=(N_("From a greedy tree"), N_("From random cuts")),
            chart=N_("Test accuracy"),
            n_points=500,
        ),
        Highest("unseen", 1),
    ),
    claim=N_(
        "Never getting worse is not the same as getting anywhere: TAO ends where no single cut "
        "can be improved alone, and where that is depends on the start."
    ),
    why=N_("Why does tree I get no further?"),
    reasons=(
        Reason(
            N_(
                "TAO only turns cuts that are there, each alone: the greedy tree has few, "
                "and none of them can be improved while the others are held still"
            ),
            N_(
                "Branches of the greedy tree end early, where no next cut seemed to help, "
                "and TAO adds none. To get further, several of its cuts would have to change "
                "at once. The random tree has all 63 cuts in every place, and nearly each of "
                "them can be improved."
            ),
        ),
        Reason(
            N_("It was given too few passes"),
            N_("It has stopped by itself: a pass in which nothing improves is its last."),
            Demonstration(
                N_("Both from the greedy tree; tree II may take 100 passes."),
                Highest("training", 2, N_("More passes change nothing: it had come to its end.")),
                Trial(
                    "spirals",
                    _passes,
                    changed=N_("how many passes it may take: 20 or 100"),
                    held=N_("points, depth 6, TAO from the greedy tree"),
                    figures=("training", "unseen", "passes"),
                    names=(N_("20 passes at most"), N_("100 passes at most")),
                    n_points=500,
                ),
            ),
        ),
        Reason(
            N_("The cuts it began with lie along the axes"),
            N_(
                "TAO turns them to any angle in its first pass. A greedy tree that is "
                "oblique from the beginning ends behind as well."
            ),
            Demonstration(
                N_("Tree I now begins with a greedy tree whose cuts lie at any angle."),
                Highest("unseen", 1, N_("It is not for want of angles.")),
                Trial(
                    "spirals",
                    _oblique_starts,
                    changed=N_("the tree to begin with: greedy at any angle, or random"),
                    held=N_("points, depth 6, TAO"),
                    figures=("begun", "training", "unseen", "awake"),
                    names=(N_("From a greedy oblique tree"), N_("From random cuts")),
                    n_points=500,
                ),
            ),
        ),
    ),
    other=N_("Three rings, one inside the other."),
    transfer=Guess(
        N_("Which tree will be right more often here, on unseen points?"),
        (
            N_("Tree I, which began with a greedy tree"),
            N_("Tree II, which began at random"),
            N_("They will do about equally well"),
        ),
        Trial(
            "rings",
            _starts,
            changed=N_("the tree to begin with"),
            held=N_("points, depth 6, TAO"),
            figures=("begun", "training", "unseen", "awake"),
            names=(N_("From a greedy tree"), N_("From random cuts")),
            n_points=1000,
            test_share=50,
        ),
        Highest(
            "unseen",
            2,
            N_(
                "Here the greedy tree is good, and nothing has to be found together. A bad end is "
                "possible from any start, never certain: try several."
            ),
        ),
    ),
    afterword=(
        N_(
            "That is as far as one tree goes here. A [[forest]] adds more of them: many trees that "
            "differ vote. See lesson 10."
        )
    ),
)

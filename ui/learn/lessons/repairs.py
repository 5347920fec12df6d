"""Lessons on TAO: what its steps promise, and how far they lead."""

from __future__ import annotations

from treecore import RunConfig
from treecore.viewer.status import History
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
    short="Repair",
    title="One cut at a time",
    text=(
        "[[TAO|tao]] takes a finished tree and improves one cut at a time, with all others held "
        "still, from the leaves up to the root. One round visits every cut. To a single cut only "
        "those points matter that one side would get right and the other wrong, so it is an "
        "ordinary two-class problem.",
        "Here it starts from a [[greedy]] tree with cuts [[along the axes|axis-aligned]] on the "
        "stripes of the first lesson, and may turn every cut to any angle.",
    ),
    guess=Guess(
        "From one round to the next, what will its training accuracy do?",
        (
            "Go up and down, but better in the end",
            "Never go down",
            "Fall: the greedy tree was best for its training points",
        ),
        Trial(
            "stripes",
            _repair,
            changed="time: the same tree before and after every round",
            held="points, depth 4",
            figures=("begun", "training", "falls", "awake first", "awake"),
            view="curves",
            n_points=400,
        ),
        about_repair,
    ),
    claim="No round of TAO makes more mistakes on the training points than the one before.",
    why="Why can its training accuracy not go down?",
    reasons=(
        Reason(
            "A new cut is kept only if it sends no more of its points astray, and no other point "
            "is touched",
            "With everything else held still, the mistakes of the whole tree change by just the "
            "points that this cut sends astray. A cut that would send more of them is refused.",
        ),
        Reason(
            "All cuts are turned together in small steps downhill",
            "That is SGD, which may well lose accuracy on its way. TAO replaces one cut at a time.",
            Demonstration(
                "Both start from the same greedy tree: tree I by SGD, tree II by TAO. How often "
                "does the training accuracy fall?",
                Highest("falls", 0, "Small steps of all cuts promise no such thing."),
                Trial(
                    "stripes",
                    _beside_sgd,
                    changed="SGD or TAO",
                    held="points, depth 4, the greedy tree to begin with",
                    figures=("begun", "training", "falls"),
                    n_points=400,
                ),
            ),
        ),
        Reason(
            "Every round adds leaves, and a larger tree can only make fewer mistakes",
            "The tree never grows in TAO. Leaves that nobody reaches any more fall away instead.",
            Demonstration(
                "Compare the leaves awake at the start and in the end.",
                Against(_no_more_leaves, "It ends with no more leaves than it began with."),
            ),
        ),
    ),
    other="Two moons that overlap: where they do, no tree can be right about every point. TAO "
    "starts from a greedy tree again.",
    transfer=Guess(
        "Its training accuracy cannot go down. What about its training loss?",
        ("It cannot rise either", "It can rise", "It rises in every round"),
        Trial(
            "moons",
            _noisy,
            changed="time: the same tree before and after every round",
            held="points, depth 6",
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


def _rounds(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return tuple(
        RunConfig("tao", depth=6, start="axis", epochs=epochs, seed=seed) for epochs in (20, 100)
    )


def _oblique_starts(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return tuple(RunConfig("tao", depth=6, start=start, seed=seed) for start in ("co2", "random"))


START = Lesson(
    key="start",
    short="Start",
    title="Where to begin",
    text=(
        "[[TAO|tao]] improves the tree that it is given, one cut at a time. Tree I is given a "
        "[[greedy]] tree, each cut of which was the best for the training points at its place. "
        "Tree II is given 63 cuts at random.",
        "No round makes more mistakes than the one before. Both have 20 rounds, and stop earlier "
        "when nothing can be improved.",
    ),
    guess=Guess(
        "Which tree will be right more often in the end, on unseen points?",
        (
            "Tree I, which began with a greedy tree",
            "Tree II, which began at random",
            "Both alike: they are improved until nothing can be",
        ),
        Trial(
            "spirals",
            _starts,
            changed="the tree to begin with",
            held="points, depth 6, TAO",
            figures=("begun", "training", "unseen", "awake"),
            names=("From a greedy tree", "From random cuts"),
            chart="Test accuracy",
            n_points=500,
        ),
        Highest("unseen", 1),
    ),
    claim="Never getting worse is not the same as getting anywhere: TAO ends where no single cut "
    "can be improved alone, and where that is depends on the start.",
    why="Why does tree I get no further?",
    reasons=(
        Reason(
            "TAO only turns cuts that are there, each alone: the greedy tree has few, and none of "
            "them can be improved while the others are held still",
            "Branches of the greedy tree end early, where no next cut seemed to help, and TAO adds "
            "none. To get further, several of its cuts would have to change at once. The random "
            "tree has all 63 cuts in every place, and nearly each of them can be improved.",
        ),
        Reason(
            "It was given too few rounds",
            "It has stopped by itself: a round in which nothing improves is its last.",
            Demonstration(
                "Both from the greedy tree; tree II may take 100 rounds.",
                Highest("training", 2, "More rounds change nothing: it had come to its end."),
                Trial(
                    "spirals",
                    _rounds,
                    changed="how many rounds it may take: 20 or 100",
                    held="points, depth 6, TAO from the greedy tree",
                    figures=("training", "unseen", "passes"),
                    names=("20 rounds at most", "100 rounds at most"),
                    n_points=500,
                ),
            ),
        ),
        Reason(
            "The cuts it began with lie along the axes",
            "TAO turns them to any angle in its first round. A greedy tree that is oblique from "
            "the beginning ends behind as well.",
            Demonstration(
                "Tree I now begins with a greedy tree whose cuts lie at any angle.",
                Highest("unseen", 1, "It is not for want of angles."),
                Trial(
                    "spirals",
                    _oblique_starts,
                    changed="the tree to begin with: greedy at any angle, or random",
                    held="points, depth 6, TAO",
                    figures=("begun", "training", "unseen", "awake"),
                    names=("From a greedy oblique tree", "From random cuts"),
                    n_points=500,
                ),
            ),
        ),
    ),
    other="Three rings, one inside the other.",
    transfer=Guess(
        "Which tree will be right more often here, on unseen points?",
        (
            "Tree I, which began with a greedy tree",
            "Tree II, which began at random",
            "They will do about equally well",
        ),
        Trial(
            "rings",
            _starts,
            changed="the tree to begin with",
            held="points, depth 6, TAO",
            figures=("begun", "training", "unseen", "awake"),
            names=("From a greedy tree", "From random cuts"),
            n_points=1000,
            test_share=50,
        ),
        Highest(
            "unseen",
            2,
            "Here the greedy tree is good, and nothing has to be found together. A bad end is "
            "possible from any start, never certain: try several.",
        ),
    ),
    afterword=(
        "That is as far as one tree goes here. A [[forest]] adds more of them: many trees that "
        "differ vote. See the last lesson."
    ),
)

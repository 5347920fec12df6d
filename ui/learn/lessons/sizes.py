"""Lessons on how much is enough: how deep a tree, and how many."""

from __future__ import annotations

from treecore import RunConfig
from treecore.viewer.status import History
from ui.learn.figures import FIGURES
from ui.learn.outcomes import Against, Highest, about_depth
from ui.learn.parts import Demonstration, Guess, Lesson, Reason, Trial

DEEP = 14
N_TREES = 30


def _deep(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return (RunConfig("axis", depth=DEEP, seed=seed),)


def _deep_gini(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return (RunConfig("axis", depth=DEEP, criterion="gini", seed=seed),)


def _leaf_sizes(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return tuple(
        RunConfig("axis", depth=DEEP, min_samples_leaf=least, seed=seed) for least in (1, 20)
    )


def _falls_off(runs: tuple[History, ...]) -> bool:
    best, last = (FIGURES[name].value(runs[0]) for name in ("best unseen", "many unseen"))
    return FIGURES["best unseen"].apart(best, last)


def _holds(runs: tuple[History, ...]) -> bool:
    return not _falls_off(runs)


DEPTH = Lesson(
    key="depth",
    short="Depth",
    title="Deeper and deeper",
    text=(
        "A [[greedy]] [[tree]] grows level by level. Each new [[split]] makes the training points "
        "of a leaf purer, until no leaf is mixed any more or 14 questions have been asked in a "
        "row.",
        "These three rings are blurred: where they overlap, neighbours belong to different rings "
        "by chance. The chart follows training points and [[unseen ones|held]].",
    ),
    guess=Guess(
        "As the tree grows deeper, what will its accuracy on unseen points do?",
        (
            "Rise to the end, as on training points",
            "Rise, and then fall",
            "Rise, and then stay",
        ),
        Trial(
            "rings",
            _deep,
            changed="how many levels have grown",
            held="points, how a cut is chosen",
            figures=("training", "best unseen", "many unseen", "awake"),
            view="curves",
            n_points=800,
            noise=1.0,
            test_share=60,
        ),
        about_depth,
    ),
    claim="A lower training error may be a worse tree: the last levels learn the noise.",
    why="Why does the deeper tree do worse on unseen points?",
    reasons=(
        Reason(
            "Its last cuts fence in single points that lie there by chance, and unseen points fall "
            "into the fences",
            "Any noise in the training points can be cut out by enough questions. It is another "
            "noise in the unseen points, and the little fences are wrong about them.",
        ),
        Reason(
            "The rule for choosing cuts is a bad one for deep trees",
            "Any rule that goes on until leaves are pure fences in the noise.",
            Demonstration(
                "The same tree with Gini instead of entropy.",
                Against(_falls_off, "It falls as well: the rule is not the cause."),
                Trial(
                    "rings",
                    _deep_gini,
                    changed="how many levels have grown; the rule is Gini now",
                    held="points",
                    figures=("training", "best unseen", "many unseen"),
                    view="curves",
                    n_points=800,
                    noise=1.0,
                    test_share=60,
                ),
            ),
        ),
        Reason(
            "Deep trees are always worse on unseen points",
            "Depth by itself does no harm. Without noise there is nothing to fence in.",
            Demonstration(
                "The same rings, hardly blurred.",
                Against(_holds, "Nothing is lost to the end: it was the noise that depth learnt."),
                Trial(
                    "rings",
                    _deep,
                    changed="how many levels have grown; and now hardly any noise",
                    held="how a cut is chosen, the number of points",
                    figures=("training", "best unseen", "many unseen"),
                    view="curves",
                    n_points=800,
                    noise=0.1,
                    test_share=60,
                ),
            ),
        ),
    ),
    other="A tree may be held back so that it cannot fence in single points: here every leaf of "
    "tree II must have at least 20 training points. These are two spirals with narrow arms and "
    "little noise.",
    transfer=Guess(
        "Which tree will be right more often, on unseen points?",
        (
            "Tree I, whose leaves may have a single point",
            "Tree II, whose leaves have at least 20",
            "They will do about equally well",
        ),
        Trial(
            "spirals",
            _leaf_sizes,
            changed="the fewest points of a leaf: 1 or 20",
            held="points, depth 14, how a cut is chosen",
            figures=("unseen", "training", "awake"),
            names=("1 point or more", "20 points or more"),
            n_points=800,
            test_share=60,
        ),
        Highest(
            "unseen",
            0,
            "Where there is little noise and a narrow shape, holding a tree back costs more than "
            "it saves. How much to prune is found by trying, on points that learning has not seen.",
        ),
    ),
)


def _bagging(n_trees: int, seed: int, sampling: str = "bootstrap") -> RunConfig:
    return RunConfig("bagging", depth=20, n_trees=n_trees, sampling=sampling, seed=seed)


def _tree_and_forest(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return RunConfig("axis", depth=20, seed=seed), _bagging(N_TREES, seed)


def _tree_and_member(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return RunConfig("axis", depth=20, seed=seed), _bagging(1, seed)


def _tree_and_copies(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return RunConfig("axis", depth=20, seed=seed), _bagging(N_TREES, seed, sampling="all")


def _no_better(runs: tuple[History, ...]) -> bool:
    alone, member = (FIGURES["many unseen"].value(run) for run in runs)
    return member <= alone + CHANCE


CHANCE = 0.04
"""By which one tree may be right more often than another one by chance."""

THIRTY = Lesson(
    key="thirty",
    short="Thirty",
    title="One tree or thirty",
    text=(
        "Tree I is a [[greedy]] [[tree]], grown until its leaves are pure. Beside it stand thirty "
        "such trees that vote, a [[forest]]. Each of them learns from points drawn at random from "
        "the training points, as many of them, so that some come twice and about a third not at "
        "all. This is called bagging.",
        "The rings are blurred, so no tree can be right about every point.",
    ),
    guess=Guess(
        "Which will be right more often, on unseen points?",
        (
            "Tree I: it has seen all training points",
            "The thirty trees together",
            "They will do about equally well",
        ),
        Trial(
            "rings",
            _tree_and_forest,
            changed="one tree that has seen all points, or thirty that have each seen a part",
            held="points, depth 20, how a cut is chosen",
            figures=("many unseen", "training"),
            names=("One tree", "Thirty that vote"),
            n_points=1200,
            noise=1.0,
            test_share=60,
        ),
        Highest("many unseen", 1),
    ),
    claim="Trees that make different mistakes are better together than any of them alone.",
    why="Why do the thirty do better?",
    reasons=(
        Reason(
            "Each has fenced in other points by chance, and the vote cancels what they do not have "
            "in common",
            "What is true of the data is in nearly all of them, the noise each has learnt is its "
            "own. So the vote keeps the one and loses the other. It works as far as the trees "
            "differ.",
        ),
        Reason(
            "Each of the thirty is better than the tree alone",
            "Each has seen fewer different points, and is no better by itself.",
            Demonstration(
                "One single tree of a forest beside the tree alone.",
                Against(_no_better, "Alone, a tree of the forest is no better."),
                Trial(
                    "rings",
                    _tree_and_member,
                    changed="all points, or points drawn at random",
                    held="points, depth 20, one tree each",
                    figures=("many unseen", "training"),
                    names=("One tree", "One tree of a forest"),
                    n_points=1200,
                    noise=1.0,
                    test_share=60,
                ),
            ),
        ),
        Reason(
            "Thirty trees have thirty times as many leaves",
            "Leaves alone do nothing. Thirty trees from the very same points are the same tree "
            "thirty times, and say what one says.",
            Demonstration(
                "Thirty trees again, but all learn from all training points.",
                Highest("many unseen", 2, "They agree about everything: nothing cancels."),
                Trial(
                    "rings",
                    _tree_and_copies,
                    changed="one tree, or thirty from the same points",
                    held="points, depth 20, how a cut is chosen",
                    figures=("many unseen", "training"),
                    names=("One tree", "Thirty from the same points"),
                    n_points=1200,
                    noise=1.0,
                    test_share=60,
                ),
            ),
        ),
    ),
    other="Three curved arms with little noise, well apart from each other.",
    transfer=Guess(
        "Which will be right more often here, on unseen points?",
        (
            "Tree I: it has seen all training points",
            "The thirty trees together",
            "They will do about equally well",
        ),
        Trial(
            "pinwheel",
            _tree_and_forest,
            changed="one tree that has seen all points, or thirty that have each seen a part",
            held="points, depth 20, how a cut is chosen",
            figures=("unseen", "training"),
            names=("One tree", "Thirty that vote"),
            n_points=1000,
            test_share=50,
        ),
        Highest(
            "unseen",
            2,
            "All trees agree and are right, so the vote has nothing to cancel. You have lost a "
            "tree that can be read, for nothing.",
        ),
    ),
    afterword=(
        "Other forests give up more for it: boosting makes each tree mend the mistakes of those "
        "before, and a random forest hides features so that trees differ more."
    ),
)

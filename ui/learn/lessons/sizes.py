"""Lessons on how much is enough: how deep a tree, and how many."""

from __future__ import annotations

from treecore import RunConfig
from treecore.viewer.messages.status import History
from ui.language.translate import N_
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
        RunConfig("axis", depth=DEEP, min_samples_leaf=smallest, seed=seed) for smallest in (1, 20)
    )


def _falls_off(runs: tuple[History, ...]) -> bool:
    best, last = (FIGURES[name].value(runs[0]) for name in ("best unseen", "many unseen"))
    return FIGURES["best unseen"].apart(best, last)


def _holds(runs: tuple[History, ...]) -> bool:
    return not _falls_off(runs)


DEPTH = Lesson(
    key="depth",
    short=N_("Depth"),
    title=N_("Deeper and deeper"),
    text=(
        N_(
            "A [[greedy]] [[tree]] grows level by level. Each new [[split]] makes the "
            "training points of a leaf purer, until no leaf is mixed any more or 14 "
            "questions have been asked in a row."
        ),
        N_(
            "These three rings are blurred: where they overlap, neighbours belong to "
            "different rings by chance. The chart follows training points and [[unseen "
            "ones|held]]."
        ),
    ),
    guess=Guess(
        N_("As the tree grows deeper, what will its accuracy on unseen points do?"),
        (
            N_("Rise to the end, as on training points"),
            N_("Rise, and then fall"),
            N_("Rise, and then stay"),
        ),
        Trial(
            "rings",
            _deep,
            changed=N_("how many levels have grown"),
            held=N_("points, how a cut is chosen"),
            figures=("training", "best unseen", "many unseen", "awake"),
            view="curves",
            n_points=800,
            noise=1.0,
            test_share=60,
        ),
        about_depth,
    ),
    claim=N_("A lower training error may be a worse tree: the last levels learn the noise."),
    why=N_("Why does the deeper tree do worse on unseen points?"),
    reasons=(
        Reason(
            N_(
                "Its last cuts fence in single points that lie there by chance, and unseen "
                "points fall into the fences"
            ),
            N_(
                "Any noise in the training points can be cut out by enough questions. It is "
                "another noise in the unseen points, and the little fences are wrong about "
                "them."
            ),
        ),
        Reason(
            N_("The rule for choosing cuts is a bad one for deep trees"),
            N_("Any rule that goes on until leaves are pure fences in the noise."),
            Demonstration(
                N_("The same tree with Gini instead of entropy."),
                Against(_falls_off, N_("It falls as well: the rule is not the cause.")),
                Trial(
                    "rings",
                    _deep_gini,
                    changed=N_("how many levels have grown; the rule is Gini now"),
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
            N_("Deep trees are always worse on unseen points"),
            N_("Depth by itself does no harm. Without noise there is nothing to fence in."),
            Demonstration(
                N_("The same rings, hardly blurred."),
                Against(
                    _holds, N_("Nothing is lost to the end: it was the noise that depth learnt.")
                ),
                Trial(
                    "rings",
                    _deep,
                    changed=N_("how many levels have grown; and now hardly any noise"),
                    held=N_("how a cut is chosen, the number of points"),
                    figures=("training", "best unseen", "many unseen"),
                    view="curves",
                    n_points=800,
                    noise=0.1,
                    test_share=60,
                ),
            ),
        ),
    ),
    other=N_(
        "A tree may be held back so that it cannot fence in single points: here every leaf of "
        "tree II must have at least 20 training points. These are two spirals with narrow arms and "
        "little noise."
    ),
    transfer=Guess(
        N_("Which tree will be right more often, on unseen points?"),
        (
            N_("Tree I, whose leaves may have a single point"),
            N_("Tree II, whose leaves have at least 20"),
            N_("They will do about equally well"),
        ),
        Trial(
            "spirals",
            _leaf_sizes,
            changed=N_("the fewest points of a leaf: 1 or 20"),
            held=N_("points, depth 14, how a cut is chosen"),
            figures=("unseen", "training", "awake"),
            names=(N_("1 point or more"), N_("20 points or more")),
            n_points=800,
            test_share=60,
        ),
        Highest(
            "unseen",
            0,
            N_(
                "Where there is little noise and a narrow shape, holding a tree back costs "
                "more than it saves. How much to prune is found by trying, on points that "
                "learning has not seen."
            ),
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
    short=N_("Thirty"),
    title=N_("One tree or thirty"),
    text=(
        N_(
            "Tree I is a [[greedy]] [[tree]], grown until its leaves are pure. Beside it "
            "stand thirty such trees that vote, a [[forest]]. Each of them learns from "
            "points drawn at random from the training points, as many of them, so that some "
            "come twice and about a third not at all. This is called bagging."
        ),
        N_("The rings are blurred, so no tree can be right about every point."),
    ),
    guess=Guess(
        N_("Which will be right more often, on unseen points?"),
        (
            N_("Tree I: it has seen all training points"),
            N_("The thirty trees together"),
            N_("They will do about equally well"),
        ),
        Trial(
            "rings",
            _tree_and_forest,
            changed=N_("one tree that has seen all points, or thirty that have each seen a part"),
            held=N_("points, depth 20, how a cut is chosen"),
            figures=("many unseen", "training"),
            names=(N_("One tree"), N_("Thirty that vote")),
            n_points=1200,
            noise=1.0,
            test_share=60,
        ),
        Highest("many unseen", 1),
    ),
    claim=N_("Trees that make different mistakes are better together than any of them alone."),
    why=N_("Why do the thirty do better?"),
    reasons=(
        Reason(
            N_(
                "Each has fenced in other points by chance, and the vote cancels what they "
                "do not have in common"
            ),
            N_(
                "What is true of the data is in nearly all of them, the noise each has "
                "learnt is its own. So the vote keeps the one and loses the other. It works "
                "as far as the trees differ."
            ),
        ),
        Reason(
            N_("Each of the thirty is better than the tree alone"),
            N_("Each has seen fewer different points, and is no better by itself."),
            Demonstration(
                N_("One single tree of a forest beside the tree alone."),
                Against(_no_better, N_("Alone, a tree of the forest is no better.")),
                Trial(
                    "rings",
                    _tree_and_member,
                    changed=N_("all points, or points drawn at random"),
                    held=N_("points, depth 20, one tree each"),
                    figures=("many unseen", "training"),
                    names=(N_("One tree"), N_("One tree of a forest")),
                    n_points=1200,
                    noise=1.0,
                    test_share=60,
                ),
            ),
        ),
        Reason(
            N_("Thirty trees have thirty times as many leaves"),
            N_(
                "Leaves alone do nothing. Thirty trees from the very same points are the same tree "
                "thirty times, and say what one says."
            ),
            Demonstration(
                N_("Thirty trees again, but all learn from all training points."),
                Highest("many unseen", 2, N_("They agree about everything: nothing cancels.")),
                Trial(
                    "rings",
                    _tree_and_copies,
                    changed=N_("one tree, or thirty from the same points"),
                    held=N_("points, depth 20, how a cut is chosen"),
                    figures=("many unseen", "training"),
                    names=(N_("One tree"), N_("Thirty from the same points")),
                    n_points=1200,
                    noise=1.0,
                    test_share=60,
                ),
            ),
        ),
    ),
    other=N_("Three curved arms with little noise, well apart from each other."),
    transfer=Guess(
        N_("Which will be right more often here, on unseen points?"),
        (
            N_("Tree I: it has seen all training points"),
            N_("The thirty trees together"),
            N_("They will do about equally well"),
        ),
        Trial(
            "pinwheel",
            _tree_and_forest,
            changed=N_("one tree that has seen all points, or thirty that have each seen a part"),
            held=N_("points, depth 20, how a cut is chosen"),
            figures=("unseen", "training"),
            names=(N_("One tree"), N_("Thirty that vote")),
            n_points=1000,
            test_share=50,
        ),
        Highest(
            "unseen",
            2,
            N_(
                "All trees agree and are right, so the vote has nothing to cancel. You have lost a "
                "tree that can be read, for nothing."
            ),
        ),
    ),
    afterword=(
        N_(
            "Other forests give up more for it: boosting makes each tree mend the mistakes "
            "of those before, and a random forest hides features so that trees differ more."
        )
    ),
)

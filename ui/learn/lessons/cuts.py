"""Lessons on single cuts and on greed: angles, exclusive or, and where greed is enough."""

from __future__ import annotations

from treecore import RunConfig
from treecore.viewer.messages.status import History
from ui.language.translate import N_
from ui.learn.figures import FIGURES
from ui.learn.outcomes import Against, Highest
from ui.learn.parts import Demonstration, Guess, Lesson, Reason, Trial

_I_OR_II = N_("They will do about equally well")


def _angles(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return RunConfig("axis", depth=3, seed=seed), RunConfig("oc1", depth=3, seed=seed)


def _more_leaves(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return RunConfig("axis", depth=5, seed=seed), RunConfig("oc1", depth=3, seed=seed)


def _gini(seed: int, nu: float) -> tuple[RunConfig, ...]:
    first = RunConfig("axis", depth=3, criterion="gini", seed=seed)
    return first, RunConfig("oc1", depth=3, seed=seed)


def _angles_elsewhere(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return RunConfig("axis", depth=5, seed=seed), RunConfig("oc1", depth=5, seed=seed)


ANGLES = Lesson(
    key="angles",
    short=N_("Angles"),
    title=N_("Cuts along the axes, and cuts at any angle"),
    text=(
        N_(
            "A decision [[tree]] asks one question after another until it knows enough to name a "
            "class. Each question is a [[split]]: a straight cut through the data."
        ),
        N_(
            "Most trees cut [[along one axis|axis-aligned]]: is x1 above 0.3? An [[oblique]] "
            "split weighs all [[features|feature]] at once, so it may lie at any angle. Here "
            "the classes are slanted stripes."
        ),
    ),
    guess=Guess(
        N_("Which tree will be right more often, on points it has not seen?"),
        (
            N_("Tree I, which cuts along the axes"),
            N_("Tree II, which cuts at any angle"),
            _I_OR_II,
        ),
        Trial(
            "stripes",
            _angles,
            changed=N_("which angles a cut may have"),
            held=N_("points, depth 3, how a cut is chosen (greedily, by entropy)"),
            figures=("unseen", "training", "awake"),
            view="tree",
            n_points=400,
        ),
        Highest("unseen", 1),
    ),
    claim=N_(
        "Where borders are slanted, cuts along the axes need many leaves for what one oblique "
        "cut says."
    ),
    why=N_("Why does tree I do worse?"),
    reasons=(
        Reason(
            N_(
                "It must climb a slanted border in a staircase, and runs out of leaves for "
                "the steps"
            ),
            N_(
                "Each step of the staircase costs a split, and three questions in a row "
                "allow seven. An oblique cut follows the whole border at once."
            ),
        ),
        Reason(
            N_("Tree II has more leaves"),
            N_(
                "It has not: both may have eight. And with four times as many leaves tree I "
                "is still behind here."
            ),
            Demonstration(
                N_(
                    "Tree I may now ask five questions in a row, up to 32 leaves. Tree II "
                    "still asks three."
                ),
                Highest(
                    "unseen",
                    1,
                    N_("Tree I has the more leaves and the shorter steps, and is still behind."),
                ),
                Trial(
                    "stripes",
                    _more_leaves,
                    changed=N_("the angles, and now the depth of tree I: 5 instead of 3"),
                    held=N_("points, how a cut is chosen"),
                    figures=("unseen", "awake"),
                    names=(N_("Along the axes, depth 5"), N_("At any angle, depth 3")),
                    view="tree",
                    n_points=400,
                ),
            ),
        ),
        Reason(
            N_("Its cuts are chosen by a worse rule"),
            N_(
                "Both trees choose a cut by the same rule: the one after which the classes "
                "are least mixed, measured by entropy. Another common measure, Gini, makes "
                "no great difference."
            ),
            Demonstration(
                N_("Tree I chooses by Gini now, as most libraries do."),
                Highest("unseen", 1, N_("The rule is not what it lacks.")),
                Trial(
                    "stripes",
                    _gini,
                    changed=N_("the angles, and now the rule of tree I: Gini"),
                    held=N_("points, depth 3"),
                    figures=("unseen", "training", "awake"),
                    names=(N_("Along the axes, Gini"), N_("At any angle, entropy")),
                    view="tree",
                    n_points=400,
                ),
            ),
        ),
    ),
    other=N_(
        "Three curved arms. Their borders turn, so that no straight line follows one for long. "
        "Both trees may ask five questions in a row."
    ),
    transfer=Guess(
        N_("Which tree will be right more often here?"),
        (
            N_("Tree I, which cuts along the axes"),
            N_("Tree II, which cuts at any angle"),
            _I_OR_II,
        ),
        Trial(
            "pinwheel",
            _angles_elsewhere,
            changed=N_("which angles a cut may have"),
            held=N_("points, depth 5, how a cut is chosen"),
            figures=("unseen", "awake"),
            view="tree",
            n_points=1000,
            test_share=50,
        ),
        Highest(
            "unseen",
            2,
            N_(
                "The classes lie apart here, so a few steps of a staircase do as well as a "
                "slant. An oblique tree pays where a border is slanted *and* narrow."
            ),
        ),
    ),
)


def _corners(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return RunConfig("axis", depth=2, seed=seed), RunConfig("sgd", depth=2, seed=seed)


def _oblique_corners(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return RunConfig("oc1", depth=2, seed=seed), RunConfig("sgd", depth=2, seed=seed)


def _spirals(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return RunConfig("oc1", depth=6, seed=seed), RunConfig("sgd", depth=6, seed=seed)


CORNERS = Lesson(
    key="corners",
    short=N_("Corners"),
    title=N_("Four corners"),
    text=(
        N_(
            "Nearly all trees are grown [[greedily|greedy]]: take the cut that helps most "
            "right now, never change it, go on below it. Tree II begins with random cuts and "
            "turns [[all of them together|sgd]]."
        ),
        N_(
            "Look at these four corners. Two cuts along the axes, one across and one up, tell the "
            "classes apart almost perfectly, and either tree may draw them."
        ),
    ),
    guess=Guess(
        N_("Both may ask two questions in a row. Which tree finds the corners?"),
        (
            N_("Tree I, which takes the best cut at every step"),
            N_("Tree II, which turns all cuts together"),
            _I_OR_II,
        ),
        Trial(
            "xor",
            _corners,
            changed=N_("how the cuts are found: one after another, or all together"),
            held=N_("points, depth 2"),
            figures=("unseen", "training", "awake"),
            view="tree",
        ),
        Highest("unseen", 1),
    ),
    claim=N_("A greedy tree cannot find cuts that help only together."),
    why=N_("Why does tree I miss the corners?"),
    reasons=(
        Reason(
            N_(
                "One of the two cuts alone leaves both sides as mixed as before: nothing "
                "leads to it"
            ),
            N_(
                "To a greedy learner every first cut looks equally useless. It takes what "
                "looks best by a hair, and cannot take it back. Tree II judges its cuts by "
                "what they do together."
            ),
        ),
        Reason(
            N_("Its cuts lie along the axes"),
            N_(
                "The two cuts that are wanted do lie along the axes. Give the greedy tree "
                "any angle, and it still misses them."
            ),
            Demonstration(
                N_("Tree I is greedy as before, but its cuts may lie at any angle now."),
                Highest("unseen", 1, N_("Angles are not what it lacked.")),
                Trial(
                    "xor",
                    _oblique_corners,
                    changed=N_("how the cuts are found"),
                    held=N_("points, depth 2, and now the angles: any"),
                    figures=("unseen", "training"),
                    view="tree",
                ),
            ),
        ),
        Reason(
            N_("There are too few points to see the corners"),
            N_(
                "More points make the corners plainer to the eye, and every first cut just "
                "as useless: the sides stay half and half."
            ),
            Demonstration(
                N_("The same with three times as many points."),
                Highest("unseen", 1, N_("It is not for want of points.")),
                Trial(
                    "xor",
                    _corners,
                    changed=N_("how the cuts are found"),
                    held=N_("1800 points now, depth 2"),
                    figures=("unseen", "training"),
                    view="tree",
                    n_points=1800,
                ),
            ),
        ),
    ),
    other=N_(
        "Two spirals, six questions in a row. The greedy tree may cut at any angle here, as the "
        "other one."
    ),
    transfer=Guess(
        N_("Which tree will be right more often here?"),
        (
            N_("Tree I, which takes the best cut at every step"),
            N_("Tree II, which turns all cuts together"),
            _I_OR_II,
        ),
        Trial(
            "spirals",
            _spirals,
            changed=N_("how the cuts are found"),
            held=N_("points, depth 6, any angle"),
            figures=("unseen", "training", "awake"),
            n_points=500,
        ),
        Highest(
            "unseen",
            1,
            N_(
                "The arms wind around each other, and the first cuts through both halve the "
                "points and part nothing, as in the corners. Is it always so? See lesson 8."
            ),
        ),
    ),
)


def _stripes(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return RunConfig("oc1", depth=4, seed=seed), RunConfig("sgd", depth=4, seed=seed)


def _longer(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return RunConfig("oc1", depth=4, seed=seed), RunConfig("sgd", depth=4, epochs=400, seed=seed)


def _pinwheel(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return RunConfig("axis", depth=6, seed=seed), RunConfig("sgd", depth=6, seed=seed)


def _no_fewer_awake(runs: tuple[History, ...]) -> bool:
    first, second = (FIGURES["awake"].value(run) for run in runs)
    return second > first / 2


STRIPES = Lesson(
    key="stripes",
    short=N_("Stripes"),
    title=N_("One after another, or all together"),
    text=(
        N_(
            "Tree I is grown [[greedily|greedy]], one cut after another, each at the angle "
            "that helps most right now. Tree II begins with random cuts and turns [[all of "
            "them together|sgd]], so that a bound on the loss of the whole tree falls."
        ),
        N_("On the four corners of lesson 2 the greedy tree failed. These are slanted stripes."),
    ),
    guess=Guess(
        N_("Which tree will be right more often, on points it has not seen?"),
        (
            N_("Tree I, which takes the best cut at every step"),
            N_("Tree II, which turns all cuts together"),
            _I_OR_II,
        ),
        Trial(
            "stripes",
            _stripes,
            changed=N_("how the cuts are found: one after another, or all together"),
            held=N_("points, depth 4, any angle"),
            figures=("unseen", "training", "awake"),
            view="tree",
            n_points=400,
        ),
        Highest("unseen", 0),
    ),
    claim=N_(
        "Where each cut helps on its own, greed is enough, and may end better than learning all "
        "cuts together."
    ),
    why=N_("Why is the greedy tree no worse here?"),
    reasons=(
        Reason(
            N_(
                "Every border of a stripe makes both sides purer at once, so the best next "
                "cut belongs to a good tree as well"
            ),
            N_(
                "Nothing has to be found together, so looking one step ahead is far enough. "
                "Tree II has no such guide: it turns random cuts downhill on its bound, and "
                "stops where no small turn helps. That is not always a good place."
            ),
        ),
        Reason(
            N_("Tree II was stopped too soon"),
            N_(
                "A good question, but more passes do not lead out of the place where it "
                "stands: steps become small, and no small turn helps."
            ),
            Demonstration(
                N_("Tree II learns for 400 passes now, four times as long."),
                Highest("unseen", 0, N_("It has stopped somewhere else, not much better.")),
                Trial(
                    "stripes",
                    _longer,
                    changed=N_("how the cuts are found; tree II learns four times as long"),
                    held=N_("points, depth 4, any angle"),
                    figures=("unseen", "training", "passes"),
                    view="tree",
                    n_points=400,
                ),
            ),
        ),
        Reason(
            N_("Too few leaves of tree II were left awake"),
            N_("Tree II uses about as many leaves as tree I, or more. They are in worse places."),
            Demonstration(
                N_("Look at the leaves awake of both trees."),
                Against(
                    _no_fewer_awake,
                    N_("Tree II has leaves enough: the table counts those that are awake."),
                ),
            ),
        ),
    ),
    other=N_("Three curved arms, tree I with cuts along the axes only, as most people grow it."),
    transfer=Guess(
        N_("Six questions in a row. Which tree will be right more often here?"),
        (
            N_("Tree I, which takes the best cut at every step"),
            N_("Tree II, which turns all cuts together"),
            _I_OR_II,
        ),
        Trial(
            "pinwheel",
            _pinwheel,
            changed=N_("how the cuts are found, and the angles they may have"),
            held=N_("points, depth 6"),
            figures=("unseen", "training", "awake"),
            n_points=1000,
            test_share=50,
        ),
        Highest(
            "unseen",
            2,
            N_(
                "Each arm can be parted from the others by cuts that help at once. Which way of "
                "learning is better is a question about the data: measure it."
            ),
        ),
    ),
)

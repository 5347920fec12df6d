"""Lessons on forests whose trees learn from each other: boosting, and features that are learnt."""

from __future__ import annotations

from treecore import RunConfig
from treecore.viewer.messages.status import History
from ui.language.translate import N_
from ui.learn.figures import FIGURES
from ui.learn.outcomes import Against, Highest
from ui.learn.parts import Demonstration, Guess, Lesson, Reason, Trial

N_TREES = 30


def _pair(
    depth: int, seed: int, bagged: int = N_TREES, boosted: int = N_TREES
) -> tuple[RunConfig, ...]:
    return (
        RunConfig("bagging", depth=depth, n_trees=bagged, seed=seed),
        RunConfig("samme", depth=depth, n_trees=boosted, seed=seed),
    )


def _shallow(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return _pair(3, seed)


def _alone(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return _pair(3, seed, bagged=1, boosted=1)


def _more_bagged(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return _pair(3, seed, bagged=5 * N_TREES)


def _deeper(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return _pair(8, seed)


WEAK = 0.8
"""Of two spirals a tree of depth 3 is right for no greater share."""


def _both_weak(runs: tuple[History, ...]) -> bool:
    return all(FIGURES["unseen"].value(run) < WEAK for run in runs)


BOOSTING = Lesson(
    key="boosting",
    short=N_("Boosting"),
    title=N_("All at once, or one after another"),
    text=(
        N_(
            "Each forest has thirty [[greedy]] [[trees|tree]] that may ask three questions in "
            "a row, far too few for two spirals. In forest I every tree learns from points drawn "
            "at random and knows nothing of the others: bagging."
        ),
        N_(
            "In forest II they come one after another. Each learns from all points, but those that "
            "the trees before it get wrong count for more: boosting. In the end the trees of a "
            "forest vote."
        ),
    ),
    guess=Guess(
        N_("Which forest will be right more often, on unseen points?"),
        (
            N_("Forest I, whose trees know nothing of each other"),
            N_("Forest II, whose trees come one after another"),
            N_("They will do about equally well"),
        ),
        Trial(
            "spirals",
            _shallow,
            changed=N_("what a tree minds: points drawn at random, or the mistakes so far"),
            held=N_("points, depth 3, thirty trees, how a cut is chosen"),
            figures=("unseen", "training"),
            names=(N_("Bagging"), N_("Boosting")),
            n_points=600,
            test_share=50,
        ),
        Highest("unseen", 1),
    ),
    claim=N_(
        "Bagging steadies what its trees say. Boosting lets them say more together than any of "
        "them could."
    ),
    why=N_("Why does forest II get further?"),
    reasons=(
        Reason(
            N_("Each of its trees asks where those before it are wrong, so they ask elsewhere"),
            N_(
                "Trees that make the same mistake make it together as well. Where mistakes count "
                "for more, the next tree has to cut somewhere else, and a vote of many simple "
                "trees can draw what none of them can."
            ),
        ),
        Reason(
            N_("Its single trees are the better ones"),
            N_("One tree of depth 3 is far from two spirals, whichever forest it is of."),
            Demonstration(
                N_("The first tree of each forest alone."),
                Against(_both_weak, N_("Neither tree alone gets anywhere near.")),
                Trial(
                    "spirals",
                    _alone,
                    changed=N_("points drawn at random, or all points"),
                    held=N_("points, depth 3, one tree each"),
                    figures=("unseen", "training"),
                    names=(N_("One tree of bagging"), N_("One tree of boosting")),
                    n_points=600,
                    test_share=50,
                ),
            ),
        ),
        Reason(
            N_("Thirty are too few for forest I"),
            N_(
                "More trees steady the vote, and no more than that: on average each of them would "
                "draw the same."
            ),
            Demonstration(
                N_("Forest I has 150 trees now."),
                Highest("unseen", 1, N_("Five times as many trees make the same mistakes.")),
                Trial(
                    "spirals",
                    _more_bagged,
                    changed=N_("what a tree minds; and now 150 trees in forest I"),
                    held=N_("points, depth 3, how a cut is chosen"),
                    figures=("unseen", "training"),
                    names=(N_("Bagging, 150 trees"), N_("Boosting, 30 trees")),
                    n_points=600,
                    test_share=50,
                ),
            ),
        ),
    ),
    other=N_(
        "Three rings, so blurred that neighbours belong to different ones by chance. The trees of "
        "both forests may ask eight questions in a row now."
    ),
    transfer=Guess(
        N_("Which forest will be right more often here, on unseen points?"),
        (
            N_("Forest I, whose trees know nothing of each other"),
            N_("Forest II, whose trees come one after another"),
            N_("They will do about equally well"),
        ),
        Trial(
            "rings",
            _deeper,
            changed=N_("what a tree minds: points drawn at random, or the mistakes so far"),
            held=N_("points, depth 8, thirty trees, how a cut is chosen"),
            figures=("many unseen", "training"),
            names=(N_("Bagging"), N_("Boosting")),
            n_points=1500,
            noise=1.0,
            test_share=60,
        ),
        Highest(
            "many unseen",
            0,
            N_(
                "Points that lie where they are by chance stay wrong, so boosting minds them more "
                "and more and learns the noise. Bagging averages it away."
            ),
        ),
    ),
    afterword=N_(
        "Where there is little noise boosting may gain even after its last training mistake: it "
        "goes on to widen the [[margins|vote margin]] of its vote. *Inspect* in the Lab draws "
        "the margins of any [[forest]]."
    ),
)


def _hinge(seed: int, features: str = "inner products", batches: int = 1000) -> RunConfig:
    return RunConfig(
        "hinge-forest",
        trees=5,
        depth=3,
        features=features,
        n_features=20,
        batches=batches,
        seed=seed,
    )


def _given_and_learnt(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return _hinge(seed, "raw"), _hinge(seed)


def _both_for_longer(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return _hinge(seed, "raw", batches=2000), _hinge(seed, batches=2000)


BY_HEART = 0.1
"""A forest that is right so much less often on unseen points has learnt others by heart."""


def _not_by_heart(runs: tuple[History, ...]) -> bool:
    learnt, unseen = (FIGURES[name].value(runs[1]) for name in ("training", "unseen"))
    return learnt - unseen < BY_HEART


_GIVEN, _LEARNT = N_("Features as given"), N_("Features that are learnt")

FEATURES = Lesson(
    key="features",
    short=N_("Features"),
    title=N_("What to ask about"),
    text=(
        N_(
            "Most trees ask about the [[features|feature]] that they are given. A [[hinge "
            "forest|hinge]] can ask about other numbers: weighted sums of all features, whose "
            "weights are learnt together with the leaves."
        ),
        N_(
            "Both forests have five trees that ask three questions in a row. Forest I asks about "
            "x1 and x2 as they are, forest II about twenty sums of them, drawn at random at first. "
            "The classes are slanted stripes."
        ),
    ),
    guess=Guess(
        N_("Which forest will be right more often, on unseen points?"),
        (
            N_("Forest I, which asks about x1 and x2"),
            N_("Forest II, which learns what to ask about"),
            N_("They will do about equally well"),
        ),
        Trial(
            "stripes",
            _given_and_learnt,
            changed=N_("what a question is about: a feature as given, or a sum that is learnt"),
            held=N_("points, five trees, depth 3, 1,000 steps"),
            figures=("unseen", "training"),
            names=(_GIVEN, _LEARNT),
            n_points=600,
            test_share=50,
        ),
        Highest("unseen", 1),
    ),
    claim=N_("What to ask about can be learnt, as well as where to cut."),
    why=N_("Why does forest II do better?"),
    reasons=(
        Reason(
            N_("Learning has turned its sums until their cuts lie along the stripes"),
            N_(
                "What a leaf gets wrong tells the number that its question was about which way to "
                "turn. So the sums become features of these data, and all five trees share them."
            ),
        ),
        Reason(
            N_("It has learnt its training points by heart"),
            N_("Then it would be far worse on unseen points than on those it has learnt from."),
            Demonstration(
                N_("Compare training points and unseen ones in the numbers of forest II."),
                Against(_not_by_heart, N_("It is nearly as good on unseen points.")),
            ),
        ),
        Reason(
            N_("Forest I has not learnt for long enough"),
            N_("More steps help both, and do not turn a question that cannot turn."),
            Demonstration(
                N_("Both learn twice as long."),
                Highest("unseen", 1, N_("Both gain, and forest I stays behind.")),
                Trial(
                    "stripes",
                    _both_for_longer,
                    changed=N_("what a question is about; both with 2,000 steps now"),
                    held=N_("points, five trees, depth 3"),
                    figures=("unseen", "training"),
                    names=(_GIVEN, _LEARNT),
                    n_points=600,
                    test_share=50,
                ),
            ),
        ),
    ),
    other=N_("Four corners, as in the second lesson: here the borders lie along the axes."),
    transfer=Guess(
        N_("Which forest will be right more often here, on unseen points?"),
        (
            N_("Forest I, which asks about x1 and x2"),
            N_("Forest II, which learns what to ask about"),
            N_("They will do about equally well"),
        ),
        Trial(
            "xor",
            _given_and_learnt,
            changed=N_("what a question is about: a feature as given, or a sum that is learnt"),
            held=N_("points, five trees, depth 3, 1,000 steps"),
            figures=("unseen", "training"),
            names=(_GIVEN, _LEARNT),
            n_points=1000,
            test_share=50,
        ),
        Highest(
            "unseen",
            2,
            N_(
                "The given features are the right ones already, so there is nothing to turn, and a "
                "sum is harder to read than a feature."
            ),
        ),
    ),
    afterword=N_(
        "In images such sums become small filters, learnt in the same way. The Lab has every "
        "kind of [[forest]]."
    ),
)

"""Lessons on what SGD makes smaller: the bound, ν, and leaves that nobody reaches."""

from __future__ import annotations

from typing import Any

from treecore import RunConfig
from treecore.viewer.messages.status import History
from ui.language.translate import N_
from ui.learn.figures import FIGURES
from ui.learn.outcomes import Against, Highest, about_nu, about_the_bound
from ui.learn.parts import LEAST_NU, MOST_NU, Demonstration, Guess, Lesson, Reason, Trial


def _bound(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return (RunConfig("sgd", depth=3, seed=seed),)


def _large_steps(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return RunConfig("sgd", depth=3, seed=seed), RunConfig("sgd", depth=3, eta=0.5, seed=seed)


def _tightness(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return tuple(RunConfig("sgd", depth=4, nu=value, seed=seed) for value in (2.0, 500.0))


def _gap_changes(runs: tuple[History, ...]) -> bool:
    last, widest = (FIGURES[name].value(runs[0]) for name in ("gap", "gap widest"))
    return FIGURES["gap"].apart(widest, last)


def _losses_rise(runs: tuple[History, ...]) -> bool:
    return all(FIGURES["rises"].value(run) > 0 for run in runs)


BOUND = Lesson(
    key="bound",
    short=N_("The bound"),
    title=N_("The bound and the loss"),
    text=(
        N_(
            "What a tree gets wrong is measured by its [[loss]]. Turn a cut a little, and "
            "most of the time no point changes sides: the loss does not move, and then it "
            "jumps. Nothing tells the learner which way to turn."
        ),
        N_(
            "The [[bound]] does. For every point it takes the worst [[leaf]] that a small "
            "turn of the cuts could send it to, the smaller the turn the more it counts. "
            "Learning pushes the bound down, and looks at nothing else. Both are drawn on "
            "one scale beside the map."
        ),
    ),
    guess=Guess(
        N_("Learning never looks at the loss itself. Can the loss come out above the bound?"),
        (
            N_("Never"),
            N_("Now and then, early on"),
            N_("Often: they have little to do with each other"),
        ),
        Trial(
            "moons",
            _bound,
            changed=N_("time: the same tree before and after every pass"),
            held=N_("points, depth 3, ν"),
            figures=("loss", "bound", "gap widest", "gap"),
            view="curves",
            n_points=400,
        ),
        about_the_bound,
    ),
    claim=N_(
        "The bound is never below the loss, so pushing it down presses on the loss. It promises "
        "no more than that."
    ),
    why=N_("Why is the loss never above the bound?"),
    reasons=(
        Reason(
            N_("A point's own leaf is among those that the bound looks at, and costs no turn"),
            N_(
                "The bound is the *greatest* of several values, and one of them is the loss "
                "itself. The greatest cannot be below one of its own."
            ),
        ),
        Reason(
            N_("The bound is the loss and a fixed reserve on top"),
            N_(
                "The reserve is different for every point and changes all the time. Far from "
                "all cuts it is nothing at all."
            ),
            Demonstration(
                N_(
                    "Look at the distance of the two curves: where is it widest, and how "
                    "wide is it in the end?"
                ),
                Against(_gap_changes, N_("The distance has changed: there is no fixed reserve.")),
            ),
        ),
        Reason(
            N_("A step after which the loss is higher is taken back"),
            N_(
                "Nothing is taken back; the learner does not know its loss. It may rise, as "
                "long as it stays below the bound."
            ),
            Demonstration(
                N_(
                    "Two runs, the second with steps five times as large. How often does the "
                    "loss rise from one pass to the next?"
                ),
                Against(_losses_rise, N_("In both runs the loss rose again and again.")),
                Trial(
                    "moons",
                    _large_steps,
                    changed=N_("the size of a step"),
                    held=N_("points, depth 3, ν"),
                    figures=("loss", "bound", "rises"),
                    names=(N_("Usual steps"), N_("Large steps")),
                    chart=N_("Loss"),
                    n_points=400,
                ),
            ),
        ),
    ),
    other=N_(
        "Three curved arms. ν limits how large the weights of a cut may be: 2 for tree I, "
        "500 for tree II. With large weights a point is soon far from every cut, as the "
        "bound measures it."
    ),
    transfer=Guess(
        N_("Whose bound lies further above its loss in the end?"),
        (N_("That of tree I, ν = 2"), N_("That of tree II, ν = 500"), N_("About equally far")),
        Trial(
            "pinwheel",
            _tightness,
            changed="ν",
            held=N_("points, depth 4, start"),
            figures=("loss", "bound", "gap"),
            names=("ν = 2", "ν = 500"),
            chart=N_("Bound"),
            n_points=400,
        ),
        Highest(
            "gap",
            0,
            N_(
                "With large weights hardly a point is near a cut, and the bound is tight. It "
                "then says almost what the loss says, and tells a cut as little where to "
                "turn."
            ),
        ),
    ),
)


def _nus(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return tuple(
        RunConfig("sgd", depth=6, nu=float(value), seed=seed) for value in (LEAST_NU, nu, MOST_NU)
    )


def _steps(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return tuple(RunConfig("sgd", depth=6, eta=value, seed=seed) for value in (0.02, 0.5))


def _far_nus(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return tuple(
        RunConfig("sgd", depth=6, nu=float(value), seed=seed) for value in (LEAST_NU, MOST_NU)
    )


def _most_awake_is_not_best(runs: tuple[History, ...]) -> bool:
    awake, unseen = ([FIGURES[name].value(run) for run in runs] for name in ("awake", "unseen"))
    return unseen[awake.index(max(awake))] < max(unseen)


NU = Lesson(
    key="nu",
    short="ν",
    title=N_("One number, ν"),
    text=(
        N_(
            "[[ν|nu]] (“nu”) limits how large the weights of a cut may be. With small weights "
            "every cut has a broad [[margin]], and points near it are pulled to whichever side "
            "is safer."
        ),
        N_(
            "All three trees begin with the same 64 leaves. A leaf that some point reaches "
            "is [[awake|active]], and the others sleep. ν is 1 for tree I and 1000 for tree "
            "III. The ν of tree II is yours to choose."
        ),
    ),
    guess=Guess(
        N_("As ν grows from 1 to 1000, how many leaves stay awake?"),
        (N_("Fewer"), N_("More"), N_("About as many")),
        Trial(
            "spirals",
            _nus,
            changed="ν",
            held=N_("points, depth 6, the tree to begin with"),
            figures=("awake", "unseen", "training"),
            chart="nu",
            n_points=500,
        ),
        about_nu,
    ),
    claim=N_("ν decides how much of a tree comes alive: a small one prunes it while it learns."),
    why=N_("Why do so many leaves fall asleep when ν is small?"),
    reasons=(
        Reason(
            N_(
                "Margins are broad, so most points count as near a cut and are pulled over "
                "it, until leaves are empty"
            ),
            N_(
                "Scores grow slowly where weights are small, so a small turn could send "
                "almost any point elsewhere, and the bound punishes that. Whole branches are "
                "given up. With a large ν the bound lies so close to the loss that it hardly "
                "tells a cut where to turn."
            ),
        ),
        Reason(
            N_("A small ν means small steps, which reach few leaves"),
            N_(
                "ν does not limit steps. They have a size of their own, η, and smaller steps keep "
                "*more* leaves awake."
            ),
            Demonstration(
                N_("The same ν in both, small steps in tree I and large ones in tree II."),
                Highest("awake", 0, N_("It is the large steps that empty leaves.")),
                Trial(
                    "spirals",
                    _steps,
                    changed=N_("the size of a step, η"),
                    held=N_("points, depth 6, ν = 20"),
                    figures=("awake", "unseen"),
                    names=("η = 0.02", "η = 0.5"),
                    chart=N_("Active leaves"),
                    n_points=500,
                ),
            ),
        ),
        Reason(
            N_("The tree with most leaves awake has learnt most, the others are not done"),
            N_(
                "All have learnt for as many passes. And the one with most leaves awake is not the "
                "best on unseen points."
            ),
            Demonstration(
                N_("Compare leaves awake with points right."),
                Against(
                    _most_awake_is_not_best,
                    N_("The tree with most leaves awake is not right most often on unseen points."),
                ),
            ),
        ),
    ),
    other=N_("Three rings, one inside the other, and again 64 leaves for each tree."),
    transfer=Guess(
        N_("Which tree will be right more often, on unseen points?"),
        (N_("Tree I, ν = 1"), N_("Tree II, ν = 1000"), N_("They will do about equally well")),
        Trial(
            "rings",
            _far_nus,
            changed="ν",
            held=N_("points, depth 6, the tree to begin with"),
            figures=("awake", "unseen", "training"),
            names=("ν = 1", "ν = 1000"),
            chart=N_("Active leaves"),
        ),
        Highest(
            "unseen",
            1,
            N_(
                "Too large a ν only learns less well. Too small a one gives up every leaf "
                "but a few, and three classes cannot be told apart by one."
            ),
        ),
    ),
)


def _sleep(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return _pair(seed, 5)


def _few_leaves(seed: int, nu: float) -> tuple[RunConfig, ...]:
    return _pair(seed, 4)


def _pair(seed: int, depth: int) -> tuple[RunConfig, ...]:
    same: dict[str, Any] = {"depth": depth, "nu": 10.0, "seed": seed}
    return RunConfig("sgd", **same), RunConfig("stable-sgd", **same)


def _patience(seed: int, nu: float) -> tuple[RunConfig, ...]:
    same: dict[str, Any] = {"depth": 5, "nu": 10.0, "seed": seed}
    return RunConfig("sgd", **same), RunConfig("sgd", epochs=400, **same)


def _none_woke(runs: tuple[History, ...]) -> bool:
    usual, patient = (FIGURES["awake"].value(run) for run in runs)
    return patient <= 1.1 * usual


LEAVES = Lesson(
    key="leaves",
    short=N_("Leaves"),
    title=N_("Leaves that nobody reaches"),
    text=(
        N_(
            "A step of learning pushes a point away from a bad [[leaf]], over the cuts, into "
            "a better one. A leaf may lose its last point that way. Then it is [[asleep]]: "
            "it predicts for nobody."
        ),
        N_(
            "Tree I is learnt by plain [[SGD|sgd]]. In [[Stable SGD|stable]] each point is "
            "*assigned* to a leaf and stays so while the [[bound]] still falls; only then "
            "all points are assigned anew."
        ),
    ),
    guess=Guess(
        N_("Which tree has more leaves awake in the end?"),
        (N_("Tree I, plain SGD"), N_("Tree II, Stable SGD"), N_("About as many in both")),
        Trial(
            "spirals",
            _sleep,
            changed=N_("whether points keep the leaf they are assigned to"),
            held=N_("points, depth 5, ν = 10, the tree to begin with"),
            figures=("awake first", "awake", "unseen"),
            view="tree",
            chart=N_("Active leaves"),
            n_points=500,
        ),
        Highest("awake", 1),
    ),
    claim=N_("Plain SGD loses leaves for good; Stable SGD holds more of them."),
    why=N_("Why does a leaf that has lost its last point stay asleep?"),
    reasons=(
        Reason(
            N_("It predicts for nobody, so no point's step pulls anything back into it"),
            N_(
                "Only points that reach a leaf turn the cuts on the way to it. In Stable SGD every "
                "point goes on pulling the leaf it is assigned to, even after it has left."
            ),
        ),
        Reason(
            N_("The tree has more leaves than the data need"),
            N_("Then a smaller tree would keep all of its own. It does not."),
            Demonstration(
                N_("Both trees have 16 leaves now instead of 32."),
                Highest("awake", 1, N_("Tree I loses leaves although it has few to lose.")),
                Trial(
                    "spirals",
                    _few_leaves,
                    changed=N_("whether points keep the leaf they are assigned to"),
                    held=N_("points, ν = 10, and now depth 4"),
                    figures=("awake first", "awake", "unseen"),
                    view="tree",
                    n_points=500,
                ),
            ),
        ),
        Reason(
            N_("It has not had the time: it wakes up when learning goes on"),
            N_("With more passes more leaves fall asleep than wake."),
            Demonstration(
                N_("Both by plain SGD, tree II four times as long."),
                Against(_none_woke, N_("Four times the passes have woken no leaves.")),
                Trial(
                    "spirals",
                    _patience,
                    changed=N_("how many passes: 100 or 400"),
                    held=N_("points, depth 5, ν = 10, plain SGD"),
                    figures=("awake", "passes"),
                    names=(N_("100 passes"), N_("400 passes")),
                    chart=N_("Active leaves"),
                    n_points=500,
                ),
            ),
        ),
    ),
    other=N_("Two moons, 32 leaves again. Stable SGD keeps more of them awake here too."),
    transfer=Guess(
        N_("Will that make tree II right more often, on unseen points?"),
        (N_("No, tree I will be"), N_("Yes, tree II will be"), N_("Both about equally often")),
        Trial(
            "moons",
            _sleep,
            changed=N_("whether points keep the leaf they are assigned to"),
            held=N_("points, depth 5, ν = 10, the tree to begin with"),
            figures=("awake", "unseen", "training"),
            view="tree",
            n_points=1000,
            test_share=50,
        ),
        Highest(
            "unseen",
            2,
            N_(
                "The moons need few leaves, and both trees have them. More leaves awake are "
                "a means and no end."
            ),
        ),
    ),
)

"""SGD and Stable SGD in slow motion: an example, how it turns splits, and the numbers of that."""

import numpy as np
import streamlit as st

from treecore import Tree
from treecore.core import Scaling, leaf_probabilities
from treecore.data import Dataset
from treecore.inspection import REASSIGN, SGDDebugger, SGDStep, Turn, candidates
from treecore.learners.nongreedy.sgd.sgd import SGD
from treecore.training import SGDSettings
from treecore.viewer import GLOSSARY
from ui.drawing.on_page import show
from ui.drawing.target_style import Answers
from ui.language.translate import N_, _, ngettext, number, written
from ui.shell.glossary import STEP_GLOSSARY
from ui.step.charts import candidates_figure, show_weights
from ui.step.formula import the_way, update_formulas, value_formula
from ui.step.slow_motion import SlowMotion, Watched


def bench_of(watched: Watched) -> SGDDebugger:
    """SGD held still at a tree, with the learning rate that its run begins with."""
    settings, rows = watched.config.settings, watched.trainer.rows.complete
    assert isinstance(settings, SGDSettings)
    rng = np.random.default_rng(watched.config.seed)
    # With a scaling of its own the learner goes on from the weights as they are.
    learner = SGD(rows, watched.inner(), settings, rng=rng, scaling=Scaling.fit(rows.X))
    exact = settings.inference == "exact"
    bench = SGDDebugger(learner, rows, exact, settings.eta, settings.nu)
    if bench.assigned is not None and watched.frame.assigned is not None:
        bench.assigned[:] = watched.frame.assigned
    return bench


class SlowSGD(SlowMotion):
    """Examples in an order of a run, or as they are picked; bench: SGD before its step."""

    def __init__(self, watched: Watched, row: int | None = None):
        super().__init__(watched)
        self.bench = bench_of(watched)
        self._place = -1
        if row is None:
            self.next()
        else:
            self.choose(row)

    def choose(self, which: int) -> None:
        self._go_on()
        self.at = which % len(self.bench.order)
        self.step: SGDStep = self.bench.trace_update(self.at)
        self._mark()

    def _go_on(self) -> None:
        """The next step begins where the one that has been taken has led."""
        if self.taken:
            self.bench, self.taken = self.bench.after([self.at]), False

    def next(self) -> None:
        self._go_on()
        order, turning = self.bench.order, self.bench.measure()[2]
        ahead = [int(order[(self._place + i) % len(order)]) for i in range(1, len(order) + 1)]
        skipped = next((i for i, row in enumerate(ahead) if turning[row]), 0)
        self._place += 1 + skipped
        self.choose(ahead[skipped])

    def _now(self) -> tuple[SGDDebugger, int]:
        return self.bench, self.at

    def _after(self) -> Tree:
        return self.bench.tree(self.step.tree)

    def _restore(self, start: SGDDebugger, what: int) -> None:
        self.bench = start
        self.show(start.tree())
        self.choose(what)

    def reassign(self) -> None:
        """Give every example the leaf that it reaches now, as Stable SGD does now and then."""
        self._go_on()
        self._past.append(self._now())
        self.bench = self.bench.after([REASSIGN])
        self.choose(self.at)

    def _mark(self) -> None:
        shown = self.watched.stage.rows_shown
        search = self.step.search
        here = {"leaf": search.h_leaf}
        if self.at in shown:  # of many examples the map shows some
            here = {"point": shown.index(self.at)}
        away = {"leaf": search.g_leaf, "away": True}
        marks = (here,) if search.g_leaf == search.h_leaf else (away, here)
        turned = tuple(turn.split for turn in self.step.turns) if self.taken else ()
        self.source.mark(*marks, turned=turned)

    def lines(self) -> list[str]:
        step, n_turned = self.step, len(self.step.turns)
        target = self.answers.target(self.at)
        first = _(
            "**Example {row}** ({target}) follows the solid path.", row=self.at, target=target
        )
        cost = number(step.search.bound)
        if step.search.g_leaf == step.search.h_leaf:
            second = _("No small change of the splits would send it to a worse leaf.")
        else:
            second = _(
                "A small change of the splits could send it down the dashed path, at a cost of "
                "{cost}.",
                cost=cost,
            )
        if self.taken:
            third = _("Done. Its bound is now {bound}.", bound=number(step.bound_after))
        elif n_turned:
            third = ngettext(
                "So the step turns {n} split away from there.",
                "So the step turns {n} splits away from there.",
                n_turned,
            )
            if step.assigned is not None and step.assigned != step.search.h_leaf:
                third = ngettext(
                    "The step turns {n} split, also back towards the assigned leaf.",
                    "The step turns {n} splits, also back towards the assigned leaf.",
                    n_turned,
                )
        else:
            third = _("The step turns no split; it only teaches the leaf the class or number.")
        return [first, second, third]

    def controls(self) -> None:
        if self.bench.assigned is not None:
            st.button(
                _("Reassign"),
                on_click=self.reassign,
                key="slow_reassign",
                help=_(
                    "Assigns every example to the leaf that it reaches now. Stable SGD does this "
                    "when an epoch hardly lowers the bound."
                ),
            )

    def mathematics(self) -> None:
        answers, bench, step, row = self.answers, self.bench, self.step, self.at
        back = self.watched.trainer.units.inverse_transform
        trees = back(bench.tree()), back(bench.tree(step.tree))
        bound, loss, _turning = bench.measure()
        eta = number(bench.eta)
        st.caption(_("The learning rate η is {eta}, as at the start of the run.", eta=eta))
        the_way(step, answers.data)
        change, dangers = st.tabs([_("Changes"), _("Candidate leaves")])
        with change:
            the_update(answers, bench, trees, row, step, bound, loss)
        with dangers:
            all_leaves(bench, row, step, answers)


def all_leaves(bench: SGDDebugger, row: int, step: SGDStep, answers: Answers) -> None:
    st.header(_("Every leaf as a candidate"), help=_(STEP_GLOSSARY["value"]))
    table = candidates(bench.joint, bench.X[row], bench.y[row], bench.exact)
    value_formula(step.search, table)
    note = ""
    if not bench.exact:
        note = _(
            " Pale: more than one changed decision away. Fast inference may not choose "
            "these leaves."
        )
    st.caption(
        _(
            "Which leaf would be worst if small changes of the splits sent the example there? "
            "Sorted by v: ĥ is the example's own leaf, ĝ is the worst one. Long penalties leave "
            "the picture."
        )
        + note
    )
    show(
        candidates_figure(table, step.search, answers.unit, answers.colours),
        "step_candidates",
        _("Loss, penalty and v of every leaf, the largest v on top."),
    )


def the_update(answers: Answers, bench, trees, row, step: SGDStep, bound, loss) -> None:
    """Bound, loss, weights and leaf before and after the step; ``trees`` are those, outward."""
    st.header(_("What the step changes"), help=_(STEP_GLOSSARY["turn"]))
    update_formulas(step, answers.data)
    applied = bench.after([row])
    new_bound, new_loss, _rows = applied.measure()
    figures = (
        (_("Bound here"), step.bound_before, step.bound_after, "bound", _("of this example")),
        (_("Loss here"), step.loss_before, step.loss_after, "loss", _("of this example")),
        (_("Mean bound"), _mean(bound), _mean(new_bound), "bound", _("over all examples")),
        (_("Mean loss"), _mean(loss), _mean(new_loss), "loss", _("over all examples")),
    )
    st.caption(
        _(
            "The values after the step, and below each its change. A step that helps one example "
            "may hurt others."
        )
    )
    with st.container(horizontal=True):
        for label, before, after, word, whose in figures:
            change = written(after - before, "+.3f").replace("−", "-")  # Streamlit reads the sign
            st.metric(
                label,
                written(after, ".3f"),
                delta=None if after == before else change,
                delta_color="inverse",
                help=_(
                    "After the step, {whose}; below, the change. {glossary}",
                    whose=whose,
                    glossary=_(GLOSSARY[word]),
                ),
            )
    if not step.turns:
        st.caption(_("No split turns: the bound of this example is flat in W here."))
    for turn in step.turns:
        _turn_of(answers.data, turn)
    if step.turns:
        st.caption(
            _(
                "Weights are for features measured from their mean. The offset is the part of "
                "the score that depends on no feature."
            )
        )
    learns = N_("**Leaf {g_leaf}** learns the example's class.")
    if answers.numbers:
        learns = N_("**Leaf {g_leaf}** learns the example's number.")
    st.markdown(_(learns, g_leaf=step.search.g_leaf), help=_(STEP_GLOSSARY["taught"]))
    _taught(answers, row, step, trees)


def _taught(answers: Answers, row: int, step: SGDStep, trees) -> None:
    """What the leaf says before and after; ``trees`` are those."""
    leaf, target = step.search.g_leaf, answers.data.y[row]
    if answers.numbers:
        before, after = (float(tree.values[leaf][0]) for tree in trees)
        st.caption(
            _(
                "The leaf predicts {before} before and {after} after; the example is {target}.",
                before=number(before, 4),
                after=number(after, 4),
                target=number(target, 4),
            )
        )
        return
    before, after = (float(leaf_probabilities(tree)[leaf][target]) for tree in trees)
    st.caption(
        _(
            "The probability of the example's class there goes from {before} to {after}, its value "
            "θ from {theta_before} to {theta_after}.",
            before=written(before, ".1%"),
            after=written(after, ".1%"),
            theta_before=number(step.theta_before[target]),
            theta_after=number(step.theta_after[target]),
        )
    )


def _mean(values: np.ndarray) -> float:
    return float(values.mean(dtype=np.float64))


_WHY_TURNED = {
    ("right", True): N_(
        "**Split {split}** turns the example to the right, back towards its assigned leaf."
    ),
    ("left", True): N_(
        "**Split {split}** turns the example to the left, back towards its assigned leaf."
    ),
    ("right", False): N_("**Split {split}** sends the example to the right, now more clearly."),
    ("left", False): N_("**Split {split}** sends the example to the left, now more clearly."),
}


def _turn_of(data: Dataset, turn: Turn) -> None:
    side = "right" if turn.towards_right else "left"
    why = _(_WHY_TURNED[side, bool(turn.forced)], split=turn.split)
    score = _(
        "Its score goes from {before} to {after}.",
        before=number(turn.score_before),
        after=number(turn.score_after),
    )
    short = _(" Its weights had grown beyond ν and were shortened.") if turn.shortened else ""
    st.markdown(f"{why} {score}{short}", help=_(STEP_GLOSSARY["turn"]))
    alt = _("Weights of split {split}.", split=turn.split)
    p, key = data.n_features, f"step_weights_{turn.split}"
    show_weights(data, turn.before[: p + 1], turn.after[: p + 1], key, alt, f"split{turn.split}")

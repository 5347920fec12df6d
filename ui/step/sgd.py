"""SGD and Stable SGD in slow motion: one example, and how it turns the splits."""

import numpy as np
import streamlit as st

from treecore import Tree
from treecore.core import Scaling
from treecore.inspection import REASSIGN, SGDDebugger, SGDStep
from treecore.learners.nongreedy.sgd.sgd import SGD
from treecore.training import SGDSettings
from ui.drawing.theme import number
from ui.language.translate import _, ngettext
from ui.step.formula import the_way
from ui.step.slow_motion import SlowMotion, Watched
from ui.step.tables import all_leaves, the_update


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

"""TAO in slow motion: one split, the examples that care about it, and the split they make."""

import numpy as np
import streamlit as st

from treecore import Tree
from treecore.core import split_weights
from treecore.inspection import NodeStep, improve_split, relabel, tao_order, tree_cost
from treecore.training import TAOSettings
from treecore.viewer import GLOSSARY
from ui.language.translate import _, ngettext, number, written
from ui.shell.glossary import STEP_GLOSSARY, STEP_NUMBERS
from ui.step.charts import show_weights
from ui.step.slow_motion import SlowMotion, Watched, split_box


class SlowTAO(SlowMotion):
    """Splits in the order in which TAO visits them, or as they are picked."""

    def __init__(self, watched: Watched, split: int | None = None):
        super().__init__(watched)
        assert isinstance(watched.config.settings, TAOSettings)
        self._settings = watched.config.settings
        self.tree = watched.inner()
        self._order = tao_order(self.tree)
        self.at = self._order[-1]
        if split is None:
            self.next()
        else:
            self.choose(split)

    def _improved(self, split: int) -> NodeStep:
        c, n_steps, ridge = self._settings.C, self._settings.max_iter, self._settings.ridge
        rows = self.watched.trainer.rows
        return improve_split(self.tree, rows, split, C=c, max_iter=n_steps, ridge=ridge)

    def choose(self, which: int) -> None:
        if which not in self._order:
            which = self._order[-1]
        self.taken, self.at, self.step = False, which, self._improved(which)
        self._mark()

    def next(self) -> None:
        i = self._order.index(self.at)
        ahead = [*self._order[i + 1 :], *self._order[: i + 1]]
        caring = None
        for split in ahead[:8]:  # each takes as long as a step
            step = self._improved(split)
            if step.accepted and step.wrong_after < step.wrong_before:
                return self.choose(split)
            if caring is None and len(step.care):
                caring = split
        return self.choose(ahead[0] if caring is None else caring)

    def _now(self) -> tuple[Tree, int]:
        return self.tree, self.at

    def _after(self) -> Tree:
        self.tree = self.step.tree
        if self.at == self._order[-1]:  # behind the root leaves take the classes of their rows
            self.tree = relabel(self.tree, self.watched.trainer.rows, self._settings.smoothing)
        return self.tree

    def _restore(self, start: Tree, what: int) -> None:
        self.tree = start
        self.show(start)
        self.choose(what)

    def _mark(self) -> None:
        step = self.step
        wants = dict(zip(step.care.tolist(), step.wants_right.tolist(), strict=True))
        turned = (self.at,) if self.taken and step.accepted else ()
        self.source.mark({"split": self.at}, turned=turned, sides=wants)

    def lines(self) -> list[str]:
        step = self.step
        n_care = len(step.care)
        if not n_care:
            return [_("At the marked split, the side matters for no example: the split stays.")]
        first = ngettext(
            "At the marked split, the side matters for {n} example.",
            "At the marked split, the side matters for {n} examples.",
            n_care,
        )
        second = _("One side classifies them correctly, the other does not.")
        if self.answers.numbers:
            second = _("One side predicts them more closely than the other.")
        if step.one_sided:
            second = _("The same side is better for all of them, so the split sends all there.")
        fewer = step.wrong_before - step.wrong_after
        third = _(
            "The new split sends {change} fewer of them to the wrong side.", change=number(fewer)
        )
        if fewer == 0:
            third = _("The new split sends as many of them to the wrong side as the old one.")
        if not step.accepted:
            third = _(
                "The new split would send {change} more of them to the wrong side, so the old "
                "one stays.",
                change=number(-fewer),
            )
        return [first, second + " " + _("Rings show the better side."), third]

    def controls(self) -> None:
        split_box(self, sorted(self._order))

    def mathematics(self) -> None:
        step, answers = self.step, self.answers
        words = STEP_GLOSSARY | (STEP_NUMBERS if answers.numbers else {})
        st.caption(_(words["care"]) + " " + _(words["pseudolabel"]))
        before = self._past[-1][0] if self.taken else self.tree
        old, new = (tree_cost(tree, self.watched.trainer.rows) for tree in (before, step.tree))
        said = "loss" if answers.numbers else "accuracy"
        shape = ".4f" if answers.numbers else ".1%"
        st.dataframe(
            {
                "": [_("sent to the wrong side"), _("error of the whole tree")],
                _("before"): [number(step.wrong_before), written(old, shape)],
                _("after"): [number(step.wrong_after), written(new, shape)],
            },
            hide_index=True,
        )
        st.caption(_(words["weighted error"]) + " " + _(GLOSSARY[said]))
        if step.weights is not None:
            self._weights(before, step.weights)

    def _weights(self, tree: Tree, learnt: np.ndarray) -> None:
        data, step = self.watched.data.train, self.step
        (old,) = split_weights(tree, [step.split])
        spread = data.X.std(axis=0)
        before, after = (_unit(w * spread) for w in (old, learnt))
        st.caption(
            _(
                "Weights times the features' standard deviations, scaled to one length. The "
                "learnt split uses {used} of {n_features} features. ",
                used=int(np.count_nonzero(learnt)),
                n_features=data.n_features,
            )
            + _(STEP_GLOSSARY["C"])
        )
        alt = _("Weights of split {split} before and after.", split=step.split)
        show_weights(data, before, after, "step_weights", alt)


def _unit(w: np.ndarray) -> np.ndarray:
    size = np.linalg.norm(w)
    return w / size if size > 0 else w

"""OC1 in slow motion: one coefficient of one split, and the impurity at each of its values."""

import numpy as np
import streamlit as st

from treecore import RunConfig, Tree, apply
from treecore.core import Criterion, split_depths
from treecore.inspection import (
    Hyperplane,
    Move,
    node_projection,
    plane_at,
    raw_split,
    split_coefficients,
    try_coefficient,
    with_split,
)
from treecore.learners.greedy.finders.oblique import largest_of, write_direction
from treecore.pruning import leaves_below
from treecore.training import OC1Settings, TreeTrainer
from ui.drawing.on_page import show
from ui.language.translate import _, number
from ui.shell.glossary import STEP_GLOSSARY, STEP_NUMBERS
from ui.step.charts import move_figure, show_weights
from ui.step.slow_motion import SlowMotion, Watched, split_box


class SlowOC1(SlowMotion):
    """Coefficients of a split one after another, from the best axis-aligned split of its rows."""

    def __init__(self, watched: Watched, split: int | None = None):
        super().__init__(watched)
        settings = watched.config.settings
        assert isinstance(settings, OC1Settings)
        self._settings = settings
        self.tree = watched.inner()
        self._nodes = np.argsort(split_depths(self.tree), kind="stable").tolist()
        self._names = [*watched.data.train.feature_names, _("offset")]
        self.choose(0 if split is None else split)

    def choose(self, which: int) -> None:
        self.taken, self.at = False, which if which in self._nodes else 0
        rows = self.watched.trainer.rows.complete
        below = leaves_below(self.tree, self.at)
        here = np.flatnonzero(np.isin(apply(self.tree, rows.X), below))
        criterion = Criterion[self._settings.criterion.upper().replace(" ", "_")]
        self._ground = node_projection(rows.X, rows.y, here, rows.n_outputs, criterion)
        y = rows.y[here].reshape(len(here), -1)[:, 0]
        self._coins = np.random.default_rng(self.watched.config.seed)
        self._past.clear()
        self.plane = plane_at(self._ground, self._beginning(rows.X[here], y))
        self.coefficient = len(self._names) - 1
        self.show(self._tree_with(self.plane))
        self.next()

    def _beginning(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Coefficients of the best axis-aligned split; of the present one where there is none."""
        own, loss = self._settings, self.watched.config.loss
        axis = RunConfig("axis", depth=1, criterion=own.criterion, loss=loss)
        try:
            tree = TreeTrainer(axis, X, y, n_classes=self.watched.data.train.n_classes).run()
        except ValueError:  # one class or one example: nothing to cut
            return split_coefficients(self.tree, self.at, self._ground)
        if not tree.n_splits:
            return split_coefficients(self.tree, self.at, self._ground)
        return split_coefficients(tree, 0, self._ground)

    def next(self) -> None:
        if self.taken:
            self.plane, self.taken = self.move.plane, False
        n = len(self._names)
        ahead = [(self.coefficient + i) % n for i in range(1, n)]
        moves = (self._try(coefficient, 1.0) for coefficient in ahead)
        better = next((m for m in moves if m.impurity_best < m.impurity_before), None)
        self.coefficient = ahead[0] if better is None else better.coefficient
        self.move: Move = self._try(self.coefficient, float(self._coins.random()))
        self._mark()

    def _try(self, coefficient: int, coin: float) -> Move:
        return try_coefficient(self.plane, self._ground, coefficient, coin)

    def _now(self) -> tuple[Hyperplane, Move]:
        return self.plane, self.move

    def _after(self) -> Tree:
        return self._tree_with(self.move.plane)

    def _restore(self, start: Hyperplane, what: Move) -> None:
        self.plane, self.move, self.coefficient = start, what, what.coefficient
        self.show(self._tree_with(start))
        self._mark()

    def _mark(self) -> None:
        turned = (self.at,) if self.taken and self.move.moves else ()
        self.source.mark({"split": self.at}, turned=turned)

    def _tree_with(self, plane: Hyperplane) -> Tree:
        """The tree in which the split asks what the hyperplane asks."""
        weights, threshold = raw_split(plane, self._ground)
        direction = np.empty(len(weights), dtype=np.float32)
        size = largest_of(plane.weights, len(weights))
        write_direction(plane.weights, self._ground.scales, size, direction)
        size, own_size = np.abs(direction).max(initial=0.0), np.abs(weights).max(initial=0.0)
        factor = float(size / own_size) if own_size > 0 else 1.0
        return with_split(self.tree, self.at, direction, np.float32(threshold * factor))

    def lines(self) -> list[str]:
        move, name = self.move, self._names[self.move.coefficient]
        first = _(
            "**Split {split}** starts from the best split on one feature. Now only the weight of "
            "**{name}** may change.",
            split=self.at,
            name=name,
        )
        if move.best is None:
            return [first, _("No value divides the examples that reach this split."), ""]
        second = _(
            "The curve shows how mixed both sides are at each value; the best value has {best}.",
            best=number(move.impurity_best),
        )
        gain = move.impurity_before - move.impurity_best
        if gain > 0 and move.moves:
            third = _(
                "The weight moves there, and the impurity falls by {gain}.", gain=number(gain)
            )
        elif move.moves:
            third = _(
                "It is no better than the present value; a coin decides, and the weight moves."
            )
        elif gain == 0:
            third = _(
                "It is no better than the present value; a coin decides, and the weight stays."
            )
        else:
            third = _("No value is better than the present one, and the weight stays.")
        return [first, second, third]

    def controls(self) -> None:
        split_box(self, sorted(self._nodes))

    def picture(self) -> None:
        answers, name = self.answers, self._names[self.move.coefficient]
        show(
            move_figure(self.move, answers, name, answers.colours),
            "step_move",
            _("The impurity at every value of the coefficient, with the examples' U below."),
        )

    def mathematics(self) -> None:
        answers, move = self.answers, self.move
        words = STEP_GLOSSARY | (STEP_NUMBERS if answers.numbers else {})
        for word in ("U", "impurity", "stagnant"):
            st.caption(_(words[word]))
        if move.moves or move.impurity_best == move.impurity_before:
            chance = float(np.exp(-move.stagnant))
            st.caption(
                _(
                    "For an equally good value: k = {k}, probability {chance:.2f}, the coin "
                    "shows {coin:.2f}.",
                    k=move.stagnant,
                    chance=chance,
                    coin=move.coin,
                )
            )
        data, alt = self.watched.data.train, _("Coefficients before and after the move.")
        show_weights(data, self.plane.weights, move.plane.weights, "step_weights", alt)

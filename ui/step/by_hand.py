"""A split that the visitor turns and shifts: is the tree better for it?"""

import math

import numpy as np
import streamlit as st

from treecore import apply, evaluate
from treecore.core import split_weights
from treecore.inspection import with_split
from treecore.pruning import leaves_below
from ui.drawing.map_figure import Map, map_points, plane_of
from ui.drawing.squares import box_of
from ui.language.translate import _, ngettext, number
from ui.step.link import ANGLE, SHIFT
from ui.step.slow_motion import SlowMotion, Watched, split_box


class ByHand(SlowMotion):
    """One split, turned about the middle of its line; all others stay as they were learnt."""

    stepping = False

    def __init__(self, watched: Watched, split: int | None = None):
        super().__init__(watched)
        self.tree = watched.inner()
        self.at = split if split is not None and 0 <= split < self.tree.n_splits else 0
        self._turn()

    @property
    def can_undo(self) -> bool:
        return bool(st.session_state.get(ANGLE) or st.session_state.get(SHIFT))

    def choose(self, which: int) -> None:
        if 0 <= which < self.tree.n_splits:
            self.at = which
            self.undo()

    def next(self) -> None:
        self.choose((self.at + 1) % self.tree.n_splits)

    def undo(self) -> None:
        st.session_state[ANGLE] = st.session_state[SHIFT] = 0
        self._turn()

    def _turn(self) -> None:
        self.now = self.tree
        if self.can_undo:
            w, b = self._asked()
            self.now = with_split(self.tree, self.at, w, np.float32(b))
        turned = (self.at,) if self.can_undo else ()
        self.show(self.now)
        self.source.mark({"split": self.at}, turned=turned)

    def _asked(self) -> tuple[np.ndarray, float]:
        train, split, tree = self.watched.data.train, self.at, self.tree
        angle = math.radians(st.session_state.get(ANGLE, 0))
        shift = st.session_state.get(SHIFT, 0) / 100
        (w,), b = split_weights(tree, [split]), float(tree.threshold[split])
        plane = plane_of(train)
        if plane is None or train.n_features == 1:
            return w, b + shift * 2.0 * float((train.X @ w).std())
        box = box_of(map_points(train, plane))
        segment = Map(tree, plane, box).segments.get(split)  # none where it is out of sight
        pivot = (box if segment is None else segment).mean(axis=0)
        return turned(w, b, pivot, box[1] - box[0], angle, shift)

    def lines(self) -> list[str]:
        rows = self.watched.trainer.rows
        X = rows.complete.X
        before, after = (apply(tree, X) for tree in (self.tree, self.now))
        right = leaves_below(self.tree, int(self.tree.right[self.at]))
        here = np.isin(before, leaves_below(self.tree, self.at))
        moved = int((np.isin(before, right) != np.isin(after, right))[here].sum())
        losses = [
            evaluate(tree, X, rows.y, loss=rows.loss, sample_weight=rows.weight).loss
            for tree in (self.tree, self.now)
        ]
        gain = losses[0] - losses[1]
        first = _("**Split {split}** is yours: turn and shift it.", split=self.at)
        second = ngettext("{n} example changes sides.", "{n} examples change sides.", moved)
        third = _("The loss equals that of the learnt split, {loss}.", loss=number(losses[0]))
        if gain > 0:
            third = _("The loss is {gain} lower: you beat the learner.", gain=number(gain))
        elif gain < 0:
            third = _("The loss is {gain} higher than with the learnt split.", gain=number(-gain))
        return [first, second, third]

    def controls(self) -> None:
        split_box(self, list(range(self.tree.n_splits)))
        for key in (ANGLE, SHIFT):
            st.session_state.setdefault(key, 0)
        if self.watched.data.train.n_features == 2:
            st.slider(
                _("Turned by"),
                -90,
                90,
                key=ANGLE,
                format="%d °",
                on_change=self._turn,
                help=_("Angle in degrees, around the middle of the split's line."),
            )
        st.slider(
            _("Shifted by"),
            -50,
            50,
            key=SHIFT,
            format="%d %%",
            on_change=self._turn,
            help=_("How far the split is moved to its right, as a share of the map's side."),
        )
        st.button(
            _("Restore split"), on_click=self.undo, disabled=not self.can_undo, key="slow_put_back"
        )


def turned(
    w: np.ndarray, b: float, pivot: np.ndarray, size: np.ndarray, angle: float, shift: float
) -> tuple[np.ndarray, float]:
    """A line w.x = b turned about the point of it nearest to ``pivot``, then shifted.

    w: (2,); pivot: (2,); size: (2,), sides of the map: angles and lengths are those on a square
    picture of it; angle: radians, against the clock; shift: shares of the picture's side, towards
    the right side of the split.
    """
    u = w * size  # on the unit square
    length = float(np.linalg.norm(u))
    if length == 0:
        return w, b
    centre = pivot / size
    centre = centre + u * (b - u @ centre) / length**2  # onto the line
    cos, sin = math.cos(angle), math.sin(angle)
    new = np.array([cos * u[0] - sin * u[1], sin * u[0] + cos * u[1]])
    return new / size, float(new @ centre + shift * length)

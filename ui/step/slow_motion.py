"""What slow motion is of any method: a tree at rest, steps that are taken and taken back."""

import functools
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import streamlit as st

from treecore import RunConfig, Tree
from treecore.runs import make_trainer
from treecore.training import TreeTrainer
from treecore.viewer import Frame, Stage
from ui.drawing.target_style import Answers
from ui.drawing.theme import paint
from ui.jobs.chosen_data import ChosenData
from ui.language.translate import _
from ui.live.step_source import StepSource


@dataclass(frozen=True, eq=False)
class Watched:
    """The tree that somebody looks at, that of a learner's frame, and what it learns from."""

    number: int
    config: RunConfig
    data: ChosenData
    stage: Stage
    frame: Frame
    heading: tuple[str, ...] = ()

    @functools.cached_property
    def trainer(self) -> TreeTrainer:
        """One that has not begun: it has the rows as the method learns from them."""
        trainer = make_trainer(self.config, self.data.train)
        assert isinstance(trainer, TreeTrainer), "only trees are taken apart"
        return trainer

    def inner(self) -> Tree:
        """The tree in the units in which it is learnt."""
        return self.trainer.units.transform(self.frame.tree)


class SlowMotion(ABC):
    """Steps of one learner from the tree that is watched.

    taken: whether the step shown was; at: its row, or its split.
    """

    stepping = True

    def __init__(self, watched: Watched):
        self.watched, self.taken = watched, False
        self.at = 0
        self._past: list[Any] = []
        self.source = StepSource(watched.stage, watched.frame, watched.heading)

    @property
    def answers(self) -> Answers:
        """How targets look and are called; in the colours of the page."""
        return Answers(self.watched.data.train, paint())

    def show(self, inner: Tree) -> None:
        """Have the view turn to this tree, which is in the units of learning."""
        self.source.turn(self.watched.trainer.units.inverse_transform(inner))

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @abstractmethod
    def choose(self, which: int) -> None:
        """Look at the step of this row, or at this split."""

    def take(self) -> None:
        if not self.taken:
            self._past.append(self._now())
            self.taken = True
            self.show(self._after())
            self._mark()

    @abstractmethod
    def next(self) -> None:
        """Look at the next step that changes something."""

    def undo(self) -> None:
        """Take the last step back, and look at it again."""
        if self._past:
            self.taken = False
            self._restore(*self._past.pop())

    def _now(self) -> tuple[Any, Any]:
        """What the step begins with."""
        raise NotImplementedError

    def _after(self) -> Tree:
        """Take the step; the tree that comes of it."""
        raise NotImplementedError

    def _restore(self, start: Any, what: Any) -> None:
        """Begin again with what :meth:`_now` was, and show it."""
        raise NotImplementedError

    def _mark(self) -> None:
        """Have the view mark what the step is about."""
        raise NotImplementedError

    @abstractmethod
    def lines(self) -> list[str]:
        """The step in three lines, each with one number at most."""

    @abstractmethod
    def controls(self) -> None:
        """What can be chosen beside what all steps have."""

    def picture(self) -> None:  # noqa: B027
        """What stands below the lines, if anything."""

    def mathematics(self) -> None:  # noqa: B027
        """The formulas and the numbers, if there are any."""


def split_box(held: SlowMotion, splits: list[int]) -> None:
    """A box in which another split is chosen, also without a pointer."""
    key = "slow_split"
    st.session_state[key] = held.at
    st.selectbox(
        _("Split"),
        splits,
        key=key,
        width=110,
        on_change=lambda: held.choose(st.session_state[key]),
        help=_("The split to look at. You can also click a split in the tree."),
    )

"""The numbers of a lesson's runs, side by side as soon as they have been played to the end."""

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from treecore import Event
from treecore.training import METHODS, SGDSettings
from treecore.viewer import History
from ui.language.translate import N_, _, writing, written

T = TypeVar("T")


@dataclass(frozen=True)
class RunFigure:
    """A number of a finished run; close: how far apart equal ones may be, perhaps relatively."""

    title: str
    value: Callable[[History], float]
    text: Callable[[float], str]
    close: float
    relative: bool = False

    def apart(self, first: float, second: float) -> bool:
        scale = max(abs(first), abs(second)) if self.relative else 1.0
        return abs(first - second) > self.close * scale


def measured(figure: T | None) -> T:
    """A figure that every run of a lesson has: models tell classes apart, on held-out points."""
    assert figure is not None
    return figure


def percent(share: float) -> str:
    return written(share, ".0%")


def percent_of_many(share: float) -> str:
    """A share of some hundred points, where one point in a hundred counts."""
    return written(share, ".1%")


CLOSE = 0.02
"""Accuracies nearer than this are called equal: two points of a hundred held-out ones."""


def _of(at: int, name: str) -> Callable[[History], float]:
    """A figure of a run's event at that place: 0 for the first, -1 for the last."""
    return lambda run: measured(getattr(run[at], name))


def _gap(event: Event) -> float:
    return measured(event.bound) - measured(event.loss)


def _changes(is_one: Callable[[float, float], bool], name: str) -> Callable[[History], float]:
    """How often a figure has changed so from one event to the next."""

    def count(run: History) -> float:
        return sum(
            is_one(measured(b), measured(a)) for a, b in pairwise(getattr(e, name) for e in run)
        )

    return count


_WHOLE, _TWO, _THREE = writing(".0f"), writing(".2f"), writing(".3f")
_UNSEEN = _of(-1, "validation_accuracy")

FIGURES = {
    "unseen": RunFigure(N_("Test accuracy"), _UNSEEN, percent, CLOSE),
    "many unseen": RunFigure(N_("Test accuracy"), _UNSEEN, percent_of_many, 0.01),
    "best unseen": RunFigure(
        N_("Best along the way"),
        lambda run: max(measured(event.validation_accuracy) for event in run),
        percent_of_many,
        0.01,
    ),
    "unseen loss": RunFigure(N_("Test loss"), _of(-1, "validation_loss"), _TWO, 0.05, True),
    "training": RunFigure(N_("Training accuracy"), _of(-1, "accuracy"), percent, CLOSE),
    "begun": RunFigure(N_("Training accuracy, start"), _of(0, "accuracy"), percent, CLOSE),
    "awake": RunFigure(N_("Active leaves"), _of(-1, "active_leaves"), _WHOLE, 0.1, True),
    "awake first": RunFigure(
        N_("Active leaves, start"), _of(0, "active_leaves"), _WHOLE, 0.1, True
    ),
    "loss": RunFigure(N_("Loss"), _of(-1, "loss"), _TWO, 0.05, True),
    "bound": RunFigure(N_("Bound"), _of(-1, "bound"), _TWO, 0.05, True),
    "gap": RunFigure(N_("Final gap"), lambda run: _gap(run[-1]), _THREE, 0.2, True),
    "gap widest": RunFigure(N_("Largest gap"), lambda run: max(map(_gap, run)), _THREE, 0.2, True),
    "rises": RunFigure(N_("Rises of loss"), _changes(operator.gt, "loss"), _WHOLE, 0.0),
    "falls": RunFigure(N_("Falls of accuracy"), _changes(operator.lt, "accuracy"), _WHOLE, 0.0),
    "passes": RunFigure(N_("Epochs"), lambda run: run[-1].done, _WHOLE, 0.0),
}
"""All figures by the names that trials give them."""

_OF_BOUNDS, _OF_LEAVES = ("bound", "gap", "gap widest"), ("awake", "awake first")
_FROM_THE_START = ("begun", "rises", "falls")


def has_figure(name: str, method: str) -> bool:
    """Whether runs of a method have a figure: not all measure leaves, a bound, or the start."""
    known = METHODS[method]
    if name in _OF_BOUNDS:
        return issubclass(known.settings, SGDSettings)
    if name in _OF_LEAVES:
        return known.family == "tree"
    return known.family != "hinge" or name not in _FROM_THE_START


def side_by_side(names: Sequence[str], runs: Sequence[History]) -> list[list[str]]:
    """A table of figures: its first row has their titles, then comes a row a run."""
    figures = [FIGURES[name] for name in names]
    rows = [[figure.text(figure.value(run)) for figure in figures] for run in runs]
    return [[_(figure.title) for figure in figures], *rows]

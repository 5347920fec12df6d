"""The numbers of a lesson's runs, side by side as soon as they have been played to the end."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

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
        """Whether two values are to be told from each other."""
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

FIGURES = {
    "unseen": RunFigure(
        N_("Test accuracy"), lambda run: measured(run[-1].validation_accuracy), percent, CLOSE
    ),
    "many unseen": RunFigure(
        N_("Test accuracy"),
        lambda run: measured(run[-1].validation_accuracy),
        percent_of_many,
        0.01,
    ),
    "best unseen": RunFigure(
        N_("Best along the way"),
        lambda run: max(measured(event.validation_accuracy) for event in run),
        percent_of_many,
        0.01,
    ),
    "unseen loss": RunFigure(
        N_("Test loss"),
        lambda run: measured(run[-1].validation_loss),
        writing(".2f"),
        0.05,
        relative=True,
    ),
    "training": RunFigure(
        N_("Training accuracy"), lambda run: measured(run[-1].accuracy), percent, CLOSE
    ),
    "begun": RunFigure(
        N_("Training accuracy, start"), lambda run: measured(run[0].accuracy), percent, CLOSE
    ),
    "awake": RunFigure(
        N_("Active leaves"), lambda run: measured(run[-1].active_leaves), writing(".0f"), 0.1, True
    ),
    "awake first": RunFigure(
        N_("Active leaves, start"),
        lambda run: measured(run[0].active_leaves),
        writing(".0f"),
        0.1,
        True,
    ),
    "loss": RunFigure(N_("Loss"), lambda run: measured(run[-1].loss), writing(".2f"), 0.05, True),
    "bound": RunFigure(
        N_("Bound"), lambda run: measured(run[-1].bound), writing(".2f"), 0.05, True
    ),
    "gap": RunFigure(
        N_("Final gap"),
        lambda run: measured(run[-1].bound) - measured(run[-1].loss),
        writing(".3f"),
        0.2,
        True,
    ),
    "gap widest": RunFigure(
        N_("Largest gap"),
        lambda run: max(measured(event.bound) - measured(event.loss) for event in run),
        writing(".3f"),
        0.2,
        True,
    ),
    "rises": RunFigure(
        N_("Rises of loss"),
        lambda run: sum(measured(b.loss) > measured(a.loss) for a, b in pairwise(run)),
        writing(".0f"),
        0.0,
    ),
    "falls": RunFigure(
        N_("Falls of accuracy"),
        lambda run: sum(measured(b.accuracy) < measured(a.accuracy) for a, b in pairwise(run)),
        writing(".0f"),
        0.0,
    ),
    "passes": RunFigure(N_("Epochs"), lambda run: run[-1].done, writing(".0f"), 0.0),
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

"""What the views of a comparison hear by its channel: its runs, its clock, its curves and table."""

import math
from collections.abc import Callable

from treecore.viewer import Have, News
from ui.live.board import board
from ui.live.channel import ViewSource, WholeSource
from ui.live.comparison import Comparison, ComparisonScene, Heading
from ui.live.step_source import clicked

STRIP = "strip"
BOARD = "board"
"""Names of views in the channel; a run's is its place among the contestants."""


class ContestantSource(ViewSource):
    """One run as its live view shows it below ``words``, perhaps with curves of its own."""

    def __init__(self, comparison: Comparison, number: int, words: Heading, curves: bool = False):
        self._comparison = comparison
        self._number = number
        self._words = words
        self._curves = curves

    def news(self, have: Have) -> News | None:
        scene = self._comparison.seen
        if scene is None or self._number >= len(scene.views):
            return None
        if not self._comparison.contestants[self._number].is_tree:  # there was a tree before
            return None
        news = self._comparison.news(self._number, scene, have, self._curves)
        heading = list(self._words(scene, self._number))
        if news is None and heading != have.get("heading"):
            news = {"run": have["run"], "state": self._comparison.state(scene)}, {}
        if news is not None:
            news[0]["heading"] = heading
            config = self._comparison.contestants[self._number].config
            news[0]["slow"] = clicked(config) if news[0].get("state") != "running" else None
        return news


def commands(comparison: Comparison, what: str, value: object) -> None:
    """``play``, ``pause``, ``reset``, ``step`` after a position of the hand, ``seek`` a share."""
    number = float(value) if isinstance(value, int | float) else None
    if what == "seek" and number is not None and 0 <= number <= 1:
        comparison.seek(number)
    elif what == "step":
        comparison.step(-math.inf if number is None else number)
    elif what in ("play", "pause", "reset"):
        known = {"play": comparison.play, "pause": comparison.pause, "reset": comparison.reset}
        known[what]()


def strip_source(comparison: Comparison, commanded: bool = True) -> WholeSource:
    """The clock's hand, and the buttons of all runs where they are ``commanded`` there."""

    def make() -> News:
        scene = comparison.seen or comparison.refresh()
        meta, arrays = board(comparison, scene, ["strip"])
        if commanded:
            after = comparison.next_step
            finite = after if math.isfinite(after) else None
            slow = any(clicked(one.config) for one in comparison.contestants)
            meta["commands"] = {"playing": comparison.playing, "next": finite, "slow": slow}
        return meta, arrays

    return WholeSource(make, lambda what, value: commands(comparison, what, value))


def board_source(comparison: Comparison, make: Callable[[ComparisonScene], News]) -> WholeSource:
    """Curves and figures, as ``make`` says them; what changes faster than its gap is not read."""
    return WholeSource(
        lambda: make(comparison.seen or comparison.refresh()),
        lambda what, value: commands(comparison, what, value),
        lambda: not comparison.playing,
    )
